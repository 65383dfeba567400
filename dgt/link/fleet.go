package link

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"boardd/dgt"
)

// FleetConfig says where boards are looked for.
type FleetConfig struct {
	Finder Finder
	// Configure gives the settings of a port; default: its path and nothing else. Path and Now are set by the fleet.
	Configure func(Found) Config
	// Every is the time between two looks for ports; default half a second. A look reads one folder.
	Every time.Duration
	// Now is as in Config, and the same for all links.
	Now func() time.Duration
}

// Fleet runs one Link per port that is listed, or found and accepted, and knows
// which board is on which. Links of listed ports run for ever, others as long as their device is there.
type Fleet struct {
	finder    Finder
	configure func(Found) Config
	every     time.Duration
	now       func() time.Duration

	mu       sync.Mutex
	members  map[string]*member
	registry Registry
	left     []Left
}

type member struct {
	found Found
	link  *Link
	stop  context.CancelFunc
	ended chan struct{}
	state State // last told
}

// NewFleet is a fleet that does nothing until Run.
func NewFleet(c FleetConfig) *Fleet {
	f := &Fleet{finder: c.Finder, configure: c.Configure, every: c.Every, now: c.Now, members: map[string]*member{}}
	if f.configure == nil {
		f.configure = func(Found) Config { return Config{} }
	}
	if f.every <= 0 {
		f.every = 500 * time.Millisecond
	}
	if f.now == nil {
		f.now = sinceBegan
	}
	return f
}

// Send has a command sent to a board, wherever it is plugged in. See Link.Send for the errors.
func (f *Fleet) Send(board string, c dgt.Command) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if port, ok := f.registry.Port(board); ok {
		if m := f.members[port]; m != nil {
			return m.link.Send(c)
		}
	}
	return fmt.Errorf("%v to board %s: %w", c, board, ErrNotUp)
}

// Ports are the ports in use now, listed and found, by path.
func (f *Fleet) Ports() []Found {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []Found
	for _, path := range slices.Sorted(maps.Keys(f.members)) {
		found = append(found, f.members[path].found)
	}
	return found
}

// Left are the ports the rule leaves alone now.
func (f *Fleet) Left() []Left {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.left)
}

// Run looks for ports, runs their links and passes their events on, until ctx ends; then it returns ctx's error, with
// every port closed and every goroutine ended. Events of one port come in order, and a Sighted event follows the status it
// comes from. A slow receiver delays no board until some thousand events wait.
func (f *Fleet) Run(ctx context.Context, events chan<- Event) error {
	inner := make(chan Event, 256)
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for _, m := range f.members {
			<-m.ended
		}
	}()
	out := func(e Event) {
		select {
		case events <- e:
		case <-ctx.Done():
		}
	}
	ticker := time.NewTicker(f.every)
	defer ticker.Stop()
	f.look(ctx, inner, out)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-inner:
			f.pass(e, out)
		case <-ticker.C:
			f.look(ctx, inner, out)
		}
	}
}

// pass hands an event on, and what follows from it for the registry.
func (f *Fleet) pass(e Event, out func(Event)) {
	out(e)
	if e.Kind != StatusChanged {
		return
	}
	f.mu.Lock()
	hub := ""
	if m := f.members[e.Port]; m != nil {
		m.state = e.Status.State
		if m.found.USB != nil {
			hub = m.found.USB.Hub
		}
	}
	sightings := f.registry.Observe(e.Port, e.Status)
	f.mu.Unlock()
	for _, s := range sightings {
		out(Event{Port: e.Port, At: e.At, Kind: Sighted, Sighting: s, Status: e.Status, Hub: hub})
	}
}

// look starts and stops links as ports come and go.
func (f *Fleet) look(ctx context.Context, inner chan Event, out func(Event)) {
	found, left, err := f.finder.Scan()
	if err != nil {
		// Listed ports are known all the same; those found before are kept, since nothing is known against them.
		left = append(left, Left{Path: f.finder.ByPath, Why: err.Error()})
	}
	wanted := map[string]Found{}
	for _, p := range found {
		wanted[p.Path] = p
	}
	for path, m := range f.members {
		if _, ok := wanted[path]; !ok && err == nil {
			f.stop(m, inner, out)
		}
	}
	for _, p := range found {
		if m := f.members[p.Path]; m != nil {
			if p.USB != nil || p.Device != "" {
				f.mu.Lock()
				m.found = p // kept as it was while the device is away
				f.mu.Unlock()
			}
			continue
		}
		f.start(ctx, p, inner)
	}
	f.mu.Lock()
	before := f.left
	f.left = left
	f.mu.Unlock()
	for _, l := range left {
		if !slices.ContainsFunc(before, func(b Left) bool { return b.Path == l.Path && b.Device == l.Device && b.Why == l.Why }) {
			out(Event{Port: l.Path, At: f.now(), Kind: Ignored, Text: l.Why})
		}
	}
}

func (f *Fleet) start(ctx context.Context, p Found, inner chan Event) {
	c := f.configure(p)
	c.Path, c.Now = p.Path, f.now
	ctx, stop := context.WithCancel(ctx)
	m := &member{found: p, link: New(c), stop: stop, ended: make(chan struct{})}
	f.mu.Lock()
	f.members[p.Path] = m
	f.mu.Unlock()
	go func() {
		defer close(m.ended)
		m.link.Run(ctx, inner)
	}()
}

// stop ends the link of a port that is no longer there, and tells what it last had to say.
func (f *Fleet) stop(m *member, inner chan Event, out func(Event)) {
	m.stop()
	for ended := false; !ended; {
		select {
		case e := <-inner:
			f.pass(e, out)
		case <-m.ended:
			ended = true
		}
	}
	for n := len(inner); n > 0; n-- { // its last words are among these
		f.pass(<-inner, out)
	}
	path := m.link.Path()
	if m.state != Down {
		err := &PortError{Op: "read", Port: path, Kind: ErrGone}
		f.pass(Event{Port: path, At: f.now(), Kind: StatusChanged, Status: Status{State: Down, Err: err}, Err: err}, out)
	}
	f.mu.Lock()
	delete(f.members, path)
	f.mu.Unlock()
}
