package emulator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
)

// shapes runs one choreography for many seeds and counts the rows of updates
// that the board makes of it.
func shapes(t *testing.T, men dgt.Placement, manner Manner, act func(h *Hands)) map[string]int {
	t.Helper()
	count := map[string]int{}
	for seed := range uint64(200) {
		r := newRig(t, Config{Seed: seed, Men: men, Manner: manner})
		r.send(dgt.UpdateBoard())
		r.run(time.Duration(seed) * time.Millisecond)
		r.do(act)
		count[strings.Join(updates(r.take()), ", ")]++
	}
	return count
}

func placement(t *testing.T, field string) dgt.Placement {
	t.Helper()
	p, err := ParsePlacement(field)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func share(count map[string]int, row string) float64 {
	n := 0
	for _, c := range count {
		n += c
	}
	return float64(count[row]) / float64(n)
}

func TestPawnPushedForward(t *testing.T) {
	// Black's c7-c6: the lower index is read first, so usually the pawn leaves
	// before it arrives; while it is on both squares it reads on both.
	count := shapes(t, placement(t, "8/2p5/8/8/8/8/8/8"), Manner{}, act(t, "slide c7c6"))
	if share(count, "c7 ., c6 p")+share(count, "c6 p, c7 .") != 1 {
		t.Errorf("expected only two ways, got %v", count)
	}
	if s := share(count, "c6 p, c7 ."); s < 0.02 || s > 0.98 {
		t.Errorf("expected placed before lifted to happen sometimes, got %v", count)
	}
}

func TestSlideReadsOnItsWay(t *testing.T) {
	// From the raw capture, Ra1-f1: a1 empty, d1 rook, d1 empty, ...
	count := shapes(t, placement(t, "8/8/8/8/8/8/8/R7"), Manner{Haste: 0.7}, act(t, "slide a1f1"))
	if share(count, "a1 ., f1 R") > 0.5 {
		t.Errorf("expected most slides to be seen on the way, got %v", count)
	}
	for row := range count {
		if !strings.Contains(row, "f1 R") || !strings.Contains(row, "a1 .") {
			t.Errorf("expected every slide to begin at a1 and end on f1, got %q", row)
		}
	}
}

func TestHopReadsNowhere(t *testing.T) {
	count := shapes(t, placement(t, "8/8/8/8/8/8/8/R7"), Manner{}, act(t, "move a1f1"))
	if share(count, "a1 ., f1 R") != 1 {
		t.Errorf("expected nothing between, got %v", count)
	}
}

func TestCaptureOrders(t *testing.T) {
	men := placement(t, "8/8/2p5/1B6/8/8/8/8")
	capture := func(way CaptureWay) map[string]int {
		return shapes(t, men, Manner{}, func(h *Hands) { h.Capture(sq(t, "b5"), sq(t, "c6"), way) })
	}
	if s := share(capture(VictimFirst), "c6 ., b5 ., c6 B"); s < 0.9 {
		t.Errorf("victim first: expected c6 ., b5 ., c6 B nearly always, got %v", s)
	}
	if s := share(capture(Swapped), "b5 ., c6 B"); s < 0.5 || s > 0.95 {
		t.Errorf("swapped: expected no empty target in most captures but not all, got %v", s)
	}
	pushed := capture(Pushed)
	ghosts := 0
	for row, n := range pushed {
		for _, beside := range []string{"d7 p", "c7 p", "d6 p"} {
			if strings.Contains(row, beside) {
				ghosts += n
				break
			}
		}
	}
	if ghosts < 50 {
		t.Errorf("pushed: expected the captured man on a neighbouring square often, got %v", pushed)
	}
}

func TestDraggedVictimLeavesAGhost(t *testing.T) {
	men := placement(t, "8/8/2p5/1B6/8/8/8/8")
	count := shapes(t, men, Manner{Drags: 1}, func(h *Hands) { h.Capture(sq(t, "b5"), sq(t, "c6"), Swapped) })
	after := 0
	for row, n := range count {
		if i := strings.Index(row, "c6 B"); i >= 0 && strings.Contains(row[i:], " p") {
			after += n
		}
	}
	if after < 50 {
		t.Errorf("expected the victim to be seen after the capture, got %v", count)
	}
}

func TestCapturesLookReal(t *testing.T) {
	men := placement(t, "8/8/2p5/1B6/8/8/8/8")
	count := shapes(t, men, Careful, func(h *Hands) { h.Play(sq(t, "b5"), sq(t, "c6")) })
	// Of 36 real captures 69 % had no empty target and 14 % a ghost.
	direct, ghosts := 0, 0
	for row, n := range count {
		if !strings.Contains(row, "c6 .") {
			direct += n
		}
		if strings.Contains(row, " p") {
			ghosts += n
		}
	}
	if direct < 100 || direct > 160 {
		t.Errorf("expected no empty target in 50-80 %% of 200 captures, got %d", direct)
	}
	if ghosts < 10 || ghosts > 50 {
		t.Errorf("expected a ghost in 5-25 %% of 200 captures, got %d", ghosts)
	}
}

func TestCastlingOrders(t *testing.T) {
	men := placement(t, "8/8/8/8/8/8/8/4K2R")
	for way, want := range map[CastleWay]string{
		KingFirst: "e1 ., g1 K, h1 ., f1 R",
		RookFirst: "h1 ., f1 R, e1 ., g1 K",
	} {
		count := shapes(t, men, Manner{}, func(h *Hands) {
			h.Castle(sq(t, "e1"), sq(t, "g1"), sq(t, "h1"), sq(t, "f1"), way)
		})
		if s := share(count, want); s < 0.5 {
			t.Errorf("expected %q mostly, got %v", want, count)
		}
	}
	both := shapes(t, men, Manner{}, func(h *Hands) {
		h.Castle(sq(t, "e1"), sq(t, "g1"), sq(t, "h1"), sq(t, "f1"), BothHands)
	})
	if share(both, "e1 ., h1 ., f1 R, g1 K")+share(both, "e1 ., h1 ., g1 K, f1 R") < 0.3 {
		t.Errorf("expected both men to leave before either lands, often, got %v", both)
	}
}

func TestManOnTheEdge(t *testing.T) {
	r := newRig(t, Config{Men: placement(t, "8/8/8/8/4P3/8/8/8")})
	r.send(dgt.UpdateBoard())
	r.do(func(h *Hands) { h.Nudge(sq(t, "e4"), 0.5, 0) })
	if got, want := updates(r.take()), []string{"f4 P"}; !slices.Equal(got, want) {
		t.Errorf("on the edge: expected %v, got %v", want, got)
	}
	r.do(func(h *Hands) { h.Nudge(sq(t, "e4"), 0, 0.5) })
	if got, want := updates(r.take()), []string{"e4 .", "f4 ."}; !slices.Equal(got, want) {
		t.Errorf("on a corner of four: expected %v, got %v", want, got)
	}
}

func TestLiftAndPlace(t *testing.T) {
	r := newRig(t, start(1))
	r.send(dgt.UpdateBoard())
	for _, c := range []struct {
		order, want string
	}{
		{"lift e2", "e2 ."},
		{"lift d2", "d2 ."},
		{"place d4", "d4 P"},   // the one lifted last
		{"place e4 P", "e4 P"}, // the one still in the hand
		{"place e5 q", "e5 q"}, // from the box
		{"remove e5", "e5 ."},
	} {
		r.do(act(t, c.order))
		if got := strings.Join(updates(r.take()), ", "); got != c.want {
			t.Errorf("%s: expected %q, got %q", c.order, c.want, got)
		}
	}
	if len(r.b.inHand) != 0 {
		t.Errorf("expected empty hands, got %d men", len(r.b.inHand))
	}
	h := r.b.Hands()
	h.Place(sq(t, "a3"))
	if h.Err() == nil {
		t.Error("expected an error from placing nothing")
	}
	h = r.b.Hands()
	h.Move(sq(t, "a4"), sq(t, "a5"))
	if h.Err() == nil {
		t.Error("expected an error from moving nobody")
	}
}

func TestSetUp(t *testing.T) {
	fields := []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
		"8/8/4k3/8/8/3RK3/8/4r3",
		"8/8/8/8/8/8/8/8",
		"r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
	}
	r := newRig(t, Config{Seed: 5})
	r.send(dgt.UpdateBoard())
	for _, f := range fields {
		r.do(act(t, "setup "+f))
		if got := r.b.Seen().String(); got != f {
			t.Errorf("expected %s, got %s", f, got)
		}
	}
	if n := len(r.b.men); n != 32 {
		t.Errorf("expected 32 men to be kept, got %d", n)
	}
	if got := r.b.Placement(); got != dgt.StartPlacement() {
		t.Errorf("expected the initial array, got %v", got)
	}
}
