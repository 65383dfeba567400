package broadcast

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

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

	audiences  map[string]*audience // by what they want
	everything *audience            // always there
	clients    map[*client]struct{}
	ready      []*client // whose queues changed since the writers were told
	nextSlot   uint64
	beats      uint64
	ping       *frame
}

// shown is a board and what the stream remembers about having shown it.
type shown struct {
	Board
	json      []byte    // nil = has to be encoded again
	clockSent time.Time // last clock reading that left
	news      bool      // the reading that waits tells something new
	expected  clocks    // the last reading taken in, which may still wait
}

func newStream(opts Options) stream {
	all := &audience{clients: map[*client]struct{}{}}
	return stream{
		audiences:  map[string]*audience{all.want.key(): all},
		everything: all,
		opts:       &opts,
		hello:      helloFrame(opts.Stream, opts.Title),
		boards:     map[int]*shown{},
		history:    newHistory(opts.History),
		clocks:     map[int]Change{},
		clients:    map[*client]struct{}{},
		ping:       newFrame(websocket.PingMessage, nil),
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
	if !c.onBoard() {
		s.urgent = append(s.urgent, c)
		return
	}
	b := s.board(c.Board)
	if c.Type == TypeClock && c.Ply == 0 {
		b.news = b.clockNews(&c) || b.news
		b.expected.apply(&c)
		s.clocks[c.Board] = c // replaces an older reading
		return
	}
	b.expected.apply(&c)
	if older, ok := s.clocks[c.Board]; ok && (c.Type == TypeResult || c.Type == TypeGame) {
		if c.Type == TypeResult { // where the clocks stood
			s.urgent = append(s.urgent, older)
		}
		delete(s.clocks, c.Board)
		b.news = false
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
	for n := range s.clocks {
		if due := s.clockDue(s.boards[n]); !ok || due.Before(at) {
			at, ok = due, true
		}
	}
	return later(at, s.lastFlush.Add(s.opts.FlushEvery)), ok
}

// steady is how many times as long readings that tell nothing new wait, so that news seldom has to: a page counts by itself.
const steady = 5

// clockDue is when the reading of b that waits may leave: news a ClockEvery after the one before, the others with those
// of all boards.
func (s *stream) clockDue(b *shown) time.Time {
	due := b.clockSent.Add(s.opts.ClockEvery)
	if !b.news {
		due = later(due, s.lastClocks.Add(steady*s.opts.ClockEvery))
	}
	return due
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
// tell nothing new leave together for all boards, now and then: one frame for the hall, not one a board.
func (s *stream) flush(now time.Time, nowMS int64) {
	due := s.urgent
	all := now.Sub(s.lastClocks) >= steady*s.opts.ClockEvery
	for _, n := range s.order {
		c, waits := s.clocks[n]
		b := s.boards[n]
		if !waits || now.Sub(b.clockSent) < s.opts.ClockEvery || !b.news && !all {
			continue
		}
		if !b.news {
			s.lastClocks = now
		}
		due = append(due, c)
		delete(s.clocks, n)
		b.news = false
	}
	s.urgent = nil
	s.lastFlush = now
	var encoded []numbered
	for i := range due {
		c := &due[i]
		if err := s.apply(c, now); err != nil {
			s.refused++
			s.opts.Log.Error().Err(err).Msg("change not shown")
			continue
		}
		data, err := json.Marshal(c)
		if err != nil {
			panic("broadcast: " + err.Error()) // strings, numbers and maps of strings always encode
		}
		n := numbered{c.Board, data}
		s.history.add(n)
		encoded = append(encoded, n)
	}
	if len(encoded) == 0 {
		return
	}
	for _, a := range s.audiences {
		s.sendChanges(a, encoded, now, nowMS)
	}
}

// sendChanges sends an audience what it follows of some changes, all up to the last number.
func (s *stream) sendChanges(a *audience, changes []numbered, now time.Time, nowMS int64) {
	if s.follow(a); a.moved {
		a.moved = false
		s.sendTo(a, s.snapshotFrame(a, nowMS), now, nowMS)
		return
	}
	if followed := s.of(a, changes); len(followed) > 0 && len(a.clients) > 0 {
		s.sendTo(a, changesFrame(s.history.last, nowMS, followed), now, nowMS)
	}
}

// apply numbers c and brings its board up to date.
func (s *stream) apply(c *Change, now time.Time) error {
	if c.onBoard() {
		b := s.board(c.Board)
		if err := b.apply(c); err != nil {
			return err
		}
		b.json = nil
		if c.Type == TypeClock && c.Ply == 0 {
			b.clockSent = now
		}
		if c.Type != TypeClock || c.Ply != 0 {
			b.version = s.history.last + 1
		}
	}
	c.Seq = s.history.last + 1
	return nil
}

// sendTo queues f for every client of an audience; one that lags is skipped, or given a snapshot when its queue has run
// empty.
func (s *stream) sendTo(a *audience, f *frame, now time.Time, nowMS int64) {
	a.lastFrame = now
	for c := range a.clients {
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
		s.wake(c)
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
	s.send(c, s.snapshotFrame(c.audience, nowMS))
}

// join takes a client in: hello, then what it asked.
func (s *stream) join(c *client, req request, nowMS int64) {
	s.clients[c] = struct{}{}
	s.nextSlot++
	c.slot = s.nextSlot
	s.seat(c, req.want)
	s.send(c, s.hello)
	s.answer(c, req, nowMS)
}

// answer gives c what it asked: the changes it missed of what it follows, or a snapshot.
func (s *stream) answer(c *client, req request, nowMS int64) {
	if req.subscribes {
		s.seat(c, req.want)
	}
	a := c.audience
	// Which boards belong to a round may have been otherwise then.
	if req.Since != nil && req.Stream == s.opts.Stream && len(a.want.rounds) == 0 {
		if missed, ok := s.history.since(*req.Since); ok {
			s.send(c, changesFrame(s.history.last, nowMS, s.of(a, missed)))
			return
		}
	}
	s.send(c, s.snapshotFrame(a, nowMS))
}

func (s *stream) leave(c *client) {
	if _, ok := s.clients[c]; ok {
		delete(s.clients, c)
		s.unseat(c)
		close(c.queue)
		s.wake(c)
	}
}

// wake notes that a writer has to look at c.
func (s *stream) wake(c *client) {
	if c.conn != nil {
		s.ready = append(s.ready, c)
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
	for _, a := range s.audiences {
		if now.Sub(a.lastFrame) >= idleEvery {
			s.sendTo(a, tickFrame(s.history.last, nowMS), now, nowMS)
		}
	}
}

// snapshotFrame is shared by all who need one at about the same time, and only the boards that changed since
// the one before are encoded again.
func (s *stream) snapshotFrame(a *audience, nowMS int64) *frame {
	if a.snapshot == nil || a.snapSeq != s.history.last || nowMS-a.snapMS > snapshotAge.Milliseconds() {
		parts := make([][]byte, 0, len(s.order))
		for _, n := range s.order {
			b := s.boards[n]
			if !a.want.has(n, b.Tags) {
				continue
			}
			if b.json == nil {
				data, err := json.Marshal(&b.Board)
				if err != nil {
					panic("broadcast: " + err.Error()) // as above
				}
				b.json = data
			}
			parts = append(parts, b.json)
		}
		a.snapshot = newFrame(websocket.TextMessage, snapshotJSON(s.opts.Stream, s.history.last, nowMS, parts))
		a.snapSeq, a.snapMS = s.history.last, nowMS
	}
	return a.snapshot
}

func (s *stream) view(nowMS int64) View {
	v := View{Seq: s.history.last, NowMS: nowMS, JSON: s.snapshotFrame(s.everything, nowMS).data}
	for _, n := range s.order {
		v.Boards = append(v.Boards, s.boards[n].Board)
	}
	return v
}
