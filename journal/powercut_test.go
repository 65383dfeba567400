package journal

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"boardd/rules"
)

// session is a scripted one on a simulated disk: games, decisions and long texts, with
// checkpoints on the way, and a restart in the middle. It returns what was told.
func session(t *testing.T, d *simDisk, path string, options Options) (told []row) {
	t.Helper()
	options.vfs, options.Wait = d.name, time.Nanosecond
	g := longGame(t, 40)
	for run := range 2 {
		j := open(t, path, options)
		ids := map[int]GameID{}
		for table := 1; table <= 3; table++ {
			ids[table] = j.NewGame()
			ackedBatch(t, d, j, Batch{Table: table, Game: ids[table], Facts: []Fact{Begun{FEN: rules.StartFEN}}})
		}
		text := make([]byte, 9000) // on pages of its own
		for i := range text {
			text[i] = byte('a' + i%26)
		}
		ackedBatch(t, d, j, Batch{Facts: []Fact{InForce{What: InForceConfig, Hash: HashOf(string(text)), Text: string(text)}}})
		for n := 1; n <= 20; n++ {
			table := 1 + n%3
			ackedBatch(t, d, j, Batch{Table: table, Game: ids[table], Facts: halfMove(g, (n+2)/3)})
			if n%7 == 0 {
				ackedBatch(t, d, j, Batch{Table: table, Game: ids[table], Facts: []Fact{Alert{Code: "clock.flag", Step: Raised, N: n, Detail: fmt.Sprint(run)}}})
			}
		}
		if run == 0 {
			j.close(t)
			continue
		}
		told = allRows(t, j.store)
		j.close(t)
	}
	return told
}

func ackedBatch(t *testing.T, d *simDisk, j *opened, b Batch) {
	t.Helper()
	r := j.durable(t, b)
	d.acked(r.Last)
}

func allRows(t *testing.T, s *store) (list []row) {
	t.Helper()
	err := s.read(t.Context(), func(r reader) error {
		return r.entries(t.Context(), func(found row, _ Entry) error { list = append(list, found); return nil }, "ORDER BY seq")
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// afterCut opens what a power cut left and returns the facts there.
func afterCut(t *testing.T, dir string) ([]row, []Notice) {
	t.Helper()
	o := &opened{}
	s := &store{path: filepath.Join(dir, File), notice: o.take, wall: time.Now, pragmas: []string{"synchronous(OFF)"}} // quick: this disk is not cut again
	if _, err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := allRows(t, s)
	if err := s.shut(); err != nil {
		t.Fatal(err)
	}
	return rows, o.told()
}

// cuts cuts the power before and after every sync, and at random moments, and counts
// the cuts that lost facts that had been told to be durable, those that left a write to be
// taken off, and those that were taken for damage.
func cuts(t *testing.T, d *simDisk, told []row, perPoint int) (n, lossy, tails, damaged int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(6, 1))
	var points []int
	for k, op := range d.ops {
		if op.kind == opSync {
			points = append(points, k, k+1)
		}
	}
	for range len(points) / 4 {
		points = append(points, rng.IntN(len(d.ops)))
	}
	for i, k := range points {
		if testing.Short() && i%7 > 0 {
			continue
		}
		for range perPoint {
			dir := filepath.Join(t.TempDir(), fmt.Sprint(n))
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			acked := d.cut(t, k, dir, rng)
			rows, notices := afterCut(t, dir)
			n++
			kept := uint64(0)
			for _, r := range rows {
				if i := int(r.seq) - 1; i < len(told) && r != told[i] {
					t.Fatalf("cut before operation %d: seq %d reads %+v, told was %+v", k, r.seq, r, told[i])
				}
				if r.seq <= acked {
					kept++
				}
			}
			if kept < acked {
				lossy++
			}
			for _, notice := range notices {
				switch notice.Kind {
				case NoticeTailCut:
					tails++
				case NoticeDamaged:
					damaged++
					t.Logf("cut before operation %d was taken for damage: %s", k, notice)
				default:
					t.Fatalf("cut before operation %d: %s", k, notice)
				}
			}
		}
	}
	return n, lossy, tails, damaged
}

// perPoint is how many ways are tried in which a cut at one moment may leave the disk; CUTS
// says how many, as `make powercut` does.
func perPoint(t *testing.T) int {
	text := os.Getenv("CUTS")
	if text == "" {
		return 2
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("CUTS: expected a number, got %q", text)
	}
	return n
}

// Every fact that was told to be durable survives a power cut at any moment, however the
// disk drops or tears what was not synced, and nothing else comes up in its place.
func TestPowerCut(t *testing.T) {
	d := newSimDisk(t)
	told := session(t, d, filepath.Join(t.TempDir(), File), Options{pragmas: []string{"wal_autocheckpoint(12)"}})
	n, lossy, tails, damaged := cuts(t, d, told, perPoint(t))
	if lossy > 0 {
		t.Errorf("%d of %d power cuts lost facts", lossy, n)
	}
	if damaged > 0 {
		t.Errorf("%d of %d power cuts were taken for damage", damaged, n)
	}
	if tails == 0 {
		t.Errorf("no cut of %d left a torn write: the disk is too kind to show anything", n)
	}
	t.Logf("%d power cuts, %d torn writes taken off, none lost a fact", n, tails)
}

// The control: with the usual synchronous=NORMAL the same cuts do lose facts, so the
// test above can fail.
func TestPowerCutControl(t *testing.T) {
	d := newSimDisk(t)
	told := session(t, d, filepath.Join(t.TempDir(), File), Options{pragmas: []string{"wal_autocheckpoint(12)", "synchronous(NORMAL)"}})
	n, lossy, _, _ := cuts(t, d, told, 2)
	if lossy == 0 {
		t.Errorf("none of %d power cuts lost a fact, although nothing waits for the disk", n)
	}
	t.Logf("%d of %d power cuts lost facts", lossy, n)
}
