package plan_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/plan"
)

var goodLine = line{lag: 100 * time.Millisecond, answer: 200 * time.Millisecond}

// off is how far a player's device is from the truth now.
func (r *rig) off(p clock.Player) time.Duration { return r.device.left[p] - r.truth.Face(r.now, p) }

func (r *rig) order(give func(at time.Duration)) {
	give(r.now)
	r.take()
}

// The one command that begins a period at zero is lost: the device blocks at 0:00 and
// shows a flag, which is none, because the reference has the next period.
func TestFlagBeforeAnotherPeriodIsNone(t *testing.T) {
	r := newRig(t, "600:300+3", goodLine, 1)
	r.begin()
	r.pass(9*time.Minute + 50*time.Second)
	r.device.line.deaf = 1
	r.pass(9500 * time.Millisecond)
	r.device.line.deaf = 0
	r.pass(20 * time.Second)
	if got := r.codes(); got != "period" || r.plan.State() != plan.Running {
		t.Errorf("found %q, state %v; want the period alone", got, r.plan.State())
	}
	if off := r.off(clock.White); off.Abs() >= time.Second {
		t.Errorf("White is %v off", off)
	}
}

// A reading with a flag that nothing else bears out is the line's, not the clock's.
func TestFlagAgainstTheReference(t *testing.T) {
	r := newRig(t, "900+10", goodLine, 1)
	r.begin()
	r.pass(30 * time.Second)
	odd := r.device.reading()
	odd.WhiteFlag = true
	r.order(func(at time.Duration) { r.plan.Reading(at, odd) })
	r.pass(10 * time.Second)
	if got := r.codes(); got != "" || r.plan.State() != plan.Running {
		t.Errorf("found %q, state %v", got, r.plan.State())
	}
}

// An arbiter adds time in the very moment of a press: the command that crosses it says
// that the wrong side counts, and no increment is owed that would mend it.
func TestOrderThatCrossesAPress(t *testing.T) {
	for after := time.Duration(0); after <= 400*time.Millisecond; after += 20 * time.Millisecond {
		r := newRig(t, "W300-B240", goodLine, 1)
		r.begin()
		r.press(5 * time.Second)
		r.press(5 * time.Second)
		r.pass(3 * time.Second)
		r.order(func(at time.Duration) { r.plan.Add(at, clock.Black, time.Minute) })
		r.truth.Add(r.now, clock.Black, time.Minute)
		r.device.slow = 150 * time.Millisecond
		r.press(after)
		r.pass(5 * time.Second)
		if got := r.codes(); got != "" {
			t.Errorf("press %v after the order: found %q", after, got)
		}
		for _, p := range clock.Players {
			if off := r.off(p); off.Abs() >= time.Second {
				t.Errorf("press %v after the order: %v is %v off", after, p, off)
			}
		}
	}
}

// A line that was away before the game has nothing to do with its first press.
func TestOutageBeforeTheGame(t *testing.T) {
	r := newRig(t, "300+2", goodLine, 1)
	r.pass(time.Second)
	r.order(r.plan.Setup)
	r.pass(2 * time.Second)
	r.order(func(at time.Duration) { r.plan.Link(at, false) })
	r.pass(time.Second)
	r.order(func(at time.Duration) { r.plan.Link(at, true) })
	r.order(func(at time.Duration) { r.plan.Reading(at, r.device.reading()) })
	r.order(r.plan.Start)
	r.truth.Run(r.now, clock.White)
	r.press(600 * time.Millisecond)
	r.pass(3 * time.Second)
	if got := r.codes(); got != "" || r.plan.Count().Moves(clock.White) != 1 {
		t.Errorf("found %q, %d moves of White", got, r.plan.Count().Moves(clock.White))
	}
	if off := r.off(clock.White); off.Abs() >= time.Second {
		t.Errorf("White is %v off", off)
	}
}

// The line goes while a command is in flight; afterwards the clock is right again.
func TestOutageInFlight(t *testing.T) {
	for _, dead := range []bool{false, true} {
		r := newRig(t, "300+2", goodLine, 1)
		r.begin()
		r.press(5 * time.Second)
		sent := len(r.sent)
		for len(r.sent) == sent {
			r.pass(tick)
		}
		if dead {
			r.device.in = nil // it had not reached the clock
		}
		r.order(func(at time.Duration) { r.plan.Link(at, false) })
		r.pass(40 * time.Millisecond)
		r.device.out = nil
		r.order(func(at time.Duration) { r.plan.Link(at, true) })
		r.order(func(at time.Duration) { r.plan.Reading(at, r.device.reading()) })
		r.pass(5 * time.Second)
		if got := r.codes(); got != "" {
			t.Errorf("lost on the way %t: found %q", dead, got)
		}
		for _, p := range clock.Players {
			if off := r.off(p); off.Abs() >= time.Second {
				t.Errorf("lost on the way %t: %v is %v off", dead, p, off)
			}
		}
	}
}

