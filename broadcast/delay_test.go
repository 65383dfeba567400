package broadcast

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const delay = 15 * time.Minute

// boards gives what a source shows, by table.
func boards(t *testing.T, s *Source) map[int]Board {
	t.Helper()
	v, err := s.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := map[int]Board{}
	for _, b := range v.Boards {
		m[b.Board] = b
	}
	return m
}

// BC-139: moves, clocks and results carry the same delay.
func TestEverythingIsDelayedAlike(t *testing.T) {
	bubble(t, Options{Delay: delay}, func(t *testing.T, h *Hub) {
		a := newHall(t, h)
		a.game(1, "White Ann", "Black Ben", "Opening Ruy Lopez")
		a.play(1, "e4")
		h.Publish(reading(1, 5400*time.Second, 5400*time.Second, RunningBlack))
		time.Sleep(10 * time.Second)
		a.play(1, "e5")
		h.Publish(Change{Type: TypeAlert, Board: 1, Code: "claim.threefold"})
		h.Publish(reading(1, 5400*time.Second, 5395*time.Second, RunningWhite))
		time.Sleep(10 * time.Second)
		h.Publish(Change{Type: TypeResult, Board: 1, Result: "1-0"})
		synctest.Wait()
		if b := boards(t, h.Live())[1]; len(b.Moves) != 2 || b.Result != "1-0" {
			t.Fatalf("arbiters: got %+v", b)
		}
		for _, tc := range []struct {
			at           time.Duration
			plies        int
			result       string
			white, black int64 // ms; 0 is not known
		}{
			{899 * time.Second, 0, "*", 0, 0},
			{900 * time.Second, 1, "*", 5_400_000, 5_400_000},
			{909 * time.Second, 1, "*", 5_400_000, 5_391_000},
			{910 * time.Second, 2, "*", 5_400_000, 5_395_000},
			{919 * time.Second, 2, "*", 5_391_000, 5_395_000},
			{920 * time.Second, 2, "1-0", 5_390_000, 5_395_000},
		} {
			time.Sleep(tc.at - time.Since(h.public.start))
			time.Sleep(60 * time.Millisecond) // frames may be 50 ms apart
			b := boards(t, h.Public())[1]
			white, black := b.at(h.public.hubMS(h.public.start.Add(tc.at)))
			known := tc.white > 0
			if len(b.Moves) != tc.plies || b.Result != tc.result || (white != nil) != known || known && (differs(*white, tc.white) || differs(*black, tc.black)) {
				t.Errorf("after %v: got %+v", tc.at, b)
			}
			if b.Tags["White"] != "Ann" || (b.Tags["Opening"] == "") != (tc.plies == 0) {
				t.Errorf("after %v: tags %v", tc.at, b.Tags)
			}
		}
		if v, _ := h.Public().View(t.Context()); strings.Contains(string(v.JSON), "alert") {
			t.Error("an alert reached the public view")
		}
	})
}

// differs allows for frames that are 50 ms apart.
func differs(a, b int64) bool { return a-b > 100 || b-a > 100 }

func TestNamesAreShownAtOnceOnlyForTheGameThatIsShown(t *testing.T) {
	bubble(t, Options{Delay: delay}, func(t *testing.T, h *Hub) {
		name := func(want string) {
			t.Helper()
			time.Sleep(100 * time.Millisecond)
			if got := boards(t, h.Public())[1].Tags["White"]; got != want {
				t.Errorf("expected %q, got %q", want, got)
			}
		}
		game := func(white string) {
			h.Publish(Change{Type: TypeGame, Board: 1, FEN: startFEN, Tags: map[string]string{"White": white}})
		}
		tags := func(white string) {
			h.Publish(Change{Type: TypeTags, Board: 1, Tags: map[string]string{"White": white}})
		}
		game("Ane")
		name("Ane")
		time.Sleep(10 * time.Second)
		tags("Anne")
		name("Anne")
		time.Sleep(delay - 9*time.Second) // the game is shown, its new tags are not due yet
		name("Anne")
		tags("Ann")
		name("Ann")
		game("Bea")
		name("Ann")
		tags("Beate")
		name("Ann")
		time.Sleep(delay)
		name("Beate")
	})
}

// Numbers tell nothing of what is held back.
func TestPublicNumbersAreTheirOwn(t *testing.T) {
	bubble(t, Options{Delay: delay}, func(t *testing.T, h *Hub) {
		a := newHall(t, h)
		a.game(1)
		a.play(1, "e4", "e5", "Nf3")
		time.Sleep(time.Second)
		live, err := h.Live().View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		public, err := h.Public().View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if live.Seq != 5 || public.Seq != 1 {
			t.Errorf("expected 5 changes for arbiters and 1, the tags, for spectators, got %d and %d", live.Seq, public.Seq)
		}
		if h.live.stream.opts.Stream == h.public.stream.opts.Stream {
			t.Error("both views have one stream")
		}
	})
}

func TestAlertsAndClaimsAreLive(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		c := &client{queue: make(chan *frame, 100)}
		h.live.joins <- ask{c, request{}}
		h.Publish(Change{Type: TypeAlert, Code: "usb.hub_lost", Detail: "boards 1, 2"})
		h.Publish(Change{Type: TypeClaim, Board: 3, Ply: 8, Code: "opened"})
		time.Sleep(time.Second)
		var got []string
		for len(c.queue) > 0 {
			var e envelopeOf
			data := (<-c.queue).data
			checkFrame(t, data)
			json.Unmarshal(data, &e)
			for _, change := range e.Changes {
				got = append(got, change.Type)
			}
		}
		if !slices.Equal(got, []string{TypeAlert, TypeClaim}) {
			t.Errorf("got %v", got)
		}
		if b := boards(t, h.Live()); len(b) != 0 {
			t.Errorf("an alert makes no board, got %v", slices.Collect(maps.Keys(b)))
		}
	})
}

func TestWatch(t *testing.T) {
	bubble(t, Options{Delay: time.Minute}, func(t *testing.T, h *Hub) {
		ctx, cancel := context.WithCancel(t.Context())
		news := h.Public().Watch(ctx)
		token := func() bool {
			synctest.Wait()
			select {
			case _, open := <-news:
				return open
			default:
				return false
			}
		}
		if !token() || token() {
			t.Error("expected one token at the start")
		}
		for i := range 10 {
			h.Publish(status(1, string(rune('a'+i))))
			time.Sleep(time.Second)
		}
		if token() {
			t.Error("what is held back must not be told of")
		}
		time.Sleep(time.Minute)
		if !token() || token() {
			t.Error("expected one token for all that came")
		}
		cancel()
		synctest.Wait()
		if _, open := <-news; open {
			t.Error("expected the end with the context")
		}
	})
}
