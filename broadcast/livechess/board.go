package livechess

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/broadcast"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// Seat is what a board at a table tells at one moment, for a live server.
type Seat struct {
	Table  int    // its number, from 1
	Serial string // of the board
	Port   string // the device it is on
	Here   bool   // it answers
	// Men is what stands where as the sensors read it, White's first row first whichever way the board stands. It means nothing
	// before a whole board has been read (Seen). Whole says that one has been read just now.
	Men         rules.Placement
	Seen, Whole bool
	// Clock is what the clock shows, by players; Connected false for no clock.
	Clock reconstruct.Reading
}

// board is one board as the API shows it.
type board struct {
	serial string
	table  int
	port   string
	state  string // "" for one that was never active
	here   bool

	seen  bool // what stands on it is known
	men   rules.Placement
	text  string // men as FEN has them
	clock *Clock

	reading  reconstruct.Reading // live only
	hasClock bool
	game     *broadcast.Board // public only

	feeds []*feed // of it, in the order in which they were asked for
}

// sit takes what a seat tells.
func (b *board) sit(now time.Time, s *Seat) {
	b.table, b.port, b.here = s.Table, s.Port, s.Here
	b.state = stateActive
	if !s.Here {
		b.state = stateNotResponding
	}
	if s.Seen {
		b.seen, b.men, b.text = true, s.Men, s.Men.String()
	}
	switch {
	case !s.Clock.Connected:
		b.clock, b.hasClock, b.reading = nil, false, s.Clock
	case !b.hasClock || b.reading != s.Clock:
		var run *bool
		if s.Clock.Running {
			white := s.Clock.ToMove == rules.White
			run = &white
		}
		b.clock, b.hasClock, b.reading = newClock(s.Clock.White, s.Clock.Black, run, now), true, s.Clock
	}
}

// show takes what the public view has of a table. nowMS is the view's own time: how old a reading is there, it is here too.
func (b *board) show(now time.Time, g *broadcast.Board, nowMS int64, delayed bool) {
	b.game, b.table, b.seen, b.text = g, g.Board, true, menOf(g.FEN)
	b.here = g.Status == broadcast.LinkLive || g.Status == broadcast.LinkBack
	switch {
	case g.Status == broadcast.LinkWaiting:
		b.state = ""
	case !b.here:
		b.state = stateNotResponding
	case delayed:
		b.state = stateDelayed
	default:
		b.state = stateActive
	}
	b.clock = clockOf(now, g, nowMS)
}

// clockOf is the reading that a view has of a table; nil where it has none.
func clockOf(now time.Time, g *broadcast.Board, nowMS int64) *Clock {
	if g.WhiteMS == nil || g.BlackMS == nil {
		return nil
	}
	var run *bool
	if g.Running != "" {
		white := g.Running == broadcast.RunningWhite
		run = &white
	}
	at := now.Add(-max(0, time.Duration(nowMS-g.TimeMS)*time.Millisecond))
	return newClock(time.Duration(*g.WhiteMS)*time.Millisecond, time.Duration(*g.BlackMS)*time.Millisecond, run, at)
}

// menOf is the first field of a FEN.
func menOf(fen string) string {
	men, _, _ := strings.Cut(fen, " ")
	return men
}

func (b *board) object(flipped bool) eboard {
	o := eboard{Serial: b.serial, State: orNull(b.state), Comment: orNull(fmt.Sprintf("table %d", b.table)), Flipped: flipped, Clock: b.clock}
	if b.here && b.port != "" {
		o.Source = orNull(filepath.Base(b.port))
	}
	if b.seen {
		o.Board = &b.text
	}
	return o
}

// rank sorts boards that play before the others: the client that most people use takes the first (fact sheet, A.6).
func (b *board) rank() int {
	return slices.Index([]string{stateActive, stateDelayed, stateNotResponding, ""}, b.state)
}

func byRank(a, b *board) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.table, b.table), cmp.Compare(a.serial, b.serial))
}