// After an outage with presses in it the device is believed, and told.
func TestOutageWithPresses(t *testing.T) {
	r := newRig(t, "300+2", goodLine, 1)
	r.begin()
	r.press(5 * time.Second)
	r.press(5 * time.Second)
	r.pass(3 * time.Second)
	r.order(func(at time.Duration) { r.plan.Link(at, false) })
	for range 3 {
		r.now += 10 * time.Second
		r.device.step(r.now)
		r.device.press()
		r.device.out = nil
	}
	before := len(r.sent)
	r.order(func(at time.Duration) { r.plan.Link(at, true) })
	r.order(func(at time.Duration) { r.plan.Reading(at, r.device.reading()) })
	r.pass(5 * time.Second)
	if got := r.codes(); got != "changed" {
		t.Errorf("found %q, want the device's times told", got)
	}
	if len(r.sent) != before {
		t.Errorf("%d commands to a running clock for an outage", len(r.sent)-before)
	}
	if p, runs := r.plan.Count().Running(); !runs || p != clock.Black {
		t.Errorf("%v runs %t, want Black", p, runs)
	}
	if d := r.device.left[clock.White] - r.plan.Count().Left(r.now, clock.White); d.Abs() > time.Second {
		t.Errorf("White is %v off what the device has", d)
	}
}

// Each order, in each state of a game, leaves the device as the truth has it.
func TestOrdersInEveryState(t *testing.T) {
	states := map[string]func(r *rig){
		"ready": func(*rig) {},
		"running": func(r *rig) {
			r.order(r.plan.Start)
			r.truth.Run(r.now, clock.White)
			r.press(3 * time.Second)
			r.pass(4 * time.Second)
		},
		"paused": func(r *rig) {
			r.order(r.plan.Start)
			r.truth.Run(r.now, clock.White)
			r.press(3 * time.Second)
			r.pass(4 * time.Second)
			r.order(r.plan.Pause)
			r.truth.Stop(r.now)
			r.pass(2 * time.Second)
		},
	}
	orders := map[string]func(r *rig){
		"add": func(r *rig) {
			r.plan.Add(r.now, clock.Black, time.Minute)
			r.truth.Add(r.now, clock.Black, time.Minute)
		},
		"take": func(r *rig) {
			r.plan.Add(r.now, clock.White, -time.Minute)
			r.truth.Add(r.now, clock.White, -time.Minute)
		},
		"set": func(r *rig) {
			r.plan.SetTimes(r.now, time.Hour, 90*time.Second)
			r.truth.Set(r.now, clock.White, time.Hour)
			r.truth.Set(r.now, clock.Black, 90*time.Second)
		},
		"swap": func(r *rig) {
			r.plan.SwapSides(r.now)
			r.truth.Swap(r.now)
		},
		"pause": func(r *rig) {
			r.plan.Pause(r.now)
			r.truth.Stop(r.now)
		},
		"beep": func(r *rig) { r.plan.Beep(r.now, 8) },
		"show": func(r *rig) { r.plan.Show(r.now, "TABLE 7") },
	}
	for state, arrive := range states {
		for order, give := range orders {
			t.Run(state+"/"+order, func(t *testing.T) {
				r := newRig(t, "W240+10-B300+10", goodLine, 1)
				r.pass(time.Second)
				r.order(r.plan.Setup)
				r.pass(2 * time.Second)
				arrive(r)
				give(r)
				r.take()
				r.pass(4 * time.Second)
				for _, p := range clock.Players {
					if off := r.off(p); off.Abs() >= time.Second {
						t.Errorf("%v is %v off", p, off)
					}
				}
				if _, runs := r.truth.Running(); runs != r.device.counts {
					t.Errorf("the device counts %t, want %t", r.device.counts, runs)
				}
				if got := r.codes(); got != "" {
					t.Errorf("found %q", got)
				}
			})
		}
	}
}

// A result freezes both clocks, and nothing of what follows is told or set.
func TestResultFreezes(t *testing.T) {
	r := newRig(t, "300+2", goodLine, 1)
	r.begin()
	r.press(5 * time.Second)
	r.pass(3 * time.Second)
	r.order(r.plan.Result)
	r.pass(2 * time.Second)
	white, black, sent := r.device.left[clock.White], r.device.left[clock.Black], len(r.sent)
	r.device.press()
	r.pass(time.Minute)
	if r.device.counts || r.device.left != [2]time.Duration{white, black} || len(r.sent) != sent || r.codes() != "" {
		t.Errorf("after the result: %s, counts %t, %d commands more, found %q", faces(r), r.device.counts, len(r.sent)-sent, r.codes())
	}
}

