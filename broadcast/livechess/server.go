package livechess

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// Options are a server's limits and seams. The zero value of each field means its default.
type Options struct {
	// Public has the server show the games' view and nothing else; otherwise boards are what Sense tells, at once.
	Public bool
	// Delayed says that this view lags behind the boards. Serials are the serial numbers that a public server names
	// tables by, by table number; without one it is that number.
	Delayed bool
	Serials map[int]string

	// Event and Place are those of the tournament.
	Event, Place string

	// MaxConns and MaxConnsEach bound the connections, in all and from one address (a /64 of IPv6). Default 512 and 64.
	MaxConns, MaxConnsEach int
	// MaxFeeds bounds the feeds of one socket; MaxGames the games set up by clients in all, and MaxGamesEach those of one
	// socket. Default 256, 256 and 128.
	MaxFeeds, MaxGames, MaxGamesEach int
	// Queue is how many frames may wait for one client. Default 64.
	Queue int
	// Calls and CallsASecond are how many calls a socket may make at once, and from then on; for HTTP it is the requests of
	// one address. Default 300 and 50.
	Calls, CallsASecond int
	// WriteWait is how long one frame may take to leave. Default 10 s.
	WriteWait time.Duration
	// PingEvery is the time between two pings; a client silent for 2.5 times that is gone. Default 24 s.
	PingEvery time.Duration

	Log zerolog.Logger
	// Now is the clock. Default time.Now.
	Now func() time.Time
}

func (o *Options) fill() {
	for field, value := range map[*int]int{&o.MaxConns: 512, &o.MaxConnsEach: 64, &o.MaxFeeds: 256, &o.MaxGames: 256, &o.MaxGamesEach: 128,
		&o.Queue: 64, &o.Calls: 300, &o.CallsASecond: 50} {
		if *field == 0 {
			*field = value
		}
	}
	if o.WriteWait == 0 {
		o.WriteWait = 10 * time.Second
	}
	if o.PingEvery == 0 {
		o.PingEvery = 24 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Games is a view of a hub: the live one, or the public one. It is a broadcast.Source.
type Games interface {
	View(context.Context) (broadcast.View, error)
	Watch(context.Context) <-chan struct{}
}

var _ Games = (*broadcast.Source)(nil)

// Server speaks the API. Create it with New, feed it with Sense, run it with Serve.
type Server struct {
	opts  Options
	games Games

	seats *inbox
	asks  chan func(*hall)
	done  chan struct{}

	requests bucketsOf // of HTTP, by address
	sockets  sync.WaitGroup
}

// beat is how often time passes in the hall: what a game set up by a client learns from rest alone is told this late at most.
const beat = 200 * time.Millisecond

// New makes a server of those games that does nothing until Serve.
func New(games Games, o Options) *Server {
	o.fill()
	return &Server{opts: o, games: games, seats: newInbox(), asks: make(chan func(*hall)), done: make(chan struct{}),
		requests: newBuckets(o.Calls, o.CallsASecond)}
}

// Sense tells what a seat of the hall shows now. A public server takes no notice of it. It never
// waits.
func (s *Server) Sense(seat Seat) {
	if s.opts.Public {
		return
	}
	s.seats.put(seat)
}

// Serve answers on ln until ctx ends; then every connection is closed and no goroutine is left. It closes ln and returns nil
// after ctx ended. Call it once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 20 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	failed := make(chan error, 1)
	go func() {
		failed <- server.Serve(newDoor(ln, s.opts.MaxConns, s.opts.MaxConnsEach))
		cancel()
	}()
	s.run(ctx)
	server.Close()
	err := <-failed
	s.sockets.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// run owns the hall until ctx ends.
func (s *Server) run(ctx context.Context) {
	h := newHall(s.opts, s.opts.Now())
	defer func() {
		close(s.done)
		for len(h.clients) > 0 {
			h.leave(h.clients[0])
		}
	}()
	var watch <-chan struct{}
	if s.opts.Public {
		watch = s.games.Watch(ctx)
	} else {
		h.record = func() []broadcast.Board {
			v, err := s.games.View(ctx)
			if err != nil {
				return nil // the hub has ended
			}
			return v.Boards
		}
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.seats.ready:
			s.see(h)
		case ask := <-s.asks:
			s.see(h) // what was sensed before is known to whoever asks now
			ask(h)
		case <-tick.C:
			h.beat(s.opts.Now())
		case _, more := <-watch:
			if !more {
				watch = nil // the hub has ended: what is known stays
				continue
			}
			if v, err := s.games.View(ctx); err == nil {
				h.show(s.opts.Now(), v)
			}
		}
	}
}

func (s *Server) see(h *hall) {
	for _, seat := range s.seats.take() {
		h.sense(s.opts.Now(), seat)
	}
}

// do has the owner of the hall do something; false when it has ended.
func (s *Server) do(f func(*hall)) bool {
	ran := make(chan struct{})
	select {
	case s.asks <- func(h *hall) { defer close(ran); f(h) }:
		<-ran
		return true
	case <-s.done:
		return false
	}
}
