package clock_test

import (
	"errors"
	"testing"

	"boardd/clock"
)

// Spellings that organisers, results servers and files use (fact sheet 3.3 and
// our own), and what they mean.
var spellings = []struct {
	text, want string
	open       bool // only custom or context chose this reading
}{
	{"G/120+30", "7200+30", false},
	{"G/120;+30", "7200+30", false},
	{"G/120 +30", "7200+30", false},
	{"G120+30", "7200+30", false},
	{"G/120 inc30", "7200+30", false},
	{"G/120;inc30", "7200+30", false},
	{"G/120 i30", "7200+30", false},
	{"G/(90+30)", "5400+30", false},
	{"G/90+30", "5400+30", false},
	{"G/90; +30", "5400+30", false},
	{"G/90;d5", "5400+5d", false},
	{"G/90 d5", "5400+5d", false},
	{"G/90,d5", "5400+5d", false},
	{"G/90 d/5", "5400+5d", false},
	{"All/90 d5", "5400+5d", false},
	{"SD/90 d5", "5400+5d", false},
	{"SD/90 td5", "5400+5d", false},
	{"40/90,SD/30;d5", "40/5400+5d:1800+5d", false},
	{"40/90, SD/30; +30", "40/5400+30:1800+30", false},
	{"40/90 SD/30 +30", "40/5400+30:1800+30", false},
	{"40/90,SD/30;inc30", "40/5400+30:1800+30", false},
	{"40/120 sd30 d5", "40/7200+5d:1800+5d", false},
	{"40/120, SD/60 d5", "40/7200+5d:3600+5d", false},
	{"40/2, 20/1, SD/30", "40/7200:20/3600:1800", false},
	{"G/5;inc2", "300+2", false},
	{"G/5;+2", "300+2", false},
	{"G/3;+2", "180+2", false},
	{"G/1 d15", "60+15d", false},
	{"15+10", "900+10", true},
	{"15|10", "900+10", false},
	{"25|10", "1500+10", false},
	{"3+2", "180+2", true},
	{"5/3", "300+3", true},
	{"5 3", "300+3", true},
	{"90+30", "5400+30", true},
	{`90'+30"`, "5400+30", false},
	{"90' +30''", "5400+30", false},
	{"90′ + 30″", "5400+30", false},
	{"90 min + 30 sec", "5400+30", false},
	{"90 min. + 30 sec./each move", "5400+30", false},
	{"1h30 + 30sec/mv", "5400+30", false},
	{"1 ½ hours with 30 second increments from move 1", "5400+30", false},
	{`100' + 30 " bonus`, "6000+30", false},
	{"1h + 30''", "3600+30", false},
	{`P-15'+10"`, "900+10", false},
	{`P-90'+30"`, "5400+30", false},
	{"P'15", "900", false},
	{"P-60'", "3600", false},
	{"3' + 2'' na ruch", "180+2", false},
	{"90 min/40 moves + 30 min + 30 sec/move", "40/5400+30:1800+30", false},
	{`90'/40+30'/end incr. 30"/move, starting from move 1`, "40/5400+30:1800+30", false},
	{"90 minutes for 40 moves + 30 minutes with 30 seconds increment from the start", "40/5400+30:1800+30", false},
	{"40 in 90, all in 30, + increment 30 sec /move", "40/5400+30:1800+30", false},
	{"90-90min/40 moves +30-30 min/all + 30 sec./each move", "40/5400+30:1800+30", false},
	{"90 min/40 mov. + 30 min/rest. + 30 sec. incr. p/ mov. desde mov. 1", "40/5400+30:1800+30", false},
	{"90 minutes plus 30 sec plus 30 min after 40 moves", "40/5400+30:1800+30", false},
	{"90min + 30min/40 moves + 30s/move", "40/5400+30:1800+30", false},
	{": 90 minutes for the first 40 moves, followed by 30 minutes for the rest of the gamewith an increment of 30 seconds per move starting from move 1", "40/5400+30:1800+30", false},
	{`100'/40+50'/20+15'/end incr 30"`, "40/6000+30:20/3000+30:900+30", false},
	{"120/40 + 60/20 + 15 + 30 s from move 61", "40/7200:20/3600:900+30", false},
	{"120 min + 10 sec / move starting 41", "7200+10@41", false},
	{"40 in 120 then all in 60", "40/7200:3600", false},
	{"40/120, 60", "40/7200:3600", false},
	{"2h/40 + 1h", "40/7200:3600", false},
	{"40/7200:3600", "40/7200:3600", false},
	{"4500+60", "4500+60", false},
	{"300", "300", true},
	{"*180", "*180", false},
	{"40/9000", "40/9000", false},
	{"40/2", "40/7200", false},
	{"40/2, SD/1", "40/7200:3600", false},
	{"W5' B4'", "W300-B240", false},
	{"W5 B4", "W300-B240", true},
	{"W300-B240", "W300-B240", false},
	{"w:600 b:420", "W600-B420", false},
	{`White 4'+10" v Black 5'+10"`, "W240+10-B300+10", false},
	{"Black 4' / White 5', Black has draw odds", "W300-B240=B", false},
	{"W300-B240=B", "W300-B240=B", false},
	{"75/35 + 15", "35/4500:900", false},
	{"35 moves in 75 minutes + 15 QPF", "35/4500:900", false},
	{"90 f.b. 30", "5400:1800", false},
	{"2h f.b. 30 min", "7200:1800", false},
	{"10/30", "10/30d", true},
	{"10/30d", "10/30d", false},
	{"10 moves in 30 days", "10/30d", false},
	{"50 dni/10 posunięć", "10/50d", false},
	{"10/50 (dup 20)", "10/50d20", false},
	{"3 days/move", "1/3d", false},
	{"daysPerTurn 3", "1/3d", false},
	{"25' Bronstein 10s", "1500+10b", false},
	{"25 min delay 3s", "1500+3d", false},
	{"25 min, 3s delay", "1500+3d", false},
	{"60' + 3x1' byo", "3600+3x60y", false},
	{"60' + Canadian 15/5'", "3600+15/300c", false},
	{"hourglass 1'", "*60", false},
	{"60 mins", "3600", false},
	{"90 minutes +30 seconds increment", "5400+30", false},
	{"25m+10s", "1500+10", false},
	{`15'/game & 10"/move`, "900+10", false},
	{"15 min. + 10 s. per move", "900+10", false},
	{"15 min/game + 10 sec/move", "900+10", false},
	{"15 minutes + 10 seconds increment per move, starting from move 1", "900+10", false},
	{"180+2d", "180+2d", false},
	{"40/5400+0:1800+30", "40/5400:1800+30", false},
	{"90/40 + 30 + 30", "40/5400+30:1800+30", false},
	{"100/40 + 50/20 + 15 + 30", "40/6000+30:20/3000+30:900+30", false},
	{"7:30+10", "450+10", false},
	{"W7:30+10 B15:00+10", "W450+10-B900+10", false},
	{"White 10:00 v Black 7:00", "W600-B420", false},
	{"1:30:00 + 30 s", "5400+30", false},
	{"5 min per side", "300", false},
	{"0+1", "0+1", false},
	{"unlimited", "-", false},
	{"-", "-", false},
	{"?", "?", false},
	{"90 minut na partię + 30 sekund na ruch", "5400+30", false},
	{"90 Minuten für 40 Züge, dann 30 Minuten + 30 Sekunden pro Zug ab Zug 1", "40/5400+30:1800+30", false},
}

