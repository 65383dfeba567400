package reconstruct

import (
	"time"

	"boardd/rules"
)

// phase is where the table is between two games.
type phase uint8

const (
	waiting phase = iota // the start position has not been seen yet
	playing
	over // there is a result: what happens on the board is no play
)

// notReady is how long the board may stand otherwise before people are told.
const notReady ms = 2000

// await watches for the start position, from either side, while nothing is played.
func (t *Tracker) await() {
	sn := t.current()
	root := t.root
	switch {
	case root.sense.diff(&sn.sense) == 0:
	case sn.sense.turned() == root.sense:
		t.turned = !t.turned
		sn.turn()
		t.alert("board.rotated", "the board stands with its connector on White's right")
	case t.nearlySet():
	case t.otherArray():
		return // the next look finds its start position
	default:
		if !t.told && t.now-sn.start >= notReady && sn.sense.occupied() != 0 {
			t.told = true
			t.alert("board.not_ready", "the board does not show the start position")
		}
		return
	}
	t.told = false
	t.phase = playing
	root.line = &line{first: t.last, entry: t.now, aside: asideCost}
	for i := range root.line.since {
		root.line.since[i] = t.now
	}
	t.lines = append(t.lines[:0], root)
	t.best = root
}

// arrayRest is how long an array of Chess960 must stand to be the start of the game.
const arrayRest ms = 1000

// otherArray takes the start position from the board, where none was ordered
// and an array of Chess960 stands there.
func (t *Tracker) otherArray() bool {
	sn := t.current()
	if t.root.pos != rules.Start() || t.now-sn.start < arrayRest {
		return false
	}
	for _, board := range []sensed{sn.sense, sn.sense.turned()} {
		men := board.placement()
		if start, ok := rules.StartOf(&men); ok && start != t.root.pos {
			t.restart(start)
			t.emit(Event{Kind: NewGame, Start: &t.root.pos})
			return true
		}
	}
	return false
}

// nearlySetAfter is how long an array with a man or two unread is waited on
// when no clock tells that the game has begun.
const nearlySetAfter ms = 10000

// nearlySet reports whether only a man or two of the start position do not
// read, and a game may well have begun: a sensor is dead or a man is weak.
func (t *Tracker) nearlySet() bool {
	sn := t.current()
	d := t.root.sense.diff(&sn.sense)
	if d.Count() > 2 || d&sn.sense.occupied() != 0 {
		return false
	}
	return t.clock.Running && t.now-sn.start >= 500 || t.now-sn.start >= nearlySetAfter
}

// turnedAfterAll notices, before the first ply, that the array stands the other way round.
func (t *Tracker) turnedAfterAll() bool {
	sn := t.current()
	if t.best.ply != 0 || len(t.root.children) != 0 || sn.sense == t.root.sense || sn.sense.turned() != t.root.sense {
		return false
	}
	t.phase = waiting
	t.await()
	return true
}

// turn turns the snapshot's board round.
func (sn *snapshot) turn() {
	sn.sense = sn.sense.turned()
	for i := range 32 {
		sn.since[i], sn.since[63-i] = sn.since[63-i], sn.since[i]
	}
}

// NewGame begins a game from that position, whatever the board shows now.
func (t *Tracker) NewGame(at time.Duration, start rules.Position) {
	t.pass(at)
	t.stopWaiting()
	t.restart(start)
	t.fresh = false
	t.emit(Event{Kind: NewGame, Start: &t.root.pos})
	t.settle()
}

// Result freezes the record: the game ended so, by word of the arbiter or
// operator. The result * opens a game again that has ended.
func (t *Tracker) Result(at time.Duration, r rules.Result) {
	t.pass(at)
	t.stopWaiting()
	if r == rules.Unfinished {
		t.reopen()
		return
	}
	if t.phase == playing {
		t.publishAll()
	}
	t.end(r)
}

// reopen goes on with a game that has ended, from its record and the board as it stands.
func (t *Tracker) reopen() {
	if t.phase != over {
		return
	}
	t.phase = playing
	n := t.record.tip
	n.line = &line{first: t.last, entry: n.entered, aside: asideCost}
	for i := range n.line.since {
		n.line.since[i] = t.now
	}
	t.lines, t.best = append(t.lines[:0], n), n
	t.emit(Event{Kind: Result, Ply: n.ply, Result: rules.Unfinished})
	t.settle()
}

