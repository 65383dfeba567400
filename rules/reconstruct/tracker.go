package reconstruct

import (
	"cmp"
	"slices"
	"time"

	"boardd/rules"
)

// Reading is the clock as the board reports it, with its sides mapped to colours.
type Reading struct {
	White, Black time.Duration
	Running      bool
	ToMove       rules.Color // whose lever is up
	Connected    bool        // false: no clock, the other fields mean nothing
}

// Face is the time that colour's side shows.
func (r Reading) Face(c rules.Color) time.Duration {
	if c == rules.White {
		return r.White
	}
	return r.Black
}

// Tracker holds the games that may explain what one board has shown, and the
// record published of the likeliest. It is a pure state machine: every input
// carries its session time, which must not go back. Not safe for concurrent use.
type Tracker struct {
	now, latest ms // the time of what is looked at, and the latest of any input: apart while an outage is lived through again

	// The games that may be.
	root  *node
	lines []*node // parents before children
	best  *node   // the cheapest line
	queue []*node // lines being grown
	moves rules.MoveList

	// What was seen.
	window [windowLen]snapshot
	last   int // number of the present snapshot
	turned bool
	recent []Logged       // the changes seen last, in the board's frame
	alive  rules.Bitboard // squares that have read a man this session
	dead   rules.Bitboard // squares that never do
	sign   *resultPiece   // on the board now

	// The clock.
	clock     Reading
	hasClock  bool // a reading has come
	started   bool // the clock has run in this game
	lastPress [2]ms
	pending   [2]ms   // presses whose effect has not been judged, 0 for none
	gains     [64]int // how often a press added so many seconds

	// Where the table is, and what has been said.
	phase      phase
	fresh      bool           // a game after a result of which nothing has been published
	told       bool           // that the board is not ready
	mismatched bool           // that something stands wrong
	missing    rules.Bitboard // men out of sight that have been told of
	record     record
	gone       *node // where the record ended before it was last taken back
	tookBack   ms    // when a takeback was last seen
	out        []Event

	// An outage.
	gap       *gap    // while its plies have not been looked for
	unfilled  *gap    // the last one, while its plies are not found
	heldUntil ms      // a filled gap whose order is open is not published before
	outage    *outage // the last one, while the board's log may still tell of it
	reliving  bool    // it is being lived through again
	resumed   bool    // the game goes on from a record, and nothing has been seen of it yet

	// When things that need not be done each time were last done.
	settled  ms  // everything weighed: the same moment again changes nothing
	grown    int // snapshot for which lines were grown
	searched ms  // the unexplained looked into
	merged   ms  // doubled lines looked for
	swept    ms  // forgotten games dropped
	sweeps   int
}

// New starts a tracker on a game from that position.
func New(start rules.Position) *Tracker {
	t := &Tracker{}
	t.window[0].toMove, t.window[0].press = nobody, nobody
	t.lastPress = [2]ms{-1 << 40, -1 << 40}
	t.restart(start)
	return t
}

// Resumed says where a game goes on.
type Resumed struct {
	Firm  rules.Position // after the last ply that is firm
	Last  rules.Square   // its man came to; NoSquare before the first
	Clock Reading        // as the record has it after that ply; Connected false for nothing
	// Tail are the plies after it: published, but not firm. They may be found to be others.
	Tail   []rules.Move
	Turned bool // the board stands with its connector on White's right
	// Unseen is how long the line has been lost when the tracker's time begins, 0 when that is
	// not known.
	Unseen time.Duration
}

// Resume is a tracker of a game that goes on from a record. The line is lost until Back.
// firm is false where the plies of the tail are taken for as good as the others: they do
// not look like plies by themselves.
func Resume(r Resumed) (t *Tracker, firm bool) {
	if len(r.Tail) > 0 {
		if t, ok := resume(r); ok {
			return t, true
		}
		for _, m := range r.Tail {
			r.Last = LandingOf(&r.Firm, m)
			r.Firm = r.Firm.Play(m)
		}
		r.Tail, r.Clock = nil, Reading{}
	}
	t, _ = resume(r)
	return t, false
}

