package broadcast

import "sync"

// door counts connections: at most max at a time, none once it is shut. It also counts their goroutines,
// so that the hub's end can wait for all of them.
type door struct {
	mu     sync.Mutex
	shut   bool
	inside int
	max    int
	conns  sync.WaitGroup
}

// enter takes one of the places; false when there is none.
func (d *door) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut || d.inside >= d.max {
		return false
	}
	d.inside++
	return true
}

// leave gives the place back.
func (d *door) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
}

// start runs the goroutines of a connection; false, and none runs, when the door has been shut meanwhile.
func (d *door) start(run ...func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return false
	}
	for _, f := range run {
		d.conns.Go(f)
	}
	return true
}

// close lets nobody in from now on.
func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
}
