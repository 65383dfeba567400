package emulator

import (
	"time"

	"boardd/dgt"
)

// news is a reading on its way from the clock to the board.
type news struct {
	made, at time.Duration
	time     dgt.ClockTime
}

// mergeWithin is how close two changes of the clock are told as one, such as a
// tick and the press in the same instant.
const mergeWithin = 12 * time.Millisecond

// clockSays sends what the clock shows now on its way to the board.
func (b *Board) clockSays() {
	t := b.clock.reading()
	if n := len(b.news); n > 0 {
		last := &b.news[n-1]
		if b.now-last.made < mergeWithin {
			last.time = t
			return
		}
		b.news = append(b.news, news{b.now, max(last.at, b.now+b.lag()), t})
		return
	}
	b.news = append(b.news, news{b.now, b.now + b.lag(), t})
}

// hearClock takes the next reading from the clock.
func (b *Board) hearClock() {
	t := b.news[0].time
	b.news = b.news[1:]
	if t == b.shown || b.unplugged && b.config.BusPowered {
		return
	}
	if old := b.shown; !t.NoClock && !old.NoClock && t.LeverHigh != old.LeverHigh {
		halted := old.LeverHigh
		b.log.add(b.now, dgt.LogEvent{Kind: dgt.LogClock, Side: halted, Time: t.Face(halted).Time})
	}
	b.shown = t
	if b.mode.clocks() {
		b.sendClock()
	}
}

// sendClock sends the time as the board knows it.
func (b *Board) sendClock() {
	b.sentClock = b.now
	t := b.shown
	b.send(&t)
}

// repeatAt is when the time is due again although it has not changed.
func (b *Board) repeatAt() time.Duration {
	if b.mode != modeUpdate || b.unplugged {
		return never
	}
	return b.sentClock + time.Second
}

// send puts a message on the line.
func (b *Board) send(m dgt.Message) {
	if b.unplugged {
		return
	}
	b.scratch = dgt.AppendMessage(b.scratch[:0], m)
	b.line.push(b.now, b.scratch)
}

// press pushes the lever of the clock.
func (b *Board) press(s dgt.Side) {
	if b.clock.press(s) {
		b.clockSays()
	}
}

// button presses a button of the clock.
func (b *Board) button(k dgt.Button) {
	if !b.clock.remote {
		if k == dgt.ButtonRun {
			b.clock.startStop()
			b.clockSays()
		}
		return
	}
	held := [...]dgt.Held{
		dgt.ButtonBack: dgt.HeldBack, dgt.ButtonPlus: dgt.HeldPlus, dgt.ButtonRun: dgt.HeldRun,
		dgt.ButtonMinus: dgt.HeldMinus, dgt.ButtonOK: dgt.HeldOK,
	}
	if k == dgt.ButtonNone || int(k) >= len(held) {
		return
	}
	// The low bits of ack2 follow the lever.
	b.later(b.now+b.lag(), func(b *Board) {
		b.report(dgt.ReportButton, byte(held[k])|1<<b.clock.lever, 0x30+byte(k))
	})
}

// report is something the clock says of its own accord.
func (b *Board) report(r dgt.ClockReport, ack2, ack3 byte) {
	if b.clock.plugged && b.mode.clocks() {
		b.send(&dgt.ClockAck{Ack: [4]byte{byte(dgt.AckOK), byte(r), ack2, ack3}})
	}
}
