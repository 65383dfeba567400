package emulator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"boardd/dgt"
)

// Manner is how the players handle the men. The zero Manner is a neat player
// without haste. Shares run from 0 to 1.
type Manner struct {
	// Haste divides all durations; 0 means 1. A hop takes about half a second
	// at 1.
	Haste float64
	// Slides is the share of moves pushed along the board instead of lifted.
	Slides float64
	// Drags is the share of captured men that touch a neighbouring square on
	// their way off.
	Drags float64
}

// Manners of real players, after the captures of fact sheet 8.1.
var (
	Careful = Manner{Slides: 0.05, Drags: 0.15}
	Blitz   = Manner{Haste: 2, Slides: 0.15, Drags: 0.2}
)

// CaptureWay is the order in which the two men of a capture are handled.
type CaptureWay uint8

const (
	// VictimFirst takes the captured man off, then moves.
	VictimFirst CaptureWay = iota
	// Swapped changes the men on the square with one hand, so fast that the
	// board often sees no empty square.
	Swapped
	// Pushed slides the attacker in, which shoves the captured man aside; it
	// is taken off last.
	Pushed
)

// CastleWay is the order in which king and rook are handled.
type CastleWay uint8

const (
	KingFirst CastleWay = iota
	RookFirst
	BothHands
)

// PromoteWay is how a pawn becomes another man.
type PromoteWay uint8

const (
	// PawnRests sets the pawn on the last rank, then exchanges it.
	PawnRests PromoteWay = iota
	// PawnOff takes the pawn from where it stands and puts the new man down.
	PawnOff
	// PawnLast puts the new man down before the pawn is taken off.
	PawnLast
)

// Hands choreograph what people do at the board. Each call adds to a timeline
// that begins when the Hands are handed out and lasts as long as hands need;
// nothing happens until the board's time gets there. Calls refer to squares
// as they will be once everything added so far has been done, and a call that
// finds no man to move does nothing but note it in Err.
type Hands struct {
	board *Board
	rng   *rand.Rand
	at    time.Duration
	err   error
}

// At returns the board time at which everything added so far is done.
func (h *Hands) At() time.Duration { return h.at }

// Err returns the first call that could not be done, wrapped with what was
// expected; nil if there was none.
func (h *Hands) Err() error { return h.err }

// Wait leaves the board alone for a time.
func (h *Hands) Wait(d time.Duration) { h.at += d }

// Both does two things at once, such as two hands or both players. Both start
// now; what follows waits for the later end.
func (h *Hands) Both(first, second func(h *Hands)) {
	start := h.at
	first(h)
	end := h.at
	h.at = start
	second(h)
	h.at = max(h.at, end)
}

// Lift takes the man on a square into the hand, where it stays.
func (h *Hands) Lift(s dgt.Square) {
	if m := h.man(s); m != nil {
		h.carry(m, centre(s), h.took(80*time.Millisecond), true)
		h.board.inHand = append(h.board.inHand, m)
	}
}

// Place puts the man lifted last down on a square.
func (h *Hands) Place(s dgt.Square) {
	held := h.board.inHand
	if len(held) == 0 {
		h.fail(s, "a man in the hand")
		return
	}
	m := held[len(held)-1]
	h.board.inHand = held[:len(held)-1]
	h.carry(m, h.spot(s), h.reach(m, s), false)
}

// Put puts a man down on a square: one of that kind from the hand, else from
// the box.
func (h *Hands) Put(s dgt.Square, p dgt.Piece) {
	held := h.board.inHand
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].piece == p {
			m := held[i]
			h.board.inHand = append(held[:i:i], held[i+1:]...)
			h.carry(m, h.spot(s), h.reach(m, s), false)
			return
		}
	}
	h.carry(h.fetch(p), h.spot(s), h.took(600*time.Millisecond), false)
}

// Remove takes the man on a square off the board.
func (h *Hands) Remove(s dgt.Square) {
	if m := h.man(s); m != nil {
		h.takeOff(m)
	}
}

// Move lifts a man and sets it down on another square.
func (h *Hands) Move(from, to dgt.Square) {
	if m := h.man(from); m != nil {
		h.carry(m, h.spot(to), h.reach(m, to), false)
	}
}

// Slide pushes a man along the board in a straight line. It reads on the
// squares it passes if a scan falls on it there.
func (h *Hands) Slide(from, to dgt.Square) {
	if m := h.man(from); m != nil {
		p, _ := m.goal()
		d := p.distance(centre(to))
		h.push(m, h.spot(to), h.took(250*time.Millisecond+time.Duration(d*float64(120*time.Millisecond))))
	}
}

