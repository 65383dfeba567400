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
	used  time.Duration // counted down in the turn before the press
	think time.Duration // the turn by the times the readings came
	whole bool          // the turn was seen from its start, and was not the first
	bad   bool          // not what the control promises
}

// stood is how long the face stood still while its player thought.
func (s sample) stood() time.Duration { return s.think - s.used }

const (
	// samplesMax is how many presses a judgement rests on.
	samplesMax = 8
	// enoughBad of them make sure: one press may hide a tick, or be misread.
	enoughBad = 3
	// enoughGood in a row take a fault back.
	enoughGood = 4
	// enoughNear are needed where what is given is a second off: a tick in the second
	// of a press looks the same.
	enoughNear = 6
)

// pressed takes a lever that went over while the clock ran.
func (k *Checker) pressed(by clock.Player, was, r shown) {
	s := &k.sides[by]
	x := sample{gain: r.Face(by) - was.Face(by), used: s.begun - was.Face(by), think: r.at - k.turn, whole: s.clean && s.presses > 1}
	s.presses-- // the move it ends is the one the promise is for
	promised := k.extras(by)
	s.presses++
	firm := len(promised) == 1
	if firm {
		x.bad = x.against(promised[0])
	}
	s.samples = append(s.samples, x)
	if len(s.samples) > samplesMax {
		s.samples = slices.Delete(s.samples, 0, 1)
	}
	if firm && !k.over {
		k.judgeGain(by, promised[0])
	}
}

// against reports whether a press is not what was promised.
func (s sample) against(e extra) bool {
	switch e.Kind {
	case clock.None:
		return s.gain > time.Second || s.whole && s.stood() > slack+time.Second
	case clock.Fischer:
		return (s.gain - e.Bonus).Abs() > time.Second
	case clock.Bronstein, clock.Delay:
		// Both cost the thinking time beyond the bonus, and never give more than
		// was used: they are as good as each other.
		free := s.gain + s.stood()
		return s.gain > max(s.used, 0)+time.Second || s.whole && (free-min(s.think, e.Bonus)).Abs() > slack
	case clock.ByoYomi, clock.Canadian, clock.Hourglass, clock.CountUp:
	}
	return false
}

// judgeGain compares what the presses of a player gave with what is promised for each.
func (k *Checker) judgeGain(by clock.Player, e extra) {
	list := k.sides[by].samples
	var bad []sample
	for _, s := range list {
		if s.bad {
			bad = append(bad, s)
		}
	}
	seen, near := k.measured(by), k.near(list, e)
	nothing := func(s sample) bool { return s.gain <= 0 && s.stood() <= slack }
	switch {
	case e.Kind != clock.None && (all(bad, enoughBad, nothing) || near && seen.Kind == clock.None):
		k.once(noIncrement, fmt.Sprintf("expected %s, the clock gives %s none", e, name(by)))
	case e.Kind == clock.Fischer && e.Bonus > time.Second && all(list, 2, func(s sample) bool { return nothing(s) && s.bad }):
		k.once(noIncrement, fmt.Sprintf("expected %s, the clock gives %s none", e, name(by)))
	case len(bad) >= enoughBad && bad[len(bad)-1] == list[len(list)-1], near:
		k.gain = k.once(mismatch, fmt.Sprintf("expected %s, the clock gives %s %s", e, name(by), seen)) || k.gain
	case all(list, enoughGood, func(s sample) bool { return !s.bad }) && !near:
		k.goodGain(by)
	}
}

// goodGain takes back what was wrong with the increments, once those of both sides
// are right.
func (k *Checker) goodGain(by clock.Player) {
	other := k.sides[by.Other()].samples
	if slices.ContainsFunc(other, func(s sample) bool { return s.bad }) {
		return
	}
	k.right(noIncrement, "the clock gives what is promised")
	if k.gain {
		k.gain = false
		k.right(mismatch, "the clock gives what is promised")
	}
}

