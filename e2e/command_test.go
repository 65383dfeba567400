//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	status, stdout, stderr := boardd(t, "version")
	if status != 0 || stderr != "" || !strings.HasPrefix(stdout, "boardd  ") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

func TestWrongCommandLine(t *testing.T) {
	status, stdout, stderr := boardd(t, "replya")
	want := "boardd: expected a command, got \"replya\"\nhint: did you mean \"boardd replay\"?\n"
	if status != 2 || stdout != "" || stderr != want {
		t.Errorf("status %d, stdout %q, stderr %q; want status 2 and %q", status, stdout, stderr, want)
	}
}

// The recorded sessions of real boards replay to the games that were played.
func TestReplayOfRealBoards(t *testing.T) {
	captures := filepath.Join(sharedFolder(t), "captures")
	truth := gamesOf(t, filepath.Join(captures, "README.md"))
	for _, name := range []string{"real-1", "real-2"} {
		status, stdout, stderr := boardd(t, "replay", "--format", "json", filepath.Join(captures, name+".tape"))
		if status != 0 {
			t.Fatalf("%s: status %d, stderr %q", name, status, stderr)
		}
		var game struct {
			Moves []struct {
				UCI     string
				ClockMS *int64 `json:"clock_ms"`
			}
			Alerts []struct{ Code string }
		}
		if err := json.Unmarshal([]byte(stdout), &game); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var moves []string
		for _, m := range game.Moves {
			moves = append(moves, m.UCI)
		}
		if got := strings.Join(moves, " "); got != truth[name] {
			t.Errorf("%s:\n got %s\nwant %s", name, got, truth[name])
		}
		for _, a := range game.Alerts {
			if name != "real-2" || a.Code != "board.rotated" { // it was
				t.Errorf("%s: false alert %s", name, a.Code)
			}
		}
	}
}

// gamesOf reads the games under their "name:" lines.
func gamesOf(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]string{}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		if name, moves, ok := strings.Cut(block, ":\n"); ok {
			games[name] = strings.Join(strings.Fields(moves), " ")
		}
	}
	return games
}
