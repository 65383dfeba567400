package reconstruct

import (
	"fmt"
	"strings"

	"boardd/rules"
)

// What the arbiter hears of, and how long it must have lasted.
const (
	pressSettle   ms = 900  // after a press: a man may still be landing, or be read late
	mismatchAfter ms = 3000 // something stands otherwise than the game has it, at rest
	ghostRest     ms = 500
	takebackTime  ms = 5000 // presses so near a takeback belong to it
	pressLag      ms = 200  // a man that came later than this after a press was not pressed on
)

// check raises and clears what no legal game explains.
func (t *Tracker) check() {
	b, sn := t.best, t.current()
	d := b.sense.diff(&sn.sense) &^ (t.dead | b.line.weak&^sn.sense.occupied())
	for c := range t.pending {
		by := rules.Color(c)
		if t.pending[c] == 0 || t.now < t.pending[c]+pressSettle {
			continue
		}
		if t.gap != nil || b.ended {
			t.pending[c] = 0
			continue
		}
		if b.pos.Turn() != by {
			if t.slipped(b, by, d) {
				t.alert("move.illegal", fmt.Sprintf("%s pressed after a move that is not legal: %s", by, t.differences(d)))
				t.anchor(b.parent, by)
			}
			t.pending[c] = 0
			continue
		}
		if d == 0 {
			if p := t.record.last[c]; p != nil && p.owner == nil && (t.tookBack == 0 || max(t.pending[c]-t.tookBack, t.tookBack-t.pending[c]) > takebackTime) {
				t.alert("press.no_move", by.String()+" pressed without a move")
			}
			t.pending[c] = 0
			continue
		}
		if t.illegal(by, d) {
			t.pending[c] = 0
		} else if t.now > t.pending[c]+3*pressSettle {
			t.pending[c] = 0
		}
	}
	t.mismatch(d)
	t.learnDead()
	t.tellMissing()
}

// illegal raises the alert for a completed move that is none: the presser's
// man stands where no legal move brings it.
func (t *Tracker) illegal(by rules.Color, d rules.Bitboard) bool {
	b, sn := t.best, t.current()
	came := d & sn.sense.of(by)
	left := d & b.sense.of(by)
	if came.Count() > 2 || came.Count() == 2 && came&sn.sense.men(by, rules.King) == 0 {
		return false // what several men do at once is not one move
	}
	for q := came; q != 0; q &= q - 1 {
		if since := sn.since[q.First()]; t.now-since < ghostRest || since > t.pending[by]+pressLag {
			came &^= q.First().Bit()
		}
	}
	if came == 0 || left == 0 {
		return false
	}
	if t.margin(b) < 1 && t.now < t.pending[by]+pressSettle*3/2 {
		return false
	}
	for q := came; q != 0; q &= q - 1 {
		if s := q.First(); sn.sense.at(s).Role() == rules.Pawn && (s.Rank() == 0 || s.Rank() == 7) {
			t.alert("move.promotion_incomplete", by.String()+" pressed with the pawn still on "+s.String())
			return true
		}
	}
	t.alert("move.illegal", fmt.Sprintf("%s pressed after a move that is not legal: %s", by, t.differences(d)))
	t.anchor(b, by)
	return true
}

// slipped reports whether the presser's man rests elsewhere than the legal
// move that was read on its way: it only touched down there.
func (t *Tracker) slipped(b *node, by rules.Color, d rules.Bitboard) bool {
	if b.parent == nil || b.source == anchored || b.parent.pos.Turn() != by {
		return false
	}
	sn, to := t.current(), b.move.To()
	man := b.sense.at(to)
	if sn.sense.at(b.move.From()) == b.parent.sense.at(b.move.From()) {
		return false // put back
	}
	if !d.Has(to) || sn.sense.at(to) != rules.NoPiece || t.now-sn.since[to] < ghostRest {
		return false
	}
	for ghosts := d & sn.sense.of(by) &^ b.sense.occupied(); ghosts != 0; ghosts &= ghosts - 1 {
		q := ghosts.First()
		if b.parent.pos.IsLegal(rules.NewMove(b.move.From(), q, b.move.Promotion())) {
			return false // thought better of: another legal move
		}
		if sn.sense.at(q) == man && sn.since[q] <= t.pending[by]+pressLag && t.now-sn.since[q] >= ghostRest {
			return true
		}
	}
	return false
}

// margin is by how much the best line leads any that is not a mere continuation of it.
func (t *Tracker) margin(b *node) float32 {
	other := inf
	for _, n := range t.lines {
		if n != b {
			other = min(other, n.line.total())
		}
	}
	return other - b.line.total()
}

// differences lists what stands otherwise than in the best line.
func (t *Tracker) differences(d rules.Bitboard) string {
	var s []string
	for ; d != 0 && len(s) < 6; d &= d - 1 {
		q := d.First()
		s = append(s, fmt.Sprintf("%s %s instead of %s", q, name(t.current().sense.at(q)), name(t.best.sense.at(q))))
	}
	return strings.Join(s, ", ")
}

func name(p rules.Piece) string {
	if p == rules.NoPiece {
		return "empty"
	}
	return p.Color().String() + " " + p.Role().String()
}

// anchor makes a line for "play goes on from what stands here": a new segment
// of the record, if the placement can be a position at all.
func (t *Tracker) anchor(b *node, by rules.Color) {
	sn := t.current()
	old := b.pos.Setup()
	s := rules.Setup{Board: sn.sense.placement(), Turn: by.Other(), EnPassant: rules.NoSquare, Fullmove: old.Fullmove, Chess960: old.Chess960}
	if by == rules.Black {
		s.Fullmove++
	}
	for r := old.Rooks; r != 0; r &= r - 1 {
		q := r.First()
		king := b.pos.KingSquare(b.pos.PieceAt(q).Color())
		if s.Board[q] == b.pos.PieceAt(q) && s.Board[king] == b.pos.PieceAt(king) {
			s.Rooks |= q.Bit()
		}
	}
	pos, err := s.Position()
	if err != nil {
		return
	}
	n := &node{parent: b, pos: pos, sense: sn.sense, ply: b.ply, depth: b.depth + 1, source: anchored, orders: 1, ended: !pos.HasLegalMove()}
	n.touched = n.sense.diff(&b.sense)
	b.children = append(b.children, n)
	t.plant(n, t.last, t.best.line.total()+anchorCost, t.best.line.weak)
}

// mismatch raises what stands wrong at rest and unpressed, and clears it when the board fits again.
func (t *Tracker) mismatch(d rules.Bitboard) {
	sn := t.current()
	if d == 0 {
		t.mismatched = false
		return
	}
	quiet := t.now - sn.start
	idle := sn.clock && !sn.running
	if t.mismatched || quiet < mismatchAfter || idle || d.Count() > 4 || t.best.ended {
		return
	}
	ghosts := d & sn.sense.occupied()
	if ghosts == 0 {
		return
	}
	t.mismatched = true
	if ghosts == d && d&t.best.sense.occupied() == 0 {
		t.alert("board.extra_piece", t.differences(d))
		return
	}
	t.alert("board.position_mismatch", t.differences(d))
}
