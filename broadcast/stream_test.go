package broadcast

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// These tests run the hub in fake time, with clients that are a queue and no connection.

// bubble runs f with a hub in a synctest bubble.
func bubble(t *testing.T, opts Options, f func(t *testing.T, h *Hub)) {
	t.Helper()
	bubbleOf(t, func() *Hub { return NewHub(opts) }, f)
}

func bubbleOf(t *testing.T, hub func() *Hub, f func(t *testing.T, h *Hub)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := hub()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			h.Run(ctx)
		}()
		<-h.public.started
		synctest.Wait()
		f(t, h)
		cancel()
		<-ended
	})
}

// follower is a client that keeps boards by what it is sent, and insists on numbers without a hole.
type follower struct {
	t      *testing.T
	c      *client
	stream string
	seq    uint64
	boards map[int]Board
	frames []string // types, in order
	sent   []Change
	some   bool // follows some boards only
}

func follow(t *testing.T, h *Hub, queue int) *follower {
	f := &follower{t: t, boards: map[int]Board{}}
	f.join(h, queue)
	return f
}

// join comes (back) with the last number known.
func (f *follower) join(h *Hub, queue int) {
	f.c = &client{queue: make(chan *frame, queue)}
	req := request{}
	if f.stream != "" {
		req = request{Stream: f.stream, Since: &f.seq}
	}
	h.public.joins <- ask{f.c, req}
	synctest.Wait()
}

func (f *follower) kick(h *Hub) {
	h.public.leaves <- f.c
	synctest.Wait()
}

// read takes what waits in the queue, at most n frames; n < 0 is all.
func (f *follower) read(n int) {
	f.t.Helper()
	for ; n != 0; n-- {
		synctest.Wait()
		select {
		case fr, ok := <-f.c.queue:
			if !ok {
				return
			}
			f.take(fr.data)
		default:
			return
		}
	}
}

func (f *follower) take(data []byte) {
	f.t.Helper()
	if len(data) == 0 {
		f.frames = append(f.frames, "ping")
		return
	}
	checkFrame(f.t, data)
	var e envelopeOf
	if err := json.Unmarshal(data, &e); err != nil {
		f.t.Fatalf("%v in %s", err, data)
	}
	f.frames = append(f.frames, e.Type)
	switch e.Type {
	case "hello":
		f.stream = e.Stream
	case "snapshot":
		clear(f.boards)
		for _, b := range e.Boards {
			f.boards[b.Board] = b
		}
		f.seq = e.Seq
	case "changes":
		for _, c := range e.Changes {
			if c.Seq != f.seq+1 && !f.some || c.Seq <= f.seq {
				f.t.Fatalf("expected change %d, got %d", f.seq+1, c.Seq)
			}
			f.seq = c.Seq
			f.sent = append(f.sent, c)
			b, ok := f.boards[c.Board]
			if !ok {
				b = newBoard(c.Board)
			}
			if err := b.apply(&c); err != nil {
				f.t.Fatal(err)
			}
			f.boards[c.Board] = b
		}
		if f.some {
			f.seq = e.Seq
		}
		if f.seq != e.Seq {
			f.t.Fatalf("expected the frame to end at %d, got %d", e.Seq, f.seq)
		}
	case "tick":
		if e.Seq != f.seq && !f.some {
			f.t.Fatalf("tick: expected %d, got %d", f.seq, e.Seq)
		}
	}
}

