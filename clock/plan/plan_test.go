package plan_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/plan"
)

// controls are those of four model regulations, and kinds beyond them.
var controls = []string{
	"7200+30", "5400+30", "1500+10", "900+10", "300+2", "W240+10-B300+10", "W300-B240", "W450+10-B900+10",
	"40/5400+30:1800+30", "40/1800:600+5", "600:300+3", "5400+5d", "300+3b", "600+10@41",
}

// reply is the fastest reply in these tests: less than that, and a command crosses the
// next press on the line. The reference is right then too, the display a move later.
const reply = 1500 * time.Millisecond

// The clock is right within a second at every press, whatever becomes of answers and
// commands, as long as the lag of the line is the same at all times.
func TestClockIsRightAtEveryPress(t *testing.T) {
	lines := map[string]line{
		"good line":    {lag: 100 * time.Millisecond, answer: 300 * time.Millisecond},
		"slow line":    {lag: 450 * time.Millisecond, answer: 900 * time.Millisecond},
		"lost answers": {lag: 200 * time.Millisecond, answer: 300 * time.Millisecond, lose: 0.1},
		"busy clock":   {lag: 200 * time.Millisecond, answer: 300 * time.Millisecond, busy: 0.05},
		"repeats":      {lag: 200 * time.Millisecond, answer: 300 * time.Millisecond, repeat: 0.3},
	}
	for name, l := range lines {
		for i, control := range controls {
			t.Run(name+"/"+control, func(t *testing.T) {
				r := newRig(t, control, l, uint64(i))
				r.begin()
				rng := rand.New(rand.NewPCG(7, uint64(i)))
				worst, plies := time.Duration(0), 0
				for ; plies < 300; plies++ {
					mover := r.truth.ToMove()
					left := r.truth.Left(r.now, mover)
					think := min(time.Duration(rng.ExpFloat64()*float64(left)/30), left/4) + reply
					if left < 10*time.Second {
						break
					}
					off := r.press(think)[mover]
					if off.Abs() > worst.Abs() {
						worst = off
					}
					if off <= -time.Second || off >= time.Second {
						t.Fatalf("ply %d: %v's clock is %v from the truth (%s; found %s)", plies+1, mover, off, faces(r), r.codes())
					}
				}
				if plies < 30 {
					t.Fatalf("only %d plies", plies)
				}
				for _, f := range r.found {
					if f.Code != "clock.period" {
						t.Errorf("found without a cause: %+v", f)
					}
				}
				t.Logf("%d plies, %d commands, worst %v", plies, len(r.sent), worst)
			})
		}
	}
}

// Where presses reach the plan after a lag that varies, the error is that of the lags
// and grows with the root of the plies; see the package's doc.
func TestVaryingLagCostsNoMoreThanItself(t *testing.T) {
	const boards, plies, jitter = 20, 200, 200 * time.Millisecond
	var worst time.Duration
	within := 0
	for board := range boards {
		r := newRig(t, "900+10", line{lag: 50 * time.Millisecond, jitter: jitter, answer: 300 * time.Millisecond}, uint64(board))
		r.begin()
		rng := rand.New(rand.NewPCG(8, uint64(board)))
		for range plies {
			mover := r.truth.ToMove()
			off := r.press(time.Duration(rng.ExpFloat64()*float64(9*time.Second)) + reply)[mover].Abs()
			worst = max(worst, off)
			if off < time.Second {
				within++
			}
		}
		if c := r.codes(); c != "" {
			t.Errorf("board %d: found %s", board, c)
		}
	}
	t.Logf("%d boards, %d plies, lag varying by %v: %.2f %% within a second at the press, worst %v", boards, plies, jitter, 100*float64(within)/(boards*plies), worst)
	if worst > 3*time.Second {
		t.Errorf("worst error %v: more than the lags explain", worst)
	}
}

func TestNothingOwedCostsNoCommand(t *testing.T) {
	r := newRig(t, "W300-B240", line{lag: 100 * time.Millisecond, answer: 200 * time.Millisecond}, 1)
	r.begin()
	r.pass(2 * time.Second)
	before := len(r.sent)
	for range 20 {
		r.press(3 * time.Second)
	}
	if n := len(r.sent) - before; n != 0 {
		t.Errorf("%d commands to a clock that runs by itself", n)
	}
}

func TestFlag(t *testing.T) {
	r := newRig(t, "W300-B240", line{lag: 100 * time.Millisecond, answer: 200 * time.Millisecond}, 1)
	r.begin()
	r.press(10 * time.Second)
	r.pass(4*time.Minute + 2*time.Second)
	if got := r.codes(); got != "flag:black" {
		t.Errorf("found %q, want the fall of Black's flag", got)
	}
	if r.plan.State() != plan.Over {
		t.Errorf("state %v", r.plan.State())
	}
}

func TestPeriodAtZeroComesBeforeTheDeviceBlocks(t *testing.T) {
	r := newRig(t, "600:300+3", line{lag: 300 * time.Millisecond, answer: 300 * time.Millisecond}, 1)
	r.begin()
	r.pass(10*time.Minute + 30*time.Second)
	if got := r.codes(); got != "period" {
		t.Errorf("found %q, want one period", got)
	}
	if off := r.device.left[clock.White] - r.truth.Left(r.now, clock.White); off.Abs() >= time.Second {
		t.Errorf("White is %v off", off)
	}
	if got, want := r.device.left[clock.Black], 15*time.Minute; got != want {
		t.Errorf("Black has %v, want %v: both get the period", got, want)
	}
}

// A line that loses every command: told once, and the round does not begin.
func TestSettingThatFails(t *testing.T) {
	for name, l := range map[string]line{"deaf": {deaf: 1}, "busy": {busy: 1}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "900+10", l, 1)
			r.pass(time.Second)
			r.plan.Setup(r.now)
			r.take()
			r.pass(20 * time.Second)
			if got := r.codes(); got != "set_failed" {
				t.Errorf("found %q, want one failure", got)
			}
			if n := len(r.sent); n != 3 && n != 5 {
				t.Errorf("tried %d times", n)
			}
			if r.plan.State() != plan.Failed {
				t.Errorf("state %v", r.plan.State())
			}
			r.device.line = line{}
			r.plan.Setup(r.now)
			r.take()
			r.pass(3 * time.Second)
			if got := r.codes(); got != "set_failed -set_failed" || r.plan.State() != plan.Ready {
				t.Errorf("after a mend: %q, %v", got, r.plan.State())
			}
		})
	}
}

func TestRefusal(t *testing.T) {
	for model, want := range map[int]string{0: "option 23 on a DGT XL, 25 on a DGT 3000", 1: "option 23 on the DGT XL", 2: "option 25 on the DGT 3000"} {
		r := newRig(t, "900+10", line{refuses: true}, 1)
		r.plan.Version(0, model)
		r.pass(time.Second)
		r.plan.Setup(r.now)
		r.take()
		r.pass(10 * time.Second)
		if len(r.found) != 1 || r.found[0].Code != "clock.refused" || r.plan.State() != plan.Refused || len(r.sent) != 1 {
			t.Fatalf("model %d: found %v, state %v, %d commands", model, r.found, r.plan.State(), len(r.sent))
		}
		if d := r.found[0].Detail; !contains(d, want) {
			t.Errorf("model %d: %q, want %q in it", model, d, want)
		}
	}
}
