// Package trf reads FIDE tournament report files, TRF16 and TRF26, as pairing programs
// write them, and writes the part of one that such programs need to pair a round. It
// reads what an event needs: players with their rounds, and what the headers say of
// name, place and time control; other lines are passed over.
//
// Columns are fixed (fact sheet on laws and time controls 6.1). Files come with CRLF, a
// byte-order mark, blanks at the ends of lines, and letters in Latin-1.
package trf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardd/clock"
	"boardd/rules/event/standings"
)

// File is what a report says.
type File struct {
	Name, City, Federation string
	Type                   string // 092, as written
	ChiefArbiter           string
	// TimeControl is the text of 222, or of 122; Control what it means, nil when it can
	// not be told.
	TimeControl string
	Control     *clock.Control
	Rounds      int // 142, or XXR; else the longest row
	Players     []Player
}

// Player is a 001 line.
type Player struct {
	Line       int // in the file
	Number     int
	Sex, Title string
	Name       string
	Rating     int
	Federation string
	FIDEID     string
	Rounds     []standings.Round
}

// Error is a fault with its place; columns count from 1.
type Error struct {
	File          string
	Line, Column  int
	Expected, Got string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: expected %s, got %s", e.File, e.Line, e.Column, e.Expected, e.Got)
}

const (
	maxLines   = 20000
	maxPlayers = 5000
	maxRounds  = 100
	roundsAt   = 92 // column of the first round
	roundWidth = 10
)

// Read reads a whole file; name is for errors, which are an *Error.
func Read(name string, text []byte) (*File, error) {
	f := &File{}
	seen := map[int]int{}
	for i, line := range lines(text) {
		at := func(column int, expected, got string) error {
			return &Error{name, i + 1, column, expected, got}
		}
		if i >= maxLines {
			return nil, at(1, fmt.Sprintf("at most %d lines", maxLines), "more")
		}
		if len(line) < 3 {
			continue
		}
		value := strings.TrimSpace(line[3:])
		switch line[:3] {
		case "012":
			f.Name = value
		case "022":
			f.City = value
		case "032":
			f.Federation = value
		case "092":
			f.Type = value
		case "102":
			f.ChiefArbiter = value
		case "122":
			if f.TimeControl == "" {
				f.TimeControl = value
				f.Control = control(value, clock.People)
			}
		case "222":
			parsed, err := clock.Parse(value, clock.Canonical)
			if err != nil {
				return nil, at(5, "a time control as in 5400+30", strconv.Quote(value))
			}
			f.TimeControl, f.Control = value, &parsed.Control
		case "142", "XXR":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > maxRounds {
				return nil, at(5, fmt.Sprintf("a number of rounds, 1 to %d", maxRounds), strconv.Quote(value))
			}
			f.Rounds = n
		case "001":
			p, err := player(line, at)
			if err != nil {
				return nil, err
			}
			if first, twice := seen[p.Number]; twice {
				return nil, at(5, fmt.Sprintf("another start number than in line %d", first), strconv.Itoa(p.Number))
			}
			if len(f.Players) >= maxPlayers {
				return nil, at(1, fmt.Sprintf("at most %d players", maxPlayers), "more")
			}
			p.Line, seen[p.Number] = i+1, i+1
			f.Players = append(f.Players, p)
		}
	}
	if len(f.Players) == 0 {
		return nil, &Error{name, 1, 1, "players (lines that begin with 001)", "none"}
	}
	for _, p := range f.Players {
		f.Rounds = max(f.Rounds, len(p.Rounds))
		for n, r := range p.Rounds {
			if _, known := seen[r.Opponent]; r.Opponent != 0 && !known {
				return nil, &Error{name, p.Line, roundsAt + n*roundWidth, "the start number of another player", strconv.Itoa(r.Opponent)}
			}
		}
	}
	return f, nil
}

