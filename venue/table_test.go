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

// Plies taken back and others put in their place are one change; a takeback alone stays one.
func TestJoin(t *testing.T) {
	move := func(ply int, san string) broadcast.Change {
		return broadcast.Change{Type: broadcast.TypeMove, Ply: ply, SAN: san, FEN: "after " + san}
	}
	retract := func(ply int) broadcast.Change {
		return broadcast.Change{Type: broadcast.TypeRetract, Ply: ply, FEN: "before"}
	}
	alert := broadcast.Change{Type: broadcast.TypeAlert, Code: "move.corrected"}
	clock := broadcast.Change{Type: broadcast.TypeClock, Ply: 3}
	short := func(changes []broadcast.Change) (s []string) {
		for _, c := range changes {
			line := c.Type
			for _, m := range c.Moves {
				line += " " + m.SAN
			}
			s = append(s, line+" "+c.FEN)
		}
		return s
	}
	for _, c := range []struct {
		name string
		in   []broadcast.Change
		want []string
	}{
		{"nothing", nil, nil},
		{"moves", []broadcast.Change{move(1, "e4"), move(2, "e5")}, []string{"move after e4", "move after e5"}},
		{"takeback", []broadcast.Change{retract(3), alert}, []string{"retract before", "alert "}},
		{"replacement", []broadcast.Change{move(2, "e5"), retract(2), alert, move(2, "c5"), move(3, "Nf3"), clock},
			[]string{"move after e5", "replace c5 Nf3 after Nf3", "alert ", "clock "}},
		{"a ply elsewhere", []broadcast.Change{retract(2), move(4, "d4")}, []string{"retract before", "move after d4"}},
	} {
		if got := short(join(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
