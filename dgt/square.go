package dgt

// Square is a square by its number on the wire, 0 to 63. 0 is a8 and 63 is h1
// when the board's connector is on White's left (section 2.4). The board never
// renumbers, whichever way it stands.
type Square uint8

// Squares is the number of squares of a chess board.
const Squares = 64

// Valid reports whether s is on the board.
func (s Square) Valid() bool { return s < Squares }

// Turned returns the square as it reads when the board stands the other way
// round.
func (s Square) Turned() Square { return Squares - 1 - s }

// String names the square as if the connector were on White's left: "a8" for
// 0. For a square off the board it returns "??".
func (s Square) String() string {
	if !s.Valid() {
		return "??"
	}
	return string([]byte{'a' + byte(s)%8, '8' - byte(s)/8})
}

// Side is a side of the clock as seen from its front. It does not turn with
// the board and says nothing about colours.
type Side uint8

// The two sides of a clock.
const (
	Left Side = iota
	Right
)

// Other returns the opposite side.
func (s Side) Other() Side { return s ^ 1 }

// String returns "left" or "right".
func (s Side) String() string {
	if s == Left {
		return "left"
	}
	return "right"
}