// Table is the crosstable of the players. Its errors are those of standings.New.
func (f *File) Table() (*standings.Table, error) {
	players := make([]standings.Player, len(f.Players))
	for i, p := range f.Players {
		players[i] = standings.Player{Number: p.Number, Rounds: p.Rounds}
	}
	return standings.New(players)
}

func control(text string, context clock.Context) *clock.Control {
	parsed, err := clock.Parse(text, context)
	if err != nil {
		return nil
	}
	return &parsed.Control
}

// lines are those of a file in letters of one byte each: columns are counted in
// characters, which the file may have written as UTF-8.
func lines(text []byte) []string {
	s := strings.TrimPrefix(string(text), "\ufeff")
	if !utf8.ValidString(s) { // Latin-1: each byte is the character of that number
		runes := make([]rune, len(s))
		for i := range len(s) {
			runes[i] = rune(s[i])
		}
		s = string(runes)
	}
	list := strings.Split(s, "\n")
	for i := range list {
		list[i] = strings.TrimRight(list[i], " \t\r")
	}
	return list
}

// field is what stands in columns first to last of a line, from 1.
func field(line []rune, first, last int) string {
	if len(line) < first {
		return ""
	}
	return strings.TrimSpace(string(line[first-1 : min(last, len(line))]))
}

func player(text string, at func(int, string, string) error) (p Player, err error) {
	line := []rune(text)
	number := func(first, last int, what string, least int) (int, error) {
		s := field(line, first, last)
		if s == "" && least == 0 {
			return 0, nil
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < least {
			return 0, at(first, what, strconv.Quote(s))
		}
		return n, nil
	}
	if p.Number, err = number(5, 8, "a start number", 1); err != nil {
		return p, err
	}
	p.Sex, p.Title, p.Name = field(line, 10, 10), field(line, 11, 13), field(line, 15, 47)
	if p.Name == "" {
		return p, at(15, "a name", "none")
	}
	if p.Rating, err = number(49, 52, "a rating", 0); err != nil {
		return p, err
	}
	p.Federation, p.FIDEID = field(line, 54, 56), field(line, 58, 68)
	for column := roundsAt; column <= len(line); column += roundWidth {
		if len(p.Rounds) == maxRounds {
			return p, at(column, fmt.Sprintf("at most %d rounds", maxRounds), "more")
		}
		r, err := round(line, column, at)
		if err != nil {
			return p, err
		}
		p.Rounds = append(p.Rounds, r)
	}
	return p, nil
}

// outcomes are the result codes of a round (fact sheet 6.1); W, D and L are games that
// are not rated.
var outcomes = map[string]standings.Outcome{
	"1": standings.Win, "=": standings.Draw, "0": standings.Loss, "W": standings.Win, "D": standings.Draw, "L": standings.Loss,
	"+": standings.ForfeitWin, "-": standings.ForfeitLoss, "H": standings.HalfBye, "F": standings.FullBye, "U": standings.FullBye,
	"Z": standings.ZeroBye, "": standings.Absent,
}

func round(line []rune, column int, at func(int, string, string) error) (r standings.Round, err error) {
	opponent, colour, code := field(line, column, column+3), field(line, column+5, column+5), strings.ToUpper(field(line, column+7, column+7))
	if opponent != "" && strings.Trim(opponent, "0") != "" {
		if r.Opponent, err = strconv.Atoi(opponent); err != nil || r.Opponent < 0 {
			return r, at(column, "the start number of an opponent", strconv.Quote(opponent))
		}
	}
	switch colour {
	case "b":
		r.Black = true
	case "w", "-", "":
	default:
		return r, at(column+5, "w, b or -", strconv.Quote(colour))
	}
	outcome, known := outcomes[code]
	if !known {
		return r, at(column+7, "a result: one of 1 = 0 + - W D L H F U Z", strconv.Quote(code))
	}
	r.Outcome = outcome
	if r.Opponent == 0 && outcome.Played() {
		return r, at(column, "an opponent of a game that was played", "none")
	}
	return r, nil
}
