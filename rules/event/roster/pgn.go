package roster

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"boardd/rules"
)

// ReadPGN reads the headers of a PGN file; the moves, if there are any, are for others.
// Round is "3.1" or has Board beside it; games without a board are numbered in the order
// of the file. Errors are an *Error with the line where the game begins.
func ReadPGN(name string, text []byte) ([]Pairing, error) {
	var list []Pairing
	seen, next := boards{}, map[int]int{}
	r := rules.NewPGNReader(bytes.NewReader(text), name)
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		p := Pairing{Line: r.Line()}
		if err != nil {
			return nil, &Error{name, max(1, p.Line), "", "a game in PGN", err.Error()} // nothing was read: it is the first line
		}
		tag := g.Tags.Get
		fault := func(field, expected string) error {
			return &Error{name, p.Line, field, expected, strconv.Quote(tag(field))}
		}
		var ok bool
		if p.Round, p.Board, ok = roundAndBoard(tag("Round"), tag("Board")); !ok {
			return nil, fault("Round", `a round as in "3" or "3.1"`)
		}
		if p.Board == 0 {
			next[p.Round]++
			p.Board = next[p.Round]
		}
		if p.White.Rating, ok = rating(tag("WhiteElo")); !ok {
			return nil, fault("WhiteElo", "a rating")
		}
		if p.Black.Rating, ok = rating(tag("BlackElo")); !ok {
			return nil, fault("BlackElo", "a rating")
		}
		p.White.Name, p.White.Title, p.White.FIDEID = tag("White"), tag("WhiteTitle"), tag("WhiteFideId")
		p.Black.Name, p.Black.Title, p.Black.FIDEID = tag("Black"), tag("BlackTitle"), tag("BlackFideId")
		p.Result = g.Result
		p.ByForfeit = g.Len() == 0 && (tag("Termination") == "unplayed" || tag("Termination") == "forfeit")
		if err := p.check(name); err != nil {
			return nil, err
		}
		if err := seen.add(name, &p); err != nil {
			return nil, err
		}
		if list = append(list, p); len(list) > maxPairings {
			return nil, &Error{name, p.Line, "", "at most " + strconv.Itoa(maxPairings) + " games", "more"}
		}
	}
	if len(list) == 0 {
		return nil, &Error{name, 1, "", "games with headers", "none"}
	}
	return list, nil
}
