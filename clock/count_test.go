package clock_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/clock"
)

func counting(t *testing.T, control string) *clock.Count {
	t.Helper()
	parsed, err := clock.Parse(control, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	n, err := clock.NewCount(parsed.Control)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Games of equal thinking times, reckoned by hand.
func TestCountByHand(t *testing.T) {
	for _, c := range []struct {
		control string
		plies   int // each of think
		think   time.Duration
		white   time.Duration
		black   time.Duration
		period  int // White's
	}{
		{"300+2", 0, 0, 302 * time.Second, 302 * time.Second, 0},
		{"300+2", 1, 10 * time.Second, 294 * time.Second, 302 * time.Second, 0},
		{"W300-B240", 4, 10 * time.Second, 280 * time.Second, 220 * time.Second, 0},
		{"W240+10-B300+10", 2, 3 * time.Second, 257 * time.Second, 317 * time.Second, 0},
		// 90 min 30 s, 40 times 60 s thought, 40 increments, and the second base.
		{"40/5400+30:1800+30", 80, time.Minute, (5430 - 2400 + 1200 + 1800) * time.Second, (5430 - 2400 + 1200 + 1800) * time.Second, 1},
		{"40/5400+30:1800+30", 78, time.Minute, (5430 - 39*30) * time.Second, (5430 - 39*30) * time.Second, 0},
		// Only the last period has an increment: the press of move 60 brings the one of move 61.
		{"40/7200:20/3600:900+30", 119, time.Minute, (7200 + 3600 + 900 + 30 - 3600) * time.Second, (7200 + 3600 - 59*60) * time.Second, 2},
		{"600+10@3", 4, time.Second, (600 - 2 + 10) * time.Second, (600 - 2 + 10) * time.Second, 0},
		{"600+10@3", 2, time.Second, 599 * time.Second, 599 * time.Second, 0},
		{"2/60", 6, 10 * time.Second, (60 - 30 + 60) * time.Second, (60 - 30 + 60) * time.Second, 1},
		{"300+3b", 2, 10 * time.Second, 293 * time.Second, 293 * time.Second, 0},
		{"300+3b", 2, 1300 * time.Millisecond, 300 * time.Second, 300 * time.Second, 0},
		{"300+5d", 2, 7 * time.Second, 298 * time.Second, 298 * time.Second, 0},
		{"300+5d", 2, 4 * time.Second, 300 * time.Second, 300 * time.Second, 0},
	} {
		n := counting(t, c.control)
		at := 3 * time.Second
		n.Run(at, clock.White)
		for range c.plies {
			at += c.think
			n.Press(at)
		}
		n.Stop(at)
		white, black := n.Left(at+time.Hour, clock.White), n.Left(at+time.Hour, clock.Black)
		if white != c.white || black != c.black || n.Period(clock.White) != c.period {
			t.Errorf("%s after %d plies of %v: White %v, Black %v, period %d; want %v, %v, %d",
				c.control, c.plies, c.think, white, black, n.Period(clock.White), c.white, c.black, c.period)
		}
	}
}

// The first who runs out of a period without a number of moves brings the next
// one to both, and whoever used a Bronstein time across that moment has it back.
func TestCountPeriodAtZero(t *testing.T) {
	n := counting(t, "60+3b:300+3b")
	n.Run(0, clock.White)
	if got := n.Left(61*time.Second, clock.White); got != 299*time.Second {
		t.Errorf("White has %v one second into the next period", got)
	}
	if got := n.Left(61*time.Second, clock.Black); got != 360*time.Second {
		t.Errorf("Black has %v, want his minute and the next base", got)
	}
	if given, _ := n.Press(62 * time.Second); given != 3*time.Second {
		t.Errorf("the press gave %v, want the 3 s used", given)
	}
	if _, fallen := n.Flag(62 * time.Second); fallen {
		t.Error("0:00 before another period is no flag")
	}
}

func TestCountFlagOrders(t *testing.T) {
	n := counting(t, "W300-B240")
	n.Run(0, clock.White)
	n.Press(time.Second)
	if who, fallen := n.Flag(241 * time.Second); !fallen || who != clock.Black {
		t.Fatalf("flag of %v, %t: want Black's, at 0:00 exactly", who, fallen)
	}
	if _, ok := n.Press(242 * time.Second); ok {
		t.Error("a press after the flag counts")
	}
	n.Add(250*time.Second, clock.Black, time.Minute)
	if _, fallen := n.Flag(250 * time.Second); fallen || n.Left(250*time.Second, clock.Black) != time.Minute {
		t.Errorf("an arbiter's minute leaves %v, fallen %t", n.Left(250*time.Second, clock.Black), fallen)
	}
	n.Add(250*time.Second, clock.White, -time.Hour)
	if got := n.Left(250*time.Second, clock.White); got != 0 {
		t.Errorf("White has %v: nobody has less than none", got)
	}
}

// A pause within a delay costs nothing of it.
func TestCountDelayAcrossPause(t *testing.T) {
	n := counting(t, "300+5d")
	n.Run(0, clock.White)
	n.Stop(2 * time.Second)
	n.Run(time.Minute, clock.White)
	at := time.Minute + 3*time.Second
	if left, face := n.Left(at, clock.White), n.Face(at, clock.White); left != 300*time.Second || face != left {
		t.Errorf("left %v, face %v as the delay ends", left, face)
	}
	if got := n.Left(at+time.Second, clock.White); got != 299*time.Second {
		t.Errorf("left %v a second later", got)
	}
}

// Over random sessions of presses, pauses and orders each clock is, to the
// nanosecond, the start and what was given less the thinking.
func TestCountNeverDrifts(t *testing.T) {
	for i, control := range []string{"7200+30", "5400+30", "300+2", "W240+10-B300+10", "40/5400+30:1800+30", "600+10@41", "40/7200:20/3600:900+30", "5400+3b"} {
		rng := rand.New(rand.NewPCG(3, uint64(i)))
		n := counting(t, control)
		at := time.Duration(0)
		want := [2]time.Duration{n.Left(0, clock.White), n.Left(0, clock.Black)}
		n.Run(at, clock.White)
		for plies := 0; plies < 260; {
			mover := n.ToMove()
			d := time.Duration(rng.Int64N(int64(16 * time.Second)))
			at += d
			_, runs := n.Running()
			if runs {
				want[mover] -= d
			}
			switch rng.IntN(8) {
			case 0:
				n.Stop(at)
			case 1:
				n.Run(at, mover)
			case 2:
				p, d := clock.Player(rng.IntN(2)), time.Duration(rng.Int64N(int64(2*time.Minute)))
				n.Add(at, p, d)
				want[p] += d
			default:
				given, ok := n.Press(at)
				if ok != runs {
					t.Fatalf("%s: a press on a clock that runs %t: %t", control, runs, ok)
				}
				want[mover] += given
				if ok {
					plies++
				}
			}
			for _, p := range clock.Players {
				if got := n.Left(at, p); got != want[p] {
					t.Fatalf("%s at %v, ply %d: %v has %v, want %v", control, at, plies, p, got, want[p])
				}
			}
		}
		if got, want := n.Moves(clock.White)+n.Moves(clock.Black), 260; got != want {
			t.Errorf("%s: %d moves, want %d", control, got, want)
		}
	}
}

func TestRemoteRefusesWithAReason(t *testing.T) {
	for _, control := range []string{"-", "?", "10/30d", "*60", "1500u", "3600+3x60y", "3600+15/300c", "35990+30"} {
		parsed, err := clock.Parse(control, clock.Canonical)
		if err != nil {
			t.Errorf("%s: %v", control, err)
			continue
		}
		if err := parsed.Control.Remote(); err == nil {
			t.Errorf("%s: remote mode is said to run it", control)
		}
	}
	parsed, err := clock.Parse("35969+30", clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	if err := parsed.Control.Remote(); err != nil {
		t.Errorf("9:59:59 at the start: %v", err)
	}
}
