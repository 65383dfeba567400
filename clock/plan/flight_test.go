package plan_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/plan"
)

// In random sessions no command follows another one before its answer, the end of the
// wait for it, or the loss of line or clock; and each face is one that a clock can show.
func TestOneCommandInFlight(t *testing.T) {
	const answerTime, inputs = 2 * time.Second, 200
	sent := 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p, err := plan.New(parse(t, controls[seed%uint64(len(controls))]), plan.Options{Table: "table 7"})
		if err != nil {
			t.Fatal(err)
		}
		var at, free time.Duration
		for range inputs {
			at += time.Duration(rng.IntN(900)) * time.Millisecond
			if input(p, rng, at) {
				free = at
			}
			commands, _ := p.Take()
			for i, c := range commands {
				sent++
				if i > 0 || at < free {
					t.Fatalf("seed %d at %v: a command %v before its time: %+v", seed, at, free-at, c)
				}
				free = at + answerTime
				if !showable(c.White) || !showable(c.Black) {
					t.Fatalf("seed %d at %v: no clock shows %+v", seed, at, c)
				}
			}
		}
	}
	if sent < 10000 {
		t.Errorf("only %d commands", sent)
	}
}

func showable(d time.Duration) bool {
	const most = 9*time.Hour + 59*time.Minute + 59*time.Second
	return d >= 0 && d <= most && d%time.Second == 0
}

// input gives the plan something at random, and tells whether it may set a command in
// flight free.
func input(p *plan.Plan, rng *rand.Rand, at time.Duration) (frees bool) {
	long := time.Duration(rng.IntN(36000)) * time.Second
	who := clock.Player(rng.IntN(2))
	switch rng.IntN(16) {
	case 0, 1, 2:
		r := clock.Reading{White: long, Black: long / 2, Running: rng.IntN(2) == 0, ToMove: who,
			Connected: rng.IntN(16) > 0, WhiteFlag: rng.IntN(20) == 0}
		p.Reading(at, r)
		return !r.Connected
	case 3, 4:
		p.Answered(at, plan.Kind(rng.IntN(4)), rng.IntN(4) > 0, plan.Result(rng.IntN(4)))
		return true
	case 5:
		p.Advance(at)
	case 6:
		p.Setup(at)
	case 7:
		p.Start(at)
	case 8:
		p.Pause(at)
	case 9:
		p.Resume(at)
	case 10:
		p.Add(at, who, time.Duration(rng.IntN(14400)-7200)*time.Second)
	case 11:
		p.SetTimes(at, long, long/2)
	case 12:
		p.SwapSides(at)
	case 13:
		p.Beep(at, 3)
	case 14:
		p.Link(at, rng.IntN(2) == 0)
		return true
	case 15:
		p.Ready(at) // a clock that was switched on answers nothing it was asked before
		return true
	}
	return false
}
