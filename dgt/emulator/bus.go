package emulator

import (
	"time"

	"boardd/dgt"
)

// bus is what a board keeps for a host that polls it by address.
type bus struct {
	told     int    // how much of the log has been delivered as changes
	packet   []byte // the last changes, for a repetition
	started  int    // where the log begins that SendFromStart delivers
	shutNext bool   // do not answer the next ping to all
}

// obeyBus carries out a bus command. In single-board mode the first one only
// ends that mode.
func (b *Board) obeyBus(op dgt.BusOp, to dgt.Address) {
	from := b.config.Identity.address()
	if b.mode != modeBus {
		b.mode = modeBus
		return
	}
	if to != from && to != dgt.AllBoards {
		return
	}
	if to == dgt.AllBoards {
		switch op {
		case dgt.BusEnd:
			b.mode = modeIdle
		case dgt.BusReset:
			b.powerUp()
		case dgt.BusSendPing:
			if b.bus.shutNext {
				b.bus.shutNext = false
				return
			}
			// All boards answer at random times, so that some get through.
			b.answerPing(time.Duration(b.cable.Int64N(int64(1100 * time.Millisecond))))
		case dgt.BusSendVersion:
			b.sendBusVersion() // as hosts that know no address ask
		}
		return
	}
	switch op {
	case dgt.BusSendClock:
		b.send(&dgt.BusClockTime{From: from, ClockTime: b.shown})
	case dgt.BusSendBoard:
		b.send(&dgt.BusBoardDump{From: from, Placement: b.seen})
	case dgt.BusSendChanges:
		b.sendChanges()
	case dgt.BusRepeatChanges:
		b.send(&dgt.BusChanges{From: from, Data: b.bus.packet})
	case dgt.BusSendAll:
		b.sendChanges()
		b.send(&dgt.BusClockTime{From: from, ClockTime: b.shown})
		b.send(&dgt.BusBoardDump{From: from, Placement: b.seen})
	case dgt.BusSetStartGame:
		b.bus.started = b.log.written
		b.log.tag(b.now, dgt.LogStartTag)
		for s, p := range b.seen {
			if p != dgt.Empty {
				b.log.add(b.now, dgt.LogEvent{Kind: dgt.LogChange, Square: dgt.Square(s), Piece: p})
			}
		}
		b.later(b.now+70*time.Millisecond, func(b *Board) { b.send(&dgt.BusStartSet{From: from}) })
	case dgt.BusSendFromStart:
		data := b.log.between(b.bus.started, max(b.bus.told, b.bus.started))
		b.send(&dgt.BusFromStart{From: from, Data: data})
	case dgt.BusSendPing, dgt.BusRandomPing:
		b.answerPing(0)
	case dgt.BusIgnoreNextPing:
		b.bus.shutNext = true
		b.answerPing(0)
	case dgt.BusEnd:
		b.mode = modeIdle
	case dgt.BusReset:
		b.powerUp()
	case dgt.BusSendVersion:
		b.sendBusVersion()
	}
}

func (b *Board) answerPing(after time.Duration) {
	from := b.config.Identity.address()
	b.later(b.now+after, func(b *Board) {
		if b.mode == modeBus {
			b.send(&dgt.BusPing{From: from})
		}
	})
}

func (b *Board) sendBusVersion() {
	v := b.config.Identity.Firmware
	b.send(&dgt.BusVersion{From: b.config.Identity.address(), Major: v.Major, Minor: v.Minor, Known: true})
}

// sendChanges delivers what has been logged since the last time.
func (b *Board) sendChanges() {
	b.bus.packet = append(b.bus.packet[:0], b.log.between(b.bus.told, b.log.written)...)
	b.bus.told = b.log.written
	b.send(&dgt.BusChanges{From: b.config.Identity.address(), Data: b.bus.packet})
}
