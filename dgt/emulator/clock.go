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

// ClockSetting is the clock as it stands beside the board when power comes on:
// stopped, both times set.
type ClockSetting struct {
	// Absent leaves the socket empty; Board.PlugClock fills it later.
	Absent bool
	// Version is ClockXL or Clock3000 (the default).
	Version dgt.ClockVersion
	// Remote puts the clock in option 23 (XL) or 25 (DGT 3000): it obeys
	// SETNRUN, adds no increment, and reports its buttons. Otherwise it runs a
	// programme of its own and refuses SETNRUN.
	Remote bool
	// Left and Right are the times shown at the start, in real clocks with the
	// first increment included; at most 9:59:59.
	Left, Right time.Duration
	// LeftIncrement and RightIncrement are added after each press (Fischer).
	LeftIncrement, RightIncrement time.Duration
	// Lever is the side that is high and so has the move: White's side.
	Lever dgt.Side
}

// Fischer returns the setting of a clock programmed for one period of base with
// an increment, White sitting on the given side of the clock.
func Fischer(base, increment time.Duration, white dgt.Side) ClockSetting {
	return ClockSetting{
		Left: base + increment, Right: base + increment,
		LeftIncrement: increment, RightIncrement: increment,
		Lever: white,
	}
}

// hand is one side of the clock.
type hand struct {
	time      time.Duration
	increment time.Duration
	counting  bool
	up        bool // counts up (hour bit 10 of SETNRUN)
	fallen    bool
}

// shown is the time on the display: seconds are rounded up when counting down,
// so that zero appears when the time is over.
func (h *hand) shown() time.Duration {
	t := h.time
	if !h.up {
		t += time.Second - 1
	}
	return min(t.Truncate(time.Second), dgt.MaxClock)
}

// change is how long after now the display of a counting side changes.
func (h *hand) change() time.Duration {
	if h.up {
		return h.time.Truncate(time.Second) + time.Second - h.time
	}
	return h.time - (h.shown() - time.Second)
}

// clock is the chess clock. Sides are its own, seen from its front.
type clock struct {
	hands   [2]hand // by dgt.Side
	lever   dgt.Side
	remote  bool
	toggles bool // the lever switches the counting side
	plugged bool
	version dgt.ClockVersion
	asOf    time.Duration
}

func newClock(s ClockSetting) clock {
	c := clock{lever: s.Lever, remote: s.Remote, toggles: !s.Remote, plugged: !s.Absent, version: s.Version}
	c.hands[dgt.Left] = hand{time: min(s.Left, dgt.MaxClock), increment: s.LeftIncrement}
	c.hands[dgt.Right] = hand{time: min(s.Right, dgt.MaxClock), increment: s.RightIncrement}
	if c.version == (dgt.ClockVersion{}) {
		c.version = Clock3000
	}
	return c
}

func (c *clock) running() bool {
	return c.hands[dgt.Left].counting || c.hands[dgt.Right].counting
}

// advance counts up to t. A side that reaches zero drops its flag and blocks
// the clock.
func (c *clock) advance(t time.Duration) {
	passed := t - c.asOf
	c.asOf = t
	for i := range c.hands {
		h := &c.hands[i]
		switch {
		case !h.counting:
		case h.up:
			h.time += passed
		case h.time > passed:
			h.time -= passed
		default:
			h.time, h.fallen = 0, true
		}
	}
	if c.hands[0].fallen || c.hands[1].fallen {
		c.stop()
	}
}

func (c *clock) stop() {
	c.hands[0].counting, c.hands[1].counting = false, false
}

// next returns when the display changes by itself, never if the clock stands.
func (c *clock) next() time.Duration {
	at := never
	for i := range c.hands {
		if h := &c.hands[i]; h.counting {
			at = min(at, c.asOf+h.change())
		}
	}
	return at
}

// press pushes the lever of a side down; nothing happens if it is down already.
func (c *clock) press(s dgt.Side) bool {
	if c.lever != s {
		return false
	}
	c.lever = s.Other()
	if from := &c.hands[s]; c.toggles && from.counting {
		from.counting = false
		c.hands[s.Other()].counting = true
		if !c.remote {
			from.time = min(from.time+from.increment, dgt.MaxClock)
		}
	}
	return true
}

// startStop is the start/stop button of a clock running its own programme.
func (c *clock) startStop() {
	switch {
	case c.running():
		c.stop()
	case !c.hands[0].fallen && !c.hands[1].fallen:
		c.hands[c.lever].counting = true
	}
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

// reading is what the clock tells the board.
func (c *clock) reading() dgt.ClockTime {
	if !c.plugged {
		return dgt.ClockTime{NoClock: true}
	}
	face := func(h *hand) dgt.ClockFace {
		return dgt.ClockFace{Time: h.shown(), Flag: h.fallen, Increment: h.increment > 0}
	}
	hint := dgt.TurnLeft
	if c.lever == dgt.Right {
		hint = dgt.TurnRight
	}
	return dgt.ClockTime{
		Left: face(&c.hands[dgt.Left]), Right: face(&c.hands[dgt.Right]),
		Running: c.running(), LeverHigh: c.lever, TurnHint: hint,
	}
}
