package uplink

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// memory is a venue's record in memory.
type memory struct {
	mu    sync.Mutex
	epoch string
	list  []Numbered
	news  chan struct{}
}

func newMemory(epoch string) *memory { return &memory{epoch: epoch, news: make(chan struct{}, 1)} }

func (m *memory) Epoch(context.Context) (string, error) { return m.epoch, nil }

func (m *memory) After(_ context.Context, n uint64, most int) (list []Numbered, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range m.list {
		if one.N > n && len(list) < most {
			list = append(list, one)
		}
	}
	return list, nil
}

func (m *memory) Watch(ctx context.Context) <-chan struct{} {
	out := make(chan struct{}, 1)
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case <-m.news:
				select {
				case out <- struct{}{}:
				default:
				}
			}
		}
	}()
	return out
}

func (m *memory) add(n uint64, changes ...broadcast.Change) {
	m.mu.Lock()
	m.list = append(m.list, Numbered{n, changes})
	m.mu.Unlock()
	select {
	case m.news <- struct{}{}:
	default:
	}
}

// line is a TCP line to a server, that can be cut after some bytes; some are slow.
type line struct {
	net.Listener
	to string

	mu    sync.Mutex
	left  int // bytes until the next cut
	again func() int
	cuts  int

	carried int
}

func newLine(t *testing.T, to string, again func() int) *line {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{Listener: ln, to: to, left: again(), again: again}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			open.Go(func() { l.carry(conn) })
		}
	})
	t.Cleanup(func() { ln.Close(); open.Wait() })
	return l
}

