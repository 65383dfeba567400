package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClock(t *testing.T) {
	tests := []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"people", []string{"G/120;+30"}, exitOK,
			"canonical  7200+30\npgn        7200+30\nstart      2:00:30\nclass      standard\n", ""},
		{"words", []string{"40/2,", "SD/1"}, exitOK,
			"canonical  40/7200:3600\npgn        40/7200:3600\nstart      2:00:00\nclass      standard\n", ""},
		{"sides", []string{"W5' B4', white must win"}, exitOK,
			"canonical  W300-B240=B\npgn        ?\nstart      White 0:05:00, Black 0:04:00\nclass      blitz\ndraw       black wins\n", ""},
		{"unit open", []string{"--json", "25+10"}, exitOK,
			`{"ok":true,"canonical":"1500+10","pgn":"1500+10","white":[{"moves":0,"base_s":1500,"inc_s":10,"mode":"fischer"}],"black":[{"moves":0,"base_s":1500,"inc_s":10,"mode":"fischer"}],"start_s":{"white":1510,"black":1510},"class":"rapid","draw_odds":"","ambiguous":true,"readings":["1500+10 (minutes)","25+10 (seconds)"]}` + "\n", ""},
		{"tag", []string{"--pgn", "--json", "900+10"}, exitOK,
			`{"ok":true,"canonical":"900+10","pgn":"900+10","white":[{"moves":0,"base_s":900,"inc_s":10,"mode":"fischer"}],"black":[{"moves":0,"base_s":900,"inc_s":10,"mode":"fischer"}],"start_s":{"white":910,"black":910},"class":"rapid","draw_odds":"","ambiguous":false,"readings":[]}` + "\n", ""},
		{"no time control", []string{"--json", "--", "-"}, exitOK,
			`{"ok":true,"canonical":"-","pgn":"-","white":[],"black":[],"start_s":{"white":0,"black":0},"class":"","draw_odds":"","ambiguous":false,"readings":[]}` + "\n", ""},
		{"structure open", []string{"--json", "60/60"}, exitFailed,
			`{"ok":false,"error":"the order of moves and minutes is open","readings":["60/3600 (60 moves in 60 min)","3600+60 (60 min and 60 s a move)"]}` + "\n",
			"boardd: not a time control that can be told\n"},
		{"structure open, for people", []string{"30/90"}, exitFailed, "",
			"boardd: \"30/90\": the order of moves and minutes is open; it may be\nboardd:   30/5400 (30 moves in 90 min)\nboardd:   90/1800 (90 moves in 30 min)\n"},
		{"nonsense", []string{"--json", "chess.com daily"}, exitFailed,
			`{"ok":false,"error":"unknown time control: \"chess.com\" is not understood","readings":[]}` + "\n",
			"boardd: not a time control that can be told\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := cli(t, append([]string{"clock"}, tt.args...)...)
			if status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			if diff := cmp.Diff(tt.stdout+"|"+tt.stderr, stdout+"|"+stderr); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}
