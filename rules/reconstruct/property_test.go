package reconstruct

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"boardd/rules"
)

// habits says how the hands of a random game behave.
type habits struct {
	name    string
	adjust  float64 // how often a man is lifted and put back while its owner thinks
	slide   float64 // how often a man is dragged over the squares on its way
	victim  float64 // how often a captured man is taken off first
	rook    float64 // how often a castling begins with the rook
	pawn    float64 // how often a promoting pawn is put on the last rank first
	unclock bool    // no clock: rest alone tells
}

// Whatever the game, clean hands and benign ones give it back ply by ply, with
// the clocks, and nobody is alarmed.
func TestRandomGames(t *testing.T) {
	for _, hb := range []habits{
		{name: "clean"},
		{name: "victim first", victim: 1},
		{name: "adjusting", adjust: 0.5, victim: 0.3},
		{name: "sliding", slide: 0.7, victim: 0.5},
		{name: "everything", adjust: 0.3, slide: 0.4, victim: 0.5, rook: 0.5, pawn: 0.5},
		{name: "no clock", unclock: true},
	} {
		t.Run(hb.name, func(t *testing.T) {
			for seed := range uint64(30) {
				fen := startFEN
				if seed%3 == 2 {
					fen = fuzzStarts[1+int(seed/3)%3]
				}
				t.Run(fmt.Sprint(seed), func(t *testing.T) { randomGame(t, hb, fen, seed) })
			}
		})
	}
}

func randomGame(t *testing.T, hb habits, fen string, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	h := idleHand(t, fen)
	h.step = 250e6
	h.noClk = hb.unclock
	h.dump()
	if hb.unclock {
		h.tr.Clock(0, Reading{})
	}
	h.start()
	var played []rules.Move
	faces := map[int]int64{}
	for len(played) < 70 {
		var l rules.MoveList
		h.pos.LegalMoves(&l)
		if l.Len() == 0 || h.pos.IsDead() {
			break
		}
		m := l.At(r.IntN(l.Len()))
		by := h.pos.Turn()
		h.wait(600 + r.IntN(1500))
		if r.Float64() < hb.adjust {
			h.adjust(r)
		}
		if played = append(played, m); h.dragged(m, r, hb) {
			h.pos = h.pos.Play(m)
		} else {
			h.carry(m, r.Float64() < hb.victim)
		}
		h.wait(200 + r.IntN(500))
		if hb.unclock {
			h.wait(3500)
		} else {
			h.press()
			faces[len(played)] = h.clock.Face(by).Milliseconds()
		}
	}
	h.wait(4000)
	h.tr.Finish(h.now)
	h.collect()
	got := h.book.moves()
	for i, m := range played {
		if i >= len(got) || got[i] != m {
			t.Fatalf("ply %d: played %s, the record is %s", i+1, m, h.book)
		}
	}
	if len(got) != len(played) {
		t.Fatalf("%d plies of %d played: %s", len(got), len(played), h.book)
	}
	for ply, face := range faces {
		if c, ok := h.book.clocks[ply]; !ok || c.Milliseconds() != face {
			t.Errorf("ply %d: clock %v, want %d ms", ply, c, face)
		}
	}
	for _, a := range h.book.alerts {
		if a != "game.over" && a != "clock.none" {
			t.Errorf("alert %s", a)
		}
	}
}

// adjust lifts a man of the side to move and puts it back.
func (h *hand) adjust(r *rand.Rand) {
	men := h.pos.Men(h.pos.Turn(), rules.NoRole)
	for range r.IntN(men.Count()) {
		men &= men - 1
	}
	q := men.First()
	man := h.board[q]
	h.set(q, rules.NoPiece)
	h.wait(50 + r.IntN(240))
	h.set(q, man)
	h.wait(100 + r.IntN(400))
}

// dragged makes the move in one of the benign ways that carry does not know,
// and reports whether it did.
func (h *hand) dragged(m rules.Move, r *rand.Rand, hb habits) bool {
	pos := &h.pos
	from, to := m.From(), m.To()
	man := pos.PieceAt(from)
	switch {
	case pos.IsCastling(m):
		kingTo, rookFrom, rookTo := pos.CastlingSquares(m)
		if r.Float64() >= hb.rook || pos.Chess960() {
			return false
		}
		rook := pos.PieceAt(rookFrom)
		h.set(rookFrom, rules.NoPiece)
		h.wait(150)
		h.set(rookTo, rook)
		h.wait(250)
		h.set(from, rules.NoPiece)
		h.wait(150)
		h.set(kingTo, man)
		return true
	case m.Promotion() != rules.NoRole:
		if r.Float64() >= hb.pawn {
			return false
		}
		h.set(from, rules.NoPiece)
		h.wait(120)
		h.set(to, man)
		h.wait(400)
		h.set(to, rules.NoPiece)
		h.wait(300)
		h.set(to, rules.NewPiece(man.Color(), m.Promotion()))
		return true
	case pos.IsEnPassant(m) || man.Role() == rules.Knight || r.Float64() >= hb.slide:
		return false
	}
	way := rules.Between(from, to)
	if way == 0 {
		return false
	}
	if pos.IsCapture(m) {
		h.set(to, rules.NoPiece)
		h.wait(150)
	}
	last := from
	for way != 0 { // the squares between, nearest first
		q := way.First()
		if to < from {
			for x := way; x != 0; x &= x - 1 {
				q = x.First()
			}
		}
		way &^= q.Bit()
		h.set(last, rules.NoPiece)
		h.set(q, man)
		h.wait(40 + r.IntN(60))
		last = q
	}
	h.set(last, rules.NoPiece)
	h.set(to, man)
	return true
}
