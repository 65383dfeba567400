package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func exampleEvent(name string) string {
	return filepath.Join("..", "..", "docs", "events", name+".toml")
}

// What an organiser reads about each of the complete examples.
func TestEventViews(t *testing.T) {
	for _, part := range []string{"check", "pairings", "standings", "clocks"} {
		for _, name := range []string{"st-louis", "barbados", "amplico", "golden-knights"} {
			t.Run(part+" "+name, func(t *testing.T) {
				want, err := os.ReadFile(filepath.Join("testdata", "event", part+"-"+name+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				status, stdout, stderr := cli(t, "event", part, exampleEvent(name))
				if status != exitOK || stderr != "" {
					t.Fatalf("status %d, stderr %q", status, stderr)
				}
				if diff := cmp.Diff(string(want), stdout); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// eventJSON runs a part of boardd event and reads its one line of JSON.
func eventJSON(t *testing.T, into any, part, name string) {
	t.Helper()
	status, stdout, stderr := cli(t, "event", part, "--json", exampleEvent(name))
	if status != exitOK || stderr != "" || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("status %d, stderr %q, stdout %q", status, stderr, stdout)
	}
	dec := json.NewDecoder(strings.NewReader(stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func TestEventCheckJSON(t *testing.T) {
	var r checkReport
	eventJSON(t, &r, "check", "st-louis")
	if !r.OK || r.Draws != "claims-only" || *r.DefaultTime != 600 || r.Delay != 900 || r.Players != 10 || len(r.Stages) != 5 {
		t.Errorf("got %+v", r)
	}
	want := checkedStage{Name: "Blitz 2", System: "round robin", PlayOff: true, Canonical: "300+2", Class: "blitz", Colours: "reversed", Ties: []string{}}
	if diff := cmp.Diff(want, r.Stages[4]); diff != "" {
		t.Errorf("last stage (-want +got):\n%s", diff)
	}
	var none checkReport
	if eventJSON(t, &none, "check", "golden-knights"); none.DefaultTime != nil {
		t.Errorf("default time %d, want null", *none.DefaultTime)
	}
}

func TestEventPairingsJSON(t *testing.T) {
	var r pairingsReport
	eventJSON(t, &r, "pairings", "barbados")
	if len(r.Stages) != 4 || len(r.Stages[0].Rounds) != 11 || r.Stages[0].Rounds[10].Start != "2027-07-18 10:00" {
		t.Fatalf("got %+v", r)
	}
	want := gameJSON{Board: 6, Table: 6, White: &seatJSON{Number: 11, Player: 11, Name: "King, Adrian"}, Black: &seatJSON{Number: 1, Player: 1, Name: "Alleyne, Dwight"}}
	if diff := cmp.Diff(want, r.Stages[0].Rounds[10].Games[5]); diff != "" {
		t.Errorf("last game (-want +got):\n%s", diff)
	}
	eventJSON(t, &r, "pairings", "golden-knights")
	if bye := r.Stages[0].Rounds[0].Games[3]; !bye.Bye || bye.Black != nil || bye.White.Name != "Abbott, Lorraine" {
		t.Errorf("bye %+v", bye)
	}
}

func TestEventClocksJSON(t *testing.T) {
	var r clocksReport
	eventJSON(t, &r, "clocks", "barbados")
	if n := len(r.Stages[0].Tables); n != 66 {
		t.Errorf("%d tables in all rounds, want 66", n)
	}
	if s := r.Stages[3]; s.Canonical != "W240+10-B300+10" || s.Class != "rapid" || s.Odds != "" || *s.Start != (startsJSON{250, 310}) {
		t.Errorf("single games %+v", s)
	}
	eventJSON(t, &r, "clocks", "amplico")
	if s := r.Stages[2]; s.Odds != "black" || *s.Start != (startsJSON{300, 240}) {
		t.Errorf("decider %+v", s)
	}
	eventJSON(t, &r, "clocks", "golden-knights")
	if s := r.Stages[0]; s.Start != nil || len(s.Tables) != 0 {
		t.Errorf("stage by post %+v", s)
	}
}

// A faulty file gives all its faults and nothing else, to people and to scripts.
func TestEventFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "event.toml")
	if err := os.WriteFile(file, []byte("name = \"\"\n[[stage]]\nname = \"s\"\nsystem = \"swiss\"\ntime = \"60/60\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"check", "pairings", "standings", "clocks"} {
		status, stdout, stderr := cli(t, "event", part, file)
		want := "boardd: " + file + ":1:8: name: expected a text that is not empty, got \"\"\n" +
			"boardd: " + file + ":2:3: stage: expected the key rounds, got none\n" +
			"boardd: " + file + ":5:8: stage.time: expected a time control with one meaning, such as 60/3600 (60 moves in 60 min) or 3600+60 (60 min and 60 s a move) (the order of moves and minutes is open), got \"60/60\"\n"
		if status != exitFailed || stdout != "" {
			t.Errorf("%s: status %d, stdout %q", part, status, stdout)
		}
		if diff := cmp.Diff(want, stderr); diff != "" {
			t.Errorf("%s (-want +got):\n%s", part, diff)
		}
	}
	status, stdout, stderr := cli(t, "event", "check", "--json", file)
	if status != exitFailed || stderr != "boardd: the event file has faults\n" ||
		!strings.HasPrefix(stdout, `{"ok":false,"faults":[{"file":`) || strings.Count(stdout, `"expected":`) != 3 {
		t.Errorf("status %d, stderr %q, stdout %s", status, stderr, stdout)
	}
}

func TestEventMistakesOfTheCommandLine(t *testing.T) {
	for _, tt := range []struct{ args, stderr string }{
		{"event", "boardd: event: expected check, pairings or clocks, got none\nhint: see \"boardd event --help\"\n"},
		{"event chek x.toml", "boardd: event: expected check, pairings or clocks, got \"chek\"\nhint: see \"boardd event --help\"\n"},
		{"event check", "boardd: event check: expected one event file, got 0\nhint: see \"boardd event check --help\"\n"},
		{"event check a b", "boardd: event check: expected one event file, got 2\nhint: see \"boardd event check --help\"\n"},
	} {
		status, stdout, stderr := cli(t, strings.Fields(tt.args)...)
		if status != exitUsage || stdout != "" || stderr != tt.stderr {
			t.Errorf("%s: status %d, stdout %q, stderr %q", tt.args, status, stdout, stderr)
		}
	}
	status, _, stderr := cli(t, "event", "check", "none.toml")
	if status != exitFailed || stderr != "boardd: event: open none.toml: no such file or directory\n" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}