// A clock that refused and obeys after a new order: the fault is over.
func TestRefusalMended(t *testing.T) {
	r := newRig(t, "300+2", line{refuses: true}, 1)
	r.pass(time.Second)
	r.order(r.plan.Setup)
	r.pass(2 * time.Second)
	r.order(r.plan.Setup)
	r.pass(2 * time.Second)
	if got := r.codes(); got != "refused" {
		t.Errorf("found %q: one refusal is told once", got)
	}
	r.device.line.refuses = false
	r.order(r.plan.Setup)
	r.pass(2 * time.Second)
	if got := r.codes(); got != "refused -refused" || r.plan.State() != plan.Ready {
		t.Errorf("found %q, state %v", got, r.plan.State())
	}
}

// A clock that was unplugged in the game comes back with 0:00: it is set and stands.
func TestClockUnpluggedInTheGame(t *testing.T) {
	r := newRig(t, "300+2", goodLine, 1)
	r.begin()
	r.press(5 * time.Second)
	r.pass(3 * time.Second)
	want := [2]time.Duration{r.truth.Face(r.now, clock.White), r.truth.Face(r.now, clock.Black)}
	r.order(func(at time.Duration) { r.plan.Reading(at, clock.Reading{}) })
	r.device.left, r.device.counts, r.device.out = [2]time.Duration{}, false, nil
	r.now += 20 * time.Second
	r.device.now = r.now
	r.order(func(at time.Duration) { r.plan.Reading(at, r.device.reading()) })
	r.order(r.plan.Ready)
	r.pass(3 * time.Second)
	if got := r.codes(); got != "none -none changed" || r.plan.State() != plan.Paused {
		t.Errorf("found %q, state %v", got, r.plan.State())
	}
	for _, p := range clock.Players {
		// It was pulled out a moment before that was told.
		if off := r.device.left[p] - want[p]; off.Abs() >= time.Second+2*goodLine.lag {
			t.Errorf("%v is %v off", p, off)
		}
	}
	if r.device.counts {
		t.Error("the clock runs before the arbiter says so")
	}
}

func TestBatteryToldOnce(t *testing.T) {
	r := newRig(t, "300+2", goodLine, 1)
	r.begin()
	for _, low := range []bool{true, true, false, false} {
		r.device.low = low
		r.pass(2 * time.Second)
	}
	if got := r.codes(); got != "battery_low -battery_low" {
		t.Errorf("found %q", got)
	}
}

// Answers that name another command, or none at all, release no command in flight.
func TestStrayAnswersReleaseNothing(t *testing.T) {
	r := newRig(t, "300+2", line{deaf: 1}, 1)
	r.pass(time.Second)
	r.order(r.plan.Setup)
	for _, k := range []plan.Kind{plan.Beep, plan.Show, plan.EndShow} {
		r.plan.Answered(r.now, k, true, plan.OK)
		r.plan.Answered(r.now, k, false, plan.OK)
	}
	r.take()
	r.plan.Beep(r.now, 4)
	r.take()
	if len(r.sent) != 1 || r.plan.State() != plan.Setting {
		t.Errorf("%d commands, state %v: a stray answer released the first", len(r.sent), r.plan.State())
	}
}

// Replies within a fraction of a second, where commands and presses cross: the display
// may be late by a move, the reckoning never.
func TestFastReplies(t *testing.T) {
	const plies = 300
	var within, total int
	var worst time.Duration
	for i, control := range []string{"900+10", "300+2", "W300-B240", "300+3b"} {
		r := newRig(t, control, goodLine, uint64(i))
		r.begin()
		r.pass(2 * time.Second)
		rng := rand.New(rand.NewPCG(9, uint64(i)))
		for range plies {
			if r.truth.Left(r.now, r.truth.ToMove()) < 10*time.Second {
				break
			}
			off := r.press(150*time.Millisecond + time.Duration(rng.Int64N(int64(1500*time.Millisecond))))[r.truth.ToMove().Other()]
			total++
			if off.Abs() < time.Second {
				within++
			}
			worst = max(worst, off.Abs())
		}
		r.pass(5 * time.Second)
		for _, p := range clock.Players {
			if off := r.off(p); off.Abs() >= time.Second {
				t.Errorf("%s: %v is %v off at rest", control, p, off)
			}
			if off := r.plan.Count().Left(r.now, p) - r.truth.Left(r.now, p); off.Abs() > 250*time.Millisecond {
				t.Errorf("%s: the reckoning of %v is %v off", control, p, off)
			}
		}
		if got := r.codes(); got != "" {
			t.Errorf("%s: found %q", control, got)
		}
	}
	t.Logf("%d of %d presses within a second, worst %v", within, total, worst)
}
