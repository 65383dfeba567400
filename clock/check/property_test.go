package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/clock"
)

// anyControl makes up a control: all kinds that are checked, one or two periods, unequal
// sides.
func anyControl(rng *rand.Rand) string {
	bonus := func() string {
		b := 1 + rng.IntN(30)
		return [...]string{"", fmt.Sprintf("+%d", b), fmt.Sprintf("+%d", b), fmt.Sprintf("+%db", b), fmt.Sprintf("+%dd", b)}[rng.IntN(5)]
	}
	base := func() int { return 60 * (2 + rng.IntN(30)) }
	b := bonus()
	switch rng.IntN(4) {
	case 0:
		return fmt.Sprintf("%d/%d%s:%d%s", 5+rng.IntN(20), base(), b, base(), b)
	case 1:
		white := base()
		return fmt.Sprintf("W%d%s-B%d%s", white, b, white+60, b)
	}
	return fmt.Sprint(base()) + b
}

// bent is a reading with one bit of the line turned over.
func bent(rng *rand.Rand) func(*clock.Reading) {
	bit := time.Duration(1+rng.IntN(9)) * [...]time.Duration{time.Second, 10 * time.Second, time.Minute, 10 * time.Minute}[rng.IntN(4)]
	which := rng.IntN(6)
	return func(r *clock.Reading) {
		switch which {
		case 0:
			r.White = max(0, r.White+bit)
		case 1:
			r.White = max(0, r.White-bit)
		case 2:
			r.Black = max(0, r.Black+bit)
		case 3:
			r.Black = max(0, r.Black-bit)
		case 4:
			r.Running = !r.Running
		case 5:
			r.BatteryLow = !r.BatteryLow
		}
	}
}

// playSome plays moves on a clock that is set as people set one, until a time gets short.
func (m *machine) playSome(rng *rand.Rand, moves int, disturbed bool) {
	for range 2 * moves {
		p := m.toMove
		think := time.Duration(rng.IntN(int(m.left[p]/40/time.Millisecond)+3000)) * time.Millisecond
		if m.left[p] < 20*second && m.period[p]+1 == len(m.periods(p)) {
			return
		}
		m.wait(think/10*10 + 10*time.Millisecond)
		if disturbed && rng.IntN(40) == 0 {
			m.bend = bent(rng)
		}
		m.press()
		if disturbed && rng.IntN(40) == 0 {
			m.wait(second)
			m.stop()
			m.wait(time.Duration(rng.IntN(60)) * second)
			m.start()
			m.wait(2 * second) // a bit turned over in the start itself is another story
		}
	}
}

// Whatever a clock is set to, it raises nothing while it runs as it is promised, with
// reports late, lost and bent.
func TestAnyHonestClockRaisesNothing(t *testing.T) {
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 64))
		text := anyControl(rng)
		control := mustParse(text)
		m := newMachine(control, *control)
		m.byMoves = rng.IntN(2) == 0
		m.lag = func() time.Duration {
			if rng.IntN(30) == 0 {
				return second
			}
			return time.Duration(50+rng.IntN(600)) * time.Millisecond
		}
		m.wait(time.Duration(rng.IntN(200)) * second)
		m.start()
		m.playSome(rng, 2, false)
		m.lose = func() bool { return rng.IntN(150) == 0 }
		m.playSome(rng, 30, true)
		m.lose = nil
		m.take()
		bad := slices.DeleteFunc(slices.Clone(m.found), func(f clock.Finding) bool { return f.Code == "clock.period" })
		if len(bad) > 0 {
			t.Errorf("seed %d, %s: found %q", seed, text, codesOf(m.found))
			for _, f := range bad {
				t.Logf("%v %s: %s", f.At, f.Code, f.Detail)
			}
		}
	}
}

// Each fault raises its own code, once, and nothing else.
func TestEachFaultRaisesItsCodeOnce(t *testing.T) {
	faults := []struct {
		name, want string
		promise    func(rng *rand.Rand) (promised, set string)
		do         func(m *machine, rng *rand.Rand)
	}{
		{"another base", "mismatch_time_control", func(rng *rand.Rand) (string, string) {
			b := 300 + 60*rng.IntN(90)
			return fmt.Sprintf("%d+10", b), fmt.Sprintf("%d+10", b+60*(1+rng.IntN(30)))
		}, nil},
		{"no increment", "no_increment", func(rng *rand.Rand) (string, string) {
			i := 2 + rng.IntN(40)
			return fmt.Sprintf("1200+%d", i), fmt.Sprint(1200)
		}, nil},
		{"another increment", "mismatch_time_control", func(rng *rand.Rand) (string, string) {
			i := 3 + rng.IntN(20)
			return fmt.Sprintf("1200+%d", i), fmt.Sprintf("%d+%d", 1200-i, 2*i)
		}, nil},
		{"exchanged sides", "side_swapped", func(rng *rand.Rand) (string, string) {
			a := 300 + 60*rng.IntN(20)
			return fmt.Sprintf("W%d+3-B%d+3", a, a+60), fmt.Sprintf("W%d+3-B%d+3", a+60, a)
		}, nil},
		{"time added", "changed:b", nil, func(m *machine, rng *rand.Rand) {
			m.stop()
			m.wait(20 * second)
			m.add(clock.Black, time.Duration(1+rng.IntN(300))*second)
			m.wait(9 * second)
			m.start()
		}},
		{"time taken", "changed:w", nil, func(m *machine, rng *rand.Rand) {
			m.stop()
			m.wait(20 * second)
			m.add(clock.White, -time.Duration(4+rng.IntN(60))*second)
			m.wait(9 * second)
			m.start()
		}},
		{"changed while it runs", "changed:w", nil, func(m *machine, rng *rand.Rand) { m.add(clock.White, -time.Duration(10+rng.IntN(60))*second) }},
		{"low battery", "battery_low", nil, func(m *machine, _ *rand.Rand) { m.battery = true }},
		{"unplugged", "none", nil, func(m *machine, _ *rand.Rand) {
			m.lose = func() bool { return true }
			m.check.Reading(m.at+second, clock.Reading{})
		}},
		{"stands while moves are made", "stopped", nil, func(m *machine, _ *rand.Rand) {
			m.wait(second)
			m.stop()
			for range 5 {
				m.wait(5 * second)
				m.check.Moved(m.at)
			}
		}},
	}
	for _, f := range faults {
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 5))
			promised, set := "1500+10", "1500+10"
			if f.promise != nil {
				promised, set = f.promise(rng)
			}
			m := newMachine(mustParse(promised), *mustParse(set))
			m.lag = func() time.Duration { return time.Duration(50+rng.IntN(600)) * time.Millisecond }
			m.wait(30 * second)
			m.start()
			m.playSome(rng, 4, false)
			if f.do != nil {
				m.wait(2 * second)
				f.do(m, rng)
			}
			m.wait(6 * second)
			m.playSome(rng, 12, false)
			m.take()
			if got := codesOf(m.found); got != f.want {
				t.Errorf("%s, seed %d, %s set to %s: found %q, want %q", f.name, seed, promised, set, got, f.want)
				t.Log(strings.ReplaceAll(fmt.Sprintf("%+v", m.found), "} {", "}\n{"))
			}
		}
	}
}
