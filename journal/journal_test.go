package journal

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/rules"
)

// opened is a journal under test with what it told.
type opened struct {
	*Journal
	found   *Recovered
	mu      sync.Mutex
	notices []Notice
}

func (o *opened) take(n Notice) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.notices = append(o.notices, n)
}

func (o *opened) told() []Notice {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]Notice(nil), o.notices...)
}

func open(t testing.TB, path string, options Options) *opened {
	t.Helper()
	o := &opened{}
	options.Notify = o.take
	var err error
	if o.Journal, o.found, err = Open(path, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close(context.Background(), "the test ended") }) // a second Close says the same as the first
	return o
}

func (o *opened) close(t testing.TB) {
	t.Helper()
	if err := o.Close(t.Context(), "asked to"); err != nil {
		t.Fatal(err)
	}
}

// durable appends and waits until the facts are durable.
func (o *opened) durable(t testing.TB, b Batch) Receipt {
	t.Helper()
	type answer struct {
		Receipt
		err error
	}
	done := make(chan answer, 1)
	b.Done = func(r Receipt, err error) { done <- answer{r, err} }
	if err := o.Append(b); err != nil {
		t.Fatal(err)
	}
	a := <-done
	if a.err != nil {
		t.Fatal(a.err)
	}
	return a.Receipt
}

// play plays moves at a table: begin, plies with clocks, firm.
func (o *opened) play(t testing.TB, table int, sans ...string) (GameID, *rules.Game) {
	t.Helper()
	id, g := o.NewGame(), rules.NewGame(rules.Start())
	o.durable(t, Batch{Table: table, Game: id, Facts: []Fact{Begun{FEN: rules.StartFEN, Tags: rules.Tags{{Name: "White", Value: "Novak, Anna"}}}}})
	for i, san := range sans {
		at := time.Duration(i) * time.Second
		move, err := g.Current().ParseSAN(san)
		if err == nil {
			err = g.PushPly(rules.Ply{Move: move, At: at})
		}
		if err != nil {
			t.Fatal(err)
		}
		n, left := i+1, time.Duration(5400-i)*time.Second
		o.durable(t, Batch{At: at, Table: table, Game: id, Facts: []Fact{PlyOf(g, n, 0), Clock{n, left}, Firm{n}}})
		g.SetClock(n, left)
		g.MakeFirm(n, at)
	}
	return id, g
}

func plies(g *rules.Game) []rules.Ply { return append([]rules.Ply(nil), g.Plies()...) }

