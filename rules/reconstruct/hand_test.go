package reconstruct

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

// book is the record as a reader of events keeps it. It is the strictest
// reader there can be: every event must fit what came before.
type book struct {
	entries   []entry // entries[0] is the start
	firm      int
	result    rules.Result
	alerts    []string // codes
	moved     int      // Move events
	taken     int      // Retract events
	withdrawn int      // the last ply there was before the last Retract
	games     int      // NewGame events
	clocks    map[int]time.Duration
	at        time.Duration
}

// entry is a half-move of the book, or the placement a segment begins with.
type entry struct {
	move     rules.Move
	pos      rules.Position
	ply      int
	anchored bool
}

func newBook(start rules.Position) *book {
	return &book{entries: []entry{{pos: start}}, result: rules.Unfinished, clocks: map[int]time.Duration{}}
}

func (b *book) top() *entry { return &b.entries[len(b.entries)-1] }

// apply takes one event, or says how it contradicts those before it.
func (b *book) apply(e Event) error {
	if e.At < b.at {
		return fmt.Errorf("event at %v after one at %v", e.At, b.at)
	}
	b.at = e.At
	top := b.top()
	switch e.Kind {
	case Move:
		if b.result != rules.Unfinished {
			return fmt.Errorf("ply %d after the result %s", e.Ply, b.result)
		}
		if len(e.Moves) != 1 || e.Ply != top.ply+1 {
			return fmt.Errorf("expected one move as ply %d, got %v as ply %d", top.ply+1, e.Moves, e.Ply)
		}
		if m := e.Moves[0]; !top.pos.IsLegal(m) {
			return fmt.Errorf("ply %d: %s is not legal in %s", e.Ply, m, top.pos.FEN())
		}
		b.moved++
		b.entries = append(b.entries, entry{move: e.Moves[0], pos: top.pos.Play(e.Moves[0]), ply: e.Ply})
	case Segment:
		if e.Ply != top.ply || e.Start == nil {
			return fmt.Errorf("segment after ply %d, the record has %d", e.Ply, top.ply)
		}
		b.entries = append(b.entries, entry{pos: *e.Start, ply: e.Ply, anchored: true})
	case Retract:
		if e.Ply < 1 || e.Ply > top.ply+1 {
			return fmt.Errorf("retract from ply %d, the record has %d", e.Ply, top.ply)
		}
		had := len(b.entries)
		b.withdrawn = top.ply
		for len(b.entries) > 0 && (b.top().ply > e.Ply-1 || b.top().anchored != e.Segment) {
			b.entries = b.entries[:len(b.entries)-1]
		}
		if len(b.entries) == 0 || b.top().ply != e.Ply-1 {
			return fmt.Errorf("retract from ply %d (segment %v): the record has no such place", e.Ply, e.Segment)
		}
		if len(b.entries) == had {
			return fmt.Errorf("retract from ply %d of a record that ends there", e.Ply)
		}
		b.taken++
		b.firm = min(b.firm, e.Ply-1)
		for ply := range b.clocks {
			if ply >= e.Ply {
				delete(b.clocks, ply)
			}
		}
	case Clock:
		if e.Ply < 1 || e.Ply > top.ply {
			return fmt.Errorf("clock of ply %d, the record has %d", e.Ply, top.ply)
		}
		b.clocks[e.Ply] = e.Clock
	case Firm:
		if e.Ply < 1 || e.Ply > top.ply || e.Ply <= b.firm {
			return fmt.Errorf("firm up to ply %d, the record has %d and %d were firm", e.Ply, top.ply, b.firm)
		}
		b.firm = e.Ply
	case Alert:
		// An alert may speak of a ply that has just been withdrawn.
		if e.Code == "" || e.Ply < 0 || e.Ply > max(top.ply, b.withdrawn) {
			return fmt.Errorf("alert %q at ply %d, the record has %d", e.Code, e.Ply, top.ply)
		}
		b.alerts = append(b.alerts, e.Code)
	case Result:
		// A result may be corrected when the next game's board is set up already.
		if e.Ply != top.ply && !(e.Ply == 0 && b.result != rules.Unfinished) {
			return fmt.Errorf("result after ply %d, the record has %d", e.Ply, top.ply)
		}
		b.result = e.Result
	case NewGame:
		games, alerts := b.games+1, b.alerts
		*b = *newBook(*e.Start)
		b.games, b.alerts, b.at = games, alerts, e.At
	default:
		return fmt.Errorf("event of unknown kind %d", e.Kind)
	}
	return nil
}

