package link

import (
	"context"
	"path/filepath"
	"testing"

	"boardd/dgt"
	"boardd/dgt/emulator"
)

// The whole session against the physically honest board, in its own time: scans, pacing, clock and bus mode at power-up.
func TestLinkWithTheEmulatedBoard(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds of board time")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	path := filepath.Join(t.TempDir(), "board")
	device, err := emulator.Open(ctx, emulator.Options{
		Config: emulator.Config{Identity: emulator.Identity{Serial: 24680}, Men: dgt.StartPlacement()},
		Link:   path,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	l := New(Config{Path: path})
	r := start(t, l.Run)
	if e := r.state(Up); e.Status.Identity.Serial != "24680" {
		t.Fatalf("identity %+v", e.Status.Identity)
	}
	r.received(dumpOf(dgt.StartPlacement())...)
	r.sent(0x4b)

	e2, e4 := dgt.Square(52), dgt.Square(36)
	if err := device.Do(ctx, func(h *emulator.Hands) { h.Move(e2, e4) }); err != nil {
		t.Fatal(err)
	}
	r.received(0x8e, 0, 5, byte(e4), byte(dgt.WhitePawn))
	r.sent(0x42) // after quiet
	after := dgt.StartPlacement()
	after[e2], after[e4] = dgt.Empty, dgt.WhitePawn
	r.received(dumpOf(after)...)

	if err := device.Unplug(ctx); err != nil {
		t.Fatal(err)
	}
	r.state(Down)
	if err := device.Replug(ctx); err != nil {
		t.Fatal(err)
	}
	if e := r.state(Up); e.Status.Identity.Serial != "24680" {
		t.Errorf("identity %+v", e.Status.Identity)
	}
	r.received(dumpOf(after)...)
	r.sent(0x4b)
}
