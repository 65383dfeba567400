package dgt

import "fmt"

// Command is one command from the host to a board. Commands are made by the
// functions of this package; the zero value is no command. Two commands with
// the same bytes are equal.
//
// There is no way to make a Command that sends 4e, 51, 53 or 54, which start
// the boot loader or rewrite the board's EEPROM. As a second fence the bytes
// of single-board frames never contain them either: a board that loses the
// head of a frame would take the next byte for a command.
type Command struct {
	n uint8 // bytes in b
	// cut says that the command came from the wire and was too long to keep.
	cut bool
	b   [commandCap]byte
}

// commandCap holds the longest frame this package sends: a Revelation text.
const commandCap = 20

// First bytes of commands in single-board mode (section 3).
const (
	codeReset           = 0x40
	codeClock           = 0x41
	codeBoard           = 0x42
	codeUpdate          = 0x43
	codeUpdateBoard     = 0x44
	codeSerial          = 0x45
	codeBusAddress      = 0x46
	codeTrademark       = 0x47
	codeHardwareVersion = 0x48
	codeLog             = 0x49
	codeToBus           = 0x4a
	codeUpdateNice      = 0x4b
	codeBattery         = 0x4c
	codeVersion         = 0x4d
	codeBootLoader      = 0x4e
	codeDraughtsBlack   = 0x50
	codeScanBlack       = 0x51
	codeDraughtsWhite   = 0x52
	codeScanWhite       = 0x53
	codeScan100         = 0x54
	codeLongSerial      = 0x55
	codeI2CClock        = 0x56
	codeUpdateI2C       = 0x57
	codeUpdateI2CNice   = 0x58
	codeLockState       = 0x59
	codeKeyState        = 0x5a

	codeClockFrame = 0x2b
	codeI2CFrame   = 0x2c
	codeLEDs       = 0x60
	codeKey        = 0x63
)

// neverSend reports whether b is a command that must never reach a board.
func neverSend(b byte) bool {
	return b == codeBootLoader || b == codeScanBlack || b == codeScanWhite || b == codeScan100
}

func single(code byte) Command { return Command{n: 1, b: [commandCap]byte{code}} }

// Reset puts the board into idle mode. There is no answer.
func Reset() Command { return single(codeReset) }

// SendClock asks for one clock message.
func SendClock() Command { return single(codeClock) }

// SendBoard asks for one *BoardDump.
func SendBoard() Command { return single(codeBoard) }

// Update asks for field updates and for clock messages at least every second.
func Update() Command { return single(codeUpdate) }

// UpdateBoard asks for field updates only: no clock, and no acknowledges of
// clock commands.
func UpdateBoard() Command { return single(codeUpdateBoard) }

// UpdateNice is Update with clock messages only when something changed.
func UpdateNice() Command { return single(codeUpdateNice) }

// SendSerial asks for *Serial.
func SendSerial() Command { return single(codeSerial) }

// SendLongSerial asks for *LongSerial.
func SendLongSerial() Command { return single(codeLongSerial) }

// SendBusAddress asks for *BusAddress.
func SendBusAddress() Command { return single(codeBusAddress) }

// SendTrademark asks for *Trademark.
func SendTrademark() Command { return single(codeTrademark) }

// SendVersion asks for *Version.
func SendVersion() Command { return single(codeVersion) }

// SendHardwareVersion asks for *HardwareVersion; older boards stay silent.
func SendHardwareVersion() Command { return single(codeHardwareVersion) }

// SendBattery asks for *Battery; boards without one stay silent.
func SendBattery() Command { return single(codeBattery) }

// SendLog asks for *EELog, the whole EEPROM log. It blocks the line for more
// than eight seconds and writes an entry of its own into the log, so send it
// only on purpose.
func SendLog() Command { return single(codeLog) }

// ToBusMode puts the board into bus mode. There is no answer.
func ToBusMode() Command { return single(codeToBus) }

// SendDraughts asks for a *DraughtsDump of the 50 black squares, or of the
// white ones.
func SendDraughts(white bool) Command {
	if white {
		return single(codeDraughtsWhite)
	}
	return single(codeDraughtsBlack)
}

