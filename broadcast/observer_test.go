package broadcast

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules"
)

// eavesdropper writes down everything that an outsider gets of the public view: bodies and headers of every
// address, and the frames of a WebSocket.
type eavesdropper struct {
	hub    *Hub
	client *client
	notes  strings.Builder
	tag    string
}

func (e *eavesdropper) listen(t *testing.T) {
	synctest.Wait()
	fmt.Fprintf(&e.notes, "at %v\n", time.Now())
	for len(e.client.queue) > 0 {
		f := <-e.client.queue
		fmt.Fprintf(&e.notes, "frame %s\n", f.data)
	}
	for _, path := range []string{"/api/v1/state", "/games.pgn", "/games.pgn again", "/healthz"} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", strings.Fields(path)[0], nil)
		if strings.HasSuffix(path, "again") {
			r.Header.Set("If-None-Match", e.tag)
		}
		w := httptest.NewRecorder()
		e.hub.Handler().ServeHTTP(w, r)
		if tag := w.Header().Get("ETag"); tag != "" {
			e.tag = tag
		}
		fmt.Fprintf(&e.notes, "%s: %d\n", path, w.Code)
		w.Header().WriteSubset(&e.notes, nil)
		fmt.Fprintf(&e.notes, "%s\n", w.Body)
		if w.Code != http.StatusOK && w.Code != http.StatusNotModified {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// session is a session at random; from after on it goes on by another dice.
func session(t *testing.T, seed, other uint64, length, after time.Duration) string {
	var notes string
	bubble(t, Options{Delay: delay, Stream: "s"}, func(t *testing.T, h *Hub) {
		// Off the beat of the hub's seconds: what is due in the same instant goes in any order.
		time.Sleep(137 * time.Millisecond)
		e := &eavesdropper{hub: h, client: &client{queue: make(chan *frame, 10000)}}
		h.public.joins <- ask{e.client, request{}}
		r := rand.New(rand.NewPCG(seed, 0))
		a := newHall(t, h)
		a.settle = synctest.Wait // so that the same changes share a frame each time
		for n := 1; n <= 3; n++ {
			a.game(n, fmt.Sprintf("White W%d", n), fmt.Sprintf("Black B%d", n))
		}
		start := time.Now()
		next := start
		look := start.Add(time.Second / 2)
		for time.Since(start) < length {
			// Looks are at the same moments, whatever happens between them.
			for next = next.Add(time.Duration(r.IntN(20)) * time.Second); look.Before(next); look = look.Add(7 * time.Second) {
				time.Sleep(time.Until(look))
				if time.Since(start) <= length {
					e.listen(t)
				}
			}
			time.Sleep(time.Until(next))
			if time.Since(start) > after {
				r, after = rand.New(rand.NewPCG(seed, other)), 2*length
			}
			happen(a, r, 1+r.IntN(3))
		}
		notes = e.notes.String()
	})
	return notes
}

// happen has something happen on a board.
func happen(a *hall, r *rand.Rand, n int) {
	g := a.seat[n]
	switch d := r.IntN(12); {
	case d == 0 || g.Result != rules.Unfinished:
		a.game(n, fmt.Sprintf("White W%d", n), fmt.Sprintf("Black B%d", n), "Opening Secret")
	case d == 1:
		g.Result = rules.Draw
		a.publish(Change{Type: TypeResult, Board: n, Result: string(rules.Draw)})
	case d == 2:
		a.publish(Change{Type: TypeAlert, Board: n, Code: "claim.threefold", Detail: fmt.Sprint(g.Len())})
	case d == 3:
		a.publish(Change{Type: TypeStatus, Board: n, Status: LinkLost, Text: fmt.Sprint(g.Len())})
	case d == 4 && g.Len() > 0:
		g.ReplaceFrom(g.Len(), nil)
		a.publish(Change{Type: TypeRetract, Board: n, Ply: g.Len() + 1, FEN: g.Current().FEN()})
	case d < 7:
		a.publish(reading(n, time.Duration(r.IntN(5400))*time.Second, time.Hour, RunningWhite))
	default:
		a.play(n, [][]string{{"Nf3", "Nf6", "Ng1", "Ng8"}, {"Nc3", "Nc6", "Nb1", "Nb8"}}[n%2][g.Len()%4])
	}
}

// An outsider learns nothing of the last 15 minutes: two sessions that differ in them alone are the same to
// him, byte for byte, on every address and with every header.
func TestOutsidersLearnNothingOfTheDelay(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		const length, after = 40 * time.Minute, 25*time.Minute + time.Second
		one := session(t, seed, 1, length, after)
		two := session(t, seed, 2, length, after)
		if one != two {
			a, b := strings.Split(one, "\n"), strings.Split(two, "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Fatalf("seed %d: one session\n%s\nand the other\n%s", seed, a[i], b[i])
				}
			}
			t.Fatalf("seed %d: one session told more", seed)
		}
		if later := session(t, seed, 2, length+10*time.Minute, after); later == one || !strings.Contains(one, "Nf3") {
			t.Errorf("seed %d: the sessions are the same, or nothing is ever shown; nothing was tested", seed)
		}
	}
}
