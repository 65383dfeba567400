package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata anew; read what it changed")

// What boardd clock prints, whole. Each file of testdata/clock is one output.
func TestClock(t *testing.T) {
	tests := []struct {
		file string
		args []string
	}{
		{"stlouis.txt", []string{"G/120;+30"}},
		{"stlouis.json", []string{"--json", "G/120;+30"}},
		{"preset.txt", []string{`90'+30"`}},
		{"rapid.txt", []string{"25+10"}}, // minutes by custom: both readings
		{"rapid.json", []string{"--json", "25+10"}},
		{"amplico.txt", []string{`P-15'+10"`}},
		{"blitz.txt", []string{"G/5;+2"}},
		{"barbados.txt", []string{`W4'+10" B5'+10"`}},
		{"armageddon.txt", []string{"W5' B4', white must win"}},
		{"armageddon.json", []string{"--json", "W5' B4', white must win"}},
		{"halved.txt", []string{"W7:30+10 B15:00+10"}},
		{"periods.txt", []string{`90'/40+30'/end incr. 30"/move, starting from move 1`}},
		{"hours.txt", []string{"40/2,", "SD/1"}},
		{"delay.txt", []string{"G/90;d5"}},
		{"move41.txt", []string{"120 min + 10 sec / move starting 41"}},
		{"byoyomi.txt", []string{"60' + 3x1' byo"}},
		{"correspondence.txt", []string{"10 moves in 30 days"}},
		{"tag.json", []string{"--pgn", "--json", "900+10"}},
		{"none.json", []string{"--json", "--", "-"}},
		{"unknown.txt", []string{"?"}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			status, stdout, stderr := cli(t, append([]string{"clock"}, tt.args...)...)
			if status != exitOK || stderr != "" {
				t.Fatalf("status %d, stderr %q", status, stderr)
			}
			file := filepath.Join("testdata", "clock", tt.file)
			if *update {
				if err := os.WriteFile(file, []byte(stdout), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), stdout); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClockRefuses(t *testing.T) {
	const untold = "boardd: not a time control that can be told\n"
	tests := []struct {
		name           string
		args           []string
		stdout, stderr string
	}{
		{"structure open", []string{"--json", "60/60"},
			`{"ok":false,"error":"the order of moves and minutes is open","readings":["60/3600 (60 moves in 60 min)","3600+60 (60 min and 60 s a move)"]}` + "\n", untold},
		{"structure open, for people", []string{"30/90"}, "",
			"boardd: \"30/90\": the order of moves and minutes is open; it may be\nboardd:   30/5400 (30 moves in 90 min)\nboardd:   90/1800 (90 moves in 30 min)\n"},
		{"whose time is open", []string{"5 v 4"}, "",
			"boardd: \"5 v 4\": whose time is which is open; write W and B; it may be\nboardd:   W300-B240\nboardd:   W240-B300\n"},
		{"nonsense", []string{"--json", "chess.com daily"},
			`{"ok":false,"error":"unknown time control: \"chess.com\" is not understood","readings":[]}` + "\n", untold},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := cli(t, append([]string{"clock"}, tt.args...)...)
			if status != exitFailed {
				t.Errorf("status %d, want %d", status, exitFailed)
			}
			if diff := cmp.Diff(tt.stdout+"|"+tt.stderr, stdout+"|"+stderr); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}
