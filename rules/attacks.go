package rules

import "math/bits"

// Sliding attacks by hyperbola quintessence: on a file or a diagonal each
// square has a rank byte of its own, so reversing the bytes reverses the line,
// and the difference "occupied minus slider" finds the first man in either
// direction. On a rank the bytes do not help; there a table of 8 x 64 bytes
// does. All tables together fit in the first-level cache of a Raspberry Pi,
// which a table of magic numbers would not.

// lineMasks are the lines through one square, the square itself left out.
type lineMasks struct{ file, diagonal, anti Bitboard }

var (
	knightAttacks = leaps([2]int{1, 2}, [2]int{2, 1}, [2]int{2, -1}, [2]int{1, -2}, [2]int{-1, -2}, [2]int{-2, -1}, [2]int{-2, 1}, [2]int{-1, 2})
	kingAttacks   = leaps(directions[:]...)
	pawnAttacks   = [2][64]Bitboard{leaps([2]int{1, 1}, [2]int{-1, 1}), leaps([2]int{1, -1}, [2]int{-1, -1})} // by colour
	lines         = makeLines()
	rankLine      = makeRankLine() // by file and the inner six squares of the rank
	betweens      = makeBetweens() // squares strictly between two squares of one line, else none

	directions = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} // file, rank
)

// leaps are the squares reached from each square by these steps.
func leaps(steps ...[2]int) (table [64]Bitboard) {
	for s := range table {
		for _, d := range steps {
			table[s] |= offset(Square(s), d[0], d[1])
		}
	}
	return table
}

// walk calls visit for each square from s (left out) to the edge in a direction.
func walk(s Square, d [2]int, visit func(to Square)) {
	for n := 1; ; n++ {
		to := offset(s, n*d[0], n*d[1])
		if to == 0 {
			return
		}
		visit(to.First())
	}
}

func makeLines() (table [64]lineMasks) {
	for s := range table {
		l := &table[s]
		for _, d := range directions {
			walk(Square(s), d, func(to Square) {
				switch {
				case d[0] == 0:
					l.file |= to.Bit()
				case d[0] == d[1]:
					l.diagonal |= to.Bit()
				case d[0] == -d[1]:
					l.anti |= to.Bit()
				}
			})
		}
	}
	return table
}

func makeBetweens() (table [64][64]Bitboard) {
	for s := range table {
		for _, d := range directions {
			way := Bitboard(0)
			walk(Square(s), d, func(to Square) {
				table[s][to] = way
				way |= to.Bit()
			})
		}
	}
	return table
}

func makeRankLine() (table [8][64]uint8) {
	for file := range table {
		for inner := range table[file] {
			occ, set := inner<<1, 0
			for _, step := range [...]int{1, -1} {
				for f := file + step; f >= 0 && f < 8; f += step {
					set |= 1 << f
					if occ>>f&1 != 0 {
						break
					}
				}
			}
			table[file][inner] = uint8(set)
		}
	}
	return table
}

// offset is the square df files and dr ranks away, none when off the board.
func offset(s Square, df, dr int) Bitboard {
	f, r := s.File()+df, s.Rank()+dr
	if f < 0 || f > 7 || r < 0 || r > 7 {
		return 0
	}
	return MakeSquare(f, r).Bit()
}

func alongLine(occ, bit, mask Bitboard) Bitboard {
	o := uint64(occ & mask)
	forward := o - uint64(bit)
	backward := bits.ReverseBytes64(bits.ReverseBytes64(o) - bits.ReverseBytes64(uint64(bit)))
	return Bitboard(forward^backward) & mask
}

func bishopAttacks(s Square, occ Bitboard) Bitboard {
	s &= 63
	l, bit := &lines[s], s.Bit()
	return alongLine(occ, bit, l.diagonal) | alongLine(occ, bit, l.anti)
}

func rookAttacks(s Square, occ Bitboard) Bitboard {
	s &= 63
	shift := s & 56
	rank := Bitboard(rankLine[s&7][occ>>(shift+1)&63]) << shift
	return alongLine(occ, s.Bit(), lines[s].file) | rank
}

// AttacksFrom is the set of squares a man attacks from a square on a board with
// these squares occupied, own men included. A pawn attacks its two diagonals only.
func AttacksFrom(p Piece, s Square, occ Bitboard) Bitboard {
	s &= 63
	switch p.Role() {
	case Pawn:
		return pawnAttacks[p.Color()][s]
	case Knight:
		return knightAttacks[s]
	case Bishop:
		return bishopAttacks(s, occ)
	case Rook:
		return rookAttacks(s, occ)
	case Queen:
		return bishopAttacks(s, occ) | rookAttacks(s, occ)
	case King:
		return kingAttacks[s]
	}
	return 0
}

// Between is the set of squares strictly between two squares of one rank, file
// or diagonal; none when they share no line.
func Between(a, b Square) Bitboard { return betweens[a&63][b&63] }
