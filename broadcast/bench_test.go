package broadcast

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

const benchClients = 1000

// sink counts what all clients have got.
type sink struct {
	got    atomic.Int64
	wanted atomic.Int64
	ready  chan struct{}
}

func newSink() *sink { return &sink{ready: make(chan struct{}, 1)} }

func (s *sink) add(n int64) {
	if s.got.Add(n) >= s.wanted.Load() {
		select {
		case s.ready <- struct{}{}:
		default:
		}
	}
}

// await waits until n in all have come.
func (s *sink) await(n int64) {
	s.wanted.Store(n)
	for s.got.Load() < n {
		<-s.ready
	}
}

// readFrames reads server frames from conn until it fails and counts those of data by what count says.
func readFrames(r *bufio.Reader, count func(payload []byte)) {
	var head [8]byte
	payload := make([]byte, 0, 4096)
	for {
		if _, err := io.ReadFull(r, head[:2]); err != nil {
			return
		}
		n := uint64(head[1] & 127)
		switch n {
		case 126:
			if _, err := io.ReadFull(r, head[:2]); err != nil {
				return
			}
			n = uint64(binary.BigEndian.Uint16(head[:2]))
		case 127:
			if _, err := io.ReadFull(r, head[:8]); err != nil {
				return
			}
			n = binary.BigEndian.Uint64(head[:8])
		}
		if uint64(cap(payload)) < n {
			payload = make([]byte, n)
		}
		if _, err := io.ReadFull(r, payload[:n]); err != nil {
			return
		}
		count(payload[:n])
	}
}

