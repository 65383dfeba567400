package venue

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/dgt/link"
	"boardd/journal"
	"boardd/rules"
	"boardd/venue/players"
)

// absent is a board in simulated time that plays on whether or not a daemon looks at
// it. What the daemon knew is in a real journal.
type absent struct {
	t       *testing.T
	board   *emulator.Board
	logless bool // the board does not answer when it is asked for its log
	now     time.Duration
	begun   time.Time
	passed  atomic.Int64 // now, for the journal's goroutine

	journal *journal.Journal
	file    string
	game    journal.GameID
	session *link.Session
	table   *Playback // nil while the daemon is away
	since   time.Duration
	alerts  []broadcast.Change
	asked   int // for the log

	controls Controls // boardd sets the clock by
	presses  []time.Duration
}

func newAbsent(t *testing.T, seed uint64, increment time.Duration) *absent {
	a := &absent{t: t, begun: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), file: filepath.Join(t.TempDir(), journal.File)}
	a.board = emulator.New(emulator.Config{
		Seed: seed, Men: dgt.StartPlacement(), Clock: emulator.Fischer(time.Hour, increment, dgt.Left), Manner: emulator.Careful,
	})
	return a
}

func (a *absent) wall() time.Time { return a.begun.Add(time.Duration(a.passed.Load())) }

// come starts the daemon on what the journal has.
func (a *absent) come() {
	a.t.Helper()
	var found *journal.Recovered
	var err error
	a.journal, found, err = journal.Open(a.file, journal.Options{Wall: a.wall})
	if err != nil {
		a.t.Fatal(err)
	}
	a.session = link.NewSession("table", link.DefaultTiming())
	a.since = a.now
	o := TableOptions{Number: 1, Controls: a.controls}
	if len(found.Games) == 1 {
		a.game = found.Games[0].Game
		if o.kept = keptOf(found.Games[0], a.wall()); o.kept == nil {
			a.t.Fatalf("the record is broken: %s", found.Games[0].Broken)
		}
	}
	a.table = &Playback{Table: NewTable(o)}
	if o.kept == nil {
		a.game = a.journal.NewGame()
		a.keep([]journal.Fact{journal.Begun{FEN: rules.StartFEN}})
	} else {
		a.table.Table.Link(0, true)
	}
}

// begin starts the daemon, and then the clock of a game.
func (a *absent) begin() {
	a.t.Helper()
	a.come()
	a.until(6 * time.Second)
	h := a.board.Hands()
	h.StartStop()
	a.until(8 * time.Second)
}

// leave kills the daemon.
func (a *absent) leave() {
	a.t.Helper()
	a.table, a.session = nil, nil
	if err := a.journal.Close(context.Background(), "test"); err != nil {
		a.t.Fatal(err)
	}
}

func (a *absent) keep(facts []journal.Fact) {
	if len(facts) == 0 {
		return
	}
	if err := a.journal.Append(journal.Batch{At: a.now - a.since, Table: 1, Game: a.game, Facts: facts}); err != nil {
		a.t.Fatal(err)
	}
}

func (a *absent) until(end time.Duration) {
	const step = 16 * time.Millisecond
	var buffer []byte
	for a.now < end {
		a.now = min(a.now.Truncate(step)+step, end)
		a.passed.Store(int64(a.now))
		buffer = a.board.Advance(a.now, buffer[:0])
		if a.table == nil {
			continue
		}
		at := a.now - a.since
		if len(buffer) > 0 {
			a.obey(link.Input{Kind: link.Bytes, Data: buffer})
			a.table.Table.Received(at, buffer)
		}
		a.table.Table.Advance(at)
		a.take()
		if at >= a.session.Wake() {
			a.obey(link.Input{Kind: link.Tick})
		}
	}
}

func (a *absent) take() {
	for _, c := range a.table.Table.Commands() {
		a.obey(link.Input{Kind: link.Want, Command: c.Command})
	}
	a.keep(a.table.Table.Facts())
	for _, c := range a.table.Table.Take() {
		if c.Type == broadcast.TypeAlert {
			a.alerts = append(a.alerts, c)
		}
	}
}

func (a *absent) obey(in link.Input) {
	for _, o := range a.session.Step(a.now-a.since, in) {
		switch o.Kind {
		case link.Open:
			a.obey(link.Input{Kind: link.Opened})
			return
		case link.Write:
			a.table.Table.Sent(a.now-a.since, o.Data)
			if log := dgt.SendLog(); slices.Equal(o.Data, log.AppendTo(nil)) {
				if a.asked++; a.logless {
					break
				}
			}
			a.board.Receive(o.Data)
		case link.Close, link.Dropped:
			a.t.Errorf("at %v: expected the line to hold, got output %d for %v: %v", a.now, o.Kind, o.Command, o.Err)
		case link.Changed:
		}
	}
}

