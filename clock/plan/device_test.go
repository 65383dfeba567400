package plan_test

import (
	"math/rand/v2"
	"time"

	"boardd/clock"
	"boardd/clock/plan"
)

// device is a clock in remote mode as the protocol sheet has it: it counts down from
// whole seconds, changes sides with its lever, and adds nothing.
type device struct {
	rng    *rand.Rand
	now    time.Duration
	left   [2]time.Duration
	counts bool
	lever  clock.Player // whose side is up
	mover  clock.Player // whose face counts
	toggle bool
	fallen [2]bool

	line   line
	out    []told
	in     []asked
	shown  clock.Reading
	asked  int // commands that reached it
	unread time.Duration
	slow   time.Duration // more time that commands take to reach it
	low    bool          // its battery is
}

// line is what may go wrong between plan and device.
type line struct {
	lag, jitter time.Duration // of readings
	answer      time.Duration // at most, of acknowledgements
	lose        float64       // share of acknowledgements that are lost
	deaf        float64       // share of commands that are lost
	busy        float64       // share answered with an error and not carried out
	repeat      float64       // share of acknowledgements that come twice
	refuses     bool
}

// told is something on its way to the plan: a reading, or an answer.
type told struct {
	at      time.Duration
	reading *clock.Reading
	kind    plan.Kind
	result  plan.Result
	again   bool // a repetition
}

type asked struct {
	at time.Duration
	c  plan.Command
}

func newDevice(seed uint64, l line) *device {
	d := &device{rng: rand.New(rand.NewPCG(seed, 1)), line: l, left: [2]time.Duration{5 * time.Minute, 5 * time.Minute}}
	d.say()
	return d
}

func (d *device) reading() clock.Reading {
	up := func(t time.Duration) time.Duration { return (t + time.Second - 1).Truncate(time.Second) }
	return clock.Reading{White: up(d.left[clock.White]), Black: up(d.left[clock.Black]), Running: d.counts, ToMove: d.lever, Connected: true, BatteryLow: d.low,
		WhiteFlag: d.fallen[clock.White], BlackFlag: d.fallen[clock.Black]}
}

// say sends the reading if it is another one.
func (d *device) say() {
	r := d.reading()
	if r == d.shown {
		return
	}
	d.shown = r
	at := d.now + d.line.lag
	if d.line.jitter > 0 {
		at += time.Duration(d.rng.Int64N(int64(d.line.jitter)))
	}
	at = max(at, d.unread) // readings do not overtake one another
	d.unread = at
	d.out = append(d.out, told{at: at, reading: &r})
}

// command takes a command at its time on the line, a few milliseconds.
func (d *device) command(c plan.Command) {
	if d.rng.Float64() >= d.line.deaf {
		d.in = append(d.in, asked{d.now + 10*time.Millisecond + d.slow, c})
	}
}

func (d *device) press() {
	d.lever = d.lever.Other()
	if d.counts && d.toggle {
		d.mover = d.mover.Other()
	}
	d.say()
}

// step lets a moment pass and returns what has arrived at the plan.
func (d *device) step(to time.Duration) (arrived []told) {
	passed := to - d.now
	d.now = to
	if d.counts && !d.fallen[0] && !d.fallen[1] {
		if d.left[d.mover] -= passed; d.left[d.mover] <= 0 {
			d.left[d.mover], d.fallen[d.mover], d.counts = 0, true, false
		}
	}
	for len(d.in) > 0 && d.in[0].at <= d.now {
		d.obey(d.in[0].c)
		d.in = d.in[1:]
	}
	d.say()
	kept := d.out[:0]
	for _, o := range d.out {
		if o.at <= d.now {
			arrived = append(arrived, o)
		} else {
			kept = append(kept, o)
		}
	}
	d.out = kept
	return arrived
}

// owes reports whether a command has not reached it, or its first answer is under way.
func (d *device) owes() bool {
	for _, o := range d.out {
		if o.reading == nil && !o.again {
			return true
		}
	}
	return len(d.in) > 0
}

func (d *device) obey(c plan.Command) {
	d.asked++
	answer := told{at: d.now + 70*time.Millisecond, kind: c.Kind, result: plan.OK}
	if d.line.answer > 0 {
		answer.at += time.Duration(d.rng.Int64N(int64(d.line.answer)))
	}
	switch {
	case d.line.refuses && c.Kind == plan.SetAndRun:
		answer.result = plan.NotNow
	case d.rng.Float64() < d.line.busy:
		answer.result = plan.Busy
	case c.Kind == plan.SetAndRun:
		d.left = [2]time.Duration{c.White, c.Black}
		d.fallen = [2]bool{}
		d.counts, d.toggle = c.Run != plan.Stands, c.Toggle
		if c.Run == plan.RunsWhite {
			d.mover = clock.White
		} else if c.Run == plan.RunsBlack {
			d.mover = clock.Black
		}
	}
	if d.rng.Float64() < d.line.lose {
		return
	}
	d.out = append(d.out, answer)
	if d.rng.Float64() < d.line.repeat {
		answer.at, answer.again = answer.at+700*time.Millisecond, true
		d.out = append(d.out, answer)
	}
}
