//go:build hubbench

package broadcast

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// `make bench-hub` measures the hub beside a bare gorilla/websocket loop, in one run on one machine. The clients are
// another process, so that descriptors suffice and their memory is not counted.
var (
	benchMany   = flag.Int("many", 5000, "clients side by side with the bare loop")
	benchCrowd  = flag.Int("crowd", 10000, "clients of which a twentieth never reads")
	benchLasts  = flag.Duration("lasts", time.Minute, "how long the crowd is watched for growth of memory")
	benchRounds = flag.Int("rounds", 3, "how often bare loop and hub take turns")
)

const clientsEnv = "BOARDD_BENCH_CLIENTS"

func init() {
	if addr := os.Getenv(clientsEnv); addr != "" {
		beClients(addr)
		os.Exit(0)
	}
}

// mark stands in front of the time in a message, in ns.
const mark = "at:"

// latencies counts deliveries by how long they took, in buckets a twentieth apart.
type latencies struct{ n [600]atomic.Int64 }

func (l *latencies) add(d time.Duration) {
	i := int(math.Log(max(1, float64(d.Microseconds()))) * 20)
	l.n[min(i, len(l.n)-1)].Add(1)
}

func (l *latencies) report() (r report) {
	for i := range l.n {
		r.Got += l.n[i].Load()
	}
	at := func(share float64) time.Duration {
		left := int64(float64(r.Got) * share)
		for i := range l.n {
			if left -= l.n[i].Load(); left < 0 {
				return time.Duration(math.Exp(float64(i+1)/20)) * time.Microsecond
			}
		}
		return 0
	}
	r.P50, r.P99 = at(0.5), at(0.99)
	return r
}

func (l *latencies) reset() {
	for i := range l.n {
		l.n[i].Store(0)
	}
}

type report struct {
	Got      int64
	P50, P99 time.Duration
	Failed   int64 // connections that could not be made
	Again    int64 // made anew
}

// beClients is the other process. It obeys lines: "connect N SLOW", "reset", "report", "again RATE SECONDS".
func beClients(addr string) {
	var seen latencies
	var failed, again atomic.Int64
	var conns []net.Conn
	out := json.NewEncoder(os.Stdout)
	dial := func(i int, slow bool) net.Conn {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%8))}}
		conn, err := d.Dial("tcp", addr)
		if err != nil {
			failed.Add(1)
			return nil
		}
		if slow {
			conn.(*net.TCPConn).SetReadBuffer(4096)
		}
		io.WriteString(conn, "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
		r := bufio.NewReaderSize(conn, 1024)
		res, err := http.ReadResponse(r, nil)
		if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
			failed.Add(1)
			conn.Close()
			return nil
		}
		if !slow {
			go readFrames(r, func(p []byte) {
				if len(p) == 0 { // a ping; the answer is an empty pong, masked
					conn.Write([]byte{0x8A, 0x80, 0, 0, 0, 0})
					return
				}
				text := string(p)
				for _, rest := range strings.Split(text, mark)[1:] { // a frame may hold several
					if ns, err := strconv.ParseInt(rest[:min(19, len(rest))], 10, 64); err == nil {
						seen.add(time.Duration(time.Now().UnixNano() - ns))
					}
				}
			})
		}
		return conn
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		number := func(i int) int { n, _ := strconv.Atoi(words[i]); return n }
		switch words[0] {
		case "connect":
			for i := range number(1) {
				conns = append(conns, dial(i, i < number(2)))
			}
		case "reset":
			seen.reset()
		case "again":
			tick := time.NewTicker(time.Second / time.Duration(number(1)))
			for i := range number(1) * number(2) {
				<-tick.C
				k := i % len(conns)
				if conns[k] != nil {
					conns[k].Close()
				}
				conns[k] = dial(i, false)
				again.Add(1)
			}
			tick.Stop()
		}
		r := seen.report()
		r.Failed, r.Again = failed.Load(), again.Load()
		out.Encode(r)
	}
}

