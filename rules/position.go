package rules

// Position is a legal position: placement, side to move, castling rights, the
// en-passant square, and the two counters of a FEN. It is a small value without
// pointers: copying is cheap, == compares all of it, counters too (for the
// identity of the Laws compare Key). Positions come from Start, Chess960Start,
// ParseFEN, Setup.Position and Play; the zero value has no kings and no moves.
type Position struct {
	board    Placement
	roles    [7]Bitboard // by Role; the first is unused
	colors   [2]Bitboard
	castle   Bitboard // rooks that still have the right to castle
	key      uint64
	halfmove uint16 // half-moves since the last capture or pawn move
	fullmove uint16
	turn     Color
	ep       Square // where a legal en-passant capture goes to, else NoSquare
	chess960 bool
}

// Turn is the side to move.
func (p *Position) Turn() Color { return p.turn }

// PieceAt is what stands on the square.
func (p *Position) PieceAt(s Square) Piece { return p.board[s&63] }

// Placement is a copy of the board.
func (p *Position) Placement() Placement { return p.board }

// Board is the position's own board, not a copy: read it only.
func (p *Position) Board() *Placement { return &p.board }

// Occupied is the set of all occupied squares.
func (p *Position) Occupied() Bitboard { return p.colors[White] | p.colors[Black] }

// Men is the set of squares where a man of that colour and role stands; all men of the colour for NoRole.
func (p *Position) Men(c Color, r Role) Bitboard {
	if r == NoRole {
		return p.colors[c&1]
	}
	return p.colors[c&1] & p.roles[r]
}

// KingSquare is where the king of that colour stands.
func (p *Position) KingSquare(c Color) Square { return (p.roles[King] & p.colors[c&1]).First() }

// Key identifies the position as Laws 9.2.3 does: the same men on the same
// squares, the same side to move, the same castling rights, and an en-passant
// right only if the capture is legal. It does not depend on the counters. It is
// a 64-bit hash, stable across machines and runs.
func (p *Position) Key() uint64 { return p.key }

// HalfmoveClock counts half-moves since the last capture or pawn move (Laws 9.3 at 100, 9.6.2 at 150).
func (p *Position) HalfmoveClock() int { return int(p.halfmove) }

// FullmoveNumber is the number of the move to be played, one higher after each move of Black.
func (p *Position) FullmoveNumber() int { return int(p.fullmove) }

// Chess960 reports whether the game started as Chess960: castling is then
// written as "king takes rook" in UCI, and rights by the rook's file in FEN.
func (p *Position) Chess960() bool { return p.chess960 }

// CastlingRooks is the set of rooks (of both sides) that still have the right to castle.
func (p *Position) CastlingRooks() Bitboard { return p.castle }

// EnPassant is the square to which a pawn may legally capture en passant, NoSquare when none may.
func (p *Position) EnPassant() Square { return p.ep }

// put and lift keep board, bitboards and key together.
func (p *Position) put(piece Piece, s Square) {
	s &= 63
	p.board[s] = piece
	p.roles[piece&7] |= s.Bit()
	p.colors[piece>>3&1] |= s.Bit()
	p.key ^= keys.man[piece&15][s]
}

func (p *Position) lift(piece Piece, s Square) {
	s &= 63
	p.board[s] = NoPiece
	p.roles[piece&7] &^= s.Bit()
	p.colors[piece>>3&1] &^= s.Bit()
	p.key ^= keys.man[piece&15][s]
}

// attackers is the set of men of the colour that attack the square when occ is occupied.
func (p *Position) attackers(s Square, by Color, occ Bitboard) Bitboard {
	s &= 63
	queens := p.roles[Queen]
	return p.colors[by] & (pawnAttacks[by.Other()][s]&p.roles[Pawn] |
		knightAttacks[s]&p.roles[Knight] |
		kingAttacks[s]&p.roles[King] |
		bishopAttacks(s, occ)&(p.roles[Bishop]|queens) |
		rookAttacks(s, occ)&(p.roles[Rook]|queens))
}

// Attackers is the set of men of the colour that attack the square, pinned ones included (Laws 3.1.2).
func (p *Position) Attackers(s Square, by Color) Bitboard { return p.attackers(s, by, p.Occupied()) }

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool {
	return p.Attackers(p.KingSquare(p.turn), p.turn.Other()) != 0
}
