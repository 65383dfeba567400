package emulator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"boardd/dgt"
)

// acks tells the acknowledges among messages, as "10 0a".
func acks(got []heard) (text []string) {
	for _, a := range all[*dgt.ClockAck](got) {
		text = append(text, fmt.Sprintf("%02x %02x", a.Ack[0], a.Ack[1]))
	}
	return text
}

// setTo is a command that sets both sides to a time, standing.
func setTo(t *testing.T, d time.Duration) dgt.Command {
	t.Helper()
	c, err := dgt.SetAndRun(d, d, dgt.Pause)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestClockFaults(t *testing.T) {
	cases := []struct {
		name   string
		faults Faults
		want   []string // acknowledges of one set-and-run
		done   bool     // it was carried out
	}{
		{"none", Faults{}, []string{"10 0a"}, true},
		{"command lost", Faults{LoseCommand: 1}, nil, false},
		{"busy", Faults{Busy: 1}, []string{"20 00"}, false},
		{"ack lost", Faults{LoseAck: 1}, nil, true},
		{"ack late", Faults{LateAck: 2 * time.Second}, []string{"10 0a"}, true},
		{"ack too late to see", Faults{LateAck: time.Minute}, nil, true},
		{"ack of another", Faults{BadAck: 1}, []string{"10 03"}, true},
		{"ack repeated", Faults{RepeatAck: 1}, []string{"10 0a", "10 0a"}, true},
		{"zeros after it", Faults{ZeroTime: 1}, []string{"10 0a"}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Clock: ClockSetting{Remote: true}, Faults: c.faults})
			r.send(dgt.UpdateNice(), setTo(t, time.Minute))
			r.run(5 * time.Second)
			if got := acks(r.take()); !slices.Equal(got, c.want) {
				t.Errorf("expected acks %v, got %v", c.want, got)
			}
			if done := r.b.ClockState().Left == time.Minute; done != c.done {
				t.Errorf("carried out: expected %v, got %v", c.done, done)
			}
			zeros := r.decoder.Stats().EmptyClock
			if want := c.faults.ZeroTime > 0; (zeros > 0) != want {
				t.Errorf("expected zeros: %v, got %d", want, zeros)
			}
		})
	}
}

func TestFaultShares(t *testing.T) {
	r := newRig(t, Config{Clock: ClockSetting{Remote: true}, Faults: Faults{Busy: 0.25, LateAck: 700 * time.Millisecond, LateShare: 0.5}})
	r.send(dgt.UpdateNice())
	const n = 200
	busy, late := 0, 0
	for range n {
		r.take()
		sent := r.b.Now()
		r.b.Receive(dgt.Beep(1).AppendTo(nil))
		r.run(1200 * time.Millisecond)
		for _, h := range r.take() {
			switch a, ok := h.m.(*dgt.ClockAck); {
			case !ok:
			case a.Result() == dgt.AckBusy:
				busy++
			case h.at-sent > 700*time.Millisecond:
				late++
			}
		}
	}
	if busy < n/8 || busy > n*3/8 {
		t.Errorf("expected a quarter of %d busy, got %d", n, busy)
	}
	if good := n - busy; late < good/4 || late > good*3/4 {
		t.Errorf("expected half of %d late, got %d", good, late)
	}
}

func TestRepeatedAckTakesTheTimesPlace(t *testing.T) {
	r := newRig(t, Config{Clock: ClockSetting{Remote: true}, Faults: Faults{RepeatAck: 1}})
	r.send(dgt.UpdateNice(), dgt.Beep(1))
	r.run(400 * time.Millisecond) // the answer has come, the unasked repetition perhaps
	r.take()
	ask := func() dgt.Message {
		r.take()
		r.b.Receive(dgt.SendClock().AppendTo(nil))
		r.run(20 * time.Millisecond)
		got := r.take()
		return got[len(got)-1].m
	}
	if a, ok := ask().(*dgt.ClockAck); !ok || a.Ack[1] != byte(dgt.OpBeep) {
		t.Errorf("expected the same ack again in answer to a question, got %v", a)
	}
	r.run(time.Second)
	if _, ok := ask().(*dgt.ClockTime); !ok {
		t.Error("expected the time again a second after the ack")
	}
}

func TestFailNext(t *testing.T) {
	r := newRig(t, Config{Clock: ClockSetting{Remote: true}})
	r.b.FailNext(dgt.OpSetAndRun, 0x30, 2)
	r.send(dgt.UpdateNice())
	for _, want := range []string{"30 0a", "30 0a", "10 0a"} {
		r.send(setTo(t, time.Minute))
		r.run(time.Second)
		if got := acks(r.take()); !slices.Equal(got, []string{want}) {
			t.Errorf("expected %s, got %v", want, got)
		}
		r.send(dgt.Beep(1)) // another kind is not concerned
		r.run(time.Second)
		if got := acks(r.take()); !slices.Equal(got, []string{"10 0b"}) {
			t.Errorf("expected the beep answered well, got %v", got)
		}
		if done := r.b.ClockState().Left > 0; done != (want == "10 0a") {
			t.Errorf("%s: carried out: %v", want, done)
		}
	}
}

