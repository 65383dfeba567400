package emulator

import (
	"slices"
	"testing"
	"time"

	"boardd/dgt"
)

func TestSetClockBetweenGames(t *testing.T) {
	b := New(Config{Seed: 1, Clock: Fischer(time.Minute, 0, dgt.Left)})
	h := b.Hands()
	h.StartStop()
	h.Wait(10 * time.Second)
	h.Press()
	b.Advance(h.At()+5*time.Second, nil)
	if c := b.Clock(); !c.Running || c.LeverHigh != dgt.Right {
		t.Fatalf("before: %+v", c)
	}
	b.SetClock(Fischer(15*time.Minute, 10*time.Second, dgt.Right))
	b.Advance(b.Now()+time.Minute, nil)
	c := b.Clock()
	want := 15*time.Minute + 10*time.Second
	if c.Running || c.NoClock || c.LeverHigh != dgt.Right || c.Left.Time != want || c.Right.Time != want {
		t.Errorf("after: %+v, want both at %v, standing, right to move", c, want)
	}
}

// What people do at a clock, as the host learns of it.
func TestByHand(t *testing.T) {
	own := Fischer(time.Minute, 2*time.Second, dgt.Left)
	own.Version = ClockXL
	cases := []struct {
		name   string
		clock  ClockSetting
		orders []string
		acks   []string
		want   string
	}{
		{"to the remote option, running", own, []string{"button run", "wait 5s", "option remote"}, []string{"10 8a"}, "0s 0s stands"},
		{"back from it", ClockSetting{Remote: true, Left: time.Hour, Programme: own.Programme}, []string{"option own"}, []string{"10 90"}, "1m2s+ 1m2s+ stands"},
		{"to where it is", own, []string{"option own"}, nil, "1m2s+ 1m2s+ stands"},
		{"adjusted", own, []string{"button run", "button run", "adjust 5:00 0:30"}, nil, "5m0s+ 30s+ stands"},
		{"adjusted after a flag", own, []string{"button run", "wait 62s", "adjust 1:00 2:00", "button run"}, nil, "1m0s+ 2m0s+ left"},
		{"a running clock is not", own, []string{"button run", "adjust 5:00 0:30"}, nil, "1m2s+ 1m2s+ left"},
		{"adjusted in remote mode", ClockSetting{Remote: true}, []string{"adjust 1:00:00 2:00:00"}, nil, "1h0m0s 2h0m0s stands"},
		{"plug out and in, own programme", own, []string{"button run", "clock out", "wait 10s", "clock in"}, []string{"10 81"}, "52s+ 1m2s+ left"},
		{"plug out and in, remote", ClockSetting{Remote: true, Left: time.Hour, Right: time.Hour}, []string{"clock out", "wait 10s", "clock in"}, []string{"10 81"}, "0s 0s stands"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Clock: c.clock})
			r.send(dgt.UpdateNice())
			for _, o := range c.orders {
				h := r.b.Hands()
				act(t, o)(h) // not all can be done
				r.b.Advance(h.At(), nil)
			}
			if got := faces(r.b); got != c.want {
				t.Errorf("expected %s, got %s", c.want, got)
			}
			r.run(1500 * time.Millisecond)
			if said := acks(r.take()); !slices.Equal(said, c.acks) {
				t.Errorf("expected reports %v, got %v", c.acks, said)
			}
			r.send(dgt.SendClock())
			if seen, is := last[*dgt.ClockTime](t, r.take()), r.b.Clock(); !is.Running && *seen != is {
				t.Errorf("expected the host to see %+v, got %+v", is, *seen)
			}
		})
	}
}

func TestModeReportNamesTheOption(t *testing.T) {
	for version, want := range map[dgt.ClockVersion]byte{ClockXL: OptionXL, Clock3000: Option3000} {
		r := newRig(t, Config{Clock: ClockSetting{Version: version}})
		r.send(dgt.UpdateNice())
		r.b.SetRemote(true)
		r.run(1500 * time.Millisecond)
		if got, ok := last[*dgt.ClockAck](t, r.take()).Mode(); !ok || got != want {
			t.Errorf("%v: expected option %d, got %d", version, want, got)
		}
		if got := r.b.ClockState(); got.Option != int(want) || !got.Remote() {
			t.Errorf("%v: expected option %d, got %+v", version, want, got)
		}
	}
}

