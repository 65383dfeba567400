package emulator

import (
	"fmt"
	"testing"
	"time"

	"boardd/dgt"
)

// faces tells both displays: times, "f" for a fallen flag that blocks, "s" for a
// flag shown, "+" for the sign of an increment, and then the counting side.
func faces(b *Board) string {
	c, s := b.Clock(), b.ClockState()
	face := func(f dgt.ClockFace) string {
		text := fmt.Sprint(f.Time)
		if f.Increment {
			text += "+"
		}
		if f.Flag {
			text += "f"
		}
		if f.FlagShown {
			text += "s"
		}
		return text
	}
	counting := "stands"
	switch {
	case s.LeftCounts:
		counting = "left"
	case s.RightCounts:
		counting = "right"
	}
	if c.Running != (counting != "stands") {
		counting += "?"
	}
	return face(c.Left) + " " + face(c.Right) + " " + counting
}

func TestProgrammes(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	same := func(p ...Period) Programme { return Programme{Left: p, Right: p} }
	type step struct {
		do   string // an order, or "" for none
		then time.Duration
		want string
	}
	cases := []struct {
		name  string
		p     Programme
		steps []step
	}{
		{"plain", same(Period{Base: 5 * m}), []step{
			{"", 0, "5m0s 5m0s stands"},
			{"button run", 10 * s, "4m50s 5m0s left"},
			{"press", 4 * s, "4m50s 4m56s right"},
			{"button run", 4 * s, "4m50s 4m56s stands"},
		}},
		{"fischer, unequal sides", Programme{
			Left:  []Period{{Base: 4 * m, Kind: FischerBonus, Bonus: 10 * s}},
			Right: []Period{{Base: 5 * m, Kind: FischerBonus, Bonus: 5 * s}},
		}, []step{
			{"", 0, "4m10s+ 5m5s+ stands"},
			{"button run", 10 * s, "4m0s+ 5m5s+ left"},
			{"press", 5 * s, "4m10s+ 5m0s+ right"},
			{"press", 0, "4m10s+ 5m5s+ left"},
		}},
		{"us delay", same(Period{Base: m, Kind: USDelay, Bonus: 5 * s}), []step{
			{"button run", 5 * s, "1m0s 1m0s left"},
			{"", s, "59s 1m0s left"},
			{"press", 3 * s, "59s 1m0s right"},
			{"button run", 9 * s, "59s 1m0s stands"},
			{"button run", 3 * s, "59s 59s right"}, // the pause was no part of the delay
			{"press", 5 * s, "59s 59s left"},
			{"", 59 * s, "0sf 59s stands"},
		}},
		{"bronstein", same(Period{Base: m, Kind: BronsteinDelay, Bonus: 5 * s}), []step{
			{"", 0, "1m5s+ 1m5s+ stands"},
			{"button run", 3 * s, "1m2s+ 1m5s+ left"},
			{"press", 8 * s, "1m5s+ 57s+ right"},
			{"press", 2 * s, "1m3s+ 1m2s+ left"},
		}},
		{"next period by moves, for one side", same(
			Period{Moves: 2, Base: h, Kind: FischerBonus, Bonus: 30 * s},
			Period{Base: 30 * m, Kind: FischerBonus, Bonus: 10 * s},
		), []step{
			{"button run", 0, "1h0m30s+ 1h0m30s+ left"},
			{"press", 0, "1h1m0s+ 1h0m30s+ right"},
			{"press", 0, "1h1m0s+ 1h1m0s+ left"},
			{"press", 0, "1h31m10s+s 1h1m0s+ right"},
			{"", 0, "1h31m10s+s 1h1m0s+ right"},
			{"", 5*m - s, "1h31m10s+s 56m1s+ right"},
			{"", s, "1h31m10s+ 56m0s+ right"},
			{"press", 0, "1h31m10s+ 1h26m10s+s left"},
			{"press", 0, "1h31m20s+ 1h26m10s+s right"},
		}},
		{"last period by moves begins again", same(Period{Moves: 1, Base: m}), []step{
			{"button run", 10 * s, "50s 1m0s left"},
			{"press", 10 * s, "1m50ss 50s right"},
			{"press", 10 * s, "1m40ss 1m50ss left"},
			{"press", 0, "2m40ss 1m50ss right"},
		}},
		{"moves not done in time", same(Period{Moves: 40, Base: m}, Period{Base: h}), []step{
			{"button run", m, "0sf 1m0s stands"},
		}},
		{"next period at zero, for both", same(
			Period{Base: m}, Period{Base: 30 * m, Kind: FischerBonus, Bonus: 10 * s},
		), []step{
			{"button run", 10 * s, "50s 1m0s left"},
			{"press", m, "30m50s+ 30m0s+s right"},
			{"press", 5*m - s, "25m51s+ 30m10s+s left"},
			{"", s, "25m50s+ 30m10s+ left"},
			{"", 25*m + 50*s, "0s+f 30m10s+ stands"},
			{"button run", m, "0s+f 30m10s+ stands"},
		}},
		{"three periods at zero, the other side has two", Programme{
			Left:  []Period{{Base: m}, {Base: m}, {Base: m}},
			Right: []Period{{Base: m}, {Base: m}},
		}, []step{
			{"button run", m, "1m0ss 2m0s left"},
			{"", m, "1m0ss 2m0s left"},
			{"", m, "0sfs 2m0s stands"},
		}},
		{"the other side runs on", Programme{Left: []Period{{Base: m}}, Right: []Period{{Base: 2 * m}}, TimeRunsOn: true}, []step{
			{"button run", m, "0ss 2m0s left"},
			{"", m, "0ss 2m0s left"},
			{"press", m, "0ss 1m0s right"},
			{"press", 0, "0ss 1m0s left"},
			{"button run", 0, "0sf 1m0s stands"},
			{"button run", 0, "0ss 1m0s left"},
			{"press", m, "0sf 0s stands"}, // only the first flag is shown
			{"button run", 0, "0sf 0s stands"},
		}},
		{"no further increment after a flag", Programme{
			Left: []Period{{Base: m, Kind: FischerBonus, Bonus: s}}, Right: []Period{{Base: m}}, TimeRunsOn: true,
		}, []step{
			{"button run", 61 * s, "0s+s 1m0s left"},
			{"press", 0, "0s+s 1m0s right"},
		}},
		{"the lever moved while it stood", same(Period{Base: m, Kind: FischerBonus, Bonus: 2 * s}), []step{
			{"press left", 0, "1m2s+ 1m2s+ stands"},
			{"button run", s, "1m2s+ 1m1s+ right"},
		}},
		{"never above 9:59:59", same(Period{Moves: 1, Base: 9*h + 59*m}), []step{
			{"button run", m, "9h58m0s 9h59m0s left"},
			{"press", 0, "9h59m59ss 9h59m0s right"},
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Clock: ClockSetting{Programme: c.p}})
			for i, s := range c.steps {
				if s.do != "" {
					act(t, s.do)(r.b.Hands())
				}
				r.b.Advance(r.b.Now()+s.then, nil)
				if got := faces(r.b); got != s.want {
					t.Fatalf("step %d (%s, %v): expected %s, got %s", i+1, s.do, s.then, s.want, got)
				}
			}
		})
	}
}

