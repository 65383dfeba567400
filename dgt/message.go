package dgt

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Message is one message from a board to the host. What a Decoder emits is a
// pointer to one of the types of this package; the decoder owns it and the
// bytes it refers to, and both are valid only until the callback returns.
type Message interface {
	// ID returns the first byte on the wire, 80 to ff.
	ID() byte
}

// Message ids in single-board mode (section 2.1).
const (
	IDBoardDump       = 0x86
	IDClock           = 0x8d
	IDFieldUpdate     = 0x8e
	IDEELog           = 0x8f
	IDBusAddress      = 0x90
	IDSerial          = 0x91
	IDTrademark       = 0x92
	IDVersion         = 0x93
	IDDraughtsBlack   = 0x94
	IDDraughtsWhite   = 0x95
	IDHardwareVersion = 0x96
	IDBattery         = 0xa0
	IDLongSerial      = 0xa2
	IDI2CClock        = 0xa3
	IDLockState       = 0xa4
	IDKeyState        = 0xa5
)

// headerLen is the id and two length bytes; maxLen is what 14 bits can say,
// header included.
const (
	headerLen = 3
	maxLen    = 1<<14 - 1
)

// BoardDump is the whole board. It is read out during a scan, so squares may
// be up to one scan (250 ms) old.
type BoardDump struct{ Placement Placement }

// ID returns 86.
func (*BoardDump) ID() byte { return IDBoardDump }

// FieldUpdate says what now stands on a square. It is absolute, not a toggle.
type FieldUpdate struct {
	Square Square
	Piece  Piece
}

// ID returns 8e.
func (*FieldUpdate) ID() byte { return IDFieldUpdate }

// String returns "e2 P".
func (m *FieldUpdate) String() string { return m.Square.String() + " " + m.Piece.String() }

// ID returns 8d.
func (*ClockTime) ID() byte { return IDClock }

// ID returns 8d.
func (*ClockAck) ID() byte { return IDClock }

// EELog is the dump of the board's EEPROM log, oldest entry first.
type EELog struct{ Data []byte }

// ID returns 8f.
func (*EELog) ID() byte { return IDEELog }

// Parse returns the entries of the log; they stay valid after the callback.
func (m *EELog) Parse() []LogEvent { return ParseLog(m.Data) }

// BusAddress is the address the board has on a bus.
type BusAddress struct{ Address Address }

// ID returns 90.
func (*BusAddress) ID() byte { return IDBusAddress }

// Serial is the board's serial number: five ASCII digits.
type Serial struct{ Digits [5]byte }

// ID returns 91.
func (*Serial) ID() byte { return IDSerial }

// String returns the number without unprintable bytes.
func (m *Serial) String() string { return printable(m.Digits[:]) }

// LongSerial is the ten-character serial number of newer boards. On a
// Revelation II the first four characters are the firmware version.
type LongSerial struct{ Digits [10]byte }

// ID returns a2.
func (*LongSerial) ID() byte { return IDLongSerial }

// String returns the number without unprintable bytes.
func (m *LongSerial) String() string { return printable(m.Digits[:]) }

// Trademark is the board's self-description, ASCII text of several lines.
// Its form differs between boards: read it leniently and depend on nothing.
type Trademark struct{ Text []byte }

// ID returns 92.
func (*Trademark) ID() byte { return IDTrademark }

// String returns the text, its lines joined by "; ".
func (m *Trademark) String() string {
	lines := strings.FieldsFunc(string(m.Text), func(r rune) bool { return r == '\r' || r == '\n' })
	for i := range lines {
		lines[i] = strings.TrimSpace(printable([]byte(lines[i])))
	}
	return strings.Join(lines, "; ")
}

// Field returns the value after "name:" or "name" in the text, up to a comma
// or the end of the line, such as "serial no", or "" when it is not there.
func (m *Trademark) Field(name string) string {
	text := strings.ToLower(string(m.Text))
	_, rest, ok := strings.Cut(text, strings.ToLower(name))
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, ",\r\n"); i >= 0 {
		rest = rest[:i]
	}
	return strings.Trim(rest, ".:; \t\x00")
}

