package rules

import (
	"fmt"
	"strings"
)

// Result is the result of a game as PGN writes it.
type Result string

// The four results of PGN section 8.1.1.7.
const (
	Unfinished Result = "*"
	WhiteWins  Result = "1-0"
	BlackWins  Result = "0-1"
	Draw       Result = "1/2-1/2"
)

// ParseResult reads one of the four results; the typographic half and long dashes are understood.
func ParseResult(text string) (Result, error) {
	switch plain := dashes.Replace(text); plain {
	case "*", "1-0", "0-1", "1/2-1/2":
		return Result(plain), nil
	case "½-½", "1/2":
		return Draw, nil
	}
	return Unfinished, fmt.Errorf("expected 1-0, 0-1, 1/2-1/2 or *, got %q", clip(text))
}

var dashes = strings.NewReplacer("–", "-", "—", "-", "−", "-", "‑", "-")

// Win is the result in which that colour wins.
func Win(c Color) Result {
	if c == White {
		return WhiteWins
	}
	return BlackWins
}