// play plays the half-moves from to to of a game.
func (a *absent) play(g *rules.Game, from, to int, rng *rand.Rand) {
	for n := from; n <= to; n++ {
		a.until(a.now + time.Second + time.Duration(rng.Int64N(int64(6*time.Second))))
		h := a.board.Hands()
		players.Move(h, g.PositionAt(n-1), g.Ply(n).Move)
		h.Wait(600 * time.Millisecond)
		h.Press()
		a.until(h.At())
		a.presses = append(a.presses, a.now)
	}
}

func (a *absent) codes() (codes []string) {
	for _, c := range a.alerts {
		codes = append(codes, c.Code)
	}
	return codes
}

func (a *absent) moves() (san []string) {
	for _, g := range a.table.Table.Record() {
		for _, p := range g.Plies() {
			san = append(san, p.SAN)
		}
	}
	return san
}

// The daemon is away for ten minutes in mid-game. The board's own log tells every ply
// of that time, with its clock. Play goes on while the log is read.
func TestTenMinutesAway(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		for _, increment := range []time.Duration{0, 5 * time.Second} {
			t.Run(fmt.Sprintf("seed %d, increment %v", seed, increment), func(t *testing.T) {
				t.Parallel()
				a := newAbsent(t, seed, increment)
				g := someGame(t, seed, 180)
				rng := rand.New(rand.NewPCG(seed, 7))
				a.begin()
				a.play(g, 1, 20, rng)
				a.leave()
				left, n := a.now, 21
				for ; a.now < left+10*time.Minute; n++ {
					a.play(g, n, n, rng)
				}
				a.come()
				a.play(g, n, n+12, rng) // some of it behind the log
				a.until(a.now + 5*time.Second)
				n += 12
				a.sameAs(g, n)
				if a.asked != 1 {
					t.Errorf("asked %d times for the log, want once", a.asked)
				}
				for _, code := range a.codes() {
					if code != "board.back" {
						t.Errorf("alert %s", code)
					}
				}
				missing := 0
				for k := 1; k <= n; k++ {
					if !a.table.Table.Game().Ply(k).HasClock {
						missing++
					}
				}
				if missing > 0 {
					t.Errorf("%d of %d plies have no clock", missing, n)
				}
				a.leave()
				a.come() // what was found is in the journal
				a.sameAs(g, n)
				a.leave()
			})
		}
	}
}

func (a *absent) sameAs(g *rules.Game, n int) {
	a.t.Helper()
	var want []string
	for k := 1; k <= n; k++ {
		want = append(want, g.Ply(k).SAN)
	}
	if got := a.moves(); !slices.Equal(got, want) {
		a.t.Errorf("record of %d plies\n got %v\nwant %v\nalerts %+v", n, got, want, a.alerts)
	}
}

// A board that tells no log leaves few plies to a search, and after many an alert says
// that the record has a gap.
func TestAwayWithoutALog(t *testing.T) {
	tests := []struct {
		plies  int
		record bool // the plies are found
	}{{1, true}, {2, true}, {60, false}}
	for _, tt := range tests {
		for seed := uint64(1); seed <= 5; seed++ {
			t.Run(fmt.Sprintf("%d plies, seed %d", tt.plies, seed), func(t *testing.T) {
				t.Parallel()
				a := newAbsent(t, seed, 2*time.Second)
				a.logless = true
				g := someGame(t, seed, 120)
				rng := rand.New(rand.NewPCG(seed, 7))
				a.begin()
				a.play(g, 1, 20, rng)
				a.until(a.now + 2*time.Second)
				a.leave()
				a.play(g, 21, 20+tt.plies, rng)
				a.come()
				a.until(a.now + 40*time.Second)
				if tt.record {
					a.sameAs(g, 20+tt.plies)
				} else if !slices.Contains(a.codes(), "record.gap") {
					t.Errorf("alerts %v, want record.gap; record %v", a.codes(), a.moves())
				}
				a.leave()
			})
		}
	}
}

// someGame is a game of so many half-moves without an end in it.
func someGame(t *testing.T, seed uint64, plies int) *rules.Game {
	t.Helper()
	for try := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, try))
		g := rules.NewGame(rules.Start())
		for g.Len() < plies {
			var moves rules.MoveList
			g.Current().LegalMoves(&moves)
			if moves.Len() == 0 || g.Claims(g.Len()).End != rules.Playing {
				break
			}
			if err := g.Push(moves.At(rng.IntN(moves.Len()))); err != nil {
				t.Fatal(err)
			}
		}
		if g.Len() == plies {
			return g
		}
	}
	t.Fatalf("seed %d: no game of %d half-moves", seed, plies)
	return nil
}

