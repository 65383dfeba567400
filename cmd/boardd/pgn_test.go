package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/venue"
)

func TestPGNEvent(t *testing.T) {
	today := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ name, stage, round, id string }{
		{"The Open", "", "3", "the-open"},
		{"The Open", "play-off", "1", "the-open-play-off"},
		{"The Open", "", "", "the-open-2026-12-01"},
		{"", "", "", "2026-12-01"},
		{"", "", "2", "event"},
	} {
		config := venue.DefaultConfig()
		config.Event.Name, config.Event.Stage, config.Event.Round = c.name, c.stage, c.round
		config.Event.TimeControl = "3+2"
		config.Tables = []venue.TableConfig{{Number: 4, Board: "48096"}}
		e := pgnEvent(config, today)
		if e.ID != c.id || e.TimeControl.PGN() != "180+2" || e.Serials[4] != "48096" || e.Round != c.round || e.Layout != "both" || e.Spelling != "pgn" {
			t.Errorf("%+v: got %+v", c, e)
		}
	}
}

func TestPGNCommand(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"feed.pgn":            "[White \"A\"]\n[Result \"½-½\"]\n\n1. e4 {[%clk\n0:01:00]} e5 ½-½\n\n[White \"B\"]\n[Result \"0-1\"]\n\n1. e4 Ke4 0-1\n",
		"round-2/game-1.json": `{"live":true,"chess960":518,"clock":{"white":60,"black":59,"run":true,"time":1796083200000},"moves":["e4 65+3","e5 +4"]}`,
		"round-2/index.json":  `{"date":"2026-12-01","pairings":[{"white":{"fname":"Anna","lname":"Novak","fideid":12},"black":null,"result":"*","live":true}]}`,
		"tournament.json":     `{"name":"The Open","location":null}`,
		"bad.json":            `{"moves":["e4 x"]}`,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args        string
		status      int
		out, errors []string
	}{
		{"feed.pgn", 1, []string{"1. e4 {[%clk 0:01:00]} 1... e5 1/2-1/2", "1. e4 0-1"},
			[]string{":4: tolerated: a line broken inside a command", "tolerated: a result that is not written as in the standard (2 times)", "ply 2: expected a legal move of black"}},
		{"--json feed.pgn", 1, []string{`"moves":["e4","e5"],"clk":[60,null]`, `"error":{"line":10,"ply":2,"san":"Ke4"`, `"tolerated":[{"what":`}, nil},
		{"round-2/game-1.json", 0, []string{`[Event "The Open"]`, `[Round "2.1"]`, `[White "Novak, Anna"]`, `[WhiteFideId "12"]`, `[Date "2026.12.01"]`, `[WhiteClock "0:01:00"]`, "{[%clk 0:01:05] [%emt 0:00:03]} 1... e5 {[%emt 0:00:04]} *"}, nil},
		{"--json round-2/game-1.json", 0, []string{`"white_s":60,"black_s":59,"running":"w"`, `"emt":[3,4]`}, nil},
		{"bad.json", 1, nil, []string{`expected whole seconds`}},
		{"none.pgn", 1, nil, []string{"none.pgn"}},
		{"", 2, nil, []string{"expected"}},
	} {
		args := []string{"pgn"}
		for _, word := range strings.Fields(c.args) {
			if !strings.HasPrefix(word, "-") {
				word = filepath.Join(dir, word)
			}
			args = append(args, word)
		}
		var out, errs bytes.Buffer
		if status := run(t.Context(), args, &process{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}); status != c.status {
			t.Errorf("%s: status %d, want %d: %s", c.args, status, c.status, errs.String())
		}
		for _, want := range c.out {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: expected %q in\n%s", c.args, want, out.String())
			}
		}
		for _, want := range c.errors {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%s: expected %q in\n%s", c.args, want, errs.String())
			}
		}
	}
}
