package journal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

// longGame is one of knights and rooks that go to and fro, as facts of every half-move.
func longGame(tb testing.TB, n int) *rules.Game {
	tb.Helper()
	g := rules.NewGame(rules.Start())
	cycle := []string{"Nf3", "Nf6", "Rg1", "Rg8", "Nc3", "Nc6", "Rb1", "Rb8", "Rh1", "Rh8", "Ng1", "Ng8", "Ra1", "Ra8", "Nb1", "Nb8"}
	for i := range n {
		if err := g.PushSAN(cycle[i%len(cycle)]); err != nil {
			tb.Fatal(err)
		}
	}
	return g
}

// halfMove is all that a half-move leaves in the journal.
func halfMove(g *rules.Game, n int) []Fact {
	return []Fact{PlyOf(g, n, 0), Clock{n, time.Duration(5400-n) * time.Second}, Firm{n}}
}

// week writes a journal of so many boards, days, rounds and half-moves a game: all
// tables play at once.
func week(tb testing.TB, path string, boards, days, rounds, halfMoves int) (plies int) {
	tb.Helper()
	g := longGame(tb, halfMoves)
	wall := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	j := open(tb, path, Options{Wall: func() time.Time { return wall }, Wait: time.Nanosecond})
	for day := range days * rounds {
		ids := make([]GameID, boards)
		for b := range boards {
			ids[b] = j.NewGame()
			must(tb, j.Append(Batch{Table: b + 1, Game: ids[b], Facts: []Fact{Begun{FEN: rules.StartFEN, Tags: rules.Tags{
				{Name: "Event", Value: "Club championship"}, {Name: "White", Value: "Novak, Anna"}, {Name: "Black", Value: "Young, Ben"}}}}}))
		}
		for n := 1; n <= halfMoves; n++ {
			for b := range boards {
				at := time.Duration(day*4*3600+n*90)*time.Second + time.Duration(b)*time.Millisecond
				must(tb, j.Append(Batch{At: at, Table: b + 1, Game: ids[b], Facts: halfMove(g, n)}))
				plies++
			}
			if n%40 == 0 {
				j.durable(tb, Batch{Facts: []Fact{Released{uint64(plies)}}})
			}
		}
		for b := range boards {
			must(tb, j.Append(Batch{Table: b + 1, Game: ids[b], Facts: []Fact{Result{Result: rules.Draw, Who: "arbiter Ben"}}}))
		}
	}
	j.close(tb)
	return plies
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// childOpen is a process that opens a journal and prints how long it took in ms, and the
// most memory it had in kB.
func childOpen(path string) error {
	begun := time.Now()
	j, found, err := Open(path, Options{})
	if err != nil {
		return err
	}
	took := time.Since(begun)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	peak := ""
	for line := range strings.Lines(string(status)) {
		if rest, is := strings.CutPrefix(line, "VmHWM:"); is {
			peak = strings.Fields(rest)[0]
		}
	}
	fmt.Println(took.Milliseconds(), peak, len(found.Games), found.Before)
	return j.Close(context.Background(), "done")
}

// openInChild opens a journal in a process of its own.
func openInChild(tb testing.TB, path string) (took time.Duration, peakKB int) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=open "+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	fields := strings.Fields(string(out))
	ms, err := strconv.Atoi(fields[0])
	if err == nil {
		peakKB, err = strconv.Atoi(fields[1])
	}
	if err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	return time.Duration(ms) * time.Millisecond, peakKB
}

func BenchmarkOpenWeek(b *testing.B) {
	path := filepath.Join(b.TempDir(), File)
	n := week(b, path, 64, 7, 2, 120)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	clean, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	peak := 0
	for b.Loop() {
		d, kb := openInChild(b, path)
		took, peak = append(took, d), max(peak, kb)
	}
	b.ReportMetric(float64(info.Size())/float64(n), "bytes/ply")
	b.ReportMetric(float64(info.Size())/1e6, "MB/week")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "ms/open")
	b.ReportMetric(float64(peak)/1024, "MB-memory")
	// After a crash the whole tree is walked too.
	crashed := path + "-crashed"
	if err := os.WriteFile(crashed, clean, 0o644); err != nil {
		b.Fatal(err)
	}
	s := &store{path: crashed, notice: func(Notice) {}, wall: time.Now}
	v, err := s.open(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	last := row{seq: v.last + 1, run: 2, kind: Started{}.kind(), nth: v.nth[0] + 1}
	last.sum = last.checksum()
	if err := s.write(b.Context(), []row{last}); err != nil {
		b.Fatal(err)
	}
	if err := s.shut(); err != nil {
		b.Fatal(err)
	}
	d, kb := openInChild(b, crashed)
	b.ReportMetric(float64(d.Milliseconds()), "ms/open-after-crash")
	b.ReportMetric(float64(kb)/1024, "MB-memory-after-crash")
}

// commits measures how long facts take from Append to Done, on this machine's disk.
func commits(b *testing.B, tables int) {
	j := open(b, filepath.Join(b.TempDir(), File), Options{Wait: time.Nanosecond})
	g := longGame(b, 1)
	facts := halfMove(g, 1)
	var took []time.Duration
	for b.Loop() {
		done := make(chan error, tables)
		begun := time.Now()
		for table := range tables {
			must(b, j.Append(Batch{Table: table + 1, Game: GameID(table + 1), Facts: facts[:1+2*min(1, tables-1)], Done: func(_ Receipt, err error) { done <- err }}))
		}
		for range tables {
			must(b, <-done)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	ms := func(share float64) float64 {
		return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(ms(0.5), "ms/p50")
	b.ReportMetric(ms(0.99), "ms/p99")
}

// One fact alone, written at once.
func BenchmarkCommit(b *testing.B) { commits(b, 1) }

// A half-move of each of 100 tables at the same moment: three facts each.
func BenchmarkCommitHundred(b *testing.B) { commits(b, 100) }