// same fails if the follower's boards are not the hub's.
func (f *follower) same(h *Hub) {
	f.t.Helper()
	v, err := h.public.View(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	want := map[int]Board{}
	for _, b := range v.Boards {
		b.version = 0 // not told to clients
		want[b.Board] = b
	}
	if d := diff(want, f.boards); d != "" || f.seq != v.Seq {
		f.t.Fatalf("at %d, hub at %d: %s", f.seq, v.Seq, d)
	}
}

func reading(board int, white, black time.Duration, running string) Change {
	return Change{Type: TypeClock, Board: board, WhiteMS: MS(white), BlackMS: MS(black), Running: running}
}

func status(board int, text string) Change {
	return Change{Type: TypeStatus, Board: board, Status: LinkLive, Text: text}
}

func TestAFirstChangeLeavesAtOnceAndABurstSharesAFrame(t *testing.T) {
	bubble(t, Options{FlushEvery: 50 * time.Millisecond}, func(t *testing.T, h *Hub) {
		time.Sleep(time.Second)
		f := follow(t, h, 32)
		f.read(-1)
		h.Publish(status(1, "a"))
		f.read(-1)
		if len(f.sent) != 1 {
			t.Fatalf("expected the first change at once, got %v", f.sent)
		}
		for i := range 8 {
			h.Publish(status(i+1, "b"))
		}
		f.read(-1)
		if len(f.sent) != 1 {
			t.Fatal("expected the burst to wait")
		}
		time.Sleep(49 * time.Millisecond)
		f.read(-1)
		if len(f.sent) != 1 {
			t.Fatal("expected the burst to wait 50 ms")
		}
		time.Sleep(time.Millisecond)
		f.read(-1)
		if len(f.sent) != 9 || !slices.Equal(f.frames, []string{"hello", "snapshot", "changes", "changes"}) {
			t.Fatalf("expected 8 changes in one frame, got %v, %d changes", f.frames, len(f.sent))
		}
	})
}

func TestClockReadings(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 1000)
		// One board tells each of its seconds four times, as a board over a chatty bus may.
		h.Publish(reading(1, time.Hour, time.Hour, RunningWhite))
		start := time.Now()
		for i := range 40 {
			time.Sleep(250 * time.Millisecond)
			h.Publish(reading(1, time.Hour-time.Duration((i+1)/4)*time.Second, time.Hour, RunningWhite))
		}
		f.read(-1)
		if n := len(f.sent); n > 3 {
			t.Errorf("readings that tell nothing new: expected one in 5 s, got %d in %v", n, time.Since(start))
		}
		// News leave at once: the other side runs, a hand-set time, a stop. In the second after one the newest waits.
		for i, c := range []Change{
			reading(1, time.Hour-10*time.Second, time.Hour, RunningBlack),
			reading(1, time.Hour-10*time.Second, 2*time.Hour, RunningBlack),
			reading(1, time.Hour-10*time.Second, 2*time.Hour, ""),
			{Type: TypeClock, Board: 1, BlackMS: MS(time.Minute)},
		} {
			time.Sleep(1100 * time.Millisecond)
			n := len(f.sent)
			h.Publish(c)
			f.read(-1)
			if len(f.sent) != n+1 {
				t.Errorf("expected news to leave at once: %+v", c)
			}
			for range 5 {
				time.Sleep(100 * time.Millisecond)
				h.Publish(reading(1, time.Duration(i+2)*time.Minute, time.Hour, ""))
				h.Publish(reading(1, time.Duration(i+2)*time.Minute, time.Hour, RunningWhite))
			}
			f.read(-1)
			if len(f.sent) != n+1 {
				t.Errorf("expected one clock message a second, got %d", len(f.sent)-n)
			}
			time.Sleep(600 * time.Millisecond)
			if f.read(-1); len(f.sent) != n+2 || f.sent[n+1].Running != RunningWhite {
				t.Errorf("expected the newest after a second, got %+v", f.sent[n+1:])
			}
		}
		time.Sleep(2 * time.Second)
		f.read(-1)
		f.same(h)
	})
}

func TestSixtyBoardsShareTheirClockFrame(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 1000)
		for i := range 60 {
			h.Publish(reading(i+1, time.Hour, time.Hour, RunningWhite))
		}
		time.Sleep(2 * time.Second)
		f.read(-1)
		f.frames = nil
		for s := range 10 { // each board at its own moment of the second
			for i := range 60 {
				time.Sleep(time.Second / 60)
				h.Publish(reading(i+1, time.Hour-time.Duration(s+3)*time.Second, time.Hour, RunningWhite))
			}
		}
		f.read(-1)
		if n := len(f.frames); n > 12 {
			t.Errorf("expected one frame a second for the hall, got %d in 10 s", n)
		}
	})
}

func TestClockReadingsKeepTheirPlaceAmongMoves(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 100)
		h.Publish(Change{Type: TypeGame, Board: 1, FEN: startFEN})
		h.Publish(reading(1, time.Hour, time.Hour, RunningWhite))
		time.Sleep(1100 * time.Millisecond)
		h.Publish(reading(1, time.Hour-time.Second, time.Hour, RunningWhite)) // waits
		h.Publish(Change{Type: TypeMove, Board: 1, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: "x"})
		h.Publish(reading(1, time.Hour-time.Second, time.Hour, RunningBlack))
		time.Sleep(2 * time.Second)
		f.read(-1)
		var got []string
		for _, c := range f.sent {
			got = append(got, c.Type+c.Running)
		}
		if want := []string{"game", "clockwhite", "move", "clockblack"}; !slices.Equal(got, want) {
			t.Errorf("expected %v, got %v", want, got)
		}
	})
}

