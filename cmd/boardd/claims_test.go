package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const knightsDance = `[Event "Dance"]
[White "A"]
[Black "B"]
[Round "1.2"]
[TimeControl "300+2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *
`

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestClaims(t *testing.T) {
	dir := t.TempDir()
	dance := writeFile(t, filepath.Join(dir, "dance.pgn"), knightsDance)
	bad := writeFile(t, filepath.Join(dir, "bad.pgn"), "[Event \"bad\"]\n\n1. e4 e5 2. Ke3 *\n\n"+knightsDance)
	shuffle := writeFile(t, filepath.Join(dir, "shuffle.pgn"), "1. Kc2 Rf8 *\n")
	mate := writeFile(t, filepath.Join(dir, "mate.pgn"), "[Event \"m\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")
	miles := writeFile(t, filepath.Join(dir, "false.pgn"), "1. e4 c6 2. Nf3 Qa5 3. Bb5 Qxb5 4. Nc3 Qa6 5. Nb1 Qb5 6. Rg1 Qa6 7. Rh1 Qb5 1/2-1/2\n")
	const danceJSON = `"plies":8,"threefold_on_board":[8],"threefold_next":[7,8],"fifty_on_board":[],"fifty_next":[],"fivefold_first":null,"seventyfive_first":null,"end":null,"final_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5"}` + "\n"
	for _, tt := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"json", []string{"--json", dance}, exitOK, `{"game":"dance.pgn#1",` + danceJSON, ""},
		{"the rest goes on", []string{"--json", bad}, exitFailed,
			`{"game":"bad.pgn#1","plies":2,"threefold_on_board":[],"threefold_next":[],"fifty_on_board":[],"fifty_next":[],"fivefold_first":null,"seventyfive_first":null,"end":null,"final_fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}` +
				"\n" + `{"game":"bad.pgn#2",` + danceJSON,
			"boardd: bad.pgn:3: ply 3: expected a legal move of white, got \"Ke3\": not a legal move (FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2)\nboardd: not everything could be read\n"},
		{"start given", []string{"--json", "--fen", "8/8/8/8/4k3/8/3K4/5r2 w - - 98 119", shuffle}, exitOK,
			`{"game":"shuffle.pgn#1","plies":2,"threefold_on_board":[],"threefold_next":[],"fifty_on_board":[2],"fifty_next":[1,2],"fivefold_first":null,"seventyfive_first":null,"end":null,"final_fen":"5r2/8/8/8/4k3/8/2K5/8 w - - 100 120"}` + "\n", ""},
		{"mate", []string{"--json", mate}, exitOK,
			`{"game":"mate.pgn#1","plies":4,"threefold_on_board":[],"threefold_next":[],"fifty_on_board":[],"fifty_next":[],"fivefold_first":null,"seventyfive_first":null,"end":"mate","final_fen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"}` + "\n", ""},
		{"for arbiters", []string{"--edition", "2018", dance}, exitOK, `dance.pgn#1: A - B, round 1.2, last move 4...Ng8, *
  now: White to move; the position has stood 3 times, 8 half-moves without capture and pawn move
  now: White may claim a threefold repetition (9.2.1.2): after the start, 2...Ng8, 4...Ng8
  now: White may claim a threefold repetition by writing 5.Nf3 (9.2.1.1): as after 1.Nf3, 3.Nf3
  a wrong claim gives the opponent 1 minute (Laws of 2018, blitz)
`, ""},
		{"a near miss", []string{miles}, exitOK, `false.pgn#1: ? - ?, last move 7...Qb5, 1/2-1/2
  near miss: the men stood so 3 times (3...Qxb5, 5...Qb5, 7...Qb5), but the position counts once: after 3...Qxb5 White could still castle kingside; after 5...Qb5 White could still castle kingside
`, ""},
		{"edition", []string{"--edition", "1999", dance}, exitUsage, "",
			"boardd: --edition: expected an edition of the Laws (2023, 2018 or 2005), got \"1999\"\nhint: see \"boardd claims --help\"\n"},
		{"no file", []string{filepath.Join(dir, "none.pgn")}, exitFailed, "",
			"boardd: stat " + filepath.Join(dir, "none.pgn") + ": no such file or directory\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := cli(t, append([]string{"claims"}, tt.args...)...)
			if status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			if diff := cmp.Diff(tt.stdout+"|"+tt.stderr, stdout+"|"+stderr); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClaimsFolder: a LiveChess folder holds each game twice, and game 10 after game 9.
func TestClaimsFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"round-1/game-2.pgn", "round-1/game-10.pgn", "round-1/games.pgn", "round-10/games.pgn", "round-2/games.pgn", "round-2/index.json"} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), knightsDance)
	}
	status, stdout, stderr := cli(t, "claims", "--json", dir)
	var games []string
	for line := range strings.Lines(stdout) {
		games = append(games, strings.Split(line, `"`)[3])
	}
	want := []string{"round-1/game-2.pgn#1", "round-1/game-10.pgn#1", "round-2/games.pgn#1", "round-10/games.pgn#1"}
	if diff := cmp.Diff(want, games); status != exitOK || diff != "" {
		t.Errorf("status %d, stderr %q, games (-want +got):\n%s", status, stderr, diff)
	}
	if status, _, stderr := cli(t, "claims", t.TempDir()); status != exitFailed || !strings.Contains(stderr, "expected PGN files in the folder, got none") {
		t.Errorf("an empty folder: status %d, %s", status, stderr)
	}
}