// connect opens n plain WebSockets; each is read in a goroutine of its own.
func connect(b *testing.B, addr string, n int, count func(payload []byte)) (stop func()) {
	var wg sync.WaitGroup
	var conns []net.Conn
	for range n {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		conns = append(conns, conn)
		io.WriteString(conn, "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
		r := bufio.NewReaderSize(conn, 4096)
		res, err := http.ReadResponse(r, nil)
		if err != nil || res.StatusCode != 101 {
			b.Fatal(res, err)
		}
		wg.Go(func() { readFrames(r, count) })
	}
	return func() {
		for _, c := range conns {
			c.Close()
		}
		wg.Wait()
	}
}

// bareLoop is what one could write on a page: PreparedMessage to each connection in turn.
type bareLoop struct {
	mu    sync.Mutex
	conns []*websocket.Conn
}

func (l *bareLoop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{ReadBufferSize: 512, WriteBufferPool: &writeBuffers}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	l.mu.Lock()
	l.conns = append(l.conns, conn)
	l.mu.Unlock()
}

// BenchmarkDeliveries measures updates delivered to 1,000 loopback clients, readers included, on this machine:
//
//	bare       one 300-byte message a frame, gorilla PreparedMessage, a loop over the connections
//	hub        the same message through the hub, one a frame
//	coalesced  eight boards' moves in one frame, as the hub sends them when a hall is busy
func BenchmarkDeliveries(b *testing.B) {
	move := Change{Type: TypeStatus, Board: 1, Status: LinkLive, Text: strings.Repeat("x", 150)}

	b.Run("bare", func(b *testing.B) {
		l := &bareLoop{}
		srv := httptest.NewServer(l)
		defer srv.Close()
		s := newSink()
		stop := connect(b, srv.Listener.Addr().String(), benchClients, func([]byte) { s.add(1) })
		defer stop()
		data := []byte(strings.Repeat("x", 300))
		n := int64(0)
		for b.Loop() {
			msg, err := websocket.NewPreparedMessage(websocket.TextMessage, data)
			if err != nil {
				b.Fatal(err)
			}
			for _, conn := range l.conns {
				if err := conn.WritePreparedMessage(msg); err != nil {
					b.Fatal(err)
				}
			}
			n++
			if n%8 == 0 { // as many may be under way as below
				s.await(n * benchClients)
			}
		}
		s.await(n * benchClients)
		b.ReportMetric(float64(n*benchClients)/b.Elapsed().Seconds(), "deliveries/s")
		for _, conn := range l.conns {
			conn.Close()
		}
	})

	for _, batch := range []int64{1, 8} {
		name := "hub"
		if batch > 1 {
			name = "coalesced"
		}
		b.Run(name, func(b *testing.B) {
			h, srv := benchHub(b, Options{FlushEvery: time.Nanosecond})
			s := newSink()
			stop := connect(b, srv.Listener.Addr().String(), benchClients, func(p []byte) {
				if strings.HasPrefix(string(p[:min(len(p), 20)]), `{"type":"changes"`) {
					s.add(batch)
				}
			})
			defer stop()
			awaitClients(b, h, benchClients)
			n := int64(0)
			ask := make(chan View, 1)
			for b.Loop() {
				// Publishing while the owner is held makes the batch share a frame.
				hold := make(chan View)
				if batch > 1 {
					h.public.views <- hold
				}
				for i := range batch {
					move.Board = int(i + 1)
					h.Publish(move)
				}
				if batch > 1 {
					<-hold
				}
				h.public.views <- ask // the owner has flushed once it answers
				<-ask
				n += batch
				if n%(8*batch) == 0 { // fewer than a queue holds, so that nobody is skipped
					s.await(n * benchClients)
				}
			}
			s.await(n * benchClients)
			b.ReportMetric(float64(n*benchClients)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

// benchHub is running without a test's clean-up order: the hub ends when the benchmark does.
func benchHub(b *testing.B, opts Options) (*Hub, *httptest.Server) {
	h := NewHub(opts)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Run(ctx)
	}()
	<-h.public.started
	srv := httptest.NewServer(h.Handler())
	b.Cleanup(func() {
		cancel()
		<-ended
		srv.Close()
	})
	return h, srv
}

// awaitClients waits until the owner has taken n clients in.
func awaitClients(b *testing.B, h *Hub, n int) {
	b.Helper()
	for range 1000 {
		reply := make(chan View, 1)
		h.public.views <- reply
		<-reply
		h.public.door.mu.Lock()
		inside := h.public.door.inside
		h.public.door.mu.Unlock()
		if inside == n {
			return
		}
		runtime.Gosched()
	}
	b.Fatal("clients did not join")
}

// BenchmarkIdleClient reports the memory of a connection that waits, kernel buffers not counted, beside
// the bare one's.
func BenchmarkIdleClient(b *testing.B) {
	live := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	measure := func(b *testing.B, addr string) {
		for b.Loop() {
			before := live()
			stop := connect(b, addr, benchClients, func([]byte) {})
			after := live()
			stop()
			b.ReportMetric(float64(after-before)/benchClients, "B/client")
		}
	}
	b.Run("bare", func(b *testing.B) {
		l := &bareLoop{}
		srv := httptest.NewServer(l)
		defer srv.Close()
		measure(b, srv.Listener.Addr().String())
		for _, c := range l.conns {
			c.Close()
		}
	})
	b.Run("hub", func(b *testing.B) {
		_, srv := benchHub(b, Options{})
		measure(b, srv.Listener.Addr().String())
	})
}

// BenchmarkFlush is the owner's own cost of one move with no client: check, apply, encode, number.
func BenchmarkFlush(b *testing.B) {
	s := newStream(Options{History: 2048})
	at := time.Unix(0, 0)
	ply := 0
	b.ReportAllocs()
	for b.Loop() {
		if ply == 80 {
			ply = 0
			s.take(Change{Type: TypeGame, Board: 1, FEN: startFEN})
		}
		ply++
		s.take(Change{Type: TypeMove, Board: 1, Ply: ply, SAN: "Nf3", UCI: "g1f3", FEN: startFEN, ClockMS: MS(time.Hour)})
		s.flush(at, 0)
	}
}

// BenchmarkSnapshot is a fresh snapshot of 60 boards of 80 plies of which one has changed.
func BenchmarkSnapshot(b *testing.B) {
	opts := Options{}
	opts.fill()
	s := newStream(opts)
	for n := range 60 {
		s.take(Change{Type: TypeGame, Board: n + 1, FEN: startFEN, Tags: map[string]string{"White": "Surname, Firstname", "Black": "Another, Name"}})
		for p := range 80 {
			s.take(Change{Type: TypeMove, Board: n + 1, Ply: p + 1, SAN: "Nf3", UCI: "g1f3", FEN: startFEN, ClockMS: MS(time.Hour), AtMS: int64(p)})
		}
	}
	s.flush(time.Unix(0, 0), 0)
	size := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.take(status(1, fmt.Sprint(i)))
		s.flush(time.Unix(0, 0), 0)
		size = len(s.snapshotFrame(s.everything, 0).data)
	}
	b.ReportMetric(float64(size), "B")
}
