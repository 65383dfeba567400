package livechess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardd/broadcast"
	"boardd/rules"
)

// hall is all boards and all clients, as a pure state machine: each call has its time. Owned by the goroutine of Run.
type hall struct {
	opts    Options
	begun   time.Time
	boards  map[string]*board        // by serial number
	order   []*board                 // as eboards lists them
	clients []*client                // in the order they came
	record  func() []broadcast.Board // gives the venue's games as they are now; nil for none
	games   int                      // set up by clients and tracked
}

// client is one socket: a queue of frames, and what was asked on it.
type client struct {
	queue   chan []byte // closed by the hall
	bye     func()      // ends the connection soon, whether it takes what is queued or not; nil in tests
	gone    bool
	lagging bool // it has missed something and gets the newest state when its queue has run empty
	feeds   []*feed
	flipped map[string]bool // by serial number: a client turns boards for itself only
}

// games is how many games the client has set up.
func (c *client) games() (n int) {
	for _, f := range c.feeds {
		if _, is := f.game.(*tracked); is {
			n++
		}
	}
	return n
}

func newHall(o Options, now time.Time) *hall {
	return &hall{opts: o, begun: now, boards: map[string]*board{}}
}

func (h *hall) join(c *client) { h.clients = append(h.clients, c) }

func (h *hall) leave(c *client) {
	if c.gone {
		return
	}
	c.gone = true
	for _, f := range c.feeds {
		h.drop(f)
	}
	close(c.queue)
	if c.bye != nil {
		c.bye()
	}
	h.clients = slices.DeleteFunc(h.clients, func(d *client) bool { return d == c })
}

// drop ends a feed.
func (h *hall) drop(f *feed) {
	h.forget(f)
	f.board.feeds = slices.DeleteFunc(f.board.feeds, func(g *feed) bool { return g == f })
}

// forget ends the game that was set up on a feed, if any.
func (h *hall) forget(f *feed) {
	if _, is := f.game.(*tracked); is {
		h.games--
	}
	f.game = nil
}

// board gives the board of that serial number, a new one if it is the first time.
func (h *hall) board(serial string) *board {
	b := h.boards[serial]
	if b == nil {
		b = &board{serial: serial}
		h.boards[serial] = b
		h.order = append(h.order, b)
	}
	return b
}

// sense takes a seat of the venue.
func (h *hall) sense(now time.Time, s Seat) {
	if s.Serial == "" {
		return
	}
	b := h.board(s.Serial)
	was := *b
	b.sit(now, &s)
	slices.SortStableFunc(h.order, byRank)
	h.changed(now, b, &was, func(f *feed) {
		if e, is := f.game.(*tracked); is {
			e.sense(now.Sub(h.begun), &was, b, s.Whole)
		}
	})
}

// show takes a view of the games.
func (h *hall) show(now time.Time, v broadcast.View) {
	for i := range v.Boards {
		g := &v.Boards[i]
		b := h.board(h.serial(g.Board))
		was := *b
		b.show(now, g, v.NowMS, h.opts.Delayed)
		h.changed(now, b, &was, func(f *feed) {
			if e, is := f.game.(*followed); is {
				e.see(g)
			}
		})
	}
	slices.SortStableFunc(h.order, byRank)
}

// serial names a table where the board on it is not to be known: which board plays is news as well.
func (h *hall) serial(table int) string {
	if s := h.opts.Serials[table]; s != "" {
		return s
	}
	return strconv.Itoa(table)
}

// changed tells every feed of a board what is new; see has its game take it in first.
func (h *hall) changed(now time.Time, b, was *board, see func(*feed)) {
	for _, f := range b.feeds {
		see(f)
		h.tell(now, f, b.seen && (!was.seen || b.text != was.text))
	}
}

// tell sends what is new of a feed; men says that men stand otherwise.
func (h *hall) tell(now time.Time, f *feed, men bool) {
	c := f.client
	if c.lagging || c.gone {
		return
	}
	flipped := c.flipped[f.board.serial]
	if e, news := f.moved(men, flipped); news {
		c.push(frame(now, "feed", f.id.text, e))
	}
	if e, news := f.ticked(now, flipped); news {
		c.push(frame(now, "feed", f.id.text, e))
	}
}

// push queues a frame of a feed, or marks the client as one that has missed something.
func (c *client) push(data []byte) {
	if c.lagging {
		return
	}
	select {
	case c.queue <- data:
	default:
		c.lagging = true
	}
}

// beat lets time pass. Call it a few times a second.
func (h *hall) beat(now time.Time) {
	for _, c := range slices.Clone(h.clients) {
		for _, f := range c.feeds {
			if e, is := f.game.(*tracked); is {
				e.advance(now.Sub(h.begun))
			}
		}
		if c.lagging {
			h.catchUp(now, c)
			continue
		}
		for _, f := range c.feeds {
			h.tell(now, f, false)
		}
	}
}

// catchUp gives a client that has read all that waited for it the newest state.
func (h *hall) catchUp(now time.Time, c *client) {
	if len(c.queue) > 0 {
		return
	}
	c.lagging = false
	for _, f := range c.feeds {
		c.push(frame(now, "feed", f.id.text, f.all(now, c.flipped[f.board.serial])))
	}
}

