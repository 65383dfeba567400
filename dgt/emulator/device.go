package emulator

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"boardd/dgt"
)

// ErrClosed is returned by the methods of a Device that has been closed.
var ErrClosed = errors.New("emulated board is closed")

// Options say what to emulate and where.
type Options struct {
	Config
	// Link is a symbolic link that always leads to the board while its cable
	// is in, as /dev/serial/by-path does. It must not exist, or be a link.
	// Empty: no link.
	Link string
	// Speed makes board time pass faster than real time; 0 means 1.
	Speed float64
}

// latency is how often bytes are handed over, as by the timer of an FTDI chip.
const latency = 16 * time.Millisecond

// Device is a Board that lives on a pty in real time. Its methods are safe for
// concurrent use.
type Device struct {
	link     string
	speed    float64
	requests chan func(*Board)
	stop     context.CancelFunc
	done     chan struct{}

	mu   sync.Mutex
	path string // of the pty, empty while unplugged

	// Only for the goroutine that runs the board.
	port    *port
	last    string // path of the port before
	input   chan input
	readers sync.WaitGroup
	waiting []waiter
	started time.Time
}

type waiter struct {
	at   time.Duration
	done chan struct{}
}

// input is what the host wrote to a port.
type input struct {
	from *port
	data []byte
}

// Open powers up a board and runs it on a new pty until ctx ends or Close.
func Open(ctx context.Context, o Options) (*Device, error) {
	d := &Device{
		link: o.Link, speed: o.Speed,
		requests: make(chan func(*Board)), done: make(chan struct{}), input: make(chan input),
	}
	if d.speed <= 0 {
		d.speed = 1
	}
	if err := d.plugIn(); err != nil {
		return nil, err
	}
	ctx, d.stop = context.WithCancel(ctx)
	d.started = time.Now()
	go d.run(ctx, New(o.Config))
	return d, nil
}

// Path returns where the host finds the board: the link if there is one, else
// the pty. While the cable is out it is the link or empty.
func (d *Device) Path() string {
	if d.link != "" {
		return d.link
	}
	return d.PTY()
}

// PTY returns the name of the pty itself, empty while the cable is out. It
// changes with each Replug.
func (d *Device) PTY() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.path
}

// Close powers the board off and takes its port away.
func (d *Device) Close() {
	d.stop()
	<-d.done
}

// Done is closed when the board no longer runs.
func (d *Device) Done() <-chan struct{} { return d.done }

// Do hands out hands and returns when they are done, in board time. The error
// is ctx's, ErrClosed, or that of Hands.Err.
func (d *Device) Do(ctx context.Context, act func(*Hands)) error {
	var wrong error
	finished := make(chan struct{})
	err := d.With(ctx, func(b *Board) {
		h := b.Hands()
		act(h)
		wrong = h.Err()
		d.waiting = append(d.waiting, waiter{h.At(), finished})
	})
	if err != nil {
		return err
	}
	select {
	case <-finished:
		return wrong
	case <-ctx.Done():
		return ctx.Err()
	case <-d.done:
		return ErrClosed
	}
}

// PlayMove carries out one move of a game, presses the clock on the side that
// has the move, and returns when that is done.
func (d *Device) PlayMove(ctx context.Context, from, to dgt.Square, extras ...Extra) error {
	return d.Do(ctx, func(h *Hands) {
		h.Play(from, to, extras...)
		h.Wait(h.took(700 * time.Millisecond))
		h.Press()
	})
}

// With runs act on the board at its present time, alone, and returns when act
// has. The board must not be used afterwards.
func (d *Device) With(ctx context.Context, act func(*Board)) error {
	ran := make(chan struct{})
	select {
	case d.requests <- func(b *Board) { defer close(ran); act(b) }:
		<-ran
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-d.done:
		return ErrClosed
	}
}

// Unplug pulls the cable: the port vanishes under the host's hands.
func (d *Device) Unplug(ctx context.Context) error {
	return d.With(ctx, func(b *Board) {
		b.Unplug()
		d.pullOut()
	})
}

// Replug puts the cable back. The board comes back under another name, behind
// the same link.
func (d *Device) Replug(ctx context.Context) error {
	var wrong error
	err := d.With(ctx, func(b *Board) {
		if b.Plugged() {
			return
		}
		if wrong = d.plugIn(); wrong == nil {
			b.Replug()
			d.listen()
		}
	})
	return errors.Join(err, wrong)
}

// run owns the board.
func (d *Device) run(ctx context.Context, b *Board) {
	defer close(d.done)
	defer d.readers.Wait()
	defer d.pullOut()
	ticker := time.NewTicker(latency)
	defer ticker.Stop()
	d.listen()
	var out []byte
	for {
		var data []byte
		var request func(*Board)
		select {
		case <-ctx.Done():
			return
		case in := <-d.input:
			if in.from == d.port {
				data = in.data
			}
		case request = <-d.requests:
		case <-ticker.C:
		}
		now := time.Duration(float64(time.Since(d.started)) * d.speed)
		out = b.Advance(now, out[:0])
		if d.port != nil && len(out) > 0 {
			d.port.write(out)
		}
		b.Receive(data)
		if request != nil {
			request(b)
		}
		d.wake(b.Now())
	}
}

// wake tells those whose hands are done.
func (d *Device) wake(now time.Duration) {
	kept := d.waiting[:0]
	for _, w := range d.waiting {
		if w.at <= now {
			close(w.done)
		} else {
			kept = append(kept, w)
		}
	}
	d.waiting = kept
}

// plugIn opens a port under a name that was not the last one.
func (d *Device) plugIn() error {
	p, err := openPort(d.last)
	if err != nil {
		return err
	}
	if d.link != "" {
		if err := pointTo(d.link, p.name()); err != nil {
			p.close()
			return err
		}
	}
	d.port, d.last = p, p.name()
	d.setPath(p.name())
	return nil
}

func (d *Device) pullOut() {
	if d.port == nil {
		return
	}
	if d.link != "" {
		os.Remove(d.link)
	}
	d.setPath("")
	d.port.close()
	d.port = nil
}

func (d *Device) setPath(path string) {
	d.mu.Lock()
	d.path = path
	d.mu.Unlock()
}

// listen starts to read the port. The goroutine ends with the port.
func (d *Device) listen() {
	p := d.port
	d.readers.Go(func() {
		for {
			buffer := make([]byte, 64)
			n, err := p.host.Read(buffer)
			if err != nil {
				return
			}
			select {
			case d.input <- input{p, buffer[:n]}:
			case <-p.gone:
				return
			}
		}
	})
}
