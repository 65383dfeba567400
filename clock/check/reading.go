package check

import (
	"fmt"
	"time"

	"boardd/clock"
)

// wrongTicks is in how many readings in a row the wrong face has to count.
const wrongTicks = 3

// Reading takes what the clock shows.
func (k *Checker) Reading(at time.Duration, r clock.Reading) {
	k.advance(at)
	k.device.read(k, r)
	if !r.Connected {
		return
	}
	now := shown{r, k.now}
	if !k.seen || k.missed || k.over {
		k.takeUp(now)
		return
	}
	odd := k.odd
	k.odd = nil
	if s, ok := k.follows(k.last, now, odd, k.gives); ok {
		k.believe(now, s, odd == nil)
	} else if odd == nil {
		k.wonder(now)
	} else if s, ok := k.follows(*odd, now, nil, anything); !ok || !(odd.Running || r.Running || !k.run) {
		k.odd = &now // a hand is at it, or the line is bad
	} else if k.lastWasOdd(now) {
		k.believe(now, step{presses: onePressOf(k.last, now)}, false)
	} else {
		k.confirm(*odd)
		k.believe(now, s, false)
	}
	k.advance(at)
}

// lastWasOdd reports whether r goes on from the reading before the last one, so that
// the last one was wrong in a way that looked right.
func (k *Checker) lastWasOdd(r shown) bool {
	if k.prev == nil || !k.prev.Running || !k.last.Running {
		return false
	}
	last := k.last
	_, ok := k.follows(*k.prev, r, &last, k.gives)
	return ok
}

// onePressOf is the press that a lever tells that has gone over.
func onePressOf(a, b shown) (presses [2]int) {
	if a.ToMove != b.ToMove {
		presses[a.ToMove] = 1
	}
	return presses
}

// wonder takes a reading that does not follow from the last one.
func (k *Checker) wonder(r shown) {
	switch {
	case k.last.Running && r.at-k.last.at > silence: // much may have been missed
		k.doubt()
		k.takeUp(r)
	default:
		k.odd = &r
	}
}

// takeUp begins with a reading that follows none.
func (k *Checker) takeUp(r shown) {
	switch {
	case !k.seen && r.Running, k.missed && !k.run && r.Running:
		k.late = true
	case k.seen && k.missed && k.run:
		k.passOver(k.last, r)
	}
	k.seen, k.missed, k.odd, k.fresh = true, false, nil, true
	k.last, k.prev, k.turn, k.stoodAt = r, nil, r.at, r.at
	for i := range k.sides {
		k.sides[i].clean = false
	}
}

// believe goes on to a reading that follows from the last one; plain says that no
// reading between them was left out.
func (k *Checker) believe(r shown, s step, plain bool) {
	was := k.last
	k.last, k.prev, k.fresh = r, nil, false
	if plain {
		k.prev = &was
	}
	if r.Running != was.Running || r.White != was.White || r.Black != was.Black {
		k.stoodAt = r.at
	}
	flipped := r.ToMove != was.ToMove
	first := !k.run && (was.Running || r.Running)
	switch {
	case first:
		k.started(was)
	case !k.run:
		return // being set
	}
	k.begin(s)
	switch {
	case r.Running && !was.Running:
		k.right(stopped, "the clock runs again")
		k.newTurn(first)
	case !r.Running && was.Running:
		k.pause(r)
	case !r.Running && flipped:
		k.levers++
		k.playOn()
	}
	k.counting(s, was.Reading, r.Reading)
	for _, p := range clock.Players {
		k.sides[p].presses += s.presses[p]
	}
	if !was.Running || !r.Running && !flipped {
		return
	}
	if flipped {
		by := was.ToMove
		if one := s.presses[by] == 1 && s.presses[by.Other()] == 0; one && plain && s.base[by] == 0 {
			k.pressed(by, was, r)
		}
		k.newTurn(plain && r.Running)
	} else if s.presses != [2]int{} {
		k.newTurn(false)
	}
}

// started judges the start of the game by what the clock showed before.
func (k *Checker) started(r shown) {
	k.run = true
	if !k.late {
		k.began = &r
		k.judgeStart(r)
	}
}

// pause notes that the clock was stopped. One that still ran from the last game
// stands for the first time then.
func (k *Checker) pause(r shown) {
	k.plies, k.levers = 0, 0
	for i := range k.sides {
		k.sides[i].clean = false
	}
	if k.ranOn && !k.moved {
		k.run, k.late, k.ranOn = false, false, false
		left := r.Reading
		k.left = &left
	}
}

func (k *Checker) newTurn(clean bool) {
	s := &k.sides[k.last.ToMove]
	k.turn, s.begun, s.clean = k.last.at, k.last.Face(k.last.ToMove), clean
}

// counting looks whose face counts.
func (k *Checker) counting(s step, was, r clock.Reading) {
	switch {
	case s.wrong:
		k.wrong++
	case r.White != was.White || r.Black != was.Black || r.ToMove != was.ToMove:
		k.wrong = 0
	}
	if k.wrong == wrongTicks && !k.over {
		k.once(swapped, fmt.Sprintf("%s is to move by the lever, but the time of %s runs", name(r.ToMove), name(r.ToMove.Other())))
	}
}

// confirm believes a reading that did not follow, as the next one goes on from it: a
// press gave what nobody expected, or somebody has changed the clock.
func (k *Checker) confirm(odd shown) {
	was := k.last
	if k.fresh { // it was that one which was odd, or nobody knows
		k.takeUp(odd)
		return
	}
	if s, ok := onePress(was, odd); ok && k.run {
		k.believe(odd, s, true)
		return
	}
	first := !k.run
	k.last, k.prev, k.fresh, k.stoodAt = odd, nil, false, odd.at
	for i := range k.sides {
		k.sides[i].clean = false
	}
	switch {
	case !first:
		if !was.Running && odd.Running {
			k.right(stopped, "the clock runs again")
		}
		k.compare(was, odd)
		k.mend()
	case odd.Running:
		k.started(odd)
	}
	if was.Running && !odd.Running && !first {
		k.pause(odd)
	}
	k.newTurn(false)
}

// compare tells by how much times were changed by hand: beyond what may have been
// counted meanwhile.
func (k *Checker) compare(from, to shown) {
	for _, p := range clock.Players {
		want := from.Face(p)
		least, most := want, want // what it may show with nobody touching it
		if p == from.ToMove || p == to.ToMove {
			least -= slack
		}
		if from.Running && p == from.ToMove {
			want = max(0, want-(to.at-from.at))
			least = want - slack
			if to.ToMove != p {
				for _, g := range k.gives(p) {
					most = max(most, from.Face(p)+g.high)
				}
			}
		}
		d := to.Face(p)
		if d >= least && d <= most {
			continue
		}
		off := (d - want).Round(time.Second)
		k.sides[p].offset += off
		how := "added"
		if off < 0 {
			how = "taken"
		}
		k.find(clock.About(0, changed, p, fmt.Sprintf("%s: expected %s, the clock shows %s: %s %s", name(p), face(want), face(d), face(off.Abs()), how)))
	}
}
