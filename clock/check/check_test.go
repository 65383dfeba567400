package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/check"
)

// device is a clock that somebody has set by hand: it tells each second it shows.
type device struct {
	t     *testing.T
	check *check.Checker
	r     clock.Reading
	at    time.Duration
	found []clock.Finding
}

func newDevice(t *testing.T, control string, white, black int) *device {
	t.Helper()
	var c *clock.Control
	if control != "" {
		parsed := parse(t, control)
		c = &parsed
	}
	d := &device{t: t, check: check.New(c)}
	d.r = clock.Reading{White: time.Duration(white) * time.Second, Black: time.Duration(black) * time.Second, Connected: true}
	d.say()
	return d
}

func (d *device) say() {
	d.check.Reading(d.at, d.r)
	d.found = append(d.found, d.check.Take()...)
}

// wait lets seconds pass.
func (d *device) wait(seconds int) {
	for range seconds {
		d.at += time.Second
		if d.r.Running {
			f := d.face(d.r.ToMove)
			if *f -= time.Second; *f <= 0 {
				*f, d.r.Running = 0, false
				if d.r.ToMove == clock.White {
					d.r.WhiteFlag = true
				} else {
					d.r.BlackFlag = true
				}
			}
			d.say()
			continue
		}
		d.check.Advance(d.at)
		d.found = append(d.found, d.check.Take()...)
	}
}

func (d *device) face(p clock.Player) *time.Duration {
	if p == clock.White {
		return &d.r.White
	}
	return &d.r.Black
}

// run starts or stops the clock.
func (d *device) run(on bool) { d.r.Running = on; d.say() }

// press ends a move; gain is what the clock gives for it, in seconds.
func (d *device) press(gain int) {
	*d.face(d.r.ToMove) += time.Duration(gain) * time.Second
	d.r.ToMove = d.r.ToMove.Other()
	d.say()
}

// set changes a face by hand.
func (d *device) set(p clock.Player, seconds int) {
	*d.face(p) = time.Duration(seconds) * time.Second
	d.say()
}

func (d *device) codes() string {
	var list []string
	for _, f := range d.found {
		code := strings.TrimPrefix(f.Code, "clock.")
		if f.HasPlayer {
			code += ":" + f.Player.String()[:1]
		}
		if f.Cleared {
			code = "-" + code
		}
		list = append(list, code)
	}
	return strings.Join(list, " ")
}

// moves are n moves of each player, who think so many seconds.
func (d *device) moves(n, think, gain int) {
	for range 2 * n {
		d.wait(think)
		d.press(gain)
	}
}

