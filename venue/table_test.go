package venue

import (
	"slices"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/rules"
)

// A clock is published when it reads otherwise than before, and stands still once there is a result.
func TestTableShowsClock(t *testing.T) {
	table := NewTable(TableOptions{Number: 3})
	reading := func(at time.Duration, left time.Duration, running bool) {
		m := &dgt.ClockTime{Left: dgt.ClockFace{Time: left}, Right: dgt.ClockFace{Time: 5 * time.Minute}, Running: running}
		table.Received(at, dgt.AppendMessage(nil, m))
	}
	var got []broadcast.Change
	keep := func() {
		got = append(got, slices.DeleteFunc(table.Take(), func(c broadcast.Change) bool { return c.Type != broadcast.TypeClock })...)
	}
	table.Received(0, dgt.AppendMessage(nil, &dgt.BoardDump{Placement: dgt.StartPlacement()}))
	reading(time.Second, 5*time.Minute, false)
	reading(2*time.Second, 5*time.Minute, true)
	reading(3*time.Second, 5*time.Minute, true) // nothing new
	reading(4*time.Second, 299*time.Second, true)
	keep()
	table.Result(5*time.Second, rules.Draw)
	reading(6*time.Second, 297*time.Second, true)
	keep()
	type row struct {
		at, white int64
		running   string
	}
	var rows []row
	for _, c := range got {
		if c.Board != 3 {
			t.Errorf("clock of board %d, want 3", c.Board)
		}
		rows = append(rows, row{c.AtMS, *c.WhiteMS, c.Running})
	}
	want := []row{{1000, 300000, ""}, {2000, 300000, "white"}, {4000, 299000, "white"}}
	if !slices.Equal(rows, want) {
		t.Errorf("clocks %v, want %v", rows, want)
	}
}
