package emulator

import (
	"time"

	"boardd/dgt"
)

// logSize is the cyclic log of the board in bytes, the closing EOF included.
const logSize = 0x1f00

// fillerByte stands where nothing has been written.
const fillerByte = 0x7f

// soonAfter is the gap below which an update carries the "soon" bit.
const soonAfter = 250 * time.Millisecond

// eeprom is the board's own record of everything, oldest tag first. The oldest
// tags make room for new ones.
type eeprom struct {
	tags []byte
	last int           // index of the last tag in tags
	at   time.Duration // time of the last tag
	men  [64]dgt.Piece // the last man written on each wire square

	// written counts every byte ever written, so that a bus host can be told
	// what is new. What has been told must not be overwritten.
	written int
	sealed  bool
	scratch [4]byte
}

// tagSize is the length of the tag that starts with the given byte.
func tagSize(first byte) int {
	switch {
	case first >= 0x40 && first <= 0x5f:
		return 2
	case first >= 0x60 && first <= 0x69, first >= 0x70 && first <= 0x79:
		return 3
	}
	return 1
}

func (e *eeprom) add(at time.Duration, event dgt.LogEvent) {
	tag := dgt.AppendLog(e.scratch[:0], event)
	for len(e.tags)+len(tag) > logSize-1 {
		e.tags = e.tags[tagSize(e.tags[0]):]
	}
	e.last = len(e.tags)
	e.tags = append(e.tags, tag...)
	e.written += len(tag)
	e.at, e.sealed = at, false
}

// tag writes an entry that carries no data.
func (e *eeprom) tag(at time.Duration, kind dgt.LogKind) { e.add(at, dgt.LogEvent{Kind: kind}) }

// powerUp writes what a board writes when power comes on: the men it finds, in
// whatever order.
func (e *eeprom) powerUp(at time.Duration, seen *dgt.Placement, order []int) {
	for range 3 {
		e.add(at, dgt.LogEvent{Code: fillerByte})
	}
	e.tag(at, dgt.LogPowerUp)
	for _, s := range order {
		if p := seen[s]; p != dgt.Empty {
			e.men[s] = p
			e.add(at, dgt.LogEvent{Kind: dgt.LogChange, Square: dgt.Square(s), Piece: p})
		}
	}
}

// change writes a field update. A man that flickers on his square overwrites
// the last tag instead of adding one.
func (e *eeprom) change(at time.Duration, s dgt.Square, p dgt.Piece) {
	event := dgt.LogEvent{
		Kind: dgt.LogChange, Square: s, Piece: p,
		Soon: len(e.tags) > 0 && at-e.at < soonAfter,
	}
	flicker := p == dgt.Empty || p == e.men[s]
	if p != dgt.Empty {
		e.men[s] = p
	}
	if flicker && !e.sealed && e.isChange(e.last, s) {
		dgt.AppendLog(e.tags[e.last:e.last], event)
		e.at = at
		return
	}
	e.add(at, event)
}

func (e *eeprom) isChange(i int, s dgt.Square) bool {
	return i+1 < len(e.tags) && tagSize(e.tags[i]) == 2 && e.tags[i+1] == byte(s)
}

// between returns the part of the log from one count of written bytes to
// another, as far as it is still there, and keeps it from being overwritten.
func (e *eeprom) between(from, to int) []byte {
	e.sealed = true
	first := e.written - len(e.tags)
	return e.tags[max(from-first, 0):max(to-first, 0)]
}

// dump returns the whole area as it is delivered: padded in front, oldest tag
// first, EOF last.
func (e *eeprom) dump() []byte {
	e.sealed = true
	out := make([]byte, logSize)
	pad := logSize - 1 - len(e.tags)
	for i := range pad {
		out[i] = fillerByte
	}
	copy(out[pad:], e.tags)
	dgt.AppendLog(out[:logSize-1], dgt.LogEvent{Kind: dgt.LogEnd})
	return out
}
