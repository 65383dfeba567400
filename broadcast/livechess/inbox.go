package livechess

import (
	"maps"
	"slices"
	"sync"
)

// inbox holds sightings until the hall takes them. Putting one in never waits, so that no table is kept from its play by
// clients of this server: where too many wait, a board's newest takes the place of those before it.
type inbox struct {
	ready chan struct{} // holds a token while something waits

	mu     sync.Mutex
	queue  []Seat
	newest map[string]Seat // what came while the queue was full, by serial number
}

// inboxMax is how many sightings may wait one by one: some seconds of a busy hall.
const inboxMax = 1024

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1), newest: map[string]Seat{}} }

func (b *inbox) put(s Seat) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if before, late := b.newest[s.Serial]; late || len(b.queue) >= inboxMax {
		s.Whole = s.Whole || before.Whole
		b.newest[s.Serial] = s
	} else {
		b.queue = append(b.queue, s)
	}
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take gives all that waits, in order.
func (b *inbox) take() []Seat {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.queue
	for _, serial := range slices.Sorted(maps.Keys(b.newest)) {
		all = append(all, b.newest[serial])
	}
	b.queue = nil
	clear(b.newest)
	return all
}
