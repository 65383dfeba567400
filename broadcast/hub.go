package broadcast

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"
)

// Options are the hub's limits and seams. The zero value of each field means its default.
type Options struct {
	// Title is shown on the page; usually the event's name.
	Title string
	// Stream names this run of numbers. A client can only resume on the stream it left. Default: random.
	Stream string
	// Origins are the origins beside the host itself whose pages may open the WebSocket, such as
	// "https://club.example"; "*" allows any.
	Origins []string

	// FlushEvery is the least time between two frames of changes; whatever comes in between shares one. A
	// first change after a pause leaves at once. Default 50 ms.
	FlushEvery time.Duration
	// ClockEvery is the least time between two clock readings of a board that tell nothing new (the same
	// side runs, and counts as expected). Default 1 s.
	ClockEvery time.Duration
	// History is how many changes are kept for resuming; who missed more gets a snapshot. Default 2048.
	History int
	// Input is how many published changes may wait for the owner goroutine. Default 1024.
	Input int
	// Queue is how many frames may wait for one client; when it is full the client is skipped to a fresh
	// snapshot. Default 32.
	Queue int
	// MaxClients bounds the connections; further ones get 503. Default 10000.
	MaxClients int
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
	def(&o.Queue, 32)
	def(&o.MaxClients, 10000)
	def(&o.SendBuffer, 16<<10)
	def(&o.WriteWait, 10*time.Second)
	def(&o.PingEvery, 24*time.Second)
	def(&o.DrainWait, 2*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stream == "" {
		var b [8]byte
		rand.Read(b[:]) // never fails since Go 1.24
		o.Stream = hex.EncodeToString(b[:])
	}
}

func def[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Hub takes changes in and hands them to clients. Create it with NewHub, start it with Run.
type Hub struct {
	opts  Options
	start time.Time // hub time counts from here by the monotonic clock, so that it never steps

	in      chan Change
	joins   chan ask
	leaves  chan *client
	asks    chan ask
	views   chan chan<- View
	started chan struct{}
	done    chan struct{}
	door    door

	stream // owner goroutine only
	pgn    pgnCache
}

type ask struct {
	c   *client
	req request
}

// View is the hub's state at one moment. It is never changed after it was handed out.
type View struct {
	Seq    uint64
	NowMS  int64
	Boards []Board // by board number
	// JSON is the snapshot frame of the same moment.
	JSON []byte
}

// ErrNotRunning is the answer of a hub before Run and after its end.
var ErrNotRunning = errors.New("the hub is not running")

// NewHub makes a hub; it takes changes at once (as many as Options.Input) but shows nothing before Run.
func NewHub(opts Options) *Hub {
	opts.fill()
	h := &Hub{
		opts:    opts,
		start:   opts.Now(),
		in:      make(chan Change, opts.Input),
		joins:   make(chan ask),
		leaves:  make(chan *client),
		asks:    make(chan ask),
		views:   make(chan chan<- View),
		started: make(chan struct{}),
		done:    make(chan struct{}),
	}
	h.door.max = opts.MaxClients
	h.stream = newStream(opts)
	return h
}

// Publish hands a change to the hub, which keeps it: the caller must not write to its slices and maps
// again. Changes of one caller keep their order. It waits while Options.Input changes are ahead of it (the hub
// never waits for clients, so that is short) and does nothing once the hub has ended.
func (h *Hub) Publish(c Change) {
	select {
	case h.in <- c:
	case <-h.done:
	}
}

// View gives the present state. The error is ErrNotRunning, or the context's.
func (h *Hub) View(ctx context.Context) (View, error) {
	reply := make(chan View, 1)
	select {
	case <-h.started:
	default:
		return View{}, ErrNotRunning
	}
	select {
	case h.views <- reply:
		return <-reply, nil
	case <-h.done:
		return View{}, ErrNotRunning
	case <-ctx.Done():
		return View{}, ctx.Err()
	}
}

// hubMS is the hub's time in Unix ms: wall time at the start plus what a monotonic clock counted since.
func (h *Hub) hubMS(now time.Time) int64 {
	return h.start.UnixMilli() + now.Sub(h.start).Milliseconds()
}

// Run owns the hub's state until ctx ends; then it flushes, says goodbye to every client and waits for
// them, at most Options.DrainWait. Call it once. It returns nil after ctx ended.
func (h *Hub) Run(ctx context.Context) error {
	close(h.started)
	second := time.NewTicker(time.Second)
	defer second.Stop()
	flush := time.NewTimer(0)
	defer flush.Stop()

	for {
		if at, ok := h.nextFlush(); ok {
			flush.Reset(at.Sub(h.opts.Now()))
		} else {
			flush.Stop()
		}
		select {
		case <-ctx.Done():
			h.drain()
			return nil
		case c := <-h.in:
			h.take(c)
			h.takeWaiting()
		case <-flush.C:
		case <-second.C:
			now := h.opts.Now()
			h.beat(now, h.hubMS(now))
		case j := <-h.joins:
			h.join(j.c, j.req, h.hubMS(h.opts.Now()))
		case c := <-h.leaves:
			h.leave(c)
		case a := <-h.asks:
			if _, here := h.clients[a.c]; here {
				h.answer(a.c, a.req, h.hubMS(h.opts.Now()))
			}
		case reply := <-h.views:
			reply <- h.view(h.hubMS(h.opts.Now()))
		}
		if now := h.opts.Now(); h.flushDue(now) {
			h.flush(now, h.hubMS(now))
		}
	}
}

// takeWaiting takes what has come in meanwhile, so that a burst shares one frame. Bounded, so that a
// flood of changes cannot keep clients from being served.
func (h *Hub) takeWaiting() {
	for range cap(h.in) {
		select {
		case c := <-h.in:
			h.take(c)
		default:
			return
		}
	}
}

func (h *Hub) take(c Change) {
	now := h.opts.Now()
	if err := c.check(); err != nil {
		h.refused++
		h.opts.Log.Error().Err(err).Msg("change not shown")
		return
	}
	if c.Type == TypeAlert || c.Type == TypeClaim {
		return // for arbiters only
	}
	if c.TimeMS == 0 {
		c.TimeMS = h.hubMS(now)
	}
	h.stream.take(c)
}

func (h *Hub) drain() {
	h.takeWaiting()
	now := h.opts.Now()
	h.flush(now, h.hubMS(now))
	h.door.close()
	close(h.done)
	bye := newFrame(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, "the hub is closing"))
	clients := make([]*client, 0, len(h.clients))
	for c := range h.clients {
		clients = append(clients, c)
		h.send(c, bye)
		h.leave(c)
	}
	gone := make(chan struct{})
	go func() {
		h.door.conns.Wait()
		close(gone)
	}()
	wait := time.NewTimer(h.opts.DrainWait)
	defer wait.Stop()
	select {
	case <-gone:
	case <-wait.C:
		for _, c := range clients {
			c.close()
		}
		<-gone
	}
}

// stream is one numbered view of the facts: boards, history, and the clients that follow it. Pure
// state: time is an argument. Owned by the hub's goroutine.
type stream struct {
	opts    *Options
	hello   *frame
	boards  map[int]*shown
	order   []int // board numbers, sorted
	history history
	refused uint64

	urgent     []Change       // in the order they came
	clocks     map[int]Change // the newest clock-only reading a board
	lastFlush  time.Time
	lastClocks time.Time
	lastFrame  time.Time

	clients  map[*client]struct{}
	nextSlot uint64
	beats    uint64
	ping     *frame

	snapshot *frame // as of snapSeq and snapMS; nil = not made yet
	snapSeq  uint64
	snapMS   int64
}

// shown is a board and what the stream remembers about having shown it.
type shown struct {
	Board
	json      []byte    // nil = has to be encoded again
	clockSent time.Time // last clock reading that left
	expected  clocks    // the last reading taken in, which may still wait
}

func newStream(opts Options) stream {
	return stream{
		opts:    &opts,
		hello:   helloFrame(opts.Stream, opts.Title),
		boards:  map[int]*shown{},
		history: newHistory(opts.History),
		clocks:  map[int]Change{},
		clients: map[*client]struct{}{},
		ping:    newFrame(websocket.PingMessage, nil),
	}
}

func (s *stream) board(n int) *shown {
	b := s.boards[n]
	if b == nil {
		b = &shown{Board: newBoard(n)}
		s.boards[n] = b
		at, _ := slices.BinarySearch(s.order, n)
		s.order = slices.Insert(s.order, at, n)
	}
	return b
}

// take queues c for the next flush.
func (s *stream) take(c Change) {
	b := s.board(c.Board)
	if c.Type == TypeClock && c.Ply == 0 {
		news := b.clockNews(&c)
		b.expected.apply(&c)
		if !news {
			s.clocks[c.Board] = c // replaces an older reading
			return
		}
		delete(s.clocks, c.Board) // this one is newer
	} else {
		b.expected.apply(&c)
	}
	if older, ok := s.clocks[c.Board]; ok {
		// Keep the order of one board's changes.
		s.urgent = append(s.urgent, older)
		delete(s.clocks, c.Board)
	}
	s.urgent = append(s.urgent, c)
}

// clockNews tells whether a reading says more than "it goes on counting".
func (b *shown) clockNews(c *Change) bool {
	if c.Running != b.expected.Running {
		return true
	}
	white, black := b.expected.at(c.TimeMS)
	return differ(white, c.WhiteMS) || differ(black, c.BlackMS)
}

func differ(want, got *int64) bool {
	if want == nil || got == nil {
		return want != got
	}
	d := *want - *got
	return d > clockSlack.Milliseconds() || d < -clockSlack.Milliseconds()
}

// nextFlush is when the next frame is due; ok is false when nothing waits.
func (s *stream) nextFlush() (at time.Time, ok bool) {
	if len(s.urgent) > 0 {
		return s.lastFlush.Add(s.opts.FlushEvery), true
	}
	if len(s.clocks) > 0 {
		return later(s.lastClocks.Add(s.opts.ClockEvery), s.lastFlush.Add(s.opts.FlushEvery)), true
	}
	return time.Time{}, false
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (s *stream) flushDue(now time.Time) bool {
	at, ok := s.nextFlush()
	return ok && !now.Before(at)
}

// flush numbers and applies what waits, encodes it once, and queues the frame for every client. Readings that
// tell nothing new leave together for all boards, once every ClockEvery: one frame for the hall, not one a board.
func (s *stream) flush(now time.Time, nowMS int64) {
	due := s.urgent
	if now.Sub(s.lastClocks) >= s.opts.ClockEvery {
		s.lastClocks = now
		for _, n := range s.order {
			if c, ok := s.clocks[n]; ok && now.Sub(s.boards[n].clockSent) >= s.opts.ClockEvery/2 {
				due = append(due, c)
				delete(s.clocks, n)
			}
		}
	}
	s.urgent = nil
	s.lastFlush = now
	var encoded [][]byte
	for i := range due {
		c := &due[i]
		b := s.board(c.Board)
		if err := b.apply(c); err != nil {
			s.refused++
			s.opts.Log.Error().Err(err).Msg("change not shown")
			continue
		}
		b.json = nil
		c.Seq = s.history.last + 1
		if c.Type == TypeClock {
			b.clockSent = now
		}
		if c.Type != TypeClock || c.Ply != 0 {
			b.version = c.Seq
		}
		data, err := json.Marshal(c)
		if err != nil {
			panic("broadcast: " + err.Error()) // strings, numbers and maps of strings always encode
		}
		s.history.add(data)
		encoded = append(encoded, data)
	}
	if len(encoded) == 0 {
		return
	}
	s.sendAll(changesFrame(s.history.last, nowMS, encoded), now, nowMS)
}

// sendAll queues f for every client; one that lags is skipped, or given a snapshot when its queue has run
// empty.
func (s *stream) sendAll(f *frame, now time.Time, nowMS int64) {
	s.lastFrame = now
	for c := range s.clients {
		if c.lagging {
			s.catchUp(c, nowMS)
			continue
		}
		s.send(c, f)
	}
}

// send queues f or marks the client as lagging; it never waits.
func (s *stream) send(c *client, f *frame) {
	select {
	case c.queue <- f:
	default:
		c.lagging = true
	}
}

// catchUp gives a lagging client, once it has taken all that waited for it, the present state.
func (s *stream) catchUp(c *client, nowMS int64) {
	if len(c.queue) > 0 {
		return
	}
	c.lagging = false
	s.send(c, s.snapshotFrame(nowMS))
}

// join takes a client in: hello, then what it asked.
func (s *stream) join(c *client, req request, nowMS int64) {
	s.clients[c] = struct{}{}
	s.nextSlot++
	c.slot = s.nextSlot
	s.send(c, s.hello)
	s.answer(c, req, nowMS)
}

// answer gives c what it asked: the changes it missed, or a snapshot.
func (s *stream) answer(c *client, req request, nowMS int64) {
	if req.Since != nil && req.Stream == s.opts.Stream {
		if missed, ok := s.history.since(*req.Since); ok {
			s.send(c, changesFrame(s.history.last, nowMS, missed))
			return
		}
	}
	s.send(c, s.snapshotFrame(nowMS))
}

func (s *stream) leave(c *client) {
	if _, ok := s.clients[c]; ok {
		delete(s.clients, c)
		close(c.queue)
	}
}

// beat runs once a second: pings a share of the clients (so that ten thousand pongs do not come at
// once), lets laggards catch up, and breaks a long silence.
func (s *stream) beat(now time.Time, nowMS int64) {
	s.beats++
	slots := max(1, uint64(s.opts.PingEvery/time.Second))
	for c := range s.clients {
		if c.lagging {
			s.catchUp(c, nowMS)
		} else if c.slot%slots == s.beats%slots {
			s.send(c, s.ping)
		}
	}
	if now.Sub(s.lastFrame) >= idleEvery {
		s.sendAll(tickFrame(s.history.last, nowMS), now, nowMS)
	}
}

// snapshotFrame is shared by all who need one at about the same time, and only the boards that changed since
// the one before are encoded again.
func (s *stream) snapshotFrame(nowMS int64) *frame {
	if s.snapshot == nil || s.snapSeq != s.history.last || nowMS-s.snapMS > snapshotAge.Milliseconds() {
		parts := make([][]byte, 0, len(s.order))
		for _, n := range s.order {
			b := s.boards[n]
			if b.json == nil {
				data, err := json.Marshal(&b.Board)
				if err != nil {
					panic("broadcast: " + err.Error()) // as above
				}
				b.json = data
			}
			parts = append(parts, b.json)
		}
		s.snapshot = newFrame(websocket.TextMessage, snapshotJSON(s.history.last, nowMS, parts))
		s.snapSeq, s.snapMS = s.history.last, nowMS
	}
	return s.snapshot
}

func (s *stream) view(nowMS int64) View {
	v := View{Seq: s.history.last, NowMS: nowMS, JSON: s.snapshotFrame(nowMS).data}
	for _, n := range s.order {
		v.Boards = append(v.Boards, s.boards[n].Board)
	}
	return v
}
