package venue

import (
	"sync"

	"boardd/dgt/tape"
)

// note is one thing a table has to take in.
type note struct {
	tape.Event // what a tape holds: bytes, link, order
	// Text for people, with a Link event.
	text string
	// do is run by the table's goroutine, in its turn; the event is none then.
	do func(*desk)
}

// inboxMax is how many notes may wait for a table that does not keep up: some
// ten minutes of a busy board. Beyond it notes are lost, and the table is told.
const inboxMax = 8192

// inbox takes notes for one table and never makes the giver wait, so that a
// table in trouble holds up no other.
type inbox struct {
	mu     sync.Mutex
	notes  []note
	lost   int
	closed bool
	ready  chan struct{} // holds one token while there is something to take
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

// put adds a note. After close it does nothing.
func (b *inbox) put(n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	if len(b.notes) >= inboxMax {
		b.lost++
		return
	}
	b.notes = append(b.notes, n)
	b.ring()
}

// close says that no more notes come.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ring()
}

func (b *inbox) ring() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take gives all notes that wait, how many were lost since the last call, and
// whether these were the last.
func (b *inbox) take() (notes []note, lost int, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	notes, lost, closed = b.notes, b.lost, b.closed
	b.notes, b.lost = nil, 0
	return notes, lost, closed
}
