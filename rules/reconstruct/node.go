package reconstruct

import (
	"slices"

	"boardd/rules"
)

// source tells how a ply came to be known.
type source uint8

const (
	seen     source = iota // its man was read on its target
	blind                  // nobody read it: the man is out of sight, the clock or the reply says it moved
	repaired               // found by search between two boards
	anchored               // no move at all: the placement after something no legal move explains
)

// node is one legal game: its parent's game and one ply more. Nodes are
// immutable but for their line, which exists while the game is a candidate.
type node struct {
	parent   *node
	children []*node
	move     rules.Move
	pos      rules.Position
	sense    sensed         // what the sensors should read
	touched  rules.Bitboard // squares on which parent and node differ
	ply      int            // half-moves from the start of the record
	depth    int            // nodes from the root: as ply, but anchors count
	source   source
	prior    float32 // what this ply costs besides plyStep
	ended    bool    // mate or stalemate: no ply can follow
	orders   int     // how many orders of plies fit equally, for a repaired ply
	line     *line
	press    *press // the mover's press of this ply
	landed   ms     // when it was last published
	castled  bool   // of a castling: both its men have been read where they go
	mark     int    // the sweep that last found it in use
	swept    int    // the sweep that last cleared its children
	told     bool   // its clock has been published
	entered  ms     // when the ply was made, once its line is gone
}

// at is when the ply was made.
func (n *node) at() ms {
	if n.line != nil {
		return n.line.entry
	}
	return n.entered
}

// close drops the node's line.
func (n *node) close() {
	if n.line != nil {
		n.entered, n.line = n.line.entry, nil
	}
}

func newNode(parent *node, m rules.Move, src source) *node {
	n := &node{parent: parent, move: m, pos: parent.pos.Play(m), ply: parent.ply + 1, depth: parent.depth + 1, source: src, orders: 1}
	n.sense = sense(n.pos.Board())
	n.touched = n.sense.diff(&parent.sense)
	n.ended = !n.pos.HasLegalMove()
	return n
}

// child returns the node of that move, made if need be.
func (n *node) child(m rules.Move, src source) *node {
	for _, c := range n.children {
		if c.move == m && c.source != anchored {
			return c
		}
	}
	c := newNode(n, m, src)
	n.children = append(n.children, c)
	return c
}

// descends reports whether a is n or an ancestor of it.
func (n *node) descends(a *node) bool {
	for n != nil && n.depth > a.depth {
		n = n.parent
	}
	return n == a
}

// back is the ancestor k plies back, nil before the start.
func (n *node) back(k int) *node {
	for ; k > 0 && n != nil; k-- {
		n = n.parent
	}
	return n
}

// line is a node as a candidate for "the game stands here now": the cost of
// the best way to be in it, for each snapshot of the window.
type line struct {
	base  [windowLen]float32 // by snapshot number modulo windowLen: cost at its start
	first int                // number of the first snapshot for which base is known
	aside float32            // cost of "the game stands here, but men are being handled outside play"
	since [64]ms             // when this game last changed what it expects of a square
	entry ms                 // when its last ply was entered, on the best way
	dead  rules.Bitboard     // squares this game believes to read nothing: a man went there unread
	weak  rules.Bitboard     // squares of men known to drop out of sight
	cost  float32            // the lower of the two ways, at the time of the last look
	out   bool               // the lower one is aside
	fresh bool               // put in from outside: its plies have yet to be looked for in the window
}

// sweepEvery is how often games that nobody thinks of any more are forgotten.
const sweepEvery ms = 10000

// sweep drops the nodes that neither a line nor the record leads through: hours
// of men being handled must not fill the memory.
func (t *Tracker) sweep() {
	if t.now < t.swept+sweepEvery {
		return
	}
	t.swept = t.now
	t.sweeps++
	for _, n := range t.lines {
		t.keep(n)
	}
	t.keep(t.record.tip)
	t.keep(t.gone)
	if t.outage != nil {
		for _, n := range t.outage.lines {
			t.keep(n)
		}
	}
	drop := func(c *node) bool { return c.mark != t.sweeps }
	for _, n := range t.lines {
		for ; n != nil && !n.clean(t.sweeps); n = n.parent {
			n.children = slices.DeleteFunc(n.children, drop)
		}
	}
}

func (t *Tracker) keep(n *node) {
	for ; n != nil && n.mark != t.sweeps; n = n.parent {
		n.mark = t.sweeps
	}
}

// clean reports whether the sweep has been here, and notes that it has.
func (n *node) clean(sweep int) bool {
	was := n.swept == sweep
	n.swept = sweep
	return was
}
