package reconstruct

import "boardd/rules"

// sensed is a board as sensors give it: the four bits of each square's
// rules.Piece as four bit planes, so that two boards are compared in a few
// instructions.
type sensed [4]rules.Bitboard

func sense(p *rules.Placement) (s sensed) {
	for i, piece := range p {
		for b := range s {
			s[b] |= rules.Bitboard(piece>>b&1) << i
		}
	}
	return s
}

func (s *sensed) put(q rules.Square, p rules.Piece) {
	bit := q.Bit()
	for b := range s {
		s[b] &^= bit
		if p>>b&1 != 0 {
			s[b] |= bit
		}
	}
}

func (s *sensed) at(q rules.Square) rules.Piece {
	return rules.Piece(s[0]>>q&1 | s[1]>>q&1<<1 | s[2]>>q&1<<2 | s[3]>>q&1<<3)
}

// diff is the set of squares on which the two boards differ.
func (s *sensed) diff(o *sensed) rules.Bitboard {
	return (s[0] ^ o[0]) | (s[1] ^ o[1]) | (s[2] ^ o[2]) | (s[3] ^ o[3])
}

func (s *sensed) occupied() rules.Bitboard { return s[0] | s[1] | s[2] }

// of is the set of squares that read a man of that colour.
func (s *sensed) of(c rules.Color) rules.Bitboard {
	if c == rules.White {
		return s.occupied() &^ s[3]
	}
	return s.occupied() & s[3]
}

func (s *sensed) placement() (p rules.Placement) {
	for q := rules.Square(0); q < 64; q++ {
		p[q] = s.at(q)
	}
	return p
}

// turned is the board seen from the other side.
func (s sensed) turned() sensed {
	for b := range s {
		s[b] = rules.Bitboard(reverse(uint64(s[b])))
	}
	return s
}

// men is the set of squares that read that man.
func (s *sensed) men(c rules.Color, r rules.Role) rules.Bitboard {
	all := ^rules.Bitboard(0)
	for b, p := 0, rules.NewPiece(c, r); b < len(s); b++ {
		if p>>b&1 != 0 {
			all &= s[b]
		} else {
			all &^= s[b]
		}
	}
	return all
}
