package link

import "slices"

// SightingKind says what became known about where a board is.
type SightingKind uint8

const (
	Discovered SightingKind = iota // a board nobody saw before
	Returned                       // a board that had gone is back on its port
	Moved                          // a board that had gone is on another port
	Vanished                       // a board has gone
	Doubled                        // a second port claims a board that is there; it is not used
)

// String names the kind as in "moved".
func (k SightingKind) String() string {
	switch k {
	case Discovered:
		return "discovered"
	case Returned:
		return "returned"
	case Moved:
		return "moved"
	case Vanished:
		return "vanished"
	case Doubled:
		return "doubled"
	}
	return "unknown"
}

// Sighting tells where a board is. A board is its serial number: ports, names
// and their order change (facts 8.6).
type Sighting struct {
	Kind   SightingKind
	Board  string // Identity.Key; the port itself for a board that tells no number
	Port   string // where it is now; for Doubled the second port; empty for Vanished
	Before string // where it was, for Moved and Vanished; for Doubled where it is
}

// Registry maps boards to ports. It is pure: feed it each status in order. The zero value is empty.
// Not safe for concurrent use.
type Registry struct {
	boards map[string]*berth
	ports  map[string]string // port -> board on it now
}

// berth is where a board is, or was last.
type berth struct {
	port   string
	live   bool
	others []string // further ports that claim it
}

// Observe takes the status of a port and tells what follows from it, in order.
func (r *Registry) Observe(port string, st Status) []Sighting {
	if st.State != Up {
		return r.Forget(port)
	}
	key := st.Identity.Key()
	if key == "" {
		key = port
	}
	if r.ports[port] == key {
		return nil
	}
	told := r.Forget(port) // another board was here
	if r.ports == nil {
		r.ports, r.boards = map[string]string{}, map[string]*berth{}
	}
	r.ports[port] = key
	b := r.boards[key]
	switch {
	case b == nil:
		r.boards[key] = &berth{port: port, live: true}
		return append(told, Sighting{Discovered, key, port, ""})
	case b.live:
		b.others = append(b.others, port)
		return append(told, Sighting{Doubled, key, port, b.port})
	}
	s := Sighting{Returned, key, port, b.port}
	if port != b.port {
		s.Kind = Moved
	}
	b.port, b.live = port, true
	return append(told, s)
}

// Forget notes that there is no board on the port.
func (r *Registry) Forget(port string) []Sighting {
	key, ok := r.ports[port]
	if !ok {
		return nil
	}
	delete(r.ports, port)
	b := r.boards[key]
	if b.port != port {
		b.others = slices.DeleteFunc(b.others, func(p string) bool { return p == port })
		return nil
	}
	if len(b.others) > 0 {
		// It was plugged in elsewhere before the old port noticed.
		b.port, b.others = b.others[0], b.others[1:]
		return []Sighting{{Moved, key, b.port, port}}
	}
	b.live = false
	return []Sighting{{Vanished, key, "", port}}
}

// Port is where a board is now.
func (r *Registry) Port(board string) (port string, ok bool) {
	b := r.boards[board]
	if b == nil || !b.live {
		return "", false
	}
	return b.port, true
}

// Board is the board that answers on a port now, doubled or not.
func (r *Registry) Board(port string) (board string, ok bool) {
	board, ok = r.ports[port]
	return board, ok
}
