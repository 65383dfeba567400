package dgt

import "time"

// MaxClock is the longest time the protocol can carry: the hours have one
// digit.
const MaxClock = 9*time.Hour + 59*time.Minute + 59*time.Second

// ClockTime is one report of both clock faces (section 4.2). The clock's path
// through the board lags its display by up to one second.
//
// When NoClock is set no clock is connected and both faces are zero.
type ClockTime struct {
	Left, Right ClockFace
	Running     bool     // false: stopped by the start/stop button
	LeverHigh   Side     // the raised side of the lever, which is the side to move
	TurnHint    TurnHint // the clock's own opinion; LeverHigh and the counting side are better
	BatteryLow  bool
	NoClock     bool
}

// ClockFace is one side's display.
type ClockFace struct {
	Time      time.Duration // whole seconds, 0 to MaxClock
	Flag      bool          // fallen, and the clock is blocked at zero
	FlagShown bool          // a flag is displayed; the clock may still run (period change)
	Increment bool          // the time-per-move sign is on (Fischer or Bronstein)
}

// TurnHint is what bits D3 and D4 of the status claim about the side to move.
// Sources disagree about their sense under remote control, so it is a hint:
// the decoder counts where it contradicts the lever (section 4.3).
type TurnHint uint8

// The four values of the two bits.
const (
	TurnUnsaid TurnHint = 0
	TurnLeft   TurnHint = 1
	TurnRight  TurnHint = 2
	TurnBoth   TurnHint = 3
)

// Agrees reports whether the hint does not contradict the lever.
func (h TurnHint) Agrees(lever Side) bool {
	return h == TurnUnsaid || h == TurnLeft && lever == Left || h == TurnRight && lever == Right
}

// Face returns the display of one side.
func (t *ClockTime) Face(s Side) ClockFace {
	if s == Left {
		return t.Left
	}
	return t.Right
}

// Bits of an hours byte and of the status byte.
const (
	faceFlag      = 0x10
	faceIncrement = 0x20
	faceFlagShown = 0x40

	statusRunning    = 0x01
	statusRightHigh  = 0x02
	statusBatteryLow = 0x04
	statusTurnShift  = 3 // D3 left, D4 right
	statusNoClock    = 0x20
)

// clockReading says what seven payload bytes turned out to be.
type clockReading uint8

const (
	readTime    clockReading = iota
	readAck                  // an acknowledge
	readNothing              // all zero: an artefact of Bluetooth boards
	readBad                  // a time with an impossible digit
)

// decodeClock reads the seven payload bytes of a clock message into t or a.
func decodeClock(p []byte, t *ClockTime, a *ClockAck) clockReading {
	_ = p[6]
	if p[0]|p[1]|p[2]|p[3]|p[4]|p[5]|p[6] == 0 {
		// A real 0:00/0:00 still carries a turn bit, so nothing is lost.
		return readNothing
	}
	if p[0]&0x0f == 0x0a || p[3]&0x0f == 0x0a {
		*a = ClockAck{Ack: [4]byte{
			p[1] | p[3]&0x10<<3,
			p[2] | p[3]&0x20<<2,
			p[4] | p[0]&0x10<<3,
			p[5] | p[0]&0x20<<2,
		}}
		return readAck
	}
	s := p[6]
	*t = ClockTime{
		Running:    s&statusRunning != 0,
		TurnHint:   TurnHint(s >> statusTurnShift & 3),
		BatteryLow: s&statusBatteryLow != 0,
		NoClock:    s&statusNoClock != 0,
	}
	if s&statusRightHigh != 0 {
		t.LeverHigh = Right
	}
	if t.NoClock {
		return readTime // nothing is known about the time bytes then
	}
	if !decodeFace(p[0:3], &t.Right) || !decodeFace(p[3:6], &t.Left) {
		return readBad
	}
	return readTime
}

func decodeFace(p []byte, f *ClockFace) bool {
	h := p[0] & 0x0f
	m, okM := fromBCD(p[1])
	s, okS := fromBCD(p[2])
	if h > 9 || !okM || !okS {
		return false
	}
	*f = ClockFace{
		Time:      time.Duration(int(h)*3600+m*60+s) * time.Second,
		Flag:      p[0]&faceFlag != 0,
		FlagShown: p[0]&faceFlagShown != 0,
		Increment: p[0]&faceIncrement != 0,
	}
	return true
}

// fromBCD reads minutes or seconds, so ok also asks for at most 59.
func fromBCD(b byte) (n int, ok bool) {
	return int(b>>4)*10 + int(b&0x0f), b>>4 <= 5 && b&0x0f <= 9
}

func toBCD(n int) byte { return byte(n/10<<4 | n%10) }

// appendClockTime appends the seven payload bytes of t. A time outside 0 to
// MaxClock is brought to the nearest end, a part of a second is cut off.
func appendClockTime(dst []byte, t *ClockTime) []byte {
	if t.NoClock {
		dst = append(dst, 0, 0, 0, 0, 0, 0)
	} else {
		dst = appendFace(dst, t.Right)
		dst = appendFace(dst, t.Left)
	}
	s := byte(t.TurnHint&3) << statusTurnShift
	if t.Running {
		s |= statusRunning
	}
	if t.LeverHigh == Right {
		s |= statusRightHigh
	}
	if t.BatteryLow {
		s |= statusBatteryLow
	}
	if t.NoClock {
		s |= statusNoClock
	}
	return append(dst, s)
}

func appendFace(dst []byte, f ClockFace) []byte {
	h, m, s := splitClock(f.Time)
	b := byte(h)
	if f.Flag {
		b |= faceFlag
	}
	if f.FlagShown {
		b |= faceFlagShown
	}
	if f.Increment {
		b |= faceIncrement
	}
	return append(dst, b, toBCD(m), toBCD(s))
}

func splitClock(d time.Duration) (h, m, s int) {
	n := int(min(max(d, 0), MaxClock) / time.Second)
	return n / 3600, n / 60 % 60, n % 60
}
