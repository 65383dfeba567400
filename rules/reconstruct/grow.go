package reconstruct

import (
	"math"

	"boardd/rules"
)

// begin closes the present snapshot, opens the next one and carries every line
// over: it stays where it is, or is entered again from its parent, or play is
// resumed after handling aside.
func (t *Tracker) begin(at ms, change func(*snapshot)) {
	old := t.current()
	old.end = at
	if g := t.gap; g != nil && !g.dumped && old.start <= g.lost {
		old.end = g.lost // nobody saw what stood there afterwards
	}
	for _, n := range t.lines {
		n.line.cost = n.line.base[t.last%windowLen] + t.strain(&n.sense, n.line, 0, at, old, old.end)
	}
	t.last++
	sn := t.current()
	*sn = *old
	sn.start, sn.press, sn.changes, sn.changed, sn.pressed = at, nobody, 0, 0, t.lastPress
	change(sn)
	k := t.last % windowLen
	for _, n := range t.lines { // parents come before children
		l := n.line
		stay := min(l.cost, l.aside+asideReturn)
		l.aside = min(l.aside, l.cost+t.asideEntry(n, sn)) + t.asideStep(n, sn)
		b := stay + pressStep(n, sn)
		if p := n.parent; p != nil && p.line != nil && p.line.first <= t.last && n.source != anchored {
			if e := p.line.base[k] + plyStep(p.pos.Turn(), sn) + n.prior; e < b {
				b = e
				l.enter(p.line, n.touched, at)
			}
		}
		l.base[k] = b
	}
}

// enter records that the line's last ply was made at that time.
func (l *line) enter(parent *line, touched rules.Bitboard, at ms) {
	for q, since := range parent.since {
		l.since[q] = min(since, at)
	}
	l.entry = at
	for ; touched != 0; touched &= touched - 1 {
		l.since[touched.First()] = at
	}
}

// open makes n a line, scored over the window as a ply after its parent. It
// reports false when the line is too dear to keep.
func (t *Tracker) open(n *node, prior, limit float32) bool {
	p := n.parent.line
	n.prior = prior
	n.castled = n.parent.pos.IsCastling(n.move) && n.sense.diff(&t.current().sense)&n.touched == 0
	l := &line{first: t.evidence(n, p), weak: carry(n, p.weak), dead: p.dead}
	if n.source == blind {
		l.dead |= n.move.To().Bit()
	}
	l.since = p.since
	c, entry := inf, ms(0)
	mover := n.parent.pos.Turn()
	for k := l.first; k <= t.last; k++ {
		sn := &t.window[k%windowLen]
		b := c + pressStep(n, sn)
		if e := p.base[k%windowLen] + plyStep(mover, sn) + prior; e < b {
			b, entry = e, sn.start
		}
		l.base[k%windowLen] = b
		if b == inf {
			continue
		}
		end := sn.end
		if k == t.last {
			end = t.now
		}
		c = b + t.strainFrom(n, l, entry, sn, end)
	}
	if c > limit {
		return false
	}
	l.enter(p, n.touched, entry)
	l.aside = c + asideCost
	l.cost = c
	n.line = l
	return true
}

// evidence is the snapshot from which on the ply of n can have been made: the
// last one in which all its squares still read as before it.
func (t *Tracker) evidence(n *node, p *line) int {
	k := t.last
	for first := max(p.first, t.last-windowLen+1); k > first; k-- {
		if n.parent.sense.diff(&t.window[k%windowLen].sense)&n.touched == 0 {
			break
		}
	}
	return k
}

func (t *Tracker) strainFrom(n *node, l *line, entry ms, sn *snapshot, end ms) float32 {
	return t.strain(&n.sense, l, n.touched, entry, sn, end)
}

// carry moves the marks of weak men along with the ply's men.
func carry(n *node, weak rules.Bitboard) rules.Bitboard {
	from := n.move.From()
	if n.source == anchored || !weak.Has(from) {
		return weak &^ n.touched
	}
	weak &^= n.touched
	if n.move.Promotion() == rules.NoRole && !n.parent.pos.IsCastling(n.move) {
		weak |= n.move.To().Bit()
	}
	return weak
}

// chaos is on how many squares the best line may disagree with the board for
// plies to be looked for: beyond it men are set up or swept off, not played.
const chaos = 14

// grow tries, for every promising line, each legal move whose man left its
// square and was read on its target, and goes on from what it finds: two hands
// at once, captures in any order and castling rook first need no case of their own.
func (t *Tracker) grow() {
	if t.grown == t.last {
		return
	}
	t.grown = t.last
	if t.best.sense.diff(&t.current().sense).Count() > chaos {
		return
	}
	t.queue = append(t.queue[:0], t.lines...)
	t.look()
	for i := 0; i < len(t.queue) && len(t.queue) < 400; i++ {
		n := t.queue[i]
		if n.line == nil || n.line.total() > t.best.line.total()+growMargin || n.ended {
			continue
		}
		fresh := i >= len(t.lines) || n.line.fresh
		n.line.fresh = false
		t.growLine(n, fresh)
	}
	if len(t.queue) > len(t.lines) {
		t.setLines(t.queue)
		t.look()
	}
}

