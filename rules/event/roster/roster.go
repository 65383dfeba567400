// Package roster reads the pairings of rounds as pairing programs and secretaries give
// them to the people at the boards: PGN files with headers only, and tables in CSV. It
// says who plays whom at which board, and the result where the file has one; whether
// the players are those of the event is for others to say.
package roster

import (
	"fmt"
	"strconv"
	"strings"

	"boardd/rules"
)

// Pairing is one game of a round.
type Pairing struct {
	Line         int // in the file
	Round, Board int // from 1
	White, Black Player
	// Result is Unfinished where the file says none; ByForfeit, that nobody played.
	Result    rules.Result
	ByForfeit bool
}

// Player is how a file names a player.
type Player struct {
	Name       string
	Title      string
	Rating     int // 0 for none
	Federation string
	FIDEID     string
}

// Error is a fault with its place.
type Error struct {
	File          string
	Line          int
	Field         string // the tag or column, "" for the line
	Expected, Got string
}

func (e *Error) Error() string {
	field := ""
	if e.Field != "" {
		field = e.Field + ": "
	}
	return fmt.Sprintf("%s:%d: %sexpected %s, got %s", e.File, e.Line, field, e.Expected, e.Got)
}

const (
	maxRound, maxBoard = 100, 9999
	maxPairings        = 100000
)

// check says what is wrong with a pairing as it was read, nil for nothing.
func (p *Pairing) check(file string) error {
	fault := func(field, expected, got string) error { return &Error{file, p.Line, field, expected, got} }
	switch {
	case p.Round < 1 || p.Round > maxRound:
		return fault("round", fmt.Sprintf("a round from 1 to %d", maxRound), strconv.Itoa(p.Round))
	case p.Board < 1 || p.Board > maxBoard:
		return fault("board", fmt.Sprintf("a board from 1 to %d", maxBoard), strconv.Itoa(p.Board))
	case p.White.Name == "" && p.White.FIDEID == "":
		return fault("white", "a name", "none")
	case p.Black.Name == "" && p.Black.FIDEID == "":
		return fault("black", "a name", "none")
	case p.White == p.Black:
		return fault("black", "another player than White", strconv.Quote(p.Black.Name))
	}
	return nil
}

// boards refuses a board that a round has twice.
type boards map[[2]int]int

func (b boards) add(file string, p *Pairing) error {
	key := [2]int{p.Round, p.Board}
	if first, twice := b[key]; twice {
		return &Error{file, p.Line, "board", fmt.Sprintf("another board of round %d than in line %d", p.Round, first), strconv.Itoa(p.Board)}
	}
	b[key] = p.Line
	return nil
}

// roundAndBoard reads "3.1", or "3" with the board apart; 0 for what is not there.
func roundAndBoard(round, board string) (r, b int, ok bool) {
	first, second, both := strings.Cut(strings.TrimSpace(round), ".")
	r, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	if board != "" {
		second, both = board, true
	}
	if !both {
		return r, 0, true
	}
	b, err = strconv.Atoi(strings.TrimSpace(second))
	return r, b, err == nil
}

// rating is a number, or none for what files write instead ("-", "0", "?").
func rating(text string) (int, bool) {
	switch text = strings.TrimSpace(text); text {
	case "", "-", "?", "unrated":
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n < 4000
}
