package broadcast

// history keeps the newest changes, encoded, so that a client that was away can be given exactly what it
// missed. Owned by the hub's goroutine.
type history struct {
	ring []numbered // change with number seq is at seq % len(ring)
	last uint64     // number of the newest change; 0 = none yet
}

// numbered is an encoded change and the board it is about; 0 is the hall.
type numbered struct {
	board int
	data  []byte
}

func newHistory(size int) history { return history{ring: make([]numbered, size)} }

// add keeps the change numbered last+1.
func (h *history) add(c numbered) {
	h.last++
	h.ring[h.last%uint64(len(h.ring))] = c
}

// since gives the changes numbered after seq, oldest first; ok is false when some of them are gone, or when
// seq was never reached (it is another hub's number).
func (h *history) since(seq uint64) (changes []numbered, ok bool) {
	if seq > h.last || h.last-seq > uint64(len(h.ring)) {
		return nil, false
	}
	for n := seq + 1; n <= h.last; n++ {
		changes = append(changes, h.ring[n%uint64(len(h.ring))])
	}
	return changes, true
}