// gameOf is a game of these moves.
func gameOf(t *testing.T, sans string) *rules.Game {
	t.Helper()
	g := rules.NewGame(rules.Start())
	for _, san := range strings.Fields(sans) {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// Men that went there and back leave the board as it was; the clock tells of them.
func TestThereAndBackUnseen(t *testing.T) {
	for _, increment := range []time.Duration{0, 3 * time.Second} {
		for seed := uint64(1); seed <= 5; seed++ {
			a := newAbsent(t, seed, increment)
			g := gameOf(t, "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 d4 exd4")
			rng := rand.New(rand.NewPCG(seed, 7))
			a.begin()
			a.play(g, 1, 4, rng)
			a.until(a.now + 2*time.Second)
			a.leave()
			a.play(g, 5, 8, rng)
			a.come()
			a.until(a.now + 12*time.Second)
			a.play(g, 9, 10, rng)
			a.until(a.now + 3*time.Second)
			a.sameAs(g, 10)
			if a.asked != 1 {
				t.Errorf("seed %d: asked %d times for the log", seed, a.asked)
			}
			a.leave()
		}
	}
}

// Nothing is asked of a board where nothing was played, however long that took.
func TestNothingPlayedUnseen(t *testing.T) {
	a := newAbsent(t, 9, 0)
	g := someGame(t, 9, 10)
	rng := rand.New(rand.NewPCG(9, 7))
	a.begin()
	a.play(g, 1, 6, rng)
	a.until(a.now + 2*time.Second)
	a.leave()
	a.until(a.now + 5*time.Minute)
	a.come()
	a.until(a.now + 5*time.Second)
	a.sameAs(g, 6)
	if a.asked != 0 {
		t.Errorf("asked %d times for the log", a.asked)
	}
	a.leave()
}

// The daemon is away when the clock is started and the first moves are made: the log tells
// whose side of the clock is whose, too.
func TestFirstMovesUnseen(t *testing.T) {
	for _, white := range []dgt.Side{dgt.Left, dgt.Right} {
		for _, plies := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%v, %d plies", white, plies), func(t *testing.T) {
				a := newAbsent(t, 4, 0)
				a.board = emulator.New(emulator.Config{Seed: 4, Men: dgt.StartPlacement(), Clock: emulator.Fischer(time.Hour, 0, white), Manner: emulator.Careful})
				g := someGame(t, 4, 20)
				rng := rand.New(rand.NewPCG(4, 7))
				a.come()
				a.until(6 * time.Second)
				a.leave()
				h := a.board.Hands()
				h.StartStop()
				a.until(8 * time.Second)
				a.play(g, 1, plies, rng)
				a.come()
				a.until(a.now + 12*time.Second)
				a.play(g, plies+1, 12, rng)
				a.until(a.now + 3*time.Second)
				a.sameAs(g, 12)
				for n := 1; n <= 12; n++ {
					used, before := 2*time.Hour, time.Hour
					if n > 2 {
						before = a.table.Table.Game().Ply(n - 2).Clock
					}
					if p := a.table.Table.Game().Ply(n); p.HasClock {
						used = before - p.Clock
					}
					if used < 0 || used > 20*time.Second {
						t.Errorf("ply %d: %v were used", n, used)
					}
				}
				a.leave()
			})
		}
	}
}

// order gives an order as a desk does.
func (a *absent) order(text string) {
	a.t.Helper()
	a.keep([]journal.Fact{journal.Order{Who: "arbiter", Text: text}})
	if err := a.table.Table.Order(a.now-a.since, text); err != nil {
		a.t.Fatal(err)
	}
	a.take()
}

// A claim that waits for its ruling, those that were ruled on, and what went wrong in
// the game are known after a restart.
func TestClaimsSurviveARestart(t *testing.T) {
	a := newAbsent(t, 3, 2*time.Second)
	g := someGame(t, 3, 12)
	rng := rand.New(rand.NewPCG(3, 7))
	a.begin()
	a.play(g, 1, 6, rng)
	a.until(a.now + 2*time.Second)
	a.order("claim white threefold by arbiter Novak")
	a.order("ruling incorrect by arbiter Novak")
	a.play(g, 7, 8, rng)
	a.until(a.now + 2*time.Second)
	intended := g.Ply(9).SAN
	a.order("claim white fifty " + intended + " by arbiter Young")
	before := a.table.Table.Claims()
	a.leave()
	a.come()
	a.until(a.now + 4*time.Second)
	after := a.table.Table.Claims()
	if !after.Open || len(after.Evidence) != 2 || after.Ply != 8 {
		t.Fatalf("claims after the restart: %+v\nbefore: %+v", after, before)
	}
	if c := a.table.Table.referee.open(); c.IntendedSAN != intended || c.By != rules.White || c.Kind != rules.FiftyClaim {
		t.Errorf("the open claim is %+v", c)
	}
	a.order("ruling incorrect by arbiter Young")
	a.leave()
	a.come()
	a.until(a.now + 4*time.Second)
	if after := a.table.Table.Claims(); after.Open || len(after.Evidence) != 2 {
		t.Errorf("claims after both rulings: %+v", after)
	}
	a.leave()
}

