package check

import (
	"time"

	"boardd/clock"
)

const (
	// usual is within what a running clock sends its next reading: one a displayed
	// second, and the way.
	usual = 1700 * time.Millisecond
	// unheard is the most presses of a side that may go unheard between two readings.
	unheard = 5
	// mostGain is the most that a press is taken to give where nobody said.
	mostGain = time.Minute
)

// step is how a reading follows from the one before.
type step struct {
	presses [2]int
	base    [2]time.Duration // of a period that begins
	wrong   bool             // the face counted that is not to move
}

// span is what a press may give.
type span struct{ low, high time.Duration }

// follows says how b goes on from a with nothing but ticks, presses with what they
// give, periods, a stop and a start; ok is false where a hand must have done more.
// If a reading between the two is held to be odd, skipped is that one.
func (k *Checker) follows(a, b shown, skipped *shown, gives func(clock.Player) []span) (s step, ok bool) {
	rise := [2]time.Duration{b.White - a.White, b.Black - a.Black}
	switch {
	case k.loose:
		if a.Running && a.ToMove != b.ToMove {
			s.presses[a.ToMove] = 1
		}
		return s, true
	case !a.Running && !b.Running:
		return s, !k.run || rise == [2]time.Duration{} // before the game it is being set
	}
	var ran time.Duration // how long it may have run from a to b
	canPress := a.Running
	if a.Running {
		ran = b.at - a.at
	} else if skipped != nil && skipped.Running {
		ran, canPress = b.at-skipped.at, true
	}
	pairs := 0
	if ran > usual {
		pairs = min(unheard, int(ran/time.Second))
	} else if canPress && skipped != nil {
		pairs = 1 // a press there and one back
	}
	for n := 0; n <= pairs; n++ {
		if canPress {
			s.presses = [2]int{n, n}
			if a.ToMove != b.ToMove {
				s.presses[a.ToMove]++
			}
		}
		for _, s.base = range k.bases(a, rise, s.presses, ran+slack) {
			if s.wrong, ok = fits(a, b, rise, s, ran+slack, gives); ok {
				return s, true
			}
		}
	}
	return step{}, false
}

// fits reports whether a step explains how both faces rose, and whether only by a
// face that counted when it was not to.
func fits(a, b shown, rise [2]time.Duration, s step, most time.Duration, gives func(clock.Player) []span) (wrong, ok bool) {
	var used time.Duration
	for _, p := range clock.Players {
		least, ok := leastUsed(rise[p]-s.base[p], s.presses[p], gives(p))
		if !ok {
			return false, false
		}
		used += least
		if least > 0 && p != a.ToMove && a.ToMove == b.ToMove && s.presses == [2]int{} {
			wrong = true
		}
	}
	return wrong, used <= most && !(wrong && rise[a.ToMove] != s.base[a.ToMove])
}

// leastUsed is the least time that a side can have used if its face rose by so much.
func leastUsed(rise time.Duration, presses int, gives []span) (least time.Duration, ok bool) {
	if presses == 0 {
		return -rise, rise <= 0
	}
	n := time.Duration(presses)
	for _, g := range gives {
		if n*g.high < rise {
			continue
		}
		if l := max(0, n*g.low-rise); !ok || l < least {
			least, ok = l, true
		}
	}
	return least, ok
}

// gives is what a press of a player may give: what is promised, and what this clock
// has given before.
func (k *Checker) gives(p clock.Player) []span {
	var list []span
	for _, e := range k.extras(p) {
		low := e.Bonus
		if e.Kind == clock.Bronstein || e.Kind == clock.Delay {
			low = 0
		}
		list = append(list, span{low, e.Bonus})
	}
	for _, s := range k.sides[p].samples {
		list = append(list, span{s.gain, s.gain})
	}
	if k.control == nil {
		list = append(list, span{0, mostGain})
	}
	return list
}

// anything is what a press may give on a clock that is set wrong.
func anything(clock.Player) []span { return []span{{0, mostGain}} }

// onePress explains b by one press that gave what nobody promised.
func onePress(a, b shown) (s step, ok bool) {
	p := a.ToMove
	most := b.at - a.at + slack
	gain, other := b.Face(p)-a.Face(p), a.Face(p.Other())-b.Face(p.Other())
	s.presses[p] = 1
	return s, a.Running && b.ToMove != p && gain >= -most && gain <= mostGain && other >= 0 && other <= most
}

// extra is what a player gets beyond the base of his period for a move.
type extra struct {
	Kind  clock.Kind
	Bonus time.Duration
}

// extras are what the control promises a player for the move he makes; more than one
// where it is not sure which move that is.
func (k *Checker) extras(p clock.Player) []extra {
	all := k.periods(p)
	if len(all) == 0 {
		return nil
	}
	s := &k.sides[p]
	last := s.period
	if k.movesMade(p, 1) {
		last++ // a period without a base of its own begins unseen
	}
	var list []extra
	add := func(e extra) {
		if e.Kind == clock.None {
			e.Bonus = 0
		}
		for _, x := range list {
			if x == e {
				return
			}
		}
		list = append(list, e)
	}
	for i := s.period; i <= last; i++ {
		period := all[min(i, len(all)-1)]
		// The press of move From-1 already gives the time for move From, or that
		// of From does: clocks differ. A press too many moves it too.
		const doubt = 3
		early := s.presses+1 < period.From+doubt || k.unsure
		late := s.presses+1 > period.From-doubt || k.unsure
		if period.From > 1 && early {
			add(extra{})
		}
		if period.From <= 1 || late {
			add(extra{period.Kind, period.Bonus})
		}
	}
	return list
}
