package link

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardd/dgt"
)

func startLink(t testing.TB, path string) (*Link, *running) {
	t.Helper()
	l := New(Config{Path: path, Timing: quick()})
	return l, start(t, l.Run)
}

func TestLinkComesUpAndHandsUpRawBytes(t *testing.T) {
	b := plugIn(t, newFakeBoard())
	l, r := startLink(t, b.path)
	var raw, out []byte
	var last time.Duration
	up, before := r.until("up", func(e Event) bool { return e.Kind == StatusChanged })
	for _, e := range before {
		if e.At < last || e.Port != b.path {
			t.Errorf("event %+v after %v", e, last)
		}
		last = e.At
		switch e.Kind {
		case Received:
			raw = append(raw, e.Data...)
		case Sent:
			out = append(out, e.Data...)
		}
	}
	if up.Status.State != Up || up.Status.Identity.Serial != "12345" || up.Status.Identity.LongSerial != "0000012345" {
		t.Fatalf("status %+v", up.Status)
	}
	if !bytes.Equal(out, []byte{0x40, 0x4d, 0x45, 0x55, 0x47, 0x4c}) {
		t.Errorf("sent % x before it was up", out)
	}
	if !bytes.HasPrefix(raw, []byte{0x93, 0, 5, 1, 2, 0x91, 0, 8, '1', '2', '3', '4', '5'}) {
		t.Errorf("received % x before it was up", raw)
	}
	// The first dump follows the identity, so that its table is known by then.
	r.received(dumpOf(dgt.StartPlacement())...)
	if l.Send(dgt.Beep(1)) != nil {
		t.Error("a command was not taken")
	}
	r.sent(0x2b, 4, 3, 0x0b, 1, 0)
	b.say(0x8e, 0, 5, 52, 0)
	r.received(0x8e, 0, 5, 52, 0)
	r.stop()
	if err := l.Send(dgt.Beep(1)); !errors.Is(err, ErrNotUp) {
		t.Errorf("Send after the end: %v", err)
	}
}

func TestSendRefuses(t *testing.T) {
	l := New(Config{Path: "/dev/none"})
	if err := l.Send(dgt.Beep(1)); !errors.Is(err, ErrNotUp) {
		t.Errorf("%v", err)
	}
	if err := l.Send(dgt.Reset()); !errors.Is(err, ErrOwnedByLink) {
		t.Errorf("%v", err)
	}
	l.up.Store(true)
	var err error
	for range 2 * ordersMax {
		if err = l.Send(dgt.Beep(1)); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrQueueFull) {
		t.Errorf("%v", err)
	}
}

func TestLinkToldOfAPulledCable(t *testing.T) {
	b := plugIn(t, newFakeBoard())
	_, r := startLink(t, b.path)
	r.state(Up)
	b.pullOut()
	if e := r.state(Down); !errors.Is(e.Err, ErrGone) {
		t.Errorf("%v", e.Err)
	}
}

// The port comes back under another name behind the same link, as /dev/serial/by-path does.
func TestLinkFollowsASymlink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "board")
	first := plugIn(t, newFakeBoard())
	os.Symlink(first.path, path)
	_, r := startLink(t, path)
	r.state(Up)

	// After the old port went.
	second := plugIn(t, newFakeBoard())
	os.Remove(path)
	first.pullOut()
	r.state(Down)
	os.Symlink(second.path, path)
	r.state(Up)
	r.received(dumpOf(dgt.StartPlacement())...)
	second.await(0x4b) // the update mode is set again

	// While the old port is still open.
	third := plugIn(t, newFakeBoard())
	os.Remove(path)
	os.Symlink(third.path, path)
	if e := r.state(Down); !errors.Is(e.Err, ErrMoved) {
		t.Errorf("%v", e.Err)
	}
	r.state(Up)
	third.await(0x4b)
}

// fill writes until the port takes not one byte more. The kernel moves what is written on to the master a moment
// later, so it is full only when it still is after a while.
func fill(t *testing.T, slave *os.File) {
	t.Helper()
	control(slave, func(fd int) error {
		unix.SetNonblock(fd, true)
		defer unix.SetNonblock(fd, false)
		for refused := 0; refused < 3; {
			if _, err := unix.Write(fd, []byte{0}); err == nil {
				refused = 0
				continue
			}
			refused++
			unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, 50) // until there is room, or not
		}
		return nil
	})
}

