package reconstruct

import (
	"slices"
	"time"

	"boardd/rules"
)

// Logged is one entry of the log that a board keeps by itself, in the board's
// frame: a square that changed, or a press of the clock. It has no times but
// what the pressed clock showed.
type Logged struct {
	Press  bool
	Square rules.Square // of a change: what now stands where
	Piece  rules.Piece
	Soon   bool          // of a change: within about 250 ms of the entry before
	By     rules.Color   // of a press: who pressed
	Face   time.Duration // ... and what his side showed then
}

const (
	// logWait is how long after an outage a board's log is still of use.
	logWait ms = 720000
	// resumeAge is how long before its own time 0 a resumed tracker begins: there is room for
	// what a board's log tells of the time before.
	resumeAge ms = 24 * 3600 * 1000
)

// input is something that came after an outage, kept until it is known
// whether the board's log tells what happened before it.
type input struct {
	at    time.Duration
	kind  inputKind
	q     rules.Square
	p     rules.Piece
	board rules.Placement
	r     Reading
}

type inputKind uint8

const (
	squareInput inputKind = iota
	dumpInput
	clockInput
)

// outage is what is needed to live through an outage a second time.
type outage struct {
	lost   ms
	lines  []*node
	copies []line
	last   int
	window [windowLen]snapshot
	clock  Reading
	press  [2]ms
	alive  rules.Bitboard
	dead   rules.Bitboard
	since  []input
	recent []Logged // the changes seen last before it, in the board's frame
	// resumed: nothing was seen before it, the game is known from a record.
	resumed bool
	wait    *waitForLog // nil while no log is awaited
	before  int         // so many of since came before the log
	end     int         // of the log: what follows happened after the board was read
}

// maxSince bounds what is kept: by then play has gone on for long.
const maxSince = 2000

// remember keeps the state at the loss of the line.
func (t *Tracker) remember() {
	o := &outage{lost: t.now, last: t.last, window: t.window, clock: t.clock, press: t.lastPress, alive: t.alive, dead: t.dead}
	o.recent, o.resumed = append(o.recent, t.recent...), t.resumed
	for _, n := range t.lines {
		o.lines = append(o.lines, n)
		o.copies = append(o.copies, *n.line)
	}
	t.outage = o
}

// note keeps an input that may have to be taken a second time.
func (t *Tracker) note(in input) {
	o := t.outage
	if o == nil || t.reliving {
		return
	}
	if len(o.since) >= maxSince || len(o.since) > 0 && t.now > ms(o.since[0].at.Milliseconds())+logWait {
		t.stopWaiting()
		t.outage = nil
		return
	}
	o.since = append(o.since, in)
}

// recentLen is how many changes are kept to find the place in the log.
const recentLen = 12

func (t *Tracker) noteRecent(q rules.Square, p rules.Piece) {
	if t.turned {
		q = 63 - q
	}
	if len(t.recent) == recentLen {
		t.recent = append(t.recent[:0], t.recent[1:]...)
	}
	t.recent = append(t.recent, Logged{Square: q, Piece: p})
}

// Log takes the board's own log, read after an outage: what it tells of the
// time nobody saw is lived through again in its place. Where the log is awaited, that
// is done once what came behind it is there too. It reports whether the log did tell,
// or may.
func (t *Tracker) Log(at time.Duration, entries []Logged) bool {
	t.pass(at)
	o := t.outage
	if o == nil || t.phase != playing || len(o.since) == 0 {
		return false
	}
	if w := o.wait; w != nil {
		w.came, w.latest, w.log = t.now, t.now, entries
		return true
	}
	o.before = len(o.since)
	return t.relive(entries)
}

// relive lives through the outage a second time, with what the log tells of it. It
// reports whether the log did tell.
func (t *Tracker) relive(entries []Logged) bool {
	o := t.outage
	missed, ok := o.missed(entries, t.turned)
	if !ok {
		return false
	}
	between := o.between(entries[o.end:])
	missed = restored(missed, o.window[o.last%windowLen].sense, t.turned)
	now := t.now
	back := ms(o.since[0].at.Milliseconds())
	t.rewind(o)
	t.reliving = true
	for _, in := range schedule(missed, o.clock, o.lost, back, t.increment(), 0) {
		t.take(in)
	}
	for _, in := range o.since {
		if t.take(in); in.kind != dumpInput {
			continue
		}
		for _, e := range between {
			t.Square(in.at, e.Square, e.Piece)
		}
		between = nil
	}
	t.reliving, t.outage = false, nil
	t.now = now
	t.settle()
	return true
}

// between are the changes at the end of a log that nobody saw: a board tells none after it
// was read and before it was told to tell them. What was seen later is in the log, too, in
// its order.
func (o *outage) between(tail []Logged) []Logged {
	var changes []Logged
	for _, e := range tail {
		if !e.Press {
			changes = append(changes, e)
		}
	}
	var seen []input
	for _, in := range o.since[:o.before] {
		if in.kind == squareInput {
			seen = append(seen, in)
		}
	}
	n := len(changes) - len(seen)
	if n <= 0 {
		return nil
	}
	for i, in := range seen {
		if e := changes[n+i]; e.Square != in.q || e.Piece != in.p {
			return nil // it is another tail
		}
	}
	return changes[:n]
}