// SendI2CClock asks a newer board for *I2CClock.
func SendI2CClock() Command { return single(codeI2CClock) }

// UpdateI2C is Update for a newer board with an I2C clock.
func UpdateI2C() Command { return single(codeUpdateI2C) }

// UpdateI2CNice is UpdateNice for a newer board with an I2C clock. Sources
// disagree which of the two is which.
func UpdateI2CNice() Command { return single(codeUpdateI2CNice) }

// SendLockState asks a Pegasus for *LockState.
func SendLockState() Command { return single(codeLockState) }

// SendKeyState asks a Pegasus for *KeyState.
func SendKeyState() Command { return single(codeKeyState) }

// LEDs lights, or puts out, the lamps of all squares from one to another on a
// Revelation II. Squares off the board count as the last one.
func LEDs(from, to Square, on bool) Command {
	var p byte
	if on {
		p = 1
	}
	return leds(p, min(byte(from), Squares-1), min(byte(to), Squares-1))
}

// LEDsOff puts out all lamps of a Revelation II.
func LEDsOff() Command { return leds(0, Squares, Squares) }

func leds(p, a, b byte) Command {
	return Command{n: 6, b: [commandCap]byte{codeLEDs, 4, p, a, b, 0}}
}

// Code returns the first byte, 0 for the zero Command.
func (c Command) Code() byte { return c.b[0] }

// IsZero reports whether c is no command.
func (c Command) IsZero() bool { return c.n == 0 }

// Len returns how many bytes AppendTo appends.
func (c Command) Len() int {
	if !c.Sendable() {
		return 0
	}
	return int(c.n)
}

// Sendable reports whether AppendTo will write c. It is true for every command
// made by a constructor, and false for the zero Command and for commands a
// CommandDecoder has met which boardd itself never sends: those that change a
// board for good, a Pegasus developer key, or what is too long to keep.
func (c Command) Sendable() bool {
	if c.n == 0 || c.cut || c.b[0] == codeKey {
		return false
	}
	if c.b[0] >= 0x80 {
		// The address and checksum of a bus frame may have any value; there
		// only the position of a command counts.
		return true
	}
	for _, b := range c.b[:c.n] {
		if neverSend(b) {
			return false
		}
	}
	return true
}

// AppendTo appends the bytes of c to dst, or nothing if c is not Sendable.
func (c Command) AppendTo(dst []byte) []byte {
	if !c.Sendable() {
		return dst
	}
	return append(dst, c.b[:c.n]...)
}

// String renders the command for a log line.
func (c Command) String() string {
	if c.IsZero() {
		return "no command"
	}
	if op, ok := c.ClockOp(); ok {
		return fmt.Sprintf("clock %v % x", op, c.b[:c.n])
	}
	if op, a, ok := c.Bus(); ok {
		return fmt.Sprintf("bus %v to %d", op, a)
	}
	if name := singleNames[c.b[0]]; name != "" && c.n == 1 {
		return name
	}
	return fmt.Sprintf("command % x", c.b[:c.n])
}

var singleNames = [0x80]string{
	codeReset: "reset", codeClock: "send clock", codeBoard: "send board",
	codeUpdate: "update", codeUpdateBoard: "update board", codeSerial: "send serial",
	codeBusAddress: "send bus address", codeTrademark: "send trademark",
	codeHardwareVersion: "send hardware version", codeLog: "send log",
	codeToBus: "to bus mode", codeUpdateNice: "update nice", codeBattery: "send battery",
	codeVersion: "send version", codeBootLoader: "boot loader (never sent)",
	codeDraughtsBlack: "send draughts black", codeScanBlack: "scan black (never sent)",
	codeDraughtsWhite: "send draughts white", codeScanWhite: "scan white (never sent)",
	codeScan100: "scan 100 (never sent)", codeLongSerial: "send long serial",
	codeI2CClock: "send i2c clock", codeUpdateI2C: "update i2c",
	codeUpdateI2CNice: "update i2c nice", codeLockState: "send lock state",
	codeKeyState: "send key state",
}
