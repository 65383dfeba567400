package check_test

import (
	"testing"
	"time"

	"boardd/clock"
)

const (
	second = time.Second
	minute = time.Minute
)

// A clock with a programme of its own, reporting as a real one does, and what people
// and lines do to it.
func TestClocksWithAProgramme(t *testing.T) {
	toggled := func(every int) func() bool {
		n := 0
		return func() bool { n++; return n%every == 0 }
	}
	for _, tt := range []struct {
		name          string
		promised, set string
		play          func(m *machine)
		want          string
		kind          clock.Kind // of White's presses, where bonus is set
		bonus         time.Duration
	}{
		{name: "periods by the move counter, one after the other", promised: "4/600+30:900+30", set: "4/600+30:900+30",
			play: func(m *machine) { m.byMoves = true; m.start(); m.moves(9, 11*second) }, want: "period:w period:b", kind: clock.Fischer, bonus: 30 * second},
		{name: "three periods by the move counter", promised: "3/600:3/300:200", set: "3/600:3/300:200",
			play: func(m *machine) { m.byMoves = true; m.start(); m.moves(9, 5*second) }, want: "period:w period:b period:w period:b"},
		{name: "a period at zero, for both", promised: "40/60+5:900+5", set: "40/60+5:900+5",
			play: func(m *machine) { m.start(); m.moves(1, 3*second); m.wait(100 * second); m.moves(4, 3*second) }, want: "period"},
		{name: "a period at zero, the moves not made, flag shown and not blocked", promised: "40/60:900", set: "40/60:900",
			play: func(m *machine) { m.start(); m.wait(70 * second); m.press(); m.wait(5 * second) }, want: "period"},
		{name: "the last flag of three periods", promised: "2/60:30:20", set: "2/60:30:20",
			play: func(m *machine) { m.start(); m.wait(130 * second) }, want: "period period flag:w"},
		{name: "an increment a second short", promised: "900+10", set: "900+9",
			play: func(m *machine) { m.start(); m.moves(10, 7*second) }, want: "mismatch_time_control", kind: clock.Fischer, bonus: 9 * second},
		{name: "one second promised, none given", promised: "60+1", set: "61",
			play: func(m *machine) { m.start(); m.moves(10, 2*second) }, want: "no_increment"},
		{name: "one second promised and given", promised: "60+1", set: "60+1",
			play: func(m *machine) { m.start(); m.moves(20, 1700*time.Millisecond) }, want: "", kind: clock.Fischer, bonus: second},
		{name: "Bronstein for an increment", promised: "900+10", set: "910+10b",
			play: func(m *machine) { m.start(); m.moves(10, 4*second); m.moves(4, 15*second) }, want: "mismatch_time_control", kind: clock.Bronstein},
		{name: "a delay for an increment", promised: "900+10", set: "910+10d",
			play: func(m *machine) { m.start(); m.moves(10, 8*second) }, want: "mismatch_time_control", kind: clock.Delay},
		{name: "a delay where none is promised", promised: "900", set: "900+5d",
			play: func(m *machine) { m.start(); m.moves(8, 9*second) }, want: "mismatch_time_control", kind: clock.Delay, bonus: 5 * second},
		{name: "a delay for Bronstein costs the same", promised: "300+5b", set: "300+5d",
			play: func(m *machine) { m.start(); m.moves(6, 3*second); m.moves(6, 9*second) }, want: "", kind: clock.Delay},
		{name: "Bronstein for a delay costs the same", promised: "300+5d", set: "300+5b",
			play: func(m *machine) { m.start(); m.moves(6, 3*second); m.moves(6, 9*second) }, want: "", kind: clock.Bronstein, bonus: 5 * second},
		{name: "an increment for a delay", promised: "300+5d", set: "295+5",
			play: func(m *machine) { m.start(); m.moves(6, 2*second) }, want: "mismatch_time_control", kind: clock.Fischer, bonus: 5 * second},
		{name: "an increment for one side only", promised: "900+10", set: "W900+10-B910",
			play: func(m *machine) { m.start(); m.moves(6, 6*second) }, want: "no_increment"},
		{name: "no increment, put right in the game", promised: "900+10", set: "910",
			play: func(m *machine) {
				m.start()
				m.moves(4, 6*second)
				m.stop()
				m.wait(40 * second)
				m.set = *mustParse("900+10")
				m.start()
				m.moves(8, 6*second)
			}, want: "no_increment -no_increment", kind: clock.Fischer, bonus: 10 * second},
		{name: "the increment begins at move 6", promised: "600+10@6", set: "600+10@6",
			play: func(m *machine) { m.start(); m.moves(16, 5*second) }, want: ""},
		{name: "the increment ought to begin at move 6", promised: "600+10@6", set: "600",
			play: func(m *machine) { m.start(); m.moves(16, 5*second) }, want: "no_increment"},
		{name: "wrong times put right after the start", promised: "900+10", set: "600+10",
			play: func(m *machine) {
				m.start()
				m.moves(2, 5*second)
				m.stop()
				m.wait(20 * second)
				m.add(clock.White, 5*minute)
				m.wait(5 * second)
				m.add(clock.Black, 5*minute)
				m.wait(9 * second)
				m.start()
				m.moves(5, 6*second)
			}, want: "mismatch_time_control changed:w changed:b -mismatch_time_control", kind: clock.Fischer, bonus: 10 * second},
		{name: "time added digit by digit", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.stop()
				m.wait(20 * second)
				for range 120 {
					m.add(clock.White, second)
					m.wait(300 * time.Millisecond)
				}
				m.wait(20 * second)
				m.start()
				m.moves(5, 6*second)
			}, want: "changed:w"},
		{name: "time added, and a press at once after", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.stop()
				m.wait(20 * second)
				m.add(clock.Black, 2*minute)
				m.wait(20 * second)
				m.start()
				m.wait(300 * time.Millisecond)
				m.press()
				m.moves(5, 6*second)
			}, want: "changed:b"},
		{name: "ten seconds taken, the lever moved in the pause", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.stop()
				m.wait(20 * second)
				m.press()
				m.add(clock.White, -10*second)
				m.wait(20 * second)
				m.start()
				m.moves(5, 6*second)
			}, want: "changed:w"},
		{name: "every seventh report lost, in blitz", promised: "180+2", set: "180+2",
			play: func(m *machine) { m.start(); m.lose = toggled(7); m.moves(30, 1100*time.Millisecond) }, want: ""},
		{name: "every third report lost", promised: "900+10", set: "900+10",
			play: func(m *machine) { m.start(); m.lose = toggled(3); m.moves(20, 4300*time.Millisecond) }, want: ""},
		{name: "the first reading after an outage is bent", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.check.Outage(m.at, false)
				m.lose = func() bool { return true }
				m.moves(3, 6*second)
				m.lose = nil
				m.check.Outage(m.at, true)
				m.bend = func(r *clock.Reading) { r.White += 10 * minute }
				m.moves(5, 6*second)
			}, want: ""},
		{name: "the first reading of all is bent", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.check.NewGame(m.at)
				m.bend = func(r *clock.Reading) { r.White += 2 * second }
				m.start()
				m.moves(5, 6*second)
			}, want: ""},
		{name: "one report says that there is no clock", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(2, 6*second)
				m.bend = func(r *clock.Reading) { *r = clock.Reading{} }
				m.moves(2, 6*second)
			}, want: ""},
		{name: "one report says that the battery is low", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(2, 6*second)
				m.bend = func(r *clock.Reading) { r.BatteryLow = true }
				m.moves(2, 6*second)
			}, want: ""},
		{name: "an hourglass is not checked by faces", promised: "*300", set: "300",
			play: func(m *machine) {
				m.start()
				for range 20 {
					m.wait(second)
					m.add(m.toMove.Other(), second)
				}
				m.press()
				m.add(clock.White, 20*second)
			}, want: ""},
		{name: "a flag, and time given for it", promised: "60", set: "60",
			play: func(m *machine) {
				m.start()
				m.wait(62 * second)
				m.add(clock.White, 2*minute)
				m.wait(20 * second)
				m.start()
				m.wait(5 * second)
			}, want: "flag:w changed:w -flag:w"},
		{name: "the clock runs on into the next game", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.check.Result(m.at)
				m.wait(50 * second)
				m.check.NewGame(m.at)
				m.wait(20 * second)
				m.stop()
				m.wait(10 * minute)
				m.add(clock.White, 910*second-m.left[clock.White])
				m.add(clock.Black, 910*second-m.left[clock.Black])
				m.toMove = clock.White
				m.report()
				m.wait(2 * minute)
				m.start()
				m.moves(5, 6*second)
			}, want: ""},
		{name: "the clock shows the last game until the next", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.stop()
				m.check.Result(m.at)
				m.check.NewGame(m.at)
				m.wait(20 * minute)
			}, want: ""},
		{name: "the clock is started with the times of the last game", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(5, 6*second)
				m.stop()
				m.check.Result(m.at)
				m.check.NewGame(m.at)
				m.wait(20 * minute)
				m.start()
				m.wait(3 * second)
			}, want: "mismatch_time_control"},
		{name: "carried away after the result, and missing in the next game", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(2, 6*second)
				m.stop()
				m.check.Result(m.at)
				m.check.Reading(m.at, clock.Reading{})
				m.wait(5 * minute)
				m.take()
				if len(m.found) > 0 {
					m.found = append(m.found, clock.Finding{Code: "told before the next game"})
				}
				m.check.NewGame(m.at)
				m.wait(10 * second)
			}, want: "none"},
		{name: "the control is told after the start", promised: "300", set: "180+2",
			play: func(m *machine) {
				m.start()
				m.moves(1, 3*second)
				m.check.Promise(m.at, mustParse("180+2"))
				m.moves(5, 3*second)
			}, want: "mismatch_time_control -mismatch_time_control", kind: clock.Fischer, bonus: 2 * second},
		{name: "the lever is moved on a clock that stands, and the game goes on", promised: "900+10", set: "900+10",
			play: func(m *machine) {
				m.start()
				m.moves(2, 6*second)
				m.stop()
				m.wait(5 * second)
				m.check.Moved(m.at)
				m.press()
				m.wait(5 * second)
				m.press()
				m.wait(5 * second)
			}, want: "stopped"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(mustParse(tt.promised), *mustParse(tt.set))
			m.wait(5 * second)
			tt.play(m)
			m.wait(second)
			m.want(t, tt.want)
			got := m.check.Measured(clock.White)
			if tt.kind != clock.None && (got.Kind != tt.kind || tt.bonus > 0 && got.Bonus != tt.bonus) {
				t.Errorf("measured %v, want %v %v", got, tt.kind, tt.bonus)
			}
		})
	}
}

func mustParse(text string) *clock.Control {
	p, err := clock.Parse(text, clock.Canonical)
	if err != nil {
		panic(err)
	}
	return &p.Control
}