func TestPeriodFlagOnTheWire(t *testing.T) {
	p := []Period{{Base: 2 * time.Second}, {Base: time.Hour}}
	r := newRig(t, Config{Clock: ClockSetting{Programme: Programme{Left: p, Right: p}}})
	r.send(dgt.UpdateNice())
	r.do(act(t, "button run"))
	r.run(3 * time.Second)
	r.take()
	r.run(2 * time.Second)
	if c := last[*dgt.ClockTime](t, r.take()); !c.Left.FlagShown || c.Left.Flag || c.Right.FlagShown || !c.Running {
		t.Errorf("expected a flag shown on the left of a running clock, got %+v", c)
	}
	r.run(5 * time.Minute)
	if c := last[*dgt.ClockTime](t, r.take()); c.Left.FlagShown {
		t.Errorf("expected the flag gone after five minutes, got %+v", c)
	}
}

// Whatever is played, no time is lost or won: what both sides have is what they
// were given less what has passed.
func TestTimeAddsUp(t *testing.T) {
	const presses = 200
	for seed := range uint64(20) {
		b := New(Config{Seed: seed, Clock: Fischer(time.Hour, 7*time.Second, dgt.Left)})
		h := b.Hands()
		h.StartStop()
		b.Advance(0, nil)
		var passed time.Duration
		for range presses {
			d := time.Duration(h.rng.Int64N(int64(20 * time.Second)))
			b.Advance(b.Now()+d, nil)
			passed += d
			b.Hands().Press()
			b.Advance(b.Now(), nil)
		}
		s := b.ClockState()
		if got, want := s.Left+s.Right, 2*time.Hour+(2+presses)*7*time.Second-passed; got != want {
			t.Errorf("seed %d: expected %v on both together, got %v", seed, want, got)
		}
	}
}