func TestEveryKindOfFactComesBack(t *testing.T) {
	facts := []Fact{
		InForce{What: InForceConfig, Hash: HashOf("listen"), Text: "listen", Who: "operator Eve"},
		BoardSeen{Serial: "01234", Port: "/dev/ttyACM0"},
		Link{Up: true, Text: "plugged in"}, Link{Text: "pulled out"},
		Begun{FEN: rules.StartFEN, Tags: rules.Tags{{Name: "White", Value: `O'Neil "Tim" <é>` + "\n"}, {Name: "Black", Value: ""}}}, Begun{FEN: rules.StartFEN},
		Tagged{Tags: rules.Tags{{Name: "Round", Value: "3"}}}, Tagged{},
		Ply{N: 61, UCI: "e2e4", SAN: "e4", FEN: rules.StartFEN, Number: 31, OrderUnknown: true}, Ply{N: 1, UCI: "e2e4", SAN: "e4", FEN: rules.StartFEN, Number: 1},
		Retracted{N: 61, Who: "arbiter Ben", Why: "wrong piece", KeepSetup: true}, Retracted{N: 1, Who: Tracker},
		Clock{N: 61, Left: 90 * time.Minute}, Clock{N: 61}, Firm{N: 61}, Setup{After: 61, FEN: rules.StartFEN},
		Result{Result: rules.Draw, Who: "arbiter Ben", Why: "agreed"},
		Claim{Code: "claim.threefold", By: rules.Black, Step: "made", N: 60, Text: "Qd1"}, Claim{Code: "claim.fifty", By: rules.White, Step: Withdrawn},
		Ruling{Claim: 17, Code: "claim.threefold", Decision: "refused", Who: "arbiter Ben", Text: "2 minutes to White"},
		Alert{Code: "move.illegal", Step: Raised, N: 61, Detail: "white Ke1-e3", Tape: "x.tape", Event: 812}, Alert{Code: "move.illegal", Step: Acknowledged, Who: "arbiter Ben"},
		Order{Who: "operator Eve", From: "192.0.2.7", Text: "result 1-0"}, Released{Upto: 12}, Released{},
	}
	j := open(t, filepath.Join(t.TempDir(), File), Options{Version: "1.2"})
	j.durable(t, Batch{At: 1500 * time.Millisecond, Table: 7, Game: 3, Facts: facts})
	var got []Fact
	err := j.Since(t.Context(), 1, func(e Entry) error {
		got = append(got, e.Fact)
		if e.Seq != uint64(len(got)+1) || e.Nth != uint64(len(got)) || e.Table != 7 || e.Game != 3 || e.At != 1500*time.Millisecond || e.Run != 1 {
			t.Errorf("fact %d stands as %+v", len(got), e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(facts, got); diff != "" {
		t.Errorf("facts (-told +read):\n%s", diff)
	}
	tail, err := j.Tail(t.Context(), 2)
	if err != nil || len(tail) != 2 || tail[1].Fact != (Released{}) {
		t.Errorf("the last two are %v, error %v", tail, err)
	}
}

func TestGamesGoOnAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", File)
	j := open(t, path, Options{})
	if j.found.Before != First || len(j.found.Games) != 0 {
		t.Errorf("a new journal knows of %+v", j.found)
	}
	seven, game := j.play(t, 7, "e4", "e5", "Nf3", "Nc6", "Bb5")
	three, _ := j.play(t, 3, "d4")
	j.durable(t, Batch{Table: 3, Game: three, Facts: []Fact{Result{Result: rules.WhiteWins, Who: "arbiter Ben"}}})
	j.durable(t, Batch{Table: 7, Game: seven, Facts: []Fact{Alert{Code: "clock.flag", Step: Raised}, Alert{Code: "board.lost", Step: Raised}}})
	j.durable(t, Batch{Table: 7, Game: seven, Facts: []Fact{Alert{Code: "board.lost", Step: Cleared},
		Claim{Code: "claim.threefold", By: rules.White, Step: "made"}, Claim{Code: "claim.threefold", By: rules.White, Step: "move written"}}})
	j.durable(t, Batch{Facts: []Fact{Released{Upto: 9}, InForce{What: InForceEvent, Hash: "h", Text: "t"}}})
	j.durable(t, Batch{At: time.Hour, Table: 7, Facts: []Fact{BoardSeen{Serial: "01234", Port: "p"}}})
	j.close(t)

	j = open(t, path, Options{})
	f := j.found
	if f.LastAt != time.Hour {
		t.Errorf("the last run went on for %v, want 1h", f.LastAt)
	}
	if f.Before != Clean || f.Released != 9 || len(f.Games) != 2 || len(f.Alerts) != 1 || len(f.Claims) != 1 {
		t.Fatalf("recovered %+v", f)
	}
	if f.InForce[InForceEvent].Text != "t" || f.Boards[7].Serial != "01234" {
		t.Errorf("in force %v, boards %v", f.InForce, f.Boards)
	}
	if c := f.Claims[0].Fact.(Claim); c.Step != "move written" {
		t.Errorf("open claim %+v", c)
	}
	first := f.Games[0]
	if first.Game != seven || first.Table != 7 || first.Broken != "" || first.Main().Tags.Get("White") != "Novak, Anna" {
		t.Errorf("first game %+v", first)
	}
	if diff := cmp.Diff(plies(game), plies(first.Main())); diff != "" {
		t.Errorf("record (-played +read):\n%s", diff)
	}
	if g := f.Games[1]; g.Game != three || g.Result != rules.WhiteWins {
		t.Errorf("second game %+v", g)
	}
	if id := j.NewGame(); id != 3 {
		t.Errorf("the next game has id %d, want 3", id)
	}
	if j.Run() != 2 || len(j.told()) != 0 {
		t.Errorf("run %d, notices %v", j.Run(), j.told())
	}
	rec, err := j.Game(t.Context(), seven)
	if err != nil || rec.Len() != 5 {
		t.Errorf("game by id: %+v, error %v", rec, err)
	}
	if _, err := j.Game(t.Context(), 99); !errors.Is(err, ErrNoGame) {
		t.Errorf("a game that is not there: error %v", err)
	}
	list, err := j.Games(t.Context())
	if err != nil || len(list) != 2 || list[1].Table != 3 {
		t.Errorf("games %v, error %v", list, err)
	}
}