// Capture moves a man onto an occupied square.
func (h *Hands) Capture(from, to dgt.Square, way CaptureWay) {
	attacker, victim := h.man(from), h.man(to)
	if attacker == nil || victim == nil {
		return
	}
	switch way {
	case VictimFirst:
		h.takeOff(victim)
		h.Wait(h.took(150 * time.Millisecond))
		h.carry(attacker, h.spot(to), h.reach(attacker, to), false)
	case Swapped:
		start, reach := h.at, h.reach(attacker, to)
		h.carry(attacker, h.spot(to), reach, false)
		landed := h.at
		// The fingers pinch the captured man just before the other lands.
		h.at = max(start, landed-h.took(60*time.Millisecond))
		h.takeOff(victim)
		h.at = max(h.at, landed)
	case Pushed:
		here, _ := attacker.goal()
		target := centre(to)
		d := here.distance(target)
		aside := target.towards(here, -0.9/max(d, 1)) // straight on
		h.Both(
			func(h *Hands) { h.push(attacker, h.spot(to), h.took(500*time.Millisecond)) },
			func(h *Hands) {
				h.Wait(h.took(300 * time.Millisecond))
				h.push(victim, aside, h.took(180*time.Millisecond))
			},
		)
		h.Wait(h.took(120 * time.Millisecond))
		h.takeOff(victim)
	}
}

// Castle moves the king and the rook given by their squares.
func (h *Hands) Castle(kingFrom, kingTo, rookFrom, rookTo dgt.Square, way CastleWay) {
	king, rook := h.man(kingFrom), h.man(rookFrom)
	if king == nil || rook == nil {
		return
	}
	moveKing := func(h *Hands) { h.carry(king, h.spot(kingTo), h.reach(king, kingTo), false) }
	moveRook := func(h *Hands) { h.carry(rook, h.spot(rookTo), h.reach(rook, rookTo), false) }
	switch way {
	case KingFirst:
		moveKing(h)
		h.Wait(h.took(150 * time.Millisecond))
		moveRook(h)
	case RookFirst:
		moveRook(h)
		h.Wait(h.took(150 * time.Millisecond))
		moveKing(h)
	case BothHands:
		h.Both(moveKing, func(h *Hands) {
			h.Wait(h.took(100 * time.Millisecond))
			moveRook(h)
		})
	}
}

// Promote moves a pawn to an empty square, or one that is being emptied, and
// makes it another man.
func (h *Hands) Promote(from, to dgt.Square, into dgt.Piece, way PromoteWay) {
	pawn := h.man(from)
	if pawn == nil {
		return
	}
	switch way {
	case PawnRests:
		h.carry(pawn, h.spot(to), h.reach(pawn, to), false)
		h.Wait(h.took(400 * time.Millisecond))
		h.takeOff(pawn)
		h.Put(to, into)
	case PawnOff:
		h.takeOff(pawn)
		h.Put(to, into)
	case PawnLast:
		h.Put(to, into)
		h.Wait(h.took(150 * time.Millisecond))
		h.takeOff(pawn)
	}
}

// Nudge pushes a man by a part of a square and leaves it there: x towards the
// h-file, y towards White.
func (h *Hands) Nudge(s dgt.Square, x, y float64) {
	if m := h.man(s); m != nil {
		p, _ := m.goal()
		h.push(m, point{p.x + x, p.y + y}, h.took(200*time.Millisecond))
	}
}

// Bump shoves a man by a part of a square and puts it right after a moment.
func (h *Hands) Bump(s dgt.Square, x, y float64) {
	m := h.man(s)
	if m == nil {
		return
	}
	p, _ := m.goal()
	h.push(m, point{p.x + x, p.y + y}, h.took(150*time.Millisecond))
	h.Wait(h.took(800 * time.Millisecond))
	h.carry(m, h.spot(s), h.took(350*time.Millisecond), false)
}

// Adjust lifts a man and puts it back in the middle of its square.
func (h *Hands) Adjust(s dgt.Square) {
	if m := h.man(s); m != nil {
		h.carry(m, centre(s), h.took(400*time.Millisecond), false)
	}
}

