package emulator

import (
	"fmt"

	"boardd/dgt"
)

// mode is what the host has put the board into. Modes are sticky and exclusive.
type mode uint8

const (
	modeBus         mode = iota // speaks only when asked by address; so at power-up
	modeIdle                    // speaks only when asked
	modeUpdate                  // field updates, the clock at least every second
	modeUpdateBoard             // field updates only
	modeUpdateNice              // field updates, the clock when it changes
)

// updates reports whether changes on the board are sent.
func (m mode) updates() bool { return m >= modeUpdate }

// clocks reports whether the clock is heard: its times and its answers.
func (m mode) clocks() bool { return m == modeUpdate || m == modeUpdateNice }

// Identity is what a board says about itself.
type Identity struct {
	// Serial has up to five digits; 0 derives one from the seed. It is the bus
	// address too, if 14 bits can hold it.
	Serial int
	// LongSerial has ten characters; empty derives it from Serial.
	LongSerial string
	// Firmware and Hardware default to 4.00, a USB-C board, and 1.00.
	Firmware dgt.Version
	Hardware dgt.HardwareVersion
	// Battery is nil for a board without one, which leaves the question
	// unanswered.
	Battery *dgt.Battery
}

// whole fills in what was left open.
func (i Identity) whole(seed uint64) Identity {
	if i.Serial == 0 {
		i.Serial = 10001 + int(seed%6000)
	}
	if i.LongSerial == "" {
		i.LongSerial = fmt.Sprintf("%010d", i.Serial)
	}
	if i.Firmware == (dgt.Version{}) {
		i.Firmware = dgt.Version{Major: 4}
	}
	if i.Hardware == (dgt.HardwareVersion{}) {
		i.Hardware = dgt.HardwareVersion{Major: 1}
	}
	return i
}

func (i Identity) serial() *dgt.Serial {
	m := new(dgt.Serial)
	copy(m.Digits[:], fmt.Sprintf("%05d", i.Serial%100000))
	return m
}

func (i Identity) longSerial() *dgt.LongSerial {
	m := new(dgt.LongSerial)
	copy(m.Digits[:], fmt.Sprintf("%-10s", i.LongSerial))
	return m
}

func (i Identity) address() dgt.Address { return dgt.Address(i.Serial) & dgt.MaxAddress }

// selfDescription answers the trademark question. The words are our own: the
// maker's text identifies his boards and is not for other programs to send.
func (i Identity) selfDescription() *dgt.Trademark {
	return &dgt.Trademark{Text: fmt.Appendf(nil,
		"boardd emulator\r\nnot a real board\r\nsoftware version: %v\r\nhardware version: %v, serial no: %s\r\n",
		&i.Firmware, &i.Hardware, i.LongSerial)}
}

// obey carries out one command of the host.
func (b *Board) obey(c dgt.Command) {
	if heard := b.config.Heard; heard != nil {
		heard(b.now, c)
	}
	if op, to, ok := c.Bus(); ok {
		b.obeyBus(op, to)
		return
	}
	if b.mode == modeBus {
		// Any single-board command ends bus mode and is carried out.
		b.mode = modeIdle
	}
	if op, ok := c.ClockOp(); ok {
		b.obeyClock(op, c)
		return
	}
	id := &b.config.Identity
	switch c {
	case dgt.Reset():
		b.mode = modeIdle
	case dgt.ToBusMode():
		b.mode = modeBus
	case dgt.Update():
		b.mode, b.sentClock = modeUpdate, b.now
	case dgt.UpdateBoard():
		b.mode = modeUpdateBoard
	case dgt.UpdateNice():
		b.mode = modeUpdateNice
	case dgt.SendBoard():
		b.send(&dgt.BoardDump{Placement: b.seen})
	case dgt.SendClock():
		if !b.answerAgain() {
			b.sendClock()
		}
	case dgt.SendSerial():
		b.send(id.serial())
	case dgt.SendLongSerial():
		b.send(id.longSerial())
	case dgt.SendBusAddress():
		b.send(&dgt.BusAddress{Address: id.address()})
	case dgt.SendTrademark():
		b.send(id.selfDescription())
	case dgt.SendVersion():
		b.send(&id.Firmware)
	case dgt.SendHardwareVersion():
		b.send(&id.Hardware)
	case dgt.SendBattery():
		if id.Battery != nil {
			b.send(id.Battery)
		}
	case dgt.SendLog():
		b.SendLog()
	}
	// The rest is for other boards, or harmful to real ones, and is not obeyed.
}
