package venue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
)

// standing is how a clock may stand at a board.
type standing struct {
	white   dgt.Side
	turned  bool // the board's connector is on White's right
	version dgt.ClockVersion
}

func (s standing) String() string {
	board := "board as usual"
	if s.turned {
		board = "board turned"
	}
	return fmt.Sprintf("%v, white %v, %s", s.version, s.white, board)
}

var standings = []standing{
	{dgt.Left, false, emulator.Clock3000},
	{dgt.Right, true, emulator.ClockXL},
	{dgt.Left, true, emulator.ClockXL},
	{dgt.Right, false, emulator.Clock3000},
}

// Each control of the four model regulations is set, started, switched by the lever,
// incremented and flagged on the emulated clock: White on either side, on a board as
// usual and turned round, on both models. The device is right at every press, and the
// record has each player's time right after his press.
func TestRegulationsRunOnRemoteClocks(t *testing.T) {
	controls := []string{"7200+30", "5400+30", "1500+10", "900+10", "300+2", "W240+10-B300+10", "W300-B240", "W450+10-B900+10"}
	if testing.Short() {
		controls = controls[4:6]
	}
	const plies = 40
	for i, control := range controls {
		for j, s := range standings {
			t.Run(fmt.Sprintf("%s/%v", control, s), func(t *testing.T) {
				t.Parallel()
				seed := uint64(i*len(standings) + j)
				k := newClockTable(t, control, emulator.Config{
					Seed: seed, Lag: ptr(steady(seed)), Turned: s.turned, Manner: emulator.Blitz,
					Clock: emulator.ClockSetting{Version: s.version},
				}, s.white)
				k.start()
				g := longGame(t, seed, plies)
				rng := rand.New(rand.NewPCG(1, seed))
				var after [plies]time.Duration
				for n := 1; n <= plies; n++ {
					mover := k.exact.toMove
					if off := k.play(g, n, time.Duration(rng.ExpFloat64()*float64(3*time.Second))); off.Abs() >= time.Second {
						t.Fatalf("ply %d: the clock is %v off", n, off)
					}
					after[n-1] = k.exact.left[mover]
				}
				k.pass(3 * time.Second)
				recorded(t, k.table.Game(), g, after[:])
				if len(k.alerts) > 0 {
					t.Errorf("alerts without a cause: %+v", k.alerts)
				}
				k.flag()
			})
		}
	}
}

// recorded compares a record with the game that was played and the times after each
// press. The record has them as clocks show them, rounded up, and White's first move
// from when the clock's start was seen.
func recorded(t *testing.T, record, played *rules.Game, after []time.Duration) {
	t.Helper()
	const blur = 500 * time.Millisecond
	if record.Len() != played.Len() {
		t.Errorf("the record has %d plies, want %d", record.Len(), played.Len())
		return
	}
	for n, p := range record.Plies() {
		if want := played.Ply(n + 1); p.Move != want.Move {
			t.Errorf("ply %d: recorded %s, want %s", n+1, p.SAN, want.SAN)
		} else if off := p.Clock - after[n]; !p.HasClock || off < -blur || off > time.Second+blur/5 {
			t.Errorf("ply %d: recorded with the clock at %v (%t), want %v", n+1, p.Clock, p.HasClock, after[n])
		}
	}
}

// flag lets the player to move overstep his time, of which the arbiter leaves not much,
// and expects one alert and a clock that stands at zero.
func (k *clockTable) flag() {
	k.t.Helper()
	mover := k.exact.toMove
	k.order("set-times 1:10 1:20")
	k.exact.set(k.now, 70*time.Second, 80*time.Second)
	k.pass(20 * time.Second)
	if off := k.off(mover); off.Abs() >= time.Second {
		k.t.Errorf("the clock is %v off after the arbiter's order", off)
	}
	left, _ := k.exact.at(k.now, mover)
	k.pass(left + 3*time.Second)
	s, other := k.board.ClockState(), mover.Other()
	if s.Time(k.side(mover)) != 0 || s.LeftCounts || s.RightCounts {
		k.t.Errorf("expected the clock to stand at zero, got %+v", s)
	}
	if got, want := s.Time(k.side(other)), k.exact.left[other]; got != want {
		k.t.Errorf("the other clock has %v, want %v", got, want)
	}
	if got := k.codes(); !slices.Equal(got, []string{"clock.flag"}) || k.alerts[0].Detail != mover.String()[:1] {
		k.t.Errorf("alerts %+v, want the fall of %v's flag", k.alerts, mover)
	}
}