// LandingOf is where the man of a move comes to, the king where it is castling.
func LandingOf(p *rules.Position, m rules.Move) rules.Square {
	if p.IsCastling(m) {
		king, _, _ := p.CastlingSquares(m)
		return king
	}
	return m.To()
}

func resume(r Resumed) (t *Tracker, ok bool) {
	t = New(r.Firm)
	t.resumed = true
	t.now, t.latest = -resumeAge, -resumeAge
	t.window[0].start, t.window[0].end = t.now, t.now
	begin := time.Duration(-resumeAge) * time.Millisecond
	men := r.Firm.Placement()
	board := sense(&men)
	if r.Turned {
		board = board.turned()
	}
	t.Dump(begin, board.placement())
	if r.Clock.Connected {
		t.Clock(begin, r.Clock)
	}
	t.recent = t.recent[:0]
	if r.Last != rules.NoSquare {
		last := r.Last
		if r.Turned {
			last = 63 - last
		}
		t.recent = append(t.recent, Logged{Square: last, Piece: board.at(last)})
	}
	t.remember()
	firm := t.outage // the log tells what came after this, the tail too
	t.outage = nil
	if !t.seeTail(r, begin) {
		return nil, false
	}
	t.Lost(-r.Unseen)
	if t.outage != nil {
		firm.lost = -resumeAge // the faces of the clock tell when what the log has was
		t.outage = firm
	}
	t.resumed = false // a later outage has been preceded by something
	t.out = nil
	return t, true
}

// seeTail shows the tracker the plies of the tail, and reports whether it published just
// those.
func (t *Tracker) seeTail(r Resumed, at time.Duration) bool {
	p := r.Firm
	for _, m := range r.Tail {
		before, next := p.Placement(), p.Play(m)
		after := next.Placement()
		show := func(only func(rules.Piece) bool) {
			for q := range rules.Square(64) {
				if before[q] != after[q] && only(after[q]) {
					at += 300 * time.Millisecond
					to := q
					if r.Turned {
						to = 63 - q
					}
					t.Square(at, to, after[q])
				}
			}
		}
		show(func(man rules.Piece) bool { return man == rules.NoPiece })
		show(func(man rules.Piece) bool { return man != rules.NoPiece })
		for range 60 {
			at += 100 * time.Millisecond
			t.Advance(at)
		}
		p = next
	}
	n := t.record.tip
	for i := len(r.Tail) - 1; i >= 0; i-- {
		if n.parent == nil || n.move != r.Tail[i] {
			return false
		}
		n = n.parent
	}
	return n.parent == nil
}

func (t *Tracker) restart(start rules.Position) {
	n := &node{pos: start, sense: sense(start.Board()), orders: 1}
	t.root, t.best = n, n
	t.lines = t.lines[:0]
	t.phase, t.told = waiting, false
	t.record = record{tip: n}
	t.started = t.clock.Running
	t.outage, t.unfilled, t.sign = nil, nil, nil
	t.gap, t.pending, t.mismatched, t.heldUntil = nil, [2]ms{}, false, 0
}

func (t *Tracker) current() *snapshot { return &t.window[t.last%windowLen] }

// Square takes one change of a square, in the frame of a board with its
// connector on White's left; the tracker finds out when it stands otherwise.
func (t *Tracker) Square(at time.Duration, q rules.Square, p rules.Piece) {
	t.pass(at)
	t.note(input{at: at, kind: squareInput, q: q, p: p})
	if t.putAside() {
		return
	}
	if t.turned {
		q = 63 - q
	}
	if t.current().sense.at(q) == p {
		return
	}
	t.begin(t.now, func(sn *snapshot) { t.set(sn, q, p) })
	t.settle()
}

