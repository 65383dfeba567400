package venue_test

import (
	"slices"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
)

// Nobody's game in progress gets the start times of another: a clock that runs, and one
// beside a board in mid-game, are left alone by the order that comes with each game.
func TestSettingWaitsForTheArray(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(k *clockTable)
		set     bool
	}{
		{"array", func(*clockTable) {}, true},
		{"men moved", func(k *clockTable) {
			h := k.board.Hands()
			h.Remove(square("d2"))
			h.Remove(square("d7"))
			k.pass(3 * time.Second)
		}, false},
		{"men moved, then set up", func(k *clockTable) {
			h := k.board.Hands()
			h.Remove(square("d2"))
			k.pass(3 * time.Second)
			k.order("set-clock auto")
			k.pass(3 * time.Second)
			h = k.board.Hands()
			h.Put(square("d2"), dgt.WhitePawn)
			k.pass(3 * time.Second)
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newClockTable(t, "900+10", emulator.Config{Seed: 3, Lag: ptr(steady(3))}, dgt.Left)
			tt.prepare(k)
			k.order("set-clock auto")
			k.pass(4 * time.Second)
			if got := k.sent > 0; got != tt.set {
				t.Errorf("%d commands to the clock, want any: %t", k.sent, tt.set)
			}
			if codes := k.codes(); slices.Contains(codes, "clock.set_failed") {
				t.Errorf("alerts %q", codes)
			}
		})
	}
}

// square is a square as the emulated board counts them.
func square(name string) dgt.Square {
	return dgt.Square(8*(7-int(name[1]-'1')) + int(name[0]-'a'))
}
