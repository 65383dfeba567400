package emulator

import (
	"math/rand/v2"

	"boardd/dgt"
)

// turn is one move of a game as hands have to carry it out.
type turn struct {
	taken            dgt.Square // of the captured man, if takes
	takes            bool
	rookFrom, rookTo dgt.Square
	castles          bool
	into             dgt.Piece
}

// Extra says what a move needs besides its two squares.
type Extra func(*turn)

// Taking is a capture beside the target square (en passant). A capture on the
// target square needs no Extra.
func Taking(s dgt.Square) Extra { return func(t *turn) { t.taken, t.takes = s, true } }

// Rook is the rook's half of castling.
func Rook(from, to dgt.Square) Extra {
	return func(t *turn) { t.rookFrom, t.rookTo, t.castles = from, to, true }
}

// Into is the man that a pawn promotes to.
func Into(p dgt.Piece) Extra { return func(t *turn) { t.into = p } }

// Play carries out one move of a game in one of the ways people use, without
// the press of the clock.
func (h *Hands) Play(from, to dgt.Square, extras ...Extra) {
	var t turn
	for _, e := range extras {
		e(&t)
	}
	switch victim := h.board.men.on(to); {
	case t.castles:
		way := pick(h.rng, 0.8, KingFirst, pick(h.rng, 0.5, RookFirst, BothHands))
		if to == t.rookFrom || from == t.rookTo {
			way = BothHands // neither has room before the other has left
		}
		h.Castle(from, to, t.rookFrom, t.rookTo, way)
	case t.into != dgt.Empty:
		if victim != nil {
			h.takeOff(victim)
		}
		h.Promote(from, to, t.into, pick(h.rng, 0.5, PawnRests, pick(h.rng, 0.8, PawnOff, PawnLast)))
	case t.takes:
		if pick(h.rng, 0.8, true, false) {
			h.Move(from, to)
			h.Remove(t.taken)
		} else {
			h.Remove(t.taken)
			h.Move(from, to)
		}
	case victim != nil && from != to:
		// Shares of real captures, fact sheet 8.1.
		h.Capture(from, to, pick(h.rng, 0.7, Swapped, pick(h.rng, 0.9, VictimFirst, Pushed)))
	case pick(h.rng, h.board.config.Manner.Slides, true, false):
		h.Slide(from, to)
	default:
		h.Move(from, to)
	}
}

// pick returns the first value with the given probability.
func pick[T any](rng *rand.Rand, share float64, first, second T) T {
	if rng.Float64() < share {
		return first
	}
	return second
}