func TestAlertsAndFaultyChangesAreNotSent(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 100)
		h.Publish(Change{Type: TypeAlert, Board: 1, Code: "claim.threefold"})
		h.Publish(Change{Type: TypeClaim, Board: 1, Ply: 8, Code: "opened", Detail: "White claims a draw"})
		h.Publish(Change{Type: TypeMove, Board: 1, Ply: 7, FEN: "x"})
		h.Publish(Change{Type: "chat", Board: 1})
		h.Publish(status(1, "sound"))
		time.Sleep(time.Second)
		f.read(-1)
		if len(f.sent) != 1 || f.sent[0].Text != "sound" || f.sent[0].Seq != 1 {
			t.Errorf("expected only the sound change, numbered 1, got %+v", f.sent)
		}
		f.same(h)
	})
}

func TestSlowClientIsSkippedToASnapshot(t *testing.T) {
	bubble(t, Options{FlushEvery: time.Millisecond}, func(t *testing.T, h *Hub) {
		quick, slow := follow(t, h, 4), follow(t, h, 4)
		slow.read(-1)
		for i := range 50 {
			h.Publish(status(1+i%3, fmt.Sprint(i)))
			time.Sleep(5 * time.Millisecond)
			quick.read(-1)
		}
		if len(quick.sent) != 50 {
			t.Fatalf("expected the quick client to get all 50, got %d", len(quick.sent))
		}
		quick.same(h)
		slow.frames = nil
		slow.read(-1) // what waited; from here on it keeps up
		for i := range 5 {
			h.Publish(status(1, fmt.Sprint("later", i)))
			time.Sleep(5 * time.Millisecond)
			slow.read(-1)
		}
		if !slices.Contains(slow.frames, "snapshot") || len(slow.sent) >= 50 {
			t.Fatalf("expected a fresh snapshot, got %v", slow.frames)
		}
		slow.same(h)
	})
}

func TestSlowClientCatchesUpWithoutNewChanges(t *testing.T) {
	bubble(t, Options{FlushEvery: time.Millisecond}, func(t *testing.T, h *Hub) {
		slow := follow(t, h, 2)
		for i := range 9 {
			h.Publish(status(1, fmt.Sprint(i)))
			time.Sleep(5 * time.Millisecond)
		}
		slow.read(-1)
		time.Sleep(1100 * time.Millisecond) // the hall is quiet; the next beat brings it up to date
		slow.read(-1)
		slow.same(h)
	})
}

func TestResume(t *testing.T) {
	bubble(t, Options{History: 8}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 32)
		f.read(-1)
		for _, tc := range []struct {
			name   string
			missed int
			stream string
			want   string
		}{
			{"nothing missed", 0, "", "changes"},
			{"some missed", 5, "", "changes"},
			{"as many as are kept", 8, "", "changes"},
			{"more than are kept", 9, "", "snapshot"},
			{"another stream", 1, "other", "snapshot"},
		} {
			f.kick(h)
			for i := range tc.missed {
				h.Publish(status(1, fmt.Sprint(tc.name, i)))
			}
			time.Sleep(time.Second)
			if tc.stream != "" {
				f.stream = tc.stream
			}
			f.frames = nil
			f.join(h, 32)
			f.read(-1)
			if !slices.Equal(f.frames, []string{"hello", tc.want}) {
				t.Errorf("%s: expected hello and %s, got %v", tc.name, tc.want, f.frames)
			}
			f.same(h)
		}
		// A number that was never reached belongs to somebody else.
		f.kick(h)
		f.seq += 100
		f.frames = nil
		f.join(h, 32)
		f.read(-1)
		if !slices.Equal(f.frames, []string{"hello", "snapshot"}) {
			t.Errorf("a number from the future: got %v", f.frames)
		}
		f.same(h)
	})
}

