package rules

import "math/bits"

// Bitboard is a set of squares: bit n is Square n.
type Bitboard uint64

// Bit is the set of that one square.
func (s Square) Bit() Bitboard { return 1 << (s & 63) }

// Has reports whether the square is in the set.
func (b Bitboard) Has(s Square) bool { return b>>(s&63)&1 != 0 }

// Count is the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First is the lowest square of the set, NoSquare when it is empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// several reports whether the set has two squares or more.
func (b Bitboard) several() bool { return b&(b-1) != 0 }

const (
	fileA Bitboard = 0x0101010101010101
	fileH Bitboard = fileA << 7
	rank1 Bitboard = 0xff
	rank3 Bitboard = rank1 << 16
	rank6 Bitboard = rank1 << 40
	rank8 Bitboard = rank1 << 56

	lightSquares Bitboard = 0x55aa55aa55aa55aa
)

// backRank is the rank a colour's king starts on.
func backRank(c Color) Bitboard { return rank1 << (56 * c) }
