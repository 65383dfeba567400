package venue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boardd/broadcast"
	"boardd/broadcast/uplink"
	"boardd/journal"
	"boardd/rules"
)

// chronicle is a journal that grows at random, over restarts of the daemon.
type chronicle struct {
	t       *testing.T
	file    string
	rng     *rand.Rand
	journal *journal.Journal
	found   *journal.Recovered
	now     time.Duration // session time
	games   map[int]*rules.Game
	ids     map[int]journal.GameID
}

func newChronicle(t *testing.T, seed uint64) *chronicle {
	c := &chronicle{t: t, file: filepath.Join(t.TempDir(), journal.File), rng: rand.New(rand.NewPCG(seed, 3)),
		games: map[int]*rules.Game{}, ids: map[int]journal.GameID{}}
	c.open()
	return c
}

func (c *chronicle) open() {
	c.t.Helper()
	var err error
	if c.journal, c.found, err = journal.Open(c.file, journal.Options{Wait: time.Nanosecond}); err != nil {
		c.t.Fatal(err)
	}
	c.now = 0
	c.add(0, journal.InForce{What: journal.InForceConfig}) // the start is durable, too
}

func (c *chronicle) close() {
	c.t.Helper()
	if err := c.journal.Close(context.Background(), "test"); err != nil {
		c.t.Fatal(err)
	}
}

