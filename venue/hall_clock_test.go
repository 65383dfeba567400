package venue_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/venue"
)

// remoteBoard powers up a board in real time with a clock in remote mode that shows
// nothing anybody wants.
func remoteBoard(t *testing.T, link string) *emulator.Device {
	t.Helper()
	d, err := emulator.Open(t.Context(), emulator.Options{Link: link, Speed: 1, Config: emulator.Config{
		Seed: 7, Identity: emulator.Identity{Serial: 11111}, Men: dgt.StartPlacement(),
		Clock: emulator.ClockSetting{Remote: true, Left: time.Minute, Right: time.Minute},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// The clocks of a hall are set by the configuration alone, started by order, and a
// claim that is ruled incorrect adds its time (Laws 9.5.3), all over real ports.
func TestHallSetsClocksAndCarriesOutRulings(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	d := remoteBoard(t, link)
	config := listed(link)
	config.Event.TimeControl, config.Event.Clock, config.Event.TableOnClock = "5+3", venue.ClockAuto, true
	h := openHallAt(t, config, 1)
	h.live(1)
	clocks := func(white, black int64, running string) func([]broadcast.Change) bool {
		return func(shown []broadcast.Change) bool {
			for i := len(shown) - 1; i >= 0; i-- {
				if c := shown[i]; c.Type == broadcast.TypeClock && c.WhiteMS != nil {
					off := *c.WhiteMS - white*1000
					return off <= 0 && off >= -3000 && *c.BlackMS == black*1000 && c.Running == running
				}
			}
			return false
		}
	}
	h.until("the start times", clocks(303, 303, ""))
	state := func() (s emulator.ClockState, text string) {
		if err := d.With(t.Context(), func(b *emulator.Board) { s, text = b.ClockState(), b.Shown() }); err != nil {
			t.Fatal(err)
		}
		return s, text
	}
	if s, _ := state(); s.Left != 303*time.Second || s.Right != 303*time.Second || !s.Toggles {
		t.Errorf("the device has %+v", s)
	}
	shows := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(patience); ; {
			_, text := state()
			if strings.TrimSpace(text) == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the clock shows %q, want %q", text, want)
			}
		}
	}
	shows("table 1")
	for _, order := range []string{"start-clock", "claim white threefold by arbiter Novak"} {
		if err := h.Order(1, order); err != nil {
			t.Fatalf("%s: %v", order, err)
		}
	}
	shows("")
	h.until("a pause for the claim", clocks(303, 303, ""))
	begun := time.Now()
	if err := h.Order(1, "ruling incorrect by arbiter Novak"); err != nil {
		t.Fatal(err)
	}
	h.until("a minute more for Black", clocks(303, 363, "white"))
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("the added time showed after %v, want at most 2 s", took)
	}
	if s, _ := state(); s.Right < 362*time.Second || !s.LeftCounts {
		t.Errorf("the device has %+v", s)
	}
	if err := h.Order(1, "ruling correct"); err == nil {
		t.Error("a ruling without a claim was obeyed")
	}
}