// Stop reading the master while commands go out: the deadline fires and the session starts anew.
func TestDeadPort(t *testing.T) {
	master, slave := openPair(t)
	fill(t, slave)
	timing := quick()
	timing.Write = 20 * time.Millisecond
	l := New(Config{Path: slave.Name(), Timing: timing})
	r := start(t, l.Run)
	if e := r.state(Refused); !errors.Is(e.Err, ErrStuck) {
		t.Fatalf("%v", e.Err)
	}
	// Once the port takes bytes again the board is found.
	b := &ptyBoard{t: t, master: master, slave: slave, path: slave.Name(), ended: make(chan struct{}), news: make(chan struct{}, 1), board: newFakeBoard()}
	go b.serve()
	r.state(Up)
	r.stop()
	b.pullOut()
}

func TestLinkOnABusyPort(t *testing.T) {
	b := plugIn(t, newFakeBoard())
	held, err := openTTY(b.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, r := startLink(t, b.path)
	if e := r.state(Refused); !errors.Is(e.Err, ErrBusy) {
		t.Errorf("%v", e.Err)
	}
	if !b.silent() {
		t.Error("wrote to a port another program holds")
	}
	held.close()
	r.state(Up)
}

// A slow owner loses nothing and is not waited for.
func TestSlowOwner(t *testing.T) {
	b := plugIn(t, newFakeBoard())
	l := New(Config{Path: b.path, Timing: quick()})
	ctx, cancel := context.WithCancel(context.Background())
	events := make(chan Event) // unbuffered, and at first unread
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.Run(ctx, events)
	}()
	b.await(0x4b) // the session goes on all the same
	var want []byte
	for i := range 300 {
		m := []byte{0x8e, 0, 5, byte(i % 64), byte(i % 13)}
		want = append(want, m...)
		b.say(m...)
	}
	r := &running{t: t, events: make(chan Event)}
	go func() {
		for {
			select {
			case e := <-events:
				select {
				case r.events <- e:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	var got []byte
	r.until("all updates", func(e Event) bool {
		if e.Kind == Received {
			got = append(got, e.Data...)
		}
		return bytes.Contains(got, want[len(want)-50:])
	})
	var updates []byte
	var d dgt.Decoder
	d.Feed(got, func(m dgt.Message) {
		if u, ok := m.(*dgt.FieldUpdate); ok {
			updates = dgt.AppendMessage(updates, u)
		}
	})
	if !bytes.Equal(updates, want) {
		t.Errorf("%d bytes of updates; want %d", len(updates), len(want))
	}
	cancel()
	<-ended
}

// An owner who reads nothing at all cannot hold up the end.
func TestEndWithAnOwnerWhoReadsNothing(t *testing.T) {
	b := plugIn(t, newFakeBoard())
	l := New(Config{Path: b.path, Timing: quick()})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx, make(chan Event)) }()
	b.await(0x4b)
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("Run did not end")
	}
}

func TestLook(t *testing.T) {
	b := plugIn(t, newFakeBoard())
	id, err := Look(context.Background(), Config{Path: b.path, Timing: quick()})
	if err != nil || id.Serial != "12345" {
		t.Errorf("%+v, %v", id, err)
	}
	_, err = Look(context.Background(), Config{Path: "/dev/none", Timing: quick()})
	if !errors.Is(err, ErrAbsent) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Look(ctx, Config{Path: b.path, Timing: quick()}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestSlab(t *testing.T) {
	var s slab
	a, b := s.copy([]byte{1, 2}), s.copy([]byte{3})
	_ = append(a, 9) // must not reach b
	if !bytes.Equal(b, []byte{3}) {
		t.Errorf("% x", b)
	}
	if big := s.copy(make([]byte, 2*slabSize)); len(big) != 2*slabSize {
		t.Error(len(big))
	}
	p := make([]byte, 8)
	if n := testing.AllocsPerRun(1000, func() { s.copy(p) }); n > 0.1 {
		t.Errorf("%v allocations a chunk", n)
	}
}
