package dgt

import (
	"fmt"
	"time"
)

// LogEvent is one entry of a board's EEPROM log or of a bus change packet
// (section 7). The log has no fine times; a change only says whether it came
// within about 250 ms of the entry before it.
type LogEvent struct {
	Kind   LogKind
	Code   byte // the entry's first byte
	Offset int  // where it is in the data

	Square Square // of a LogChange: what now stands where
	Piece  Piece
	Soon   bool // less than about 250 ms after the entry before

	Side Side          // of a LogClock: the side that was halted
	Time time.Duration // what it showed then, in whole seconds
}

// LogKind says what a LogEvent is.
type LogKind uint8

// The kinds of entry.
const (
	LogUnknown             LogKind = iota // a byte no source explains, or a torn entry
	LogChange                             // Square, Piece, Soon
	LogClock                              // Side, Time; written when the lever moves
	LogPowerUp                            // one change per piece follows, in any order
	LogEnd                                // end of the log
	LogFourRows                           // 16 men on the outer rows, but not the initial array
	LogEmptyBoard                         //
	LogDownloaded                         // somebody read the log
	LogStartPosition                      // the initial array
	LogStartPositionTurned                // the same from the other side
	LogStartTag                           // set by BusSetStartGame
	LogWatchdog                           // newer firmware: a debug entry
	LogNewer                              // a tag of newer firmware (10 to 3f, 7d, 7e) of unknown layout
)

var logKindNames = [...]string{
	"unknown", "change", "clock", "power-up", "end", "four-rows", "empty-board",
	"downloaded", "start-position", "start-position-turned", "start-tag", "watchdog", "newer",
}

// String names the kind as in "power-up".
func (k LogKind) String() string {
	if int(k) < len(logKindNames) {
		return logKindNames[k]
	}
	return "unknown"
}

// First bytes of entries.
const (
	logNop2      = 0x00
	logNop       = 0x7f
	logNewerLow  = 0x10
	logChange    = 0x40
	logSoonBit   = 0x10
	logClock     = 0x60
	logLeftBit   = 0x10
	logLastHour  = 9
	logFirstCode = 0x40
)

// logTags are the entries of one byte.
var logTags = [0x80]LogKind{
	0x6a: LogPowerUp, 0x6b: LogEnd, 0x6c: LogFourRows, 0x6d: LogEmptyBoard,
	0x6e: LogDownloaded, 0x6f: LogStartPosition, 0x7a: LogStartPositionTurned,
	0x7b: LogStartTag, 0x7c: LogWatchdog, 0x7d: LogNewer, 0x7e: LogNewer,
}

// ParseLog reads the entries of a log, oldest first. Fillers are left out. It
// never fails: the log is a ring, so it may begin inside an entry, and newer
// boards write tags nobody has described; such bytes become LogUnknown or
// LogNewer, one each, and reading goes on at the next byte. Where a newer tag
// carries data that looks like an entry, a false entry can result.
//
// Entries after a LogEnd are returned too: whether a board's dump or packet
// has one, and where, differs.
func ParseLog(data []byte) []LogEvent {
	var events []LogEvent
	for i := 0; i < len(data); {
		e, n := logEntry(data[i:])
		if n > 0 {
			e.Offset = i
			events = append(events, e)
		}
		i += max(n, 1)
	}
	return events
}

// logEntry reads the entry at the head of data and tells its length, 0 for a
// filler.
func logEntry(data []byte) (e LogEvent, n int) {
	c := data[0]
	e.Code = c
	switch {
	case c == logNop || c == logNop2:
		return e, 0
	case c >= 0x80 || c < logNewerLow:
		return e, 1
	case c < logFirstCode:
		e.Kind = LogNewer
		return e, 1
	case c < logClock:
		if len(data) < 2 || !Square(data[1]).Valid() {
			return e, 1
		}
		e.Kind = LogChange
		e.Square, e.Piece, e.Soon = Square(data[1]), Piece(c&0x0f), c&logSoonBit != 0
		return e, 2
	case c&0x0f > logLastHour:
		e.Kind = logTags[c]
		return e, 1
	}
	if len(data) < 3 {
		return e, 1
	}
	m, okM := fromBCD(data[1])
	s, okS := fromBCD(data[2])
	if !okM || !okS {
		return e, 1
	}
	e.Kind = LogClock
	e.Time = time.Duration(int(c&0x0f)*3600+m*60+s) * time.Second
	e.Side = Right
	if c&logLeftBit != 0 {
		e.Side = Left
	}
	return e, 3
}

// AppendLog appends an entry as a board writes it. Changes and clock entries
// are made from their fields; of the rest Code is written, or the kind's own
// byte where Code is 0.
func AppendLog(dst []byte, e LogEvent) []byte {
	switch e.Kind {
	case LogChange:
		c := logChange | byte(e.Piece)&0x0f
		if e.Soon {
			c |= logSoonBit
		}
		return append(dst, c, byte(e.Square)&0x3f)
	case LogClock:
		h, m, s := splitClock(e.Time)
		c := logClock | byte(h)
		if e.Side == Left {
			c |= logLeftBit
		}
		return append(dst, c, toBCD(m), toBCD(s))
	}
	if e.Code != 0 {
		return append(dst, e.Code)
	}
	for c, k := range logTags {
		if k == e.Kind && k != LogUnknown {
			return append(dst, byte(c))
		}
	}
	return dst
}

// String renders the entry for a log line.
func (e LogEvent) String() string {
	switch e.Kind {
	case LogChange:
		s := e.Square.String() + " " + e.Piece.String()
		if e.Soon {
			s += " soon"
		}
		return s
	case LogClock:
		return fmt.Sprintf("%v %v", e.Side, e.Time)
	case LogUnknown, LogNewer:
		return fmt.Sprintf("%v %02x", e.Kind, e.Code)
	}
	return e.Kind.String()
}