// Version is the board's firmware version. The main number tells the
// generation: 0 serial or USB-B, 1 Bluetooth, 3 Revelation II, 4 USB-C.
type Version struct{ Major, Minor uint8 }

// ID returns 93.
func (*Version) ID() byte { return IDVersion }

// String returns "1.02": the minor number has two digits.
func (m *Version) String() string { return fmt.Sprintf("%d.%02d", m.Major, m.Minor) }

// HardwareVersion is the version of a newer board's hardware.
type HardwareVersion struct{ Major, Minor uint8 }

// ID returns 96.
func (*HardwareVersion) ID() byte { return IDHardwareVersion }

// String returns "1.02".
func (m *HardwareVersion) String() string { return fmt.Sprintf("%d.%02d", m.Major, m.Minor) }

// Battery is the state of a board that runs on one. Times have a resolution of
// one minute.
type Battery struct {
	Percent     uint8
	Left        time.Duration // until empty, or until full while charging
	LeftKnown   bool
	On          time.Duration
	Standby     time.Duration
	Charging    bool
	Discharging bool
}

// ID returns a0.
func (*Battery) ID() byte { return IDBattery }

// DraughtsDump is a draughts board: 100 squares (86), or 50 (94, 95).
type DraughtsDump struct {
	Code  byte // 86, 94 or 95
	N     int  // how many of Cells are there
	Cells [100]Piece
}

// ID returns Code.
func (m *DraughtsDump) ID() byte { return m.Code }

// I2CClock comes from newer boards with an I2C clock; its layout is not
// public.
type I2CClock struct{ Data []byte }

// ID returns a3.
func (*I2CClock) ID() byte { return IDI2CClock }

// LockState comes from a Pegasus.
type LockState struct{ Data []byte }

// ID returns a4.
func (*LockState) ID() byte { return IDLockState }

// KeyState comes from a Pegasus: the state of its developer key.
type KeyState struct{ Data []byte }

// ID returns a5.
func (*KeyState) ID() byte { return IDKeyState }

// Unknown is a well-formed message with an id this package does not know.
type Unknown struct {
	Code byte
	Data []byte // without the three header bytes
}

// ID returns Code.
func (m *Unknown) ID() byte { return m.Code }

// Rejected is a message of the right length whose content cannot be true. A
// host that ignores it has dropped the message. One that keeps a picture of
// the board should distrust the square, or all squares after a dump, and ask
// for a fresh dump.
type Rejected struct {
	Code   byte
	Reason Reason
	Data   []byte // without the three header bytes
}

// ID returns Code.
func (m *Rejected) ID() byte { return m.Code }

// Masked returns the field update that is left of a rejected one when all bits
// outside the documented fields are ignored. The official header once announced
// a further bit in this message without describing it, so a host that sees
// every update rejected may prefer this reading.
func (m *Rejected) Masked() (u FieldUpdate, ok bool) {
	if m.Code != IDFieldUpdate || len(m.Data) != 2 {
		return FieldUpdate{}, false
	}
	return FieldUpdate{Square(m.Data[0] & 0x3f), Piece(m.Data[1] & 0x0f)}, true
}

// String tells what was wrong, for a log line.
func (m *Rejected) String() string { return fmt.Sprintf("%02x: %v in % x", m.Code, m.Reason, m.Data) }

// Reason says why a message was rejected.
type Reason uint8

// The reasons.
const (
	BadSquare Reason = iota + 1
	BadPiece
	BadTime
	BadChecksum
)

// String names the reason.
func (r Reason) String() string {
	switch r {
	case BadSquare:
		return "square out of range"
	case BadPiece:
		return "piece code out of range"
	case BadTime:
		return "time out of range"
	case BadChecksum:
		return "wrong checksum"
	}
	return "no reason"
}

func printable(b []byte) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, b))
}