// near reports whether nearly every press gave a second more or less than promised,
// and always the same.
func (k *Checker) near(list []sample, e extra) bool {
	if e.Kind != clock.None && e.Kind != clock.Fischer {
		return false
	}
	n := 0
	gain, _ := common(list)
	for _, s := range list {
		if s.gain == gain {
			n++
		}
	}
	return n >= enoughNear && (gain-e.Bonus).Abs() == time.Second && gain >= 0
}

// common is the gain that most presses gave, the greater one of equals.
func common(list []sample) (gain time.Duration, n int) {
	count := map[time.Duration]int{}
	for _, s := range list {
		count[s.gain]++
		if c := count[s.gain]; c > n || c == n && s.gain > gain {
			gain, n = s.gain, c
		}
	}
	return gain, n
}

// Measured is what a player's presses have shown of how his clock is set.
type Measured struct {
	Kind  clock.Kind // None, Fischer, Bronstein or Delay
	Bonus time.Duration
	Known bool // false before two presses
}

// String says it in an arbiter's words.
func (m Measured) String() string {
	if m.Kind == clock.None {
		return "nothing"
	}
	return extra{m.Kind, m.Bonus}.String()
}

// String says what a player is promised, in an arbiter's words.
func (e extra) String() string {
	s := int(e.Bonus / time.Second)
	switch e.Kind {
	case clock.Fischer:
		return fmt.Sprintf("an increment of %d s for each move", s)
	case clock.Bronstein:
		return fmt.Sprintf("a Bronstein time of %d s for each move", s)
	case clock.Delay:
		return fmt.Sprintf("a delay of %d s for each move", s)
	case clock.None, clock.ByoYomi, clock.Canadian, clock.Hourglass, clock.CountUp:
	}
	return "no increment"
}

// Measured tells what the presses of a player have shown. An increment is told from
// a Bronstein time by turns shorter than it; before there are such the kind is the
// promised one.
func (k *Checker) Measured(p clock.Player) Measured { return k.measured(p) }

func (k *Checker) measured(p clock.Player) Measured {
	list := k.sides[p].samples
	if len(list) < 2 {
		return Measured{}
	}
	gain, _ := common(list)
	most, short, over := time.Duration(0), 0, 0
	for _, s := range list {
		most = max(most, s.gain)
	}
	for _, s := range list {
		switch {
		case s.gain > max(s.used, 0)+time.Second:
			over++ // more than was used: no Bronstein
		case s.gain < most-time.Second && (s.gain-s.used).Abs() <= time.Second:
			short++
		}
	}
	switch {
	case most <= 0:
		return k.still(list)
	case over == 0 && short >= 2:
		return Measured{clock.Bronstein, most, true}
	case over == 0 && slices.ContainsFunc(k.extras(p), func(e extra) bool { return e.Kind == clock.Bronstein }):
		return Measured{clock.Bronstein, most, true}
	case gain <= 0:
		return Measured{Known: true}
	}
	return Measured{clock.Fischer, gain, true}
}

// still tells a delay from nothing, where presses give nothing: the face stands at
// the start of each turn.
func (k *Checker) still(list []sample) Measured {
	var longest, sum time.Duration
	n := 0
	for _, s := range list {
		if s.whole && s.think > slack {
			longest, sum = max(longest, s.stood()), sum+s.stood()
			n++
		}
	}
	if n < 2 || sum/time.Duration(n) < slack {
		return Measured{Known: true}
	}
	return Measured{clock.Delay, longest.Truncate(time.Second), true}
}

// Increment is what the presses of a player have given, most often; ok is false
// before two presses.
func (k *Checker) Increment(p clock.Player) (d time.Duration, ok bool) {
	if len(k.sides[p].samples) < 2 {
		return 0, false
	}
	d, _ = common(k.sides[p].samples)
	return d, true
}

// Start tells whether the clock was set right when the game began; known is false
// before that, without a control, and in a game taken up in its middle.
func (k *Checker) Start() (right, known bool) {
	return !k.told[mismatch] && !k.told[swapped], k.began != nil && k.control != nil
}

// all reports whether the last n samples are so; fewer are not enough.
func all(s []sample, n int, so func(sample) bool) bool {
	return len(s) >= n && !slices.ContainsFunc(s[len(s)-n:], func(x sample) bool { return !so(x) })
}
