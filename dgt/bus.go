package dgt

import "fmt"

// Address is a board's 14-bit address on a shared serial line: the binary
// value of its decimal serial number (section 2.2). 0 speaks to all boards.
type Address uint16

// AllBoards is the broadcast address. Single-board commands and BusEnd must
// not be sent on a shared line; this address takes only the bus commands that
// say so.
const AllBoards Address = 0

// MaxAddress is the highest address that 14 bits can carry.
const MaxAddress Address = 1<<14 - 1

func addressOf(msb, lsb byte) Address { return Address(msb&0x7f)<<7 | Address(lsb&0x7f) }

func (a Address) msb() byte { return byte(a>>7) & 0x7f }
func (a Address) lsb() byte { return byte(a) & 0x7f }

// Checksum returns the check byte of a bus frame: the low seven bits of the sum
// of all bytes before it.
func Checksum(frame []byte) byte {
	var sum byte
	for _, b := range frame {
		sum += b
	}
	return sum & 0x7f
}

// Ids of bus replies (section 6.3). 86 means something else in single-board
// mode, so the decoder has to be told the mode.
const (
	IDBusBoardDump   = 0x83
	IDBusClock       = 0x84
	IDBusChanges     = 0x85 // odd ones of newer boards, all of older
	IDBusFromStart   = 0x86
	IDBusPing        = 0x87
	IDBusStartSet    = 0x88
	IDBusVersion     = 0x89
	IDBusDraughts    = 0x8a
	IDBusChangesEven = 0x8b
	IDBusHardware    = 0x8c
	IDBusSerial      = 0xb0
	IDBusI2C         = 0xb1
	IDBusStats       = 0xb2
	IDBusConfig      = 0xb3
	IDBusTrademark   = 0xb4
	IDBusBattery     = 0xb5
)

const (
	busOverhead       = 3 // two address bytes and the checksum
	busMinLen         = headerLen + busOverhead
	draughtsHalfCells = 50
)

// BusBoardDump is one board's dump on a bus.
type BusBoardDump struct {
	From      Address
	Placement Placement
}

// ID returns 83.
func (*BusBoardDump) ID() byte { return IDBusBoardDump }

// BusClockTime is one board's clock report on a bus.
type BusClockTime struct {
	From Address
	ClockTime
}

// ID returns 84.
func (*BusClockTime) ID() byte { return IDBusClock }

// BusClockAck is a clock's acknowledge on a bus.
type BusClockAck struct {
	From Address
	ClockAck
}

// ID returns 84.
func (*BusClockAck) ID() byte { return IDBusClock }

// BusChanges is what happened on a board since it was last asked, in the form
// of the EEPROM log: in order, but without times.
type BusChanges struct {
	From Address
	Even bool // newer boards alternate, so a repeated packet can be told
	Data []byte
}

// ID returns 85, or 8b for an even packet.
func (m *BusChanges) ID() byte {
	if m.Even {
		return IDBusChangesEven
	}
	return IDBusChanges
}

// Parse returns the entries of the packet.
func (m *BusChanges) Parse() []LogEvent { return ParseLog(m.Data) }

// BusFromStart is everything since the start tag, less what BusChanges has
// still to deliver.
type BusFromStart struct {
	From Address
	Data []byte
}

// ID returns 86.
func (*BusFromStart) ID() byte { return IDBusFromStart }

// Parse returns the entries of the packet.
func (m *BusFromStart) Parse() []LogEvent { return ParseLog(m.Data) }

// BusPing is a board's answer to a ping.
type BusPing struct{ From Address }

// ID returns 87.
func (*BusPing) ID() byte { return IDBusPing }

// BusStartSet says that the start tag and all pieces have been logged.
type BusStartSet struct{ From Address }

// ID returns 88.
func (*BusStartSet) ID() byte { return IDBusStartSet }

// BusVersion is a board's firmware version. Firmware up to 1.2 answers without
// the number.
type BusVersion struct {
	From         Address
	Major, Minor uint8
	Known        bool
}

// ID returns 89.
func (*BusVersion) ID() byte { return IDBusVersion }

// String returns "1.02", or "up to 1.02" where the board did not say.
func (m *BusVersion) String() string {
	if !m.Known {
		return "up to 1.02"
	}
	return fmt.Sprintf("%d.%02d", m.Major, m.Minor)
}

// BusDraughtsDump is a draughts board's dump of 50 squares on a bus.
type BusDraughtsDump struct {
	From  Address
	Cells [draughtsHalfCells]Piece
}

// ID returns 8a.
func (*BusDraughtsDump) ID() byte { return IDBusDraughts }

// BusOther is a reply of a newer board whose layout behind the address is not
// public: 8c and b0 to b5.
type BusOther struct {
	Code byte
	From Address
	Data []byte
}

// ID returns Code.
func (m *BusOther) ID() byte { return m.Code }

func isBusID(id byte, mode Mode) bool {
	if id == IDBoardDump {
		return mode == Bus
	}
	return id >= IDBusBoardDump && id <= IDBusHardware || id >= IDBusSerial && id <= IDBusBattery
}
