package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"boardd/rules"
)

// plight is how a disk fails.
type plight struct {
	name  string
	code  func(diskOp) int32
	short bool // half of what is written reaches the disk all the same
}

var plights = []plight{
	{"full", full, false},
	{"full, with short writes", full, true},
	{"input/output errors", func(op diskOp) int32 {
		switch op.kind {
		case opSync:
			return sqlite3.SQLITE_IOERR_FSYNC
		case opCreate:
			return sqlite3.SQLITE_CANTOPEN
		case opTruncate:
			return sqlite3.SQLITE_IOERR_TRUNCATE
		case opDelete:
			return sqlite3.SQLITE_IOERR_DELETE
		}
		return sqlite3.SQLITE_IOERR_WRITE
	}, true},
}

// full is a disk without space: what is there can be opened, synced, cut and deleted.
func full(op diskOp) int32 {
	if op.kind == opWrite {
		return sqlite3.SQLITE_FULL
	}
	return 0
}

// outage is how long a failure lasts.
const outage = 7 * time.Second

// spell makes call n and all that come within the outage fail, by the clock of a synctest
// bubble, and counts the calls that could.
func (d *simDisk) spell(n int, p plight) (calls *int) {
	calls = new(int)
	var until time.Time
	d.short = p.short
	d.setFail(func(op diskOp) int32 {
		rc := p.code(op)
		if rc == 0 {
			return 0
		}
		*calls++
		if *calls == n {
			until = time.Now().Add(outage)
		}
		if time.Now().Before(until) {
			return rc
		}
		return 0
	})
	return calls
}

// told is what a session in trouble was told.
type told struct {
	lines   []Fact        // as they were appended
	done    []Receipt     // in the order of Done
	latest  time.Duration // a Done came after its Append
	notices []Notice
}

// hardSession is a scripted session while the disk fails: a fact every 300 ms, whether
// the ones before it are durable or not.
func hardSession(t *testing.T, d *simDisk, path string) (w told) {
	t.Helper()
	g := longGame(t, 12)
	j := open(t, path, Options{vfs: d.name, pragmas: []string{"wal_autocheckpoint(6)"}})
	tell := func(facts ...Fact) {
		w.lines = append(w.lines, facts...)
		begun := time.Now()
		err := j.Append(Batch{Table: 7, Game: 1, Facts: facts, Done: func(r Receipt, err error) {
			if err != nil {
				t.Errorf("seq %d: %v", r.First, err)
			}
			d.acked(r.Last)
			w.done = append(w.done, r)
			w.latest = max(w.latest, time.Since(begun))
		}})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("Append waited for %s", took)
		}
		time.Sleep(300 * time.Millisecond)
	}
	tell(Begun{FEN: rules.StartFEN})
	tell(InForce{What: InForceConfig, Text: fmt.Sprintf("%09000d", 7)})
	for n := 1; n <= 12; n++ {
		tell(halfMove(g, n)...)
	}
	time.Sleep(time.Minute)
	if n := j.Waiting(); n != 0 {
		t.Errorf("%d facts wait still", n)
	}
	w.notices = j.told()
	j.close(t)
	return w
}

