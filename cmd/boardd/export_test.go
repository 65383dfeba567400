package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardd/journal"
	"boardd/journal/archive"
	"boardd/rules"
	"boardd/venue"
)

// keep writes games into the journal of a data folder, each "EVENT|ROUND|TABLE|MOVES|RESULT".
func keep(t *testing.T, dir string, games ...string) {
	t.Helper()
	j, _, err := journal.Open(filepath.Join(dir, journal.File), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range games {
		field := strings.Split(text, "|")
		var table int
		if _, err := fmt.Sscan(field[2], &table); err != nil {
			t.Fatal(err)
		}
		facts := []journal.Fact{journal.Begun{FEN: rules.StartFEN, Tags: rules.Tags{{Name: "Event", Value: field[0]}, {Name: "Round", Value: field[1]}, {Name: "Board", Value: field[2]}}}}
		g := rules.NewGame(rules.Start())
		for san := range strings.FieldsSeq(field[3]) {
			if err := g.PushSAN(san); err != nil {
				t.Fatal(err)
			}
			n := g.Len()
			facts = append(facts, journal.PlyOf(g, n, 0), journal.Clock{N: n, Left: 90 * time.Minute}, journal.Firm{N: n})
		}
		facts = append(facts, journal.Alert{Code: "press.missing", Step: journal.Raised, N: 1, Detail: "w"})
		if field[4] != "*" {
			facts = append(facts, journal.Result{Result: rules.Result(field[4]), Who: "arbiter"})
		}
		if err := j.Append(journal.Batch{At: time.Second, Table: table, Game: j.NewGame(), Facts: facts}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(context.Background(), "the test"); err != nil {
		t.Fatal(err)
	}
}

// eventFolder has a journal of two runs.
func eventFolder(t *testing.T) string {
	dir := t.TempDir()
	keep(t, dir, "Open|1|2|d4 d5|1-0", "Open|1|1|e4|1/2-1/2", "Open|2|1|c4|*")
	keep(t, dir, "Open|2|2|f4 e5|0-1", "Blitz/Night|1|1|g4|1-0")
	return dir
}

// movetexts are the last lines of the games of a PGN text.
func movetexts(pgn string) (list []string) {
	for part := range strings.SplitSeq(strings.TrimSpace(pgn), "\n\n") {
		if !strings.HasPrefix(part, "[") {
			list = append(list, strings.ReplaceAll(part, " {[%clk 1:30:00]}", ""))
		}
	}
	return list
}

func TestExport(t *testing.T) {
	dir := eventFolder(t)
	for _, tt := range []struct{ args, want string }{
		{"", "1. e4 1/2-1/2; 1. d4 1... d5 1-0; 1. f4 1... e5 0-1; 1. g4 1-0"},
		{"--round 2", "1. f4 1... e5 0-1"},
		{"--round 1 --event Open", "1. e4 1/2-1/2; 1. d4 1... d5 1-0"},
		{"--event Blitz/Night", "1. g4 1-0"},
		{"--round 9", ""},
	} {
		stdout, _ := expectOK(t, append([]string{"export", "--data-dir", dir}, strings.Fields(tt.args)...)...)
		if got := strings.Join(movetexts(stdout), "; "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.args, got, tt.want)
		}
	}
	stdout, _ := expectOK(t, "export", "--data-dir", dir, "--round", "2", "--format", "json")
	var g archivedGame
	if err := json.Unmarshal([]byte(stdout), &g); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("%v: %s", err, stdout)
	}
	if g.Game != 4 || g.Table != 2 || g.Round != "2" || g.Tags["Event"] != "Open" || g.StartFEN != rules.StartFEN || len(g.Moves) != 2 ||
		g.Moves[1].SAN != "e5" || *g.Moves[1].ClockMS != 5400000 || g.Result != rules.BlackWins ||
		g.Placement != "rnbqkbnr/pppp1ppp/8/4p3/5P2/8/PPPPP1PP/RNBQKBNR" || len(g.Alerts) != 1 || g.Alerts[0].Code != "press.missing" {
		t.Errorf("%+v", g)
	}
}

func TestExportToAFolder(t *testing.T) {
	dir, out := eventFolder(t), filepath.Join(t.TempDir(), "out")
	for range 2 { // again replaces
		stdout, _ := expectOK(t, "export", "--data-dir", dir, "--out", out)
		var want string
		for _, name := range []string{"Open-round-1.pgn", "Open-round-2.pgn", "Blitz_Night-round-1.pgn"} {
			want += filepath.Join(out, name) + "\n"
		}
		if stdout != want {
			t.Errorf("got\n%s\nwant\n%s", stdout, want)
		}
	}
	text, err := os.ReadFile(filepath.Join(out, "Open-round-1.pgn"))
	if got := strings.Join(movetexts(string(text)), "; "); err != nil || got != "1. e4 1/2-1/2; 1. d4 1... d5 1-0" {
		t.Errorf("%s, error %v", got, err)
	}
	if files, err := os.ReadDir(out); err != nil || len(files) != 3 {
		t.Errorf("%v, error %v", files, err)
	}
	if stdout, _ := expectOK(t, "export", "--data-dir", dir, "--out", out, "--event", "Open", "--format", "json"); !strings.HasSuffix(stdout, "/round-2.json\n") {
		t.Errorf("one event: %s", stdout)
	}
	if stdout, _ := expectOK(t, "export", "--data-dir", dir, "--out", out, "--round", "9"); stdout != "No finished games.\n" {
		t.Errorf("nothing: %q", stdout)
	}
}

func TestExportRefuses(t *testing.T) {
	if status, _, stderr := cli(t, "export", "--format", "xml"); status != exitUsage || !strings.Contains(stderr, `expected pgn or json, got "xml"`) {
		t.Errorf("status %d, %q", status, stderr)
	}
	if status, _, stderr := cli(t, "export", "--data-dir", t.TempDir()); status != exitFailed || !strings.Contains(stderr, "name the data folder with --data-dir") {
		t.Errorf("status %d, %q", status, stderr)
	}
}

// The running daemon serves what was finished before, and export reads the journal that it
// has open.
func TestRunServesTheArchive(t *testing.T) {
	dir := eventFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &watched{found: make(chan struct{}), want: "They are shown at once."}
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"run", "--listen", "127.0.0.1:0", "--delay", "0 s", "--port", "none", "--data-dir", dir, "--log-level", "error"},
			&process{stdin: strings.NewReader(""), stdout: out, stderr: out})
	}()
	<-out.found
	out.mu.Lock()
	page := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(out.text.String())
	out.mu.Unlock()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for path, want := range map[string]string{"/archive/": `"event":"Blitz/Night"`, "/archive/round-2.pgn": "1. f4 {[%clk 1:30:00]} 1... e5"} {
		answer, err := client.Get(page + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), want) || answer.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %s, error %v\n%s", path, answer.Status, err, text)
		}
	}
	t.Chdir(filepath.Dir(dir)) // people name folders as they see them
	if stdout, _ := expectOK(t, "export", "--data-dir", filepath.Base(dir), "--round", "2"); !strings.Contains(stdout, "1. f4") {
		t.Errorf("export beside the daemon:\n%s", stdout)
	}
	cancel()
	if status := <-done; status != exitOK {
		t.Errorf("status %d:\n%s", status, out.text.String())
	}
}

