package rules

import (
	"fmt"
	"strings"
)

// Color is a player's colour: White or Black.
type Color uint8

// The two colours.
const (
	White Color = 0
	Black Color = 1
)

// Other is the opponent's colour.
func (c Color) Other() Color { return c ^ 1 }

// String is "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Name is "White" or "Black", for texts.
func (c Color) Name() string {
	if c == White {
		return "White"
	}
	return "Black"
}

// ParseColor reads "white" or "black", their first letters, upper or lower case.
func ParseColor(text string) (Color, error) {
	switch strings.ToLower(text) {
	case "white", "w":
		return White, nil
	case "black", "b":
		return Black, nil
	}
	return White, fmt.Errorf("expected white or black, got %q", clip(text))
}

// Role is the kind of a piece, without its colour.
type Role uint8

// The roles. NoRole is the role of an empty square and the promotion of a move that promotes nothing.
const (
	NoRole Role = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

const (
	roleLetters  = ".PNBRQK"
	pieceLetters = ".PNBRQK..pnbrqk."
)

// Letter is the upper-case English letter of the role (P N B R Q K), '.' for NoRole.
func (r Role) Letter() byte {
	if r > King {
		return '?'
	}
	return roleLetters[r]
}

// String is the English word for the role.
func (r Role) String() string {
	switch r {
	case Pawn:
		return "pawn"
	case Knight:
		return "knight"
	case Bishop:
		return "bishop"
	case Rook:
		return "rook"
	case Queen:
		return "queen"
	case King:
		return "king"
	}
	return "none"
}

// roleFromLetter reads an upper-case role letter; ok is false for any other byte.
func roleFromLetter(b byte) (r Role, ok bool) {
	switch b {
	case 'P':
		return Pawn, true
	case 'N':
		return Knight, true
	case 'B':
		return Bishop, true
	case 'R':
		return Rook, true
	case 'Q':
		return Queen, true
	case 'K':
		return King, true
	}
	return NoRole, false
}

// Piece is a coloured man: the role in the low three bits, the colour in the fourth.
type Piece uint8

// NoPiece stands on an empty square.
const NoPiece Piece = 0

// The twelve men.
const (
	WhitePawn Piece = Piece(Pawn) + iota
	WhiteKnight
	WhiteBishop
	WhiteRook
	WhiteQueen
	WhiteKing
)

// The black men.
const (
	BlackPawn Piece = 8 + Piece(Pawn) + iota
	BlackKnight
	BlackBishop
	BlackRook
	BlackQueen
	BlackKing
)

// NewPiece is the man of that colour and role; NoPiece for NoRole.
func NewPiece(c Color, r Role) Piece {
	if r == NoRole {
		return NoPiece
	}
	return Piece(c)<<3 | Piece(r)
}

// Color is the man's colour; White for NoPiece, so ask for the role first.
func (p Piece) Color() Color { return Color(p >> 3 & 1) }

// Role is the man's role.
func (p Piece) Role() Role { return Role(p & 7) }

// Letter is the FEN letter: PNBRQK for White, pnbrqk for Black, '.' for NoPiece.
func (p Piece) Letter() byte { return pieceLetters[p&15] }

// String is the FEN letter.
func (p Piece) String() string { return string(rune(p.Letter())) }

// PieceFromLetter reads a FEN letter; ok is false for any other byte.
func PieceFromLetter(b byte) (p Piece, ok bool) {
	c := White
	if b >= 'a' && b <= 'z' {
		c, b = Black, b-'a'+'A'
	}
	r, ok := roleFromLetter(b)
	return NewPiece(c, r), ok
}
