package reconstruct

import (
	"math"

	"boardd/rules"
)

// The weights of the evidence, in nats: a line that costs 3 more than another
// is twenty times less likely. Each says what it stands for.
const (
	missingWeight = 1.0  // a man expected is not read: a hand holds it, or a sensor lost it
	ghostWeight   = 1.5  // a man is read where none is expected
	wrongWeight   = 2.0  // another man is read than expected
	weakFactor    = 0.35 // for a man that dropped out of sight before
	deadFactor    = 0.08 // for a square that never reads a man

	plyCost           = 1.0  // a ply at all
	leverCost         = 2.0  // it is made although the clock still runs for the opponent
	stoppedCost       = 3.0  // it is made while the clock stands
	noMoveCost        = 2.0  // a press by the side that is still to move
	latePressCost     = 0.5  // ... that makes up for a press forgotten before the reply
	blindCost         = 1.5  // a ply nobody read, besides ln(number of targets)
	blindAlive        = 0.13 // how likely a man goes unread on a square whose sensor is known to work, against one that has not shown yet
	blindDead         = 20.0 // ... and on one that is known to read nothing
	takebackCost      = 6.0  // the last ply is taken back
	backtrackCost     = 5.0  // ... and each ply before it
	orderCost         = 4.0  // it came to rest before the ply it answers
	orderSlack     ms = 300  // ... by more than this: within one scan nobody can tell
	anchorCost        = 7.0  // play goes on from a placement no legal move explains
	asideCost         = 6.0  // men are handled outside play
	asideStopped      = 2.5  // ... while the clock stands
	asideOver         = 0.5  // ... after mate or stalemate
	asideChange       = 1.0  // each square that changes meanwhile
	asideCalm         = 0.5  // ... while the clock stands
	asideUnclocked    = 1.8  // ... where no clock tells play from handling
	asideOverStep     = 0.3  // ... after mate or stalemate
	asidePress        = 3.0  // a press meanwhile
	asideReturn       = 0.3  // play goes on where it was
	growMargin        = 12   // lines this far behind the best are still grown
	beam              = 16   // lines further behind are dropped
	maxLines          = 32   // lines kept at most
	mergeAge       ms = 2500 // two orders of the same plies are merged only when they have stood this long
)

var inf = float32(math.Inf(1))

// strain is what it costs a line that the snapshot, from its start to end,
// disagrees with it. A disagreement is charged by how long it has lasted: since
// the sensor changed, or since the line changed what it expects there. The
// squares in touched count as changed by the line at entry, all others by then.
func (t *Tracker) strain(exp *sensed, l *line, touched rules.Bitboard, entry ms, sn *snapshot, end ms) (cost float32) {
	d := exp.diff(&sn.sense)
	if d == 0 {
		return 0
	}
	read, want := sn.sense.occupied(), exp.occupied()
	for ; d != 0; d &= d - 1 {
		q := d.First()
		since := min(l.since[q], entry)
		if touched.Has(q) {
			since = entry
		}
		since = max(since, sn.since[q])
		w := float32(wrongWeight)
		switch {
		case !read.Has(q):
			switch w = missingWeight; {
			case (t.dead | l.dead&^t.alive).Has(q):
				w = deadFactor
			case l.weak.Has(q):
				w = weakFactor
			}
		case !want.Has(q):
			w = ghostWeight
		}
		cost += w * (lnDwell(end-since) - lnDwell(sn.start-since))
	}
	return cost
}

// plyStep is what a ply of that colour costs when it is entered as the snapshot begins.
func plyStep(us rules.Color, sn *snapshot) float32 {
	switch {
	case !sn.clock:
		return plyCost
	case !sn.running:
		return plyCost + stoppedCost
	case sn.toMove != us && sn.toMove != nobody:
		return plyCost + leverCost
	}
	return plyCost
}

// pressStep is what the press that begins the snapshot costs the game n: a
// press by the side that is to move fits no ply, unless that side's last ply was
// answered before it was pressed and the press is made up for now.
func pressStep(n *node, sn *snapshot) float32 {
	us := n.pos.Turn()
	switch {
	case sn.press == nobody || sn.press != us:
		return 0
	case n.parent != nil && n.parent.parent != nil && n.source != anchored && sn.pressed[us] < n.parent.at():
		return latePressCost
	}
	return noMoveCost
}

// over reports whether the rules have ended the game in this node, as far as
// has been published: a mate that only an unlikely line sees ends nothing.
func (t *Tracker) over(n *node) bool { return n.ended && n == t.record.tip }

// asideStep is what "handled outside play" costs for the change that begins the snapshot.
func (t *Tracker) asideStep(n *node, sn *snapshot) (cost float32) {
	per := float32(asideChange)
	switch {
	case t.over(n):
		per = asideOverStep
	case sn.clock && !sn.running:
		per = asideCalm
	case !sn.clock:
		per = asideUnclocked
	}
	cost = per * float32(sn.changes)
	if sn.press != nobody && sn.running {
		cost += asidePress
	}
	return cost
}

func (t *Tracker) asideEntry(n *node, sn *snapshot) float32 {
	switch {
	case t.over(n):
		return asideOver
	case sn.clock && !sn.running:
		return asideStopped
	}
	return asideCost
}