func (t *Tracker) growLine(n *node, fresh bool) {
	us := n.pos.Turn()
	first := t.last
	if fresh {
		first = n.line.first
		for first < t.last && n.line.base[first%windowLen] == inf {
			first++
		}
	}
	var arrived, left rules.Bitboard
	for k := first; k <= t.last; k++ {
		s := &t.window[k%windowLen].sense
		d := n.sense.diff(s)
		arrived |= d & s.of(us)
		left |= d & n.sense.of(us)
	}
	if arrived == 0 || left == 0 || !fresh && (arrived|left)&t.current().changed == 0 {
		return
	}
	n.pos.LegalMoves(&t.moves)
	for i := range t.moves.Len() {
		m := t.moves.At(i)
		if !fresh && !t.concerned(n, m) || !t.landed(n, m, first, arrived, left) {
			continue
		}
		if t.isOpen(n, m) {
			continue
		}
		c := n.child(m, seen)
		if t.open(c, t.orderCost(n, c), t.best.line.total()+beam) {
			t.queue = append(t.queue, c)
		}
	}
}

// concerned reports whether the present change touches a square of the move:
// one that it does not touch was tried before.
func (t *Tracker) concerned(n *node, m rules.Move) bool {
	squares := m.From().Bit() | m.To().Bit()
	if n.pos.IsCastling(m) {
		kingTo, _, rookTo := n.pos.CastlingSquares(m)
		squares |= kingTo.Bit() | rookTo.Bit()
	}
	return squares&t.current().changed != 0
}

// orderCost is what speaks against ply c after n in the order of landings: a
// reply does not come to rest before the move it answers. A castling whose rook
// stood ready gets back what its rest has cost.
func (t *Tracker) orderCost(n, c *node) float32 {
	sn := t.current()
	if n.pos.IsCastling(c.move) {
		if c.sense.diff(&sn.sense) == 0 && sn.changes == 1 {
			return -t.castleWaited(c, sn, sn.changed.First())
		}
		return 0
	}
	if n.parent == nil || n.source != seen {
		return 0
	}
	answered, ok := t.arrival(n)
	if own, ok2 := t.arrival(c); ok && ok2 && own+orderSlack < answered {
		return orderCost
	}
	return 0
}

// arrival is when the man of ply n was first read on its target after it was
// last read where it came from. ok is false where the window does not tell.
func (t *Tracker) arrival(n *node) (at ms, ok bool) {
	from, to := n.move.From(), n.move.To()
	was, is := n.parent.sense.at(from), n.sense.at(to)
	for k := t.last; k >= 0 && k > t.last-windowLen; k-- {
		sn := &t.window[k%windowLen]
		if sn.sense.at(from) == was {
			break
		}
		if sn.sense.at(to) == is {
			at, ok = sn.start, true
		}
	}
	return at, ok
}

// castlePause is the longest pause between the two men of one castling.
const castlePause ms = 10000

// castleWaited is what the early rest of one man of castling c has cost it:
// nothing, as it turns out when the other man comes to q.
func (t *Tracker) castleWaited(c *node, sn *snapshot, q rules.Square) float32 {
	kingTo, _, rookTo := c.parent.pos.CastlingSquares(c.move)
	stood := rookTo
	switch q {
	case kingTo:
	case rookTo:
		stood = kingTo
	default:
		return 0
	}
	waited := t.now - sn.since[stood]
	if sn.sense.at(stood) != c.sense.at(stood) || waited > castlePause {
		return 0
	}
	return (ghostWeight + missingWeight) * lnDwell(waited)
}

// isOpen reports whether that move of n is a line already.
func (t *Tracker) isOpen(n *node, m rules.Move) bool {
	for _, c := range n.children {
		if c.move == m && c.line != nil {
			return true
		}
	}
	return false
}

// landed reports whether the move's man was read on its target since snapshot
// first, its own square reading something else.
func (t *Tracker) landed(n *node, m rules.Move, first int, arrived, left rules.Bitboard) bool {
	from, to := m.From(), m.To()
	if n.pos.IsCastling(m) {
		kingTo, rookFrom, rookTo := n.pos.CastlingSquares(m)
		if kingTo != from && !left.Has(from) && !left.Has(rookFrom) {
			return false
		}
		return t.read(first, kingTo, n.pos.PieceAt(from), arrived) || t.read(first, rookTo, n.pos.PieceAt(rookFrom), arrived)
	}
	if !left.Has(from) || !arrived.Has(to) {
		return false
	}
	piece := n.pos.PieceAt(from)
	if r := m.Promotion(); r != rules.NoRole {
		piece = rules.NewPiece(piece.Color(), r)
	}
	return t.read(first, to, piece, arrived)
}

