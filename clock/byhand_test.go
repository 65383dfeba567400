package clock_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boardd/clock"
)

func canonical(t *testing.T, text string) clock.Control {
	t.Helper()
	parsed, err := clock.Parse(text, clock.Canonical)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return parsed.Control
}

// Fact sheet 4: the presets.
func TestByHandPresets(t *testing.T) {
	tests := []struct {
		model           clock.Model
		option, control string
		shows           string // both sides
		sure            bool
	}{
		{clock.XL, "01", "300", "5:00", true},
		{clock.XL, "02", "600", "10:00", true},
		{clock.XL, "03", "1500", "0:25", true},
		{clock.XL, "04", "3600", "1:00", true},
		{clock.XL, "05", "7200", "2:00", true},
		{clock.XL, "06", "6300:900", "1:45", false}, // whether at zero
		{clock.XL, "07", "40/7200:3600", "2:00", false},
		{clock.XL, "08", "40/7200:20/3600:1800", "2:00", false},
		{clock.XL, "09", "7200:3600:3600:3600", "2:00", false},
		{clock.XL, "10", "180+2", "3:02", false}, // the first increment
		{clock.XL, "11", "1500+10", "0:25", false},
		{clock.XL, "12", "5400+30", "1:30", false},
		{clock.XL, "13", "40/6000+30:20/3000+30:600+30", "1:40", false},
		{clock.XL, "14", "300+3b", "5:00", false},
		{clock.XL, "15", "1500+10b", "0:25", false},
		{clock.XL, "15", "1500+10d", "0:25", false},
		{clock.XL, "16", "6900+5b", "1:55", false},
		{clock.XL, "17", "40/7200:600+30", "2:00", false},
		{clock.XL, "18", "40/7200:20/3600:900+30", "2:00", false},
		{clock.XL, "19", "3600+15/300c", "1:00", false},
		{clock.XL, "20", "7200+10/600c", "2:00", false},
		{clock.XL, "21", "1500u", "0:25", true},
		{clock.XL, "22", "*60", "1:00", true},
		{clock.DGT3000, "01", "300", "0:05:00", true},
		{clock.DGT3000, "02", "600", "0:10:00", true},
		{clock.DGT3000, "03", "1500", "0:25:00", true},
		{clock.DGT3000, "04", "3600", "1:00:00", true},
		{clock.DGT3000, "05", "7200", "2:00:00", true},
		{clock.DGT3000, "06", "7200:1800", "2:00:00", true},
		{clock.DGT3000, "07", "40/7200:3600", "2:00:00", true},
		{clock.DGT3000, "08", "40/7200:20/3600:1800", "2:00:00", true},
		{clock.DGT3000, "11", "900+10", "0:15:10", false},
		{clock.DGT2010, "01", "300", "5:00", true},
		{clock.DGT2010, "02", "1500", "0:25", true},
		{clock.DGT2010, "04", "40/7200:1800", "2:00", false},
		{clock.DGT2010, "06", "40/7200:20/3600:1800", "2:00", false},
		{clock.DGT2010, "08", "40/7200:20/3600", "2:00", false},
		{clock.DGT2010, "19", "40/5400+30:900+30", "1:30", false},
	}
	for _, tt := range tests {
		s := canonical(t, tt.control).ByHand(tt.model)
		if s.Option != tt.option || !s.Preset || len(s.Enter) != 0 || s.White != tt.shows || s.Black != tt.shows || s.Sure != tt.sure {
			t.Errorf("%s on %v: %+v, want option %s that shows %s, sure %t", tt.control, tt.model, s, tt.option, tt.shows, tt.sure)
		}
	}
}

