package broadcast

import (
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Frames leave by a few writers, each of which serves its share of the clients without ever waiting for one:
// what a socket does not take at once is left to a goroutine of that client's own, which lives until
// its queue is empty. So a client that waits costs no stack, and one that does not read delays nobody.

// writers are the writers of a source, as its owner sees them.
type writers struct {
	in   []chan []*client
	all  sync.WaitGroup
	slow sync.WaitGroup // goroutines of clients that could not keep up
	wait time.Duration  // how long one frame may take
}

// chunk is how many clients a writer is handed at once.
const chunk = 256

func (w *writers) start(n int, wait time.Duration) {
	w.wait = wait
	for range n {
		in := make(chan []*client, 64)
		w.in = append(w.in, in)
		w.all.Go(func() {
			for clients := range in {
				for _, c := range clients {
					w.serve(c)
				}
			}
		})
	}
}

// hand has the writers serve clients whose queues have something in them or are closed. One client has one writer.
func (w *writers) hand(ready []*client) {
	if len(ready) == 0 {
		return
	}
	shares := make([][]*client, len(w.in))
	for _, c := range ready {
		i := c.slot % uint64(len(w.in))
		if shares[i] = append(shares[i], c); len(shares[i]) == chunk {
			w.in[i] <- shares[i] // never for long: writers wait for nobody
			shares[i] = make([]*client, 0, chunk)
		}
	}
	for i, share := range shares {
		if len(share) > 0 {
			w.in[i] <- share
		}
	}
}

// stop ends the writers. Every client's connection has been closed before.
func (w *writers) stop() {
	for _, in := range w.in {
		close(in)
	}
	w.all.Wait()
	w.slow.Wait()
}

// outbox is the way out of a connection.
type outbox struct {
	raw    syscall.RawConn // nil: every frame is left to the client's own goroutine
	packs  bool            // the client takes compressed messages
	behind atomic.Bool     // its own goroutine is at work
	frames sync.Mutex      // held while a frame is partly written
}

// serve writes what the socket takes at once.
func (w *writers) serve(c *client) {
	for !c.behind.Load() {
		f, more, some := c.take()
		switch {
		case !some:
			return
		case !more:
			c.close()
			return
		}
		rest := f.wire(c.packs)
		if c.raw == nil || !c.frames.TryLock() {
			w.fallBehind(c, rest, false)
			return
		}
		n, err := writeNow(c.raw, rest)
		if err != nil {
			c.frames.Unlock()
			c.close()
			return
		}
		if n < len(rest) {
			w.fallBehind(c, rest[n:], true)
			return
		}
		c.frames.Unlock()
	}
}

// take gives the next frame; more is false when there will be none, some when there is none yet.
func (c *client) take() (f *frame, more, some bool) {
	select {
	case f, more = <-c.queue:
		return f, more, true
	default:
		return nil, true, false
	}
}

// fallBehind writes rest, and then what waits, in a goroutine of the client's own. locked says that the
// frame is begun.
func (w *writers) fallBehind(c *client, rest []byte, locked bool) {
	c.behind.Store(true)
	w.slow.Go(func() {
		for {
			if !locked {
				c.frames.Lock()
			}
			c.conn.NetConn().SetWriteDeadline(time.Now().Add(w.wait))
			_, err := c.conn.NetConn().Write(rest)
			c.frames.Unlock()
			locked = false
			if err != nil {
				c.close() // wakes the reader, which tells the owner
				return    // behind for ever: nobody writes to it again
			}
			f, more, some := c.take()
			if !some {
				c.behind.Store(false)
				// Something may have come before that was seen.
				if len(c.queue) == 0 || !c.behind.CompareAndSwap(false, true) {
					return
				}
				if f, more, some = c.take(); !some {
					continue
				}
			}
			if !more {
				c.close()
				return
			}
			rest = f.wire(c.packs)
		}
	})
}

// writeNow writes what the socket takes without waiting.
func writeNow(raw syscall.RawConn, data []byte) (n int, err error) {
	var failed error
	err = raw.Write(func(fd uintptr) bool {
		for n < len(data) {
			wrote, e := syscall.Write(int(fd), data[n:])
			if wrote > 0 {
				n += wrote
			}
			if errors.Is(e, syscall.EINTR) {
				continue
			}
			if e != nil && !errors.Is(e, syscall.EAGAIN) {
				failed = e
			}
			if e != nil || wrote <= 0 {
				break
			}
		}
		return true // never waits
	})
	return n, errors.Join(err, failed)
}

// control answers a ping or a farewell, unless a frame is partly written: who reads that slowly can wait.
func (c *client) control(f *frame) {
	if !c.frames.TryLock() {
		return
	}
	defer c.frames.Unlock()
	c.writeControl(f)
}

// last sends a frame after the one that is partly written, which gets a second to be done.
func (c *client) last(f *frame) {
	c.conn.NetConn().SetWriteDeadline(time.Now().Add(time.Second))
	c.frames.Lock()
	defer c.frames.Unlock()
	c.writeControl(f)
}

func (c *client) writeControl(f *frame) {
	c.conn.NetConn().SetWriteDeadline(time.Now().Add(time.Second))
	c.conn.NetConn().Write(f.wire(false)) // who does not take it is closed all the same
}