// read reports whether the square has read that man in any snapshot since first.
func (t *Tracker) read(first int, q rules.Square, p rules.Piece, among rules.Bitboard) bool {
	if !among.Has(q) {
		return false
	}
	for k := first; k <= t.last; k++ {
		if t.window[k%windowLen].sense.at(q) == p {
			return true
		}
	}
	return false
}

// growBlind makes the plies nobody could see: a man is out of sight, and its
// side pressed, or the opponent visibly went on.
func (t *Tracker) growBlind() {
	t.queue = append(t.queue[:0], t.lines...)
	for i := 0; i < len(t.queue) && len(t.queue) < 200; i++ {
		n := t.queue[i]
		if n.line == nil || n.line.total() > t.best.line.total()+growMargin/2 || n.ended {
			continue
		}
		if i < len(t.lines) {
			t.blindLine(n)
		} else {
			t.growLine(n, true)
		}
	}
	if len(t.queue) > len(t.lines) {
		t.setLines(t.queue)
	}
}

func (t *Tracker) blindLine(n *node) {
	sn := t.current()
	us := n.pos.Turn()
	d := n.sense.diff(&sn.sense)
	missing := d & n.sense.of(us) &^ sn.sense.occupied()
	for m := missing; m != 0; m &= m - 1 {
		// A man of the kind that stands where none should is that man: it is not out of sight.
		if q := m.First(); d&sn.sense.men(us, n.sense.at(q).Role()) != 0 {
			missing &^= q.Bit()
		}
	}
	if missing == 0 || missing.Count() > 4 {
		return
	}
	arrived := d & sn.sense.of(us)
	pressed := t.lastPress[us] > n.line.entry && t.now-t.lastPress[us] > 700 && t.now-t.lastPress[us] < 30000 && arrived == 0
	them := us.Other()
	answered := d&sn.sense.of(them) != 0 && d&n.sense.of(them) != 0
	if answered {
		// the answer must have stood a while: the man in the air may yet land
		answered = false
		for a := d & sn.sense.of(them); a != 0; a &= a - 1 {
			if t.now-sn.since[a.First()] > 500 {
				answered = true
			}
		}
	}
	if !pressed && !answered {
		return
	}
	n.pos.LegalMoves(&t.moves)
	var targets []rules.Move
	for i := range t.moves.Len() {
		m := t.moves.At(i)
		if !missing.Has(m.From()) || sn.sense.at(m.To()) != rules.NoPiece && n.pos.PieceAt(m.To()).Color() != them {
			continue
		}
		if sn.sense.at(m.To()) != rules.NoPiece || n.pos.IsCastling(m) {
			continue
		}
		if t.now-sn.since[m.From()] < 500 {
			continue
		}
		if p := m.Promotion(); p != rules.NoRole && p != rules.Queen {
			continue
		}
		targets = append(targets, m)
	}
	if len(targets) == 0 {
		return
	}
	share := func(m rules.Move) float64 {
		switch {
		case (t.dead | n.line.dead).Has(m.To()):
			return blindDead
		case t.alive.Has(m.To()) && !n.line.weak.Has(m.From()):
			return blindAlive
		}
		return 1
	}
	all := 0.0
	for _, m := range targets {
		all += share(m)
	}
	for _, m := range targets {
		if t.isOpen(n, m) {
			continue
		}
		p := float32(math.Log(all / share(m)))
		if !(t.dead | n.line.dead).Has(m.To()) {
			p += blindCost
		}
		c := n.child(m, blind)
		if t.open(c, p, t.best.line.total()+beam) {
			t.queue = append(t.queue, c)
		}
	}
}

// takeBack opens an ancestor of the best line again when the board has gone back to it.
func (t *Tracker) takeBack() {
	n, sn := t.best, t.current()
	l := n.line
	d := n.sense.diff(&sn.sense)
	if d&sn.sense.occupied() == 0 {
		return // nothing stands where it should not
	}
	k := 0
	for a := n.parent; a != nil && k < 8; a = a.parent {
		k++
		if a.sense.diff(&sn.sense)&^(l.weak|t.dead) != 0 {
			continue
		}
		cost := l.total() + takebackCost + backtrackCost*float32(k-1)
		if a.line != nil {
			if a.line.cost <= cost {
				return
			}
		}
		a.line = &line{first: t.last, since: l.since, weak: l.weak, dead: l.dead, entry: t.now, cost: cost, aside: cost + asideCost}
		for q := range a.line.since {
			if n.sense.diff(&a.sense).Has(rules.Square(q)) {
				a.line.since[q] = t.now
			}
		}
		a.line.base[t.last%windowLen] = cost
		t.insert(a)
		return
	}
}
