package rules

import "fmt"

// Result is the result of a game as PGN writes it.
type Result string

// The four results of PGN section 8.1.1.7.
const (
	Unfinished Result = "*"
	WhiteWins  Result = "1-0"
	BlackWins  Result = "0-1"
	Draw       Result = "1/2-1/2"
)

// ParseResult reads one of the four results; the typographic half is understood.
func ParseResult(text string) (Result, error) {
	switch text {
	case "*", "1-0", "0-1", "1/2-1/2":
		return Result(text), nil
	case "½-½", "1/2":
		return Draw, nil
	}
	return Unfinished, fmt.Errorf("expected 1-0, 0-1, 1/2-1/2 or *, got %q", clip(text))
}

// Win is the result in which that colour wins.
func Win(c Color) Result {
	if c == White {
		return WhiteWins
	}
	return BlackWins
}
