package clock_test

import (
	"errors"
	"testing"

	"boardd/clock"
)

// Spellings beside those of [sheet], and what they mean.
var spellings = []struct {
	text, want string
	open       bool // only custom or context chose this reading
}{
	{"G/90; +30", "5400+30", false},
	{"90′ + 30″", "5400+30", false},
	{"90 minutes for 40 moves + 30 minutes with 30 seconds increment from the start", "40/5400+30:1800+30", false},
	{"40/2", "40/7200", false},
	{"40/2, SD/1", "40/7200:3600", false},
	{"W5 B4", "W300-B240", true},
	{"W300-B240", "W300-B240", false},
	{`White 4'+10" v Black 5'+10"`, "W240+10-B300+10", false},
	{"Black 4' / White 5', Black has draw odds", "W300-B240=B", false},
	{"W300-B240=B", "W300-B240=B", false},
	{"25 min, 3s delay", "1500+3d", false},
	{"hourglass 1'", "*60", false},
	{"90/40 + 30 + 30", "40/5400+30:1800+30", false},
	{"100/40 + 50/20 + 15 + 30", "40/6000+30:20/3000+30:900+30", false},
	{"7:30+10", "450+10", false},
	{"W7:30+10 B15:00+10", "W450+10-B900+10", false},
	{"White 10:00 v Black 7:00", "W600-B420", false},
	{"1:30:00 + 30 s", "5400+30", false},
	{"5 min per side", "300", false},
	{"0+1", "0+1", false},
	{"unlimited", "-", false},
	{"90 minut na partię + 30 sekund na ruch", "5400+30", false},
	{"90 minut na 40 ruchów + 30 minut do końca + 30 sekund na ruch od 1 ruchu", "40/5400+30:1800+30", false},
	{"2 godz. na 40 ruchów + 1 godz.", "40/7200:3600", false},
	{`tempo 15'+10"`, "900+10", false},
	{"90 minutos por jugador + 30 segundos por jugada", "5400+30", false},
	{"90 minutos + 30 segundos de incremento por jogada", "5400+30", false},
	{"1h30 pour 40 coups puis 30 min + 30s/coup", "40/5400+30:1800+30", false},
	{"Blitz 3+2", "180+2", false},
	{"75 min + 15 min QPF + 30 s", "4500+30:900+30", false},
	{"36/75 + 15 min + 30s", "36/4500+30:900+30", false},
	{"Game in 90 minutes with 5 second delay", "5400+5d", false},
	{"90/40+30, 30 sec", "40/5400+30:1800+30", false},
	{"G/61;d0", "3660", false},
	{"25m upcount", "1500u", false},
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
		{"180+2", "180+2", false},
		{"900+10", "900+10", false},
		{"40/7200:20/3600:1800", "40/7200:20/3600:1800", false},
		{"40/7200:0+10", "40/7200:0+10", false},
		{"40/120:60", "40/120:60", true},
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
		{"90' + 30'", "the structure is open", 2},
		{"45/45", "the order of moves and minutes is open", 2},
		{"upcount 25' + 10\"", `expected no extra time with "countup", got 10s`, 0},
		{"3 min 2 sec", `expected "+" between 3m0s and "2sec"`, 0},
		{"40/90 + 30", "whether the last number is minutes or an increment is open", 2},
		{`W4' B5' +10"`, "whether the extra time is for both sides is open", 2},
		{"1:30+30", "1:30 is open", 2},
		{"10s/move", `expected the main time before "10s"`, 0},
		{"90 sec per move", `expected the main time before "90sec"`, 0},
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
