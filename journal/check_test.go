package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/rules"
)

// filesOf are all files of a folder.
func filesOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range list {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name()] = b
	}
	return files
}

func dumped(t *testing.T, path string, only Filter) (lines []Line, err error) {
	t.Helper()
	err = Dump(t.Context(), path, only, func(l Line) error { lines = append(lines, l); return nil })
	return lines, err
}

// Of damaged files the check finds fault with those that the daemon finds damaged; a dump
// of such a file ends in an error and gives nothing that was not told, a salvage
// gives what the daemon's gives; and the files stay as they are.
func TestLookingAtDamage(t *testing.T) {
	files, told := worn(t)
	byPlace := map[uint64]Line{}
	for _, r := range told {
		byPlace[r.seq] = r.line()
	}
	found := 0
	for seed := range uint64(33) {
		if testing.Short() && seed%3 > 0 {
			continue // of each harm one
		}
		h := harms[seed%uint64(len(harms))]
		t.Run(fmt.Sprintf("%d %s", seed, h.name), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 9))
			dir := t.TempDir()
			path := filepath.Join(dir, File)
			for name, b := range files {
				b = bytes.Clone(b)
				if h.log == (name == "-wal") {
					b = h.do(b, rng)
				}
				if err := os.WriteFile(path+name, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			before := filesOf(t, dir)
			f, err := Check(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			lines, dumpErr := dumped(t, path, Filter{})
			for _, l := range lines {
				if diff := cmp.Diff(byPlace[l.Seq], l); diff != "" {
					t.Errorf("dumped (-told +dumped):\n%s", diff)
				}
			}
			to := filepath.Join(t.TempDir(), "salvaged.sqlite")
			d, err := Salvage(t.Context(), path, to)
			if err != nil && !errors.Is(err, ErrNothing) {
				t.Fatal(err)
			}
			if after := filesOf(t, dir); !sameFiles(before, after) {
				t.Errorf("the folder was changed: it had %d files, it has %d", len(before), len(after))
			}
			o := &opened{}
			s := &store{path: path, notice: o.take, wall: time.Now}
			if _, err := s.open(t.Context()); err != nil {
				t.Fatal(err)
			}
			rows := allRows(t, s)
			if err := s.shut(); err != nil {
				t.Fatal(err)
			}
			damaged := slices.ContainsFunc(o.told(), func(n Notice) bool { return n.Kind == NoticeDamaged })
			if damaged {
				found++
			}
			if damaged && len(f.Faults) == 0 {
				t.Errorf("the daemon finds damage (%v), the check finds none", o.told())
			}
			if damaged && dumpErr == nil {
				t.Errorf("the daemon finds damage (%v), the dump does not tell of it", o.told())
			}
			if d != nil && damaged && d.Kept != len(rows) {
				t.Errorf("salvaged %d facts, the daemon %d", d.Kept, len(rows))
			}
			if d != nil {
				again, err := Check(t.Context(), to)
				if err != nil || len(again.Faults) > 0 || again.Facts != d.Kept {
					t.Errorf("what was salvaged: %+v, error %v; expected %d facts and no fault", again, err, d.Kept)
				}
			}
		})
	}
	if found == 0 {
		t.Error("no harm of all did any damage")
	}
}

func sameFiles(a, b map[string][]byte) bool {
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}

