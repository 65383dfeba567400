package venue

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"boardd/broadcast/livechess"
	"boardd/dgt"
	"boardd/dgt/tape"
)

// dumpBytes is a board that tells all that stands on it.
func dumpBytes(men dgt.Placement) []byte {
	b := []byte{0x86, 0x00, 67}
	for _, p := range men {
		b = append(b, byte(p))
	}
	return b
}

// Every man lifted and set down is told of by itself, also when the line brings several at once; and so is who sits where.
func TestSeatsTellEachManLiftedAndSetDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{})
		b.end() // its pipeline is a script
		var told []string
		d := b.desk
		d.inbox, d.board, d.down, d.tape = newInbox(), "", false, nil
		d.open = func(o TableOptions) (pipeline, error) { return NewPlayback(nil, o) }
		d.sensed = func(s livechess.Seat) {
			men := "?"
			if s.Seen {
				men = s.Men.String()
			}
			told = append(told, fmt.Sprintf("%d %s %s here=%v whole=%v %s", s.Table, s.Serial, s.Port, s.Here, s.Whole, men))
		}
		go b.run()
		b.do(func(d *desk) { d.seat(0, "12345", "/dev/a", "") })
		const (
			start  = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
			lifted = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"
			after  = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
		)
		expect := func(want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			told = nil
		}
		expect("4 12345 /dev/a here=true whole=false ?")
		b.send(string(dumpBytes(dgt.StartPlacement())))
		expect("4 12345 /dev/a here=true whole=true " + start)
		b.send("\x8e\x00\x05\x34\x00" + "\x8e\x00\x05\x24\x01" + "\x8e\x00\x05\x24\x01") // e2, e4, and e4 again
		expect("4 12345 /dev/a here=true whole=false "+lifted, "4 12345 /dev/a here=true whole=false "+after)
		b.inbox.put(note{Event: tape.Event{At: b.now(), Kind: tape.Link, Text: tape.LinkDown}, text: "unplugged"})
		synctest.Wait()
		expect("4 12345 /dev/a here=false whole=false " + after)
		b.do(func(d *desk) { d.seat(b.now(), "54321", "/dev/b", "") })
		if len(told) < 2 || told[0] != "4 12345 /dev/a here=false whole=false "+after || strings.Join(told[1:], "")[:14] != "4 54321 /dev/b" ||
			!strings.HasPrefix(told[len(told)-1], "4 54321 /dev/b here=true whole=false ?") {
			t.Errorf("a spare board: %q", told)
		}
		b.end()
	})
}

// Who does not ask for them gets none.
func TestSightingsAreNotedOnlyWhenWanted(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		table := NewTable(TableOptions{Number: 1, sights: wanted})
		table.Received(0, dumpBytes(dgt.StartPlacement()))
		if got := len(table.sightings()); (got > 0) != wanted {
			t.Errorf("wanted %v: %d sightings", wanted, got)
		}
	}
}
