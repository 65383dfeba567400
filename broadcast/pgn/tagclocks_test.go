package pgn

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

func readOne(t *testing.T, text string) *rules.Game {
	t.Helper()
	g, err := rules.NewPGNReader(strings.NewReader(text), "f").Next()
	if g == nil {
		t.Fatal(err)
	}
	return g
}

func secondsOf(d *time.Duration) any {
	if d == nil {
		return nil
	}
	return d.Seconds()
}

func TestTagClocks(t *testing.T) {
	for _, c := range []struct {
		tags         string
		white, black any
		running      string
	}{
		{``, nil, nil, ""},
		{`[WhiteClock "00:04:08"] [BlackClock "7:03"] [ReferenceTime "B/2018-09-12T15:26:56.191-05:00"]`, 248.0, 423.0, "b"},
		{`[WhiteClock "59"] [ReferenceTime "N/2018-09-12T15:26:56Z"]`, 59.0, nil, ""},
		{`[Clock "W/0:05:00"]`, 300.0, nil, "w"},
		{`[Clock "B/0:05:00"] [WhiteClock "0:06:00"]`, 360.0, 300.0, "b"},
		{`[TimeControl "180"] [WhiteClock "0:03:00"] [BlackClock "0:03:01"]`, 180.0, nil, ""},
		{`[TimeControl "180+2"] [WhiteClock "0:03:04"] [BlackClock "0:03:05"]`, 184.0, nil, ""},
		{`[TimeControl "40/5400+30:1800+30"] [WhiteClock "1:59:00"] [BlackClock "3:00:00"]`, 7140.0, nil, ""},
		{`[TimeControl "40/5400"] [WhiteClock "5:59:00"] [BlackClock "23:59:58"]`, 21540.0, nil, ""},
		{`[TimeControl ": 90 minutes and more"] [WhiteClock "5:59:00"] [BlackClock "x"]`, 21540.0, nil, ""},
	} {
		got := TagClocks(readOne(t, strings.ReplaceAll(c.tags, "] [", "]\n[")+"\n\n*\n"))
		if secondsOf(got.White) != c.white || secondsOf(got.Black) != c.black || got.Running != c.running {
			t.Errorf("%s: %v %v %q", c.tags, secondsOf(got.White), secondsOf(got.Black), got.Running)
		}
	}
	if got := TagClocks(readOne(t, "[ReferenceTime \"B/2018-09-12T15:26:56.191-05:00\"]\n\n*")).At; got.UTC().Format(time.RFC3339Nano) != "2018-09-12T20:26:56.191Z" {
		t.Errorf("read at %v", got)
	}
}

// TestSharedCases runs every row of kind pgn that is about clocks in tags.
func TestSharedCases(t *testing.T) {
	f, err := os.Open(filepath.Join(shared(t), "cases", "cases.jsonl"))
	if err != nil {
		t.Skipf("needs the shared material: %v", err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct {
			ID, Kind string
			Input    struct{ PGN string }
			Expected map[string]any
		}
		json.Unmarshal(lines.Bytes(), &row) // other kinds have other shapes
		_, white := row.Expected["white_s"]
		if row.Kind != "pgn" || !white {
			continue
		}
		rows++
		got := TagClocks(readOne(t, row.Input.PGN))
		if secondsOf(got.White) != row.Expected["white_s"] || secondsOf(got.Black) != row.Expected["black_s"] {
			t.Errorf("%s: %v %v", row.ID, secondsOf(got.White), secondsOf(got.Black))
		}
		if want, told := row.Expected["running"]; told && got.Running != want {
			t.Errorf("%s: running %q, want %v", row.ID, got.Running, want)
		}
	}
	if rows == 0 {
		t.Error("no rows")
	}
}

func shared(t *testing.T) string {
	if dir := os.Getenv("BOARDD_SHARED"); dir != "" {
		return dir
	}
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "cases")); err == nil {
			return filepath.Join(dir, "shared")
		}
	}
	t.Skip("needs the shared material: set BOARDD_SHARED or put it in ../shared")
	return ""
}
