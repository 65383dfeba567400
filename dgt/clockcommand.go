package dgt

import (
	"fmt"
	"time"
)

// Run says which side of the clock a set-and-run starts, and how.
type Run uint8

// Parts of Run, to be combined. RunLeft and RunRight start a side, Toggle lets
// the clock change sides by its own lever, Pause stops both. The two count-up
// bits are refused by clocks up to XL 1.14.
const (
	RunLeft  Run = 0x01
	RunRight Run = 0x02
	Pause    Run = 0x04
	Toggle   Run = 0x08

	CountUpLeft  Run = 0x10 // on the wire a bit of the hours
	CountUpRight Run = 0x20

	runWire    = 0x0f
	countUpBit = 0x10
)

// BeepUnit is the unit of Beep.
const BeepUnit = 64 * time.Millisecond

// maxBeep keeps the count below the bytes that must never be sent.
const maxBeep = 0x3f

// clockFrame builds 2b size 03 op body... 00.
func clockFrame(op ClockOp, body ...byte) Command {
	c := Command{n: uint8(5 + len(body))}
	copy(c.b[:], []byte{codeClockFrame, byte(3 + len(body)), 0x03, byte(op)})
	copy(c.b[4:], body)
	return c
}

// SetAndRun sets both sides of a clock that stands in remote mode (XL option
// 23, DGT 3000 option 25). A clock in any other mode refuses it. The clock then
// only counts down: the protocol has no increments, delays or periods.
//
// A part of a second is rounded up, so that nobody loses time by it. It is an
// error if a time is negative or above MaxClock, or if run has unknown bits.
func SetAndRun(left, right time.Duration, run Run) (Command, error) {
	if run&^(runWire|CountUpLeft|CountUpRight) != 0 {
		return Command{}, fmt.Errorf("dgt: set and run: expected run bits within 3f, got %02x", uint8(run))
	}
	var body [7]byte
	for i, side := range []struct {
		name string
		d    time.Duration
		up   Run
	}{{"left", left, CountUpLeft}, {"right", right, CountUpRight}} {
		d := (side.d + time.Second - 1).Truncate(time.Second)
		if side.d < 0 || side.d > MaxClock {
			return Command{}, fmt.Errorf("dgt: set and run: expected a %s time of 0 to %v, got %v", side.name, MaxClock, side.d)
		}
		h, m, s := splitClock(d)
		if run&side.up != 0 {
			h |= countUpBit
		}
		copy(body[3*i:], []byte{byte(h), byte(m), byte(s)})
	}
	body[6] = byte(run & runWire)
	return clockFrame(OpSetAndRun, body[:]...), nil
}

// Beep sounds the clock for n times BeepUnit; n is brought into 1 to 63.
func Beep(n int) Command {
	return clockFrame(OpBeep, byte(min(max(n, 1), maxBeep)))
}

// SendClockVersion asks the clock for its version, the best way to find out
// whether there is one.
func SendClockVersion() Command { return clockFrame(OpVersion) }

// EndDisplay makes the clock show its times again after a text.
func EndDisplay() Command { return clockFrame(OpEndDisplay) }

// SendButton is acknowledged but says nothing about buttons.
func SendButton() Command { return clockFrame(OpButton) }

// SetAndRun returns what a set-and-run command carries; ok is false for any
// other command and for values no constructor would write.
func (c Command) SetAndRun() (left, right time.Duration, run Run, ok bool) {
	if op, isClock := c.ClockOp(); !isClock || op != OpSetAndRun || c.n != 12 {
		return 0, 0, 0, false
	}
	p := c.b[4:11]
	side := func(p []byte, up Run) (time.Duration, bool) {
		h := p[0]
		if h&countUpBit != 0 {
			h &^= countUpBit
			run |= up
		}
		t := time.Duration(h)*time.Hour + time.Duration(p[1])*time.Minute + time.Duration(p[2])*time.Second
		return t, h <= 9 && p[1] <= 59 && p[2] <= 59
	}
	left, okLeft := side(p[0:3], CountUpLeft)
	right, okRight := side(p[3:6], CountUpRight)
	run |= Run(p[6] & runWire)
	return left, right, run, okLeft && okRight && p[6]&^runWire == 0
}

// ClockOp returns which clock command c is. ok is false if c is none.
func (c Command) ClockOp() (op ClockOp, ok bool) {
	if c.b[0] != codeClockFrame || c.n < 5 || c.b[2] != 0x03 {
		return OpNone, false
	}
	return ClockOp(c.b[3]), true
}

// ClockArgs appends the bytes between the clock command's code and the closing
// zero.
func (c Command) ClockArgs(dst []byte) []byte {
	if _, ok := c.ClockOp(); !ok || c.cut {
		return dst
	}
	return append(dst, c.b[4:c.n-1]...)
}
