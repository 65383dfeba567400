package link

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"boardd/dgt"
)

// Config is one port.
type Config struct {
	Path string     // the port; it may be a symbolic link, and may be missing for now
	Bits *ModemBits // nil: the modem lines are not touched

	// Timing defaults to DefaultTiming, and to twice the patience for a Bluetooth line.
	Timing Timing
	// Now is the monotonic time events carry, since a moment of the owner's choice; default: since this process
	// began to use the package.
	Now func() time.Duration
}

var began = time.Now()

func sinceBegan() time.Duration { return time.Since(began) }

// Link keeps a session with whatever board is on one port. Run does the work; Send may be called from anywhere.
type Link struct {
	path string
	bits *ModemBits
	time Timing
	now  func() time.Duration

	wants chan dgt.Command
	up    atomic.Bool

	mu   sync.Mutex
	port *tty // for wake alone; Run owns it
}

// New is a link that does nothing until Run.
func New(c Config) *Link {
	l := &Link{path: c.Path, bits: c.Bits, time: c.Timing, now: c.Now, wants: make(chan dgt.Command, ordersMax)}
	if l.time == (Timing{}) {
		l.time = DefaultTiming()
		if IsBluetooth(c.Path) {
			l.time = l.time.Patient()
		}
	}
	if l.now == nil {
		l.now = sinceBegan
	}
	return l
}

// Path is the port as it was listed or found.
func (l *Link) Path() string { return l.path }

// Send has a command sent as soon as the line is free: ten a second at most, clock commands one at a time. nil
// means taken, not sent: a Sent event follows, or NotSent. The errors are ErrNotUp, ErrQueueFull and ErrOwnedByLink.
func (l *Link) Send(c dgt.Command) error {
	if err := Allowed(c); err != nil {
		return fmt.Errorf("%v to %s: %w", c, l.path, err)
	}
	if !l.up.Load() {
		return fmt.Errorf("%v to %s: %w", c, l.path, ErrNotUp)
	}
	select {
	case l.wants <- c:
		l.wake()
		return nil
	default:
		return fmt.Errorf("%v to %s: %w", c, l.path, ErrQueueFull)
	}
}

// wake ends the wait of Run, whether for bytes or for the next attempt.
func (l *Link) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.port != nil {
		l.port.wake()
	}
}

// Run keeps the session until ctx ends, and returns ctx's error. It never gives up a port. events should be buffered:
// while it is full, up to backlogMax events wait here and the board is still read, after that the board has to wait too.
// When ctx ends the port is closed and no event follows.
//
// Run is the one goroutine that opens, reads, writes and closes the port.
func (l *Link) Run(ctx context.Context, events chan<- Event) error {
	r := &runner{Link: l, ctx: ctx, events: events, session: NewSession(l.path, l.time), buffer: make([]byte, 1024)}
	defer context.AfterFunc(ctx, l.wake)()
	defer l.up.Store(false)
	defer r.close()
	for ctx.Err() == nil {
		r.step(Input{Kind: Tick})
		r.orders()
		r.flush(backlogMax)
		if r.port != nil {
			r.listen()
		} else {
			r.wait()
		}
	}
	return ctx.Err()
}

const (
	// backlogMax is how many events wait for a slow owner: half a minute of the busiest board.
	backlogMax = 4096
	// backlogPause is how often a full channel is tried again.
	backlogPause = 5 * time.Millisecond
	// lookEvery is how often the path is looked at for a device that came; it costs one stat.
	lookEvery = 250 * time.Millisecond
	// movedEvery is how often the path of an open port is looked at for another target.
	movedEvery = time.Second
)

// runner is what belongs to one call of Run.
type runner struct {
	*Link
	ctx     context.Context
	events  chan<- Event
	session *Session
	port    *tty // the owner's view; Link.port is that of wake
	buffer  []byte
	slab    slab
	backlog []Event
	lookAt  time.Duration // when the path is looked at next
	there   uint64        // device the path led to when last looked at; 0 for none
}

// step tells the session, and does what it says. What doing leads to is told in turn.
func (r *runner) step(in Input) {
	for next := []Input{in}; len(next) > 0; next = next[1:] {
		now := r.now()
		for _, o := range r.session.Step(now, next[0]) {
			if follow, ok := r.do(now, o); ok {
				next = append(next, follow)
			}
		}
	}
}

