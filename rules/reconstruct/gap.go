package reconstruct

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"boardd/rules"
)

// gap is a time in which nobody saw the board.
type gap struct {
	lost, back ms
	before     Reading // the clock when it began
	had        bool    // ... is known
	dumped     bool    // the board has been read since; snapshot is its number
	snapshot   int
	ticked     bool // the clock has been read since
	after      Reading
	tries      int  // searches at rest
	told       bool // that nothing was found
}

const (
	gapBudget      = 400000 // positions searched for the plies of a gap
	gapDeep        = 150000 // ... from one line at one depth
	gapPatience ms = 1200   // how long to wait for the clock before searching without it
	gapHold     ms = 5000   // how long an open order of plies is kept back
)

// Lost notes that the line to the board is down: from now on nothing is seen.
func (t *Tracker) Lost(at time.Duration) {
	t.pass(at)
	t.stopWaiting()
	if t.gap != nil && t.gap.back == 0 {
		return
	}
	t.alert("board.lost", "the board does not answer")
	if t.phase == playing {
		t.settle()
	}
	if t.phase == playing {
		t.remember()
	}
	t.gap = &gap{lost: t.now, before: t.clock, had: t.hasClock}
}

// Back notes that the board answers again; its dump tells what stands there now.
func (t *Tracker) Back(at time.Duration) {
	t.pass(at)
	if t.gap == nil || t.gap.back != 0 {
		return
	}
	t.gap.back = t.now
	t.alert("board.back", fmt.Sprintf("the board answers again after %.0f s", float64(t.now-t.gap.lost)/1000))
}

// fillGap finds the plies of an outage, once board and clock have been read again.
func (t *Tracker) fillGap() {
	g := t.gap
	if !g.dumped || !g.ticked && t.now < g.back+gapPatience {
		return
	}
	t.gap = nil
	if t.last-g.snapshot >= windowLen-1 {
		return
	}
	if !t.fill(g) {
		t.unfilled = g // a man was in the air, perhaps: try again when the board is at rest
		t.grown = -1
	}
}

const (
	retryRest   ms = 1500  // the board has to rest so long for another search
	toldRest    ms = 5000  // ... and so long before people are told that nothing was found
	retryWithin ms = 60000 // after which the gap is left alone
	retries        = 4     // searches at rest at most
)

// retryGap looks again for the plies of a gap that nothing explained, once the board is at rest.
func (t *Tracker) retryGap() {
	g, sn := t.unfilled, t.current()
	switch {
	case g == nil:
	case !t.unexplained(), t.now > g.back+retryWithin, g.tries >= retries:
		t.unfilled = nil
	case t.now-sn.start >= toldRest && !g.told && g.snapshot == t.last:
		g.told = true
		t.alert("record.gap", fmt.Sprintf("what was played in %.0f s was not observed, and no few half-moves lead to what the board shows", float64(g.back-g.lost)/1000))
	case t.now-sn.start >= retryRest && g.snapshot != t.last:
		g.tries++
		g.snapshot = t.last
		if t.fill(g) {
			t.unfilled = nil
		}
	}
}

