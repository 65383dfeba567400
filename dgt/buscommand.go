package dgt

import "fmt"

// BusOp is a command of bus mode (section 6.2).
type BusOp uint8

// The bus commands. Those marked new are known from newer boards only.
const (
	BusSendClock       BusOp = 0x81 // *BusClockTime or *BusClockAck
	BusSendBoard       BusOp = 0x82 // *BusBoardDump
	BusSendChanges     BusOp = 0x83 // *BusChanges since the last such command
	BusRepeatChanges   BusOp = 0x84 // the same packet again, after a wrong checksum
	BusSetStartGame    BusOp = 0x85 // *BusStartSet after about 70 ms
	BusSendFromStart   BusOp = 0x86 // *BusFromStart
	BusSendPing        BusOp = 0x87 // *BusPing; from all boards within 1100 ms
	BusEnd             BusOp = 0x88 // to single mode; never to AllBoards on a shared line
	BusReset           BusOp = 0x89 // as at power-up, takes seconds; may go to AllBoards
	BusIgnoreNextPing  BusOp = 0x8a // *BusPing at once, silent at the next ping to all
	BusSendVersion     BusOp = 0x8b // *BusVersion
	BusSendDraughts    BusOp = 0x8c // *BusDraughtsDump
	BusSendAll         BusOp = 0x8d // changes, clock and board in a row
	BusSendSerial      BusOp = 0x91 // new
	BusRandomPing      BusOp = 0x92 // new; *BusPing
	BusSendI2CClock    BusOp = 0x93 // new
	BusSendI2CButton   BusOp = 0x94 // new
	BusSendI2CAck      BusOp = 0x95 // new
	BusSendStats       BusOp = 0x96 // new
	BusSendTrademark   BusOp = 0x97 // new
	BusSendBattery     BusOp = 0x98 // new
	BusRepeatI2CButton BusOp = 0x99 // new
	BusRepeatI2CAck    BusOp = 0x9a // new
	BusSendHardware    BusOp = 0x9b // new
	BusSendConfig      BusOp = 0xa0 // new
)

const busCommandLen = 4

// Known reports whether o is one of the bus commands.
func (o BusOp) Known() bool {
	return o >= BusSendClock && o <= BusSendAll || o >= BusSendSerial && o <= BusSendHardware || o == BusSendConfig
}

// String returns the code as in "op 87".
func (o BusOp) String() string {
	if o.Known() {
		return busOpNames[o]
	}
	return fmt.Sprintf("op %02x", uint8(o))
}

var busOpNames = map[BusOp]string{
	BusSendClock: "send clock", BusSendBoard: "send board", BusSendChanges: "send changes",
	BusRepeatChanges: "repeat changes", BusSetStartGame: "set start game",
	BusSendFromStart: "send from start", BusSendPing: "ping", BusEnd: "end bus mode",
	BusReset: "reset", BusIgnoreNextPing: "ignore next ping", BusSendVersion: "send version",
	BusSendDraughts: "send draughts", BusSendAll: "send all", BusSendSerial: "send serial",
	BusRandomPing: "random ping", BusSendI2CClock: "send i2c clock",
	BusSendI2CButton: "send i2c button", BusSendI2CAck: "send i2c ack",
	BusSendStats: "send stats", BusSendTrademark: "send trademark",
	BusSendBattery: "send battery", BusRepeatI2CButton: "repeat i2c button",
	BusRepeatI2CAck: "repeat i2c ack", BusSendHardware: "send hardware version",
	BusSendConfig: "send config",
}

// BusCommand asks op of the board at an address, or of AllBoards. It returns
// the zero Command if op is not Known or the address above MaxAddress.
func BusCommand(op BusOp, to Address) Command {
	if !op.Known() || to > MaxAddress {
		return Command{}
	}
	c := Command{n: busCommandLen, b: [commandCap]byte{byte(op), to.msb(), to.lsb()}}
	c.b[3] = Checksum(c.b[:3])
	return c
}

// Bus returns the operation and address of a bus command. ok is false if c is
// none.
func (c Command) Bus() (op BusOp, to Address, ok bool) {
	if c.b[0] < 0x80 || c.n != busCommandLen {
		return 0, 0, false
	}
	return BusOp(c.b[0]), addressOf(c.b[1], c.b[2]), true
}
