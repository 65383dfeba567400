package event

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/tomlfile"
)

func FuzzEvent(f *testing.F) {
	f.Add([]byte(right))
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "events", "*.toml"))
	if err != nil || len(files) == 0 {
		f.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, seed := range []string{
		"",
		"name = \"x\"\nstage = [{name = \"s\", system = \"swiss\", rounds = 3, time = \"5+3\", round = [{number = 2, start = \"2027-01-01 10:00\"}]}]\n",
		"stage = [{groups = [[1], [1, 2]], group-size = 9, play-off = true}]\n[[player]]\nnumber = 2\n",
		"stage = [{overstep = \"loss\"}]\n",
		"[[player]]\n[[player]]\nnumber = 1\n[[penalty]]\nplayer = 1\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := Read("f", text)
		if err != nil {
			checkFaults(t, text, e, err)
			return
		}
		// What was read can be played.
		for i := range e.Stages {
			st := &e.Stages[i]
			rounds, err := e.Pairings(st)
			if err != nil {
				t.Fatalf("stage %q: %v", st.Name, err)
			}
			if !st.PlayOff && st.System != Swiss && len(rounds) != e.Rounds(st) {
				t.Errorf("stage %q: %d rounds, %d promised", st.Name, len(rounds), e.Rounds(st))
			}
			settings := e.Settings(st, rounds)
			e.Waiting(st, settings)
		}
		e.Ladder()
	})
}

func checkFaults(t *testing.T, text []byte, e *Event, err error) {
	t.Helper()
	var faults tomlfile.Faults
	if e != nil || !errors.As(err, &faults) || len(faults) == 0 {
		t.Fatalf("event %v with the error %v", e, err)
	}
	lines := strings.Count(string(text), "\n") + 1
	for _, fault := range faults {
		if fault.Line < 1 || fault.Line > lines || fault.Column < 1 || fault.Expected == "" || fault.Got == "" {
			t.Errorf("a fault without its place (of %d lines) or its halves: %+v", lines, fault)
		}
	}
}
