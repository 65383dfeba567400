package archive

import (
	"path/filepath"
	"testing"
	"time"

	"boardd/journal"
	"boardd/rules"
)

// BenchmarkFirstRead is the archive of a week (500 games of 80 half-moves) when it is first
// asked for, and BenchmarkNextRead when it is asked again.
func BenchmarkFirstRead(b *testing.B) {
	j := week(b)
	for b.Loop() {
		if games, err := New(j, Options{}).Games(b.Context()); err != nil || len(games) != 500 {
			b.Fatal(len(games), err)
		}
	}
}

func BenchmarkNextRead(b *testing.B) {
	a := New(week(b), Options{})
	if _, err := a.Games(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		a.read = time.Time{}
		if games, err := a.Games(b.Context()); err != nil || len(games) != 500 {
			b.Fatal(len(games), err)
		}
	}
}

func week(b *testing.B) *journal.Journal {
	j, _, err := journal.Open(filepath.Join(b.TempDir(), journal.File), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = j.Close(b.Context(), "the benchmark ended") })
	g := rules.NewGame(rules.Start())
	facts := []journal.Fact{journal.Begun{FEN: rules.StartFEN}}
	moves := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for n := 1; n <= 80; n++ {
		if err := g.PushSAN(moves[(n-1)%4]); err != nil {
			b.Fatal(err)
		}
		facts = append(facts, journal.PlyOf(g, n, 0), journal.Clock{N: n, Left: time.Hour}, journal.Firm{N: n})
	}
	facts = append(facts, journal.Result{Result: rules.Draw})
	done := make(chan struct{}, 500)
	for i := range 500 {
		if err := j.Append(journal.Batch{Table: i%64 + 1, Game: j.NewGame(), Facts: facts, Done: func(journal.Receipt, error) { done <- struct{}{} }}); err != nil {
			b.Fatal(err)
		}
	}
	for range 500 {
		<-done
	}
	return j
}