// add appends facts and waits until they are durable.
func (c *chronicle) add(table int, facts ...journal.Fact) {
	c.t.Helper()
	done := make(chan error, 1)
	err := c.journal.Append(journal.Batch{At: c.now, Table: table, Game: c.ids[table], Facts: facts, Done: func(_ journal.Receipt, err error) { done <- err }})
	if err == nil {
		err = <-done
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// grow has something happen at a table.
func (c *chronicle) grow() {
	c.t.Helper()
	c.now += time.Duration(c.rng.IntN(4000)) * time.Millisecond
	table := 1 + c.rng.IntN(5)
	g := c.games[table]
	switch {
	case g == nil || g.Len() > 40 && c.rng.IntN(4) == 0:
		c.games[table], c.ids[table] = rules.NewGame(rules.Start()), c.journal.NewGame()
		c.add(table, journal.Begun{FEN: rules.StartFEN, Tags: rules.Tags{{Name: "White", Value: fmt.Sprint(table)}}})
	case g.Len() > 4 && c.rng.IntN(8) == 0: // a correction, in one batch
		n := g.Len() - c.rng.IntN(3)
		if err := g.ReplaceFrom(n, nil); err != nil {
			c.t.Fatal(err)
		}
		facts := []journal.Fact{journal.Retracted{N: n, Who: journal.Tracker}}
		if c.push(g) {
			facts = append(facts, journal.PlyOf(g, g.Len(), 0))
		}
		c.add(table, facts...)
	case c.rng.IntN(10) == 0:
		c.add(table, journal.Alert{Code: "move.illegal", Step: journal.Raised}, journal.Link{Up: c.rng.IntN(2) == 0})
	case c.push(g):
		n := g.Len()
		c.add(table, journal.PlyOf(g, n, 0), journal.Clock{N: n, Left: time.Duration(5000-n) * time.Second}, journal.Firm{N: n})
	}
}

func (c *chronicle) push(g *rules.Game) bool {
	var moves rules.MoveList
	g.Current().LegalMoves(&moves)
	return moves.Len() > 0 && g.Push(moves.At(c.rng.IntN(moves.Len()))) == nil
}

// all is everything that may ever leave, told from the beginning at once.
func (c *chronicle) all() *uplink.State {
	c.t.Helper()
	o := NewOutgoing(c.journal, c.found, 0, func() time.Duration { return 0 }, nil)
	s := uplink.NewState(hall)
	send(c.t, o, s, 1<<30)
	return s
}

var hall = map[string]uplink.Seats{"hall": {First: 1, Last: 99, As: 1}}

// send takes what may leave to a hub, at most so many batches.
func send(t *testing.T, o *Outgoing, s *uplink.State, batches int) (changes []broadcast.Change) {
	t.Helper()
	epoch, err := o.Epoch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range batches {
		at := s.Place("hall").N
		list, err := o.After(t.Context(), at, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			return changes
		}
		b := uplink.Batch{Venue: "hall", Epoch: epoch, After: at, N: list[len(list)-1].N}
		for _, one := range list {
			b.Changes = append(b.Changes, one.Changes...)
		}
		got, faults, err := s.Take(b, 0)
		if err != nil || len(faults) > 0 {
			t.Fatalf("batch after %d: %v, faults %v", at, err, faults)
		}
		changes = append(changes, got...)
	}
	return changes
}

var sameBoards = cmp.Options{cmpopts.IgnoreUnexported(broadcast.Board{}), cmpopts.IgnoreFields(broadcast.Board{}, "Game", "TimeMS"), cmpopts.EquateEmpty()}

func outgoingSeeds() uint64 {
	if testing.Short() {
		return 2
	}
	return 6
}

// Whatever is killed when, the venue, the hub, or the connection, the hub ends with what the
// venue has, and takes every number once.
func TestOutgoingOverKills(t *testing.T) {
	for seed := uint64(1); seed <= outgoingSeeds(); seed++ {
		c := newChronicle(t, seed)
		s := uplink.NewState(hall)
		kept := uplink.NewState(hall) // what is on the hub's disk
		session := func() time.Duration { return c.now }
		o := NewOutgoing(c.journal, c.found, 0, session, nil)
		copied := func() *uplink.State {
			fresh := uplink.NewState(hall)
			fresh.Restore(s.Boards(), map[string]uplink.Place{"hall": s.Place("hall")})
			return fresh
		}
		for range 250 {
			switch c.rng.IntN(12) {
			case 0: // the venue
				c.close()
				c.open()
				o = NewOutgoing(c.journal, c.found, 0, session, nil)
			case 1: // the connection
				o = NewOutgoing(c.journal, c.found, 0, session, nil)
			case 2: // the hub
				s = kept
				kept = copied()
			case 3:
				kept = copied()
			case 4, 5, 6:
				send(t, o, s, 1+c.rng.IntN(3))
			default:
				c.grow()
			}
		}
		send(t, o, s, 1<<30)
		if diff := cmp.Diff(c.all().Boards(), s.Boards(), sameBoards); diff != "" {
			t.Errorf("seed %d (-venue +hub):\n%s", seed, diff)
		}
		c.close()
	}
}

// With a delay nothing leaves before its time, over restarts too, and all of it then.
func TestOutgoingWaits(t *testing.T) {
	const delay = 20 * time.Second
	for seed := uint64(1); seed <= outgoingSeeds()/2; seed++ {
		c := newChronicle(t, seed)
		s := uplink.NewState(hall)
		session := func() time.Duration { return c.now }
		o := NewOutgoing(c.journal, c.found, delay, session, nil)
		// When each fact may leave, by a reckoning of the test's own: the time that the daemon
		// ran since, the runs in between left out.
		up := time.Duration(0)
		began := map[int]time.Duration{c.journal.Run(): 0} // by run
		born := map[uint64]time.Duration{}
		last := uint64(0)
		note := func() {
			err := c.journal.Since(t.Context(), last, func(e journal.Entry) error {
				last = e.Seq
				born[e.Seq] = began[e.Run] + e.At
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for range 250 {
			if c.rng.IntN(15) == 0 {
				up += c.now
				c.close()
				c.open()
				began[c.journal.Run()] = up
				note()
				o = NewOutgoing(c.journal, c.found, delay, session, nil)
			}
			c.grow()
			note()
			send(t, o, s, 1<<30)
			for seq := uint64(1); seq <= s.Place("hall").N; seq++ {
				if age := up + c.now - born[seq]; age < delay {
					t.Fatalf("seed %d: fact %d left after %v", seed, seq, age)
				}
			}
		}
		c.now += delay
		send(t, o, s, 1<<30)
		if diff := cmp.Diff(c.all().Boards(), s.Boards(), sameBoards); diff != "" {
			t.Errorf("seed %d (-venue +hub):\n%s", seed, diff)
		}
		c.close()
	}
}

// A run without a delay tells that everything to come is public; a later run with one
// keeps its own facts all the same.
func TestOutgoingAfterARunWithoutADelay(t *testing.T) {
	c := newChronicle(t, 5)
	for range 20 {
		c.grow()
	}
	c.add(0, journal.Released{Upto: PastMax})
	c.close()
	c.open()
	before := c.found.LastSeq
	for range 20 {
		c.grow()
	}
	s := uplink.NewState(hall)
	o := NewOutgoing(c.journal, c.found, time.Hour, func() time.Duration { return c.now }, nil)
	send(t, o, s, 1<<30)
	if n := s.Place("hall").N; n != before {
		t.Errorf("facts up to %d left, want those of the run before, up to %d", n, before)
	}
	c.close()
}

func TestOutgoingOfAnEmptyJournal(t *testing.T) {
	c := newChronicle(t, 1)
	defer c.close()
	o := NewOutgoing(c.journal, c.found, 0, func() time.Duration { return 0 }, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.After(ctx, 0, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	c.add(1, journal.Begun{FEN: rules.StartFEN})
	if epoch, err := o.Epoch(t.Context()); err != nil || epoch == "" {
		t.Errorf("epoch %q, error %v", epoch, err)
	}
	list, err := o.After(t.Context(), 0, 10)
	if err != nil || len(list) != 1 || len(list[0].Changes) != 1 {
		t.Errorf("%+v, error %v", list, err)
	}
}
