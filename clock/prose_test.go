package clock_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/clock"
)

func TestWords(t *testing.T) {
	tests := []struct{ canonical, lichess, liveChess string }{
		{"7200+30", "120 min + 30 sec", "120m+30s"},
		{"5400+30", "90 min + 30 sec", "90m+30s"},
		{"1500+10", "25 min + 10 sec", "25m+10s"},
		{"300+2", "5 min + 2 sec", "5m+2s"},
		{"300", "5 min", "5 mins"},
		{"60", "1 min", "1 min"},
		{"3600", "60 min", "60 mins"},
		{"10800", "180 min", "180 mins"},
		{"10860", "10860 sec", "181 mins"},
		{"14400+30", "14400 sec + 30 sec", "240m+30s"},
		{"450+10", "450 sec + 10 sec", "450s+10s"},
		{"90+5", "0:01:30 + 5 sec", "90s+5s"},
		{"30", "0:00:30", "0:00:30"},
		{"0+1", "0 min + 1 sec", "0m+1s"},
		{"40/5400+30:1800+30", "90 min for 40 moves, then 30 min, 30 sec increment", "90m for 40 moves, then 30m, 30s increment"},
		{"40/7200:3600", "120 min for 40 moves, then 60 min", "120m for 40 moves, then 60m"},
		{"7200:3600", "120 min, then 60 min", "120m, then 60m"},
		{"40/450:90+2", "450 sec for 40 moves, then 0:01:30, 2 sec increment from move 41", "450s for 40 moves, then 0:01:30, 2s increment from move 41"},
		{"40/9000", "150 min for 40 moves", "150m for 40 moves"},
		{"40/7200:20/3600:900+30",
			"120 min for 40 moves, then 60 min for 20 moves, then 15 min, 30 sec increment from move 61",
			"120m for 40 moves, then 60m for 20 moves, then 15m, 30s increment from move 61"},
		{"7200+10@41", "120 min, 10 sec increment from move 41", "120m, 10s increment from move 41"},
		{"1500+3d", "25 min + 3 sec delay", "25m+3s delay"},
		{"1500+10b", "25 min + 10 sec Bronstein", "25m+10s Bronstein"},
		{"40/5400+5d:1800+5d", "90 min for 40 moves, then 30 min, 5 sec delay", "90m for 40 moves, then 30m, 5s delay"},
		{"W300-B240=B", "White 5 mins, Black 4 mins, Black has draw odds", "White 5 mins, Black 4 mins, Black has draw odds"},
		{"W240+10-B300+10", "White 4m+10s, Black 5m+10s", "White 4m+10s, Black 5m+10s"},
		{"W300-B240+2", "White 5 mins, Black 4m+2s", "White 5 mins, Black 4m+2s"},
		{"W450+10-B900+10", "White 450s+10s, Black 15m+10s", "White 450s+10s, Black 15m+10s"},
		{"3600+3x60y", "60 min + 3x60 sec byo-yomi", "60m + 3x60s byo-yomi"},
		{"3600+15/300c", "60 min + Canadian 15/300 sec", "60m + Canadian 15/300s"},
		{"*60", "hourglass 1 min", "hourglass 1m"},
		{"1500u", "25 min upcount", "25m upcount"},
		{"1/3d", "3 days/move", "3 days/move"},
		{"10/30d", "10 moves in 30 days", "10 moves in 30 days"},
		{"10/50d20", "10/50 (double after 20)", "10/50 (double after 20)"},
		{"-", "unlimited", "unlimited"},
		{"?", "", ""},
		{"40/5400+30:1800", "", ""},       // ends before the last period
		{"40/5400+10:1800+30", "", ""},    // changes
		{"7200:600+30", "", ""},           // nobody knows with which move it begins
		{"40/3600:3600+3x60y", "", ""},    // two kinds
		{"40/5400+30@11:1800+30", "", ""}, // begins within a period
	}
	for _, tt := range tests {
		parsed, err := clock.Parse(tt.canonical, clock.Canonical)
		if err != nil {
			t.Errorf("%s: %v", tt.canonical, err)
			continue
		}
		if got := parsed.Control.Lichess(); got != tt.lichess {
			t.Errorf("%s for lichess: %q, want %q", tt.canonical, got, tt.lichess)
		}
		if got := parsed.Control.LiveChess(); got != tt.liveChess {
			t.Errorf("%s for LiveChess: %q, want %q", tt.canonical, got, tt.liveChess)
		}
	}
}

// Whatever is written comes back as the same control, and all that organisers
// commonly mean is written.
func TestParseOfWordsIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for range 3000 {
		c := anyControl(r)
		common := r.IntN(2) == 0
		if common {
			c = commonControl(r)
		}
		for _, text := range []string{c.Lichess(), c.LiveChess()} {
			if text == "" {
				if common {
					t.Fatalf("%s: no words", c)
				}
				continue
			}
			back, err := clock.Parse(text, clock.People)
			if err != nil || back.Ambiguous || !back.Control.Equal(c) {
				t.Fatalf("%s: %q reads as %+v, error %v", c, text, back, err)
			}
		}
		readByLichess(t, c)
	}
}

// commonControl draws periods of whole seconds with one kind of extra time, the
// same through all of them.
func commonControl(r *rand.Rand) clock.Control {
	side := func() []clock.Period {
		kind := clock.Kind(r.IntN(int(clock.Delay) + 1))
		list := make([]clock.Period, 1+r.IntN(3))
		bonus := time.Duration(1+r.IntN(60)) * time.Second
		for i := range list {
			list[i] = clock.Period{Moves: 1 + r.IntN(40), Base: time.Duration(60+r.IntN(9000)) * time.Second, Kind: kind}
			if kind != clock.None {
				list[i].Bonus = bonus
			}
		}
		list[len(list)-1].Moves = 0
		return list
	}
	c := clock.Control{White: side(), Odds: clock.Odds(r.IntN(3))}
	c.Black = slices.Clone(c.White)
	if r.IntN(3) == 0 {
		c.Black = side()
	}
	return c
}

// readByLichess checks that lichess reads what we write right, or not at all.
func readByLichess(t *testing.T, c clock.Control) {
	t.Helper()
	text := c.Lichess()
	plain := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	for _, word := range []string{"/move", "minutes", "min", "m", "seconds", "sec", "s", "'", `"`} {
		plain = strings.ReplaceAll(plain, word, "")
	}
	base, bonus, _ := strings.Cut(plain, "+")
	a, err := strconv.Atoi(base)
	b, errBonus := strconv.Atoi("0" + bonus)
	if err != nil || errBonus != nil {
		return
	}
	if a <= 180 {
		a *= 60
	}
	got := clock.Period{Base: time.Duration(a) * time.Second, Bonus: time.Duration(b) * time.Second}
	if b > 0 {
		got.Kind = clock.Fischer
	}
	if want := (clock.Control{White: []clock.Period{got}, Black: []clock.Period{got}}); !c.Equal(want) {
		t.Errorf("%s: lichess reads %q as %s", c, text, want)
	}
}
