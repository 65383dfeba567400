package venue

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/broadcast"
	"boardd/journal"
	"boardd/rules"
)

// hallDays is a hall whose daemon is killed and started anew, with a journal in memory.
type hallDays struct {
	t     *testing.T
	r     *rand.Rand
	delay time.Duration

	mu       sync.Mutex      // of the next four: notes come from the hub
	entries  []journal.Entry // durable
	released uint64
	run      int
	dead     bool
	notes    atomic.Int64
	tables   map[int]*tableDays

	hub  *broadcast.Hub
	at   time.Time // start of the run
	stop func()
}

// tableDays is what was published at a table, in order.
type tableDays struct {
	game  *rules.Game
	facts []factDay
	seen  int // of them, by spectators
}

type factDay struct {
	entry journal.Entry
	state string        // of the board after it
	past  time.Duration // how long the daemon was up after it, in runs that ended, in truth
	known time.Duration // the same as far as the journal tells
}

func (h *hallDays) start() {
	h.mu.Lock()
	h.run++
	h.dead = false
	h.at = time.Now()
	h.hub = broadcast.NewHub(broadcast.Options{Delay: h.delay})
	p := newPast(h.delay)
	for _, e := range h.entries {
		if e.Seq <= h.released {
			p.shown(e)
		} else {
			p.held(e)
		}
	}
	run := h.run
	h.mu.Unlock()
	h.hub.Restore(p.past(), func(upto uint64, done func(error)) {
		time.AfterFunc(time.Duration(h.notes.Add(1)*37%100)*time.Millisecond, func() {
			h.mu.Lock()
			alive := h.run == run && !h.dead // else the power went first
			if alive {
				h.keepLocked(0, journal.Released{Upto: upto})
				h.released = upto
			}
			h.mu.Unlock()
			if alive {
				done(nil)
			}
		})
	})
	ctx, cancel := context.WithCancel(h.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.hub.Run(ctx)
	}()
	h.stop = func() {
		cancel()
		<-ended
	}
	// The venue shows the games again.
	for n, table := range h.tables {
		var again Retelling
		for _, f := range table.facts {
			for _, c := range again.Tell(f.entry) {
				c.Board, c.Again = n, true
				h.hub.Publish(c)
			}
		}
	}
	synctest.Wait()
}

func (h *hallDays) keep(table int, f journal.Fact) journal.Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keepLocked(table, f)
}

func (h *hallDays) keepLocked(table int, f journal.Fact) journal.Entry {
	e := journal.Entry{Seq: uint64(len(h.entries) + 1), Run: h.run, At: time.Since(h.at), Table: table, Fact: f}
	h.entries = append(h.entries, e)
	return e
}

// kill ends a run at any moment.
func (h *hallDays) kill() {
	h.mu.Lock()
	h.dead = true
	h.mu.Unlock()
	h.stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	length, known := time.Since(h.at), time.Duration(0)
	for _, e := range h.entries {
		if e.Run == h.run {
			known = max(known, e.At)
		}
	}
	for _, t := range h.tables {
		for i := range t.facts {
			f := &t.facts[i]
			if f.entry.Run == h.run {
				f.past, f.known = length-f.entry.At, known-f.entry.At
			} else {
				f.past, f.known = f.past+length, f.known+known
			}
		}
	}
}

var knights = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

// happen has something happen at a table: kept first, then published.
func (h *hallDays) happen(n int) {
	t := h.tables[n]
	g := t.game
	var fact journal.Fact
	switch d := h.r.IntN(20); {
	case g == nil || g.Result != rules.Unfinished || d == 0 && g.Len() > 6:
		t.game = rules.NewGame(rules.Start())
		fact = journal.Begun{FEN: rules.StartFEN}
	case d < 2 && g.Len() > 0:
		if err := g.ReplaceFrom(g.Len(), nil); err != nil {
			h.t.Fatal(err)
		}
		fact = journal.Retracted{N: g.Len() + 1}
	case d == 2:
		g.Result = rules.Draw
		fact = journal.Result{Result: rules.Draw}
	default:
		m, err := g.Current().ParseUCI(knights[g.Len()%4])
		if err == nil {
			err = g.Push(m)
		}
		if err != nil {
			h.t.Fatal(err)
		}
		fact = journal.PlyOf(g, g.Len(), 0)
	}
	e := h.keep(n, fact)
	var again Retelling
	var changes []broadcast.Change
	for _, f := range t.facts {
		again.Tell(f.entry)
	}
	changes = again.Tell(e)
	t.facts = append(t.facts, factDay{entry: e, state: stateOf(t.game.Len(), t.game.Current().FEN(), string(t.game.Result))})
	for _, c := range changes {
		c.Kept = e.Seq
		h.hub.Publish(c)
	}
}

func stateOf(plies int, fen, result string) string { return fmt.Sprint(plies, " ", fen, " ", result) }

