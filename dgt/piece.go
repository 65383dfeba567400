package dgt

// Piece is a piece code on the wire (section 2.3). The order is the board's
// own: rook, knight, bishop, king, queen.
type Piece uint8

// The sixteen codes a chess board can report. The three result pieces are
// figures laid on any square to enter a result.
const (
	Empty Piece = iota
	WhitePawn
	WhiteRook
	WhiteKnight
	WhiteBishop
	WhiteKing
	WhiteQueen
	BlackPawn
	BlackRook
	BlackKnight
	BlackBishop
	BlackKing
	BlackQueen
	ResultDraw
	ResultWhite
	ResultBlack
)

// Codes of a draughts board, which share numbers with chess men.
const (
	DraughtsWhiteMan   Piece = 1
	DraughtsBlackMan   Piece = 4
	DraughtsWhiteCrown Piece = 7
	DraughtsBlackCrown Piece = 10
)

const pieceLetters = ".PRNBKQprnbkqXYZ"

// Valid reports whether p is one of the sixteen codes.
func (p Piece) Valid() bool { return p <= ResultBlack }

// IsMan reports whether p is a chess man, neither empty nor a result piece.
func (p Piece) IsMan() bool { return p >= WhitePawn && p <= BlackQueen }

// IsResult reports whether p is one of the three result pieces.
func (p Piece) IsResult() bool { return p >= ResultDraw && p <= ResultBlack }

// Letter returns the FEN letter of a man, '.' for an empty square, X, Y and Z
// for the result pieces (draw, White wins, Black wins) and '?' for the rest.
func (p Piece) Letter() byte {
	if !p.Valid() {
		return '?'
	}
	return pieceLetters[p]
}

// String returns Letter as a string.
func (p Piece) String() string { return string([]byte{p.Letter()}) }

// PieceOfLetter is the inverse of Letter. ok is false for other letters.
func PieceOfLetter(c byte) (p Piece, ok bool) {
	for i := range len(pieceLetters) {
		if pieceLetters[i] == c {
			return Piece(i), true
		}
	}
	return Empty, false
}

// Placement is what stands on each square, by wire square.
type Placement [Squares]Piece

// StartPlacement returns the initial array with the connector on White's left.
func StartPlacement() Placement {
	return Placement{
		8, 9, 10, 12, 11, 10, 9, 8,
		7, 7, 7, 7, 7, 7, 7, 7,
		48: 1, 49: 1, 50: 1, 51: 1, 52: 1, 53: 1, 54: 1, 55: 1,
		56: 2, 57: 3, 58: 4, 59: 6, 60: 5, 61: 4, 62: 3, 63: 2,
	}
}

// Turned returns the placement as it reads from the other side.
func (p Placement) Turned() Placement {
	var t Placement
	for s, m := range p {
		t[Square(s).Turned()] = m
	}
	return t
}

// String returns the placement in the manner of FEN's first field, in wire
// order, so a board that stands turned reads turned.
func (p Placement) String() string {
	var b [72]byte
	out := b[:0]
	empty := byte(0)
	flush := func() {
		if empty > 0 {
			out = append(out, '0'+empty)
			empty = 0
		}
	}
	for s, m := range p {
		if s > 0 && s%8 == 0 {
			flush()
			out = append(out, '/')
		}
		if m == Empty {
			empty++
			continue
		}
		flush()
		out = append(out, m.Letter())
	}
	flush()
	return string(out)
}
