package reconstruct

import (
	"fmt"
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
	NewGame             // a game begins from Start
	Segment             // after ply Ply no legal move leads on: the record continues from Start
)

// Event is a change of what is known of the game.
type Event struct {
	At           time.Duration
	Kind         Kind
	Ply          int // half-moves, the first is 1
	Moves        []rules.Move
	Clock        time.Duration
	Code         string
	Detail       string
	Result       rules.Result
	Start        *rules.Position
	OrderUnknown bool // of a Move: it was not seen, and its place among its neighbours is not known
	Segment      bool // of a Retract: the record ends within a segment begun after ply Ply-1
}

// Take returns the events since the last call.
func (t *Tracker) Take() []Event {
	out := t.out
	t.out = nil
	return out
}

// record is what has been published: the plies up to tip.
type record struct {
	tip  *node
	firm int       // plies that are firm
	last [2]*press // each side's last press
}

// press is a press of the clock: when, and what the presser's side showed then.
type press struct {
	at    ms
	face  time.Duration
	owner *node // the ply it belongs to
	known bool  // the face was shown: false for a press that fell between two reports
}

// early is how long before its ply a press may come: a man still landing, or read late.
const early ms = 1500

// pressed notes a press and gives it to the ply it belongs to: the presser's
// latest one that has none yet.
func (t *Tracker) pressed(by rules.Color, face time.Duration, known bool) {
	t.lastPress[by] = t.now
	t.record.last[by] = &press{at: t.now, face: face, known: known}
	t.assign()
	t.pending[by] = t.now
}

// assign gives each side's last press to the side's last ply in the best line.
// When another line becomes the best, the press goes with the moment, not with
// the ply that was wrong.
func (t *Tracker) assign() {
	for by, p := range t.record.last {
		if p == nil || t.best == nil || p.owner != nil && t.best.descends(p.owner) {
			continue
		}
		n := t.best
		if n.parent != nil && n.parent.pos.Turn() != rules.Color(by) {
			n = n.parent
		}
		if n.parent == nil || n.source == anchored || n.press != nil || n.at() > p.at+early {
			continue
		}
		if p.owner != nil {
			p.owner.press = nil
		}
		n.press, p.owner = p, n
	}
}

// When a ply may be published, and changed again.
const (
	restShort ms = 440  // at rest, where the ply looks meant (plausible.go)
	restLong  ms = 2500 // ... and where it does not: until then a press decides
	certain      = 3.0  // nats by which the best line must lead what contradicts it
	likely       = 0.7  // ... when the board is at rest and shows just that
)

// publish brings the record to the best line as far as it is sure.
func (t *Tracker) publish() {
	t.assign()
	b := t.best
	if tip := t.record.tip; !b.descends(tip) {
		need := float32(certain)
		if t.pressedOn(b) {
			need = certain / 2
		}
		if t.cheapestWithin(tip)-b.line.total() < need {
			return
		}
		t.retract(b)
	}
	for t.record.tip != b {
		n := t.next(b)
		if !t.sure(n) {
			break
		}
		t.add(n)
	}
	t.follow()
}

// pressedOn reports whether the board shows just what the line has, and its
// last ply has been pressed.
func (t *Tracker) pressedOn(n *node) bool {
	return n.parent != nil && n.press != nil && n.sense == t.current().sense
}

// next is the ply after the record on the way to b.
func (t *Tracker) next(b *node) *node {
	for b.parent != t.record.tip {
		b = b.parent
	}
	return b
}

// publishTo makes the record the game up to b.
func (t *Tracker) publishTo(b *node) {
	if !b.descends(t.record.tip) {
		t.retract(b)
	}
	for t.record.tip != b {
		t.add(t.next(b))
	}
	t.follow()
}

// publishAll publishes the best line as it stands, but for a gap that is still open.
func (t *Tracker) publishAll() {
	b := t.best
	for n := b; n.parent != nil && n != t.record.tip; n = n.parent {
		if t.held(n) || t.opening(n) {
			b = n.parent
		}
	}
	t.publishTo(b)
}

// segmentPlies is how long play must have gone on from a placement that no
// legal move leads to before the record goes on with it.
const segmentPlies = 3

// opening reports whether n begins a segment in which little has been played:
// the illegal move may still be put right.
func (t *Tracker) opening(n *node) bool {
	return n.source == anchored && t.best.depth-n.depth < segmentPlies
}

// held reports whether ply n was filled into a gap in an order that is not
// known, and nothing has been played since: the operator is asked first.
func (t *Tracker) held(n *node) bool {
	return n.source == repaired && n.orders > 1 && t.now < t.heldUntil && t.best.source == repaired
}

// Finish publishes what is likeliest now: the session is over.
func (t *Tracker) Finish(at time.Duration) {
	t.pass(at)
	t.stopWaiting()
	if t.phase == playing {
		t.look()
		t.publishAll()
	}
}

func (t *Tracker) add(n *node) {
	if t.fresh {
		t.fresh = false
		t.emit(Event{Kind: NewGame, Start: &t.root.pos})
	}
	t.record.tip = n
	n.told, n.landed = false, t.now
	if n.source == anchored {
		t.emit(Event{Kind: Segment, Ply: n.ply, Start: &n.pos})
		return
	}
	t.emit(Event{Kind: Move, Ply: n.ply, Moves: []rules.Move{n.move}, OrderUnknown: n.source == repaired && n.orders > 1})
}

