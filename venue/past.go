package venue

import (
	"context"
	"time"

	"boardd/broadcast"
	"boardd/journal"
)

// PastMax is a place in no journal: who has been shown everything up to there was shown
// whatever happened, at once.
const PastMax = 1<<63 - 1

// Past reads from the journal what the public view showed and what it held when the
// daemon stopped. released is up to where spectators had been shown the record; delay is
// that of the public view. The errors are those of reading.
//
// No calendar is trusted, so the time between two runs counts as none: a fact has waited
// as long as the daemon is known to have run after it.
func Past(ctx context.Context, j *journal.Journal, released uint64, delay time.Duration) (broadcast.Past, error) {
	games, err := j.Games(ctx)
	if err != nil {
		return broadcast.Past{}, err
	}
	seen := map[int]journal.GameLine{} // by table
	for _, g := range games {
		if g.Begun.Seq <= released {
			seen[g.Table] = g
		}
	}
	p := newPast(delay)
	for _, g := range seen {
		record, err := j.Game(ctx, g.Game)
		if err != nil {
			return broadcast.Past{}, err
		}
		for _, e := range record.Entries {
			if e.Seq <= released {
				p.shown(e)
			}
		}
	}
	err = j.Since(ctx, released, func(e journal.Entry) error {
		p.held(e)
		return nil
	})
	if err != nil {
		return broadcast.Past{}, err
	}
	return p.past(), nil
}

// past tells the facts of a journal again.
type past struct {
	delay  time.Duration
	retell Retelling
	games  map[int]journal.GameID // in progress, by table
	show   []broadcast.Change
	hold   []pastChange
	// before is how long the runs before the present entry's lasted together, and run the
	// present one, as far as facts tell.
	before, run time.Duration
	number      int // of the run
}

// pastChange is a change with how long the daemon had been up.
type pastChange struct {
	change broadcast.Change
	up     time.Duration
}

func newPast(delay time.Duration) *past { return &past{delay: delay, games: map[int]journal.GameID{}} }

func (p *past) tell(e journal.Entry) []broadcast.Change {
	if _, begins := e.Fact.(journal.Begun); begins {
		p.games[e.Table] = e.Game
	}
	if e.Table == 0 || e.Game != 0 && e.Game != p.games[e.Table] {
		return nil // decided later about a game that is not shown
	}
	return p.retell.Tell(e)
}

func (p *past) shown(e journal.Entry) { p.show = append(p.show, p.tell(e)...) }

// held takes all facts that were not shown, those that are no change too: they tell how
// long a run lasted.
func (p *past) held(e journal.Entry) {
	if e.Run != p.number {
		p.before, p.run, p.number = p.before+p.run, 0, e.Run
	}
	p.run = max(p.run, e.At)
	for _, c := range p.tell(e) {
		c.Kept = e.Seq
		p.hold = append(p.hold, pastChange{c, p.before + e.At})
	}
}

func (p *past) past() broadcast.Past {
	past := broadcast.Past{Shown: p.show}
	up := p.before + p.run
	for _, c := range p.hold {
		past.Held = append(past.Held, broadcast.Held{Change: c.change, Wait: max(0, p.delay-(up-c.up))})
	}
	return past
}
