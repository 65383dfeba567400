package roster

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"boardd/rules"
)

// columns are the names of columns a table may have, and what belongs there. Their order
// is free, round, white and black are needed.
var columns = []string{"round", "board", "white", "black", "result", "white_title", "black_title", "white_rating", "black_rating",
	"white_federation", "black_federation", "white_fide_id", "black_fide_id"}

// ReadCSV reads a table with a line of column names: round, board, white, black,
// result and, for both players, title, rating, federation and fide_id with white_ or
// black_ in front. Commas, semicolons and tabs part the columns. Errors are an *Error.
func ReadCSV(name string, text []byte) ([]Pairing, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	for _, comma := range []rune{';', '\t'} {
		if bytes.ContainsRune(first, comma) {
			r.Comma = comma
		}
	}
	head, err := r.Read()
	if err != nil {
		return nil, &Error{name, 1, "", "a line of column names (" + strings.Join(columns, ", ") + ")", "none"}
	}
	at, err := columnsOf(name, head)
	if err != nil {
		return nil, err
	}
	var list []Pairing
	seen, next := boards{}, map[int]int{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		line, _ := r.FieldPos(0)
		if err != nil {
			var parse *csv.ParseError
			if errors.As(err, &parse) {
				line = parse.Line
			}
			return nil, &Error{name, line, "", "a line of a table", err.Error()}
		}
		p, err := pairingOf(name, line, record, at)
		if err != nil {
			return nil, err
		}
		if p.Board == 0 {
			next[p.Round]++
			p.Board = next[p.Round]
		}
		if err := p.check(name); err != nil {
			return nil, err
		}
		if err := seen.add(name, &p); err != nil {
			return nil, err
		}
		if list = append(list, p); len(list) > maxPairings {
			return nil, &Error{name, line, "", "at most " + strconv.Itoa(maxPairings) + " games", "more"}
		}
	}
	if len(list) == 0 {
		return nil, &Error{name, 1, "", "games below the column names", "none"}
	}
	return list, nil
}

func columnsOf(name string, head []string) (map[string]int, error) {
	at := map[string]int{}
	for i, text := range head {
		column := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), " ", "_")
		known := false
		for _, c := range columns {
			known = known || c == column
		}
		if !known {
			return nil, &Error{name, 1, "", "column names (" + strings.Join(columns, ", ") + ")", strconv.Quote(text)}
		}
		if _, twice := at[column]; twice {
			return nil, &Error{name, 1, column, "each column once", "it again"}
		}
		at[column] = i
	}
	for _, needed := range []string{"round", "white", "black"} {
		if _, there := at[needed]; !there {
			return nil, &Error{name, 1, "", "a column " + needed, "none"}
		}
	}
	return at, nil
}

func pairingOf(name string, line int, record []string, at map[string]int) (p Pairing, err error) {
	p.Line = line
	get := func(column string) string {
		if i, there := at[column]; there && i < len(record) {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	fault := func(column, expected string) error {
		return &Error{name, line, column, expected, strconv.Quote(get(column))}
	}
	var ok bool
	if p.Round, p.Board, ok = roundAndBoard(get("round"), get("board")); !ok {
		if _, err := strconv.Atoi(get("round")); err != nil {
			return p, fault("round", "a number")
		}
		return p, fault("board", "a number")
	}
	for _, side := range []struct {
		prefix string
		player *Player
	}{{"white", &p.White}, {"black", &p.Black}} {
		q := side.player
		q.Name, q.Title, q.Federation, q.FIDEID = get(side.prefix), get(side.prefix+"_title"), get(side.prefix+"_federation"), get(side.prefix+"_fide_id")
		if q.Rating, ok = rating(get(side.prefix + "_rating")); !ok {
			return p, fault(side.prefix+"_rating", "a rating")
		}
	}
	p.Result = rules.Unfinished
	switch text := get("result"); text {
	case "", "*":
	case "+-", "-+", "--":
		p.ByForfeit = true
		p.Result = map[string]rules.Result{"+-": rules.WhiteWins, "-+": rules.BlackWins, "--": rules.Unfinished}[text]
	default:
		if p.Result, err = rules.ParseResult(strings.ReplaceAll(text, "½", "1/2")); err != nil {
			return p, fault("result", "1-0, 0-1, 1/2-1/2, +-, -+, -- or nothing")
		}
	}
	return p, nil
}
