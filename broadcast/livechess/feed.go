package livechess

import (
	"encoding/json"
	"slices"
	"time"
)

// clockEvery is the least time between two readings of a clock that only tell that it goes on.
const clockEvery = time.Second

// feed is what one client hears of one board, and what it has heard.
type feed struct {
	client *client
	id     feedID
	board  *board
	game   explanation // nil before the client has set one up

	start   string // what was told last
	san     []string
	match   bool
	clock   *Clock
	clockAt time.Time
}

// all tells everything that is known: to a client that begins, or that has missed something.
func (f *feed) all(now time.Time, flipped bool) event {
	e := event{Serial: f.board.serial, Flipped: flipped}
	f.tellBoard(&e)
	f.tellClock(now, &e)
	if f.game != nil {
		f.tellGame(&e)
	}
	return e
}

// setUp tells of a game that has been set up.
func (f *feed) setUp(flipped bool) event {
	e := event{Serial: f.board.serial, Flipped: flipped}
	f.tellBoard(&e)
	f.tellGame(&e)
	return e
}

// moved tells that men stand otherwise, or that this has been explained: the list of moves comes with it when it is another
// one, or when the men have come to agree with it.
func (f *feed) moved(men, flipped bool) (e event, news bool) {
	e = event{Serial: f.board.serial, Flipped: flipped}
	if f.game != nil {
		start, san, match := f.game.told()
		if start != f.start || !slices.Equal(san, f.san) || match && !f.match {
			f.tellBoard(&e)
			f.tellGame(&e)
			return e, true
		}
	}
	if men {
		f.tellBoard(&e)
	}
	return e, men
}

// ticked tells what the clock shows, if that is due.
func (f *feed) ticked(now time.Time, flipped bool) (e event, news bool) {
	clock := f.board.clock
	switch {
	case !clock.sameRun(f.clock):
	case clock.sameTimes(f.clock), now.Sub(f.clockAt) < clockEvery:
		return e, false
	}
	e = event{Serial: f.board.serial, Flipped: flipped}
	f.tellClock(now, &e)
	return e, true
}

func (f *feed) tellBoard(e *event) {
	if f.board.seen {
		text := f.board.text // a copy: the board goes on
		e.Board = &text
	}
}

func (f *feed) tellClock(now time.Time, e *event) {
	f.clock, f.clockAt = f.board.clock, now
	e.Clock = json.RawMessage(encode(f.clock))
}

func (f *feed) tellGame(e *event) {
	f.start, f.san, f.match = f.game.told()
	match := f.match
	e.Start, e.SAN, e.Match = f.start, f.san, &match
}