// agrees reports how the book differs from what the tracker holds for published.
func (b *book) agrees(t *Tracker) error {
	if t.fresh {
		return nil // the next game is told of with its first move
	}
	i := len(b.entries) - 1
	for n := t.record.tip; ; n, i = n.parent, i-1 {
		if i < 0 {
			return fmt.Errorf("the record has more plies than the events told of")
		}
		e := &b.entries[i]
		if e.pos != n.pos || e.ply != n.ply || e.anchored != (n.source == anchored) {
			return fmt.Errorf("entry %d: events say %s (ply %d), the record %s (ply %d)", i, e.pos.FEN(), e.ply, n.pos.FEN(), n.ply)
		}
		if n.parent == nil {
			break
		}
	}
	if i != 0 {
		return fmt.Errorf("events told of %d plies more than the record has", i)
	}
	return nil
}

func (b *book) moves() (m []rules.Move) {
	for _, e := range b.entries[1:] {
		m = append(m, e.move)
	}
	return m
}

// String is the record in SAN, a segment as "|".
func (b *book) String() string {
	var s []string
	for i := 1; i < len(b.entries); i++ {
		if b.entries[i].anchored {
			s = append(s, "|")
			continue
		}
		s = append(s, b.entries[i-1].pos.SAN(b.entries[i].move))
	}
	return strings.Join(s, " ")
}

