package main

import (
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"

	"boardd/rules"
)

// The games of the demonstration are legal to their end, end as they say, and
// are all different.
func TestDemoGames(t *testing.T) {
	games, err := readGames(strings.NewReader(demoPGN), "demo.pgn")
	if err != nil {
		t.Fatal(err)
	}
	if len(games) < 12 {
		t.Errorf("%d games, want at least 12", len(games))
	}
	seen := map[uint64]string{}
	for _, g := range games {
		name := g.Tags.Get("White") + " - " + g.Tags.Get("Black")
		last := g.Current()
		if g.Result == rules.Unfinished || g.Len() < 10 {
			t.Errorf("%s: result %s after %d half-moves", name, g.Result, g.Len())
		}
		if last.IsCheckmate() && g.Result != rules.Win(last.Turn().Other()) {
			t.Errorf("%s: mate, but %s", name, g.Result)
		}
		if strings.HasSuffix(g.Ply(g.Len()).SAN, "#") != last.IsCheckmate() || last.IsStalemate() {
			t.Errorf("%s ends with %s", name, g.Ply(g.Len()).SAN)
		}
		if other := seen[last.Key()]; other != "" {
			t.Errorf("%s is %s again", name, other)
		}
		seen[last.Key()] = name
	}
}

func TestDemoTakesNextFreePort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	ln, err := demoListen(addr, false)
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if ln.Addr().String() == addr {
		t.Errorf("listens on %s, which is taken", addr)
	}
	if _, err := demoListen(addr, true); !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("a port that was asked for and is taken: %v", err)
	}
}

func TestDemoFlags(t *testing.T) {
	for args, want := range map[string]string{
		"demo --boards 0":     "--boards: expected 1 to 200, got 0",
		"demo --boards 201":   "--boards: expected 1 to 200, got 201",
		"demo --speed 0":      "--speed: expected 0.1 to 100, got 0",
		"emulate --speed 101": "--speed: expected 0.1 to 100, got 101",
		"emulate --serial 0":  "--serial: expected 1 to 99999, got 0",
		"emulate --serial -1": "--serial: expected 1 to 99999, got -1",
	} {
		status, _, stderr := cli(t, strings.Fields(args)...)
		if status != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, stderr, want)
		}
	}
}