// boardd runs on the clock that it ran before: increments of the moves made while it was
// away are added when they are found, and those after it as ever.
func TestClockRunsOnAfterARestart(t *testing.T) {
	const base, increment = 30 * time.Minute, 10 * time.Second
	for _, away := range []int{0, 1, 2, 7, 30} {
		t.Run(fmt.Sprintf("%d half-moves away", away), func(t *testing.T) {
			t.Parallel()
			a := &absent{t: t, begun: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), file: filepath.Join(t.TempDir(), journal.File)}
			c, err := clock.Parse("1800+10", clock.Canonical)
			if err != nil {
				t.Fatal(err)
			}
			a.controls = Controls{c.Control}
			a.board = emulator.New(emulator.Config{Seed: 5, Men: dgt.StartPlacement(), Manner: emulator.Careful,
				Lag:   &emulator.ClockLag{Constant: 100 * time.Millisecond},
				Clock: emulator.ClockSetting{Version: emulator.Clock3000, Remote: true, Lever: dgt.Left}})
			g := someGame(t, 5, 80)
			rng := rand.New(rand.NewPCG(5, 7))
			a.come()
			a.until(6 * time.Second)
			a.order("clock-side left")
			a.order("set-clock auto")
			a.until(12 * time.Second)
			a.order("start-clock")
			begun := a.now
			a.play(g, 1, 12, rng)
			a.until(a.now + 2*time.Second)
			a.leave()
			a.play(g, 13, 12+away, rng)
			a.come()
			a.until(a.now + 14*time.Second) // the log takes 8 s
			a.play(g, 13+away, 20+away, rng)
			a.until(a.now + 3*time.Second)
			a.sameAs(g, 20+away)
			left := [2]time.Duration{base + increment, base + increment} // the first comes with the start
			last := begun
			for i, at := range a.presses {
				left[i%2] += increment - (at - last)
				last = at
			}
			left[len(a.presses)%2] -= a.now - last
			for i, side := range []dgt.Side{dgt.Left, dgt.Right} {
				if off := a.board.ClockState().Time(side) - left[i]; off.Abs() > 3*time.Second { // what it shows is known to a second, twice
					t.Errorf("player %d: the clock shows %v, %v more than he has left; alerts %+v", i, a.board.ClockState().Time(side), off, a.alerts)
				}
			}
			for _, code := range a.codes() {
				if code != "board.back" {
					t.Errorf("alert %s", code)
				}
			}
			a.leave()
		})
	}
}

// A man who stood on his way when the daemon was killed was shown there; what he came to
// takes its place when the log tells; without one an alert says that there is a gap.
func TestManOnHisWayWhenKilled(t *testing.T) {
	for _, logless := range []bool{false, true} {
		for seed := uint64(1); seed <= 4; seed++ {
			a := newAbsent(t, seed, 0)
			a.logless = logless
			g := gameOf(t, "e4 e5 Nf3 Nc6 Nxe5 Nxe5 d4 Nc6")
			rng := rand.New(rand.NewPCG(seed, 7))
			a.begin()
			a.play(g, 1, 4, rng)
			a.until(a.now + 2*time.Second)
			square := func(name string) dgt.Square {
				q, err := rules.ParseSquare(name)
				if err != nil {
					t.Fatal(err)
				}
				return dgt.Square(q ^ 56)
			}
			h := a.board.Hands()
			h.Move(square("f3"), square("d4"))
			a.until(h.At() + 4*time.Second)
			if got := a.moves(); len(got) != 5 || got[4] != "Nd4" {
				t.Fatalf("record %v: this test is about a Nd4 that is shown", got)
			}
			a.leave()
			h = a.board.Hands()
			h.Capture(square("d4"), square("e5"), emulator.VictimFirst)
			h.Wait(600 * time.Millisecond)
			h.Press()
			a.until(h.At() + time.Second)
			a.come()
			a.until(a.now + 14*time.Second)
			a.play(g, 6, 8, rng)
			a.until(a.now + 3*time.Second)
			if logless {
				if !slices.Contains(a.codes(), "record.gap") {
					t.Errorf("alerts %v, record %v", a.codes(), a.moves())
				}
			} else {
				a.sameAs(g, 8)
			}
			a.leave()
		}
	}
}
