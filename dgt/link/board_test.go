package link

import (
	"bytes"
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"boardd/dgt"
)

// quick is DefaultTiming with the waits shortened, for tests on real ports.
func quick() Timing {
	t := DefaultTiming()
	t.Gap, t.Identity = 2*time.Millisecond, 100*time.Millisecond
	t.BackoffMin, t.BackoffMax = 2*time.Millisecond, 20*time.Millisecond
	return t
}

// ptyBoard is a fakeBoard on a real pty.
type ptyBoard struct {
	t      testing.TB
	master *os.File
	slave  *os.File
	path   string
	ended  chan struct{}
	news   chan struct{} // something was heard

	mu    sync.Mutex
	heard []byte
	board *fakeBoard
}

// plugIn opens a pty and answers on it until pulled out. The slave is kept open, as a cable is there before anybody listens.
func plugIn(t testing.TB, board *fakeBoard) *ptyBoard {
	t.Helper()
	master, slave := openPair(t)
	b := &ptyBoard{t: t, master: master, slave: slave, path: slave.Name(), ended: make(chan struct{}), news: make(chan struct{}, 1), board: board}
	go b.serve()
	t.Cleanup(b.pullOut)
	return b
}

func (b *ptyBoard) serve() {
	defer close(b.ended)
	var decoder dgt.CommandDecoder
	buf := make([]byte, 64)
	for {
		n, err := b.master.Read(buf)
		if err != nil {
			return
		}
		b.mu.Lock()
		b.heard = append(b.heard, buf[:n]...)
		var out []byte
		decoder.Feed(buf[:n], func(c dgt.Command) { out = append(out, b.board.answer(c.AppendTo(nil))...) })
		b.mu.Unlock()
		select {
		case b.news <- struct{}{}:
		default:
		}
		if len(out) > 0 {
			b.master.Write(out)
		}
	}
}

func (b *ptyBoard) pullOut() {
	b.master.Close()
	b.slave.Close()
	<-b.ended
}

func (b *ptyBoard) say(p ...byte) { b.master.Write(p) }

func (b *ptyBoard) hasHeard(p ...byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Contains(b.heard, p)
}

// await waits until the board has heard the bytes.
func (b *ptyBoard) await(p ...byte) {
	b.t.Helper()
	deadline := time.After(patience)
	for !b.hasHeard(p...) {
		select {
		case <-b.news:
		case <-deadline:
			b.t.Fatalf("the board never heard % x", p)
		}
	}
}

func (b *ptyBoard) silent() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.heard) == 0
}

// running is a Link or Fleet at work.
type running struct {
	t      testing.TB
	events chan Event
	stop   func()
}

func start(t testing.TB, run func(context.Context, chan<- Event) error) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{t: t, events: make(chan Event, 256)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := run(ctx, r.events); err != context.Canceled {
			t.Errorf("Run: %v", err)
		}
	}()
	var once sync.Once
	r.stop = func() {
		once.Do(func() {
			cancel()
			select {
			case <-ended:
			case <-time.After(patience):
				t.Error("Run did not end")
			}
		})
	}
	t.Cleanup(r.stop)
	return r
}

// until reads events up to the first that fits, and returns those before it as well.
func (r *running) until(what string, fits func(Event) bool) (last Event, before []Event) {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e := <-r.events:
			if fits(e) {
				return e, before
			}
			before = append(before, e)
		case <-deadline:
			for _, e := range before[max(0, len(before)-30):] {
				r.t.Logf("%v %v %v % x %v %v", e.At, e.Port, e.Kind, e.Data, e.Status.State, e.Err)
			}
			r.t.Fatalf("no %s", what)
		}
	}
}

func (r *running) state(s State) Event {
	r.t.Helper()
	e, _ := r.until("state "+s.String(), func(e Event) bool { return e.Kind == StatusChanged && e.Status.State == s })
	return e
}

func (r *running) sighting(k SightingKind) Event {
	r.t.Helper()
	e, _ := r.until("sighting "+k.String(), func(e Event) bool { return e.Kind == Sighted && e.Sighting.Kind == k })
	return e
}

func (r *running) received(p ...byte) Event {
	r.t.Helper()
	var all []byte
	e, _ := r.until("the bytes", func(e Event) bool {
		if e.Kind == Received {
			all = append(all, e.Data...)
		}
		return bytes.Contains(all, p)
	})
	return e
}

func (r *running) sent(p ...byte) Event {
	r.t.Helper()
	e, _ := r.until("the command", func(e Event) bool { return e.Kind == Sent && bytes.Equal(e.Data, p) })
	return e
}