// A disk that fails at any call of a session and goes on failing for a while loses
// nothing: every fact is in the journal in the end, in order, and was when Done was
// called; people hear of it once, and once that it is over.
func TestFailingDisk(t *testing.T) {
	sessions, seen := 0, 0
	for _, p := range plights {
		t.Run(p.name, func(t *testing.T) {
			last := 1
			for n := 1; n <= last; n++ {
				sessions++
				d := newSimDisk(t)
				path := filepath.Join(t.TempDir(), File)
				synctest.Test(t, func(t *testing.T) {
					calls := d.spell(n, p)
					w := hardSession(t, d, path)
					last = max(last, *calls)
					if trouble(t, n, w) {
						seen++
					}
					d.setFail(nil)
					lines, err := dumped(t, path, Filter{Game: 1})
					if err != nil || len(lines) != len(w.lines) || !slices.IsSortedFunc(lines, func(a, b Line) int { return int(a.Seq) - int(b.Seq) }) {
						t.Errorf("call %d fails: %d of %d facts in the journal, error %v", n, len(lines), len(w.lines), err)
					}
					for i, l := range lines {
						if l.Kind != w.lines[i].kind() {
							t.Errorf("call %d fails: fact %d is a %s, told was a %s", n, i, l.Kind, w.lines[i].kind())
						}
					}
				})
				if t.Failed() {
					t.Fatalf("call %d of the disk", n)
				}
				rng := rand.New(rand.NewPCG(uint64(n), 3))
				dir := t.TempDir()
				k := rng.IntN(len(d.ops) + 1)
				acked := d.cut(t, k, dir, rng)
				if rows, _ := afterCut(t, dir); uint64(len(rows)) < acked {
					t.Errorf("call %d fails, power cut before operation %d: %d facts are left, %d were told to be durable", n, k, len(rows), acked)
				}
				if testing.Short() {
					n += 6
				}
			}
			if last < 40 {
				t.Errorf("the session made %d calls: expected more", last)
			}
		})
	}
	t.Logf("%d sessions, %d in which people were told", sessions, seen)
	if seen < sessions/2 {
		t.Errorf("%d failures of %d were noticed: expected most to be", seen, sessions)
	}
}

// trouble reads the notices of a session in which call n failed.
func trouble(t *testing.T, n int, w told) (told bool) {
	t.Helper()
	degraded, recovered := 0, 0
	for _, x := range w.notices {
		switch x.Kind {
		case NoticeDegraded:
			degraded++
		case NoticeRecovered:
			recovered++
		case NoticeTailCut: // of its own failed write
		default:
			t.Errorf("call %d fails: notice %s", n, x)
		}
	}
	if degraded > 1 || recovered != degraded || w.latest > time.Second && degraded == 0 {
		t.Errorf("call %d fails, facts up to %s late: notices %v", n, w.latest, w.notices)
	}
	for i, r := range w.done {
		if i > 0 && r.First != w.done[i-1].Last+1 {
			t.Errorf("call %d fails: Done for seq %d after %d", n, r.First, w.done[i-1].Last)
		}
	}
	return degraded == 1
}

// A card that stalls for two seconds at every sync holds up nobody who appends.
func TestStallingDisk(t *testing.T) {
	d := newSimDisk(t)
	path := filepath.Join(t.TempDir(), File)
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		d.setFail(func(op diskOp) int32 {
			if passed := time.Since(begun); op.kind == opSync && passed > time.Second && passed < 6*time.Second {
				time.Sleep(2 * time.Second)
			}
			return 0
		})
		w := hardSession(t, d, path)
		if !trouble(t, 0, w) || w.notices[0].Err != nil || w.notices[0].For != stallAfter || w.latest < 2*time.Second {
			t.Errorf("facts up to %s late, notices %v: expected one that the disk does not answer, and one that it does again", w.latest, w.notices)
		}
	})
}

