package livechess

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/broadcast"
	"boardd/rules"
)

// Of two sessions that are equal but for what happened within the delay, whoever asks a public server learns the same bytes:
// whatever he asks, over the socket and over HTTP.
func TestPublicTellsNothingOfTheLastMinutes(t *testing.T) {
	const delay = 15 * time.Minute
	for seed := range uint64(20) {
		seen := func(after bool) (all []string) {
			synctest.Test(t, func(t *testing.T) {
				hub := broadcast.NewHub(broadcast.Options{Delay: delay, Stream: "s"})
				s := New(hub.Public(), Options{Public: true, Delayed: true, Event: "Open"})
				s.opts.Now = time.Now
				hubDone, done := make(chan struct{}), make(chan struct{})
				ctx, cancel := newContext()
				go func() { defer close(hubDone); hub.Run(ctx) }()
				synctest.Wait()
				go func() { defer close(done); s.run(ctx) }()
				c := &client{queue: make(chan []byte, 1000)}
				s.do(func(h *hall) { h.join(c) })
				look := func() {
					synctest.Wait()
					for _, call := range []string{`{"id":1,"call":"eboards"}`, `{"id":2,"call":"sources"}`,
						`{"id":3,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"1"}}}`,
						`{"id":4,"call":"subscribe","param":{"feed":"eboardevent","id":2,"param":{"serialnr":"2"}}}`,
						`{"id":5,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"` + rules.StartFEN + `"}}}`,
						`{"id":6,"call":"call","param":{"id":2,"method":"setup","param":{"fen":"` + rules.StartFEN + `"}}}`} {
						s.do(func(h *hall) { h.call(s.opts.Now(), c, []byte(call)) })
					}
					for len(c.queue) > 0 {
						all = append(all, string(<-c.queue))
					}
					u := uuidOf("tournament", "Open", "")
					paths := []string{"/eboards", "/tournaments", "/tournament/" + u, "/round/" + u + "/0", "/round/" + u + "/1", "/round/" + u + "/2"}
					for table := range 4 {
						for round := range 3 {
							paths = append(paths, "/game/"+uuidOf("game", u, fmt.Sprint(round), fmt.Sprint(table)))
						}
					}
					for _, path := range paths {
						all = append(all, get(s, root+path))
					}
				}
				r := rand.New(rand.NewPCG(seed, 1))
				play(r, hub, s, 20)
				time.Sleep(delay) // synctest's time: all that was played may be seen now
				look()
				if after {
					play(r, hub, s, 20)
				} else {
					play(r, nil, s, 20) // as much time passes
				}
				look()
				cancel()
				<-done
				<-hubDone
			})
			return all
		}
		with, without := seen(true), seen(false)
		if !slices.Equal(with, without) {
			for i := range with {
				if i >= len(without) || with[i] != without[i] {
					t.Fatalf("seed %d: answer %d tells of the last minutes:\n%s\nwithout them it is\n%s", seed, i, with[i], strings.Join(without[i:min(i+1, len(without))], ""))
				}
			}
			t.Fatalf("seed %d: %d answers with, %d without", seed, len(with), len(without))
		}
		if !strings.Contains(strings.Join(with, ""), `"san":["`) {
			t.Fatalf("seed %d: nothing was seen at all", seed)
		}
	}
}

// play has n things happen within 10 minutes at two tables; a nil hub hears nothing of them.
func play(r *rand.Rand, hub *broadcast.Hub, s *Server, n int) {
	publish := func(c broadcast.Change) {
		if hub != nil {
			hub.Publish(c)
		}
	}
	for table := 1; table <= 2; table++ {
		g := rules.NewGame(rules.Start())
		publish(broadcast.Change{Type: broadcast.TypeGame, Board: table, FEN: rules.StartFEN, Tags: map[string]string{"Round": "1"}})
		publish(broadcast.Change{Type: broadcast.TypeStatus, Board: table, Status: broadcast.LinkLive})
		for range n {
			time.Sleep(time.Duration(r.IntN(15)) * time.Second)
			if hub != nil { // a public server passes over what the sensors see
				s.Sense(Seat{Table: table, Serial: fmt.Sprint(10000 + table), Port: "/dev/a", Here: true, Men: g.Current().Placement(), Seen: true, Whole: true})
			}
			var moves rules.MoveList
			g.Current().LegalMoves(&moves)
			switch k := r.IntN(10); {
			case k == 0:
				publish(broadcast.Change{Type: broadcast.TypeStatus, Board: table, Status: broadcast.LinkLost})
			case k == 1:
				publish(broadcast.Change{Type: broadcast.TypeResult, Board: table, Result: "1-0"})
			case k == 2 && g.Len() > 0:
				g.ReplaceFrom(g.Len(), nil)
				publish(broadcast.Change{Type: broadcast.TypeRetract, Board: table, Ply: g.Len() + 1, FEN: g.Current().FEN()})
			case k < 5:
				white, black := int64(r.IntN(1e6)), int64(r.IntN(1e6))
				publish(broadcast.Change{Type: broadcast.TypeClock, Board: table, WhiteMS: &white, BlackMS: &black, Running: broadcast.RunningBlack})
			case moves.Len() > 0:
				g.Push(moves.At(r.IntN(moves.Len())))
				publish(broadcast.Change{Type: broadcast.TypeMove, Board: table, Ply: g.Len(), SAN: g.Ply(g.Len()).SAN, FEN: g.Current().FEN()})
			}
		}
	}
}
