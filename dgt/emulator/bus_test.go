package emulator

import (
	"slices"
	"testing"
	"time"

	"boardd/dgt"
)

func busRig(t *testing.T) *rig {
	c := start(2)
	c.Identity.Serial = 1025
	r := newRig(t, c)
	r.decoder.Mode = dgt.Bus
	r.run(time.Second)
	return r
}

func TestBusAnswers(t *testing.T) {
	cases := []struct {
		op   dgt.BusOp
		want string
	}{
		{dgt.BusSendPing, "\x87\x00\x06\x08\x01\x16"},
		{dgt.BusSendVersion, "\x89\x00\x08\x08\x01\x04\x00\x1e"},
		{dgt.BusSendClock, "\x84\x00\x0d\x08\x01\x20\x03\x02\x20\x03\x02\x08\x6c"},
		{dgt.BusSetStartGame, "\x88\x00\x06\x08\x01\x17"},
	}
	for _, c := range cases {
		r := busRig(t)
		r.send(dgt.BusCommand(c.op, 1025))
		r.run(200 * time.Millisecond)
		if string(r.raw) != c.want {
			t.Errorf("%v: expected % x, got % x", c.op, c.want, r.raw)
		}
		r.raw = nil
		r.send(dgt.BusCommand(c.op, 1026))
		r.run(2 * time.Second)
		if len(r.raw) > 0 {
			t.Errorf("%v to another board: expected silence, got % x", c.op, r.raw)
		}
	}
}

func TestBusChanges(t *testing.T) {
	r := busRig(t)
	changes := func() []string {
		t.Helper()
		r.send(dgt.BusCommand(dgt.BusSendChanges, 1025))
		r.run(time.Second)
		return texts(last[*dgt.BusChanges](t, r.take()).Parse())
	}
	changes() // power-up
	r.do(act(t, "move e2e4"))
	if got, want := changes(), []string{"e2 .", "e4 P"}; !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
	r.send(dgt.BusCommand(dgt.BusRepeatChanges, 1025))
	if got, want := texts(last[*dgt.BusChanges](t, r.take()).Parse()), []string{"e2 .", "e4 P"}; !slices.Equal(got, want) {
		t.Errorf("repeat: expected %v, got %v", want, got)
	}
	// A man that goes back the way it came must not change what was told.
	r.do(act(t, "move e4e2"))
	if got, want := changes(), []string{"e4 .", "e2 P"}; !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
	if got := changes(); len(got) != 0 {
		t.Errorf("expected nothing new, got %v", got)
	}
}

func TestBusFromStart(t *testing.T) {
	r := busRig(t)
	r.send(dgt.BusCommand(dgt.BusSetStartGame, 1025))
	r.run(time.Second)
	r.do(act(t, "move e2e4"))
	r.send(dgt.BusCommand(dgt.BusSendChanges, 1025))
	r.do(act(t, "move e7e5"))
	r.take()
	r.send(dgt.BusCommand(dgt.BusSendFromStart, 1025))
	events := last[*dgt.BusFromStart](t, r.take()).Parse()
	if events[0].Kind != dgt.LogStartTag {
		t.Fatalf("expected the start tag first, got %v", events[0])
	}
	got := texts(events[33:])
	if want := []string{"e2 .", "e4 P"}; !slices.Equal(got, want) {
		t.Errorf("expected what was told since the start %v, got %v", want, got)
	}
}

func TestPingToAll(t *testing.T) {
	r := busRig(t)
	r.send(dgt.BusCommand(dgt.BusIgnoreNextPing, 1025))
	r.raw = nil
	r.send(dgt.BusCommand(dgt.BusSendPing, dgt.AllBoards))
	r.run(2 * time.Second)
	if len(r.raw) > 0 {
		t.Errorf("expected the next ping to be ignored, got % x", r.raw)
	}
	r.send(dgt.BusCommand(dgt.BusSendPing, dgt.AllBoards))
	r.run(2 * time.Second)
	if want := "\x87\x00\x06\x08\x01\x16"; string(r.raw) != want {
		t.Errorf("expected % x, got % x", want, r.raw)
	}
}

func TestSingleModeAndBack(t *testing.T) {
	r := busRig(t)
	r.send(dgt.SendVersion())
	r.raw = nil
	r.send(dgt.BusCommand(dgt.BusSendPing, 1025))
	if len(r.raw) > 0 {
		t.Errorf("expected the first bus command only to change the mode, got % x", r.raw)
	}
	r.send(dgt.BusCommand(dgt.BusSendPing, 1025))
	if len(r.raw) != 6 {
		t.Errorf("expected the second to be answered, got % x", r.raw)
	}
}