// fill makes lines of the plies that lead from the likely games at the loss to
// the board of the gap's snapshot. It reports whether there are any.
func (t *Tracker) fill(g *gap) bool {
	sn := &t.window[g.snapshot%windowLen]
	lines := slices.Clone(t.lines)
	slices.SortStableFunc(lines, func(a, b *node) int {
		return cmp.Compare(a.line.base[g.snapshot%windowLen], b.line.base[g.snapshot%windowLen])
	})
	wild := t.dead
	best := lines[0]
	bestBase := best.line.base[g.snapshot%windowLen]
	plies, exact := t.pliesMissed(g)
	budget := gapBudget
	type fill struct {
		from *node
		solution
		cost float32
	}
	var fills []fill
	for i, n := range lines {
		base := n.line.base[g.snapshot%windowLen]
		if i >= 4 || base > bestBase+6 || n.source == anchored && i > 0 {
			break
		}
		if n.sense.diff(&sn.sense)&^(wild|n.line.weak) == 0 && plies <= 1 {
			continue // nothing need have happened
		}
		for _, d := range depths(plies, exact && g.tries == 0) {
			parity := float32(0)
			turn := n.pos.Turn()
			if d%2 == 1 {
				turn = turn.Other()
			}
			if g.ticked && g.after.Connected && g.after.Running && turn != g.after.ToMove {
				parity = leverCost
			}
			miss := float32(0)
			if exact {
				miss = 1.5 * float32(max(d-plies, plies-d))
			}
			f := newFinder(&sn.sense, wild|n.line.weak&^sn.sense.occupied(), min(budget, gapDeep))
			found := f.find(&n.pos, d)
			budget -= min(budget, gapDeep) - f.budget
			for _, s := range found {
				fills = append(fills, fill{n, s, base + parity + miss + float32(d)*plyCost + float32(math.Log(float64(len(found))))})
			}
			if len(found) > 0 && parity == 0 && miss == 0 && i == 0 {
				break
			}
		}
	}
	if len(fills) == 0 {
		return false
	}
	slices.SortStableFunc(fills, func(a, b fill) int { return cmp.Compare(a.cost, b.cost) })
	limit := fills[0].cost + beam/2
	for i, f := range fills {
		if i >= maxLines/2 || f.cost > limit {
			break
		}
		n := f.from
		for _, m := range f.moves {
			n = n.child(m, repaired)
			n.entered, n.orders = g.back, f.orders
		}
		t.plant(n, g.snapshot, f.cost, f.from.line.weak)
	}
	if first := fills[0]; first.orders > 1 || len(fills) > 1 && fills[1].cost < first.cost+1 {
		t.alert("record.gap", fmt.Sprintf("%d half-moves were not observed, in an order that is not known; the likeliest is held until play goes on", len(first.moves)))
		t.heldUntil = t.now + gapHold
	}
	t.grown = -1
	if t.last == g.snapshot {
		t.grown = t.last // what the dump shows is explained
	}
	return true
}

// pliesMissed tells from the clocks how many plies a gap holds: what both
// clocks have gained over the time that passed is increments. exact is false
// when they cannot tell.
func (t *Tracker) pliesMissed(g *gap) (plies int, exact bool) {
	inc := t.increment()
	if inc < 2000 || !g.had || !g.ticked || !g.before.Running || !g.after.Running || !g.before.Connected || !g.after.Connected {
		return 1, false
	}
	gained := (g.after.White + g.after.Black - g.before.White - g.before.Black).Milliseconds() + t.now - g.lost
	if gained < 0 {
		return 1, false
	}
	k := int((gained + inc/2) / inc)
	return k, k <= maxSearch
}

// depths is the numbers of plies to try, likeliest first.
func depths(plies int, exact bool) []int {
	if !exact {
		return []int{1, 2, 3, 4, 5, 6}
	}
	var d []int
	for _, k := range []int{plies, plies + 1, plies - 1} {
		if k >= 1 && k <= maxSearch {
			d = append(d, k)
		}
	}
	return d
}

// increment is the time most presses have added so far, in ms; 0 when unknown.
func (t *Tracker) increment() ms {
	best := 0
	for i, n := range t.gains {
		if n > t.gains[best] {
			best = i
		}
	}
	if t.gains[best] < 3 {
		return 0
	}
	return ms(best) * 1000
}

// learnIncrement notes by how much a face rose with a press.
func (t *Tracker) learnIncrement(before, after time.Duration) {
	if s := int((after - before + time.Second/2) / time.Second); s >= 0 && s < len(t.gains) {
		t.gains[s]++
	}
}

// plant makes n a line that entered snapshot k at that cost.
func (t *Tracker) plant(n *node, k int, cost float32, weak rules.Bitboard) {
	if n.line != nil && n.line.total() <= cost {
		return
	}
	l := &line{first: k, weak: weak & n.sense.occupied(), fresh: true}
	at := t.window[k%windowLen].start
	l.entry = at
	for i := range l.since {
		l.since[i] = at
	}
	c := cost
	for ; k <= t.last; k++ {
		sn := &t.window[k%windowLen]
		if k > l.first {
			c += pressStep(n, sn)
		}
		l.base[k%windowLen] = c
		end := sn.end
		if k == t.last {
			end = t.now
		}
		c += t.strain(&n.sense, l, 0, t.now, sn, end)
	}
	l.cost, l.aside = c, c+asideCost
	n.line = l
	t.insert(n)
}