// clientsOf starts the other process.
func clientsOf(t *testing.T, addr string) (tell func(format string, args ...any) report) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), clientsEnv+"="+addr)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	answers := json.NewDecoder(out)
	return func(format string, args ...any) (r report) {
		fmt.Fprintf(in, format+"\n", args...)
		if err := answers.Decode(&r); err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// server is what is measured: it takes clients at an address and sends a text to all.
type server interface {
	address() string
	send(text string)
	settle() // until what was sent is on its way
	close()
}

// bareServer is what one could write on a page: a loop over the connections, and a reader for each, without which
// nobody hears of one that is gone.
type bareServer struct {
	bareLoop
	srv *http.Server
	ln  net.Listener
	wg  sync.WaitGroup
}

func newBareServer(t *testing.T) server {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &bareServer{ln: ln}
	s.srv = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		up := websocket.Upgrader{ReadBufferSize: 512, WriteBufferSize: 4096, WriteBufferPool: &writeBuffers}
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, conn)
		s.mu.Unlock()
		s.wg.Go(func() {
			for {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
			}
		})
	})}
	go s.srv.Serve(ln)
	return s
}

func (s *bareServer) address() string { return s.ln.Addr().String() }

func (s *bareServer) send(text string) {
	msg, _ := websocket.NewPreparedMessage(websocket.TextMessage, []byte(text))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.conns {
		conn.WritePreparedMessage(msg)
	}
}

func (s *bareServer) settle() {}

func (s *bareServer) close() {
	s.srv.Close()
	for _, conn := range s.conns {
		conn.Close()
	}
	s.wg.Wait()
}

type hubServer struct {
	hub  *Hub
	ln   net.Listener
	end  func()
	done chan struct{}
}

func newHubServer(t *testing.T) server {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &hubServer{hub: NewHub(Options{FlushEvery: time.Nanosecond, MaxClients: 20000}), ln: ln, end: cancel, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		var both sync.WaitGroup
		both.Go(func() { s.hub.Run(ctx) })
		both.Go(func() { s.hub.Serve(ctx, ln) })
		both.Wait()
	}()
	<-s.hub.public.started
	return s
}

func (s *hubServer) address() string { return s.ln.Addr().String() }
func (s *hubServer) send(text string) {
	s.hub.Publish(Change{Type: TypeStatus, Board: 1, Status: LinkLive, Text: text})
}

func (s *hubServer) settle() { s.hub.Public().View(context.Background()) }
func (s *hubServer) close() {
	s.end()
	<-s.done
}

// message is one of 300 bytes on the wire; the hub's own words take their part.
func message(s server, due time.Time) string {
	size := 300
	if _, is := s.(*hubServer); is {
		size = 150
	}
	text := fmt.Sprintf("%s%019d ", mark, due.UnixNano())
	return text + strings.Repeat("x", size-len(text))
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}

// figures of one server with many clients.
type figures struct {
	perSecond, p50, p99, bytes float64
}

// flood sends as fast as the clients take it, at most eight messages ahead, for that long.
func flood(s server, tell func(string, ...any) report, clients int, lasts time.Duration) float64 {
	tell("reset")
	start, sent := time.Now(), int64(0)
	for time.Since(start) < lasts {
		for range 8 {
			s.send(message(s, time.Now()))
			s.settle()
			sent++
		}
		for tell("report").Got < sent*int64(clients) {
		}
	}
	return float64(sent*int64(clients)) / time.Since(start).Seconds()
}

// pace sends that many messages a second and gives what the clients saw.
func pace(s server, tell func(string, ...any) report, clients, rate int, lasts time.Duration) report {
	tell("reset")
	start := time.Now()
	for i := range int(lasts.Seconds() * float64(rate)) {
		// Times count from when a message is due, so that who holds up the sender does not look quick.
		due := start.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		s.send(message(s, due))
	}
	r, want := tell("report"), int64(lasts.Seconds()*float64(rate))*int64(clients)
	for wait := 0; r.Got < want && wait < 150; wait++ {
		time.Sleep(100 * time.Millisecond)
		r = tell("report")
	}
	return r
}

func sideBySide(t *testing.T, open func(*testing.T) server) (f figures) {
	s := open(t)
	defer s.close()
	tell := clientsOf(t, s.address())
	before := heap()
	if r := tell("connect %d 0", *benchMany); r.Failed > 0 {
		t.Fatalf("%d connections failed", r.Failed)
	}
	time.Sleep(2 * time.Second)
	f.bytes = (heap() - before) / float64(*benchMany)
	r := pace(s, tell, *benchMany, 2, 10*time.Second)
	if r.Got != int64(20**benchMany) {
		t.Errorf("paced: expected %d deliveries, got %d", 20**benchMany, r.Got)
	}
	f.p50, f.p99 = float64(r.P50.Microseconds())/1000, float64(r.P99.Microseconds())/1000
	f.perSecond = flood(s, tell, *benchMany, 5*time.Second)
	return f
}