func TestFindings(t *testing.T) {
	for _, tt := range []struct {
		name, control string
		white, black  int // what is set by hand, in seconds
		play          func(d *device)
		want          string
	}{
		{"set right, with the first increment", "5400+30", 5430, 5430, func(d *device) { d.run(true); d.moves(6, 20, 30) }, ""},
		{"set right, without it", "5400+30", 5400, 5400, func(d *device) { d.run(true); d.moves(6, 20, 30) }, ""},
		{"set wrong, at the start", "5400+30", 3630, 3630, func(d *device) { d.run(true); d.wait(3) }, "mismatch_time_control"},
		{"set wrong, long before", "5400+30", 3630, 3630, func(d *device) { d.wait(70) }, "mismatch_time_control"},
		{"set wrong, and mended", "5400+30", 3630, 3630, func(d *device) { d.wait(70); d.set(clock.White, 5430); d.set(clock.Black, 5430); d.wait(70) },
			"mismatch_time_control -mismatch_time_control"},
		{"hours for minutes", "5400+30", 90, 90, func(d *device) { d.run(true); d.wait(2) }, "mismatch_time_control"},
		{"sides exchanged", "W300-B240", 240, 300, func(d *device) { d.run(true); d.wait(2) }, "side_swapped"},
		{"no increment", "900+10", 910, 910, func(d *device) { d.run(true); d.moves(4, 5, 0) }, "no_increment"},
		{"another increment", "900+10", 910, 910, func(d *device) { d.run(true); d.moves(5, 5, 5) }, "mismatch_time_control"},
		{"increment where none is promised", "300", 300, 300, func(d *device) { d.run(true); d.moves(5, 5, 3) }, "mismatch_time_control"},
		{"one odd press", "900+10", 910, 910, func(d *device) { d.run(true); d.moves(3, 5, 10); d.wait(5); d.press(0); d.moves(3, 5, 10) }, ""},
		{"increment from move 41 on", "600+10@41", 600, 600, func(d *device) { d.run(true); d.moves(10, 3, 0) }, ""},
		{"delay", "300+5d", 300, 300, func(d *device) {
			d.run(true)
			for range 8 {
				d.at += 5 * time.Second // stands still
				d.wait(3)
				d.press(0)
			}
		}, ""},
		{"no delay where one is promised", "300+5d", 300, 300, func(d *device) { d.run(true); d.moves(6, 8, 0) }, "no_increment"},
		{"Bronstein", "300+5b", 300, 300, func(d *device) { d.run(true); d.moves(6, 3, 3); d.moves(6, 8, 5) }, ""},
		{"Fischer for Bronstein", "300+5b", 300, 300, func(d *device) { d.run(true); d.moves(6, 1, 5) }, "mismatch_time_control"},
		{"time added in a pause", "900+10", 910, 910, func(d *device) {
			d.run(true)
			d.moves(3, 5, 10)
			d.run(false)
			d.wait(30)
			d.set(clock.Black, 1030)
			d.wait(10)
			d.run(true)
			d.moves(3, 5, 10)
		}, "changed:b"},
		{"pause without a change", "900+10", 910, 910, func(d *device) {
			d.run(true)
			d.moves(3, 5, 10)
			d.run(false)
			d.wait(90)
			d.run(true)
			d.moves(3, 5, 10)
		}, ""},
		{"a wrong face for a moment", "900+10", 910, 910, func(d *device) {
			d.run(true)
			d.moves(3, 5, 10)
			good := d.r
			d.r.White -= 40 * time.Minute
			d.say()
			d.r = good
			d.moves(3, 5, 10)
		}, ""},
		{"period at zero, for both", "60:1800+5", 60, 60, func(d *device) {
			d.run(true)
			d.wait(59)
			d.r.White, d.r.Black = 1799*time.Second, 1860*time.Second
			d.at += time.Second
			d.say()
			d.wait(5)
		}, "period"},
		{"period by moves, for one", "3/600:300", 600, 600, func(d *device) {
			d.run(true)
			d.moves(2, 5, 0)
			d.wait(5)
			d.press(300)
			d.wait(5)
			d.press(300)
			d.moves(3, 5, 0)
		},
			"period:w period:b"},
		{"flag", "300", 300, 300, func(d *device) { d.run(true); d.wait(10); d.press(0); d.wait(300); d.wait(5) }, "flag:b"},
		{"flag without a control", "", 300, 300, func(d *device) { d.run(true); d.wait(310) }, "flag:w"},
		{"the wrong face counts", "300", 300, 300, func(d *device) {
			d.run(true)
			for range 5 {
				d.at += time.Second
				d.r.Black -= time.Second
				d.say()
			}
		}, "side_swapped"},
		{"battery", "300", 300, 300, func(d *device) { d.r.BatteryLow = true; d.run(true); d.wait(10); d.r.BatteryLow = false; d.wait(10) }, "battery_low -battery_low"},
		{"no clock, and one again", "300", 300, 300, func(d *device) {
			d.r.Connected = false
			d.say()
			d.wait(5)
			d.r.Connected = true
			d.say()
			d.run(true)
			d.wait(5)
		}, "none -none"},
		{"stopped while the game goes on", "300", 300, 300, func(d *device) {
			d.run(true)
			d.moves(2, 5, 0)
			d.run(false)
			for range 4 {
				d.wait(5)
				d.check.Moved(d.at)
			}
			d.run(true)
			d.wait(2)
		}, "stopped -stopped"},
		{"moves on a clock that runs", "300", 300, 300, func(d *device) { d.run(true); d.check.Moved(d.at); d.check.Moved(d.at); d.wait(2) }, ""},
		{"outage", "900+10", 910, 910, func(d *device) {
			d.run(true)
			d.moves(3, 5, 10)
			d.check.Outage(d.at, false)
			d.at += 40 * time.Second
			d.r.White -= 20 * time.Second
			d.r.Black += 7 * time.Second
			d.check.Outage(d.at, true)
			d.say()
			d.moves(3, 5, 10)
		}, ""},
		{"long silence", "900+10", 910, 910, func(d *device) {
			d.run(true)
			d.moves(3, 5, 10)
			d.at += 9 * time.Second
			d.r.White, d.r.Black = d.r.White+6*time.Second, d.r.Black+5*time.Second
			d.say()
			d.moves(3, 5, 10)
		}, ""},
		{"after the result", "900+10", 910, 910, func(d *device) {
			d.run(true)
			d.moves(2, 5, 10)
			d.check.Result(d.at)
			d.run(false)
			d.set(clock.White, 300)
			d.wait(90)
			d.run(true)
			d.wait(5)
		}, ""},
		{"taken up in its middle", "900+10", 500, 620, func(d *device) { d.check.Given(10, 10); d.run(true); d.moves(4, 5, 10) }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDevice(t, tt.control, tt.white, tt.black)
			tt.play(d)
			if got := d.codes(); got != tt.want {
				t.Errorf("found %q, want %q: %+v", got, tt.want, d.found)
			}
		})
	}
}

