package dgt

import (
	"os"
	"path/filepath"
	"testing"

	"boardd/dgt/tape"
)

// The two games recorded from real boards hold nothing but dumps, updates and
// times of exact length; no acknowledge, no other id; and the turn bits always
// agree with the lever (section 9.1).
func TestCaptures(t *testing.T) {
	for _, c := range []struct {
		name                  string
		dumps, updates, times int
	}{
		{"real-1.tape", 1, 131, 323},
		{"real-2.tape", 1, 226, 578},
	} {
		var dumps, updates, times, others int
		var board Placement
		s := decodeTape(t, filepath.Join(shared(t), "captures", c.name), func(m Message) {
			switch m := m.(type) {
			case *BoardDump:
				dumps++
				board = m.Placement
			case *FieldUpdate:
				updates++
				if board[m.Square] == m.Piece {
					t.Errorf("%s: %v changes nothing", c.name, m)
				}
				board[m.Square] = m.Piece
			case *ClockTime:
				times++
			default:
				others++
			}
		})
		if dumps != c.dumps || updates != c.updates || times != c.times || others != 0 {
			t.Errorf("%s: %d dumps, %d updates, %d times, %d others", c.name, dumps, updates, times, others)
		}
		n := uint64(dumps + updates + times)
		if want := (DecoderStats{Bytes: s.Bytes, MessageBytes: s.Bytes, Messages: n}); s != want {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// The simulated sessions without noise decode without a skipped byte, and
// their logs without an unknown entry.
func TestTapes(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared(t), "tapes", "*", "0000.tape"))
	if len(files) == 0 {
		t.Skip("no tapes in the shared folder")
	}
	logs := 0
	for _, name := range files {
		s := decodeTape(t, name, func(m Message) {
			l, ok := m.(*EELog)
			if !ok {
				return
			}
			logs++
			for _, e := range l.Parse() {
				if e.Kind == LogUnknown || e.Kind == LogNewer {
					t.Errorf("%s: log: %v at %d", name, e, e.Offset)
				}
			}
		})
		noise := filepath.Base(filepath.Dir(name)) == "noiseline"
		if bad := s.SkippedBytes + s.BadLength + s.Unknown; !noise && bad != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if logs == 0 {
		t.Error("no log on any tape")
	}
}

func decodeTape(t *testing.T, name string, emit func(Message)) DecoderStats {
	t.Helper()
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		t.Skipf("no tape: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tp, err := tape.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	var d Decoder
	for _, e := range tp.Events {
		switch {
		case e.Kind == tape.Received:
			d.Feed(e.Data, emit)
		case e.Kind == tape.Link && e.Text == tape.LinkDown:
			d.Reset()
		}
	}
	return d.Stats()
}
