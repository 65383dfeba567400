//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// The demonstration: boards on ptys, links, pipeline, hub, as far as a client sees
// it, and an end without complaints.
func TestDemo(t *testing.T) {
	t.Parallel()
	const boards = 5
	demo := start(t, "demo", "--boards", fmt.Sprint(boards), "--speed", "10", "--listen", "127.0.0.1:0", "--log-level", "error")
	page := demo.wait(`^The games are at (http://127\.0\.0\.1:\d+/)$`)
	v := watch(t, page)
	for n := 1; n <= boards; n++ {
		v.until(fmt.Sprintf("ply 6 of board %d", n), func(c change) bool { return c.Type == "move" && c.Board == n && c.Ply == 6 })
	}
	pgn := get(t, page+"games.pgn")
	players := regexp.MustCompile(`\[White "([^"]+)"\]`).FindAllString(pgn, -1)
	openings := map[string]bool{}
	for _, game := range regexp.MustCompile(`(?s)\n\n1\. .*?\n\n`).FindAllString(pgn, -1) {
		openings[game] = true
	}
	if len(players) != boards || strings.Contains(pgn, `"?"]`+"\n[Black") || len(openings) != boards {
		t.Errorf("%d players and %d different games of %d boards:\n%s", len(players), len(openings), boards, pgn)
	}
	if status := demo.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
	if strings.Contains(demo.said(), `"level"`) {
		t.Errorf("the demo complained:\n%s", demo.said())
	}
}

func TestDemoEndsAfterOneGame(t *testing.T) {
	t.Parallel()
	demo := start(t, "demo", "--boards", "1", "--speed", "40", "--once", "--listen", "127.0.0.1:0")
	page := demo.wait(`^The games are at (http://127\.0\.0\.1:\d+/)$`)
	v := watch(t, page)
	v.until("the result", func(c change) bool { return c.Type == "result" && c.Result == "1-0" })
	<-demo.ended
	if status := demo.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
}