// retract takes the record back to where it meets the game up to b.
func (t *Tracker) retract(b *node) {
	a := t.record.tip
	for !b.descends(a) {
		if a.press != nil {
			a.press.owner, a.press = nil, nil
		}
		a = a.parent
	}
	t.gone = t.record.tip
	t.emit(Event{Kind: Retract, Ply: a.ply + 1, Segment: a.source == anchored})
	if t.record.firm > a.ply {
		code := "move.corrected"
		if t.stoodAt(a) {
			code = "move.takeback"
			t.tookBack = t.now
		}
		t.alert(code, fmt.Sprintf("the record after half-move %d is withdrawn", a.ply))
	}
	t.record.tip = a
	t.record.firm = min(t.record.firm, a.ply)
}

// follow tells of published plies what came later: their clocks, and that they are firm.
func (t *Tracker) follow() {
	t.assign()
	firm := t.record.firm
	// Clocks may come late, but hardly six plies late; after a log many plies come at once.
	for n, k := t.record.tip, 0; n.parent != nil && (k < 6 || n.ply > t.record.firm); n, k = n.parent, k+1 {
		if n.press != nil && n.press.known && !n.told {
			n.told = true
			t.emit(Event{Kind: Clock, Ply: n.ply, Clock: n.press.face})
		}
		if k > 0 || n.press != nil {
			firm = max(firm, n.ply)
		}
	}
	if firm > t.record.firm {
		t.record.firm = firm
		t.emit(Event{Kind: Firm, Ply: firm})
	}
}

// stoodAt reports whether the board went back to the position of a after the
// ply that followed it in the record: that ply was taken back, not misread.
func (t *Tracker) stoodAt(a *node) bool {
	since := ms(0)
	for c := t.gone; c != nil && c != a; c = c.parent {
		since = c.landed
	}
	for k := t.last; k > 0 && k > t.last-windowLen && t.window[k%windowLen].start > since; k-- {
		if a.sense.diff(&t.window[k%windowLen].sense)&^t.dead == 0 {
			return true
		}
	}
	return false
}

func (t *Tracker) emit(e Event) {
	e.At = time.Duration(t.latest) * time.Millisecond
	t.out = append(t.out, e)
}

func (t *Tracker) alert(code, detail string) {
	t.emit(Event{Kind: Alert, Ply: t.record.tip.ply, Code: code, Detail: detail})
}

// cheapestWithin is the cost of the best line that agrees with the game up to a.
func (t *Tracker) cheapestWithin(a *node) float32 {
	c := inf
	for _, n := range t.lines {
		if n.descends(a) && !t.twin(n) {
			c = min(c, n.line.total())
		}
	}
	return c
}

// twin reports whether n is another way to the position of the best line, and
// has been for some time: nothing that follows can tell the two apart.
func (t *Tracker) twin(n *node) bool {
	a, b := n.back(2), t.best.back(2)
	return n != t.best && a != nil && b != nil && n.pos.Key() == t.best.pos.Key() && a.pos.Key() == b.pos.Key() && t.now-b.at() > twinAge
}

// sure reports whether ply n of the best line may be published.
func (t *Tracker) sure(n *node) bool {
	b := t.best
	if t.held(n) || t.opening(n) {
		return false
	}
	if b != n {
		return t.lead(n) >= certain
	}
	sn := t.current()
	if t.amissSince(n, n.line.entry) != 0 || n.line.out {
		return false
	}
	us := n.parent.pos.Turn()
	if t.lastPress[us] >= n.line.entry-300 {
		return t.lead(n) >= certain/2
	}
	// Nobody has pressed: only rest speaks for the ply.
	rest := t.now - sn.start
	switch {
	case rest < restShort:
		return false
	case rest >= restLong:
		return t.lead(n) >= certain/2
	}
	return t.lead(n) >= likely && t.meant(n)
}

// amissSince is the squares on which n and the board have come to disagree
// since that time: a queen laid on the board, or a man long out of sight, says
// nothing against the plies that are played beside it.
func (t *Tracker) amissSince(n *node, at ms) (amiss rules.Bitboard) {
	sn := t.current()
	for d := n.sense.diff(&sn.sense) &^ (n.line.weak | t.dead); d != 0; d &= d - 1 {
		if q := d.First(); max(sn.since[q], n.line.since[q]) >= at {
			amiss |= q.Bit()
		}
	}
	return amiss
}

// lead is by how much the best line leads every game without ply n.
func (t *Tracker) lead(n *node) float32 {
	b, other := t.best, inf
	settled := t.now-n.at() > twinAge
	for _, m := range t.lines {
		if m.line.total() >= other || m.descends(n) || settled && m != b && m.pos.Key() == b.pos.Key() {
			continue
		}
		other = m.line.total()
	}
	return other - b.line.total()
}

// twinAge is how old a ply must be to be published although another way to the
// very same position is as likely: nothing that follows can tell them apart.
const twinAge ms = 5000

// mayGoOn reports whether the man of ply n could still be under way: a slide
// that rests on a square where it is legal to stay, the rook's half of a
// castling, or a king, whose step may be a castling's or a result sign's.
func (t *Tracker) mayGoOn(n *node) bool {
	p := n.parent
	from, to := n.move.From(), n.move.To()
	if p.pos.PieceAt(from).Role() == rules.King && (centre.Has(to) || p.pos.CastlingRooks() != 0) && !p.pos.IsCastling(n.move) {
		return true
	}
	rook := p.pos.CastlingRooks().Has(from) && !p.pos.IsCastling(n.move)
	p.pos.LegalMoves(&t.moves)
	for i := range t.moves.Len() {
		m := t.moves.At(i)
		if m.From() == from && m.To() != to && rules.Between(from, m.To()).Has(to) {
			return true
		}
		if rook && m.To() == from && p.pos.IsCastling(m) {
			return true
		}
	}
	return false
}
