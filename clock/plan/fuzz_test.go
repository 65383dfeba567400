package plan_test

import (
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/plan"
)

// Whatever clock, line and arbiter do, nothing breaks: one command at a time, within
// what a clock can show, and no flood of findings.
func FuzzPlan(f *testing.F) {
	f.Add([]byte{1, 0, 10, 5, 0, 1, 3, 1, 1, 9, 3, 0, 1, 40, 3, 3, 1, 50})
	f.Add([]byte{4, 5, 0, 0, 1, 9, 2, 2, 200, 6, 1, 30, 0, 0, 1, 7, 7, 7, 10, 3, 90, 11, 5, 5})
	f.Fuzz(func(t *testing.T, script []byte) {
		controls := []string{"300", "900+10", "W240+10-B300+10", "40/5400+30:1800+30", "60:30+1", "300+5d", "300+5b", "600+10@41"}
		if len(script) == 0 {
			return
		}
		p, err := plan.New(parse(t, controls[int(script[0])%len(controls)]), plan.Options{Table: "table 7"})
		if err != nil {
			t.Fatal(err)
		}
		var at time.Duration
		found := 0
		for i := 1; i+2 < len(script); i += 3 {
			a, b := script[i+1], script[i+2]
			at += time.Duration(b) * 20 * time.Millisecond
			d := time.Duration(a) * 13 * time.Second
			switch script[i] % 16 {
			case 0, 1, 2:
				p.Reading(at, clock.Reading{White: d, Black: time.Duration(b) * 3 * time.Second, Running: a%2 == 0, ToMove: clock.Player(b % 2),
					Connected: a%16 != 1, BatteryLow: b%9 == 1, WhiteFlag: a == 0, BlackFlag: b == 0})
			case 3:
				p.Answered(at, plan.Kind(a%4), b%4 != 0, plan.Result(b%4))
			case 4:
				p.Advance(at)
			case 5:
				p.Setup(at)
			case 6:
				p.Start(at)
			case 7:
				p.Pause(at)
			case 8:
				p.Resume(at)
			case 9:
				p.Add(at, clock.Player(a%2), time.Duration(int(b)-128)*time.Second)
			case 10:
				p.SetTimes(at, d, d/2)
			case 11:
				p.SwapSides(at)
			case 12:
				p.Link(at, a%2 == 0)
			case 13:
				p.Ready(at)
			case 14:
				p.Button(at)
			case 15:
				switch a % 4 {
				case 0:
					p.Result(at)
				case 1:
					p.NotRemote(at)
				case 2:
					p.Beep(at, int(b))
				case 3:
					p.Version(at, int(b%3))
				}
			}
			commands, more := p.Take()
			found += len(more)
			for _, c := range commands {
				if c.White < 0 || c.Black < 0 || c.White > 10*time.Hour || c.Black > 10*time.Hour || c.White%time.Second != 0 || c.Black%time.Second != 0 {
					t.Errorf("a command that no clock takes: %+v", c)
				}
			}
			if len(commands) > 2 { // one ended, one begun
				t.Errorf("%d commands at once: %+v", len(commands), commands)
			}
		}
		if found > 6*len(script)+6 {
			t.Errorf("%d findings of %d inputs", found, len(script)/3)
		}
	})
}