func TestByHandManual(t *testing.T) {
	both := func(s string) []string { return []string{"both sides: " + s} }
	tests := []struct {
		control string
		model   clock.Model
		option  string
		enter   []string
		shows   [2]string
		note    string // one of the notes
	}{
		{"7200+30", clock.XL, "00", both("FISCH 2:00, increment 30 s"), [2]string{"2:00", "2:00"}, "not verified: the increment for move 1 is added, and seconds are hidden above 20:00"},
		{"7200+30", clock.DGT3000, "26-30", both("FISCH 2:00, increment 30 s"), [2]string{"2:00:30", "2:00:30"}, "the increment for move 1 is added and shown"},
		{"7200+30", clock.DGT2010, "18", both("2:00, increment 30 s"), [2]string{"2:00", "2:00"}, "the increment for move 1 is added; seconds are hidden above 20:00"},
		{"7200+30", clock.DGT2500, "", both("2:00, increment 30 s"), [2]string{}, "not known: the number of the manual option, and its kinds of time; read the label under the clock"},
		{"5400+30", clock.DGT3000, "26-30", both("FISCH 1:30, increment 30 s"), [2]string{"1:30:30", "1:30:30"}, "presets 09 to 24 are not known and one may fit: read the label"},
		{"900+10", clock.XL, "00", both("FISCH 0:15, increment 10 s"), [2]string{"15:10", "15:10"}, "not verified: the increment for move 1 is added; if it is not shown, add it to both sides"},
		{"300+2", clock.DGT2010, "18", both("0:05, increment 2 s"), [2]string{"5:02", "5:02"}, "the increment for move 1 is added"},
		{"W240+10-B300+10", clock.DGT3000, "26-30", []string{"White: FISCH 0:04, increment 10 s", "Black: FISCH 0:05, increment 10 s"}, [2]string{"0:04:10", "0:05:10"}, "options 26 to 30 are manual and keep what you enter, even without batteries"},
		{"W300-B240=B", clock.XL, "00", []string{"White: TIME 0:05", "Black: TIME 0:04"}, [2]string{"5:00", "4:00"}, ""},
		{"W300-B240+2", clock.XL, "00", []string{"White: FISCH 0:05, increment 0 s", "Black: FISCH 0:04, increment 2 s"}, [2]string{"5:00", "4:02"}, ""},
		{"W450+10-B900+10", clock.DGT2010, "18", []string{"White: 0:07:30, increment 10 s", "Black: 0:15, increment 10 s"}, [2]string{"7:40", "15:10"}, "not known: whether seconds of a main time can be entered; if not, enter whole minutes and correct the faces before the start"},
		{"W300-B240", clock.DGT2500, "", []string{"White: 0:05", "Black: 0:04"}, [2]string{}, "not known: whether the sides may differ"},
		{"40/5400+30:1800+30", clock.XL, "00", []string{"period 1, both sides: FISCH 1:30, increment 30 s", "period 2, both sides: FISCH 0:30, increment 30 s"}, [2]string{"1:30", "1:30"}, "not known: whether the next period comes at 0:00 or after move 40"},
		{"40/5400+30:1800+30", clock.DGT3000, "26-30", []string{"period 1, both sides: FISCH 1:30, increment 30 s, 40 moves", "period 2, both sides: FISCH 0:30, increment 30 s"}, [2]string{"1:30:30", "1:30:30"}, "not verified: that a manual setting takes a number of moves; without one the next period comes to both at 0:00"},
		{"40/5400+30:1800+30", clock.DGT2010, "21", []string{"period 1, both sides: 1:30, increment 30 s, 40 moves", "period 2, both sides: 0:30, increment 30 s"}, [2]string{"1:30", "1:30"}, "option 21 takes one number of moves; 00 means that both get the next period at 0:00"},
		{"40/5400+30:1800+30", clock.DGT2500, "", []string{"period 1, both sides: 1:30, increment 30 s, 40 moves", "period 2, both sides: 0:30, increment 30 s"}, [2]string{}, `switch "forced move counter" on: the numbers of moves count then`},
		{"40/6000+30:20/3000+30:900+30", clock.DGT2010, "21", []string{"period 1, both sides: 1:40, increment 30 s, 40 moves", "period 2, both sides: 0:50, increment 30 s", "period 3, both sides: 0:15, increment 30 s"}, [2]string{"1:40", "1:40"}, "not known: whether option 21 takes 3 periods"},
		{"40/7200:20/3600:900+30", clock.DGT2010, "13-14", []string{"period 1, both sides: 2:00", "period 2, both sides: 1:00", "period 3, both sides: 0:15, increment 30 s"}, [2]string{"2:00", "2:00"}, "not known: which of these options is the manual one; read the label under the clock"},
		{"3600", clock.DGT2010, "03", both("1:00"), [2]string{"1:00", "1:00"}, "not verified: which manual option is for how many periods; read the label under the clock"},
		{"40/9000", clock.XL, "00", both("TIME 2:30"), [2]string{"2:30", "2:30"}, "not known: how the last period is made to repeat every 40 moves"},
		{"40/5400:20/1800", clock.DGT2010, "09", []string{"period 1, both sides: 1:30", "period 2, both sides: 0:30"}, [2]string{"1:30", "1:30"}, ""},
		{"1500+3d", clock.DGT3000, "26-30", both("US-DLY 0:25, delay 3 s"), [2]string{"0:25:00", "0:25:00"}, ""},
		{"1500+3b", clock.DGT3000, "26-30", both("DELAY 0:25, delay 3 s"), [2]string{"0:25:03", "0:25:03"}, ""}, // the total is shown
		{"1500+3d", clock.XL, "00", both("DELAY 0:25, delay 3 s"), [2]string{"0:25", "0:25"}, "DELAY is Bronstein: the effect of a US delay, with another display"},
		{"5400+5d", clock.DGT2010, "22-25", both("1:30, delay 5 s"), [2]string{"1:30", "1:30"}, "not known: whether its delay is Bronstein or a US delay; the effect is the same"},
		{"3600+3x60y", clock.DGT3000, "26-30", both("BYO-YOMI 1:00, 3 periods of 60 s"), [2]string{"1:00:00", "1:00:00"}, ""},
		{"1800+15/300c", clock.DGT2010, "29-30", both("0:30, then 15 moves in each 0:05"), [2]string{"0:30", "0:30"}, ""},
		// What a clock cannot do, and what is not known.
		{"3600+3x60y", clock.XL, "", nil, [2]string{}, "not known: whether the clock counts byo-yomi periods"},
		{"*60", clock.DGT3000, "", nil, [2]string{}, "not known: whether the clock has an hourglass"},
		{"7200+10@41", clock.DGT3000, "", nil, [2]string{}, "not known: how extra time that begins with a later move is set"},
		{"W300-B3600+2b", clock.XL, "", nil, [2]string{}, "not known: whether the sides may have different kinds of time or other periods"},
		{"40/3600:20/1800:20/1800:900", clock.DGT2500, "", nil, [2]string{}, "the clock takes at most 3 periods, the time control has 4"},
		{"40/3600:1800+10:900", clock.DGT2010, "", nil, [2]string{}, "not known: an option for these periods"},
		{"10/30d", clock.XL, "", nil, [2]string{}, "there is no time to set"},
		{"-", clock.DGT3000, "", nil, [2]string{}, "there is no time to set"},
	}
	for _, tt := range tests {
		s := canonical(t, tt.control).ByHand(tt.model)
		if s.Model != tt.model || s.Option != tt.option || s.Preset || !slices.Equal(s.Enter, tt.enter) || [2]string{s.White, s.Black} != tt.shows {
			t.Errorf("%s on %v: %+v, want option %q, %q, shown %q", tt.control, tt.model, s, tt.option, tt.enter, tt.shows)
		}
		if tt.note != "" && !slices.Contains(s.Notes, tt.note) {
			t.Errorf("%s on %v: notes %q, want %q among them", tt.control, tt.model, s.Notes, tt.note)
		}
	}
}

// No control makes it fall over, none stays without an answer, and a doubt is
// never given as sure.
func TestByHandAlwaysAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		c := anyControl(r)
		if r.IntN(2) == 0 {
			c = commonControl(r)
		}
		for _, m := range clock.Models {
			s := c.ByHand(m)
			switch doubted := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, "not ") }); {
			case s.Preset && (s.Option == "" || len(s.Enter) > 0),
				!s.Preset && s.Option != "" && len(s.Enter) == 0,
				len(s.Enter) == 0 && !s.Preset && len(s.Notes) == 0,
				len(s.Enter)%max(len(c.White), 1) != 0,
				doubted && s.Sure:
				t.Fatalf("%s on %v: %+v", c, m, s)
			}
		}
	}
}
