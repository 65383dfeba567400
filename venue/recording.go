package venue

import (
	"maps"
	"slices"
	"strings"
	"time"

	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/rules"
)

// A table is recorded on one tape a game: the men set up again after a result begin another
// one, and so does the end of a trouble (a full disk, a pipeline that panicked). The first tape of a
// run holds everything. One that begins later begins with what had been seen by then: its
// header has the position, and its first events are a dump of the board and a reading of
// the clock, made from the last ones that came.

// retape is how long a table that is not recorded waits before it tries a new tape.
const retape = 10 * time.Second

// opening is what a tape begins with.
type opening struct {
	at    time.Duration
	board string            // serial number
	fen   string            // the position, "" for the table's usual one
	side  string            // White's side of the clock, "" where it is not known
	tags  map[string]string // of the game
	after *recorder         // the one before it, nil for none
}

// sight is what a board and its clock have said last, as they would say it again.
type sight struct {
	placement dgt.Placement
	whole     bool
	clock     dgt.ClockTime
	version   dgt.ClockAck
	hasClock  bool
	versioned bool
}

// take notes what matters of a message.
func (s *sight) take(m dgt.Message) {
	switch m := m.(type) {
	case *dgt.BoardDump:
		s.placement, s.whole = m.Placement, true
	case *dgt.FieldUpdate:
		s.placement[m.Square] = m.Piece
	case *dgt.ClockTime:
		s.clock, s.hasClock = *m, true
	case *dgt.ClockAck:
		if _, is := m.Version(); is {
			s.version, s.versioned = *m, true
		}
	}
}

// bytes are what would tell it, nil while no board has been seen whole.
func (s *sight) bytes() (b []byte) {
	if !s.whole {
		return nil
	}
	b = dgt.AppendMessage(b, &dgt.BoardDump{Placement: s.placement})
	if s.versioned {
		b = dgt.AppendMessage(b, &s.version)
	}
	if s.hasClock {
		b = dgt.AppendMessage(b, &s.clock)
	}
	return b
}

// seen is what a table has seen of its board, in bytes of the board, and White's side of the
// clock where it is known.
func (t *Table) seen() (data []byte, side string) {
	if t.side.known {
		side = ClockLeft
		if t.side.side == dgt.Right {
			side = ClockRight
		}
	}
	return t.sight.bytes(), side
}

func (p *Playback) seen() ([]byte, string) { return p.Table.seen() }

// array is the start position whose men stand on the board, if one does.
func (p *Playback) array() (fen string, shown bool) {
	men := p.Table.Placement()
	start, shown := rules.StartOf(&men)
	if !shown {
		return "", false
	}
	return start.FEN(), true
}

// openTape begins a tape, with what has been seen of the position fen so far.
func (d *desk) openTape(fen string) {
	if d.record == nil {
		return
	}
	o := opening{at: d.at, board: d.board, fen: fen, tags: d.tags, after: d.tape}
	var data []byte
	if d.pipe != nil {
		data, o.side = d.pipe.seen()
	}
	d.tape, d.retape, d.played = d.record(o), d.at+retape, false
	note := func(e tape.Event) {
		e.At = d.at
		d.tape.event(e)
	}
	for _, order := range slices.Sorted(maps.Values(d.inForce)) {
		note(tape.Event{Kind: tape.Order, Text: order})
	}
	if data != nil {
		note(tape.Event{Kind: tape.Received, Data: data})
	}
	if d.down {
		note(tape.Event{Kind: tape.Link, Text: tape.LinkDown})
	}
}

// nextTape ends the tape and begins another one.
func (d *desk) nextTape(fen string) {
	if d.tape == nil {
		return
	}
	if !d.tape.over() {
		d.tape.finish()
	}
	d.openTape(fen)
}

// taped records an event. A tape that has failed is followed by a new one once the disk
// has had time.
func (d *desk) taped(e tape.Event) {
	if d.tape != nil && d.at >= d.retape && d.tape.over() {
		d.openTape(d.fen)
	}
	d.tape.event(e)
	if e.Kind != tape.Order {
		return
	}
	if verb, _, _ := strings.Cut(e.Text, " "); verb == "tc" {
		if d.inForce == nil {
			d.inForce = map[string]string{}
		}
		d.inForce[verb] = e.Text // for the tapes to come; White's side is in their headers
	}
}

// betweenGames begins the tape of the next game, once one has been played: when it is
// ordered, or when the men are set up again after the result. The game itself is told of with
// its first move only, when it is too late.
func (d *desk) betweenGames() {
	if d.tape == nil || d.pipe == nil || !d.played {
		return
	}
	fen := d.fen
	if !d.fresh {
		array, shown := d.pipe.array()
		if !d.result || !shown {
			return
		}
		fen = array
	}
	d.tape.event(tape.Event{At: d.at, Kind: tape.Order, Text: OrderNext})
	d.nextTape(fen)
}

// OrderNext is the last order on the tape of a game: the next game is on a tape of its own.
const OrderNext = "next"