func median(all []figures, of func(figures) float64) float64 {
	var v []float64
	for _, f := range all {
		v = append(v, of(f))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// TestBesideABareLoop takes turns, so that what else the machine does falls on both.
func TestBesideABareLoop(t *testing.T) {
	var bare, hub []figures
	for range *benchRounds {
		bare = append(bare, sideBySide(t, newBareServer))
		hub = append(hub, sideBySide(t, newHubServer))
	}
	for _, line := range []struct {
		name  string
		of    func(figures) float64
		bound float64
		least bool
	}{
		{"deliveries/s", func(f figures) float64 { return f.perSecond }, 0.9, true},
		{"p50 ms", func(f figures) float64 { return f.p50 }, 0, true},
		{"p99 ms", func(f figures) float64 { return f.p99 }, 1.2, false},
		{"B per idle client", func(f figures) float64 { return f.bytes }, 1.15, false},
	} {
		b, h := median(bare, line.of), median(hub, line.of)
		fmt.Printf("%-20s bare %10.1f   hub %10.1f   ratio %.2f\n", line.name, b, h, h/b)
		if line.least && h/b < line.bound || !line.least && h/b > line.bound {
			t.Errorf("%s: hub/bare is %.2f, expected %v", line.name, h/b, line.bound)
		}
	}
}

// TestACrowdWithDeadReaders has a twentieth of the crowd never read, in turns with a crowd that all read.
func TestACrowdWithDeadReaders(t *testing.T) {
	p99 := map[bool][]figures{}
	for round := range *benchRounds {
		for _, dead := range []bool{false, true} {
			r := crowd(t, dead, round == 0)
			p99[dead] = append(p99[dead], figures{p99: float64(r.P99.Microseconds()) / 1000})
		}
	}
	all := median(p99[false], func(f figures) float64 { return f.p99 })
	some := median(p99[true], func(f figures) float64 { return f.p99 })
	fmt.Printf("p99 ms: all read %.1f, some do not %.1f, ratio %.2f\n", all, some, some/all)
	if some > 1.1*all {
		t.Errorf("p99 of those who read: %.2f of what it is without dead readers, expected 1.1 at most", some/all)
	}
}

func crowd(t *testing.T, dead, comeBack bool) report {
	slow := 0
	if dead {
		slow = *benchCrowd / 20
	}
	s := newHubServer(t)
	defer s.close()
	tell := clientsOf(t, s.address())
	if r := tell("connect %d %d", *benchCrowd, slow); r.Failed > 0 {
		t.Fatalf("%d connections failed", r.Failed)
	}
	pace(s, tell, *benchCrowd-slow, 2, 30*time.Second) // until the buffers of the dead are full
	before := heap()
	r := pace(s, tell, *benchCrowd-slow, 2, *benchLasts)
	after := heap()
	fmt.Printf("%d clients, %d never read: p50 %v, p99 %v, memory %.1f MB, after %v %.1f MB\n", *benchCrowd, slow, r.P50, r.P99, before/1e6, *benchLasts, after/1e6)
	if want := int64(*benchCrowd-slow) * int64(2*benchLasts.Seconds()); r.Got != want {
		t.Errorf("expected %d deliveries, got %d", want, r.Got)
	}
	if after > before*1.05+1e6 {
		t.Errorf("memory grew from %.1f to %.1f MB", before/1e6, after/1e6)
	}
	if dead || !comeBack {
		return r
	}
	again := tell("again 500 10")
	fmt.Printf("%d came back at 500 a second, %d failed\n", again.Again, again.Failed)
	if again.Failed > 0 {
		t.Errorf("%d of %d could not come back", again.Failed, again.Again)
	}
	time.Sleep(2 * time.Second)
	if r := pace(s, tell, *benchCrowd, 2, 5*time.Second); r.Got != int64(*benchCrowd)*10 {
		t.Errorf("afterwards: expected %d deliveries, got %d", *benchCrowd*10, r.Got)
	}
	return r
}
