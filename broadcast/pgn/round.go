package pgn

import (
	"cmp"
	"strconv"
	"strings"
)

// Round is a round of the event. Part counts what is played in it on the same board one after the other: the second
// game of a match in a round is round "3.2" (livechess-and-broadcast D.1.9).
type Round struct {
	Name string // "3", or a name; "1" when nobody said
	Part int    // from 1
}

// roundOf is the round by a tag Round, which may have the board behind a dot unless it is the one of the event.
func roundOf(tag string, board int, event string) Round {
	tag = strings.TrimSpace(tag)
	if tag != event {
		tag = strings.TrimSuffix(tag, "."+strconv.Itoa(board))
	}
	if tag == "" || tag == "?" || tag == "-" {
		tag = "1"
	}
	if name, part, dotted := strings.Cut(tag, "."); dotted {
		if n, err := strconv.Atoi(part); err == nil && n >= 1 && n <= maxRounds && digits(name) && strconv.Itoa(n) == part {
			return Round{name, n}
		}
	}
	return Round{tag, 1}
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Folder is the round's folder: "round-3", "round-3.2" for a second part. A name becomes what a file may be called.
func (r Round) Folder() string {
	name := r.Name
	if !digits(name) || len(name) > 9 {
		name = cmp.Or(slug(name), "x")
		name = name[:min(len(name), 60)]
	}
	return "round-" + r.part(name)
}

// Tag is the tag Round of a board: "3.12".
func (r Round) Tag(board int) string {
	return r.part(r.Name) + "." + strconv.Itoa(board)
}

func (r Round) part(name string) string {
	if r.Part > 1 {
		name += "." + strconv.Itoa(r.Part)
	}
	return name
}

// number is the round's number in tournament.json; 0 for one that has none there.
func (r Round) number() int {
	if r.Part > 1 {
		return 0
	}
	n, err := strconv.Atoi(r.Name)
	if err != nil || n < 1 || n > maxRounds || "round-"+strconv.Itoa(n) != r.Folder() {
		return 0
	}
	return n
}

// maxRounds is more than any event has.
const maxRounds = 999
