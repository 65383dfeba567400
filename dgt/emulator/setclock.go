package emulator

import (
	"time"

	"boardd/dgt"
)

// SetClock sets the clock by hand, as between two games: programme, times, option,
// battery and lever. It stands afterwards. Which clock it is, and whether it is
// plugged in, stays as it was.
func (b *Board) SetClock(s ClockSetting) {
	c := newClock(s)
	c.plugged, c.version, c.asOf = b.clock.plugged, b.clock.version, b.clock.asOf
	b.clock = c
	b.clockSays()
}

// SetRemote turns the clock to option 23 or 25 by hand, or back to its programme;
// nothing happens if it is there already. The clock stands afterwards and has
// lost its times: it shows 0:00, or the start of the programme. It reports its
// new mode (ack1 8a), or that it has left remote mode (ack1 90).
func (b *Board) SetRemote(on bool) {
	if b.clock.remote == on {
		return
	}
	b.clock.turnRemote(on)
	b.clockSays()
	b.later(b.now+b.lag(), func(b *Board) {
		if on {
			b.report(dgt.ReportMode, 0, b.clock.option())
		} else {
			b.report(dgt.ReportNotInMode, 0, 0)
		}
	})
}

// AdjustClock changes both times by hand, as an arbiter does while the clock is
// paused, and reports whether it was: a running clock cannot be changed. A side
// that is given time has its flag up again.
func (b *Board) AdjustClock(left, right time.Duration) bool {
	ok := b.clock.adjust(left, right)
	if ok {
		b.clockSays()
	}
	return ok
}

// SetClockBattery says whether the clock's battery is low.
func (b *Board) SetClockBattery(low bool) {
	if b.clock.batteryLow != low {
		b.clock.batteryLow = low
		b.clockSays()
	}
}

// PlugClock puts the clock's plug in or pulls it. A programme goes on meanwhile; a
// clock in remote mode forgets the times it was given and stands. When it comes
// back it reports that it is ready (ack1 81).
func (b *Board) PlugClock(in bool) {
	if b.clock.plugged == in {
		return
	}
	b.clock.plugged = in
	if b.clock.remote {
		b.clock.turnRemote(true)
	}
	b.clockSays()
	if in {
		b.later(b.now+b.lag(), func(b *Board) { b.report(dgt.ReportReady, 0, 0) })
	}
}

// ClockState is the clock as nobody at the table can see it.
type ClockState struct {
	Left, Right             time.Duration // exact, not as displayed
	LeftCounts, RightCounts bool          // which side the time runs for
	Lever                   dgt.Side      // the side that is high
	// Option is 23 or 25 in remote mode and 0 while a programme runs.
	Option     int
	Toggles    bool // in remote mode: the lever changes the side that counts
	Plugged    bool
	BatteryLow bool
}

// Time is the exact time of a side.
func (s ClockState) Time(side dgt.Side) time.Duration {
	if side == dgt.Left {
		return s.Left
	}
	return s.Right
}

// Counts reports whether a side's time runs.
func (s ClockState) Counts(side dgt.Side) bool {
	if side == dgt.Left {
		return s.LeftCounts
	}
	return s.RightCounts
}

// Remote reports whether the clock obeys SETNRUN.
func (s ClockState) Remote() bool { return s.Option != 0 }

// ClockState returns the clock as it is at the board's present time.
func (b *Board) ClockState() ClockState {
	c := &b.clock
	s := ClockState{
		Left: c.hands[dgt.Left].time, Right: c.hands[dgt.Right].time,
		LeftCounts: c.hands[dgt.Left].counting, RightCounts: c.hands[dgt.Right].counting,
		Lever: c.lever, Toggles: c.toggles, Plugged: c.plugged, BatteryLow: c.batteryLow,
	}
	if c.remote {
		s.Option = int(c.option())
	}
	return s
}

// Shown returns the text that the clock shows instead of its times, without the
// blanks at its end; empty while it shows times. A text stays until the END
// command; setting the times does not end it.
func (b *Board) Shown() string { return b.clock.text }
