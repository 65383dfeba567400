package check

import (
	"fmt"
	"time"

	"boardd/clock"
)

// Reading takes what the clock shows.
func (k *Checker) Reading(at time.Duration, r clock.Reading) {
	k.now = max(k.now, at)
	if !r.Connected {
		k.none()
		return
	}
	if k.absent {
		k.absent = false
		k.find(clock.Finding{Code: "clock.none", Detail: "a clock is connected again", Cleared: true})
	}
	k.battery.say(r.BatteryLow, k.now)
	k.counting(k.raw, r)
	k.raw = r
	switch {
	case !k.seen, k.missed:
		k.takeUp(r)
	case k.follows(k.last, k.at, r):
		k.odd = nil
		k.believe(r)
	case k.last.Running && k.now-k.at > silence && k.odd == nil:
		for i := range k.sides {
			k.sides[i].clean = false
		}
		k.takeUp(r)
	case k.odd != nil && k.odd.Running == r.Running && k.follows(*k.odd, k.oddAt, r):
		k.confirm()
		k.believe(r)
	default:
		odd := r
		k.odd, k.oddAt = &odd, k.now
	}
	k.advance(at)
}

func (k *Checker) none() {
	k.odd, k.missed = nil, true
	for i := range k.sides {
		k.sides[i].clean = false
	}
	if !k.absent && !k.over {
		k.absent = true
		k.find(clock.Finding{Code: "clock.none", Detail: "no clock is connected"})
	}
}

// takeUp begins with a reading that follows none.
func (k *Checker) takeUp(r clock.Reading) {
	if !k.seen && r.Running {
		k.late = true
	}
	k.seen, k.missed, k.odd = true, false, nil
	k.last, k.at, k.turn, k.stoodAt = r, k.now, k.now, k.now
	k.paused = nil
	if r.Running {
		k.run = true
	}
}

// follows reports whether b is how a clock goes on that showed a, with nothing but
// ticks, a press, what the press earns, a stop and a start between them.
func (k *Checker) follows(a clock.Reading, since time.Duration, b clock.Reading) bool {
	passed := k.now - since + slack
	for _, p := range clock.Players {
		d := b.Face(p) - a.Face(p)
		counts := a.Running && (a.ToMove == p || a.ToMove != b.ToMove)
		switch {
		case d == 0:
		case d < 0 && counts && -d <= passed:
		case d > 0 && a.Running && a.ToMove == p && b.ToMove != p && d <= k.gainMax(p):
		case !a.Running && !b.Running && !k.run: // being set
		default:
			return false
		}
	}
	return true
}

// gainMax is the most a press may give without being a change by hand.
func (k *Checker) gainMax(p clock.Player) time.Duration {
	if k.control == nil {
		return time.Minute
	}
	most := 30 * time.Second // other than promised it may be, and is judged as that
	for _, period := range k.periods(p) {
		most = max(most, period.Bonus)
	}
	if all := k.periods(p); k.period(p).Moves > 0 { // a press may complete the period
		next := all[min(k.sides[p].period+1, len(all)-1)]
		most = max(most, next.Base+next.Bonus)
	}
	return most + slack
}

// believe goes on to a reading that follows from the last one.
func (k *Checker) believe(r clock.Reading) {
	was := k.last
	k.last, k.at = r, k.now
	if r.Running != was.Running || r.White != was.White || r.Black != was.Black {
		k.stoodAt = k.now
	}
	switch {
	case r.Running && !was.Running:
		k.started(r)
	case !r.Running && was.Running:
		stood := r
		k.paused, k.moves = &stood, 0
	}
	if was.Running && r.ToMove != was.ToMove {
		k.pressed(was, r)
	} else if r.ToMove != was.ToMove {
		k.newTurn(r)
	}
}

// started judges the start of the game, and what an arbiter has done in a pause.
func (k *Checker) started(r clock.Reading) {
	k.right("clock.stopped", "the clock runs again")
	if !k.run {
		k.run = true
		if !k.late {
			k.judgeStart(r)
		}
	} else if p := k.paused; p != nil {
		k.compare(*p, r)
	}
	k.paused = nil
	k.newTurn(r)
}

func (k *Checker) newTurn(r clock.Reading) {
	k.turn = k.now
	k.sides[r.ToMove].begun, k.sides[r.ToMove].clean = r.Face(r.ToMove), true
}

// counting looks whose face counts, from one report to the next.
func (k *Checker) counting(was, r clock.Reading) {
	waits := r.ToMove.Other()
	switch {
	case !r.Running || !was.Running || r.ToMove != was.ToMove || k.over:
		k.wrong = 0
	case r.Face(waits) < was.Face(waits) && r.Face(r.ToMove) == was.Face(r.ToMove):
		k.wrong++
	case r.Face(r.ToMove) < was.Face(r.ToMove):
		k.wrong = 0
	}
	if k.wrong == 3 {
		k.once("clock.side_swapped", fmt.Sprintf("%s is to move by the lever, but the time of %s runs", name(r.ToMove), name(waits)))
	}
}

