package clock_test

import (
	"errors"
	"slices"
	"testing"

	"boardd/clock"
)

// sheet is the table of spellings, fact sheet 3.3, row by row.
var sheet = []struct {
	row, text string
	want      string   // canonical, as people mean it; empty if it is refused
	readings  []string // named because the unit is open, or the text is refused
	reason    string   // why it is refused
	tag       string   // canonical as a PGN tag, if that differs
	asTag     []string // the readings of the tag, if they differ
}{
	{row: "US increments", text: "G/120+30", want: "7200+30"},
	{row: "US increments", text: "G/120;+30", want: "7200+30"},
	{row: "US increments", text: "G/120 +30", want: "7200+30"},
	{row: "US increments", text: "G120+30", want: "7200+30"},
	{row: "US increments", text: "G/120 inc30", want: "7200+30"},
	{row: "US increments", text: "G/120;inc30", want: "7200+30"},
	{row: "US increments", text: "G/120 i30", want: "7200+30"},
	{row: "US delay", text: "G/90;d5", want: "5400+5d"},
	{row: "US delay", text: "G/90 d5", want: "5400+5d"},
	{row: "US delay", text: "G/90,d5", want: "5400+5d"},
	{row: "US delay", text: "G/90 d/5", want: "5400+5d"},
	{row: "US delay", text: "All/90 d5", want: "5400+5d"},
	{row: "US delay", text: "SD/90 d5", want: "5400+5d"},
	{row: "US delay", text: "td5", reason: "expected the main time, got extra time or moves only"},
	{row: "US delay", text: "SD/90 td5", want: "5400+5d"},
	{row: "US delay", text: "40/90,SD/30;d5", want: "40/5400+5d:1800+5d"},
	{row: "US delay", text: "40/90, SD/30 d5", want: "40/5400+5d:1800+5d"},
	{row: "US increments of two periods", text: "40/90, SD/30; +30", want: "40/5400+30:1800+30"},
	{row: "US increments of two periods", text: "40/90 SD/30 +30", want: "40/5400+30:1800+30"},
	{row: "US increments of two periods", text: "40/90,SD/30;inc30", want: "40/5400+30:1800+30"},
	{row: "US delay of two periods", text: "40/120 sd30 d5", want: "40/7200+5d:1800+5d"},
	{row: "US delay of two periods", text: "40/120, SD/60 d5", want: "40/7200+5d:3600+5d"},
	{row: "US hours", text: "40/2, 20/1, SD/30", want: "40/7200:20/3600:1800"},
	{row: "increment in brackets", text: "G/(90+30)", want: "5400+30"},
	{row: "increment in brackets", text: "G/90+30", want: "5400+30"},
	{row: "US blitz", text: "G/5;inc2", want: "300+2"},
	{row: "US blitz", text: "G/5;+2", want: "300+2"},
	{row: "US blitz", text: "G/3;+2", want: "180+2"},
	{row: "US blitz", text: "G/3;inc2", want: "180+2"},
	{row: "US blitz", text: "G/1 d15", want: "60+15d"},
	{row: "minutes and seconds", text: "15+10", want: "900+10", readings: []string{"900+10 (minutes)", "15+10 (seconds)"}, tag: "15+10", asTag: []string{"15+10 (seconds)", "900+10 (minutes)"}},
	{row: "minutes and seconds", text: "15|10", want: "900+10"},
	{row: "minutes and seconds", text: "25|10", want: "1500+10"},
	{row: "minutes and seconds", text: "3+2", want: "180+2", readings: []string{"180+2 (minutes)", "3+2 (seconds)"}, tag: "3+2", asTag: []string{"3+2 (seconds)", "180+2 (minutes)"}},
	{row: "minutes and seconds", text: "5/3", want: "300+3", readings: []string{"300+3 (5 min and 3 s a move)", "3/300 (3 moves in 5 min)"}},
	{row: "minutes and seconds", text: "5 3", want: "300+3", readings: []string{"300+3 (minutes, then seconds a move)", "5/180 (moves, then minutes)"}},
	{row: "signs and words", text: "90+30", want: "5400+30", readings: []string{"5400+30 (minutes)", "90+30 (seconds)"}, tag: "90+30", asTag: []string{"90+30 (seconds)", "5400+30 (minutes)"}},
	{row: "signs and words", text: `90'+30"`, want: "5400+30"},
	{row: "signs and words", text: "90' +30''", want: "5400+30"},
	{row: "signs and words", text: "90 min + 30 sec", want: "5400+30"},
	{row: "signs and words", text: "90 min. + 30 sec./each move", want: "5400+30"},
	{row: "signs and words", text: "1h30 + 30sec/mv", want: "5400+30"},
	{row: "signs and words", text: "1 ½ hours with 30 second increments from move 1", want: "5400+30"},
	{row: "signs and words", text: `100' + 30 " bonus`, want: "6000+30"},
	{row: "signs and words", text: "1h + 30''", want: "3600+30"},
	{row: "Polish", text: `P-15'+10"`, want: "900+10"},
	{row: "Polish", text: `P-90'+30"`, want: "5400+30"},
	{row: "Polish", text: "P'15", want: "900"},
	{row: "Polish", text: "P-60'", want: "3600"},
	{row: "Polish server", text: "3' + 2'' na ruch", want: "180+2"},
	{row: "40 moves, then the rest", text: "90 min/40 moves + 30 min + 30 sec/move", want: "40/5400+30:1800+30"},
	{row: "40 moves, then the rest", text: `90'/40+30'/end incr. 30"/move, starting from move 1`, want: "40/5400+30:1800+30"},
	{row: "40 moves, then the rest", text: "90 minutes for 40 moves + 30 minutes with 30 seconds from the start", want: "40/5400+30:1800+30"},
	{row: "40 moves, then the rest", text: "40 in 90, all in 30, + increment 30 sec /move", want: "40/5400+30:1800+30"},
	{row: "40 moves, then the rest", text: "90-90min/40 moves +30-30 min/all + 30 sec./each move", want: "40/5400+30:1800+30"},
	{row: "40 moves, then the rest", text: "90 min/40 mov. + 30 min/rest. + 30 sec. incr. p/ mov. desde mov. 1", want: "40/5400+30:1800+30"},
	{row: "40 moves, then the rest", text: "90 minutes plus 30 sec plus 30 min after 40 moves", want: "40/5400+30:1800+30"},
	{row: "three periods", text: `100'/40+50'/20+15'/end incr 30"`, want: "40/6000+30:20/3000+30:900+30"},
	{row: "increment from move 61", text: "120/40 + 60/20 + 15 + 30 s from move 61", want: "40/7200:20/3600:900+30"},
	{row: "increment from move 61", text: "40/7200:20/3600:900+30", want: "40/7200:20/3600:900+30"},
	{row: "increment from move 41", text: "120 min + 10 sec / move starting 41", want: "7200+10@41"},
	{row: "two periods", text: "40 in 120 then all in 60", want: "40/7200:3600"},
	{row: "two periods", text: "40/120, 60", want: "40/7200:3600"},
	{row: "two periods", text: "2h/40 + 1h", want: "40/7200:3600"},
	{row: "PGN", text: "40/7200:3600", want: "40/7200:3600"},
	{row: "PGN", text: "4500+60", want: "4500+60"},
	{row: "PGN", text: "300", want: "300", readings: []string{"300 (seconds)", "18000 (minutes)"}, asTag: []string{}},
	{row: "PGN", text: "*180", want: "*180"},
	{row: "PGN", text: "40/9000", want: "40/9000"},
	{row: "a time for each side", text: "5 v 4", readings: []string{"W300-B240", "W240-B300"}, reason: "whose time is which is open; write W and B"},
	{row: "a time for each side", text: "5-4", readings: []string{"W300-B240", "W240-B300"}, reason: "whose time is which is open; write W and B"},
	{row: "a time for each side", text: "W5' B4'", want: "W300-B240"},
	{row: "a time for each side", text: "4m v 5m +10s", readings: []string{"W240+10-B300+10", "W300+10-B240+10"}, reason: "whose time is which is open; write W and B"},
	{row: "structure open", text: "90/30/30", readings: []string{"5400+30:1800+30 (90 min, then 30 min, 30 s a move)", "5400:1800:1800 (90 min, then 30 min, then 30 min)"}, reason: "the structure is open"},
	{row: "structure open", text: "90+30+30", readings: []string{"5400+30:1800+30 (90 min, then 30 min, 30 s a move)", "5400:1800:1800 (90 min, then 30 min, then 30 min)"}, reason: "the structure is open"},
	{row: "structure open", text: "2:00+0:30", readings: []string{"7200+30 (h:mm and m:ss)", "7200:1800 (h:mm, then h:mm)"}, reason: "the units are open"},
	{row: "UK leagues", text: "75/35 + 15", want: "35/4500:900"},
	{row: "UK leagues", text: "35 moves in 75 minutes + 15 QPF", want: "35/4500:900"},
	{row: "order open", text: "60/60", readings: []string{"60/3600 (60 moves in 60 min)", "3600+60 (60 min and 60 s a move)"}, reason: "the order of moves and minutes is open"},
	{row: "order open", text: "30/90", readings: []string{"30/5400 (30 moves in 90 min)", "90/1800 (90 moves in 30 min)"}, reason: "the order of moves and minutes is open"},
	{row: "followed by", text: "90 f.b. 30", want: "5400:1800"},
	{row: "followed by", text: "2h f.b. 30 min", want: "7200:1800"},
	{row: "correspondence", text: "10/30", want: "10/30d", readings: []string{"10/30d (10 moves in 30 days)", "10/1800 (10 moves in 30 min)"}},
	{row: "correspondence", text: "10/30d", want: "10/30d"},
	{row: "correspondence", text: "10 moves in 30 days", want: "10/30d"},
	{row: "correspondence", text: "50 dni/10 posunięć", want: "10/50d"},
	{row: "correspondence", text: "10/50 (dup 20)", want: "10/50d20"},
	{row: "correspondence", text: "3 days/move", want: "1/3d"},
	{row: "correspondence", text: "daysPerTurn 3", want: "1/3d"},
	{row: "option names of clocks", text: "Bronstein 10s", reason: "expected the main time, got extra time or moves only"},
	{row: "option names of clocks", text: "delay 3s", reason: "expected the main time, got extra time or moves only"},
	{row: "option names of clocks", text: "25' Bronstein 10s", want: "1500+10b"},
	{row: "option names of clocks", text: "25 min delay 3s", want: "1500+3d"},
	{row: "Go clocks", text: "60' + 3x1' byo", want: "3600+3x60y"},
	{row: "Go clocks", text: "15/5'", want: "15/300"},
	{row: "Go clocks", text: "60' + Canadian 15/5'", want: "3600+15/300c"},
	{row: "moves behind the second base", text: "90min + 30min/40 moves + 30s/move", want: "40/5400+30:1800+30"},
	{row: "World Cup 2025", text: ": 90 minutes for the first 40 moves, followed by 30 minutes for the rest of the gamewith an increment of 30 seconds per move starting from move 1", want: "40/5400+30:1800+30"},
	{row: "LiveChess Cloud and broadcasts", text: "60 mins", want: "3600"},
	{row: "LiveChess Cloud and broadcasts", text: "90 minutes +30 seconds increment", want: "5400+30"},
	{row: "LiveChess Cloud and broadcasts", text: "25m+10s", want: "1500+10"},
	{row: "LiveChess Cloud and broadcasts", text: `15'/game & 10"/move`, want: "900+10"},
	{row: "LiveChess Cloud and broadcasts", text: "15 min. + 10 s. per move", want: "900+10"},
	{row: "LiveChess Cloud and broadcasts", text: "15 min/game + 10 sec/move", want: "900+10"},
	{row: "LiveChess Cloud and broadcasts", text: "15 minutes + 10 seconds increment per move, starting from move 1", want: "900+10"},
	{row: "tags that may be minutes", text: "120+30", want: "7200+30", readings: []string{"7200+30 (minutes)", "120+30 (seconds)"}, tag: "120+30", asTag: []string{"120+30 (seconds)", "7200+30 (minutes)"}},
	{row: "tags that may be minutes", text: "15+10", want: "900+10", readings: []string{"900+10 (minutes)", "15+10 (seconds)"}, tag: "15+10", asTag: []string{"15+10 (seconds)", "900+10 (minutes)"}},
	{row: "tags that may be minutes", text: "5+3", want: "300+3", readings: []string{"300+3 (minutes)", "5+3 (seconds)"}, tag: "5+3", asTag: []string{"5+3 (seconds)", "300+3 (minutes)"}},
	{row: "delay in a tag", text: "180+2d", want: "180+2d"},
	{row: "increment in the second period", text: "40/5400+0:1800+30", want: "40/5400:1800+30"},
	{row: "time odds", text: "w:600 b:420", want: "W600-B420"},
	{row: "hourglass, none, unknown", text: "*60", want: "*60"},
	{row: "hourglass, none, unknown", text: "-", want: "-"},
	{row: "hourglass, none, unknown", text: "?", want: "?"},
	{row: "no time control", text: "chess.com daily", reason: `unknown time control: "chess.com" is not understood`},
	{row: "typing errors", text: "5400/40+30", reason: "moves and seconds swapped? 5400 moves in 40 s"},
	{row: "typing errors", text: "40/5400+30:1800+", reason: `missing increment after "+" in stage 2`},
}

