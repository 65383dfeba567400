package reconstruct

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
)

func TestPliesMissed(t *testing.T) {
	reading := func(w, b int, m rules.Color) Reading {
		return Reading{White: time.Duration(w) * time.Second, Black: time.Duration(b) * time.Second, ToMove: m, Running: true, Connected: true}
	}
	stopped := reading(600, 600, rules.White)
	stopped.Running = false
	tests := []struct {
		name          string
		inc           int
		before, after Reading
		gone          ms // length of the gap
		plies         int
		exact         bool
	}{
		{"no increment", 0, reading(600, 600, rules.White), reading(590, 600, rules.White), 10000, 1, false},
		{"nothing played", 30, reading(600, 600, rules.White), reading(590, 600, rules.White), 10000, 0, true},
		{"one press", 30, reading(600, 600, rules.White), reading(625, 595, rules.Black), 10000, 1, true},
		{"three presses", 10, reading(600, 600, rules.White), reading(610, 605, rules.Black), 15000, 3, true},
		{"rounded seconds", 5, reading(600, 600, rules.White), reading(595, 600, rules.Black), 9300, 1, true},
		{"more than can be searched", 2, reading(600, 600, rules.White), reading(610, 610, rules.White), 10000, 15, false},
		{"time ran away", 10, reading(600, 600, rules.White), reading(500, 600, rules.White), 10000, 1, false},
		{"stopped before", 10, stopped, reading(600, 600, rules.White), 10000, 1, false},
		{"stopped since", 10, reading(600, 600, rules.White), stopped, 10000, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := New(position(t, startFEN))
			tr.gains[tt.inc] = 5
			tr.now = 100000 + tt.gone
			g := &gap{lost: 100000, back: tr.now, before: tt.before, had: true, ticked: true, after: tt.after}
			if k, exact := tr.pliesMissed(g); k != tt.plies || exact != tt.exact {
				t.Errorf("%d, %v, want %d, %v", k, exact, tt.plies, tt.exact)
			}
			g.had = false
			if _, exact := tr.pliesMissed(g); exact {
				t.Error("exact without a clock before")
			}
		})
	}
}

func TestDepths(t *testing.T) {
	tests := []struct {
		plies int
		exact bool
		want  []int
	}{
		{1, false, []int{1, 2, 3, 4, 5, 6}},
		{0, true, []int{1}},
		{1, true, []int{1, 2}},
		{3, true, []int{3, 4, 2}},
		{maxSearch, true, []int{maxSearch, maxSearch - 1}},
	}
	for _, tt := range tests {
		if got := depths(tt.plies, tt.exact); !slices.Equal(got, tt.want) {
			t.Errorf("depths(%d, %v) = %v, want %v", tt.plies, tt.exact, got, tt.want)
		}
	}
}

func TestIncrementIsLearnt(t *testing.T) {
	tr := New(position(t, startFEN))
	for i, gain := range []time.Duration{29, 30, 30, -8, 500, -3000, 30} {
		if i < 2 && tr.increment() != 0 {
			t.Errorf("after %d presses the increment is %d", i, tr.increment())
		}
		tr.learnIncrement(600*time.Second, (600+gain)*time.Second)
	}
	if tr.increment() != 30000 {
		t.Errorf("increment %d", tr.increment())
	}
}

func TestOutage(t *testing.T) {
	tests := []struct{ name, unseen, want, then string }{
		{"nothing played", "", "e4 e5", "h3 h6"},
		{"one ply", "Nf3", "e4 e5 Nf3", "h6 h3"},
		{"two plies", "Nf3 Nc6", "e4 e5 Nf3 Nc6", "h3 h6"},
		{"a capture", "d4 exd4", "e4 e5 d4 exd4", "h3 h6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHand(t, startFEN)
			h.play("e4 e5")
			h.wait(2000)
			h.tr.Lost(h.now)
			h.deaf = true
			h.play(tt.unseen)
			h.wait(2000)
			h.deaf = false
			h.tr.Back(h.now)
			h.dump()
			h.tr.Clock(h.now, h.clock)
			h.wait(4000)
			h.want(tt.want)
			h.wantAlert("board.lost")
			h.wantAlert("board.back")
			h.wantNoAlert("board.lost", "board.back")
			h.play(tt.then)
			h.wait(3000)
			h.want(tt.want + " " + tt.then)
		})
	}
}

// Where the order of the plies is open the record is held back, people are
// told, and when play goes on it is filled and marked.
func TestOutageOfOpenOrder(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.wait(2000)
	h.tr.Lost(h.now)
	h.deaf = true
	h.play("Nf3 Nc6 Nc3 Nf6")
	h.wait(1000)
	h.deaf = false
	h.tr.Back(h.now)
	h.dump()
	h.tr.Clock(h.now, h.clock)
	h.wait(1000)
	h.want("e4 e5")
	h.wantAlert("record.gap")
	h.play("d4")
	h.wait(3000)
	if len(h.book.entries) != 1+7 || h.book.top().pos.Key() != h.pos.Key() {
		t.Errorf("record %s ends in %s, want %s", h.book, h.book.top().pos.FEN(), h.pos.FEN())
	}
}