// TestResumeProperty kicks clients at random, lets them read at random, and returns them with their last number: none
// ever sees a gap or a repeat (follower.take), and in the end all show what the hub shows.
func TestResumeProperty(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			bubble(t, Options{History: 64, FlushEvery: 20 * time.Millisecond}, func(t *testing.T, h *Hub) {
				rng := rand.New(rand.NewPCG(seed, 2))
				var fs []*follower
				for range 5 {
					fs = append(fs, follow(t, h, 1+rng.IntN(12)))
				}
				plies := map[int]int{}
				kicks := 0
				for kicks < 200 {
					n := 1 + rng.IntN(4)
					at := Change{Board: n, AtMS: int64(kicks)}
					switch k := rng.IntN(12); {
					case k < 4:
						plies[n]++
						at.Type, at.Ply, at.SAN, at.UCI, at.FEN = TypeMove, plies[n], "m", "e2e4", fmt.Sprint("fen", plies[n])
					case k == 4 && plies[n] > 0:
						at.Type, at.Ply, at.FEN = TypeReplace, 1+rng.IntN(plies[n]), "r"
						for i := range rng.IntN(3) {
							at.Moves = append(at.Moves, Move{Ply: at.Ply + i, SAN: "r", UCI: "d2d4"})
						}
						plies[n] = at.Ply - 1 + len(at.Moves)
					case k == 5 && plies[n] > 0:
						at.Type, at.Ply, at.FEN = TypeRetract, plies[n], "t"
						plies[n]--
					case k == 6 && plies[n] > 0:
						at.Type, at.Ply, at.ClockMS = TypeClock, plies[n], MS(time.Duration(kicks)*time.Second)
					case k == 7 && rng.IntN(5) == 0:
						at.Type, at.FEN, at.Tags = TypeGame, startFEN, map[string]string{"White": fmt.Sprint(kicks)}
						plies[n] = 0
					case k == 8:
						at.Type, at.Status = TypeStatus, []string{LinkLost, LinkBack}[rng.IntN(2)]
					default:
						at = reading(n, time.Duration(rng.IntN(60))*time.Minute, time.Minute, []string{"", RunningWhite, RunningBlack}[rng.IntN(3)])
					}
					h.Publish(at)
					time.Sleep(time.Duration(rng.IntN(30)) * time.Millisecond)
					for _, f := range fs {
						switch rng.IntN(10) {
						case 0:
							f.kick(h)
							f.join(h, 1+rng.IntN(12))
							kicks++
						case 1, 2, 3:
							f.read(rng.IntN(4))
						}
					}
				}
				for range 3 { // laggards need an empty queue and a beat
					for _, f := range fs {
						f.read(-1)
					}
					time.Sleep(1100 * time.Millisecond)
				}
				for _, f := range fs {
					f.read(-1)
					f.same(h)
				}
			})
		})
	}
}

func TestBeat(t *testing.T) {
	bubble(t, Options{PingEvery: 4 * time.Second}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 100)
		f.read(-1)
		f.frames = nil
		time.Sleep(20*time.Second + time.Millisecond)
		f.read(-1)
		count := map[string]int{}
		for _, k := range f.frames {
			count[k]++
		}
		if count["ping"] != 5 || count["tick"] != 2 {
			t.Errorf("expected 5 pings and 2 ticks in 20 s of silence, got %v", count)
		}
	})
}

func TestHubTimeDoesNotStep(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	now := start
	h := NewHub(Options{Now: func() time.Time { return now }})
	now = start.Add(1500 * time.Millisecond)
	if got := h.public.hubMS(now) - start.UnixMilli(); got != 1500 {
		t.Errorf("expected 1500 ms, got %d", got)
	}
}

func TestPublishAfterTheEndDoesNotBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Options{Input: 1})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		h.Run(ctx)
		for range 10 {
			h.Publish(status(1, ""))
		}
		if _, err := h.public.View(t.Context()); err != ErrNotRunning {
			t.Errorf("expected %v, got %v", ErrNotRunning, err)
		}
	})
}

func TestDrainFlushesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Options{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			h.Run(ctx)
		}()
		<-h.public.started
		f := follow(t, h, 10)
		h.Publish(status(1, "a"))
		h.Publish(reading(1, time.Hour, time.Hour, ""))
		cancel()
		<-ended
		var kinds []string
		for fr := range f.c.queue {
			if len(fr.data) > 1 && fr.data[0] != '{' {
				kinds = append(kinds, "close")
				continue
			}
			f.take(fr.data)
		}
		if len(f.sent) == 0 || !slices.Equal(kinds, []string{"close"}) {
			t.Errorf("expected the last changes and a close, got %v, %v", f.sent, kinds)
		}
	})
}