// confirm believes a reading that did not follow: somebody has changed the clock, or
// a period has begun.
func (k *Checker) confirm() {
	odd := *k.odd
	k.odd = nil
	was := k.last
	k.last, k.at, k.stoodAt = odd, k.oddAt, k.now
	for i := range k.sides {
		k.sides[i].clean = false
	}
	switch {
	case !k.run && !odd.Running:
		return
	case !k.run:
		k.run, k.late = true, true // taken up in its middle
	case k.over:
	case odd.Running && was.Running, odd.Running == was.Running:
		if !k.nextPeriod(was, odd) && odd.Running {
			k.compare(was, odd)
		}
	case odd.Running:
		from := was
		if k.paused != nil {
			from = *k.paused
		}
		k.compare(from, odd)
	}
	if !odd.Running && k.paused == nil {
		stood := was
		stood.Running = false
		k.paused, k.moves = &stood, 0
	}
	if odd.Running {
		k.paused = nil
		k.newTurn(odd)
		k.sides[odd.ToMove].clean = false
	}
}

// compare tells by how much times were changed by hand: beyond what may have been
// counted meanwhile.
func (k *Checker) compare(from, to clock.Reading) {
	for _, p := range clock.Players {
		d := to.Face(p) - from.Face(p)
		counted := p == from.ToMove || p == to.ToMove
		if k.over || d == 0 || counted && d < 0 && -d <= slack {
			continue
		}
		sign := "+"
		if d < 0 {
			sign = "-"
		}
		k.find(clock.About(0, "clock.changed", p, fmt.Sprintf("%s: expected %s, the clock shows %s (%s%s)", name(p), face(from.Face(p)), face(to.Face(p)), sign, face(d.Abs()))))
	}
}

// nextPeriod takes a jump of both faces by the next base for the period that follows
// when the time of one is used up: both clocks get it at once (fact sheet 3.5).
func (k *Checker) nextPeriod(was, r clock.Reading) bool {
	for _, p := range clock.Players {
		base, follows := k.nextBase(p, was, r)
		late := slack + k.now - k.at
		if d := r.Face(p) - was.Face(p) - base; !follows || d > slack || d < -late {
			return false
		}
	}
	for _, p := range clock.Players {
		k.sides[p].period++
	}
	k.find(clock.Finding{Code: "clock.period", Detail: "the next period has begun for both: " + faces(r)})
	k.flag = sign{}
	return true
}

// nextBase is what the period after the present one would give a player. Where nobody
// knows the control, a jump of both by as much when one is at zero tells.
func (k *Checker) nextBase(p clock.Player, was, r clock.Reading) (base time.Duration, follows bool) {
	if k.control == nil {
		const least = time.Minute // less is a penalty, or a mend
		base = max(r.White-was.White, r.Black-was.Black)
		return base, base >= least && min(was.White, was.Black) <= slack
	}
	all, next := k.periods(p), k.sides[p].period+1
	if next >= len(all) {
		return 0, false
	}
	return all[next].Base, true
}

// say notes what a reading says of a state.
func (s *sign) say(on bool, at time.Duration) {
	if on != s.held {
		s.held, s.since = on, at
	}
}

// stands reports whether the state has lasted, and is news.
func (s *sign) stands(at, wait time.Duration) bool {
	if s.held == s.told || at-s.since < wait {
		return false
	}
	s.told = s.held
	return true
}

func (k *Checker) batteries() {
	if k.battery.stands(k.now, stands) {
		k.find(clock.Finding{Code: "clock.battery_low", Detail: "the battery of the clock is low", Cleared: !k.battery.told})
	}
}

// flags tells which flag has fallen first. 0:00 is none while another period follows.
func (k *Checker) flags() {
	if !k.run || k.over {
		return
	}
	down, blocked := clock.White, false
	for _, p := range clock.Players {
		if k.last.Face(p) == 0 && (k.last.Flag(p) || k.last.ToMove == p) {
			down, blocked = p, true
			break
		}
	}
	k.flag.say(blocked, k.now)
	wait := stands
	if k.sides[down].period+1 < len(k.periods(down)) {
		wait = periodWait
	}
	if k.told["clock.flag"] || !k.flag.stands(k.now, wait) || !blocked {
		return
	}
	k.told["clock.flag"] = true
	how := "the clock is blocked"
	if k.last.Running {
		how = "the clock runs on"
	}
	k.find(clock.About(0, "clock.flag", down, fmt.Sprintf("the flag of %s has fallen; %s has %s, %s",
		name(down), name(down.Other()), face(k.last.Face(down.Other())), how)))
}
