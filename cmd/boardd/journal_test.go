package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/journal"
	"boardd/rules"
)

// sampleJournal is a journal of a move at table 7 and a word of the arbiter.
func sampleJournal(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), journal.File)
	wall := time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)
	j, _, err := journal.Open(path, journal.Options{Version: "1.0", Wall: func() time.Time { wall = wall.Add(time.Second); return wall }})
	if err != nil {
		t.Fatal(err)
	}
	id, g := j.NewGame(), rules.NewGame(rules.Start())
	if err := g.PushSAN("e4"); err != nil {
		t.Fatal(err)
	}
	for _, b := range []journal.Batch{
		{Table: 7, Game: id, Facts: []journal.Fact{journal.Begun{FEN: rules.StartFEN, Tags: rules.Tags{{Name: "White", Value: "Novak, Anna"}}}}},
		{At: 12 * time.Second, Table: 7, Game: id, Facts: []journal.Fact{journal.PlyOf(g, 1, 0), journal.Clock{N: 1}}},
		{At: time.Minute, Facts: []journal.Fact{journal.Order{Who: "arbiter Ben", From: "192.0.2.7", Text: "accept all"}}},
	} {
		if err := j.Append(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(context.Background(), "asked to"); err != nil {
		t.Fatal(err)
	}
	return path
}

const sampleDump = `{"seq":1,"run":1,"at_ms":0,"wall_ms":1796117401000,"utc":"2026-12-01T09:30:01.000Z","nth":1,"kind":"started","step":"first","code":"1.0"}
{"seq":2,"run":1,"at_ms":0,"wall_ms":1796117402000,"utc":"2026-12-01T09:30:02.000Z","tbl":7,"nth":1,"game":1,"kind":"game","text":"{\"White\":\"Novak, Anna\"}","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
{"seq":3,"run":1,"at_ms":12000,"wall_ms":1796117403000,"utc":"2026-12-01T09:30:03.000Z","tbl":7,"nth":2,"game":1,"kind":"ply","ply":1,"n":1,"code":"e2e4","text":"e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}
{"seq":4,"run":1,"at_ms":12000,"wall_ms":1796117403000,"utc":"2026-12-01T09:30:03.000Z","tbl":7,"nth":3,"game":1,"kind":"clock","ply":1,"n":0}
{"seq":5,"run":1,"at_ms":60000,"wall_ms":1796117404000,"utc":"2026-12-01T09:30:04.000Z","nth":2,"kind":"order","who":"arbiter Ben","origin":"192.0.2.7","text":"accept all"}
{"seq":6,"run":1,"at_ms":60000,"wall_ms":1796117405000,"utc":"2026-12-01T09:30:05.000Z","nth":3,"kind":"stopped","text":"asked to"}
`

func TestJournalDump(t *testing.T) {
	path := sampleJournal(t)
	lines := strings.SplitAfter(sampleDump, "\n")
	for _, tt := range []struct{ flags, want string }{
		{"", sampleDump},
		{"--table 0", lines[0] + lines[4] + lines[5]},
		{"--table 7 --since 2", lines[2] + lines[3]},
		{"--game 1", lines[1] + lines[2] + lines[3]},
		{"--game 2", ""},
		{"--since 18446744073709551615", ""},
	} {
		args := append([]string{"journal", "dump", path}, strings.Fields(tt.flags)...)
		status, stdout, stderr := cli(t, args...)
		if status != exitOK || stderr != "" {
			t.Errorf("dump %s: status %d, stderr %q", tt.flags, status, stderr)
		}
		if diff := cmp.Diff(tt.want, stdout); diff != "" {
			t.Errorf("dump %s (-want +got):\n%s", tt.flags, diff)
		}
	}
}

// tear changes a letter of a fact in the file.
func tear(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(b), "accept all")
	if at < 0 {
		t.Fatal("the order is not in the file")
	}
	b[at] = 'A'
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestJournalCheckAndSalvage(t *testing.T) {
	path := sampleJournal(t)
	summary := path + ": 6 facts up to seq 6, 1 start, 1 game, 2026-12-01 09:30 to 2026-12-01 09:30 UTC\n"
	status, stdout, stderr := cli(t, "journal", "check", path)
	if want := summary + "no faults\n"; status != exitOK || stdout != want || stderr != "" {
		t.Errorf("a sound file: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	tear(t, path)
	status, stdout, stderr = cli(t, "journal", "check", path)
	if status != exitFailed || !strings.HasPrefix(stdout, summary+"fault: seq 5: expected checksum ") || !strings.HasPrefix(stderr, "boardd: "+path+" is damaged\n") {
		t.Errorf("a damaged file: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	status, stdout, stderr = cli(t, "journal", "dump", path)
	if want := strings.Join(strings.SplitAfter(sampleDump, "\n")[:4], ""); status != exitFailed || stdout != want || !strings.Contains(stderr, "damaged: seq 5") {
		t.Errorf("a dump of a damaged file: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	whole := path + "-whole"
	status, stdout, stderr = cli(t, "journal", "salvage", path, whole)
	if want := whole + ": 5 facts written; lost: 1 (seq 5); venue: 1 after seq 1\n"; status != exitOK || stdout != want || stderr != "" {
		t.Errorf("salvage: status %d, stdout %q, want %q, stderr %q", status, stdout, want, stderr)
	}
	status, stdout, _ = cli(t, "journal", "check", whole)
	want := strings.Replace(summary, path+": 6", whole+": 5", 1) +
		"note: seq 5: lost by damage: it could not be read when the file was salvaged by hand\nno faults\n"
	if status != exitOK || stdout != want {
		t.Errorf("what was salvaged: status %d (-want +got):\n%s", status, cmp.Diff(want, stdout))
	}
}

func TestJournalMistakes(t *testing.T) {
	path := sampleJournal(t)
	for _, tt := range []struct {
		args   string
		status int
		stderr string
	}{
		{"", exitUsage, "boardd: journal: expected check, dump or salvage, got none\nhint: see \"boardd journal --help\"\n"},
		{"mend", exitUsage, "boardd: journal: expected check, dump or salvage, got \"mend\"\nhint: see \"boardd journal --help\"\n"},
		{"check", exitUsage, "boardd: journal check: expected one journal, got 0 names\nhint: see \"boardd journal check --help\"\n"},
		{"salvage FILE", exitUsage, "boardd: journal salvage: expected a journal and a new file, got 1 name\nhint: see \"boardd journal salvage --help\"\n"},
		{"dump --table -1 FILE", exitUsage, "boardd: --table: expected 1 or more, or 0 for the venue, got -1\nhint: see \"boardd journal dump --help\"\n"},
		{"dump --game 0 FILE", exitUsage, "boardd: --game: expected 1 or more, got 0\nhint: see \"boardd journal dump --help\"\n"},
		{"check FILE.none", exitFailed, "boardd: stat FILE.none: no such file or directory\n"},
		{"check DIR", exitFailed, "boardd: DIR: expected a file, got a folder; a journal is FILE\n"},
		{"salvage FILE FILE", exitFailed, "boardd: FILE: expected a name that nothing has\n"},
	} {
		real := strings.NewReplacer("FILE", path, "DIR", filepath.Dir(path))
		status, stdout, stderr := cli(t, append([]string{"journal"}, strings.Fields(real.Replace(tt.args))...)...)
		if want := real.Replace(tt.stderr); status != tt.status || stdout != "" || stderr != want {
			t.Errorf("%s: status %d, stdout %q, stderr %q, want %q", tt.args, status, stdout, stderr, want)
		}
	}
}

// Names may be relative, as people type them.
func TestJournalRelativeNames(t *testing.T) {
	path := sampleJournal(t)
	t.Chdir(filepath.Dir(filepath.Dir(path)))
	from := filepath.Join(filepath.Base(filepath.Dir(path)), journal.File)
	to := filepath.Join(filepath.Dir(from), "new.sqlite")
	for _, args := range [][]string{{"check", from}, {"dump", from}, {"salvage", from, to}, {"check", to}} {
		if status, stdout, stderr := cli(t, append([]string{"journal"}, args...)...); status != exitOK || stderr != "" {
			t.Errorf("%v: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}
