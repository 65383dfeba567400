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

// astray is how far a face is from the nearer of a player's start times, of which
// so much may be gone.
func (k *Checker) astray(p clock.Player, d, gone time.Duration) time.Duration {
	with, without := k.expected(p)
	off := func(want time.Duration) time.Duration {
		switch {
		case d > want:
			return d - want
		case d < want-gone:
			return d - (want - gone)
		}
		return 0
	}
	if a, b := off(with), off(without); a.Abs() < b.Abs() {
		return a
	} else {
		return b
	}
}

// standing judges a clock that stands before the game, once nobody touches it any
// more and it does not show what the last game left.
func (k *Checker) standing() {
	switch {
	case k.run || k.over || k.last.Running || k.now-k.stoodAt < patience:
	case k.left != nil && k.left.White == k.last.White && k.left.Black == k.last.Black:
	default:
		k.judgeStart(k.last)
	}
}

// judgeStart compares what the clock shows at the start with the control.
func (k *Checker) judgeStart(r shown) {
	if k.control == nil {
		return
	}
	var gone [2]time.Duration
	if r.Running {
		gone[r.ToMove] = slack
	}
	var off [2]time.Duration
	exchanged := true
	for _, p := range clock.Players {
		off[p] = k.astray(p, r.Face(p), gone[p])
		exchanged = exchanged && k.astray(p, r.Face(p.Other()), gone[p.Other()]) == 0
		k.sides[p].offset = off[p]
	}
	switch {
	case off == [2]time.Duration{}:
		k.right(mismatch, "the clock is set right: "+faces(r.Reading))
		k.right(swapped, "the clock is set right: "+faces(r.Reading))
	case exchanged:
		k.right(mismatch, "the times are right, on the wrong sides")
		k.once(swapped, fmt.Sprintf("expected %s, the clock shows %s: the sides are exchanged", k.wanted(), faces(r.Reading)))
	default:
		k.right(swapped, "the times are others now")
		k.once(mismatch, fmt.Sprintf("expected %s, the clock shows %s", k.wanted(), faces(r.Reading)))
	}
}

// mend takes back what was wrong with the start when a hand has put the times right.
func (k *Checker) mend() {
	if k.gain || k.began == nil {
		return
	}
	for _, p := range clock.Players {
		if k.sides[p].offset.Abs() > mended {
			return
		}
	}
	detail := "the times were put right: " + faces(k.last.Reading)
	k.right(mismatch, detail)
	if k.wrong < wrongTicks {
		k.right(swapped, detail)
	}
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
