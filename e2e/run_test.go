//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A board that only a foreign program emulates: a Python script that knows
// nothing but the protocol.
func TestForeignBoard(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine (apt-get install python3)")
	}
	script, err := filepath.Abs("testdata/foreign_board.py")
	if err != nil {
		t.Fatal(err)
	}
	foreign := spawn(t, python, script, "--pause", "0.8", "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1h1f1")
	_, page := serve(t, "--port", foreign.wait(`^/dev/.*`))
	v := watch(t, page)
	v.move(1, 1, "e4")
	v.move(1, 7, "O-O")
	_, moves, _ := strings.Cut(get(t, page+"games.pgn"), "\n\n")
	text := strings.Join(strings.Fields(moves), " ")
	bare := regexp.MustCompile(`\d+\.+ |\{[^}]*\} `).ReplaceAllString(text, "")
	if want := "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O *"; bare != want {
		t.Errorf("games.pgn has %q, want %q", bare, want)
	}
	if !strings.Contains(text, "1. e4 {[%clk 0:0") {
		t.Errorf("no clock times in %s", text)
	}
}

// The pty vanishes in mid-game and comes back under another name.
func TestBoardComesBackUnderAnotherName(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	board := emulate(t, link)
	before, err := os.Readlink(link)
	if err != nil {
		t.Fatal(err)
	}
	_, page := serve(t, "--port", link)
	v := watch(t, page)
	v.ready(1, "live")
	board.order("button run", "move e2e4", "press")
	v.move(1, 1, "e4")
	board.order("unplug")
	v.status(1, "lost")
	board.order("replug")
	v.ready(1, "back")
	if after, err := os.Readlink(link); err != nil || after == before {
		t.Errorf("the board is on %s again (error %v), so nothing was tested", after, err)
	}
	board.order("move e7e5", "press")
	v.move(1, 2, "e5")
	board.order("move g1f3", "press")
	v.move(1, 3, "Nf3")
}

// The board comes back on another port with its serial number: same table, same game.
func TestBoardComesBackOnAnotherPort(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	first := emulate(t, a, "--serial", "12345")
	_, page := serve(t, "--port", a, "--port", b)
	v := watch(t, page)
	v.ready(1, "live")
	first.order("button run", "move d2d4", "press", "move g8f6", "press")
	v.move(1, 2, "Nf6")
	first.stop(syscall.SIGTERM)
	v.status(1, "lost")
	second := emulate(t, b, "--serial", "12345", "--fen", "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2")
	second.order("button run")
	v.ready(1, "back")
	second.order("move c2c4", "press")
	v.move(1, 3, "c4")
}

// What was shown is on the tape: it replays to the same game.
func TestEndIsOrderlyAndTheTapeReplays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link, data := filepath.Join(dir, "board"), filepath.Join(dir, "data")
	board := emulate(t, link)
	server, page := serve(t, "--port", link, "--data-dir", data)
	v := watch(t, page)
	v.ready(1, "live")
	board.order("button run", "move e2e4", "press", "move c7c5", "press", "move g1f3", "press")
	v.move(1, 3, "Nf3")
	if status := server.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
	tapes, err := filepath.Glob(filepath.Join(data, "tapes", "*.tape"))
	if err != nil || len(tapes) != 1 {
		t.Fatalf("tapes %v, error %v", tapes, err)
	}
	text, err := os.ReadFile(tapes[0])
	if err != nil || !strings.HasSuffix(string(text), " @ end\n") {
		t.Errorf("the tape has no end (error %v)", err)
	}
	status, stdout, stderr := boardd(t, "replay", "--format", "pgn", tapes[0])
	if status != 0 || !regexp.MustCompile(`1\. e4 .*c5 .*2\. Nf3`).MatchString(strings.ReplaceAll(stdout, "\n", " ")) {
		t.Errorf("replay: status %d\n%s%s", status, stdout, stderr)
	}
}

func TestPortsThatAreTaken(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	emulate(t, link)
	server, page := serve(t, "--port", link)
	v := watch(t, page)
	v.status(1, "live")
	address := strings.Trim(strings.TrimPrefix(page, "http://"), "/")
	status, _, stderr := boardd(t, "run", "--listen", address)
	if status != 1 || !strings.Contains(stderr, "another program listens there already") || !strings.Contains(stderr, "--listen") {
		t.Errorf("a web port that is taken: status %d, %q", status, stderr)
	}
	status, stdout, _ := boardd(t, "boards", "--port", link)
	if status != 0 || !strings.Contains(stdout, "port busy: another program has it open") {
		t.Errorf("a board that is taken: status %d, %q", status, stdout)
	}
	if status := server.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
	status, stdout, _ = boardd(t, "boards", "--port", link)
	if status != 0 || !strings.Contains(stdout, "USB-C board, version 4.00, serial ") {
		t.Errorf("a board that is free: status %d, %q", status, stdout)
	}
}

func TestConfigurationSeatsBoards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link, config := filepath.Join(dir, "board"), filepath.Join(dir, "hall.toml")
	emulate(t, link, "--serial", "4711")
	text := `[event]
name = "Club evening"
[serial]
ports = ["` + link + `"]
[[table]]
number = 12
board = "04711"
white = "Novak, Anna"
black = "Young, Ben"
`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, page := serve(t, "--config", config)
	v := watch(t, page)
	v.status(12, "live")
	if pgn := get(t, page+"games.pgn"); !strings.Contains(pgn, `[Event "Club evening"]`) || !strings.Contains(pgn, `[White "Novak, Anna"]`) {
		t.Errorf("games.pgn:\n%s", pgn)
	}
}
