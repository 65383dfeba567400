package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/check"
	"boardd/dgt"
	"boardd/dgt/tape"
)

func sharedFolder(t *testing.T) string {
	t.Helper()
	if named := os.Getenv("BOARDD_SHARED"); named != "" {
		return named
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		shared := filepath.Join(filepath.Dir(dir), "shared")
		if _, err := os.Stat(filepath.Join(shared, "tapes")); err == nil {
			return shared
		}
	}
	t.Skip("no shared/ beside the repository, and BOARDD_SHARED names none: the tapes are not there")
	return ""
}

// watchTape runs the readings of a tape through a checker.
func watchTape(t *testing.T, name string, control *clock.Control) (*check.Checker, []clock.Finding) {
	t.Helper()
	text, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	tp, err := tape.Read(text, name)
	if err != nil {
		t.Fatal(err)
	}
	white := dgt.Left
	if tp.Header.Get("white_side") == "right" {
		white = dgt.Right
	}
	k := check.New(control)
	var found []clock.Finding
	var at time.Duration
	var d dgt.Decoder
	for _, e := range tp.Events {
		for k.Advance(at); at+50*time.Millisecond < e.At && at < e.At; {
			at = min(at+time.Second, e.At)
			k.Advance(at)
		}
		at = e.At
		switch {
		case e.Kind == tape.Received:
			d.Feed(e.Data, func(m dgt.Message) {
				if m, ok := m.(*dgt.ClockTime); ok {
					k.Reading(e.At, reading(m, white))
				}
			})
		case e.Kind == tape.Link:
			if e.Text == tape.LinkDown {
				d.Reset()
			}
			k.Outage(e.At, e.Text == tape.LinkUp)
		case e.Text == "clock-side right":
			white = dgt.Right
		case strings.HasPrefix(e.Text, "result"):
			k.Result(e.At)
		}
		found = append(found, k.Take()...)
	}
	return k, found
}

func reading(m *dgt.ClockTime, side dgt.Side) clock.Reading {
	white, black := m.Face(side), m.Face(side.Other())
	r := clock.Reading{White: white.Time, Black: black.Time, Running: m.Running, Connected: !m.NoClock, BatteryLow: m.BatteryLow, ToMove: clock.Black,
		WhiteFlag: white.Flag, BlackFlag: black.Flag, WhiteFlagShown: white.FlagShown, BlackFlagShown: black.FlagShown}
	if m.LeverHigh == side {
		r.ToMove = clock.White
	}
	return r
}

// cause is what a simulated session did to its clock.
type cause struct {
	File    string
	End     string
	Stops   [][2]int64
	Illegal *struct {
		UndoneMS *int64 `json:"undone_ms"`
		BackMS   *int64 `json:"back_ms"`
	}
	SettledMS int64 `json:"settled_ms"`
}

// A clock set right raises nothing, in any session; what is found has a cause.
func TestTapesRaiseNothingWithoutACause(t *testing.T) {
	shared := sharedFolder(t)
	truths, err := filepath.Glob(filepath.Join(shared, "tapes", "*", "truth.jsonl"))
	if err != nil || len(truths) == 0 {
		t.Fatalf("no truths: %v", err)
	}
	total, codes := 0, map[string]int{}
	for _, truth := range truths {
		folder := filepath.Dir(truth)
		text, err := os.ReadFile(truth)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var c cause
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(folder, filepath.Base(c.File))
			parsed, err := clock.Parse(header(t, name, "tc"), clock.Canonical)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			_, found := watchTape(t, name, &parsed.Control)
			total++
			for _, f := range found {
				codes[f.Code]++
				if !c.explains(f, filepath.Base(folder)) {
					t.Errorf("%s at %v: %s %v %s %v; stops %v end %q settled %d", name, f.At, f.Code, f.Player, f.Detail, f.Cleared, c.Stops, c.End, c.SettledMS)
				}
			}
			for _, code := range c.must(filepath.Base(folder)) {
				n := 0
				for _, f := range found {
					if f.Code == code {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%s: %s found %d times, want once: %+v", name, code, n, found)
				}
			}
		}
	}
	t.Logf("%d sessions: %v", total, codes)
	if codes["clock.changed"] < 10 || codes["clock.none"] < 5 || codes["clock.flag"] < 3 {
		t.Errorf("causes were not found: %v", codes)
	}
}

func header(t *testing.T, name, key string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "# "+key+": "); ok {
			return v
		}
	}
	t.Fatalf("%s: no %s", name, key)
	return ""
}

func (c *cause) explains(f clock.Finding, profile string) bool {
	switch f.Code {
	case "clock.none":
		return profile == "noclock"
	case "clock.flag":
		return c.End == "flag"
	case "clock.changed":
		return slices.ContainsFunc(c.Stops, func(s [2]int64) bool { return f.At.Milliseconds() >= s[0] && f.At.Milliseconds() <= s[1]+3000 }) ||
			c.Illegal != nil && c.Illegal.BackMS != nil && f.At.Milliseconds() <= *c.Illegal.BackMS+5000
	}
	return false
}

// must are the findings that the session has a cause for, whatever else it has.
func (c *cause) must(profile string) (codes []string) {
	if profile == "noclock" {
		codes = append(codes, "clock.none")
	}
	if c.End == "flag" {
		codes = append(codes, "clock.flag")
	}
	if c.Illegal != nil && c.Illegal.BackMS != nil && len(c.Stops) == 0 { // two minutes for the opponent
		codes = append(codes, "clock.changed")
	}
	return codes
}

func TestCapturesAreSetRight(t *testing.T) {
	shared := sharedFolder(t)
	for _, name := range []string{"real-1.tape", "real-2.tape"} {
		file := filepath.Join(shared, "captures", name)
		blitz := parse(t, "180+2")
		k, found := watchTape(t, file, &blitz)
		if len(found) > 0 {
			t.Errorf("%s: found %v", name, found)
		}
		for _, p := range clock.Players {
			if d, ok := k.Increment(p); !ok || d != 2*time.Second {
				t.Errorf("%s: increment of %v %v, want 2 s", name, p, d)
			}
		}
		other := parse(t, "300")
		_, found = watchTape(t, file, &other)
		if len(found) != 1 || found[0].Code != "clock.mismatch_time_control" || found[0].At > 20*time.Second {
			t.Errorf("%s told 5+0: found %v", name, found)
		}
	}
}

func parse(t *testing.T, text string) clock.Control {
	t.Helper()
	parsed, err := clock.Parse(text, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Control
}
