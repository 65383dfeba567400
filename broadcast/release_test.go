package broadcast

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// restored runs a hub that goes on from a past, in fake time.
func restored(t *testing.T, past Past, note Release, f func(t *testing.T, h *Hub)) {
	t.Helper()
	bubbleOf(t, func() *Hub {
		h := NewHub(Options{Delay: delay})
		h.Restore(past, note)
		return h
	}, f)
}

func plies(t *testing.T, h *Hub) int {
	t.Helper()
	time.Sleep(60 * time.Millisecond) // frames may be 50 ms apart
	synctest.Wait()
	return len(boards(t, h.Public())[1].Moves)
}

func moveOf(ply int, kept uint64) Change {
	return Change{Type: TypeMove, Board: 1, Ply: ply, SAN: "x", UCI: "x", FEN: "x", Kept: kept}
}

func TestRestoreGoesOnWhereItWas(t *testing.T) {
	past := Past{
		Shown: []Change{{Type: TypeGame, Board: 1, FEN: startFEN, Tags: map[string]string{"White": "Ann"}}, moveOf(1, 0)},
		Held:  []Held{{moveOf(2, 7), 0}, {moveOf(3, 8), time.Minute}},
	}
	var noted []uint64
	note := func(upto uint64, done func(error)) {
		noted = append(noted, upto)
		done(nil)
	}
	restored(t, past, note, func(t *testing.T, h *Hub) {
		if n := plies(t, h); n != 2 {
			t.Errorf("expected the ply shown before and the one that is old enough, got %d", n)
		}
		for _, c := range past.Shown {
			c.Again = true
			h.Publish(c)
		}
		h.Publish(moveOf(4, 9))
		time.Sleep(time.Minute)
		if n := plies(t, h); n != 3 {
			t.Errorf("after a minute: expected 3 plies, got %d", n)
		}
		time.Sleep(delay)
		if n := plies(t, h); n != 4 {
			t.Errorf("after the delay: expected 4 plies, got %d", n)
		}
		if v, _ := h.Public().View(t.Context()); v.Seq != 5 {
			t.Errorf("what is told again is no news: expected 5 changes, got %d", v.Seq)
		}
		if !slices.Equal(noted, []uint64{7, 8, 9}) {
			t.Errorf("noted %v", noted)
		}
	})
}

// notary takes notes and answers when it is told to.
type notary struct {
	mu    sync.Mutex
	noted []uint64
	waits func(error)
}

func (n *notary) note(upto uint64, done func(error)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.noted, n.waits = append(n.noted, upto), done
}

// answer answers the note that waits, if any.
func (n *notary) answer(err error) {
	n.mu.Lock()
	done := n.waits
	n.waits = nil
	n.mu.Unlock()
	if done != nil {
		done(err)
	}
}

// notes gives what was noted since the last call.
func (n *notary) notes() []uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	noted := n.noted
	n.noted = nil
	return noted
}

// Nothing is shown that is not noted; a note that fails is tried again, and notes are few.
func TestShownOnlyWhenNoted(t *testing.T) {
	var n notary
	past := Past{Shown: []Change{{Type: TypeGame, Board: 1, FEN: startFEN}}, Held: []Held{{moveOf(1, 5), 0}}}
	restored(t, past, n.note, func(t *testing.T, h *Hub) {
		time.Sleep(time.Hour)
		if shown, noted := plies(t, h), n.notes(); shown != 0 || !slices.Equal(noted, []uint64{5}) {
			t.Fatalf("before the note: %d plies, noted %v", shown, noted)
		}
		n.answer(errors.New("disk full"))
		time.Sleep(releaseEvery)
		if shown, noted := plies(t, h), n.notes(); shown != 0 || !slices.Equal(noted, []uint64{5}) {
			t.Fatalf("after a failure: %d plies, noted again %v", shown, noted)
		}
		n.answer(nil)
		time.Sleep(time.Second)
		if shown := plies(t, h); shown != 1 {
			t.Fatalf("after the note: %d plies", shown)
		}
		for i := range 20 {
			h.Publish(moveOf(2+i, uint64(6+i)))
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(delay - 2*time.Second)
		for range 45 {
			time.Sleep(100 * time.Millisecond)
			n.answer(nil)
		}
		if shown, noted := plies(t, h), n.notes(); shown != 21 || len(noted) > 3 {
			t.Errorf("20 plies in 2 s: %d plies shown, noted %v", shown, noted)
		}
	})
}