// rewind goes back to the moment of the loss. What has been published since
// stays published until the record says otherwise.
func (t *Tracker) rewind(o *outage) {
	for _, n := range t.lines {
		n.close()
	}
	t.lines = append(t.lines[:0], o.lines...)
	for i, n := range t.lines {
		l := o.copies[i]
		n.line = &l
	}
	t.last, t.window, t.clock, t.lastPress = o.last, o.window, o.clock, o.press
	t.alive, t.dead = o.alive, o.dead
	t.now, t.gap, t.grown, t.settled = o.lost, nil, o.last, 0
	t.pending, t.heldUntil, t.searched, t.merged = [2]ms{}, 0, 0, 0
	for _, n := range t.lines {
		n.forget()
	}
	t.record.last = [2]*press{}
	t.look()
}

// forget drops what later plies were given.
func (n *node) forget() {
	for _, c := range n.children {
		if c.line == nil {
			c.press = nil
			c.forget()
		}
	}
}

func (t *Tracker) take(in input) {
	switch in.kind {
	case squareInput:
		t.Square(in.at, in.q, in.p)
	case dumpInput:
		t.Dump(in.at, in.board)
	case clockInput:
		t.Clock(in.at, in.r)
	}
}

// missed is the part of the log that nobody saw: what follows the changes seen
// last, and leads from the board at the loss to the board that came back.
func (o *outage) missed(entries []Logged, turned bool) ([]Logged, bool) {
	var now rules.Placement
	found := false
	for _, in := range o.since {
		if in.kind == dumpInput {
			now, found = in.board, true
			break
		}
	}
	if !found {
		return nil, false
	}
	then := o.window[o.last%windowLen].sense
	if turned {
		then = then.turned()
	}
	target := sense(&now)
	// from leads from the board then to the board that came back; what the log tells of
	// later was seen.
	from := func(i int) ([]Logged, bool) {
		board, end := then, -1
		if board == target {
			end = i
		}
		for k, e := range entries[i:] {
			if !e.Press {
				board.put(e.Square, e.Piece)
			}
			if board == target {
				end = i + k + 1
			}
		}
		if end < 0 {
			return nil, false
		}
		o.end = end
		return entries[i:end], true
	}
	if o.resumed { // one landing may have come again; with the clock it hardly does
		if i := o.pressedAt(entries, true); i >= 0 {
			if missed, ok := from(i); ok {
				return missed, true
			}
		}
	}
	for need := min(4, len(o.recent)); need >= 1; need-- {
		for i := len(entries); i > 0; i-- {
			if !o.endsAt(entries[:i], need) {
				continue
			}
			if missed, ok := from(i); ok {
				return missed, true
			}
		}
	}
	if i := o.pressedAt(entries, false); i >= 0 {
		if missed, ok := from(i); ok {
			return missed, true
		}
	}
	if !o.resumed {
		return nil, false
	}
	for end := len(entries); end > 0; end-- { // what came after the board was read was seen
		if i := placedAt(entries[:end], then, target); i >= 0 {
			if missed, ok := from(i); ok {
				return missed, true
			}
		}
	}
	return nil, false
}

// restored puts back what a log leaves out: a man who is set down and at once taken
// overwrites with his going the entry of his coming (dgt-protocol 7). When a player presses
// with a man of his in the hand, and the last thing that happened is that another square was
// emptied, he had set him down there. then is the board before the first entry.
func restored(entries []Logged, then sensed, turned bool) []Logged {
	if turned {
		then = then.turned()
	}
	type lifted struct {
		from rules.Square
		man  rules.Piece
	}
	var out []Logged
	var hand []lifted
	last := -1 // in out, the last change
	for _, e := range entries {
		switch {
		case e.Press:
			own := func(l lifted) bool { return l.man.Color() == e.By }
			i := slices.IndexFunc(hand, own)
			if i >= 0 && last >= 0 && out[last].Piece == rules.NoPiece && out[last].Square != hand[i].from && !out[last].Press {
				out = slices.Insert(out, last, Logged{Square: out[last].Square, Piece: hand[i].man})
			}
			hand, last = slices.DeleteFunc(hand, own), -1
			out = append(out, e)
			continue
		case e.Piece == rules.NoPiece:
			if man := then.at(e.Square); man != rules.NoPiece {
				hand = append(hand, lifted{e.Square, man})
			}
		default:
			// He is down, and whoever stood there is taken.
			if i := slices.IndexFunc(hand, func(l lifted) bool { return l.man == e.Piece }); i >= 0 {
				hand = slices.Delete(hand, i, i+1)
			}
			hand = slices.DeleteFunc(hand, func(l lifted) bool { return l.from == e.Square && l.man.Color() != e.Piece.Color() })
		}
		then.put(e.Square, e.Piece)
		last = len(out)
		out = append(out, e)
	}
	return out
}

