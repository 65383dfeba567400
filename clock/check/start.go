package check

import (
	"fmt"
	"time"

	"boardd/clock"
)

// expected are the times a clock may show before the first move: with the increment
// for move 1, and without it (fact sheet 3.4).
func (k *Checker) expected(p clock.Player) (with, without time.Duration) {
	white, black := k.control.Start()
	with = white
	if p == clock.Black {
		with = black
	}
	first := k.periods(p)[0]
	switch {
	case first.Kind == clock.Delay:
		return with + first.Bonus, with // some clocks show the delay with the base
	case first.Kind == clock.Bronstein:
		return with + first.Bonus, with
	}
	return with, first.Base
}

// fits reports whether a face is one of a player's start times.
func (k *Checker) fits(p clock.Player, d time.Duration, slack time.Duration) bool {
	with, without := k.expected(p)
	near := func(want time.Duration) bool { return want-d >= 0 && want-d <= slack }
	return near(with) || near(without)
}

// standing judges a clock that stands before the game, once nobody touches it any more.
func (k *Checker) standing() {
	if k.run || k.over || k.last.Running || k.now-k.stoodAt < patience {
		return
	}
	k.judgeStart(k.last)
}

// judgeStart compares what the clock shows at the start with the control.
func (k *Checker) judgeStart(r clock.Reading) {
	if k.control == nil {
		return
	}
	gone := time.Duration(0)
	if r.Running {
		gone = slack
	}
	if k.fits(clock.White, r.White, gone) && k.fits(clock.Black, r.Black, gone) {
		k.right("clock.mismatch_time_control", "the clock is set right: "+faces(r))
		k.right("clock.side_swapped", "the clock is set right: "+faces(r))
		return
	}
	if k.fits(clock.White, r.Black, gone) && k.fits(clock.Black, r.White, gone) {
		k.once("clock.side_swapped", fmt.Sprintf("expected %s, the clock shows %s: the sides are exchanged", k.wanted(), faces(r)))
		return
	}
	k.once("clock.mismatch_time_control", fmt.Sprintf("expected %s, the clock shows %s", k.wanted(), faces(r)))
}

// wanted is what the clock must show, in words.
func (k *Checker) wanted() string {
	text := ""
	for i, p := range clock.Players {
		if i > 0 {
			text += ", "
		}
		with, without := k.expected(p)
		text += name(p) + " " + face(with)
		if with != without {
			text += " (or " + face(without) + ")"
		}
	}
	return text
}