// Sign notes that a result piece of the board's maker was put on a square, in
// the board's frame. It counts when it stays on a square that should be empty:
// a damaged byte can turn any man's code into a result's.
func (t *Tracker) Sign(at time.Duration, q rules.Square, r rules.Result) {
	t.Square(at, q, rules.NoPiece)
	if t.turned {
		q = 63 - q
	}
	t.sign = &resultPiece{q, r, t.now}
}

type resultPiece struct {
	square rules.Square
	result rules.Result
	since  ms
}

// signed ends the game by a result piece at rest.
func (t *Tracker) signed() bool {
	s := t.sign
	switch {
	case s == nil:
		return false
	case t.current().since[s.square] > s.since, t.best.sense.at(s.square) != rules.NoPiece:
		t.sign = nil // taken away, or it was a man after all
		return false
	case t.now-s.since < signHold:
		return false
	}
	t.sign = nil
	t.publishAll()
	t.end(s.result)
	return true
}

func (t *Tracker) end(r rules.Result) {
	t.phase = over
	t.lines = t.lines[:0]
	t.emit(Event{Kind: Result, Ply: t.record.tip.ply, Result: r})
}

// again watches for the usual array after a result: the next game begins with it.
func (t *Tracker) again() {
	sn := t.current()
	start := rules.Start()
	array := sense(start.Board())
	if t.now-sn.start < 1000 || sn.sense != array && sn.sense.turned() != array {
		return
	}
	t.restart(start)
	t.fresh = true
}

const (
	centre      rules.Bitboard = 1<<27 | 1<<28 | 1<<35 | 1<<36
	lightCentre                = rules.Bitboard(1<<28 | 1<<35) // e4, d5
	signHold    ms             = 2500
	signWay     ms             = 4000 // how long a king may take to the centre
	signMess                   = 8    // squares: with more amiss before the first ply the board is not set up
)

// kings reads the players' result sign: both kings on centre squares, where
// they can never stand in play, at rest (dgt-protocol 8.1). The kings' way
// there is no play, even where its first step was legal.
func (t *Tracker) kings() bool {
	if t.fresh {
		return false // of the next game nothing has been played
	}
	sn := t.current()
	w, b := rules.NoSquare, rules.NoSquare
	for c := centre; c != 0; c &= c - 1 {
		switch q := c.First(); sn.sense.at(q) {
		case rules.WhiteKing:
			w = q
		case rules.BlackKing:
			b = q
		}
	}
	if w == rules.NoSquare || b == rules.NoSquare || t.now-max(sn.since[w], sn.since[b]) < signHold {
		return false
	}
	n := t.best
	if n.ply == 0 && n.sense.diff(&sn.sense).Count() > signMess {
		return false // no game has begun: what stands here is left from another
	}
	for n.parent != nil && n.source != anchored && t.lastPress[n.parent.pos.Turn()] < n.at() {
		king := n.pos.PieceAt(n.move.To())
		at := w
		if king.Color() == rules.Black {
			at = b
		}
		// A step to where the king stands now, or one just before on its way there.
		if king.Role() != rules.King || n.move.To() != at && n.at() < sn.since[at]-signWay {
			break
		}
		n = n.parent
	}
	r := rules.Draw
	switch lightCentre & (w.Bit() | b.Bit()) {
	case lightCentre:
		r = rules.WhiteWins
	case 0:
		r = rules.BlackWins
	}
	t.publishTo(n)
	t.alert("result.kings", string(r))
	t.end(r)
	return true
}

// endHold is how long a mate or stalemate must stand unpressed to count.
const endHold ms = 2500

// finished ends the game when the rules have, once the last ply stands firm enough.
func (t *Tracker) finished() bool {
	n := t.record.tip
	if !n.ended || n != t.best || n.line == nil {
		return false
	}
	us := n.parent.pos.Turn()
	if t.now-n.line.entry < endHold && t.lastPress[us] < n.line.entry {
		return false
	}
	r, why := rules.Draw, "stalemate"
	if n.pos.InCheck() {
		r, why = rules.WhiteWins, "checkmate"
		if us == rules.Black {
			r = rules.BlackWins
		}
	}
	t.alert("game.over", why)
	t.end(r)
	return true
}
