package broadcast

import (
	"maps"
	"time"
)

// delayQueue holds changes back until they are old enough for spectators. Only who plays may be seen at once: the
// tags of the game that spectators see, or of the first one on a board. Pure: time is an argument.
type delayQueue struct {
	delay time.Duration
	held  []heldChange // in the order in which they came
	seats map[int]*heldSeat
}

type heldChange struct {
	due time.Time // never before that of the one in front
	c   Change
}

// heldSeat is what is known of a board's games on both sides of the delay.
type heldSeat struct {
	begun, shown int
	// names are the newest open tags of each game from the one shown on, by its number from 1.
	names map[int]map[string]string
}

func newDelayQueue(delay time.Duration) delayQueue {
	return delayQueue{delay: delay, seats: map[int]*heldSeat{}}
}

// openTags tell who plays where, and nothing of how.
var openTags = map[string]bool{
	"Event": true, "Site": true, "Date": true, "Round": true, "Board": true, "TimeControl": true,
	"EventDate": true, "Section": true, "Stage": true,
	"White": true, "WhiteElo": true, "WhiteTitle": true, "WhiteFideId": true, "WhiteTeam": true, "WhiteNA": true, "WhiteFederation": true, "WhiteType": true,
	"Black": true, "BlackElo": true, "BlackTitle": true, "BlackFideId": true, "BlackTeam": true, "BlackNA": true, "BlackFederation": true, "BlackType": true,
}

func split(tags map[string]string, open bool) map[string]string {
	part := map[string]string{}
	for name, value := range tags {
		if openTags[name] == open {
			part[name] = value
		}
	}
	return part
}

// put takes a change that happened at now. ok says that early may be shown at once.
func (q *delayQueue) put(now time.Time, c Change) (early Change, ok bool) {
	due := now.Add(q.delay)
	if n := len(q.held); n > 0 {
		due = later(due, q.held[n-1].due)
	}
	q.held = append(q.held, heldChange{due, c})
	if c.Type != TypeGame && c.Type != TypeTags {
		return early, false
	}
	s := q.seat(c.Board)
	if c.Type == TypeGame {
		s.begun++
	}
	names := split(c.Tags, true)
	s.names[s.begun] = names
	// Those of a later game would tell that the one shown is over.
	if s.begun != s.shown && s.begun > 1 {
		return early, false
	}
	return Change{Type: TypeTags, Board: c.Board, AtMS: c.AtMS, Tags: names}, true
}

// saw notes a change that was shown without having been held here.
func (q *delayQueue) saw(c Change) {
	if c.Type != TypeGame && c.Type != TypeTags {
		return
	}
	s := q.seat(c.Board)
	if c.Type == TypeGame {
		s.begun++
		s.shown++
	}
	s.names = map[int]map[string]string{s.begun: split(c.Tags, true)}
}

func (q *delayQueue) seat(board int) *heldSeat {
	s := q.seats[board]
	if s == nil {
		s = &heldSeat{names: map[int]map[string]string{}}
		q.seats[board] = s
	}
	return s
}

// next is when the next change may be shown; ok is false when none is held. One that is kept after noted has to
// be noted first, not before then.
func (q *delayQueue) next(noted uint64, then time.Time) (at time.Time, ok bool) {
	if len(q.held) == 0 {
		return at, false
	}
	first := &q.held[0]
	if first.c.Kept > noted {
		return later(first.due, then), true
	}
	return first.due, true
}

// ripe counts the changes in front that are old enough and kept up to noted. upto is how far everything that
// is old enough is kept, 0 when that is no further.
func (q *delayQueue) ripe(now time.Time, noted uint64) (n int, upto uint64) {
	for i := range q.held {
		if now.Before(q.held[i].due) {
			break
		}
		if kept := q.held[i].c.Kept; kept > noted {
			upto = max(upto, kept)
		}
		if upto == 0 {
			n++
		}
	}
	return n, upto
}

// pop takes out the first n changes.
func (q *delayQueue) pop(n int) (old []Change) {
	for i := range n {
		c := q.held[i].c
		q.name(&c)
		old = append(old, c)
	}
	clear(q.held[:n]) // frees what they hold
	if q.held = q.held[n:]; len(q.held) == 0 {
		q.held = nil
	}
	return old
}

// name gives a game, or new tags of one, the names that are known by now: those
// that were shown early must not go back to older ones.
func (q *delayQueue) name(c *Change) {
	if c.Type != TypeGame && c.Type != TypeTags {
		return
	}
	s := q.seats[c.Board]
	if c.Type == TypeGame {
		delete(s.names, s.shown)
		s.shown++
	}
	tags := split(c.Tags, false)
	maps.Copy(tags, s.names[s.shown])
	c.Tags = tags
}