// TestClaimsWatch: an address is asked with its last ETag, only news are told, and
// a server that fails is named once and asked again.
func TestClaimsWatch(t *testing.T) {
	type answer struct {
		status     int
		etag, text string
	}
	answers := []answer{
		{200, `"1"`, strings.Replace(knightsDance, " Ng8 *", " *", 1)},
		{304, `"1"`, ""},
		{503, "", ""},
		{503, "", ""},
		{200, `"2"`, knightsDance},
		{200, `"3"`, knightsDance},
		{304, `"3"`, ""}, // here the user interrupts
	}
	var asked []string
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := answers[len(asked)]
		if asked = append(asked, r.Header.Get("If-None-Match")); len(asked) == len(answers) {
			cancel()
		}
		if a.etag != "" {
			w.Header().Set("ETag", a.etag)
		}
		w.WriteHeader(a.status)
		w.Write([]byte(a.text))
	}))
	defer server.Close()
	source, err := openClaims(server.URL + "/games.pgn")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	run := claimsRun{out: &out, errs: &errs, sources: []claimsSource{source}, options: claimsOptions{asJSON: true}, shown: map[string]string{}}
	ticks := make(chan time.Time, len(answers))
	for range answers[1:] {
		ticks <- time.Time{}
	}
	if err := run.watch(ctx, ticks); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"", `"1"`, `"1"`, `"1"`, `"1"`, `"2"`, `"3"`}, asked); diff != "" {
		t.Errorf("ETags (-want +got):\n%s", diff)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.Contains(out.String(), `"plies":7`) || !strings.Contains(out.String(), `"plies":8`) {
		t.Errorf("told: %s", out.String())
	}
	if got := errs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "got 503") {
		t.Errorf("faults: %s", got)
	}
}

// TestClaimsWatchForArbiters: an arbiter is told when something may be claimed, not of every move.
func TestClaimsWatchForArbiters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.pgn")
	moves := strings.Fields("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5")
	var out, errs bytes.Buffer
	writeFile(t, path, "*")
	source, err := openClaims(path)
	if err != nil {
		t.Fatal(err)
	}
	run := claimsRun{out: &out, errs: &errs, options: claimsOptions{watch: true}, shown: map[string]string{}}
	var told []string
	for n := range moves {
		writeFile(t, path, strings.Join(moves[:n+1], " ")+" *\n")
		out.Reset()
		if ok, err := run.ask(t.Context(), source); !ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
		if line, _, found := strings.Cut(out.String(), "\n"); found {
			told = append(told, line)
		}
	}
	want := []string{"live.pgn#1: ? - ?, last move 4.Ng1, *", "live.pgn#1: ? - ?, last move 4...Ng8, *"}
	if diff := cmp.Diff(want, told); diff != "" || errs.Len() > 0 {
		t.Errorf("faults %q, told (-want +got):\n%s", errs.String(), diff)
	}
}