func TestAdjustARunningClock(t *testing.T) {
	b := New(Config{Clock: Fischer(time.Minute, 0, dgt.Left)})
	if !b.AdjustClock(time.Hour, 20*time.Hour) {
		t.Error("expected a standing clock to be changed")
	}
	if s := b.ClockState(); s.Left != time.Hour || s.Right != dgt.MaxClock {
		t.Errorf("expected 1:00:00 and 9:59:59, got %+v", s)
	}
	b.Hands().StartStop()
	b.Advance(time.Second, nil)
	h := b.Hands()
	act(t, "adjust 1:00 1:00")(h)
	if h.Err() == nil {
		t.Error("expected an error for a running clock")
	}
}

func TestBattery(t *testing.T) {
	r := newRig(t, Config{Clock: ClockSetting{BatteryLow: true}})
	r.send(dgt.UpdateNice(), dgt.SendClock())
	if !last[*dgt.ClockTime](t, r.take()).BatteryLow {
		t.Error("expected a low battery from the start")
	}
	for order, want := range map[string]bool{"battery ok": false, "battery low": true} {
		r.b.SetClockBattery(!want)
		r.run(time.Second)
		r.take()
		r.do(act(t, order))
		r.run(time.Second)
		if got := last[*dgt.ClockTime](t, r.take()).BatteryLow; got != want {
			t.Errorf("%s: expected %v, got %v", order, want, got)
		}
	}
}

func TestShown(t *testing.T) {
	display := func(text string) dgt.Command {
		c, err := dgt.Display(text, true)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ascii, err := dgt.ASCII("table 12", 1)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		version  dgt.ClockVersion
		commands []dgt.Command
		want     string
	}{
		{ClockXL, []dgt.Command{display("tab 12")}, "tab 12"},
		{ClockXL, []dgt.Command{display("go")}, "go"},
		{ClockXL, []dgt.Command{display("s")}, "5"}, // they look the same
		{ClockXL, []dgt.Command{ascii}, ""},
		{Clock3000, []dgt.Command{ascii}, "table 12"},
		{Clock3000, []dgt.Command{ascii, dgt.EndDisplay()}, ""},
		{Clock3000, []dgt.Command{ascii, setTo(t, time.Minute)}, "table 12"},
	}
	for _, c := range cases {
		r := newRig(t, Config{Clock: ClockSetting{Version: c.version, Remote: true}})
		r.send(dgt.UpdateNice())
		for _, command := range c.commands {
			r.send(command)
			r.run(500 * time.Millisecond)
		}
		if got := r.b.Shown(); got != c.want {
			t.Errorf("%v %v: expected %q, got %q", c.version, c.commands, c.want, got)
		}
	}
}

// A clock in remote mode that is told which side runs, and what its lever does.
func TestRemoteLever(t *testing.T) {
	const d = 5 * time.Minute
	cases := []struct {
		name   string
		run    dgt.Run
		orders []string
		want   string
	}{
		{"toggles", dgt.RunLeft | dgt.Toggle, []string{"wait 10s", "press"}, "4m50s 5m0s right"},
		{"toggles back", dgt.RunLeft | dgt.Toggle, []string{"wait 10s", "press", "wait 10s", "press"}, "4m50s 4m50s left"},
		{"lever alone", dgt.RunLeft, []string{"wait 10s", "press"}, "4m50s 5m0s left"},
		{"standing", dgt.Pause | dgt.Toggle, []string{"wait 10s", "press", "press"}, "5m0s 5m0s stands"},
		{"against the lever", dgt.RunRight | dgt.Toggle, []string{"wait 10s", "press"}, "5m0s 4m50s left"},
		{"run button", dgt.RunLeft, []string{"wait 10s", "button run"}, "4m50s 5m0s left"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Clock: ClockSetting{Remote: true}})
			set, err := dgt.SetAndRun(d, d, c.run)
			if err != nil {
				t.Fatal(err)
			}
			r.b.Receive(dgt.UpdateNice().AppendTo(nil))
			r.b.Receive(set.AppendTo(nil))
			h := r.b.Hands()
			act(t, c.orders...)(h)
			r.b.Advance(h.At(), nil)
			if got := faces(r.b); got != c.want {
				t.Errorf("expected %s, got %s", c.want, got)
			}
		})
	}
}