// look compares what spectators see with what they may see.
func (h *hallDays) look() {
	h.t.Helper()
	synctest.Wait()
	v, err := h.hub.Public().View(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for n, t := range h.tables {
		state := stateOf(0, rules.StartFEN, "*")
		for _, b := range v.Boards {
			if b.Board == n {
				state = stateOf(len(b.Moves), b.FEN, b.Result)
			}
		}
		least, most := t.seen, 0
		for i, f := range t.facts {
			since := time.Since(h.at)
			if f.entry.Run == h.run {
				since -= f.entry.At
			}
			if f.past+since >= h.delay {
				most = i + 1
			}
			// Notes are 2 s apart and take their time; frames are 50 ms apart.
			if f.known+since >= h.delay+2*releaseSlack {
				least = max(least, i+1)
			}
		}
		shown := -1
		for k := least; k <= most && shown < 0; k++ {
			if k == 0 && state == stateOf(0, rules.StartFEN, "*") || k > 0 && t.facts[k-1].state == state {
				shown = k
			}
		}
		if shown < 0 {
			h.t.Fatalf("run %d, %v after its start, table %d: spectators see %q; expected that after %d to %d of %d facts", h.run, time.Since(h.at), n, state, least, most, len(t.facts))
		}
		t.seen = shown
	}
}

const releaseSlack = 1200 * time.Millisecond

// At every moment spectators see the games as they were the delay ago, or a little
// before, over restarts at any moment: nothing early, nothing lost, nothing taken back.
func TestPublicViewOverRestarts(t *testing.T) {
	shown := 0
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &hallDays{t: t, r: rand.New(rand.NewPCG(seed, 7)), delay: time.Duration(20+seed) * time.Second,
					tables: map[int]*tableDays{1: {}, 2: {}, 3: {}}}
				for range 4 + h.r.IntN(5) {
					h.start()
					h.look()
					for range h.r.IntN(40) {
						time.Sleep(time.Duration(h.r.IntN(4000)) * time.Millisecond)
						h.look()
						h.happen(1 + h.r.IntN(3))
					}
					h.kill()
					time.Sleep(time.Duration(h.r.IntN(3600)) * time.Second)
				}
				h.start()
				for range 100 {
					time.Sleep(time.Second)
					h.look()
				}
				h.kill()
				for n, table := range h.tables {
					if shown += table.seen; table.seen != len(table.facts) {
						last := table.facts[max(0, table.seen-1)].state
						if table.facts[len(table.facts)-1].state != last {
							t.Errorf("table %d: %d facts, %d shown in the end", n, len(table.facts), table.seen)
						}
					}
				}
			})
		})
	}
	if shown < 1000 {
		t.Errorf("only %d facts were shown, so little was tested", shown)
	}
}

// The past of a real journal.
func TestPast(t *testing.T) {
	path := filepath.Join(t.TempDir(), journal.File)
	open := func() (*journal.Journal, *journal.Recovered) {
		j, found, err := journal.Open(path, journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return j, found
	}
	add := func(j *journal.Journal, at time.Duration, table int, game journal.GameID, facts ...journal.Fact) (last uint64) {
		durable := make(chan error, 1)
		err := j.Append(journal.Batch{At: at, Table: table, Game: game, Facts: facts, Done: func(r journal.Receipt, err error) {
			last = r.Last
			durable <- err
		}})
		if err == nil {
			err = <-durable
		}
		if err != nil {
			t.Fatal(err)
		}
		return last
	}
	g := rules.NewGame(rules.Start())
	for san := range strings.FieldsSeq("e4 e5 Nf3") {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	j, _ := open()
	old, game := j.NewGame(), j.NewGame()
	add(j, 0, 2, old, journal.Begun{FEN: rules.StartFEN}, journal.Result{Result: rules.WhiteWins})
	add(j, time.Second, 2, game, journal.Begun{FEN: rules.StartFEN}, journal.PlyOf(g, 1, 0))
	upto := add(j, 2*time.Second, 2, game, journal.Clock{N: 1, Left: time.Minute})
	add(j, 10*time.Second, 2, game, journal.PlyOf(g, 2, 0))
	add(j, 100*time.Second, 0, 0, journal.Released{Upto: upto})
	if err := j.Close(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	j, _ = open()
	add(j, 20*time.Second, 2, game, journal.PlyOf(g, 3, 0))
	add(j, 50*time.Second, 2, game, journal.Result{Result: rules.Draw})
	if err := j.Close(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	j, found := open()
	defer j.Close(t.Context(), "test")
	past, err := Past(t.Context(), j, found.Released, 5*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var shown, held []string
	for _, c := range past.Shown {
		shown = append(shown, c.Type+c.SAN)
	}
	for _, w := range past.Held {
		held = append(held, fmt.Sprint(w.Change.Type, w.Change.SAN, w.Change.Result, " in ", w.Wait))
	}
	if got := fmt.Sprint(shown); got != "[game movee4 clock]" {
		t.Errorf("shown: %s", got)
	}
	// The first run lasted 100 s and the second 50 s, as far as the journal tells.
	if got := strings.Join(held, ", "); got != "movee5 in 2m40s, moveNf3 in 4m30s, result1/2-1/2 in 5m0s" {
		t.Errorf("held: %s", got)
	}
}
