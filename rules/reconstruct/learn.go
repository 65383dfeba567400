package reconstruct

import "boardd/rules"

// learn takes note, before square q changes to p, of what the sensors can do.
func (t *Tracker) learn(sn *snapshot, q rules.Square, p rules.Piece) {
	if p != rules.NoPiece {
		t.confirm(q, p)
		t.alive |= q.Bit()
		t.dead &^= q.Bit()
		t.learnWeak(sn, q, p)
	}
}

// dropout is how long a man must have been out of sight for it to be its
// sensor and not a hand that adjusted it.
const dropout ms = 300

// learnWeak takes note that the man on q is back where it was. If nothing else
// stood amiss meanwhile, it had dropped out of sight and may do so again.
func (t *Tracker) learnWeak(sn *snapshot, q rules.Square, p rules.Piece) {
	b := t.best
	if t.phase != playing || sn.sense.at(q) != rules.NoPiece || t.now-sn.since[q] < dropout || b.line.out || b.line.since[q] > sn.since[q] {
		return
	}
	if d := b.sense.diff(&sn.sense); b.sense.at(q) != p || d&sn.sense.occupied() != 0 {
		return
	}
	for _, n := range t.lines {
		if n.sense.at(q) == p && n.line.since[q] < sn.since[q] {
			n.line.weak |= q.Bit()
		}
	}
}

// confirm takes a ply that nobody had read for read: its man now shows where it
// was thought to be. So it is with a castling whose rook stood ready.
func (t *Tracker) confirm(q rules.Square, p rules.Piece) {
	for _, n := range t.lines {
		if n.sense.at(q) != p || n.parent == nil || n.source == anchored {
			continue
		}
		gain := float32(0)
		if n.parent.pos.IsCastling(n.move) {
			if !n.castled {
				gain = t.castleWaited(n, t.current(), q)
				n.castled = gain > 0
			}
		} else if n.source == blind && n.move.To() == q {
			gain = n.prior
			n.source, n.prior = seen, 0
		}
		if gain == 0 {
			continue
		}
		for k := range n.line.base {
			n.line.base[k] -= gain
		}
		n.line.aside -= gain
	}
}

// deadAfter is how long a man must stand unread on a square that has never
// read one for the square to count as dead.
const deadAfter ms = 10000

// learnDead looks for squares that do not read: every likely game has a man
// there, and nothing was ever read.
func (t *Tracker) learnDead() {
	b, sn := t.best, t.current()
	d := b.sense.diff(&sn.sense) & b.sense.occupied() &^ (sn.sense.occupied() | t.alive | t.dead | b.line.weak)
	for ; d != 0; d &= d - 1 {
		q := d.First()
		if t.now-max(sn.since[q], b.line.since[q]) < deadAfter || !t.agreed(q) {
			continue
		}
		t.dead |= q.Bit()
		t.alert("board.square_dead", q.String()+" does not read the man that stands there")
	}
}

// agreed reports whether every likely line has a man on the square.
func (t *Tracker) agreed(q rules.Square) bool {
	for _, n := range t.lines {
		if n.line.total() < t.best.line.total()+certain && n.sense.at(q) == rules.NoPiece {
			return false
		}
	}
	return true
}

// missingAfter is how long a man must be out of sight for people to be told.
const missingAfter ms = 10000

// tellMissing reports men that do not read where they stand, once each time:
// they cost the game nothing, but somebody may set them right.
func (t *Tracker) tellMissing() {
	b, sn := t.best, t.current()
	if b.line.out || sn.clock && !sn.running {
		return
	}
	d := b.sense.diff(&sn.sense) & b.sense.occupied() &^ (sn.sense.occupied() | t.dead)
	t.missing &= d
	for d &^= t.missing; d != 0; d &= d - 1 {
		if q := d.First(); t.now-max(sn.since[q], b.line.since[q]) >= missingAfter && t.agreed(q) {
			t.missing |= q.Bit()
			t.alert("board.missing_piece", "the "+name(b.sense.at(q))+" on "+q.String()+" does not read")
		}
	}
}
