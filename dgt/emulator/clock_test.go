package emulator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
)

func TestClockOnTheWire(t *testing.T) {
	// The states that real captures have, as bytes.
	r := newRig(t, start(1))
	r.send(dgt.UpdateNice())
	expect := func(name, want string) {
		t.Helper()
		r.raw = r.raw[:0]
		r.run(1950 * time.Millisecond)
		if !strings.Contains(string(r.raw), want) {
			t.Errorf("%s: expected % x, got % x", name, want, r.raw)
		}
	}
	r.b.Hands().StartStop()
	expect("left runs", "\x8d\x00\x0a\x20\x03\x02\x20\x03\x01\x09")
	r.b.Hands().Press()
	// A tick and 0.95 s have gone: 3:01 shown, and 2 s more in the same message.
	expect("right runs", "\x8d\x00\x0a\x20\x03\x02\x20\x03\x03\x13")
	r.b.Hands().StartStop()
	expect("stopped", "\x8d\x00\x0a\x20\x03\x01\x20\x03\x03\x12")
}

func TestTicks(t *testing.T) {
	for seed := range uint64(20) {
		r := newRig(t, start(seed))
		r.send(dgt.UpdateNice(), dgt.SendClock())
		r.b.Hands().StartStop()
		r.do(func(h *Hands) {
			for range 10 {
				h.Wait(time.Duration(500+h.rng.IntN(6000)) * time.Millisecond)
				h.Press()
			}
		})
		times := all[*dgt.ClockTime](r.take())
		for i := 1; i < len(times); i++ {
			was, is := times[i-1], times[i]
			if *was == *is {
				t.Fatalf("seed %d: two identical messages %v", seed, *is)
			}
			if was.LeverHigh == is.LeverHigh {
				continue
			}
			// The increment is in the same message as the switch; a tick may be too.
			mover := was.LeverHigh
			if plus := is.Face(mover).Time - was.Face(mover).Time; plus != 2*time.Second && plus != time.Second {
				t.Errorf("seed %d: expected +2 s with the switch, got %v", seed, plus)
			}
		}
	}
}

func TestClockLag(t *testing.T) {
	var least, most time.Duration = never, 0
	for seed := range uint64(10) {
		r := newRig(t, start(seed))
		r.send(dgt.UpdateNice())
		r.run(time.Second)
		begin := r.b.Now()
		r.b.Hands().StartStop()
		r.run(20 * time.Second)
		for _, h := range r.take() {
			c, ok := h.m.(*dgt.ClockTime)
			if !ok {
				continue
			}
			shown := begin + (182*time.Second - c.Left.Time)
			least, most = min(least, h.at-shown), max(most, h.at-shown)
		}
	}
	if least < 50*time.Millisecond || most > 1100*time.Millisecond || most < 500*time.Millisecond {
		t.Errorf("expected lags of 0.05 to about 1 s, got %v to %v", least, most)
	}
}

func TestFlag(t *testing.T) {
	c := start(1)
	c.Clock = Fischer(5*time.Minute, 5*time.Second, dgt.Right)
	c.Clock.Left, c.Clock.Right = 16*time.Second, time.Second
	r := newRig(t, c)
	r.send(dgt.UpdateNice())
	r.b.Hands().StartStop()
	r.raw = nil
	r.run(5 * time.Second)
	want := "\x8d\x00\x0a\x20\x00\x01\x20\x00\x16\x13" + "\x8d\x00\x0a\x30\x00\x00\x20\x00\x16\x12"
	if string(r.raw) != want {
		t.Errorf("expected the bytes of the real capture % x, got % x", want, r.raw)
	}
	r.b.Hands().StartStop()
	r.run(3 * time.Second)
	if r.b.Clock().Running {
		t.Error("expected a fallen flag to block the clock")
	}
}

func TestLever(t *testing.T) {
	c := start(1)
	c.Clock.Lever = dgt.Right
	r := newRig(t, c)
	r.send(dgt.UpdateNice())
	r.do(act(t, "button run", "press left"))
	if lever := r.b.Clock().LeverHigh; lever != dgt.Right {
		t.Errorf("expected pressing the side that is down to do nothing, got %v high", lever)
	}
	r.do(act(t, "press right"))
	if lever := r.b.Clock().LeverHigh; lever != dgt.Left {
		t.Errorf("expected left high after right pressed, got %v", lever)
	}
}

func TestNoClock(t *testing.T) {
	c := start(1)
	c.Clock.Absent = true
	r := newRig(t, c)
	r.send(dgt.UpdateNice(), dgt.SendClockVersion())
	r.run(3 * time.Second)
	if len(r.raw) != 0 {
		t.Errorf("expected a command without a clock to go into the void, got % x", r.raw)
	}
	r.send(dgt.SendClock())
	if want := "\x8d\x00\x0a\x00\x00\x00\x00\x00\x00\x20"; string(r.raw) != want {
		t.Errorf("expected % x, got % x", want, r.raw)
	}
	r.take()
	r.b.PlugClock(true)
	r.run(3 * time.Second)
	got := r.take()
	if clock := last[*dgt.ClockTime](t, got); clock.NoClock {
		t.Error("expected times once the clock is in")
	}
	if report, ok := last[*dgt.ClockAck](t, got).Report(); !ok || report != dgt.ReportReady {
		t.Errorf("expected a ready report, got %v", report)
	}
	r.b.PlugClock(false)
	r.run(3 * time.Second)
	if clock := last[*dgt.ClockTime](t, r.take()); !clock.NoClock {
		t.Error("expected no clock once the plug is out")
	}
}

