package check

import (
	"fmt"
	"slices"
	"time"

	"boardd/clock"
)

// sample is what one press tells of a player's clock.
type sample struct {
	gain  time.Duration // added by the press itself
	net   time.Duration // from the start of the turn to after the press
	think time.Duration // by the times the readings came
	whole bool          // the turn was seen from its start
}

// samplesMax is how many presses a judgement rests on.
const samplesMax = 8

// pressed takes a lever that went over while the clock ran.
func (k *Checker) pressed(was, r clock.Reading) {
	by := was.ToMove
	s := &k.sides[by]
	s.presses++
	gain := r.Face(by) - was.Face(by)
	if k.byCount(by, gain) {
		k.newTurn(r)
		return
	}
	if p := k.period(by); p.From <= 1 || s.presses+1 >= p.From {
		s.samples = append(s.samples, sample{gain: gain, net: r.Face(by) - s.begun, think: k.now - k.turn, whole: s.clean && s.presses > 1})
		if len(s.samples) > samplesMax {
			s.samples = slices.Delete(s.samples, 0, 1)
		}
		k.judgeGain(by)
	}
	k.newTurn(r)
}

// byCount takes a press that completed a period by its number of moves.
func (k *Checker) byCount(by clock.Player, gain time.Duration) bool {
	s := &k.sides[by]
	all := k.periods(by)
	if s.period+1 >= len(all) && (len(all) == 0 || all[len(all)-1].Moves == 0) {
		return false
	}
	next := all[min(s.period+1, len(all)-1)]
	if d := gain - next.Base; d < -slack || d > next.Bonus+slack {
		return false
	}
	s.period++
	k.find(clock.About(0, "clock.period", by, fmt.Sprintf("%s has completed the period: %s more, now %s", name(by), face(next.Base), face(k.last.Face(by)))))
	return true
}

// Increment is what the presses of a player have given, most often; ok is false
// before two presses.
func (k *Checker) Increment(p clock.Player) (d time.Duration, ok bool) {
	s := k.sides[p].samples
	if len(s) < 2 {
		return 0, false
	}
	count := map[time.Duration]int{}
	for _, x := range s {
		if count[x.gain]++; count[x.gain] > count[d] || count[x.gain] == count[d] && x.gain > d {
			d = x.gain
		}
	}
	return d, true
}

// Start tells whether the clock was set right when the game began; known is false
// before that, without a control, and in a game taken up in its middle.
func (k *Checker) Start() (right, known bool) {
	return !k.told["clock.mismatch_time_control"] && !k.told["clock.side_swapped"], k.run && !k.late && k.control != nil
}

// judgeGain compares what the presses gave with what the control promises.
func (k *Checker) judgeGain(by clock.Player) {
	if k.control == nil || k.over {
		return
	}
	s := k.sides[by].samples
	p := k.period(by)
	switch p.Kind {
	case clock.None:
		if all(s, 3, func(x sample) bool { return x.gain > time.Second }) {
			k.wrongGain(by, "no increment")
		}
	case clock.Fischer:
		enough := 2
		if p.Bonus <= time.Second {
			enough = 4 // a tick in the second of the press hides it
		}
		if all(s, enough, func(x sample) bool { return x.gain <= 0 }) {
			k.once("clock.no_increment", fmt.Sprintf("expected %d s for each move, the clock gives %s none", p.Bonus/time.Second, name(by)))
			return
		}
		if all(s, 3, func(x sample) bool { return (x.gain-p.Bonus).Abs() > time.Second && x.gain > 0 }) {
			k.wrongGain(by, fmt.Sprintf("%d s for each move", p.Bonus/time.Second))
		}
	case clock.Bronstein, clock.Delay:
		k.judgeDelay(by, p)
	case clock.ByoYomi, clock.Canadian, clock.Hourglass, clock.CountUp:
	}
}

// judgeDelay tells a delay from an increment and from none: with a delay a turn
// costs the thinking time beyond it.
func (k *Checker) judgeDelay(by clock.Player, p clock.Period) {
	s := k.sides[by].samples
	cost := func(x sample) time.Duration { return -max(0, x.think-p.Bonus) }
	off := func(x sample, want time.Duration) bool { return (x.net - want).Abs() > slack }
	if all(s, 3, func(x sample) bool { return x.whole && off(x, cost(x)) && !off(x, -x.think) }) {
		k.once("clock.no_increment", fmt.Sprintf("expected a delay of %d s for each move, the time of %s runs at once", p.Bonus/time.Second, name(by)))
	}
	if all(s, 3, func(x sample) bool { return x.whole && off(x, cost(x)) && x.gain > x.think+slack }) {
		k.wrongGain(by, fmt.Sprintf("a delay of %d s, not an increment", p.Bonus/time.Second))
	}
}

func (k *Checker) wrongGain(by clock.Player, want string) {
	d, _ := k.Increment(by)
	k.once("clock.mismatch_time_control", fmt.Sprintf("expected %s, the clock gives %s %d s for each move", want, name(by), d/time.Second))
}

// all reports whether the last n samples are so; fewer are not enough.
func all(s []sample, n int, so func(sample) bool) bool {
	return len(s) >= n && !slices.ContainsFunc(s[len(s)-n:], func(x sample) bool { return !so(x) })
}