func TestAckDelays(t *testing.T) {
	ascii, err := dgt.ASCII("table 12", 0)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		command     dgt.Command
		least, most time.Duration
	}{
		{dgt.SendClockVersion(), 340 * time.Millisecond, 400 * time.Millisecond},
		{ascii, 70 * time.Millisecond, 100 * time.Millisecond},
		{dgt.EndDisplay(), 70 * time.Millisecond, 400 * time.Millisecond},
		{setTo(t, time.Minute), 70 * time.Millisecond, 400 * time.Millisecond},
	}
	const slack = 20 * time.Millisecond // the wire, and the step of the rig
	for _, c := range cases {
		r := newRig(t, Config{Clock: ClockSetting{Remote: true}})
		r.send(dgt.UpdateNice())
		for range 50 {
			r.take()
			sent := r.b.Now()
			r.b.Receive(c.command.AppendTo(nil))
			r.run(600 * time.Millisecond)
			for _, h := range r.take() {
				if _, ok := h.m.(*dgt.ClockAck); !ok {
					continue
				}
				if d := h.at - sent; d < c.least || d > c.most+slack {
					t.Errorf("%v: expected %v to %v, got %v", c.command, c.least, c.most, d)
				}
			}
		}
	}
}

func TestLagAsStated(t *testing.T) {
	cases := []struct {
		name        string
		lag         ClockLag
		least, most time.Duration
	}{
		{"none", ClockLag{}, 0, 0},
		{"constant", ClockLag{Constant: 300 * time.Millisecond}, 300 * time.Millisecond, 300 * time.Millisecond},
		{"jitter", ClockLag{Jitter: 200 * time.Millisecond}, 0, 200 * time.Millisecond},
		{"stragglers", ClockLag{Stragglers: 1, Longest: 800 * time.Millisecond}, 0, 800 * time.Millisecond},
	}
	const slack = 20 * time.Millisecond
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			least, most := never, time.Duration(0)
			r := newRig(t, Config{Clock: Fischer(5*time.Minute, 0, dgt.Left), Lag: &c.lag})
			r.send(dgt.UpdateNice())
			begin := r.b.Now()
			r.b.Hands().StartStop()
			r.run(3 * time.Minute)
			for _, h := range r.take() {
				if m, ok := h.m.(*dgt.ClockTime); ok {
					d := h.at - begin - (5*time.Minute - m.Left.Time)
					least, most = min(least, d), max(most, d)
				}
			}
			wide := c.most - c.least
			if least < c.least || least > c.least+wide/4+slack || most < c.most-wide/4 || most > c.most+slack {
				t.Errorf("expected %v to %v, got %v to %v", c.least, c.most, least, most)
			}
		})
	}
}

func TestCommandsTakeTime(t *testing.T) {
	r := newRig(t, Config{Clock: ClockSetting{Remote: true}, Lag: &ClockLag{Command: 300 * time.Millisecond}})
	r.send(dgt.UpdateNice(), setTo(t, time.Minute))
	if got := r.b.ClockState().Left; got != 0 {
		t.Errorf("expected the command still on its way, got %v", got)
	}
	r.run(250 * time.Millisecond)
	if got := r.b.ClockState().Left; got != time.Minute {
		t.Errorf("expected the command carried out, got %v", got)
	}
	if got := acks(r.take()); len(got) > 0 {
		t.Errorf("expected no answer yet, got %v", got)
	}
	r.run(500 * time.Millisecond)
	if got := acks(r.take()); !slices.Equal(got, []string{"10 0a"}) {
		t.Errorf("expected the answer, got %v", got)
	}
}

func TestParseFaults(t *testing.T) {
	got, err := ParseFaults("lose-ack=0.2, late-ack=3s,repeat-ack=1")
	if want := (Faults{LoseAck: 0.2, LateAck: 3 * time.Second, RepeatAck: 1}); err != nil || got != want {
		t.Errorf("expected %+v, got %+v, %v", want, got, err)
	}
	for _, text := range []string{"", "lose-ack", "lose-ack=", "lose-ack=1.5", "late-ack=-1s", "x=1"} {
		if f, err := ParseFaults(text); err == nil {
			t.Errorf("%q: expected an error, got %+v", text, f)
		}
	}
}