func TestWordsOfAMismatch(t *testing.T) {
	d := newDevice(t, "W240+10-B300+10", 300, 300)
	d.run(true)
	d.wait(2)
	const want = "expected White 0:04:10 (or 0:04:00), Black 0:05:10 (or 0:05:00), the clock shows White 0:05:00, Black 0:05:00"
	if len(d.found) != 1 || d.found[0].Detail != want {
		t.Errorf("%+v\nwant %q", d.found, want)
	}
}

// A clock that runs as it is set raises nothing, whatever is played on it.
func TestHonestClocksRaiseNothing(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		base, inc := 120+rng.IntN(7000), rng.IntN(40)
		text := fmt.Sprint(base)
		if inc > 0 {
			text = fmt.Sprintf("%d+%d", base, inc)
		}
		d := newDevice(t, text, base+inc, base+inc)
		d.wait(rng.IntN(100))
		d.run(true)
		for range 60 {
			think := rng.IntN(base/40 + 2)
			if *d.face(d.r.ToMove) < time.Duration(think+5)*time.Second {
				break
			}
			d.wait(think)
			d.press(inc)
			if rng.IntN(30) == 0 {
				d.run(false)
				d.wait(rng.IntN(100))
				d.run(true)
			}
		}
		if got := d.codes(); got != "" {
			t.Errorf("%s: found %q: %+v", text, got, d.found)
		}
	}
}

// Whatever a clock says, nothing breaks, and nobody is flooded.
func FuzzChecker(f *testing.F) {
	f.Add([]byte{0, 10, 1, 20, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{255, 254, 0, 0, 17, 3, 99, 12, 200, 1, 1, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		controls := []string{"", "300", "900+10", "W240+10-B300+10", "40/5400+30:1800+30", "60:30+1", "300+5d", "300+5b", "*60", "-"}
		var c *clock.Control
		if len(script) > 0 {
			if text := controls[int(script[0])%len(controls)]; text != "" {
				parsed := parse(t, text)
				c = &parsed
			}
		}
		k := check.New(c)
		at, readings := time.Duration(0), 0
		var found []clock.Finding
		for i := 0; i+3 < len(script); i += 4 {
			a, b := script[i+1], script[i+2]
			at += time.Duration(script[i+3]) * 100 * time.Millisecond
			switch script[i] % 8 {
			case 0:
				k.Advance(at)
			case 1:
				k.Outage(at, a%2 == 0)
			case 2:
				k.NewGame(at)
			case 3:
				k.Moved(at)
			case 4:
				k.Given(int(a), int(b))
			default:
				readings++
				k.Reading(at, clock.Reading{White: time.Duration(a) * 7 * time.Second, Black: time.Duration(b) * 7 * time.Second, Running: a%2 == 0,
					ToMove: clock.Player(b % 2), Connected: a%16 != 1, BatteryLow: b%8 == 1, WhiteFlag: a == 0, BlackFlag: b == 0})
			}
			found = append(found, k.Take()...)
		}
		if len(found) > 4*len(script)+8 {
			t.Errorf("%d findings of %d readings", len(found), readings)
		}
		if slices.ContainsFunc(found, func(f clock.Finding) bool { return f.Code == "" || f.Detail == "" }) {
			t.Errorf("a finding without words: %+v", found)
		}
	})
}
