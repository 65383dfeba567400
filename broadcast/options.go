package broadcast

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/rs/zerolog"
)

// Options are the hub's limits and seams. The zero value of each field means its default.
type Options struct {
	// Title is shown on the page; usually the event's name.
	Title string
	// Delay is how much later spectators see what happens. 0 is at once.
	Delay time.Duration
	// Stream names this run of the public view's numbers. A client can only resume on the stream it left.
	// Default: random.
	Stream string
	// Origins are the origins beside the host itself whose pages may open the WebSocket, such as
	// "https://club.example"; "*" allows any.
	Origins []string

	// FlushEvery is the least time between two frames of changes; whatever comes in between shares one. A
	// first change after a pause leaves at once. Default 50 ms.
	FlushEvery time.Duration
	// ClockEvery is the least time between two clock readings of a board; the newest waits. Those that tell nothing
	// new (the same side runs, and counts as expected) wait five times as long. Default 1 s.
	ClockEvery time.Duration
	// History is how many changes are kept for resuming; who missed more gets a snapshot. Default 2048.
	History int
	// Input is how many published changes may wait for an owner goroutine. Default 1024.
	Input int
	// Queue is how many frames may wait for one client; when it is full the client is skipped to a fresh
	// snapshot. Default 16.
	Queue int
	// MaxClients bounds the connections; further ones get 503. Default 10000.
	MaxClients int
	// PerAddress bounds the connections from one address (for IPv6 a /64); further ones get 429. Default 500: a hall
	// behind one router.
	PerAddress int
	// NewPerSecond bounds the new connections a second from one address, after a burst of PerAddress. Default 20.
	NewPerSecond float64
	// SendBuffer is SO_SNDBUF of a client's socket in bytes. The kernel's default hides a dead reader for
	// a long time and costs memory for each. Default 16 KiB.
	SendBuffer int
	// WriteWait is how long one frame may take to leave. Default 10 s.
	WriteWait time.Duration
	// PingEvery is the time between two pings; a client silent for 2.5 times that is gone. Default 24 s.
	PingEvery time.Duration
	// DrainWait is how long clients get to take their last frames when the hub ends. Default 2 s.
	DrainWait time.Duration

	Log zerolog.Logger
	// Now is the clock. Default time.Now.
	Now func() time.Time
}

// idleEvery is the longest a client hears nothing: browsers do not show pings to a page, so a page needs a
// frame now and then to know that the line is alive.
const idleEvery = 10 * time.Second

// snapshotAge bounds how old the now_ms of a shared snapshot may be: pages set their clocks by it.
const snapshotAge = 200 * time.Millisecond

// clockSlack is how far a reading may be from the expected count before it is news (a hand-set clock,
// an added increment), and leaves at once. DGT clocks report whole seconds, so one second is normal.
const clockSlack = 1500 * time.Millisecond

func (o *Options) fill() {
	def(&o.FlushEvery, 50*time.Millisecond)
	def(&o.ClockEvery, time.Second)
	def(&o.History, 2048)
	def(&o.Input, 1024)
	def(&o.Queue, 16)
	def(&o.MaxClients, 10000)
	def(&o.PerAddress, 500)
	def(&o.NewPerSecond, 20)
	def(&o.SendBuffer, 16<<10)
	def(&o.WriteWait, 10*time.Second)
	def(&o.PingEvery, 24*time.Second)
	def(&o.DrainWait, 2*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	def(&o.Stream, streamName())
}

func streamName() string {
	var b [8]byte
	rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

func def[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
