package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/dgt/tape/shelf"
	"boardd/rules"
)

// wireMen are the codes of the men on the wire, by their letters.
var wireMen = map[byte]dgt.Piece{
	'P': dgt.WhitePawn, 'R': dgt.WhiteRook, 'N': dgt.WhiteKnight, 'B': dgt.WhiteBishop, 'K': dgt.WhiteKing, 'Q': dgt.WhiteQueen,
	'p': dgt.BlackPawn, 'r': dgt.BlackRook, 'n': dgt.BlackKnight, 'b': dgt.BlackBishop, 'k': dgt.BlackKing, 'q': dgt.BlackQueen,
}

// tapeOf writes the tape of a game played by one move every two seconds, without a clock.
func tapeOf(t *testing.T, dir string, begun time.Time, table int, h tape.Header, sans ...string) string {
	t.Helper()
	f, err := shelf.Create(filepath.Join(dir, "tapes"), shelf.Name(begun, table))
	if err != nil {
		t.Fatal(err)
	}
	w, err := tape.NewWriter(f, append(tape.Header{tape.StartField(begun), {Key: "table", Value: fmt.Sprint(table)}}, h...))
	if err != nil {
		t.Fatal(err)
	}
	at := 100 * time.Millisecond
	hear := func(m dgt.Message) {
		if err := w.Bytes(at, tape.Received, dgt.AppendMessage(nil, m)); err != nil {
			t.Fatal(err)
		}
		at += 400 * time.Millisecond
	}
	hear(&dgt.BoardDump{Placement: dgt.StartPlacement()})
	p := rules.Start()
	for _, san := range sans {
		m, err := p.ParseSAN(san)
		if err != nil {
			t.Fatal(err)
		}
		man := wireMen[p.PieceAt(m.From()).Letter()]
		at += 1200 * time.Millisecond
		hear(&dgt.FieldUpdate{Square: dgt.Square(m.From() ^ 56)})
		hear(&dgt.FieldUpdate{Square: dgt.Square(m.To() ^ 56), Piece: man})
		p = p.Play(m)
	}
	at += 20 * time.Second
	if err := errors.Join(w.Order(at, "result 1-0"), w.Order(at, "end"), f.Close()); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

var round3 = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

// library is a data folder with three tapes, the first one compressed.
func library(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	first := tapeOf(t, dir, round3.AddDate(0, 0, -7), 3, tape.Header{{Key: "round", Value: "2"}}, "e4")
	tapeOf(t, dir, round3, 3, tape.Header{{Key: "round", Value: "3"}, {Key: "white", Value: "Novak, Anna"}, {Key: "black", Value: "Young, Ben"}}, "d4", "d5", "c4", "e6", "Nc3", "Nf6")
	tapeOf(t, dir, round3, 4, tape.Header{{Key: "round", Value: "3"}}, "Nf3")
	if err := shelf.Compress(shelf.Tape{Name: filepath.Base(first), Path: first}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// expect runs a command line that has to go well.
func expectOK(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	status, stdout, stderr := cli(t, args...)
	if status != exitOK {
		t.Fatalf("boardd %s: status %d, stderr %q", strings.Join(args, " "), status, stderr)
	}
	return stdout, stderr
}

func TestTapeList(t *testing.T) {
	dir := library(t)
	stdout, _ := expectOK(t, "tape", "list", "--data-dir", dir)
	for _, want := range []string{
		"TAPE                             TABLE  ROUND  PLAYERS",
		"20261123T100000Z-table-003.tape  3      2      -                         2026-11-23 10:00:00  22s ",
		"compressed\n",
		"20261130T100000Z-table-003.tape  3      3      Novak, Anna - Young, Ben  2026-11-30 10:00:00  32s ",
		"3 tapes, ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	stdout, _ = expectOK(t, "tape", "list", "--data-dir", dir, "--round", "3", "--table", "4", "--json")
	if n := strings.Count(stdout, "\n"); n != 1 || !strings.Contains(stdout, `"table":4,"round":"3","white":"","black":"","serial":"","begins":"2026-11-30T10:00:00.1Z","first_ms":100,"last_ms":22500,"events":5,`) {
		t.Errorf("as JSON:\n%s", stdout)
	}
	broken := filepath.Join(dir, "tapes", "20261130T100001Z-table-009.tape")
	if err := os.WriteFile(broken, []byte("boardd-tape 1\n5 < zz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, _ = expectOK(t, "tape", "list", "--data-dir", dir); !strings.Contains(stdout, "plain, damaged") {
		t.Errorf("a damaged tape is listed as\n%s", stdout)
	}
	empty := t.TempDir()
	if status, _, stderr := cli(t, "tape", "list", "--data-dir", empty); status != exitFailed || !strings.Contains(stderr, "name the data folder with --data-dir") {
		t.Errorf("a folder without tapes: status %d, %q", status, stderr)
	}
}

func TestTapeExport(t *testing.T) {
	dir, out := library(t), filepath.Join(t.TempDir(), "out")
	stdout, _ := expectOK(t, "tape", "export", "--data-dir", dir, "20261123T100000Z-table-003")
	if !strings.HasPrefix(stdout, tape.Magic+"\n") || !strings.HasSuffix(stdout, "@ end\n") {
		t.Errorf("a compressed tape is given as %q", stdout)
	}
	stdout, _ = expectOK(t, "tape", "export", "--data-dir", dir, "--table", "3", "--out", out)
	want := filepath.Join(out, "20261123T100000Z-table-003.tape.gz") + "\n" + filepath.Join(out, "20261130T100000Z-table-003.tape") + "\n"
	if stdout != want {
		t.Errorf("got\n%s\nwant\n%s", stdout, want)
	}
	if status, _, stderr := cli(t, "tape", "export", "--data-dir", dir, "--table", "3", "--out", out); status != exitFailed || !strings.Contains(stderr, "file exists") {
		t.Errorf("again: status %d, %q", status, stderr)
	}
	expectOK(t, "tape", "export", "--data-dir", dir, "--table", "3", "--round", "2", "--plain", "--out", out)
	for _, name := range []string{"20261123T100000Z-table-003.tape", "20261123T100000Z-table-003.tape.gz"} {
		stdout, _ := expectOK(t, "replay", filepath.Join(out, name))
		if !strings.Contains(stdout, `"tape":"20261123T100000Z-table-003.tape"`) || !strings.Contains(stdout, `"san":"e4"`) {
			t.Errorf("%s replays to %s", name, stdout)
		}
	}
}

func TestTapeExportPiece(t *testing.T) {
	dir := library(t)
	piece, stderr := expectOK(t, "tape", "export", "--data-dir", dir, "--from", "6000", "20261130T100000Z-table-003.tape")
	file := filepath.Join(t.TempDir(), "piece.tape")
	if err := os.WriteFile(file, []byte(piece), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, _ := expectOK(t, "replay", "--format", "pgn", filepath.Join(dir, "tapes", "20261130T100000Z-table-003.tape"))
	part, _ := expectOK(t, "replay", "--format", "pgn", file)
	if !strings.Contains(whole, "1. d4 d5 2. c4 e6 3. Nc3 Nf6 1-0") || !strings.Contains(part, "3. Nc3 Nf6 1-0") || strings.Contains(part, "d5") || strings.Contains(piece, "\n100 <") {
		t.Errorf("whole\n%s\npart (%s)\n%s", whole, stderr, part)
	}
	out := t.TempDir()
	stdout, _ := expectOK(t, "tape", "export", "--data-dir", dir, "--to", "9000", "--out", out, "20261130T100000Z-table-003")
	if want := filepath.Join(out, "20261130T100000Z-table-003-100-8100.tape") + "\n"; stdout != want {
		t.Errorf("got %q, want %q", stdout, want)
	}
	for _, tt := range []struct {
		args   string
		status int
		has    string
	}{
		{"--from 90000 20261130T100000Z-table-003", exitFailed, "expected events from 90000 to"},
		{"--from 5 --to 4 20261130T100000Z-table-003", exitUsage, "expected milliseconds, the later ones second"},
		{"--from 5 --round 3 --out x", exitUsage, "for one tape only"},
		{"--round 3", exitUsage, "expected --out FOLDER for 2 tapes"},
		{"--round 9", exitFailed, "no tape fits"},
		{"--table 0", exitUsage, "expected the number of a table"},
		{"", exitUsage, "expected the names of tapes, or --table or --round"},
		{"--round 3 x", exitUsage, "expected the names of tapes, or --table or --round"},
		{"nothing", exitFailed, `got "nothing"`},
	} {
		status, stdout, stderr := cli(t, append([]string{"tape", "export", "--data-dir", dir}, strings.Fields(tt.args)...)...)
		if status != tt.status || stdout != "" || !strings.Contains(stderr, tt.has) {
			t.Errorf("%s: status %d, want %d; stdout %q, stderr %q, want %q in it", tt.args, status, tt.status, stdout, stderr, tt.has)
		}
	}
}

func TestTapeTrim(t *testing.T) {
	dir := library(t)
	left := func() (names string) {
		list, err := shelf.List(filepath.Join(dir, "tapes"))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			names += l.Name + " "
		}
		return names
	}
	old := fmt.Sprintf("%dh", int(time.Since(round3.AddDate(0, 0, -4)).Hours()))
	if time.Since(round3) < 0 {
		old = "0h" // the calendar of this machine is behind the tapes
	}
	before := left()
	stdout, _ := expectOK(t, "tape", "trim", "--data-dir", dir, "--older-than", old)
	if left() != before {
		t.Errorf("without --yes %q is left of %q", left(), before)
	}
	if time.Since(round3) > 0 && (!strings.Contains(stdout, "would remove 20261123T100000Z-table-003.tape") || !strings.Contains(stdout, "2 tapes would be left") || !strings.Contains(stdout, "do it with --yes")) {
		t.Errorf("says %q", stdout)
	}
	stdout, _ = expectOK(t, "tape", "trim", "--data-dir", dir, "--to-size", "0.5 kB", "--yes")
	if left() != "20261130T100000Z-table-004.tape " || !strings.Contains(stdout, "removed 2 tapes") || !strings.Contains(stdout, "1 tape left") {
		t.Errorf("%q is left; says %q", left(), stdout)
	}
	f, err := shelf.Create(filepath.Join(dir, "tapes"), shelf.Name(round3, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdout, _ = expectOK(t, "tape", "trim", "--data-dir", dir, "--to-size", "1 B", "--yes")
	if left() != "20261130T100000Z-table-001.tape " {
		t.Errorf("%q is left, want the tape that is being recorded; says %q", left(), stdout)
	}
	for args, has := range map[string]string{"": "expected --older-than AGE or --to-size SIZE", "--older-than 5x": `got "5x"`, "--to-size lots": `got "lots"`, "--older-than 1d --to-size 5MB": "expected --older-than AGE or"} {
		status, _, stderr := cli(t, append([]string{"tape", "trim", "--data-dir", dir}, strings.Fields(args)...)...)
		if status != exitUsage || !strings.Contains(stderr, has) {
			t.Errorf("%q: status %d, %q, want %q in it", args, status, stderr, has)
		}
	}
}

func TestReplayUntil(t *testing.T) {
	name := filepath.Join(library(t), "tapes", "20261130T100000Z-table-003.tape")
	stdout, _ := expectOK(t, "replay", "--until", "9", "--format", "pgn", name)
	if !strings.Contains(stdout, "1. d4 d5 2. c4 *") {
		t.Errorf("before the fourth move has settled:\n%s", stdout)
	}
	for args, has := range map[string]string{"--until 0": "from 1, got 0", "--until -1": "from 1, got -1", "--until 99": "expected at most 15, the number of its events, got 99"} {
		status, _, stderr := cli(t, append(append([]string{"replay"}, strings.Fields(args)...), name)...)
		if status == exitOK || !strings.Contains(stderr, has) {
			t.Errorf("%s: status %d, %q", args, status, stderr)
		}
	}
}

// The tape of a game that was followed by another one by order is that of the first.
func TestReplayOfAGameBeforeTheNext(t *testing.T) {
	dir := t.TempDir()
	name := tapeOf(t, dir, round3, 1, nil, "d4", "d5")
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "900000 @ newgame\n")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if stdout, _ := expectOK(t, "replay", "--format", "pgn", name); strings.Contains(stdout, "d4") {
		t.Errorf("a tape that goes on with the next game:\n%s", stdout)
	}
	if f, err = os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "900000 @ next\n")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if stdout, _ := expectOK(t, "replay", "--format", "pgn", name); !strings.Contains(stdout, "1. d4 d5 1-0") {
		t.Errorf("the tape of a game:\n%s", stdout)
	}
}

func TestTapeWantsAPart(t *testing.T) {
	for args, has := range map[string]string{"tape": "got none", "tape sing": `got "sing"`} {
		if status, _, stderr := cli(t, strings.Fields(args)...); status != exitUsage || !strings.Contains(stderr, has) {
			t.Errorf("%s: status %d, %q", args, status, stderr)
		}
	}
}
