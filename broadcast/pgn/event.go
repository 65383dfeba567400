package pgn

import (
	"cmp"
	"fmt"
	"strings"

	"boardd/clock"
)

// Event is what the files say of an event beside the tags of its boards.
type Event struct {
	// ID is the name of the event's folder and the beginning of each GameId; letters, digits and dashes. A
	// name that changes must not change it.
	ID   string
	Name string
	Site string
	// Round is the round that is played, as a tag Round without the board has it; "" is not known.
	Round    string
	Chess960 bool // games may begin from other arrays
	// TimeControl is that of every table; tags of a board win over it. nil is not known.
	TimeControl *clock.Control
	// Serials are the serial numbers of boards by table.
	Serials map[int]string
	// Spelling is how tags TimeControl are written.
	Spelling Spelling
	// Layout is which PGN files there are.
	Layout Layout
}

// Spelling is a way to write the tag TimeControl. Lichess takes numbers up to 180 for minutes, so that the standard's
// 180+2 is three hours there (livechess-and-broadcast C.5).
type Spelling string

// The spellings.
const (
	Standard  Spelling = "pgn"       // PGN section 9.6.1
	Lichess   Spelling = "lichess"   // "3 min + 2 sec"
	LiveChess Spelling = "livechess" // "3m+2s"
)

// control spells a time control; "" when that spelling has no words for it.
func (s Spelling) control(c clock.Control) string {
	switch s {
	case Lichess:
		return c.Lichess()
	case LiveChess:
		return c.LiveChess()
	case Standard:
	}
	if text := c.PGN(); text != "?" {
		return text
	}
	return ""
}

// Layout is which PGN files a round has. Some programs want one file a game, others all in one, and some are
// confused by both (livechess-and-broadcast C.7, E.1 row 14).
type Layout string

// The layouts. Over HTTP there are always both.
const (
	Both     Layout = "both"
	Games    Layout = "games"    // game-M.pgn
	Combined Layout = "combined" // games.pgn
)

// EventID makes an ID of an event's name: "St. Louis Rapid" is "st-louis-rapid". One without a letter or digit that
// ASCII knows is "event".
func EventID(name string) string {
	id := slug(name)
	return cmp.Or(id[:min(len(id), 60)], "event")
}

func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}

// ParseSpelling reads the name of a spelling.
func ParseSpelling(text string) (Spelling, error) {
	switch s := Spelling(text); s {
	case Standard, Lichess, LiveChess:
		return s, nil
	}
	return "", fmt.Errorf("expected pgn, lichess or livechess, got %q", text)
}

// ParseLayout reads the name of a layout.
func ParseLayout(text string) (Layout, error) {
	switch l := Layout(text); l {
	case Both, Games, Combined:
		return l, nil
	}
	return "", fmt.Errorf("expected both, games or combined, got %q", text)
}