// call carries out what a client asks. A client that does not even read answers is let go.
func (h *hall) call(now time.Time, c *client, data []byte) {
	if c.gone {
		return
	}
	r, err := parseRequest(data)
	var answer any
	var then *feed
	if err == nil {
		answer, then, err = h.carryOut(now, c, r)
	}
	reply := frame(now, "call", r.id, answer)
	if err != nil {
		reply = frame(now, "error", r.id, fault{err.Error()})
	}
	select {
	case c.queue <- reply:
	default:
		h.leave(c)
		return
	}
	if then == nil || err != nil {
		return
	}
	flipped := c.flipped[then.board.serial]
	switch r.kind {
	case askSubscribe:
		c.push(frame(now, "feed", then.id.text, then.all(now, flipped)))
	case askSetup:
		c.push(frame(now, "feed", then.id.text, then.setUp(flipped)))
	case askFlip:
		for _, f := range c.feeds {
			if f.board == then.board {
				c.push(frame(now, "feed", f.id.text, event{Serial: f.board.serial, Flipped: flipped}))
			}
		}
	}
}

// carryOut gives the param of the answer, and the feed that has something to tell after it.
func (h *hall) carryOut(now time.Time, c *client, r request) (answer any, then *feed, err error) {
	switch r.kind {
	case askEBoards:
		return h.eboards(c.flipped), nil, nil
	case askSources:
		return h.sources(), nil, nil
	case askSubscribe:
		f, err := h.subscribe(c, r)
		return nil, f, err
	}
	at := slices.IndexFunc(c.feeds, func(f *feed) bool { return f.id.value == r.feed.value })
	if at < 0 {
		return nil, nil, fmt.Errorf("unknown feed %s: expected the id of a feed subscribed to on this socket", r.feed.text)
	}
	f := c.feeds[at]
	switch r.kind {
	case askUnsubscribe:
		h.drop(f)
		c.feeds = slices.Delete(c.feeds, at, at+1)
		return nil, nil, nil
	case askFlip:
		if c.flipped == nil {
			c.flipped = map[string]bool{}
		}
		c.flipped[f.board.serial] = r.flip
		return nil, f, nil
	}
	return nil, f, h.setUp(now, f, r.fen)
}

// subscribe begins a feed. One with the id of another takes its place: a client that asks again wants to hear it from the
// beginning.
func (h *hall) subscribe(c *client, r request) (*feed, error) {
	b := h.boards[r.serial]
	if b == nil {
		return nil, fmt.Errorf("unknown board %s: expected a serialnr that eboards lists", quote(r.serial))
	}
	f := &feed{client: c, id: feedID{text: slices.Clone(r.feed.text), value: r.feed.value}, board: b}
	if at := slices.IndexFunc(c.feeds, func(f *feed) bool { return f.id.value == r.feed.value }); at >= 0 {
		h.drop(c.feeds[at])
		c.feeds[at] = f
		b.feeds = append(b.feeds, f)
		return f, nil
	}
	if len(c.feeds) >= h.opts.MaxFeeds {
		return nil, fmt.Errorf("too many feeds on this socket: expected at most %d; unsubscribe from some", h.opts.MaxFeeds)
	}
	c.feeds, b.feeds = append(c.feeds, f), append(b.feeds, f)
	return f, nil
}

func (h *hall) setUp(now time.Time, f *feed, fen string) error {
	start, err := rules.ParseFEN(fen)
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	if f.board.game != nil {
		h.forget(f)
		f.game = follow(fen, start, f.board.game)
		return nil
	}
	if _, again := f.game.(*tracked); !again && (h.games >= h.opts.MaxGames || f.client.games() >= h.opts.MaxGamesEach) {
		return errors.New("too many games are set up at this server: expected fewer; unsubscribe from some, or try later")
	}
	h.forget(f)
	h.games++
	if played := h.played(f.board, &start); played != nil {
		f.game = trackOn(now.Sub(h.begun), fen, played, f.board)
		return nil
	}
	f.game = track(now.Sub(h.begun), fen, start, f.board)
	return nil
}

// played is what the venue has of the game at a board, if that began there.
func (h *hall) played(b *board, start *rules.Position) *rules.Game {
	if h.record == nil || !b.seen {
		return nil
	}
	games := h.record()
	at := slices.IndexFunc(games, func(g broadcast.Board) bool { return g.Board == b.table })
	if at < 0 {
		return nil
	}
	return recorded(&games[at], start)
}

func (h *hall) eboards(flipped map[string]bool) []eboard {
	list := make([]eboard, 0, len(h.order))
	for _, b := range h.order {
		list = append(list, b.object(flipped[b.serial]))
	}
	return list
}

// sources are the ports with boards. Public clients are not told of them.
func (h *hall) sources() []source {
	list := []source{}
	for _, b := range h.order {
		if b.port != "" {
			list = append(list, source{Type: "SERIAL", Device: b.port, Present: b.here, Active: b.here})
		}
	}
	return list
}

// seated is the serial number of the board at each table. Of two boards that played there it is the one that eboards
// lists first.
func (h *hall) seated() map[int]string {
	at := map[int]string{}
	for _, b := range h.order {
		if at[b.table] == "" {
			at[b.table] = b.serial
		}
	}
	return at
}