// Dump takes a whole board, in the same frame.
func (t *Tracker) Dump(at time.Duration, board rules.Placement) {
	t.pass(at)
	t.note(input{at: at, kind: dumpInput, board: board})
	if t.putAside() {
		return
	}
	s := sense(&board)
	if t.turned {
		s = s.turned()
	}
	d := s.diff(&t.current().sense)
	g := t.gap
	if g != nil && g.back == 0 {
		g.back = t.now
	}
	if d != 0 || g != nil && !g.dumped {
		t.begin(t.now, func(sn *snapshot) {
			for ; d != 0; d &= d - 1 {
				t.set(sn, d.First(), s.at(d.First()))
			}
		})
		if g != nil && !g.dumped {
			g.dumped, g.snapshot = true, t.last
		}
	}
	t.settle()
}

func (t *Tracker) set(sn *snapshot, q rules.Square, p rules.Piece) {
	t.learn(sn, q, p)
	t.noteRecent(q, p)
	sn.sense.put(q, p)
	sn.since[q] = t.now
	sn.changed |= q.Bit()
	sn.changes++
}

// Clock takes a reading of the clock; a lever that went over while it ran, or
// that started it, is a press.
func (t *Tracker) Clock(at time.Duration, r Reading) {
	t.pass(at)
	t.note(input{at: at, kind: clockInput, r: r})
	if t.putAside() {
		return
	}
	was, had := t.clock, t.hasClock
	t.clock, t.hasClock = r, true
	if !r.Connected {
		if !had || was.Connected {
			t.alert("clock.none", "no clock is connected: plies carry no times")
		}
		t.lever(nobody, r)
		t.settle()
		return
	}
	first := r.Running && !t.started
	t.started = t.started || r.Running
	if g := t.gap; g != nil {
		if g.back != 0 {
			g.ticked, g.after = true, r
		}
		had = false // what the lever did meanwhile is not known
	}
	by := was.ToMove
	switch other := r.ToMove.Other(); {
	case had && was.Connected && was.ToMove != r.ToMove && r.Running && (was.Running || first):
		t.learnIncrement(was.Face(by), r.Face(by))
		t.lever(by, r)
		t.pressed(by, r.Face(by), true)
	case had && was.Connected && was.Running && r.Running && was.Face(other)-r.Face(other) >= time.Second:
		// The side that waits has lost time: two presses fell between two reports.
		t.lever(r.ToMove, r)
		t.pressed(r.ToMove, 0, false)
		t.lever(other, r)
		t.pressed(other, r.Face(other), true)
	default:
		t.lever(nobody, r)
	}
	t.settle()
}

// lever opens a snapshot when a press came, or the lever or the clock's state changed.
func (t *Tracker) lever(press rules.Color, r Reading) {
	sn := t.current()
	counts := r.Connected && t.started // a clock that never ran says nothing
	running := r.Connected && r.Running
	if press == nobody && sn.running == running && sn.clock == counts && sn.toMove == r.ToMove {
		return
	}
	t.begin(t.now, func(sn *snapshot) {
		sn.press, sn.toMove, sn.running, sn.clock = press, r.ToMove, running, counts
	})
}

// Advance lets time pass with nothing seen.
func (t *Tracker) Advance(at time.Duration) {
	t.pass(at)
	if !t.waited() && t.now != t.settled {
		t.settle()
	}
}

func (t *Tracker) pass(at time.Duration) {
	t.now = max(t.now, at.Milliseconds())
	t.latest = max(t.latest, t.now)
}