// do carries out one output. follow is what the session has to be told of it.
func (r *runner) do(now time.Duration, o Output) (follow Input, ok bool) {
	switch o.Kind {
	case Open:
		if err := r.open(); err != nil {
			return Input{Kind: Failed, Err: err}, true
		}
		return Input{Kind: Opened}, true
	case Close:
		r.close()
	case Write:
		if r.port == nil {
			break // broken by an output before this one
		}
		n, err := r.port.write(o.Data, r.time.Write)
		if n > 0 {
			r.tell(Event{At: now, Kind: Sent, Data: r.slab.copy(o.Data[:n])})
		}
		if err != nil {
			return Input{Kind: Broken, Err: err}, true
		}
	case Changed:
		r.up.Store(o.Status.State == Up)
		r.tell(Event{At: now, Kind: StatusChanged, Status: o.Status, Err: o.Status.Err})
	case Dropped:
		r.tell(Event{At: now, Kind: NotSent, Command: o.Command, Err: o.Err})
	}
	return Input{}, false
}

func (r *runner) open() error {
	port, err := openTTY(r.path, r.bits)
	r.there, r.lookAt = 0, r.now()+lookEvery
	if err != nil {
		r.there, _ = deviceOf(os.Stat(r.path))
		return err
	}
	r.setPort(port)
	return nil
}

func (r *runner) close() {
	if r.port == nil {
		return
	}
	port := r.port
	r.setPort(nil)
	port.close()
	r.there, r.lookAt = port.device, r.now()+lookEvery
}

func (r *runner) setPort(port *tty) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.port, r.Link.port = port, port
}

// orders takes what the owner wants.
func (r *runner) orders() {
	for {
		select {
		case c := <-r.wants:
			r.step(Input{Kind: Want, Command: c})
		default:
			return
		}
	}
}

// listen waits for bytes on the open port, until something else is due.
func (r *runner) listen() {
	now := r.now()
	if now >= r.lookAt {
		r.lookAt = now + movedEvery
		if r.port.moved() {
			r.step(Input{Kind: Broken, Err: &PortError{Op: "read", Port: r.path, Kind: ErrMoved}})
			return
		}
	}
	wake := min(r.session.Wake(), r.lookAt)
	if len(r.backlog) > 0 {
		wake = min(wake, now+backlogPause)
	}
	r.port.readUntil(time.Now().Add(wake - now))
	// A wake from before readUntil would be forgotten, so its causes are looked at after it.
	if r.ctx.Err() != nil || len(r.wants) > 0 {
		return
	}
	n, err := r.port.read(r.buffer)
	if n > 0 {
		p := r.buffer[:n]
		r.tell(Event{At: r.now(), Kind: Received, Data: r.slab.copy(p)})
		r.step(Input{Kind: Bytes, Data: p})
	}
	if err != nil {
		r.step(Input{Kind: Broken, Err: err})
	}
}

// wait lets time pass while the port is closed, with an eye on its path: a cable plugged in again should not
// have to wait for the longest pause between two attempts.
func (r *runner) wait() {
	now := r.now()
	if now >= r.lookAt {
		r.lookAt = now + lookEvery
		device, err := deviceOf(os.Stat(r.path))
		if err != nil {
			device = 0
		}
		came := device != 0 && device != r.there
		r.there = device
		if came {
			r.step(Input{Kind: Appeared})
			return
		}
	}
	wake := min(r.session.Wake(), r.lookAt)
	if len(r.backlog) > 0 {
		wake = min(wake, now+backlogPause)
	}
	timer := time.NewTimer(wake - now)
	defer timer.Stop()
	select {
	case <-r.ctx.Done():
	case <-timer.C:
	case c := <-r.wants:
		r.step(Input{Kind: Want, Command: c})
	}
}

// tell hands an event to the owner, without waiting for him.
func (r *runner) tell(e Event) {
	e.Port = r.path
	r.backlog = append(r.backlog, e)
	r.flush(backlogMax)
}

// flush hands over what waits. It waits for the owner only while more than keep events would be left.
func (r *runner) flush(keep int) {
	i := 0
	for ; i < len(r.backlog); i++ {
		if len(r.backlog)-i > keep {
			select {
			case r.events <- r.backlog[i]:
				continue
			case <-r.ctx.Done():
			}
			break
		}
		select {
		case r.events <- r.backlog[i]:
			continue
		default:
		}
		break
	}
	if i > 0 {
		rest := copy(r.backlog, r.backlog[i:])
		clear(r.backlog[rest:])
		r.backlog = r.backlog[:rest]
	}
}