// A card that lets nothing be written: the games that are on it are known, play goes on in
// memory, and all is written when it can be.
func TestReadOnlyAtTheStart(t *testing.T) {
	d := newSimDisk(t)
	path := filepath.Join(t.TempDir(), File)
	j := open(t, path, Options{})
	id, _ := j.play(t, 7, "e4", "e5")
	j.close(t)
	synctest.Test(t, func(t *testing.T) {
		d.setReadOnly(true)
		j := open(t, path, Options{vfs: d.name})
		if len(j.found.Games) != 1 || j.found.Games[0].Len() != 2 {
			t.Errorf("found %+v, expected the game", j.found)
		}
		durable := false
		if err := j.Append(Batch{Table: 7, Game: id, Facts: []Fact{Firm{2}}, Done: func(_ Receipt, err error) { durable = err == nil }}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if notices := j.told(); durable || len(notices) != 1 || notices[0].Kind != NoticeDegraded || notices[0].Err == nil {
			t.Errorf("durable %v, notices %v: expected one that the disk takes nothing", durable, notices)
		}
		d.setReadOnly(false)
		time.Sleep(time.Minute)
		synctest.Wait()
		if notices := j.told(); !durable || len(notices) != 2 || notices[1].Kind != NoticeRecovered {
			t.Errorf("durable %v, notices %v: expected one that it is over", durable, notices)
		}
		j.close(t)
	})
}

// A folder that cannot even be made, as on a card that the kernel mounted read-only.
func TestNoFolderAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, "/sys/boardd-has-no-folder-here/"+File, Options{})
		var ended error
		if err := j.Append(Batch{Table: 7, Facts: []Fact{Link{Up: true}}, Done: func(_ Receipt, err error) { ended = err }}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if notices := j.told(); len(notices) != 1 || notices[0].Kind != NoticeDegraded || ended != nil {
			t.Errorf("notices %v, Done with %v", notices, ended)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := j.Close(ctx, "asked to"); !errors.Is(err, ErrClosed) {
			t.Errorf("Close: error %v", err)
		}
		synctest.Wait()
		if !errors.Is(ended, ErrClosed) {
			t.Errorf("Done with %v, expected that the journal was closed before", ended)
		}
	})
}

// What there is no memory for is refused, the hole is told, and the record ends there.
func TestTooMuchWaits(t *testing.T) {
	d := newSimDisk(t)
	path := filepath.Join(t.TempDir(), File)
	synctest.Test(t, func(t *testing.T) {
		j := open(t, path, Options{vfs: d.name, Memory: 3000})
		id, g := j.play(t, 7, "e4", "e5", "Nf3")
		d.setFail(full)
		refused := 0
		for range 9 {
			switch err := j.Append(Batch{Table: 7, Game: id, Facts: halfMove(g, 3)}); {
			case errors.Is(err, ErrFull):
				refused++
			case err != nil:
				t.Fatal(err)
			}
		}
		d.setFail(nil)
		time.Sleep(time.Minute)
		if refused == 0 || refused == 9 {
			t.Errorf("%d of 9 batches were refused", refused)
		}
		j.durable(t, Batch{Table: 7, Game: id, Facts: []Fact{Result{Result: rules.Draw}}})
		rec, err := j.Game(t.Context(), id)
		if err != nil || rec.Broken == "" || rec.Len() != 3 || rec.Result != rules.Draw {
			t.Errorf("record %+v, error %v: expected 3 half-moves, a result, and that it is broken", rec, err)
		}
		j.close(t)
	})
}

// The calendar may jump by years: order is by seq.
func TestWallJumps(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	rng := rand.New(rand.NewPCG(1, 2))
	wall := func() time.Time { return time.Unix(rng.Int64N(4e9), 0) }
	for range 3 {
		j := open(t, path, Options{Wall: wall})
		j.play(t, 7, "e4", "e5", "Nf3")
		j.close(t)
	}
	j := open(t, path, Options{Wall: wall})
	if len(j.found.Games) != 1 || j.found.Games[0].Game != 3 || j.found.Games[0].Len() != 3 || j.found.Before != Clean || len(j.told()) != 0 {
		t.Errorf("found %+v, notices %v", j.found, j.told())
	}
	j.close(t)
	lines, err := dumped(t, path, Filter{})
	if err != nil || len(lines) != 3*(2+1+9)+2 {
		t.Errorf("%d facts, error %v", len(lines), err)
	}
	back := 0
	for i, l := range lines {
		if l.Seq != uint64(i+1) {
			t.Errorf("fact %d has seq %d", i+1, l.Seq)
		}
		if i > 0 && l.WallMS < lines[i-1].WallMS {
			back++
		}
	}
	if back == 0 {
		t.Error("the calendar never went back")
	}
}