func TestClockCommands(t *testing.T) {
	set, err := dgt.SetAndRun(5*time.Minute, 4*time.Minute, dgt.RunLeft|dgt.Toggle)
	if err != nil {
		t.Fatal(err)
	}
	ascii, err := dgt.ASCII("boardd", 0)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name    string
		command dgt.Command
		clock   ClockSetting
		mode    dgt.Command
		want    string // result, ack1, ack2 in hex; empty for no answer
	}{
		{"version 3000", dgt.SendClockVersion(), ClockSetting{}, dgt.UpdateNice(), "10 09 20"},
		{"version XL", dgt.SendClockVersion(), ClockSetting{Version: ClockXL}, dgt.UpdateNice(), "10 09 1e"},
		{"beep", dgt.Beep(1), ClockSetting{}, dgt.UpdateNice(), "10 0b 00"},
		{"end", dgt.EndDisplay(), ClockSetting{}, dgt.Update(), "10 03 00"},
		{"ascii 3000", ascii, ClockSetting{}, dgt.UpdateNice(), "10 0c 00"},
		{"ascii XL", ascii, ClockSetting{Version: ClockXL}, dgt.UpdateNice(), "40 0c 00"},
		{"set", set, ClockSetting{Remote: true}, dgt.UpdateNice(), "10 0a 00"},
		{"set outside remote mode", set, ClockSetting{}, dgt.UpdateNice(), "40 0a 00"},
		{"no ack in idle", dgt.Beep(1), ClockSetting{}, dgt.Reset(), ""},
		{"no ack without clock messages", dgt.Beep(1), ClockSetting{}, dgt.UpdateBoard(), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Clock: c.clock})
			r.send(c.mode, c.command)
			r.run(2 * time.Second)
			got := ""
			for _, a := range all[*dgt.ClockAck](r.take()) {
				got += fmt.Sprintf("% x", a.Ack[:3])
			}
			if got != c.want {
				t.Errorf("expected ack %q, got %q", c.want, got)
			}
		})
	}
}

func TestSetAndRunTogglesOnTheLever(t *testing.T) {
	for _, toggle := range []dgt.Run{0, dgt.Toggle} {
		r := newRig(t, Config{Clock: ClockSetting{Remote: true}})
		set, err := dgt.SetAndRun(5*time.Minute, 4*time.Minute, dgt.RunLeft|toggle)
		if err != nil {
			t.Fatal(err)
		}
		r.send(dgt.UpdateNice(), set)
		r.run(10 * time.Second)
		r.do(act(t, "press left", "wait 10s"))
		left, right := r.b.Clock().Left.Time, r.b.Clock().Right.Time
		if stood := right == 4*time.Minute; stood == (toggle != 0) {
			t.Errorf("toggle %v: left %v right %v", toggle != 0, left, right)
		}
		if toggle != 0 && left < 5*time.Minute-12*time.Second {
			t.Errorf("expected left to stand after the lever moved and no increment, got %v", left)
		}
		if c := last[*dgt.ClockTime](t, r.take()); c.LeverHigh != dgt.Right {
			t.Error("expected the lever to be told in any case")
		}
	}
}

func TestOverlappingClockCommands(t *testing.T) {
	r := newRig(t, Config{})
	r.send(dgt.UpdateNice())
	r.b.Receive(dgt.Beep(1).AppendTo(nil))
	r.b.Receive(dgt.SendClockVersion().AppendTo(nil))
	r.run(2 * time.Second)
	var results []dgt.AckResult
	for _, a := range all[*dgt.ClockAck](r.take()) {
		results = append(results, a.Result())
	}
	slices.Sort(results)
	if want := []dgt.AckResult{dgt.AckOK, dgt.AckBusy}; !slices.Equal(results, want) {
		t.Errorf("expected %v, got %v", want, results)
	}
}

func TestAckFaults(t *testing.T) {
	r := newRig(t, Config{Faults: Faults{LateAck: 3 * time.Second}})
	r.send(dgt.UpdateNice(), dgt.Beep(1))
	r.run(2 * time.Second)
	if n := len(r.take()); n != 0 {
		t.Errorf("expected a late answer, got %d", n)
	}
	r.run(2 * time.Second)
	if n := len(r.take()); n != 1 {
		t.Errorf("expected the answer at last, got %d", n)
	}
	r.b.SetFaults(Faults{LoseAck: 1})
	r.send(dgt.Beep(1))
	r.run(5 * time.Second)
	if n := len(r.take()); n != 0 {
		t.Errorf("expected a lost answer, got %d", n)
	}
	r.b.SetFaults(Faults{})
	r.send(dgt.Beep(1))
	r.run(time.Second)
	if n := len(r.take()); n != 1 {
		t.Errorf("expected the next command answered, got %d", n)
	}
}

func TestButtons(t *testing.T) {
	r := newRig(t, Config{Clock: ClockSetting{Remote: true}})
	r.send(dgt.UpdateNice())
	for _, want := range []dgt.Button{dgt.ButtonBack, dgt.ButtonPlus, dgt.ButtonRun, dgt.ButtonMinus, dgt.ButtonOK} {
		r.do(func(h *Hands) { h.Button(want) })
		r.run(time.Second)
		got, held, ok := last[*dgt.ClockAck](t, r.take()).Button()
		if !ok || got != want || !held.Has(want) {
			t.Errorf("expected %v, got %v (held %02x)", want, got, held)
		}
	}
}