// A fault that lasts is told once, and once that it is over; one that the next try
// overcomes is not told at all.
func TestLastingClockFaultsAreToldOnce(t *testing.T) {
	faults := func(f emulator.Faults) func(*emulator.Board) { return func(b *emulator.Board) { b.SetFaults(f) } }
	fail := func(r dgt.AckResult, n int) func(*emulator.Board) {
		return func(b *emulator.Board) { b.FailNext(dgt.OpSetAndRun, r, n) }
	}
	for _, tt := range []struct {
		name         string
		break_, mend func(*emulator.Board)
		want         []string
	}{
		{"battery", func(b *emulator.Board) { b.SetClockBattery(true) }, func(b *emulator.Board) { b.SetClockBattery(false) },
			[]string{"clock.battery_low", "-clock.battery_low"}},
		{"deaf clock", faults(emulator.Faults{LoseCommand: 1}), faults(emulator.Faults{}), []string{"clock.set_failed", "-clock.set_failed"}},
		{"busy clock", faults(emulator.Faults{Busy: 1}), faults(emulator.Faults{}), []string{"clock.set_failed", "-clock.set_failed"}},
		{"errors for good", fail(0x30, 1000), fail(0x30, 0), []string{"clock.set_failed", "-clock.set_failed"}},
		{"option changed by hand", func(b *emulator.Board) { b.SetRemote(false) }, nil, []string{"clock.refused"}},
		{"no acknowledges", faults(emulator.Faults{LoseAck: 1}), faults(emulator.Faults{}), nil},
		{"one error", fail(0x30, 1), nil, nil},
		{"two busy", fail(dgt.AckBusy, 2), nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newClockTable(t, "900+10", emulator.Config{Seed: 5, Lag: ptr(steady(5))}, dgt.Left)
			k.start()
			for range 4 {
				k.press(5 * time.Second)
			}
			tt.break_(k.board)
			for range 6 {
				k.press(12 * time.Second)
			}
			if tt.mend != nil {
				tt.mend(k.board)
				for range 4 {
					k.press(12 * time.Second)
				}
			}
			if got := k.codes(); !slices.Equal(got, tt.want) {
				t.Errorf("alerts %q, want %q: %+v", got, tt.want, k.alerts)
			}
			if over := len(tt.want) != 1; over {
				for range 2 {
					if off := k.press(5 * time.Second); off.Abs() >= time.Second {
						t.Errorf("the clock is %v off afterwards", off)
					}
				}
			}
		})
	}
}

// A clock whose plug was out has lost its times. It gets those at which it went, stands
// until the arbiter has it go on, and is right from then on.
func TestClockThatWasAway(t *testing.T) {
	k := newClockTable(t, "900+10", emulator.Config{Seed: 6, Lag: ptr(steady(6))}, dgt.Right)
	k.start()
	for range 5 {
		k.press(6 * time.Second)
	}
	k.pass(4 * time.Second)
	k.board.PlugClock(false)
	k.exact.stop(k.now)
	k.pass(20 * time.Second)
	k.board.PlugClock(true)
	k.pass(5 * time.Second)
	for _, p := range clock.Players {
		if off := k.off(p); off.Abs() >= time.Second {
			t.Errorf("%v's clock was set %v off", p, off)
		}
	}
	if s := k.board.ClockState(); s.LeftCounts || s.RightCounts {
		t.Errorf("expected the clock to stand, got %+v", s)
	}
	k.order("resume")
	k.exact.start(k.now)
	for range 4 {
		if off := k.press(6 * time.Second); off.Abs() >= time.Second {
			t.Errorf("the clock is %v off afterwards", off)
		}
	}
	if got, want := k.codes(), []string{"clock.none", "-clock.none", "clock.changed"}; !slices.Equal(got, want) {
		t.Errorf("alerts %q, want %q: %+v", got, want, k.alerts)
	}
}
