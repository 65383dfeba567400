package venue

import (
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/journal"
)

// scribe puts what happens at one table into the journal and publishes it in the same
// order, each thing once it is durable. Without a journal it publishes at once.
//
// tell is for the table's goroutine; publishing is done there too, or by the journal's
// writer.
type scribe struct {
	journal *journal.Journal // nil: nothing is kept
	table   int
	publish func(broadcast.Change)
	log     zerolog.Logger
	game    journal.GameID

	mu   sync.Mutex
	line []*page // in order; only the head is published
}

// page is what was told at once.
type page struct {
	batches []journal.Batch // that the journal has not taken yet
	changes []broadcast.Change
	waits   bool // for the disk
	kept    uint64
}

// pagesMax bounds what waits while the journal takes nothing; by then it has been in
// trouble for an hour, and what is shown last matters more than the way to it.
const pagesMax = 20000

// begin starts a game of this table in the journal, or goes on with one.
func (s *scribe) begin(id journal.GameID) { s.game = id }

// tell takes facts and what is published of them. A Begun begins a game.
func (s *scribe) tell(at time.Duration, facts []journal.Fact, changes []broadcast.Change) {
	if s.journal == nil {
		for _, c := range changes {
			s.publish(c)
		}
		return
	}
	p := &page{changes: changes}
	add := func(facts []journal.Fact) {
		if len(facts) > 0 {
			p.batches = append(p.batches, journal.Batch{At: at, Table: s.table, Game: s.game, Facts: facts})
		}
	}
	from := 0
	for i, f := range facts {
		if _, begins := f.(journal.Begun); begins {
			add(facts[from:i])
			from, s.game = i, s.journal.NewGame()
		}
	}
	add(facts[from:])
	p.waits = len(p.batches) > 0
	s.mu.Lock()
	if len(s.line) < pagesMax {
		s.line = append(s.line, p)
	} else {
		s.log.Error().Msg("the journal has taken nothing for long; what happens at this table is neither kept nor shown")
	}
	s.mu.Unlock()
	s.write()
	s.show()
}

// write hands to the journal what it has not taken, in order.
func (s *scribe) write() {
	s.mu.Lock()
	waiting := append([]*page(nil), s.line...)
	s.mu.Unlock()
	for _, p := range waiting {
		for len(p.batches) > 0 {
			b := p.batches[0]
			if last := len(p.batches) == 1; last {
				b.Done = func(r journal.Receipt, err error) { s.done(p, r.Last, err) }
			}
			if err := s.journal.Append(b); err != nil {
				if !errors.Is(err, journal.ErrFull) && !errors.Is(err, journal.ErrClosed) {
					s.log.Error().Err(err).Msg("facts refused by the journal")
				}
				return // tried again with the next thing that happens
			}
			p.batches = p.batches[1:]
		}
	}
}

// done notes that a page is durable. When the journal was closed before, it is not,
// and nobody hears of it.
func (s *scribe) done(p *page, last uint64, err error) {
	if err != nil {
		return
	}
	s.mu.Lock()
	p.waits, p.kept = false, last
	s.mu.Unlock()
	s.show()
}

// show publishes the pages at the head of the line that wait for nothing. The lock is
// held meanwhile: two goroutines come here, and order matters.
func (s *scribe) show() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.line) > 0 && !s.line[0].waits {
		for _, c := range s.line[0].changes {
			c.Kept = s.line[0].kept
			s.publish(c)
		}
		s.line = s.line[1:]
	}
}