// SetUp makes the board show a placement, moving men that are in the way and
// fetching the rest from the box, one after the other.
func (h *Hands) SetUp(want dgt.Placement) {
	spare := map[dgt.Piece][]dgt.Square{}
	now := h.board.men.goals()
	for s, p := range now {
		if p != dgt.Empty && p != want[s] {
			spare[p] = append(spare[p], dgt.Square(s))
		}
	}
	for s, p := range want {
		s := dgt.Square(s)
		there := h.board.men.on(s)
		if p == dgt.Empty || there != nil && there.piece == p {
			continue
		}
		if there != nil {
			// Out of the way; it comes back from the box if it is needed.
			list := spare[there.piece]
			for i := range list {
				if list[i] == s {
					spare[there.piece] = append(list[:i:i], list[i+1:]...)
					break
				}
			}
			h.takeOff(there)
		}
		if list := spare[p]; len(list) > 0 {
			spare[p] = list[1:]
			h.Move(list[0], s)
		} else {
			h.Put(s, p)
		}
	}
	for s, p := range want {
		if p == dgt.Empty {
			if m := h.board.men.on(dgt.Square(s)); m != nil {
				h.takeOff(m)
			}
		}
	}
}

// Press pushes the lever on the side that has it high: the side to move ends
// its turn.
func (h *Hands) Press() { h.board.later(h.at, func(b *Board) { b.press(b.clock.lever) }) }

// PressSide pushes the lever on one side, which does nothing if it is down.
func (h *Hands) PressSide(s dgt.Side) { h.board.later(h.at, func(b *Board) { b.press(s) }) }

// Button presses a button of the clock. Run starts or stops a clock that runs
// its own programme; a clock in remote mode only reports its buttons.
func (h *Hands) Button(k dgt.Button) { h.board.later(h.at, func(b *Board) { b.button(k) }) }

// StartStop presses the start/stop button.
func (h *Hands) StartStop() { h.Button(dgt.ButtonRun) }

// carry takes a man through the air, beginning now, or when it is free.
func (h *Hands) carry(m *man, to point, d time.Duration, hold bool) {
	h.move(m, motion{to: to, air: true, hold: hold}, d)
}

// push moves a man along the board.
func (h *Hands) push(m *man, to point, d time.Duration) {
	h.move(m, motion{to: to}, d)
}

func (h *Hands) move(m *man, step motion, d time.Duration) {
	step.start = max(h.at, m.free())
	step.end = step.start + max(d, time.Millisecond)
	m.path = append(m.path, step)
	h.at = step.end
}

// takeOff carries a man off the board, sometimes dragging it over a
// neighbouring square.
func (h *Hands) takeOff(m *man) {
	p, _ := m.goal()
	out := point{-2, p.y}
	if p.x > 4 {
		out.x = 10
	}
	if drags := h.board.config.Manner.Drags; drags > 0 && h.rng.Float64() < drags {
		a := h.rng.Float64() * 2 * math.Pi
		beside := point{p.x + math.Cos(a), p.y + math.Sin(a)}
		h.carry(m, beside, h.took(120*time.Millisecond), false)
		h.push(m, beside.towards(out, 0.05), h.took(180*time.Millisecond))
	}
	h.carry(m, out, h.took(250*time.Millisecond), false)
}

// fetch takes a new man from the box beside the board.
func (h *Hands) fetch(p dgt.Piece) *man {
	m := &man{piece: p, rest: point{10, 4}, held: true}
	h.board.men = append(h.board.men, m)
	return m
}

// man finds who will stand on a square.
func (h *Hands) man(s dgt.Square) *man {
	m := h.board.men.on(s)
	if m == nil {
		h.fail(s, "a man")
	}
	return m
}

// spot is where a hand really puts a man that should stand on a square.
func (h *Hands) spot(s dgt.Square) point {
	c := centre(s)
	return point{c.x + 0.08*h.normal(), c.y + 0.08*h.normal()}
}

// reach is how long a hand needs to carry a man to a square.
func (h *Hands) reach(m *man, to dgt.Square) time.Duration {
	p, _ := m.goal()
	d := p.distance(centre(to))
	return h.took(350*time.Millisecond + time.Duration(d*float64(50*time.Millisecond)))
}

// took varies a usual duration as people do.
func (h *Hands) took(usual time.Duration) time.Duration {
	d := float64(usual) * math.Exp(0.25*h.normal())
	if haste := h.board.config.Manner.Haste; haste > 0 {
		d /= haste
	}
	return time.Duration(d)
}

// normal is a normal deviate without its rare extremes, so that a man never
// lands out of its square.
func (h *Hands) normal() float64 { return min(max(h.rng.NormFloat64(), -2.5), 2.5) }

// fail notes that there was nothing to act on.
func (h *Hands) fail(s dgt.Square, expected string) {
	if h.err == nil {
		h.err = fmt.Errorf("expected %s for %s, found none", expected, s)
	}
}
