package emulator_test

import (
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
)

func TestSetClockBetweenGames(t *testing.T) {
	b := emulator.New(emulator.Config{Seed: 1, Clock: emulator.Fischer(time.Minute, 0, dgt.Left)})
	h := b.Hands()
	h.StartStop()
	h.Wait(10 * time.Second)
	h.Press()
	b.Advance(h.At()+5*time.Second, nil)
	if c := b.Clock(); !c.Running || c.LeverHigh != dgt.Right {
		t.Fatalf("before: %+v", c)
	}
	b.SetClock(emulator.Fischer(15*time.Minute, 10*time.Second, dgt.Right))
	b.Advance(b.Now()+time.Minute, nil)
	c := b.Clock()
	want := 15*time.Minute + 10*time.Second
	if c.Running || c.NoClock || c.LeverHigh != dgt.Right || c.Left.Time != want || c.Right.Time != want {
		t.Errorf("after: %+v, want both at %v, standing, right to move", c, want)
	}
}
