package broadcast

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ms(n int64) *int64 { return &n }

// diff compares boards by what a client can see of them.
// diff compares what clients see too; the count of games is not told to them.
func diff(want, got any) string {
	hidden := func(p cmp.Path) bool { return p.Last().String() == ".Game" }
	return cmp.Diff(want, got, cmp.AllowUnexported(Board{}, clocks{}), cmp.FilterPath(hidden, cmp.Ignore()))
}

func TestGamesAreCounted(t *testing.T) {
	b := newBoard(3)
	for n, want := range []int{1, 1, 2} {
		c := Change{Type: TypeGame, Board: 3, FEN: startFEN}
		if n == 1 {
			c = Change{Type: TypeTags, Board: 3}
		}
		if err := b.apply(&c); err != nil || b.Game != want {
			t.Errorf("change %d: game %d, want %d (%v)", n, b.Game, want, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		c    Change
		want error
	}{
		{"move", Change{Type: TypeMove, Board: 1, Ply: 1, FEN: startFEN}, nil},
		{"move without a board", Change{Type: TypeMove, Ply: 1, FEN: startFEN}, ErrNoBoard},
		{"move without a position", Change{Type: TypeMove, Board: 1, Ply: 1}, ErrFEN},
		{"replace", Change{Type: TypeReplace, Board: 1, Ply: 3, FEN: startFEN, Moves: []Move{{Ply: 3}, {Ply: 4}}}, nil},
		{"replace that skips a ply", Change{Type: TypeReplace, Board: 1, Ply: 3, FEN: startFEN, Moves: []Move{{Ply: 3}, {Ply: 5}}}, ErrPly},
		{"replace without a position", Change{Type: TypeReplace, Board: 1, Ply: 3}, ErrFEN},
		{"retract without a position", Change{Type: TypeRetract, Board: 1, Ply: 3}, ErrFEN},
		{"game without a position", Change{Type: TypeGame, Board: 1}, ErrFEN},
		{"stopped clock", Change{Type: TypeClock, Board: 1}, nil},
		{"clock of nobody", Change{Type: TypeClock, Board: 1, Running: "left"}, ErrValue},
		{"result", Change{Type: TypeResult, Board: 1, Result: "1/2-1/2"}, nil},
		{"result of half a win", Change{Type: TypeResult, Board: 1, Result: "1/2-0"}, ErrValue},
		{"status", Change{Type: TypeStatus, Board: 1, Status: LinkBack}, nil},
		{"unknown status", Change{Type: TypeStatus, Board: 1, Status: "ok"}, ErrValue},
		{"alert of the hall", Change{Type: TypeAlert, Code: "usb.hub_lost"}, nil},
		{"unknown type", Change{Type: "chat", Board: 1}, ErrType},
	} {
		if err := tc.c.check(); !errors.Is(err, tc.want) {
			t.Errorf("%s: expected %v, got %v", tc.name, tc.want, err)
		}
	}
}

// TestApply applies one change each to a board of three plies.
func TestApply(t *testing.T) {
	played := func() Board {
		b := newBoard(1)
		b.Tags = map[string]string{"White": "A"}
		b.Status = LinkLive
		b.Moves = []Move{{Ply: 1, UCI: "e2e4", ClockMS: ms(10)}, {Ply: 2, UCI: "e7e5", ClockMS: ms(20)}, {Ply: 3, UCI: "g1f3"}}
		b.FEN = "three"
		b.clocks = clocks{ms(60_000), ms(50_000), RunningWhite, 1000}
		return b
	}
	for _, tc := range []struct {
		name string
		c    Change
		want func(*Board)
		err  error
	}{
		{name: "move", c: Change{Type: TypeMove, Ply: 4, SAN: "Nc6", UCI: "b8c6", FEN: "four", ClockMS: ms(5), AtMS: 9},
			want: func(b *Board) {
				b.Moves = append(b.Moves, Move{Ply: 4, SAN: "Nc6", UCI: "b8c6", ClockMS: ms(5), AtMS: 9})
				b.FEN = "four"
			}},
		{name: "move after a hole", c: Change{Type: TypeMove, Ply: 5, FEN: "x"}, err: ErrPly},
		{name: "move said twice", c: Change{Type: TypeMove, Ply: 3, FEN: "x"}, err: ErrPly},
		{name: "replace takes the clocks of its plies along", c: Change{Type: TypeReplace, Ply: 2, FEN: "two", Moves: []Move{{Ply: 2, UCI: "c7c5"}}},
			want: func(b *Board) { b.Moves, b.FEN = []Move{b.Moves[0], {Ply: 2, UCI: "c7c5"}}, "two" }},
		{name: "replace of nothing is more moves", c: Change{Type: TypeReplace, Ply: 4, FEN: "four", Moves: []Move{{Ply: 4}}},
			want: func(b *Board) { b.Moves, b.FEN = append(b.Moves, Move{Ply: 4}), "four" }},
		{name: "replace after a hole", c: Change{Type: TypeReplace, Ply: 5, FEN: "x"}, err: ErrPly},
		{name: "replace from ply 0", c: Change{Type: TypeReplace, Ply: 0, FEN: "x"}, err: ErrPly},
		{name: "retract", c: Change{Type: TypeRetract, Ply: 1, FEN: "none"}, want: func(b *Board) { b.Moves, b.FEN = []Move{}, "none" }},
		{name: "retract after a hole", c: Change{Type: TypeRetract, Ply: 5, FEN: "x"}, err: ErrPly},
		{name: "clock", c: Change{Type: TypeClock, WhiteMS: ms(1), BlackMS: ms(2), TimeMS: 7},
			want: func(b *Board) { b.clocks = clocks{ms(1), ms(2), "", 7} }},
		{name: "clock of a press alone", c: Change{Type: TypeClock, Ply: 3, ClockMS: ms(30)},
			want: func(b *Board) { b.Moves[2].ClockMS = ms(30) }},
		{name: "clock of a press, with both clocks", c: Change{Type: TypeClock, Ply: 3, ClockMS: ms(30), WhiteMS: ms(30), BlackMS: ms(40), Running: RunningBlack, TimeMS: 8},
			want: func(b *Board) {
				b.Moves[2].ClockMS = ms(30)
				b.clocks = clocks{ms(30), ms(40), RunningBlack, 8}
			}},
		{name: "clock of a ply nobody saw", c: Change{Type: TypeClock, Ply: 4, ClockMS: ms(30)}, err: ErrPly},
		{name: "result stops the clock", c: Change{Type: TypeResult, Result: "0-1", TimeMS: 6000},
			want: func(b *Board) { b.Result, b.clocks = "0-1", clocks{ms(55_000), ms(50_000), "", 6000} }},
		{name: "result taken back", c: Change{Type: TypeResult, Result: "*", TimeMS: 6000}, want: func(*Board) {}},
		{name: "tags", c: Change{Type: TypeTags, Tags: map[string]string{"White": "B"}}, want: func(b *Board) { b.Tags = map[string]string{"White": "B"} }},
		{name: "lost", c: Change{Type: TypeStatus, Status: LinkLost, Text: "cable"}, want: func(b *Board) { b.Status, b.StatusText = LinkLost, "cable" }},
		{name: "back is live", c: Change{Type: TypeStatus, Status: LinkBack}, want: func(b *Board) { b.Status = LinkLive }},
		{name: "a new game forgets all but the link", c: Change{Type: TypeGame, FEN: "start", Tags: map[string]string{"Black": "C"}},
			want: func(b *Board) {
				*b = newBoard(1)
				b.Status, b.StartFEN, b.FEN, b.Tags = LinkLive, "start", "start", map[string]string{"Black": "C"}
			}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, held, before := played(), played(), played()
			got.Moves = held.Moves // as a snapshot holds them
			tc.c.Board = 1
			err := got.apply(&tc.c)
			if !errors.Is(err, tc.err) {
				t.Fatalf("expected %v, got %v", tc.err, err)
			}
			want := played()
			if tc.want != nil {
				tc.want(&want)
			}
			if d := diff(want, got); d != "" {
				t.Error(d)
			}
			if d := diff(before.Moves, held.Moves); d != "" {
				t.Error("a snapshot taken before has changed:", d)
			}
		})
	}
}

func TestClocksAt(t *testing.T) {
	k := clocks{ms(1000), nil, RunningWhite, 500}
	for _, tc := range []struct{ now, white int64 }{{400, 1000}, {500, 1000}, {900, 600}, {5000, 0}} {
		if white, black := k.at(tc.now); *white != tc.white || black != nil {
			t.Errorf("at %d: expected %d and none, got %d and %v", tc.now, tc.white, *white, black)
		}
	}
}
