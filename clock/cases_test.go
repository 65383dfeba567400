package clock_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/clock"
)

type stage struct {
	Moves int    `json:"moves"`
	Base  int    `json:"base_s"`
	Inc   int    `json:"inc_s"`
	Mode  string `json:"mode"`
}

type sharedCase struct {
	ID, Kind string
	Input    struct{ Text string }
	Expected struct {
		OK        bool
		Error     string
		Ambiguous bool
		Stages    []stage
		Seconds   []stage `json:"stages_if_seconds"`
		Minutes   []stage `json:"stages_if_minutes"`
	}
}

func TestSharedCases(t *testing.T) {
	file, err := os.Open(filepath.Join(sharedFolder(t), "cases", "cases.jsonl"))
	if err != nil {
		t.Skipf("needs the shared material: %v", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		if !strings.Contains(lines.Text(), `"timecontrol"`) {
			continue
		}
		var c sharedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind != "timecontrol" {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 10 {
		t.Errorf("%d cases, want more", n)
	}
}

func checkCase(t *testing.T, c sharedCase) {
	want := map[clock.Context][]stage{clock.People: c.Expected.Stages, clock.PGN: c.Expected.Stages}
	if c.Expected.Ambiguous {
		want[clock.People], want[clock.PGN] = c.Expected.Minutes, c.Expected.Seconds
	}
	for context, stages := range want {
		got, err := clock.Parse(c.Input.Text, context)
		if !c.Expected.OK {
			if err == nil || !strings.Contains(err.Error(), c.Expected.Error) {
				t.Errorf("%q: error %v, want %q", c.Input.Text, err, c.Expected.Error)
			}
			continue
		}
		if err != nil || got.Ambiguous != c.Expected.Ambiguous {
			t.Errorf("%q: error %v, ambiguous %t", c.Input.Text, err, got.Ambiguous)
			continue
		}
		var is []stage
		for _, p := range got.Control.White {
			is = append(is, stage{p.Moves, int(p.Base / time.Second), int(p.Bonus / time.Second), p.Kind.String()})
		}
		if a, b := asJSON(t, is), asJSON(t, stages); a != b {
			t.Errorf("%q: %s, want %s", c.Input.Text, a, b)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sharedFolder finds the material that lies beside the repository.
func sharedFolder(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BOARDD_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "shared")); err == nil {
			return filepath.Join(dir, "shared")
		}
		if filepath.Dir(dir) == dir {
			t.Skip("no shared folder: set BOARDD_SHARED to run this test")
		}
		dir = filepath.Dir(dir)
	}
}
