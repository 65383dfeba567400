package venue_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardd/broadcast"
	"boardd/dgt/tape"
	"boardd/venue"
)

// A session replays to the same changes every time, however its bytes were cut
// into reads: that is what a tape is worth.
func TestReplayIsTheSame(t *testing.T) {
	for _, c := range readCases(t, filepath.Join("testdata", "cases.jsonl")) {
		t.Run(c.ID, func(t *testing.T) {
			tp, err := tapeOfCase(c.Input.FEN, c.Input.Events, plainWire)
			if err != nil {
				t.Fatal(err)
			}
			once := changesOf(t, tp)
			if diff := cmp.Diff(once, changesOf(t, tp)); diff != "" {
				t.Errorf("played again (-first +second):\n%s", diff)
			}
			if diff := cmp.Diff(once, changesOf(t, byteByByte(tp))); diff != "" {
				t.Errorf("byte by byte (-whole +cut):\n%s", diff)
			}
		})
	}
}

// byteByByte is the same session with every read cut into its bytes.
func byteByByte(tp *tape.Tape) *tape.Tape {
	cut := &tape.Tape{Header: tp.Header}
	for _, e := range tp.Events {
		if e.Kind != tape.Received {
			cut.Events = append(cut.Events, e)
			continue
		}
		for i := range e.Data {
			one := e
			one.Data = e.Data[i : i+1]
			cut.Events = append(cut.Events, one)
		}
	}
	return cut
}

func changesOf(t *testing.T, tp *tape.Tape) (changes []broadcast.Change) {
	t.Helper()
	p, err := venue.NewPlayback(tp.Header, venue.TableOptions{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tp.Events {
		if err := p.Play(e); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, p.Table.Take()...)
	}
	p.End()
	return append(changes, p.Table.Take()...)
}