func (l *line) carry(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", l.to)
	if err != nil {
		return
	}
	defer to.Close()
	l.mu.Lock()
	l.carried++
	slow := l.carried%4 == 0 // a call of the system for every 3 bytes
	l.mu.Unlock()
	var both sync.WaitGroup
	copyOver := func(dst, src net.Conn) {
		defer dst.Close()
		defer src.Close()
		buffer := make([]byte, 512)
		if slow {
			buffer = buffer[:3]
		}
		for {
			n, err := src.Read(buffer)
			if err != nil || !l.pass(n) {
				return
			}
			if _, err := dst.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
	both.Go(func() { copyOver(to, from) })
	both.Go(func() { copyOver(from, to) })
	both.Wait()
}

func (l *line) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cuts
}

func (l *line) pass(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left -= n; l.left > 0 {
		return true
	}
	l.left = l.again()
	l.cuts++
	return false
}

// follower applies what a hub publishes, as a spectator who has been there all along.
type follower struct {
	mu     sync.Mutex
	boards map[int]*broadcast.Board
	err    error
}

func (f *follower) take(c broadcast.Change) {
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

// A venue and a hub whose line is cut again and again, and whose hub is killed again and
// again and knows only what was on its disk: in the end the hub has the venue's record, and
// nobody who followed the hub saw a change that did not fit the one before.
func TestCutsAndKills(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	file := filepath.Join(t.TempDir(), "hub.json")
	seats := map[string]Seats{"east": {1, 64, 101}}
	tokens := map[string]string{"east": "secret"}
	record, want := newMemory("e1"), NewState(seats)

	var mu sync.Mutex
	var gate http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		g := gate
		mu.Unlock()
		g.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var center *Center
	var present *Gate
	var seen *follower
	start := func() {
		seen = &follower{boards: map[int]*broadcast.Board{}}
		var err error
		center, err = OpenCenter(CenterOptions{Seats: seats, File: file, Publish: seen.take, Log: zerolog.Nop()})
		if err != nil {
			t.Fatal(err)
		}
		running := center
		go running.Run(ctx)
		present = NewGate(center, tokens, zerolog.Nop())
		mu.Lock()
		gate = present
		mu.Unlock()
	}
	start()
	l := newLine(t, strings.TrimPrefix(server.URL, "http://"), func() int { return 200 + rand.IntN(40000) })
	sender := NewSender(SenderOptions{URLs: []string{"ws://" + l.Addr().String() + "/uplink"}, Token: "secret", Record: record,
		Log: zerolog.Nop(), RetryMin: time.Millisecond, RetryMax: 4 * time.Millisecond})
	var running sync.WaitGroup
	running.Go(func() { sender.Run(ctx) })
	acked := func(n uint64) {
		t.Helper()
		again := time.NewTicker(time.Millisecond)
		defer again.Stop()
		for deadline := time.Now().Add(time.Minute); ; <-again.C {
			if sender.Status().Acked >= n {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("number %d did not come; %+v", n, sender.Status())
			}
		}
	}

	n, kills := uint64(0), 0
	plies := map[int]int{}
	const least = 100 // cuts, and kills
	for round := 0; l.count() < least || kills < least; round++ {
		for range 30 {
			table := 1 + rng.IntN(64)
			c := game(table)
			if p := plies[table]; p > 0 && rng.IntN(20) > 0 {
				c = broadcast.Change{Type: broadcast.TypeMove, Board: table, Ply: p, SAN: "Nf3", UCI: "g1f3", FEN: fmt.Sprint(round, p)}
				if p > 3 && rng.IntN(6) == 0 {
					p = 1 + rng.IntN(p)
					c = broadcast.Change{Type: broadcast.TypeRetract, Board: table, Ply: p, FEN: "back"}
					p--
				}
				plies[table] = p + 1
			} else {
				plies[table] = 1
			}
			after := n
			n += 1 + uint64(rng.IntN(3))
			record.add(n, c)
			if _, faults, err := want.Take(Batch{Venue: "east", Epoch: "e1", After: after, N: n, Changes: []broadcast.Change{c}}, 0); err != nil || faults != nil {
				t.Fatal(err, faults)
			}
		}
		if rng.IntN(2) == 0 {
			acked(n)
		}
		switch rng.IntN(3) {
		case 0:
			if err := center.save(); err != nil {
				t.Fatal(err)
			}
		case 1: // killed: what was not saved is gone
			kills++
			present.Close()
			if seen.err != nil {
				t.Fatal(seen.err)
			}
			start()
		}
	}
	l.mu.Lock()
	l.left = 1 << 30
	l.mu.Unlock()
	record.add(n+1, game(64))
	if _, _, err := want.Take(Batch{Venue: "east", Epoch: "e1", After: n, N: n + 1, Changes: []broadcast.Change{game(64)}}, 0); err != nil {
		t.Fatal(err)
	}
	acked(n + 1)
	cancel()
	running.Wait()
	present.Close()
	ignore := cmp.Options{cmpopts.IgnoreUnexported(broadcast.Board{}), cmpopts.IgnoreFields(broadcast.Board{}, "Game"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want.Boards(), center.state.Boards(), ignore); diff != "" || center.state.Place("east").N != n+1 {
		t.Errorf("the hub's record, at %v (-venue +hub):\n%s", center.state.Place("east"), diff)
	}
	for _, b := range center.state.Boards() {
		if diff := cmp.Diff(b, *seen.boards[b.Board], ignore); diff != "" || seen.err != nil {
			t.Errorf("a follower of the hub: %v\n%s", seen.err, diff)
		}
	}
	t.Logf("%d cuts, %d kills, %d facts", l.cuts, kills, len(record.list))
}

// The gate lets in nobody without a token, no page of another site, and nobody who does
// not keep to the talk; each hears why.
func TestGateRefuses(t *testing.T) {
	center, err := OpenCenter(CenterOptions{Seats: twoHalls, Publish: func(broadcast.Change) {}})
	if err != nil {
		t.Fatal(err)
	}
	go center.Run(t.Context())
	gate := NewGate(center, map[string]string{"east": "secret", "west": "other"}, zerolog.Nop())
	server := httptest.NewServer(gate)
	defer server.Close()
	defer gate.Close()
	url := "ws" + strings.TrimPrefix(server.URL, "http")
	for _, header := range []http.Header{{}, {"Authorization": {"secret"}}, {"Authorization": {"Bearer "}}, {"Authorization": {"Bearer secret2"}},
		{"Authorization": {"Basic secret"}}, {"Authorization": {"Bearer secret"}, "Origin": {"https://evil.example"}}} {
		if conn, answer, err := websocket.DefaultDialer.Dial(url, header); err == nil {
			conn.Close()
			t.Errorf("%v was let in", header)
		} else if answer == nil || answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden {
			t.Errorf("%v: %v", header, err)
		} else if text, _ := io.ReadAll(answer.Body); len(text) == 0 {
			t.Errorf("%v: refused without a word", header)
		}
	}
	talks := []struct {
		say  []string
		want string
	}{
		{[]string{"nonsense"}, "expected one JSON object"},
		{[]string{`{"type":"facts","n":1}`}, `expected ["hello"]`},
		{[]string{`{"type":"hello","v":2,"epoch":"a"}`}, "expected version 1, got 2"},
		{[]string{`{"type":"hello","v":1}`}, "expected an epoch"},
		{[]string{`{"type":"hello","v":1,"epoch":"a"}`, `{"type":"facts","after":3,"n":3}`}, "expected a number above 3"},
		{[]string{`{"type":"hello","v":1,"epoch":"a"}`, `{"type":"facts","after":3,"n":4}`}, "expected what follows number 0"},
		{[]string{`{"type":"hello","v":1,"epoch":"a"}`, `{"type":"facts","n":4,"changes":[{"type":"game","board":12,"fen":"x"}]}`}, "not a board of this venue: table 12, expected 1 to 10"},
	}
	for _, talk := range talks {
		conn, _, err := websocket.DefaultDialer.Dial(url, http.Header{"Authorization": {"Bearer secret"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range talk.say {
			if err := conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		said := ""
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				break
			}
			if m, err := parse(data, typeHave, typeError); err != nil {
				t.Fatal(err)
			} else if m.Type == typeError {
				said = m.Error
			}
		}
		conn.Close()
		if !strings.Contains(said, talk.want) {
			t.Errorf("%q is answered %q, want %q", talk.say, said, talk.want)
		}
	}
}
