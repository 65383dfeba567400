package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"boardd/broadcast"
	"boardd/broadcast/uplink"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// engine is a NATS server that can be killed and started again on its data.
type engine struct {
	t    *testing.T
	dir  string
	port int
	s    *server.Server
}

func newEngine(t *testing.T) *engine {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{t: t, dir: t.TempDir(), port: ln.Addr().(*net.TCPAddr).Port}
	ln.Close()
	e.start()
	t.Cleanup(e.stop)
	return e
}

func (e *engine) start() {
	e.t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: e.port, JetStream: true, StoreDir: e.dir, NoLog: true, NoSigs: true})
	if err != nil {
		e.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		e.t.Fatal("the NATS server does not start")
	}
	e.s = s
}

func (e *engine) stop() {
	e.s.Shutdown()
	e.s.WaitForShutdown()
}

func (e *engine) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", e.port) }

// spectator follows a node from its start, change by change.
type spectator struct {
	mu     sync.Mutex
	boards map[int]*broadcast.Board
	err    error
}

func (f *spectator) take(c broadcast.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.boards[c.Board]
	if b == nil {
		fresh := broadcast.NewBoard(c.Board)
		b = &fresh
		f.boards[c.Board] = b
	}
	if err := b.Apply(c); err != nil && f.err == nil {
		f.err = err
	}
}

func (f *spectator) all() []broadcast.Board {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []broadcast.Board
	for n := 1; n <= 200; n++ {
		if b := f.boards[n]; b != nil {
			list = append(list, *b)
		}
	}
	return list
}

// hub is a node with its gate, at an address that stays.
type hub struct {
	t       *testing.T
	e       *engine
	address string
	seen    *spectator
	gate    *uplink.Gate
	server  *http.Server
	stop    func()
}

var seats = map[string]uplink.Seats{"east": {First: 1, Last: 64, As: 1}, "west": {First: 1, Last: 64, As: 101}}

func newHub(t *testing.T, e *engine) *hub {
	h := &hub{t: t, e: e, address: "127.0.0.1:0"}
	h.start()
	t.Cleanup(func() { h.kill() })
	return h
}

func (h *hub) start() {
	h.t.Helper()
	h.seen = &spectator{boards: map[int]*broadcast.Board{}}
	node, err := Open(Options{URL: h.e.url(), Seats: seats, Publish: h.seen.take, Log: zerolog.Nop()})
	if err != nil {
		h.t.Fatal(err)
	}
	ln, err := net.Listen("tcp", h.address)
	if err != nil {
		h.t.Fatal(err)
	}
	h.address = ln.Addr().String()
	h.gate = uplink.NewGate(node, map[string]string{"east": "e", "west": "w"}, zerolog.Nop())
	h.server = &http.Server{Handler: h.gate, ReadHeaderTimeout: time.Second}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { node.Run(ctx) })
	running.Go(func() { h.server.Serve(ln) })
	gate, srv := h.gate, h.server
	h.stop = sync.OnceFunc(func() {
		cancel()
		srv.Close()
		gate.Close()
		running.Wait()
	})
}

func (h *hub) kill() { h.stop() }

// venue is a venue's record in memory, with what it leads to.
type venue struct {
	name string
	want *uplink.State
	rng  *rand.Rand

	mu    sync.Mutex
	list  []uplink.Numbered
	plies map[int]int
	n     uint64
}

func (v *venue) Epoch(context.Context) (string, error) { return v.name + "-1", nil }

func (v *venue) After(_ context.Context, n uint64, most int) (list []uplink.Numbered, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, one := range v.list {
		if one.N > n && len(list) < most {
			list = append(list, one)
		}
	}
	return list, nil
}

// Watch holds a token now and then.
func (v *venue) Watch(ctx context.Context) <-chan struct{} {
	out := make(chan struct{}, 1)
	go func() {
		defer close(out)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				select {
				case out <- struct{}{}:
				default:
				}
			}
		}
	}()
	return out
}

// play adds a half-move, a game, or a correction at some table.
func (v *venue) play(t *testing.T) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	table := 1 + v.rng.IntN(64)
	c := broadcast.Change{Type: broadcast.TypeGame, Board: table, FEN: startFEN}
	if p := v.plies[table]; p > 0 && v.rng.IntN(30) > 0 {
		c = broadcast.Change{Type: broadcast.TypeMove, Board: table, Ply: p, SAN: "Nf3", UCI: "g1f3", FEN: fmt.Sprint(v.n)}
		if p > 3 && v.rng.IntN(8) == 0 {
			p = 1 + v.rng.IntN(p)
			c = broadcast.Change{Type: broadcast.TypeRetract, Board: table, Ply: p, FEN: "back"}
			p--
		}
		v.plies[table] = p + 1
	} else {
		v.plies[table] = 1
	}
	after := v.n
	v.n += 1 + uint64(v.rng.IntN(3))
	v.list = append(v.list, uplink.Numbered{N: v.n, Changes: []broadcast.Change{c}})
	if _, faults, err := v.want.Take(uplink.Batch{Venue: v.name, Epoch: v.name + "-1", After: after, N: v.n, Changes: []broadcast.Change{c}}, 0); err != nil || faults != nil {
		t.Fatal(err, faults)
	}
}

var shown = cmp.Options{cmpopts.IgnoreUnexported(broadcast.Board{}), cmpopts.IgnoreFields(broadcast.Board{}, "Game"), cmpopts.EquateEmpty()}

