package emulator_test

import (
	"fmt"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
)

// A board in simulated time: the host asks for updates, somebody plays e2-e4
// and presses the clock.
func ExampleBoard() {
	b := emulator.New(emulator.Config{
		Seed:  1,
		Men:   dgt.StartPlacement(),
		Clock: emulator.Fischer(3*time.Minute, 2*time.Second, dgt.Left),
	})
	b.Receive(dgt.UpdateNice().AppendTo(nil))

	const e2, e4 = 52, 36
	h := b.Hands()
	h.StartStop()
	h.Wait(1500 * time.Millisecond)
	h.Play(e2, e4)
	h.Press()

	var d dgt.Decoder
	d.Feed(b.Advance(h.At()+time.Second, nil), func(m dgt.Message) {
		switch m := m.(type) {
		case *dgt.FieldUpdate:
			fmt.Println(m)
		case *dgt.ClockTime:
			fmt.Println(m.Left.Time, m.Right.Time, "to move:", m.LeverHigh)
		}
	})
	// Output:
	// 3m2s 3m2s to move: left
	// 3m1s 3m2s to move: left
	// e2 .
	// e4 P
	// 3m0s 3m2s to move: left
	// 3m2s 3m2s to move: right
}