// hand plays on a board in front of a tracker: it knows what really stands
// there and what was really played.
type hand struct {
	tb     testing.TB
	tr     *Tracker
	book   *book
	pos    rules.Position // of the game as played
	board  rules.Placement
	clock  Reading
	noClk  bool
	now    time.Duration
	tick   time.Duration // since the running side's face went down last
	inc    time.Duration
	turned bool
	deaf   bool // the line is down
	dead   rules.Bitboard
	step   time.Duration // of waiting
}

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func position(tb testing.TB, fen string) rules.Position {
	tb.Helper()
	p, err := rules.ParseFEN(fen)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// newHand sets the board up, starts the clock and waits a second.
func newHand(tb testing.TB, fen string) *hand {
	h := idleHand(tb, fen)
	h.dump()
	h.start()
	return h
}

func idleHand(tb testing.TB, fen string) *hand {
	p := position(tb, fen)
	return &hand{
		tb: tb, tr: New(p), book: newBook(p), pos: p, board: p.Placement(), step: 100 * time.Millisecond,
		clock: Reading{White: time.Hour, Black: time.Hour, Connected: true, ToMove: p.Turn()},
	}
}

// start reads the clock, once standing and once running.
func (h *hand) start() {
	if h.noClk {
		h.wait(1000)
		return
	}
	h.tr.Clock(h.now, h.clock)
	h.wait(500)
	h.clock.Running = true
	h.tr.Clock(h.now, h.clock)
	h.wait(500)
}

func (h *hand) collect() {
	h.tb.Helper()
	for _, e := range h.tr.Take() {
		if err := h.book.apply(e); err != nil {
			h.tb.Fatalf("%v: %v", h.now, err)
		}
	}
}

// wait lets so many ms pass; the running clock reports each second.
func (h *hand) wait(d int) {
	h.tb.Helper()
	for left := time.Duration(d) * time.Millisecond; left > 0; {
		s := min(left, h.step)
		left -= s
		h.now += s
		if h.clock.Running && !h.noClk {
			if h.tick += s; h.tick >= time.Second {
				h.count()
				if !h.deaf {
					h.tr.Clock(h.now, h.clock)
				}
			}
		}
		h.tr.Advance(h.now)
	}
	h.collect()
}

func (h *hand) count() {
	whole := h.tick.Truncate(time.Second)
	h.tick -= whole
	if h.clock.ToMove == rules.White {
		h.clock.White -= whole
	} else {
		h.clock.Black -= whole
	}
}

func (h *hand) frame(q rules.Square) rules.Square {
	if h.turned {
		return 63 - q
	}
	return q
}

func (h *hand) set(q rules.Square, p rules.Piece) {
	h.tb.Helper()
	h.board[q] = p
	if h.deaf || h.dead.Has(q) {
		return
	}
	h.tr.Square(h.now, h.frame(q), p)
	h.collect()
}

func (h *hand) dump() {
	h.tb.Helper()
	var p rules.Placement
	for q := range rules.Square(64) {
		if !h.dead.Has(q) {
			p[h.frame(q)] = h.board[q]
		}
	}
	h.tr.Dump(h.now, p)
	h.collect()
}

func sq(name string) rules.Square {
	q, err := rules.ParseSquare(name)
	if err != nil {
		panic(err)
	}
	return q
}

// do carries out what hands do, in words: "-e2" lifts, "+Ne4" puts a white
// knight down (lower case: black), a number waits so many ms, "press" presses
// for the side whose clock runs. 150 ms pass between two actions.
func (h *hand) do(script string) {
	h.tb.Helper()
	for _, w := range strings.Fields(script) {
		switch {
		case w == "press":
			h.press()
		case w[0] == '-':
			h.set(sq(w[1:]), rules.NoPiece)
			h.wait(150)
		case w[0] == '+':
			p, ok := rules.PieceFromLetter(w[1])
			if !ok {
				h.tb.Fatalf("no piece %q", w)
			}
			h.set(sq(w[2:]), p)
			h.wait(150)
		default:
			d := 0
			if _, err := fmt.Sscan(w, &d); err != nil {
				h.tb.Fatalf("%q: %v", w, err)
			}
			h.wait(d)
		}
	}
}

func (h *hand) press() {
	h.tb.Helper()
	if h.noClk {
		h.wait(300)
		return
	}
	by := h.clock.ToMove
	h.count()
	if by == rules.White {
		h.clock.White += h.inc
	} else {
		h.clock.Black += h.inc
	}
	h.clock.ToMove = by.Other()
	if !h.deaf {
		h.tr.Clock(h.now, h.clock)
		h.collect()
	}
	h.wait(100)
}

// play makes moves cleanly and presses after each.
func (h *hand) play(sans string) {
	h.tb.Helper()
	for _, s := range strings.Fields(sans) {
		m, err := h.pos.ParseSAN(s)
		if err != nil {
			h.tb.Fatal(err)
		}
		h.wait(700)
		h.carry(m, false)
		h.wait(300)
		h.press()
	}
}

// carry brings the men of a move to their squares, victim first or last.
func (h *hand) carry(m rules.Move, victimFirst bool) {
	h.tb.Helper()
	pos := h.pos
	h.pos = pos.Play(m)
	from, to := m.From(), m.To()
	man := pos.PieceAt(from)
	if pos.IsCastling(m) {
		kingTo, rookFrom, rookTo := pos.CastlingSquares(m)
		rook := pos.PieceAt(rookFrom)
		h.set(from, rules.NoPiece)
		h.wait(200)
		if kingTo == rookFrom { // in Chess960 the king may need the rook's square
			h.set(rookFrom, rules.NoPiece)
			h.wait(200)
		}
		h.set(kingTo, man)
		h.wait(200)
		if kingTo != rookFrom {
			h.set(rookFrom, rules.NoPiece)
			h.wait(200)
		}
		h.set(rookTo, rook)
		h.wait(100)
		return
	}
	victim := pos.CapturedSquare(m)
	if victim != rules.NoSquare && victimFirst {
		h.set(victim, rules.NoPiece)
		h.wait(150)
	}
	h.set(from, rules.NoPiece)
	h.wait(150)
	if victim != rules.NoSquare && !victimFirst {
		h.set(victim, rules.NoPiece)
		h.wait(150)
	}
	if r := m.Promotion(); r != rules.NoRole {
		man = rules.NewPiece(man.Color(), r)
	}
	h.set(to, man)
	h.wait(100)
}

// want checks the record published so far.
func (h *hand) want(sans string) {
	h.tb.Helper()
	h.collect()
	if got := h.book.String(); got != sans {
		h.tb.Errorf("record\n got %q\nwant %q", got, sans)
		var s strings.Builder
		h.tr.Lines(&s)
		h.tb.Log(s.String())
	}
}

func (h *hand) wantAlert(code string) {
	h.tb.Helper()
	if !slices.Contains(h.book.alerts, code) {
		h.tb.Errorf("no alert %s, only %v", code, h.book.alerts)
	}
}

// wantNoAlert checks that none has come but those allowed.
func (h *hand) wantNoAlert(allowed ...string) {
	h.tb.Helper()
	for _, a := range h.book.alerts {
		if !slices.Contains(allowed, a) {
			h.tb.Errorf("alert %s", a)
		}
	}
}
