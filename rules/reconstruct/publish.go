package reconstruct

import (
	"time"

	"boardd/rules"
)

// Kind is what an Event tells.
type Kind uint8

// The kinds of events.
const (
	Move    Kind = iota // ply Ply was played: Moves has it
	Replace             // from ply Ply on the record is now Moves
	Retract             // the record ends before ply Ply
	Firm                // ply Ply will not change by itself any more
	Clock               // the mover's clock right after ply Ply, in Clock
	Alert               // Code and Detail, for the arbiter
	Result              // the game is over: Result
)

// Event is a change of what is known of the game.
type Event struct {
	At     time.Duration
	Kind   Kind
	Ply    int // half-moves, the first is 1
	Moves  []rules.Move
	Clock  time.Duration
	Code   string
	Detail string
	Result rules.Result
}

// Take returns the events since the last call.
func (t *Tracker) Take() []Event {
	out := t.out
	t.out = nil
	return out
}

type press struct {
	at   ms
	by   rules.Color
	face time.Duration
	used *node
}

// record is what has been published: the plies up to tip.
type record struct {
	tip     *node
	presses []press
}

func (r *record) press(p press) { r.presses = append(r.presses, p) }

const (
	restShort ms = 450
	restLong  ms = 1100
	certain      = 3.0
)

// publish brings the record to the best line as far as it is sure.
func (t *Tracker) publish() {
	b := t.best
	tip := t.record.tip
	if !b.descends(tip) {
		// the record must go back to where the best line left it
		if t.cheapestWithin(tip)-b.line.total() < certain {
			return
		}
		a := tip
		for !b.descends(a) {
			a = a.parent
		}
		t.retract(a)
	}
	for t.record.tip != b {
		n := b
		for n.parent != t.record.tip {
			n = n.parent
		}
		if !t.sure(n) {
			return
		}
		t.record.tip = n
		t.emit(Event{Kind: Move, Ply: n.ply, Moves: []rules.Move{n.move}})
	}
}

// Finish publishes the best line as it stands: the session is over.
func (t *Tracker) Finish(at time.Duration) {
	t.pass(at)
	t.look()
	b := t.best
	if !b.descends(t.record.tip) {
		a := t.record.tip
		for !b.descends(a) {
			a = a.parent
		}
		t.retract(a)
	}
	for t.record.tip != b {
		n := b
		for n.parent != t.record.tip {
			n = n.parent
		}
		t.record.tip = n
		t.emit(Event{Kind: Move, Ply: n.ply, Moves: []rules.Move{n.move}})
	}
}

func (t *Tracker) retract(a *node) {
	t.emit(Event{Kind: Retract, Ply: a.ply + 1})
	t.record.tip = a
}

func (t *Tracker) emit(e Event) {
	e.At = time.Duration(t.now) * time.Millisecond
	t.out = append(t.out, e)
}

// cheapestWithin is the cost of the best line that agrees with the game up to a.
func (t *Tracker) cheapestWithin(a *node) float32 {
	c := inf
	for _, n := range t.lines {
		if n.descends(a) {
			c = min(c, n.line.total())
		}
	}
	return c
}

// sure reports whether ply n of the best line may be published.
func (t *Tracker) sure(n *node) bool {
	b := t.best
	// what speaks for any other game
	other := inf
	for _, m := range t.lines {
		if !m.descends(n) {
			other = min(other, m.line.total())
		}
	}
	margin := other - b.line.total()
	if b != n {
		return margin >= certain
	}
	sn := t.current()
	if n.sense.diff(&sn.sense)&^(n.line.weak|t.dead) != 0 || n.line.out {
		return false
	}
	us := n.parent.pos.Turn()
	if t.lastPress[us] >= n.line.entry-300 {
		return margin >= certain/2
	}
	rest := t.now - n.line.entry
	if t.mayGoOn(n) {
		return rest >= restLong && margin >= certain/2
	}
	return rest >= restShort && margin >= certain/2
}

// mayGoOn reports whether the man of ply n could still be under way: a slide
// that rests on a square where it is legal to stay.
func (t *Tracker) mayGoOn(n *node) bool {
	p := n.parent
	p.pos.LegalMoves(&t.moves)
	from, to := n.move.From(), n.move.To()
	for i := range t.moves.Len() {
		m := t.moves.At(i)
		if m.From() == from && m.To() != to && rules.Between(from, m.To()).Has(to) {
			return true
		}
	}
	return false
}
