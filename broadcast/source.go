package broadcast

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/gorilla/websocket"
)

// Source is one view of the games, with the people who follow it. It is owned by one goroutine.
type Source struct {
	opts  Options
	start time.Time // hub time counts from here by the monotonic clock, so that it never steps
	all   bool      // alerts and claims too

	in      chan Change
	joins   chan ask
	leaves  chan *client
	asks    chan ask
	views   chan chan<- View
	started chan struct{}
	done    chan struct{}
	door    door
	guests  *guests
	watch   watchers
	writers writers

	held     delayQueue // owner goroutine only, as the next three
	releases releases
	restored bool // what is told again is known
	stream
	pgn pgnCache
}

type ask struct {
	c   *client
	req request
}

// View is the state of a source at one moment. It is never changed after it was handed out.
type View struct {
	Seq    uint64
	NowMS  int64
	Boards []Board // by board number
	// JSON is the snapshot frame of the same moment.
	JSON []byte
}

func newSource(opts Options, name string) *Source {
	opts.Log = opts.Log.With().Str("view", name).Logger()
	s := &Source{
		opts:    opts,
		start:   opts.Now(),
		in:      make(chan Change, opts.Input),
		joins:   make(chan ask),
		leaves:  make(chan *client),
		asks:    make(chan ask),
		views:   make(chan chan<- View),
		started: make(chan struct{}),
		done:    make(chan struct{}),
		guests:  newGuests(opts.PerAddress, opts.NewPerSecond),
		held:    newDelayQueue(opts.Delay),
	}
	s.door.max = opts.MaxClients
	s.releases = releases{upto: math.MaxUint64, answers: make(chan error, 1)} // one is asked for at a time
	s.stream = newStream(opts)
	return s
}

func (s *Source) publish(c Change) {
	select {
	case s.in <- c:
	case <-s.done:
	}
}

// View gives the present state. The error is ErrNotRunning, or the context's.
func (s *Source) View(ctx context.Context) (View, error) {
	reply := make(chan View, 1)
	select {
	case <-s.started:
	default:
		return View{}, ErrNotRunning
	}
	select {
	case s.views <- reply:
		return <-reply, nil
	case <-s.done:
		return View{}, ErrNotRunning
	case <-ctx.Done():
		return View{}, ctx.Err()
	}
}

// Watch gives a channel that holds a token whenever View may tell more than when the last token was taken, and
// one at the start. Tokens do not pile up: who is slow finds one. The channel is closed when ctx ends or the hub does.
func (s *Source) Watch(ctx context.Context) <-chan struct{} { return s.watch.add(ctx) }

// hubMS is the hub's time in Unix ms: wall time at the start plus what a monotonic clock counted since.
func (s *Source) hubMS(now time.Time) int64 {
	return s.start.UnixMilli() + now.Sub(s.start).Milliseconds()
}

// run owns the state until ctx ends.
func (s *Source) run(ctx context.Context) {
	s.writers.start(min(4, runtime.GOMAXPROCS(0)), s.opts.WriteWait)
	defer s.writers.stop()
	close(s.started)
	second := time.NewTicker(time.Second)
	defer second.Stop()
	next := time.NewTimer(0)
	defer next.Stop()

	for {
		if at, ok := s.nextStep(); ok {
			next.Reset(at.Sub(s.opts.Now()))
		} else {
			next.Stop()
		}
		select {
		case <-ctx.Done():
			s.drain()
			return
		case c := <-s.in:
			s.take(c)
			s.takeWaiting()
		case <-next.C:
		case <-second.C:
			now := s.opts.Now()
			s.beat(now, s.hubMS(now))
		case j := <-s.joins:
			s.join(j.c, j.req, s.hubMS(s.opts.Now()))
		case c := <-s.leaves:
			s.leave(c)
		case a := <-s.asks:
			if _, here := s.clients[a.c]; here {
				s.answer(a.c, a.req, s.hubMS(s.opts.Now()))
			}
		case err := <-s.releases.answers:
			s.released(err)
		case reply := <-s.views:
			reply <- s.view(s.hubMS(s.opts.Now()))
		}
		s.step(s.opts.Now())
		s.wakeWriters()
	}
}

func (s *Source) wakeWriters() {
	s.writers.hand(s.ready)
	clear(s.ready) // frees who has left
	s.ready = s.ready[:0]
}

// nextStep is when something is due: a frame, or something that is old enough to be shown.
func (s *Source) nextStep() (at time.Time, ok bool) {
	at, ok = s.nextFlush()
	if s.releases.waiting {
		return at, ok
	}
	due, holds := s.held.next(s.releases.upto, s.releases.next)
	if holds && (!ok || due.Before(at)) {
		return due, true
	}
	return at, ok
}

// step does what is due.
func (s *Source) step(now time.Time) {
	s.release(now)
	if s.flushDue(now) {
		s.flushAll(now)
	}
}

func (s *Source) show(c Change, now time.Time) {
	if c.TimeMS == 0 {
		c.TimeMS = s.hubMS(now)
	}
	s.stream.take(c)
}

func (s *Source) flushAll(now time.Time) {
	before := s.history.last
	s.flush(now, s.hubMS(now))
	if s.history.last != before {
		s.watch.tell()
	}
}

// takeWaiting takes what has come in meanwhile, so that a burst shares one frame. Bounded, so that a
// flood of changes cannot keep clients from being served.
func (s *Source) takeWaiting() {
	for range cap(s.in) {
		select {
		case c := <-s.in:
			s.take(c)
		default:
			return
		}
	}
}

// sound tells whether c may be in this view at all.
func (s *Source) sound(c *Change) bool {
	if err := c.check(); err != nil {
		s.refused++
		s.opts.Log.Error().Err(err).Msg("change not shown")
		return false
	}
	return s.all || c.onBoard() // alerts and claims are for arbiters only
}

func (s *Source) take(c Change) {
	now := s.opts.Now()
	if !s.sound(&c) || c.Again && s.restored {
		return
	}
	if s.opts.Delay == 0 {
		s.show(c, now)
		return
	}
	c.TimeMS = 0 // spectators' clocks are late too: they count from when they are shown
	if early, ok := s.held.put(now, c); ok {
		s.show(early, now)
	}
}

func (s *Source) drain() {
	s.takeWaiting()
	s.flushAll(s.opts.Now())
	s.door.close()
	close(s.done)
	s.watch.close()
	bye := newFrame(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, "the hub is closing"))
	clients := make([]*client, 0, len(s.clients))
	for c := range s.clients {
		clients = append(clients, c)
		s.send(c, bye)
		s.leave(c)
	}
	s.wakeWriters()
	gone := make(chan struct{})
	go func() {
		s.door.conns.Wait()
		close(gone)
	}()
	wait := time.NewTimer(s.opts.DrainWait)
	defer wait.Stop()
	select {
	case <-gone:
	case <-wait.C:
		for _, c := range clients {
			c.close()
		}
		<-gone
	}
}
