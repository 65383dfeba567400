package broadcast

import (
	"context"
	"sync"
)

// watchers are those who want to hear that something changed.
type watchers struct {
	mu   sync.Mutex
	shut bool
	all  map[chan struct{}]struct{}
}

func (w *watchers) add(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut || ctx.Err() != nil {
		close(c)
		return c
	}
	if w.all == nil {
		w.all = map[chan struct{}]struct{}{}
	}
	w.all[c] = struct{}{}
	c <- struct{}{}
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if _, here := w.all[c]; here {
			delete(w.all, c)
			close(c)
		}
	})
	return c
}

// tell leaves a token with everybody who has none.
func (w *watchers) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.all {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shut = true
	for c := range w.all {
		delete(w.all, c)
		close(c)
	}
}
