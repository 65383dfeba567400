package emulator

import (
	"time"

	"boardd/dgt"
)

// The two clocks that boards are used with. The XL takes DISPLAY texts, the
// 3000 ASCII ones.
var (
	ClockXL   = dgt.ClockVersion{Main: 1, Sub: 14}
	Clock3000 = dgt.ClockVersion{Main: 2, Sub: 0}
)

// The options in which a clock obeys SETNRUN.
const (
	OptionXL   = 23
	Option3000 = 25
)

// ClockSetting is the clock as it stands beside the board when power comes on:
// stopped, both times set.
type ClockSetting struct {
	// Absent leaves the socket empty; Board.PlugClock fills it later.
	Absent bool
	// Version is ClockXL or Clock3000 (the default).
	Version dgt.ClockVersion
	// Remote puts the clock in option 23 (XL) or 25 (DGT 3000): it obeys
	// SETNRUN, counts down what it is told, adds nothing, and reports its
	// buttons. Otherwise it runs its programme and refuses SETNRUN.
	Remote    bool
	Programme Programme
	// Left and Right are the times shown, at most 9:59:59; 0 is the start of the
	// programme.
	Left, Right time.Duration
	// Lever is the side that is high and so has the move: White's side.
	Lever      dgt.Side
	BatteryLow bool
}

// clock is the chess clock. Sides are its own, seen from its front.
type clock struct {
	hands      [2]hand // by dgt.Side
	lever      dgt.Side
	remote     bool
	toggles    bool // in remote mode: the lever switches the counting side
	programme  Programme
	plugged    bool
	batteryLow bool
	version    dgt.ClockVersion
	text       string // on the display instead of the times
	asOf       time.Duration
}

func newClock(s ClockSetting) clock {
	c := clock{
		lever: s.Lever, remote: s.Remote, programme: s.Programme,
		plugged: !s.Absent, batteryLow: s.BatteryLow, version: s.Version,
	}
	if c.version == (dgt.ClockVersion{}) {
		c.version = Clock3000
	}
	if c.remote {
		c.hands = [2]hand{dgt.Left: newHand(s.Left, nil), dgt.Right: newHand(s.Right, nil)}
	} else {
		c.hands = [2]hand{dgt.Left: newHand(s.Left, s.Programme.Left), dgt.Right: newHand(s.Right, s.Programme.Right)}
	}
	return c
}

// option is where the clock obeys SETNRUN.
func (c *clock) option() byte {
	if c.version.Main >= 2 {
		return Option3000
	}
	return OptionXL
}

// turnRemote chooses the remote option, in which the clock shows 0:00 until it is
// told, or its programme, from the start. Either way it stands.
func (c *clock) turnRemote(on bool) {
	c.remote, c.toggles, c.text = on, false, ""
	if on {
		c.hands = [2]hand{}
	} else {
		c.hands = [2]hand{dgt.Left: newHand(0, c.programme.Left), dgt.Right: newHand(0, c.programme.Right)}
	}
}

func (c *clock) running() bool {
	return c.hands[dgt.Left].counting || c.hands[dgt.Right].counting
}

// advance counts up to t, which is not beyond the next change of the display.
func (c *clock) advance(t time.Duration) {
	passed := t - c.asOf
	c.asOf = t
	for i := range c.hands {
		if h := &c.hands[i]; h.counting && h.count(passed) {
			c.atZero(dgt.Side(i))
		}
	}
}

// atZero is the end of a period for both sides, or a flag that falls: it blocks
// the clock, unless the programme lets the other side run on.
func (c *clock) atZero(s dgt.Side) {
	h, other := &c.hands[s], &c.hands[s.Other()]
	if h.changesAtZero() {
		if other.period == h.period && other.changesAtZero() {
			other.nextPeriod(other.flagged)
		}
		h.nextPeriod(c.asOf + periodFlag)
		return
	}
	h.fallen, h.quiet = true, other.fallen
	if c.remote || !c.programme.TimeRunsOn || other.fallen {
		c.stop()
	}
}

func (c *clock) stop() {
	c.hands[0].counting, c.hands[1].counting = false, false
}

// next returns when the display changes by itself, never if it does not.
func (c *clock) next() time.Duration {
	at := never
	for i := range c.hands {
		h := &c.hands[i]
		if h.counting {
			if d := h.change(); d < never {
				at = min(at, c.asOf+d)
			}
		}
		if h.flagged > c.asOf {
			at = min(at, h.flagged)
		}
	}
	return at
}

// press pushes the lever of a side down; nothing happens if it is down already.
//
// A clock in remote mode that was told to toggle changes the side that counts.
// One that stands only tells where the lever is: no source says that the lever
// starts it.
func (c *clock) press(s dgt.Side) bool {
	if c.lever != s {
		return false
	}
	c.lever = s.Other()
	from, to := &c.hands[s], &c.hands[s.Other()]
	switch {
	case !c.running():
	case !c.remote:
		from.counting, to.counting = false, true
		from.completeMove(c.asOf + periodFlag)
	case c.toggles:
		from.counting, to.counting = to.counting, from.counting
	}
	return true
}

// startStop is the start/stop button of a clock running its own programme. The
// side whose lever is high starts, also when the lever was moved in a pause.
func (c *clock) startStop() {
	switch {
	case c.running():
		c.stop()
	case c.over():
	default:
		c.hands[c.lever].counting = true
	}
}

// over reports whether a fallen flag keeps the clock from starting.
func (c *clock) over() bool {
	l, r := c.hands[dgt.Left].fallen, c.hands[dgt.Right].fallen
	if c.programme.TimeRunsOn && !c.remote {
		return l && r
	}
	return l || r
}

// setAndRun obeys the command and reports whether the clock takes it.
func (c *clock) setAndRun(left, right time.Duration, run dgt.Run) bool {
	if !c.remote {
		return false
	}
	goes := run&dgt.Pause == 0
	c.hands[dgt.Left] = hand{time: left, up: run&dgt.CountUpLeft != 0, counting: goes && run&dgt.RunLeft != 0}
	c.hands[dgt.Right] = hand{time: right, up: run&dgt.CountUpRight != 0, counting: goes && run&dgt.RunRight != 0}
	c.toggles = run&dgt.Toggle != 0
	return true
}

// adjust changes both times by hand while the clock stands, as arbiters do, and
// reports whether it stood.
func (c *clock) adjust(left, right time.Duration) bool {
	if c.running() {
		return false
	}
	for s, t := range [2]time.Duration{dgt.Left: left, dgt.Right: right} {
		h := &c.hands[s]
		h.time = min(max(t, 0), dgt.MaxClock)
		h.fallen, h.quiet = h.fallen && h.time == 0, h.quiet && h.time == 0
		h.beginMove()
	}
	return true
}

// reading is what the clock tells the board.
func (c *clock) reading() dgt.ClockTime {
	if !c.plugged {
		return dgt.ClockTime{NoClock: true}
	}
	hint := dgt.TurnLeft
	if c.lever == dgt.Right {
		hint = dgt.TurnRight
	}
	running := c.running()
	return dgt.ClockTime{
		Left:    c.hands[dgt.Left].face(c.asOf, !running),
		Right:   c.hands[dgt.Right].face(c.asOf, !running),
		Running: running, LeverHigh: c.lever, TurnHint: hint, BatteryLow: c.batteryLow,
	}
}
