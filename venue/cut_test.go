package venue_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/dgt/tape"
	"boardd/rules"
	"boardd/venue"
)

const opera = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"

// lastOf plays a tape and gives the position it ends with, and its result.
func lastOf(t *testing.T, tp *tape.Tape) string {
	t.Helper()
	p, err := venue.NewPlayback(tp.Header, venue.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tp.Events {
		if err := p.Play(e); err != nil {
			t.Fatal(err)
		}
	}
	p.End()
	record := p.Table.Record()
	return record[len(record)-1].Current().FEN() + " " + string(record[0].Result)
}

// cutEverywhere cuts a tape at many places; each piece must end as the whole does there.
// It returns how many pieces begin where they were to.
func cutEverywhere(t *testing.T, tp *tape.Tape, pieces int) (exact int) {
	t.Helper()
	last := tp.Events[len(tp.Events)-1].At
	for i := range pieces {
		from := last * time.Duration(i) / time.Duration(pieces)
		to := last - (last-from)*time.Duration(i%3)/4
		cut, begins, err := venue.Cut(tp, from, to)
		if err != nil {
			t.Fatalf("from %v to %v: %v", from, to, err)
		}
		if begins > max(from, tp.Events[0].At) {
			t.Errorf("from %v: begins at %v", from, begins)
		}
		if from-begins < time.Millisecond {
			exact++
		}
		// What a file holds is what counts.
		again, err := tape.Read(bytes.NewReader(tapeText(t, cut)), "cut.tape")
		if err != nil {
			t.Fatal(err)
		}
		var before tape.Tape
		before.Header = tp.Header
		for _, e := range tp.Events {
			if e.At <= to {
				before.Events = append(before.Events, e)
			}
		}
		if again.Events[0].At < begins && begins > tp.Events[0].At || again.Events[len(again.Events)-1].At > to {
			t.Errorf("from %v to %v: holds %v to %v", from, to, again.Events[0].At, again.Events[len(again.Events)-1].At)
		}
		if got, want := lastOf(t, again), lastOf(t, &before); got != want {
			t.Errorf("from %v to %v ends with %s, the whole with %s", begins, to, got, want)
		}
	}
	return exact
}

func TestCutReplaysToTheSame(t *testing.T) {
	made, err := tapeOfCase(rules.StartFEN, playedOut(t, rules.StartFEN, opera), plainWire)
	if err != nil {
		t.Fatal(err)
	}
	if exact := cutEverywhere(t, made, 60); exact < 30 {
		t.Errorf("%d of 60 pieces begin where they were to, want most", exact)
	}
}

func TestCutOfRealSessions(t *testing.T) {
	for _, name := range []string{"real-1.tape", "real-2.tape"} {
		tp, err := tape.ReadFile(filepath.Join(sharedFolder(t), "captures", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of 20 pieces begin where they were to", name, cutEverywhere(t, tp, 20))
	}
}

func TestCutKeepsOrdersInForce(t *testing.T) {
	made, err := tapeOfCase(rules.StartFEN, playedOut(t, rules.StartFEN, opera), plainWire)
	if err != nil {
		t.Fatal(err)
	}
	n := len(made.Events) / 8
	at := made.Events[n].At
	made.Events = slices.Insert(made.Events, n, tape.Event{At: at, Kind: tape.Order, Text: "tc 5+3"})
	last := made.Events[len(made.Events)-1].At
	cut, begins, err := venue.Cut(made, last/2, last)
	if err != nil || begins <= at {
		t.Fatalf("begins at %v, the order was at %v; error %v", begins, at, err)
	}
	if text := string(tapeText(t, cut)); !strings.Contains(text, "@ tc 5+3\n") {
		t.Errorf("the piece lacks what was in force:\n%s", text)
	}
}

func TestCutOfNothing(t *testing.T) {
	made, err := tapeOfCase(rules.StartFEN, playedOut(t, rules.StartFEN, "e4 e5"), plainWire)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := venue.Cut(made, time.Hour, 2*time.Hour); err == nil || !strings.Contains(err.Error(), "expected events from 3600000 to 7200000 ms, got none") {
		t.Errorf("got %v", err)
	}
	made.Events = append(made.Events, tape.Event{At: time.Hour, Kind: tape.Order, Text: "sing"})
	if _, _, err := venue.Cut(made, 0, 2*time.Hour); err == nil || !strings.Contains(err.Error(), "event at 3600000 ms") {
		t.Errorf("got %v", err)
	}
}

// Whatever is on a tape, a piece of it is made or refused, and a piece that is made plays.
func FuzzCut(f *testing.F) {
	f.Add([]byte(tape.Magic+"\n0 < 86000300\n5 ! down\n9 ! up\n20 @ result 1-0\n30 @ tc 5+3\n"), 5, 25)
	var made tape.Tape
	if tp, err := tapeOfCase(rules.StartFEN, playedOut(f, rules.StartFEN, "e4 e5 Nf3"), plainWire); err == nil {
		made = *tp
	}
	f.Add(tapeText(f, &made), 3000, 9000)
	f.Fuzz(func(t *testing.T, text []byte, from, to int) {
		tp, err := tape.Read(bytes.NewReader(text), "x.tape")
		if err != nil || len(tp.Events) > 2000 {
			return
		}
		cut, begins, err := venue.Cut(tp, time.Duration(from)*time.Millisecond, time.Duration(to)*time.Millisecond)
		if err != nil {
			return
		}
		if len(cut.Events) == 0 || cut.Events[len(cut.Events)-1].At > time.Duration(to)*time.Millisecond || begins > max(tp.Events[0].At, time.Duration(from)*time.Millisecond) {
			t.Errorf("from %d to %d begins at %v with %d events", from, to, begins, len(cut.Events))
		}
		lastOf(t, cut)
	})
}
