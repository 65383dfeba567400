package rules

// Move is a move without its position: from, to and the promotion role.
// Castling is stored as "king takes own rook": e1h1, not e1g1. A Move means
// something only in a Position; LegalMoves, ParseSAN and ParseUCI give such.
type Move uint16

// NullMove is no move.
const NullMove Move = 0

// NewMove makes a move; promotion is NoRole for all but a pawn reaching its last rank.
func NewMove(from, to Square, promotion Role) Move {
	return Move(from&63) | Move(to&63)<<6 | Move(promotion)<<12
}

// From is the square the man leaves.
func (m Move) From() Square { return Square(m & 63) }

// To is the square the man goes to; of a castling move the square of the rook.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Promotion is the role a pawn becomes, NoRole when it does not promote.
func (m Move) Promotion() Role { return Role(m >> 12 & 7) }

// String is the raw form "e2e4", "e7e8q", "e1h1" (castling), for logs and tests;
// (*Position).UCI gives the form other programs expect.
func (m Move) String() string {
	if m == NullMove {
		return "0000"
	}
	s := m.From().String() + m.To().String()
	if r := m.Promotion(); r != NoRole {
		s += string(rune(r.Letter() + 'a' - 'A'))
	}
	return s
}

// MoveList holds the legal moves of one position without allocating. No legal
// position has more than 218 moves, so 256 places are enough.
type MoveList struct {
	n     int
	moves [256]Move
}

// Len is the number of moves.
func (l *MoveList) Len() int { return l.n }

// At is the i-th move, 0 <= i < Len.
func (l *MoveList) At(i int) Move { return l.moves[i] }

// Moves is the list as a slice over the MoveList's own memory.
func (l *MoveList) Moves() []Move { return l.moves[:l.n] }

// Has reports whether the move is in the list.
func (l *MoveList) Has(m Move) bool {
	for _, x := range l.moves[:l.n] {
		if x == m {
			return true
		}
	}
	return false
}

// add appends; the index is a byte, so it cannot leave the array.
func (l *MoveList) add(m Move) {
	l.moves[uint8(l.n)] = m
	l.n++
}

func (l *MoveList) addAll(from Square, targets Bitboard) {
	for ; targets != 0; targets &= targets - 1 {
		l.add(Move(from) | Move(targets.First())<<6)
	}
}

func (l *MoveList) addPawn(from, to Square) {
	m := Move(from) | Move(to)<<6
	if to.Bit()&(rank1|rank8) == 0 {
		l.add(m)
		return
	}
	for r := Queen; r >= Knight; r-- {
		l.add(m | Move(r)<<12)
	}
}
