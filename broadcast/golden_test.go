package broadcast

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs (go test -update writes it anew; say in the commit why):\nexpected\n%s\ngot\n%s", path, want, got)
	}
}

// TestChangeJSON holds the names of Change still: users script them.
func TestChangeJSON(t *testing.T) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for _, c := range []Change{
		{Type: TypeGame, Board: 1, FEN: startFEN, Tags: map[string]string{"White": "A", "Black": "B"}},
		{Type: TypeTags, Board: 1, AtMS: 1, Tags: map[string]string{"White": "A"}},
		{Seq: 7, TimeMS: 1_800_000_000_000, Type: TypeMove, Board: 1, AtMS: 2, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: "f", ClockMS: MS(time.Minute)},
		{Type: TypeMove, Board: 1, AtMS: 2, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: "f"},
		{Type: TypeReplace, Board: 1, AtMS: 3, Ply: 1, FEN: "f", Moves: []Move{{Ply: 1, SAN: "d4", UCI: "d2d4", ClockMS: MS(0), AtMS: 3}}},
		{Type: TypeRetract, Board: 1, AtMS: 4, Ply: 1, FEN: startFEN},
		{Type: TypeClock, Board: 1, AtMS: 5, WhiteMS: MS(0), BlackMS: MS(time.Hour), Running: RunningBlack},
		{Type: TypeClock, Board: 1, AtMS: 6, WhiteMS: MS(0), BlackMS: MS(time.Hour)},
		{Type: TypeClock, Board: 1, AtMS: 7, Ply: 3, ClockMS: MS(90 * time.Second)},
		{Type: TypeAlert, Board: 1, AtMS: 8, Ply: 3, Code: "move.illegal", Detail: "Nb1-d3"},
		{Type: TypeResult, Board: 1, AtMS: 9, Result: "1/2-1/2"},
		{Type: TypeStatus, Board: 1, AtMS: 10, Status: LinkLost, Text: "unplugged"},
	} {
		if err := enc.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "changes.jsonl", out.Bytes())
}

// TestSession writes what a client is sent in a short session, and the state it must end in. The page's own
// tests (web/test/session.test.ts) play the same file, so that both sides of the protocol agree.
func TestSession(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	h := NewHub(Options{Stream: "golden", Title: "Open", Now: func() time.Time { return now }})
	// The owner's steps without the owner, so that which changes share a frame does not depend on scheduling.
	flush := func(after time.Duration) {
		h.public.takeWaiting()
		h.public.flush(now, h.public.hubMS(now))
		now = now.Add(after)
	}
	c := &client{queue: make(chan *frame, 100)}
	h.public.stream.join(c, request{}, h.public.hubMS(now))
	a := newHall(t, h)
	a.game(2, "White Ågård", "Black B")
	a.play(2, "e4", "c5")
	flush(time.Second)
	a.play(2, "Nf3", "d6")
	a.clocks(2)
	flush(3 * time.Second)
	a.game(1, "White C", "Black D")
	a.play(1, "d4")
	h.Publish(Change{Type: TypeReplace, Board: 2, AtMS: 9, Ply: 4, FEN: "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
		Moves: []Move{{Ply: 4, SAN: "Nc6", UCI: "b8c6", AtMS: 9}}})
	h.Publish(Change{Type: TypeClock, Board: 2, AtMS: 10, Ply: 4, ClockMS: MS(time.Hour)})
	h.Publish(Change{Type: TypeRetract, Board: 1, AtMS: 11, Ply: 1, FEN: startFEN})
	flush(time.Second)
	h.Publish(Change{Type: TypeStatus, Board: 1, AtMS: 12, Status: LinkLost, Text: "unplugged"})
	h.Publish(Change{Type: TypeTags, Board: 1, AtMS: 13, Tags: map[string]string{"White": "E", "Black": "D"}})
	h.Publish(Change{Type: TypeResult, Board: 2, AtMS: 14, Result: "1/2-1/2"})
	flush(time.Second)
	h.Publish(Change{Type: TypeStatus, Board: 1, AtMS: 15, Status: LinkBack})
	flush(12 * time.Second)
	h.public.beat(now, h.public.hubMS(now))
	var out bytes.Buffer
	for len(c.queue) > 0 {
		if f := <-c.queue; len(f.data) > 0 {
			out.Write(append(f.data, '\n'))
		}
	}
	out.Write(append(h.public.view(h.public.hubMS(now)).JSON, '\n'))
	golden(t, "session.jsonl", out.Bytes())
}
