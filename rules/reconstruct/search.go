package reconstruct

import "boardd/rules"

// maxSearch is the deepest search for unseen plies.
const maxSearch = 10

// finder searches legal plies from a position to a board. Its budget is
// counted in positions, not in time, so that a tape replays the same anywhere.
type finder struct {
	target [2][7]rules.Bitboard // by colour and role
	men    [2]rules.Bitboard
	wild   rules.Bitboard // squares whose reading says nothing
	budget int
	moves  [maxSearch]rules.MoveList
	path   [maxSearch]rules.Move
	depth  int
	found  []solution
}

// solution is one way to a final position, with the number of orders of plies that lead there.
type solution struct {
	moves  []rules.Move
	key    uint64
	orders int
}

const maxSolutions = 60

func newFinder(target *sensed, wild rules.Bitboard, budget int) *finder {
	f := &finder{wild: wild, budget: budget}
	for q := rules.Square(0); q < 64; q++ {
		if p := target.at(q); p != rules.NoPiece {
			f.target[p.Color()][p.Role()] |= q.Bit()
			f.men[p.Color()] |= q.Bit()
		}
	}
	return f
}

// find collects every way of exactly depth plies from pos to the target.
func (f *finder) find(pos *rules.Position, depth int) []solution {
	f.depth, f.found = depth, nil
	f.search(pos, depth)
	return f.found
}

func (f *finder) diff(pos *rules.Position) (d rules.Bitboard) {
	for c := range f.target {
		for r := rules.Pawn; r <= rules.King; r++ {
			d |= pos.Men(rules.Color(c), r) ^ f.target[c][r]
		}
	}
	return d &^ f.wild
}

func (f *finder) search(pos *rules.Position, left int) {
	if f.budget <= 0 || len(f.found) >= maxSolutions {
		return
	}
	f.budget--
	d := f.diff(pos)
	if left == 0 {
		if d == 0 {
			f.note(pos)
		}
		return
	}
	us := pos.Turn()
	ours, theirs := (left+1)/2, left/2
	// What must still arrive or leave has to be mended by the plies that are
	// left; a castling mends two squares at once.
	arriveUs, arriveThem := (d & f.men[us]).Count(), (d & f.men[us.Other()]).Count()
	if arriveUs > ours+1 || arriveThem > theirs+1 {
		return
	}
	leaveUs, leaveThem := d&pos.Men(us, rules.NoRole), d&pos.Men(us.Other(), rules.NoRole)
	if leaveUs.Count() > ours+1+theirs || leaveThem.Count() > theirs+1+ours {
		return
	}
	list := &f.moves[left-1]
	pos.LegalMoves(list)
	for i := range list.Len() {
		m := list.At(i)
		if ours == 1 && !f.useful(pos, m, d) {
			continue // the side's last ply must bring a man where it stands
		}
		f.path[f.depth-left] = m
		next := pos.Play(m)
		f.search(&next, left-1)
	}
}

// useful reports whether the move ends where its man is wanted.
func (f *finder) useful(pos *rules.Position, m rules.Move, d rules.Bitboard) bool {
	if pos.IsCastling(m) {
		return true
	}
	p := pos.PieceAt(m.From())
	role := p.Role()
	if r := m.Promotion(); r != rules.NoRole {
		role = r
	}
	to := m.To().Bit()
	if passed := (m.From() + m.To()) / 2; role == rules.Pawn && (m.From()^m.To())&15 == 0 && f.men[p.Color().Other()].Has(passed) {
		return true // it may be taken in passing
	}
	return f.wild&to != 0 || f.target[p.Color()][role]&to != 0 || f.men[p.Color().Other()]&to != 0 && f.depth > 1
}

func (f *finder) note(pos *rules.Position) {
	key := pos.Key()
	for i := range f.found {
		if f.found[i].key == key {
			f.found[i].orders++
			return
		}
	}
	f.found = append(f.found, solution{append([]rules.Move(nil), f.path[:f.depth]...), key, 1})
}
