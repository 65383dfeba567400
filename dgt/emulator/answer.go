package emulator

import (
	"strings"
	"time"

	"boardd/dgt"
)

// answers is what the electronics keep of the clock commands they passed on.
type answers struct {
	waiting bool // one has not been answered yet
	failing map[dgt.ClockOp]failing
	last    dgt.ClockAck  // the last answer, while it is repeated
	until   time.Duration // as long as it is repeated
	count   int           // of commands, so that an old answer knows it is old
}

// failing is an answer that the next commands of a kind get.
type failing struct {
	result dgt.AckResult
	left   int
}

// forget is a loss of power. What was to fail still will.
func (a *answers) forget() { a.waiting, a.until, a.count = false, 0, a.count+1 }

// FailNext makes the clock answer the next n commands of a kind with a result and
// not carry them out.
func (b *Board) FailNext(op dgt.ClockOp, result dgt.AckResult, n int) {
	if b.answers.failing == nil {
		b.answers.failing = map[dgt.ClockOp]failing{}
	}
	b.answers.failing[op] = failing{result, n}
}

// fails takes one failure that FailNext has ordered.
func (a *answers) fails(op dgt.ClockOp) (dgt.AckResult, bool) {
	f := a.failing[op]
	if f.left <= 0 {
		return 0, false
	}
	f.left--
	a.failing[op] = f
	return f.result, true
}

// happens draws for a fault.
func (b *Board) happens(share float64) bool { return share > 0 && b.luck.Float64() < share }

// obeyClock passes a command on to the clock, which carries it out and answers. A
// command that overlaps the one before is not carried out.
func (b *Board) obeyClock(op dgt.ClockOp, c dgt.Command) {
	f := &b.config.Faults
	if b.happens(f.ZeroTime) {
		b.later(b.now+100*time.Millisecond, func(b *Board) {
			if b.mode.clocks() {
				b.send(&dgt.ClockTime{})
			}
		})
	}
	switch {
	case b.happens(f.LoseCommand):
	case b.answers.waiting || b.clock.plugged && b.happens(f.Busy):
		b.later(b.now+50*time.Millisecond, func(b *Board) { b.sendAck(dgt.ClockAck{Ack: [4]byte{byte(dgt.AckBusy)}}) })
	case b.clock.plugged:
		if d := b.clockLag.Command; d > 0 {
			b.answers.waiting = true
			b.later(b.now+d, func(b *Board) { b.carryOut(op, c) })
		} else {
			b.carryOut(op, c)
		}
	}
}

// carryOut is the command at the clock.
func (b *Board) carryOut(op dgt.ClockOp, c dgt.Command) {
	ack := dgt.ClockAck{Ack: [4]byte{byte(dgt.AckRefused), byte(op)}}
	if result, fails := b.answers.fails(op); fails {
		ack.Ack[0] = byte(result)
	} else if b.clock.obey(op, c) {
		ack.Ack[0] = byte(dgt.AckOK)
	}
	if v := b.clock.version; op == dgt.OpVersion {
		ack.Ack[2] = v.Main<<4 | v.Sub&0x0f
	}
	if ack.OK() && op == dgt.OpSetAndRun {
		b.clockSays()
	}
	b.acknowledge(op, ack)
}

// acknowledge answers a clock command after a while and with what the faults do to
// the answer. Nothing is ever answered without a clock.
func (b *Board) acknowledge(op dgt.ClockOp, ack dgt.ClockAck) {
	f := &b.config.Faults
	lost := f.LoseAck > 0 && b.cable.Float64() < f.LoseAck
	delay := ackDelay(op, b.cable.Float64())
	if f.LateAck > 0 && (f.LateShare == 0 || b.happens(f.LateShare)) {
		delay += f.LateAck
	}
	if b.happens(f.BadAck) {
		other := dgt.OpEndDisplay
		if op == other {
			other = dgt.OpBeep
		}
		ack.Ack[1] = byte(other)
	}
	repeated := b.happens(f.RepeatAck)
	b.answers.waiting = true
	b.answers.count++
	number := b.answers.count
	b.later(b.now+delay, func(b *Board) {
		if number != b.answers.count {
			return // the electronics have lost power meanwhile
		}
		b.answers.waiting = false
		if lost || !b.sendAck(ack) || !repeated {
			return
		}
		b.answers.last, b.answers.until = ack, b.now+time.Second
		b.later(b.now+ackPoll, func(b *Board) { b.sendAck(ack) })
	})
}

// ackPoll is how long a Bluetooth board keeps an answer before it looks at the
// clock again: it does so two or three times a second.
const ackPoll = 400 * time.Millisecond

// ackDelay is how long a clock takes to answer, at a point from 0 to 1 of its
// spread (fact sheet 5.3: a version took 367 ms, texts 70 to 100 ms).
func ackDelay(op dgt.ClockOp, at float64) time.Duration {
	least, most := 70*time.Millisecond, 400*time.Millisecond
	switch op {
	case dgt.OpVersion:
		least = 340 * time.Millisecond
	case dgt.OpASCII, dgt.OpRevelationASCII, dgt.OpDisplay:
		most = 100 * time.Millisecond
	}
	return least + time.Duration(at*float64(most-least))
}

// sendAck tells the host what the clock answered, if the mode lets it through.
func (b *Board) sendAck(ack dgt.ClockAck) bool {
	if !b.clock.plugged || !b.mode.clocks() {
		return false
	}
	b.send(&ack)
	return true
}

// answerAgain sends the last answer in place of the time, if that is how the board
// is, and reports whether it did.
func (b *Board) answerAgain() bool {
	if b.now >= b.answers.until {
		return false
	}
	return b.sendAck(b.answers.last)
}

// obey carries out a command and reports whether the clock takes it.
func (c *clock) obey(op dgt.ClockOp, command dgt.Command) bool {
	switch op {
	case dgt.OpDisplay:
		c.text = segmentText(command)
		return true
	case dgt.OpASCII:
		if c.version.Main < 2 {
			return false
		}
		text, ok := command.Text()
		c.text = strings.TrimRight(text, " ")
		return ok
	case dgt.OpEndDisplay:
		c.text = ""
		return true
	case dgt.OpIcons, dgt.OpButton, dgt.OpBeep, dgt.OpVersion:
		return true
	case dgt.OpSetAndRun:
		left, right, run, ok := command.SetAndRun()
		up := run&(dgt.CountUpLeft|dgt.CountUpRight) != 0
		return ok && !(up && c.version.Main < 2) && c.setAndRun(left, right, run)
	}
	return false
}

// segmentText reads the six characters of a DISPLAY command; what has no letter
// is a question mark.
func segmentText(c dgt.Command) string {
	args := c.ClockArgs(nil)
	if len(args) < dgt.DisplayLen {
		return ""
	}
	text := make([]byte, 0, dgt.DisplayLen)
	for _, i := range [dgt.DisplayLen]int{2, 1, 0, 5, 4, 3} { // each half comes backwards
		l, ok := segmentLetters[args[i]]
		if !ok {
			l = '?'
		}
		text = append(text, l)
	}
	return strings.TrimRight(string(text), " ")
}

// segmentLetters says what a set of segments looks like. Where a digit and a letter
// look the same it is the digit.
var segmentLetters = func() map[byte]byte {
	letters := map[byte]byte{}
	for _, l := range []byte(" -_=0123456789abcdefghijlnopqrstuy") {
		c, err := dgt.Display(string(l), false)
		if err != nil {
			continue
		}
		if segments := c.ClockArgs(nil)[2]; letters[segments] == 0 {
			letters[segments] = l
		}
	}
	return letters
}()
