// Package tape reads and writes recorded sessions of one board: which bytes
// went to and fro, when the link went down and up, and what was ordered. A
// tape is how a fault is reported and how it becomes a test.
//
// It is a text format, UTF-8 with LF:
//
//	boardd-tape 1
//	# start: 2026-11-30T10:00:00Z
//	0 > 40
//	105 < 930005
//	107 < 0102
//	9000 ! down
//	18000 ! up
//	20000 @ result 1-0
//	21000 @ end
//
// A line is the time in milliseconds since the start, a mark, and a payload.
// Times never decrease. Lines beginning with "#" are headers before the first
// event and comments after it; empty lines mean nothing.
//
// The package does not interpret bytes or orders; packages dgt and venue do.
package tape

import (
	"time"
)

// Magic is the first line of every tape of this version.
const Magic = "boardd-tape 1"

// Kind is an event's mark on the tape.
type Kind byte

// The four marks.
const (
	Received Kind = '<' // bytes from board to host
	Sent     Kind = '>' // bytes from host to board
	Link     Kind = '!' // Text is LinkDown or LinkUp
	Order    Kind = '@' // Text is the order, such as "result 1-0"
)

// Texts of a Link event.
const (
	LinkDown = "down"
	LinkUp   = "up"
)

// String returns "received", "sent", "link" or "order".
func (k Kind) String() string {
	switch k {
	case Received:
		return "received"
	case Sent:
		return "sent"
	case Link:
		return "link"
	case Order:
		return "order"
	}
	return "unknown"
}

// Event is one line of a tape.
type Event struct {
	At   time.Duration // since the start, in whole milliseconds
	Kind Kind
	Data []byte // of Received and Sent: at least one byte, cut anywhere
	Text string // of Link and Order: not empty
	Line int    // in the file, from 1; 0 if it came from no file
}

// Field is one header line.
type Field struct{ Key, Value string }

// Header is what a tape says of itself before its first event, in file order.
// Keys in use: start (RFC 3339), fen, serial, tc, white_side, note.
type Header []Field

// Get returns the value of the first field with this key, or "".
func (h Header) Get(key string) string {
	for _, f := range h {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// Tape is a whole recorded session.
type Tape struct {
	Start  time.Time // zero if the tape does not say
	Header Header    // the start included
	Events []Event
	Torn   bool // the last line was cut off by a crash, and left out
}