// settle is what follows every input: find the games that explain it, weigh
// them, and publish what has become sure enough.
func (t *Tracker) settle() {
	t.settled = t.now
	switch t.phase {
	case waiting:
		if t.await(); t.phase == waiting {
			return
		}
	case over:
		t.again()
		return
	}
	t.turnedAfterAll()
	if t.gap != nil && t.gap.back == 0 {
		return // nothing is seen: nothing can be concluded
	}
	t.look()
	if t.gap != nil {
		if t.fillGap(); t.gap != nil {
			return
		}
	}
	t.grow()
	t.retryGap()
	if t.unexplained() && t.now >= t.searched+searchEvery {
		t.searched = t.now
		t.growBlind()
		t.takeBack()
		t.look()
	}
	t.prune()
	t.sweep()
	if t.reliving {
		t.assign()
		return // nothing is said of the past before it is known whole
	}
	if t.kings() || t.signed() {
		return
	}
	t.publish()
	if !t.finished() {
		t.check()
	}
}

// searchEvery is how often what the best line leaves unexplained is looked into.
const searchEvery ms = 300

// unexplained reports whether something stands otherwise than in the best line.
func (t *Tracker) unexplained() bool {
	return t.best.line.out || t.best.sense.diff(&t.current().sense) != 0
}

// look weighs every line at the present moment and finds the cheapest.
func (t *Tracker) look() {
	sn := t.current()
	t.best = nil
	for _, n := range t.lines {
		l := n.line
		l.cost = l.base[t.last%windowLen] + t.strain(&n.sense, l, 0, t.now, sn, t.now)
		l.aside = min(l.aside, l.cost+t.asideEntry(n, sn))
		l.out = l.aside < l.cost
		if t.best == nil || l.total() < t.best.line.total() {
			t.best = n
		}
	}
}

// total is the cost of the better of the two ways to be in the line.
func (l *line) total() float32 { return min(l.cost, l.aside) }

// horizon is how many plies behind the best line others are kept. Whoever goes
// back further sets up a position, he does not take back.
const horizon = 6

// prune drops lines far behind the best and the dearer of two orders of the same plies.
func (t *Tracker) prune() {
	limit := t.best.line.total() + beam
	merge := t.now >= t.merged+searchEvery
	if merge {
		t.merged = t.now
	}
	keep := t.lines[:0]
	for i, n := range t.lines {
		if n.line.total() <= limit && n.depth >= t.best.depth-horizon && !(merge && t.doubled(i)) {
			keep = append(keep, n)
		} else {
			n.close()
		}
	}
	t.lines = keep
	if len(t.lines) > maxLines {
		slices.SortStableFunc(t.lines, func(a, b *node) int { return cmp.Compare(a.line.total(), b.line.total()) })
		for _, n := range t.lines[maxLines:] {
			n.close()
		}
		t.lines = t.lines[:maxLines]
		sortByDepth(t.lines)
	}
	// Costs are relative: keep them small, so that float32 stays exact over a long day.
	if b := t.best.line.total(); b > 1000 {
		for _, n := range t.lines {
			for k := range n.line.base {
				n.line.base[k] -= b
			}
			n.line.cost -= b
			n.line.aside -= b
		}
	}
}

// doubled reports whether another line stands for the same position after as
// many plies and is no dearer, both having stood long enough to be compared.
func (t *Tracker) doubled(i int) bool {
	n := t.lines[i]
	if t.now-n.line.entry < mergeAge {
		return false
	}
	for j, m := range t.lines {
		if j == i || m.line == nil || m.ply != n.ply || m.pos.Key() != n.pos.Key() || t.now-m.line.entry < mergeAge {
			continue
		}
		if a, b := m.line.total(), n.line.total(); a < b || a == b && j < i {
			return true
		}
	}
	return false
}

func sortByDepth(lines []*node) {
	slices.SortStableFunc(lines, func(a, b *node) int { return cmp.Compare(a.depth, b.depth) })
}

func (t *Tracker) setLines(q []*node) {
	t.lines = append(t.lines[:0], q...)
	sortByDepth(t.lines)
}

func (t *Tracker) insert(n *node) {
	if !slices.Contains(t.lines, n) {
		t.lines = append(t.lines, n)
		sortByDepth(t.lines)
	}
}

// Placement is the board as the sensors read it now, in the game's frame.
func (t *Tracker) Placement() rules.Placement { return t.current().sense.placement() }
