package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
)

// orders runs boardd emulate with typed orders and gives what it printed.
func orders(t *testing.T, typed string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(t.Context(), append([]string{"emulate", "--speed", "100"}, args...), &process{stdin: strings.NewReader(typed), stdout: &out, stderr: &errs})
	if status != exitOK || errs.Len() > 0 {
		t.Fatalf("status %d, stderr %q, stdout %q", status, errs.String(), out.String())
	}
	return out.String()
}

func TestEmulateObeysTypedOrders(t *testing.T) {
	link := filepath.Join(t.TempDir(), "board")
	out := orders(t, "\nmove e2e4\npress\nlift e7\nplace e5\nfly\nplace e9\nunplug\nreplug\nhelp\nquit\n", "--link", link)
	want := regexp.MustCompile(`^board on \S+/board \(/dev/pts/\d+\)
ok
ok
ok
ok
order: expected one of the known orders, got "fly"; "help" lists the orders
order place: expected a square such as e4, got "e9"; "help" lists the orders
ok
board on \S+/board \(/dev/pts/\d+\)
move e2e4 (.*\n)+help .*
quit .*
$`)
	if !want.MatchString(out) {
		t.Errorf("got\n%s", out)
	}
	if _, err := os.Lstat(link); !os.IsNotExist(err) {
		t.Errorf("the link is still there: %v", err)
	}
}

func TestEmulatePlaysPGN(t *testing.T) {
	dir := t.TempDir()
	pgn := filepath.Join(dir, "games.pgn")
	text := "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n"
	if err := os.WriteFile(pgn, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, typing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out := &watched{found: make(chan struct{}), want: "game 1 is over: 1-0"}
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), []string{"emulate", "--speed", "100", "--pgn", pgn}, &process{stdin: in, stdout: out, stderr: out})
	}()
	<-out.found
	typing.WriteString("quit\n")
	typing.Close()
	if status := <-done; status != exitOK {
		t.Errorf("status %d:\n%s", status, out.text.String())
	}
	if !strings.Contains(out.text.String(), "game 1 of 1: A - B\n") {
		t.Errorf("got\n%s", out.text.String())
	}
}

// watched is an output that tells when a text has been written to it.
type watched struct {
	mu    sync.Mutex
	text  bytes.Buffer
	want  string
	found chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := strings.Contains(w.text.String(), w.want)
	w.text.Write(p)
	if !before && strings.Contains(w.text.String(), w.want) {
		close(w.found)
	}
	return len(p), nil
}

func TestEmulateRefusesWhatItCannotPlay(t *testing.T) {
	dir := t.TempDir()
	empty, wrong, file := filepath.Join(dir, "empty.pgn"), filepath.Join(dir, "wrong.pgn"), filepath.Join(dir, "file")
	for name, text := range map[string]string{empty: "\n", wrong: "1. e4 e4 *\n", file: ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"--pgn " + empty: "empty.pgn: expected a game, found none",
		"--pgn " + wrong: "wrong.pgn:1",
		"--fen 8/8":      "--fen: placement: expected 8 ranks, got 2",
		"--pgn /none":    "no such file",
		"--link " + file: "expected a symbolic link or nothing there",
	} {
		status, _, stderr := cli(t, append([]string{"emulate"}, strings.Fields(args)...)...)
		if status != exitFailed || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, stderr, want)
		}
	}
}

func TestEmulateClockAndFaults(t *testing.T) {
	out := orders(t, "fault busy 0.5\nfault off\nbattery low\nadjust 1:00:00 0:30\nbutton run\nadjust 5:00 5:00\noption remote\nfail set-and-run refused 2\nfault rust 1\nquit\n",
		"--clock", "xl", "--tc", "W4+10 B5", "--fault", "lose-ack=0.2", "--fault", "late-ack=1s")
	want := regexp.MustCompile(`^board on \S+
ok
ok
ok
ok
ok
adjust: expected a clock that stands, it runs; "help" lists the orders
ok
ok
order fault: expected one of lose-byte, .*
$`)
	if !want.MatchString(out) {
		t.Errorf("got\n%s", out)
	}
}

func TestEmulateRefusesClocksItHasNot(t *testing.T) {
	cases := []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--clock", "2010"}, exitUsage, `--clock: expected 3000 or xl, got "2010"`},
		{[]string{"--fault", "rust=1"}, exitUsage, "--fault: fault: expected one of lose-byte"},
		{[]string{"--fault", "busy=2"}, exitUsage, `expected a share from 0 to 1, got "2"`},
		{[]string{"--remote", "--pgn", "x.pgn"}, exitUsage, "--remote: the players"},
		{[]string{"--tc", "soon"}, exitFailed, "--tc: "},
		{[]string{"--tc", "-"}, exitFailed, "expected times that a clock can be set to"},
		{[]string{"--tc", "*60"}, exitFailed, "the emulated clock has no hourglass"},
	}
	for _, c := range cases {
		status, _, stderr := cli(t, append([]string{"emulate"}, c.args...)...)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: status %d, %q, want %d, %q", c.args, status, stderr, c.status, c.want)
		}
	}
}

func TestProgrammeOfAControl(t *testing.T) {
	white := []emulator.Period{
		{Moves: 40, Base: 90 * time.Minute, Kind: emulator.FischerBonus, Bonus: 30 * time.Second},
		{Base: 30 * time.Minute, Kind: emulator.FischerBonus, Bonus: 30 * time.Second},
	}
	black := []emulator.Period{{Base: time.Hour, Kind: emulator.USDelay, Bonus: 5 * time.Second}}
	got, err := clockFlags{model: "xl", control: "W40/5400+30:1800+30-B3600+5d", remote: true}.setting(dgt.Right)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Programme.Left, black) || !slices.Equal(got.Programme.Right, white) {
		t.Errorf("expected White's periods on the right, got %+v", got.Programme)
	}
	if got.Version != emulator.ClockXL || !got.Remote || got.Lever != dgt.Right {
		t.Errorf("expected an XL in its remote option, right side high, got %+v", got)
	}
}