// A journal that is in use is looked at without its boardd noticing.
func TestLookingAtALiveFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	j := open(t, path, Options{})
	id, _ := j.play(t, 7, "e4", "e5", "Nf3")
	j.play(t, 3, "d4")
	f, err := Check(t.Context(), path)
	if err != nil || len(f.Faults) > 0 || !f.Live || f.Facts != 15 || f.Games != 2 || f.Runs != 1 {
		t.Errorf("check: %+v, error %v", f, err)
	}
	seven, none := 7, 0
	for _, tt := range []struct {
		name string
		only Filter
		want int
	}{
		{"all", Filter{}, 15}, {"since", Filter{Since: 13}, 2}, {"table", Filter{Table: &seven}, 10}, {"venue", Filter{Table: &none}, 1},
		{"game", Filter{Game: id}, 10}, {"game since", Filter{Game: id, Since: 4}, 7}, {"no such game", Filter{Game: 99}, 0},
	} {
		lines, err := dumped(t, path, tt.only)
		if err != nil || len(lines) != tt.want {
			t.Errorf("dump of %s: %d lines, error %v, want %d", tt.name, len(lines), err, tt.want)
		}
	}
	// More is written while somebody reads slowly: nobody waits for him.
	first := true
	err = Dump(t.Context(), path, Filter{}, func(Line) error {
		if first {
			j.durable(t, Batch{Table: 1, Facts: []Fact{Link{Up: true}}})
		}
		first = false
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	to := path + "-copy"
	d, err := Salvage(t.Context(), path, to)
	if err != nil || d.Kept != 16 || d.Lost != 0 {
		t.Errorf("salvage: %+v, error %v", d, err)
	}
	if _, err := Salvage(t.Context(), path, to); err == nil {
		t.Error("salvage wrote over a file")
	}
	j.close(t)
	if f, err := Check(t.Context(), path); err != nil || f.Live || len(f.Faults)+len(f.Notes) > 0 {
		t.Errorf("check of a closed file: %+v, error %v", f, err)
	}
}

// forge writes rows past all checks.
func forge(t *testing.T, path string, change func([]row) []row) {
	t.Helper()
	j := open(t, path, Options{})
	j.play(t, 7, "e4", "e5")
	rows := change(allRows(t, j.store))
	j.close(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s := &store{path: path, notice: func(Notice) {}, wall: time.Now}
	if _, err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.write(t.Context(), rows), s.shut()); err != nil {
		t.Fatal(err)
	}
}

// What is wrong is said in words.
func TestCheckSays(t *testing.T) {
	tests := []struct {
		name   string
		change func(r []row) []row
		want   string
	}{
		{"a changed word", func(r []row) []row { r[2].text = "d4"; return r }, "seq 3: expected checksum"},
		{"a missing fact", func(r []row) []row { return slices.Delete(r, 3, 4) }, "facts are missing: seq 4"},
		{"a missing place", func(r []row) []row {
			for i := range r[3:] {
				r[3+i].nth++
				r[3+i].sum = r[3+i].checksum()
			}
			return r
		}, "1 facts of table 7 after seq 3 are missing, yet no seq is"},
		{"an unknown kind", func(r []row) []row { r[3].kind = "guess"; r[3].sum = r[3].checksum(); return r }, `seq 4: expected a kind of fact that this boardd knows, got "guess"`},
		{"an impossible move", func(r []row) []row { r[5].code = "e7e4"; r[5].sum = r[5].checksum(); return r }, "game 1 does not fit together: seq 6"},
		{"a start that is none", func(r []row) []row { r[1].fen = "x"; r[1].sum = r[1].checksum(); return r }, "game 1: seq 2: start of the game"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), File)
			forge(t, path, tt.change)
			f, err := Check(t.Context(), path)
			if err != nil || !strings.Contains(strings.Join(f.Faults, "\n"), tt.want) {
				t.Errorf("faults %q, error %v; expected %q", f.Faults, err, tt.want)
			}
		})
	}
}

// What a salvage has noted as lost is no fault afterwards, but it is told.
func TestCheckOfASalvagedFile(t *testing.T) {
	dir := t.TempDir()
	path, to := filepath.Join(dir, File), filepath.Join(dir, "new.sqlite")
	forge(t, path, func(r []row) []row { return slices.Delete(r, 4, 6) })
	d, err := Salvage(t.Context(), path, to)
	if err != nil || d.Lost != 2 || d.Losses() != "lost: 2 (seq 5 to 6); table 7: 2 after seq 4 in game 1" {
		t.Fatalf("salvage %+v, error %v", d, err)
	}
	f, err := Check(t.Context(), to)
	if err != nil || len(f.Faults) > 0 {
		t.Errorf("check %+v, error %v", f, err)
	}
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"the record of game 1 ends after 1 half-moves: 2 facts of table 7 after seq 4 are missing", "seq 5 to 6: lost by damage"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q, expected %q", notes, want)
		}
	}
}

// What is no journal is refused, and so is a folder; an empty file holds no fact.
func TestLookingAtOtherFiles(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.sqlite")
	s := &store{path: other}
	if err := s.connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.ExecContext(t.Context(), "PRAGMA application_id = 7; CREATE TABLE notes (text TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := s.shut(); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(rules.StartFEN), 0o644); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), other); !errors.Is(err, ErrNotJournal) {
		t.Errorf("another program's file: error %v", err)
	}
	if _, err := Check(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "expected a file, got a folder") {
		t.Errorf("a folder: error %v", err)
	}
	if _, err := Check(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
	if f, err := Check(t.Context(), text); err != nil || len(f.Faults) == 0 {
		t.Errorf("a text: %+v, error %v", f, err)
	}
	if f, err := Check(t.Context(), empty); err != nil || len(f.Faults) > 0 || len(f.Notes) == 0 {
		t.Errorf("an empty file: %+v, error %v", f, err)
	}
	for _, from := range []string{text, empty} {
		if _, err := Salvage(context.Background(), from, filepath.Join(dir, "new")); !errors.Is(err, ErrNothing) {
			t.Errorf("salvage of %s: error %v", from, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a salvage of nothing left a file: %v", err)
	}
}
