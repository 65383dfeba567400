package link

import (
	"time"

	"boardd/dgt"
)

// EventKind says what an Event tells.
type EventKind uint8

const (
	// StatusChanged: Status is new. In it either the state changed or, while up, the identity (a clock was found).
	StatusChanged EventKind = iota
	// Received: Data came from the board, cut anywhere, as a tape holds it.
	Received
	// Sent: Data was taken by the port.
	Sent
	// NotSent: Command was wanted, but will not be sent; Err says why.
	NotSent
	// Sighted: Sighting says where a board is now. Only a Fleet tells it.
	Sighted
	// Ignored: a port was found that the rule leaves alone; Text says why. Only a Fleet tells it.
	Ignored
)

// String names the kind as in "received".
func (k EventKind) String() string {
	switch k {
	case StatusChanged:
		return "status"
	case Received:
		return "received"
	case Sent:
		return "sent"
	case NotSent:
		return "not sent"
	case Sighted:
		return "sighted"
	case Ignored:
		return "ignored"
	}
	return "unknown"
}

// Event is one thing that happened on one port. Whoever receives it owns Data.
type Event struct {
	Port string        // as listed or found
	At   time.Duration // monotonic, as Config.Now tells it
	Kind EventKind

	Data     []byte
	Status   Status
	Command  dgt.Command
	Err      error
	Sighting Sighting
	// Hub is the USB hub the port hangs on, as sysfs names it, with a Sighted event: several boards that vanish
	// within a second have a hub in common (facts 8.6).
	Hub  string
	Text string
}

// slabSize is how much memory is taken at once for the bytes of events. A board sends 5 to 10 bytes at a time, so
// one allocation serves some hundred chunks.
const slabSize = 4096

// slab cuts small byte slices out of large ones. A slice stays valid as long as somebody holds it.
type slab struct{ free []byte }

func (s *slab) copy(p []byte) []byte {
	if len(p) > len(s.free) {
		s.free = make([]byte, max(slabSize, len(p)))
	}
	c := s.free[:len(p):len(p)]
	s.free = s.free[len(p):]
	copy(c, p)
	return c
}
