package uplink

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// Engine brings the batches of all venues together in one order.
type Engine interface {
	// Place is how far it has come with a venue.
	Place(ctx context.Context, venue string) (Place, error)
	// Append takes a batch; after it returns nil the batch is not lost while the venue keeps
	// its record. The error wraps ErrKnown, ErrGap or ErrForeign when the batch is the reason.
	Append(ctx context.Context, b Batch) error
}

// CenterOptions are what a Center is made of.
type CenterOptions struct {
	Seats map[string]Seats // by venue
	// File keeps what the hub knows; empty for none.
	File    string
	Publish func(broadcast.Change)
	Log     zerolog.Logger
	// Now is the hub's clock. Default time.Now.
	Now func() time.Time
}

// saveEvery is how much a killed hub asks its venues for again.
const saveEvery = time.Second

// Center is one hub: it keeps the state of the event in memory and, a moment later, on
// the disk. What a kill loses the venues still have, and a hub says how far it is.
type Center struct {
	o     CenterOptions
	begun chan struct{} // closed when what was known has been published

	mu    sync.Mutex
	state *State
	dirty bool
}

var _ Engine = (*Center)(nil)

// OpenCenter makes a hub that begins with what its file has. It takes nothing before Run.
func OpenCenter(o CenterOptions) (*Center, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Center{o: o, begun: make(chan struct{}), state: NewState(o.Seats)}
	if o.File == "" {
		return c, nil
	}
	state, aside, err := load(o.File, o.Seats)
	if err != nil {
		return nil, err
	}
	if aside != "" {
		o.Log.Error().Msg(aside)
	}
	c.state = state
	return c, nil
}

// ready waits until the hub runs.
func (c *Center) ready(ctx context.Context) error {
	select {
	case <-c.begun:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Place is how far the hub has come with a venue.
func (c *Center) Place(ctx context.Context, venue string) (Place, error) {
	if err := c.ready(ctx); err != nil {
		return Place{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.Place(venue), nil
}

// Append takes a batch and publishes it.
func (c *Center) Append(ctx context.Context, b Batch) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changes, faults, err := c.state.Take(b, c.o.Now().UnixMilli())
	if err != nil {
		return err
	}
	for _, fault := range faults {
		c.o.Log.Error().Err(fault).Str("venue", b.Venue).Uint64("n", b.N).Msg("change does not fit the game as it is known here")
	}
	for _, change := range changes {
		c.o.Publish(change)
	}
	c.dirty = true
	return nil
}

// Run publishes what was known, lets venues in, and keeps the file up to date until ctx
// ends, and once more then. Call it once.
func (c *Center) Run(ctx context.Context) error {
	for _, b := range c.state.Boards() {
		for _, change := range b.Changes() {
			c.o.Publish(change)
		}
	}
	close(c.begun)
	if c.o.File == "" {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	told := false
	for {
		select {
		case <-ctx.Done():
			return c.save()
		case <-tick.C:
		}
		err := c.save()
		switch {
		case err != nil && !told:
			c.o.Log.Error().Err(err).Msg("what the hub knows is not kept; it goes on in memory")
		case err == nil && told:
			c.o.Log.Info().Msg("what the hub knows is kept again")
		}
		told = err != nil
	}
}

func (c *Center) save() error {
	c.mu.Lock()
	if !c.dirty {
		c.mu.Unlock()
		return nil
	}
	data, err := c.state.encode()
	c.dirty = false
	c.mu.Unlock()
	if err == nil {
		err = save(c.o.File, data)
	}
	if err != nil {
		c.mu.Lock()
		c.dirty = true
		c.mu.Unlock()
	}
	return err
}