// Every spelling of the table is read as the table says, or refused with what
// it may mean.
func TestSheet(t *testing.T) {
	for _, s := range sheet {
		t.Run(s.row+"/"+s.text, func(t *testing.T) {
			readAs(t, s.text, clock.People, s.want, s.readings, s.reason)
			want, readings := s.want, s.readings
			if s.tag != "" {
				want = s.tag
			}
			if s.asTag != nil {
				readings = s.asTag
			}
			readAs(t, s.text, clock.PGN, want, readings, s.reason)
		})
	}
}

func readAs(t *testing.T, text string, context clock.Context, want string, readings []string, reason string) {
	t.Helper()
	got, err := clock.Parse(text, context)
	if reason != "" {
		var e *clock.Error
		if !errors.As(err, &e) || e.Reason != reason || !slices.Equal(e.Readings, readings) {
			t.Errorf("context %d: %s, error %v; want %q with readings %q", context, got.Control.Canonical(), err, reason, readings)
		}
		return
	}
	if err != nil || got.Control.Canonical() != want {
		t.Errorf("context %d: %s, error %v; want %s", context, got.Control.Canonical(), err, want)
	}
	if !slices.Equal(got.Readings, readings) || got.Ambiguous != (len(readings) > 0) {
		t.Errorf("context %d: readings %q, ambiguous %t; want %q", context, got.Readings, got.Ambiguous, readings)
	}
}
