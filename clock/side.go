package clock

import "fmt"

// Player is one of the two who share a clock. Which side of the device is whose
// is known to the venue only: nothing in this package says left or right.
type Player uint8

// The players.
const (
	White Player = iota
	Black
)

// Players lists both, to be ranged over.
var Players = [...]Player{White, Black}

// Other is the opponent.
func (p Player) Other() Player { return p ^ 1 }

// String is "white" or "black".
func (p Player) String() string {
	switch p {
	case White:
		return "white"
	case Black:
		return "black"
	}
	return fmt.Sprintf("player %d", uint8(p))
}
