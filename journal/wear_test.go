package journal

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules"
)

// moment is when a table tells something.
type moment struct {
	at    time.Duration
	table int
	facts []Fact
}

// hall is what so many boards tell in a while: a half-move every pace, at random; the
// ply when it is seen, the clock at the press, firmness a second later, each by itself.
func hall(t *testing.T, boards int, pace, length time.Duration) (list []moment, plies int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(64, 3))
	g := longGame(t, 3*int(length/pace))
	for table := 1; table <= boards; table++ {
		list = append(list, moment{0, table, []Fact{Begun{FEN: rules.StartFEN}}})
		at := time.Duration(rng.Int64N(int64(pace)))
		for n := 1; at < length; n++ {
			f := halfMove(g, n)
			plies++
			list = append(list, moment{at, table, f[:1]}, moment{at + 300*time.Millisecond, table, f[1:2]}, moment{at + time.Second, table, f[2:]})
			at += pace/2 + time.Duration(rng.Int64N(int64(pace)))
		}
	}
	slices.SortStableFunc(list, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return list, plies
}

// What is written to the card stays within what it stands: counted at the calls that SQLite
// makes, the log, its checkpoints and the closing included. A commit takes no time here, so
// there are as many as can be.
func TestCardWear(t *testing.T) {
	for _, tt := range []struct {
		name         string
		pace, length time.Duration
		most         float64 // bytes per second
	}{
		{"blitz", 3 * time.Second, 5 * time.Minute, 400e3},
		{"classical", 90 * time.Second, 2 * time.Hour, 40e3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() {
				tt.length /= 5
			}
			d := newSimDisk(t)
			path := filepath.Join(t.TempDir(), File)
			list, plies := hall(t, 64, tt.pace, tt.length)
			synctest.Test(t, func(t *testing.T) {
				j := open(t, path, Options{vfs: d.name})
				begun := time.Now()
				for _, m := range list {
					time.Sleep(m.at - time.Since(begun))
					must(t, j.Append(Batch{At: m.at, Table: m.table, Game: GameID(m.table), Facts: m.facts}))
				}
				j.close(t)
			})
			written, commits := 0, 0
			for _, op := range d.ops {
				if written += len(op.data); op.kind == opSync && filepath.Base(op.path) == File+"-wal" {
					commits++
				}
			}
			rate := float64(written) / tt.length.Seconds()
			floor := 4096 * float64(commits) / tt.length.Seconds()
			t.Logf("%d half-moves of 64 boards in %s: %.1f commits/s, %.1f kB/s; a page of 4 kB a commit would be %.1f kB/s",
				plies, tt.length, float64(commits)/tt.length.Seconds(), rate/1000, floor/1000)
			if rate > tt.most {
				t.Errorf("%.1f kB/s are written, at most %.1f are to be", rate/1000, tt.most/1000)
			}
			if commits < plies/10 {
				t.Errorf("only %d commits for %d half-moves: the count is wrong", commits, plies)
			}
		})
	}
}