// Two venues and three nodes. While games are played nodes are killed and started again,
// and so is the NATS server. In the end every node shows what the venues have, and nobody who
// followed a node saw a change that did not fit the one before.
func TestNodesAndEngineAreKilled(t *testing.T) {
	e := newEngine(t)
	hubs := []*hub{newHub(t, e), newHub(t, e), newHub(t, e)}
	var urls []string
	for _, h := range hubs {
		urls = append(urls, "ws://"+h.address+"/uplink")
	}
	ctx, cancel := context.WithCancel(t.Context())
	want := uplink.NewState(seats)
	var venues []*venue
	var senders []*uplink.Sender
	var running sync.WaitGroup
	for i, name := range []string{"east", "west"} {
		v := &venue{name: name, want: want, rng: rand.New(rand.NewPCG(8, uint64(i))), plies: map[int]int{}}
		s := uplink.NewSender(uplink.SenderOptions{URLs: urls, Token: name[:1], Record: v, Log: zerolog.Nop(), RetryMin: 5 * time.Millisecond, RetryMax: 50 * time.Millisecond})
		running.Go(func() { s.Run(ctx) })
		venues, senders = append(venues, v), append(senders, s)
	}
	rng := rand.New(rand.NewPCG(8, 9))
	caughtUp := func() {
		t.Helper()
		again := time.NewTicker(5 * time.Millisecond)
		defer again.Stop()
		for deadline := time.Now().Add(time.Minute); ; <-again.C {
			behind := false
			for i, s := range senders {
				behind = behind || s.Status().Acked < venues[i].n
			}
			if !behind {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the venues are at %d and %d; %+v, %+v", venues[0].n, venues[1].n, senders[0].Status(), senders[1].Status())
			}
		}
	}
	kills := map[string]int{}
	for round := range 30 {
		for range 40 {
			venues[rng.IntN(2)].play(t)
		}
		if round%3 != 0 {
			caughtUp()
		}
		switch round % 5 {
		case 1, 2, 3: // a node goes, while play goes on
			h := hubs[rng.IntN(3)]
			h.kill()
			if h.seen.err != nil {
				t.Fatal(h.seen.err)
			}
			for range 20 {
				venues[rng.IntN(2)].play(t)
			}
			h.start()
			kills["node"]++
		case 4: // the engine goes
			e.stop()
			for range 20 {
				venues[rng.IntN(2)].play(t)
			}
			e.start()
			kills["engine"]++
		}
	}
	caughtUp()
	cancel()
	running.Wait()
	for i, h := range hubs {
		again := time.NewTicker(5 * time.Millisecond)
		for deadline := time.Now().Add(time.Minute); ; <-again.C {
			diff := cmp.Diff(want.Boards(), h.seen.all(), shown, cmpopts.IgnoreFields(broadcast.Board{}, "Status"))
			if diff == "" {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("node %d (-venues +node):\n%s", i, diff)
			}
		}
		again.Stop()
		if h.seen.err != nil {
			t.Errorf("node %d: %v", i, h.seen.err)
		}
	}
	t.Logf("%v killed, %d and %d facts", kills, len(venues[0].list), len(venues[1].list))
}

// A node that starts in the middle of the event knows the whole of it.
func TestNodeThatComesLater(t *testing.T) {
	e := newEngine(t)
	h := newHub(t, e)
	want := uplink.NewState(seats)
	v := &venue{name: "east", want: want, rng: rand.New(rand.NewPCG(2, 2)), plies: map[int]int{}}
	for range 500 {
		v.play(t)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := uplink.NewSender(uplink.SenderOptions{URLs: []string{"ws://" + h.address + "/uplink"}, Token: "e", Record: v, Log: zerolog.Nop()})
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for s.Status().Acked < v.n {
		<-again.C
	}
	cancel()
	running.Wait()
	late := newHub(t, e)
	for deadline := time.Now().Add(time.Minute); cmp.Diff(want.Boards(), late.seen.all(), shown) != ""; <-again.C {
		if time.Now().After(deadline) {
			t.Fatal(cmp.Diff(want.Boards(), late.seen.all(), shown))
		}
	}
}

// Two nodes that take the same venue at once cannot mix: the second hears that the batch is
// known, or that it does not follow.
func TestTwoNodesTakeTheSameVenue(t *testing.T) {
	e := newEngine(t)
	var nodes []*Node
	for range 2 {
		n, err := Open(Options{URL: e.url(), Seats: seats, Publish: func(broadcast.Change) {}, Log: zerolog.Nop()})
		if err != nil {
			t.Fatal(err)
		}
		defer n.conn.Close()
		nodes = append(nodes, n)
	}
	batch := func(after, n uint64) uplink.Batch {
		return uplink.Batch{Venue: "east", Epoch: "a", After: after, N: n, Changes: []broadcast.Change{{Type: broadcast.TypeGame, Board: 1, FEN: startFEN}}}
	}
	for _, n := range nodes { // both know that there is nothing yet
		if p, err := n.Place(t.Context(), "east"); err != nil || p != (uplink.Place{}) {
			t.Fatalf("place %v, error %v", p, err)
		}
	}
	if err := nodes[0].Append(t.Context(), batch(0, 5)); err != nil {
		t.Fatal(err)
	}
	if err := nodes[1].Append(t.Context(), batch(0, 7)); err == nil {
		t.Fatal("the other node wrote over it")
	}
	if err := nodes[1].Append(t.Context(), batch(0, 7)); err == nil {
		t.Fatal("the other node wrote over it, knowing better")
	}
	if err := nodes[1].Append(t.Context(), batch(5, 9)); err != nil {
		t.Error(err)
	}
	if p, err := nodes[0].Place(t.Context(), "east"); err != nil || p != (uplink.Place{Epoch: "a", N: 9}) {
		t.Errorf("place %v, error %v", p, err)
	}
}