// What a run without a delay had shown goes up to its end, not into the next run.
func TestArchiveAfterARunWithoutDelay(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "Open|1|1|e4|1-0")
	open := func() (*journal.Journal, *journal.Recovered) {
		j, found, err := journal.Open(filepath.Join(dir, journal.File), journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return j, found
	}
	shut := func(j *journal.Journal) {
		if err := j.Close(context.Background(), "the test"); err != nil {
			t.Fatal(err)
		}
	}
	j, _ := open()
	if err := j.Append(journal.Batch{Facts: []journal.Fact{journal.Released{Upto: venue.PastMax}}}); err != nil {
		t.Fatal(err)
	}
	shut(j)
	j, found := open()
	a := archive.New(j, archiveOptions(j.Run(), found, time.Hour, func() time.Duration { return 0 }))
	done := make(chan error, 1)
	if err := j.Append(journal.Batch{Table: 2, Game: j.NewGame(), Facts: []journal.Fact{journal.Begun{FEN: rules.StartFEN}, journal.Result{Result: rules.Draw}},
		Done: func(_ journal.Receipt, err error) { done <- err }}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	games, err := a.Games(t.Context())
	if err != nil || len(games) != 1 || games[0].Table != 1 {
		t.Errorf("%+v, error %v; want the game of the run before alone", games, err)
	}
	shut(j)
}
