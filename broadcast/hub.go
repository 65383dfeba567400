package broadcast

import (
	"context"
	"errors"
	"net/http"
	"sync"
)

// Hub takes changes in and hands them to people, in two views: live for arbiters, public for everybody else.
// Create it with NewHub, start it with Run.
type Hub struct {
	opts   Options
	live   *Source
	public *Source

	more map[string]http.Handler // beside the public view, by pattern
}

// ErrNotRunning is the answer of a hub before Run and after its end.
var ErrNotRunning = errors.New("the hub is not running")

// NewHub makes a hub; it takes changes at once (as many as Options.Input) but shows nothing before Run.
func NewHub(opts Options) *Hub {
	opts.fill()
	h := &Hub{opts: opts, public: newSource(opts, "public")}
	// Numbers of its own: those of the live view would tell how much is held back.
	opts.Delay, opts.Stream = 0, streamName()
	h.live = newSource(opts, "live")
	h.live.all = true
	return h
}

// Public is what spectators may see: everything after Options.Delay, and of what is younger only who plays. It
// never holds an alert or a claim.
func (h *Hub) Public() *Source { return h.public }

// Live is what arbiters see, at once. Alerts and claims are among its changes.
func (h *Hub) Live() *Source { return h.live }

// Publish hands a change to the hub, which keeps it: the caller must not write to its slices and maps
// again. Changes of one caller keep their order. It waits while Options.Input changes are ahead of it (the hub
// never waits for clients, so that is short) and does nothing once the hub has ended.
func (h *Hub) Publish(c Change) {
	h.live.publish(c)
	h.public.publish(c)
}

// Run owns the hub's state until ctx ends; then it flushes, says goodbye to every client and waits for
// them, at most Options.DrainWait. Call it once. It returns nil after ctx ended.
func (h *Hub) Run(ctx context.Context) error {
	var both sync.WaitGroup
	both.Go(func() { h.live.run(ctx) })
	both.Go(func() { h.public.run(ctx) })
	both.Wait()
	return nil
}
