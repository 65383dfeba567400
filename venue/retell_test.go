package venue_test

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/broadcast"
	"boardd/journal"
	"boardd/venue"
)

// account is what a follower of changes knows of a game.
type account struct {
	Start, FEN, Result string
	Moves              []string
	Clocks             map[int]int64
	Tags               map[string]string
}

func (a *account) take(t *testing.T, c broadcast.Change) {
	t.Helper()
	cut := func(ply int) {
		if ply < 1 || ply > len(a.Moves)+1 {
			t.Fatalf("%s at ply %d of a record of %d", c.Type, ply, len(a.Moves))
		}
		a.Moves = a.Moves[:ply-1]
		maps.DeleteFunc(a.Clocks, func(n int, _ int64) bool { return n >= ply })
		a.FEN = c.FEN
	}
	switch c.Type {
	case broadcast.TypeGame:
		*a = account{Start: c.FEN, FEN: c.FEN, Result: "*", Clocks: map[int]int64{}, Tags: map[string]string{}}
		maps.Copy(a.Tags, c.Tags)
	case broadcast.TypeTags:
		a.Tags = c.Tags
	case broadcast.TypeMove:
		cut(c.Ply)
		a.Moves = append(a.Moves, c.SAN+" "+c.UCI)
	case broadcast.TypeRetract, broadcast.TypeReplace:
		cut(c.Ply)
		for _, m := range c.Moves {
			a.Moves = append(a.Moves, m.SAN+" "+m.UCI)
		}
	case broadcast.TypeClock:
		if c.Ply > 0 {
			a.Clocks[c.Ply] = *c.ClockMS
		}
	case broadcast.TypeResult:
		a.Result = c.Result
	}
}

// What is told again from the facts is what was published, on every tape: moves that
// were taken back, illegal moves that stood, corrections, results.
func TestRetellingIsWhatWasPublished(t *testing.T) {
	var tapes []string
	for _, folder := range []string{"illegal", "outage", "kings", "careful", "scramble"} {
		found, err := filepath.Glob(filepath.Join(sharedFolder(t), "tapes", folder, "*.tape"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no tapes in %s: %v", folder, err)
		}
		tapes = append(tapes, found[:min(len(found), 3)]...)
	}
	corrected := 0
	for _, name := range tapes {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			tp := readTape(t, name)
			p, err := venue.NewPlayback(tp.Header, venue.TableOptions{Number: 4})
			if err != nil {
				t.Fatal(err)
			}
			start := p.Table.Game().Start().FEN()
			shown, told := account{}, account{}
			shown.take(t, broadcast.Change{Type: broadcast.TypeGame, FEN: start, Tags: map[string]string{}})
			var again venue.Retelling
			hear := func(facts ...journal.Fact) {
				var entries []journal.Entry
				for _, f := range facts {
					entries = append(entries, journal.Entry{Table: 4, At: time.Second, Fact: f})
				}
				for _, c := range again.Tell(entries...) {
					if c.Board != 4 || c.AtMS != 1000 {
						t.Fatalf("told of board %d at %d", c.Board, c.AtMS)
					}
					told.take(t, c)
				}
			}
			hear(journal.Begun{FEN: start})
			collect := func() {
				changes := p.Table.Take()
				facts := p.Table.Facts()
				for _, c := range changes {
					shown.take(t, c)
					if c.Type == broadcast.TypeReplace || c.Type == broadcast.TypeRetract {
						corrected++
					}
					if c.Type == broadcast.TypeResult {
						facts = append(facts, journal.Result{Result: p.Table.Game().Result})
					}
				}
				hear(facts...)
				if len(facts) == 0 {
					return
				}
				if diff := cmp.Diff(shown, told); diff != "" {
					t.Fatalf("published and told again (-published +told):\n%s", diff)
				}
			}
			for _, e := range tp.Events {
				if err := p.Play(e); err != nil {
					t.Fatal(err)
				}
				collect()
			}
			p.End()
			collect()
			if len(shown.Moves) < 10 {
				t.Errorf("a game of %d half-moves shows little", len(shown.Moves))
			}
		})
	}
	if corrected == 0 {
		t.Error("no tape had a correction")
	}
}
