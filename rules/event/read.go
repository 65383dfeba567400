package event

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/event/pairing"
	"boardd/tomlfile"
)

// Limits of what a file may say.
const (
	maxBytes  = 1 << 20
	maxRounds = 99
	maxNumber = 9999 // of players and tables
)

// Read reads the text of an event file; name is the file's, for faults. The
// error is nil or a [tomlfile.Faults] with all that is wrong. Files that the
// text names are not looked at.
func Read(name string, text []byte) (*Event, error) {
	if len(text) > maxBytes {
		return nil, tomlfile.Faults{{File: name, Line: 1, Column: 1, Expected: fmt.Sprintf("at most %d bytes", maxBytes), Got: "more"}}
	}
	doc, fault := tomlfile.Parse(name, text)
	if fault != nil {
		return nil, tomlfile.Faults{fault}
	}
	e := &Event{}
	readEvent(doc.Root(), e)
	if faults := doc.Faults(); len(faults) > 0 {
		return nil, faults
	}
	return e, nil
}

func readEvent(s *tomlfile.Section, e *Event) {
	s.Text("name", &e.Name, someLine)
	s.Require("name")
	s.Text("place", &e.Place, tomlfile.ShortLine)
	readEdition(s, e)
	readDraws(s, e)
	readDefaultTime(s, e)
	delay := 15 * 60 // design: spectators see everything a quarter of an hour later
	s.Integer("delay", &delay, 0, 24*60*60)
	e.Delay = time.Duration(delay) * time.Second
	s.Texts("sections", &e.Sections, someLine)
	var last string
	s.Text("still-tied", &last, tomlfile.OneOf("arbiter", "lots"))
	if last == "lots" {
		e.StillTied = pairing.AskLots
	}
	for _, row := range s.Tables("official") {
		var o Official
		row.Text("role", &o.Role, someLine)
		row.Require("role")
		row.Text("name", &o.Name, someLine)
		row.Require("name")
		row.Done()
		e.Officials = append(e.Officials, o)
	}
	readPlayers(s, e)
	readWithdrawn(s, e)
	readStages(s, e)
	readPenalties(s, e)
	s.Done()
}

// readWithdrawn reads who has left, and how many games make results stand.
func readWithdrawn(s *tomlfile.Section, e *Event) {
	e.ResultsStand = 6 // fact sheet 1, Barbados
	s.Integer("results-stand", &e.ResultsStand, 0, maxRounds)
	s.Integers("withdrawn", &e.Withdrawn, 1, maxNumber)
	for i, number := range e.Withdrawn {
		if _, known := e.Player(number); !known {
			s.BadRow("withdrawn", i, "the number of a player", strconv.Itoa(number))
		}
	}
}

func readEdition(s *tomlfile.Section, e *Event) {
	const oldest, newest = 1900, 2100 // a year; which ones are known is said below
	year := 2023
	s.Integer("edition", &year, oldest, newest)
	edition, err := rules.ParseEdition(strconv.Itoa(year))
	if err != nil {
		s.Bad("edition", "an edition of the Laws, 2023, 2018 or 2005", strconv.Itoa(year))
	}
	e.Edition = edition
}

func readDraws(s *tomlfile.Section, e *Event) {
	text := "allowed"
	s.Text("draws", &text, func(text string) string {
		if _, err := rules.ParseDrawRule(text); err != nil {
			return `"allowed", "claims-only" or "no-offers-before = N" with 1 to 200 moves`
		}
		return ""
	})
	e.Draws, _ = rules.ParseDrawRule(text) // the check has told what is wrong
}

// readDefaultTime reads minutes or "none". What is not stated is 0 (Laws 6.7.1).
func readDefaultTime(s *tomlfile.Section, e *Event) {
	e.Default = DefaultTime{Applies: true}
	if s.IsText("default-time") {
		var none string
		s.Text("default-time", &none, func(text string) string {
			if text == "none" {
				return ""
			}
			return `minutes without quotes, or "none"`
		})
		e.Default.Applies = none == ""
		return
	}
	const longest = 24 * 60
	minutes := 0
	s.Integer("default-time", &minutes, 0, longest)
	e.Default.After = time.Duration(minutes) * time.Minute
}

var titles = []string{"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "NM", "CGM", "SIM", "CIM", "CCM", "CCE", "LGM", "LIM"}

func readPlayers(s *tomlfile.Section, e *Event) {
	rows := s.Tables("player")
	numbers, names, ids := map[string]bool{}, map[string]bool{}, map[string]bool{}
	players := make([]Player, len(rows)) // by number
	for i, row := range rows {
		p := Player{Number: i + 1}
		if row.Integer("number", &p.Number, 1, len(rows)); row.Has("number") {
			row.Once("number", strconv.Itoa(p.Number), numbers)
		} else if numbers[strconv.Itoa(p.Number)] {
			row.Require("number")
		} else {
			numbers[strconv.Itoa(p.Number)] = true
		}
		row.Text("name", &p.Name, someLine)
		row.Require("name")
		row.Once("name", p.Name, names)
		row.Text("title", &p.Title, tomlfile.OneOf(titles...))
		row.Integer("rating", &p.Rating, 1, 3999)
		row.Text("federation", &p.Federation, federation)
		row.Integer("fide-id", &p.FIDEID, 1, 999_999_999)
		if p.FIDEID != 0 {
			row.Once("fide-id", strconv.Itoa(p.FIDEID), ids)
		}
		row.Text("section", &p.Section, oneOfSections(e.Sections))
		if len(e.Sections) > 0 {
			row.Require("section")
		}
		row.Done()
		players[p.Number-1] = p
	}
	e.Players = players
}

func federation(text string) string {
	if len(text) != 3 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "three capital letters, as in POL"
	}
	return ""
}

func oneOfSections(sections []string) tomlfile.Check {
	if len(sections) == 0 {
		return func(string) string { return "no section, since the event's sections are not listed" }
	}
	return oneOf(sections)
}

// oneOf is the tomlfile check for a list that may have one entry.
func oneOf(names []string) tomlfile.Check {
	if len(names) == 1 {
		return func(text string) string {
			if text == names[0] {
				return ""
			}
			return names[0]
		}
	}
	return tomlfile.OneOf(names...)
}

func someLine(text string) string {
	if strings.TrimSpace(text) == "" {
		return "a text that is not empty"
	}
	return tomlfile.ShortLine(text)
}
