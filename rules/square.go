package rules

import "fmt"

// Square is a square of the board: a1 = 0, b1 = 1, ... h8 = 63.
type Square uint8

// NoSquare is no square at all.
const NoSquare Square = 64

// The corner and king squares of the standard game.
const (
	A1 Square = 0
	C1 Square = 2
	E1 Square = 4
	G1 Square = 6
	H1 Square = 7
	A8 Square = 56
	C8 Square = 58
	E8 Square = 60
	G8 Square = 62
	H8 Square = 63
)

// MakeSquare is the square on that file (0 = a) and rank (0 = first rank).
func MakeSquare(file, rank int) Square { return Square(rank<<3 | file) }

// File is 0 for the a-file to 7 for the h-file.
func (s Square) File() int { return int(s & 7) }

// Rank is 0 for the first rank to 7 for the eighth.
func (s Square) Rank() int { return int(s >> 3) }

// String is the algebraic name ("e4"), "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return squareNames[2*s : 2*s+2]
}

// Light reports whether the square is a light one (h1 is).
func (s Square) Light() bool { return (s.File()+s.Rank())&1 == 1 }

var squareNames = func() string {
	var b [128]byte
	for s := range 64 {
		b[2*s], b[2*s+1] = byte('a'+s&7), byte('1'+s>>3)
	}
	return string(b[:])
}()

// ParseSquare reads an algebraic name in lower case.
func ParseSquare(s string) (Square, error) {
	if len(s) == 2 && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8' {
		return MakeSquare(int(s[0]-'a'), int(s[1]-'1')), nil
	}
	return NoSquare, fmt.Errorf("expected a square a1 to h8, got %q", s)
}