// pressedAt is where the log goes on after the press that the clock told last: the
// faces of a clock hardly come twice. landed: the change before it must be the one seen
// last. -1 when there is none.
func (o *outage) pressedAt(entries []Logged, landed bool) int {
	if !o.clock.Connected {
		return -1
	}
	by := o.clock.ToMove.Other()
	for i := len(entries); i > 0; i-- {
		if e := entries[i-1]; !e.Press || e.By != by || e.Face != o.clock.Face(by) {
			continue
		}
		if !landed || i > 1 && len(o.recent) > 0 && o.endsAt(entries[:i-1], 1) {
			return i
		}
	}
	return -1
}

// placedAt is the last place in the log at which the board stood as then, going back
// from how it stands now; -1 for none. A square that the log tells nothing earlier of may
// have stood in any way.
func placedAt(entries []Logged, then, now sensed) int {
	before := make([]int, len(entries)) // the entry before of the same square, from 1
	last := [64]int{}
	for i, e := range entries {
		if !e.Press {
			before[i], last[e.Square] = last[e.Square], i+1
		}
	}
	differ := then.diff(&now)
	for i := len(entries); ; i-- {
		if differ == 0 {
			return i
		}
		if i == 0 {
			return -1
		}
		e := entries[i-1]
		if e.Press {
			continue
		}
		differ &^= e.Square.Bit()
		if k := before[i-1]; k > 0 && entries[k-1].Piece != then.at(e.Square) {
			differ |= e.Square.Bit()
		}
	}
}

// endsAt reports whether the entries end with the last need changes seen.
func (o *outage) endsAt(entries []Logged, need int) bool {
	k := len(o.recent) - 1
	for i := len(entries) - 1; i >= 0 && need > 0; i-- {
		e := entries[i]
		if e.Press {
			if i == len(entries)-1 {
				return false // begin after a change: a press that follows may be unseen
			}
			continue
		}
		if e.Square != o.recent[k].Square || e.Piece != o.recent[k].Piece {
			return false
		}
		k--
		need--
	}
	return need == 0
}

const (
	logLanding ms = 700 // from the last change of a ply to its press
	logStep    ms = 500 // between two changes of one hand
	logSoon    ms = 150 // between two that the log calls soon
)

// firstReading is about how a clock was before its first press, a few seconds of thought
// earlier.
func firstReading(entries []Logged) Reading {
	const thought = 3 * time.Second
	r := Reading{Connected: true, Running: true}
	for i := len(entries) - 1; i >= 0; i-- {
		switch e := entries[i]; {
		case !e.Press:
		case e.By == rules.White:
			r.White, r.ToMove = e.Face+thought, rules.White
		default:
			r.Black, r.ToMove = e.Face+thought, rules.Black
		}
	}
	return r
}

// schedule gives entries of the time from lost to back, at whose beginning the clock was
// so, times: a press when the clock says, the changes before it as hands move. Changes
// that no press follows end at that time, or 0 for somewhere between the last press and back.
func schedule(entries []Logged, clock Reading, lost, back, inc, end ms) []input {
	at := make([]ms, len(entries))
	presses := 0
	for _, e := range entries {
		if e.Press {
			presses++
		}
	}
	var in []input
	if !clock.Connected && presses > 0 {
		clock = firstReading(entries)
		in = append(in, input{at: time.Duration(lost) * time.Millisecond, kind: clockInput, r: clock})
	}
	face := [2]ms{clock.White.Milliseconds(), clock.Black.Milliseconds()}
	last, seen := lost, 0
	start := 0
	fill := func(end int, press ms) {
		t := press - logLanding
		for i := end - 1; i >= start; i-- {
			at[i] = max(t, last+20*ms(i-start+1))
			if entries[i].Soon {
				t -= logSoon
			} else {
				t -= logStep
			}
		}
	}
	for i, e := range entries {
		if !e.Press {
			continue
		}
		seen++
		now := last + max(face[e.By]+inc-e.Face.Milliseconds(), 300)
		if now >= back {
			now = last + (back-last)*ms(1)/ms(presses-seen+2)
		}
		fill(i, now)
		for j := start; j < i; j++ {
			now = max(now, at[j]+20)
		}
		at[i], last, start = now, now, i+1
		face[e.By] = e.Face.Milliseconds()
	}
	if end == 0 {
		end = min(back-logLanding, last+(back-last)/2)
	}
	fill(len(entries), end+logLanding)
	r := clock
	floor := lost
	r.Connected, r.Running = true, true // it was, for it was pressed
	for i, e := range entries {
		floor = min(max(floor+1, at[i]), back-1)
		when := time.Duration(floor) * time.Millisecond
		if !e.Press {
			in = append(in, input{at: when, kind: squareInput, q: e.Square, p: e.Piece})
			continue
		}
		if e.By == rules.White {
			r.White = e.Face
		} else {
			r.Black = e.Face
		}
		r.ToMove = e.By.Other()
		in = append(in, input{at: when, kind: clockInput, r: r})
	}
	return in
}