func TestParsePeople(t *testing.T) {
	for _, tt := range spellings {
		t.Run(tt.text, func(t *testing.T) {
			got, err := clock.Parse(tt.text, clock.People)
			if err != nil {
				t.Fatalf("%v, want %s", err, tt.want)
			}
			if got.Control.Canonical() != tt.want || got.Ambiguous != tt.open {
				t.Errorf("%s, ambiguous %t; want %s, %t", got.Control, got.Ambiguous, tt.want, tt.open)
			}
			if got.Ambiguous != (len(got.Readings) == 2) {
				t.Errorf("ambiguous %t with readings %q", got.Ambiguous, got.Readings)
			}
		})
	}
}

func TestParsePGN(t *testing.T) {
	tests := []struct {
		text, want string
		open       bool
	}{
		{"120+30", "120+30", true},
		{"15+10", "15+10", true},
		{"5+3", "5+3", true},
		{"180+2", "180+2", false},
		{"300", "300", false},
		{"900+10", "900+10", false},
		{"40/7200:20/3600:1800", "40/7200:20/3600:1800", false},
		{"40/7200:0+10", "40/7200:0+10", false},
		{"40/120:60", "40/120:60", true},
		{"*180", "*180", false},
		{"1/259200", "1/3d", false},
		{"G/90; +30", "5400+30", false},
		{`15'/game & 10\"/move`, "900+10", false},
	}
	for _, tt := range tests {
		got, err := clock.Parse(tt.text, clock.PGN)
		if err != nil || got.Control.Canonical() != tt.want || got.Ambiguous != tt.open {
			t.Errorf("%q: %s, ambiguous %t, error %v; want %s, %t", tt.text, got.Control.Canonical(), got.Ambiguous, err, tt.want, tt.open)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		text, reason string
		readings     int
	}{
		{"", "expected a time control, got nothing", 0},
		{"chess.com daily", `unknown time control: "chess.com" is not understood`, 0},
		{"5400/40+30", "moves and seconds swapped? 5400 moves in 40 s", 0},
		{"40/5400+30:1800+", `missing increment after "+" in stage 2`, 0},
		{"60/60", "the order of moves and minutes is open", 2},
		{"30/90", "the order of moves and minutes is open", 2},
		{"90/30/30", "the structure is open", 2},
		{"90+30+30", "the structure is open", 2},
		{"2:00+0:30", "the units are open", 2},
		{"5 v 4", "whose time is which is open; write W and B", 2},
		{"5-4", "whose time is which is open; write W and B", 2},
		{"4m v 5m +10s", "whose time is which is open; write W and B", 2},
		{"90' + 30'", "the structure is open", 2},
		{"40/90 + 30", "whether the last number is minutes or an increment is open", 2},
		{`W4' B5' +10"`, "whether the extra time is for both sides is open", 2},
		{"1:30+30", "1:30 is open", 2},
		{"10s/move", `expected the main time before "10s"`, 0},
		{"90 sec per move", `expected the main time before "90sec"`, 0},
		{"Bronstein 10s", "expected the main time, got extra time or moves only", 0},
		{`90' 30"`, `expected "+" between 1h30m0s and "30\""`, 0},
	}
	for _, tt := range tests {
		got, err := clock.Parse(tt.text, clock.People)
		var e *clock.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want %q", tt.text, got.Control, tt.reason)
			continue
		}
		if e.Reason != tt.reason || len(e.Readings) != tt.readings || e.Text != tt.text {
			t.Errorf("%q: %q with readings %q, want %q with %d", tt.text, e.Reason, e.Readings, tt.reason, tt.readings)
		}
	}
}
