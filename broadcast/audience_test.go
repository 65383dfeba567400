package broadcast

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// some follows some boards only: numbers of others are missing.
func some(t *testing.T, h *Hub, w want) *follower {
	f := &follower{t: t, boards: map[int]Board{}, some: true, c: &client{queue: make(chan *frame, 100)}}
	h.public.joins <- ask{f.c, request{want: w}}
	synctest.Wait()
	return f
}

func (f *follower) has(want ...int) {
	f.t.Helper()
	time.Sleep(100 * time.Millisecond)
	f.read(-1)
	if got := slices.Sorted(maps.Keys(f.boards)); !slices.Equal(got, want) {
		f.t.Errorf("expected boards %v, got %v", want, got)
	}
	for _, c := range f.sent {
		if !slices.Contains(want, c.Board) {
			f.t.Errorf("was sent a change of board %d", c.Board)
		}
	}
}

func TestSomeBoards(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		a := newHall(t, h)
		for n := 1; n <= 4; n++ {
			a.game(n, fmt.Sprintf("Round 3.%d", n))
		}
		time.Sleep(time.Second)
		two, again := some(t, h, want{boards: []int{2, 4}}), some(t, h, want{boards: []int{2, 4}})
		two.has(2, 4)
		for n := 1; n <= 4; n++ {
			a.play(n, "e4")
		}
		two.has(2, 4)
		again.read(-1)
		if len(two.sent) != 2 || len(two.boards[4].Moves) != 1 || len(again.sent) != 2 {
			t.Errorf("got %+v", two.sent)
		}
		if n := len(h.public.audiences); n != 2 {
			t.Errorf("the same choice is one audience: expected 2, got %d", n)
		}
		// Back after an absence: only what was missed of these.
		h.public.leaves <- two.c
		a.play(2, "e5")
		a.play(3, "e5")
		time.Sleep(time.Second)
		two.sent = nil
		two.c = &client{queue: make(chan *frame, 100)}
		h.public.joins <- ask{two.c, request{Stream: h.public.opts.Stream, Since: &two.seq, want: want{boards: []int{2, 4}}}}
		two.has(2, 4)
		if len(two.sent) != 1 || two.sent[0].SAN != "e5" {
			t.Errorf("expected the one ply missed, got %+v", two.sent)
		}
		// Another choice.
		h.public.asks <- ask{two.c, request{subscribes: true, want: want{boards: []int{3}}}}
		two.sent = nil
		two.has(3)
		// Nothing happens there, but everywhere else: the line is alive all the same.
		two.frames = nil
		for i := range 30 {
			h.Publish(status(1, fmt.Sprint(i)))
			time.Sleep(time.Second)
		}
		two.has(3)
		if n := len(slices.DeleteFunc(two.frames, func(k string) bool { return k != "tick" })); n < 2 {
			t.Errorf("expected ticks, got %d", n)
		}
		h.public.leaves <- two.c
		h.public.leaves <- again.c
		synctest.Wait()
		if n := len(h.public.audiences); n != 1 {
			t.Errorf("an audience that left is still there: %d", n)
		}
	})
}

func TestARound(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		a := newHall(t, h)
		a.game(1, "Round 3.1")
		a.game(2, "Round 3")
		a.game(3, "Round 31.1")
		time.Sleep(time.Second)
		f := some(t, h, want{rounds: []string{"3"}})
		f.has(1, 2)
		a.play(3, "e4")
		a.play(1, "e4")
		f.has(1, 2)
		a.game(4, "Round 3.4") // joins
		f.has(1, 2, 4)
		f.sent = nil
		a.game(1, "Round 4.1") // leaves
		f.has(2, 4)
		f.sent = nil
		a.play(2, "d4")
		a.play(1, "c4")
		f.has(2, 4)
		if len(f.sent) != 1 || len(f.boards[2].Moves) != 1 {
			t.Errorf("got %+v", f.sent)
		}
	})
}

// Choices without end cost no more than so many: who comes then is sent everything.
func TestChoicesAreBounded(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		newHall(t, h).game(1)
		time.Sleep(time.Second)
		var last *follower
		for i := range audiencesMax + 10 {
			last = some(t, h, want{boards: []int{1000 + i}})
		}
		if n := len(h.public.audiences); n != audiencesMax {
			t.Errorf("expected %d audiences, got %d", audiencesMax, n)
		}
		last.has(1)
	})
}

func TestParseWant(t *testing.T) {
	for _, tc := range []struct{ boards, rounds, want string }{
		{"", "", `[] []`},
		{"2,1,2", "", `[1 2] []`},
		{"7", "3,2.1", `[7] ["2.1" "3"]`},
	} {
		w, err := parseWant(tc.boards, tc.rounds)
		if got := fmt.Sprintf("%d %q", w.boards, w.rounds); err != nil || got != tc.want {
			t.Errorf("%q, %q: expected %s, got %s, %v", tc.boards, tc.rounds, tc.want, got, err)
		}
	}
	for _, boards := range []string{"0", "-1", "x", "1,,2", ","} {
		if w, err := parseWant(boards, ""); err == nil {
			t.Errorf("%q: expected an error, got %v", boards, w)
		}
	}
	if _, err := newWant(make([]int, wantMax+1), nil); err == nil {
		t.Error("expected too many boards to be refused")
	}
}
