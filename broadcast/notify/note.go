package notify

import (
	"fmt"
	"strings"
	"time"

	"boardd/broadcast"
)

// Note is one thing that somebody may want to be told of.
type Note struct {
	// ID is the same in every attempt to tell of it, and of no other note.
	ID string `json:"id"`
	// At is when it was raised, by the clock on the wall.
	At time.Time `json:"time"`
	// Table is its number, from 1; 0 is the whole hall.
	Table int `json:"table,omitempty"`
	// Code is that of the alert, "claim." and the step of a claim (claim.opened), or board.lost.
	Code string `json:"code"`
	// Text is for people, in one line.
	Text string `json:"text,omitempty"`
	// Ply is the half-move it is about, from 1; 0 for none. Operators are not told it.
	Ply int `json:"ply,omitempty"`
	// Cleared says that what was told is over.
	Cleared bool `json:"cleared,omitempty"`
	// Tape and Event say where it is in the table's recording.
	Tape  string `json:"tape,omitempty"`
	Event int    `json:"event,omitempty"`

	// mark tells alerts of one code apart that clear by themselves: whose flag it is.
	mark string
}

// noteOf is what a change tells people; false for what they need not be told, and for what was told before the
// daemon was started anew.
func noteOf(c broadcast.Change, now time.Time) (Note, bool) {
	n := Note{At: now, Table: c.Board, Code: c.Code, Text: oneLine(c.Detail), Ply: c.Ply, Cleared: c.Cleared, Tape: c.Tape, Event: c.Event}
	switch {
	case c.Again:
		return Note{}, false
	case c.Type == broadcast.TypeAlert:
		if c.Text != "" {
			n.Text, n.mark = oneLine(c.Text), c.Detail
		}
	case c.Type == broadcast.TypeClaim:
		n.Code = "claim." + c.Code
	case c.Type == broadcast.TypeStatus && (c.Status == broadcast.LinkLost || c.Status == broadcast.LinkBack):
		n.Code, n.Text, n.Cleared = "board.lost", oneLine(c.Text), c.Status == broadcast.LinkBack
	default:
		return Note{}, false
	}
	return n, true
}

// key is what a raising and its clearing have in common.
type key struct {
	table      int
	code, mark string
}

func (n *Note) key() key { return key{n.Table, n.Code, n.mark} }

// Line is the note for a person: when, where, what.
func (n *Note) Line() string {
	var b strings.Builder
	b.WriteString(n.At.Format("15:04:05 "))
	if n.Table > 0 {
		fmt.Fprintf(&b, "table %d: ", n.Table)
	}
	b.WriteString(n.Code)
	if n.Cleared {
		b.WriteString(" is over")
	}
	if n.Text != "" {
		b.WriteString(": " + n.Text)
	}
	if n.Ply > 0 {
		fmt.Fprintf(&b, " (move %d)", (n.Ply+1)/2)
	}
	return b.String()
}

// maxText bounds a note's text, in bytes: some services refuse long messages as a whole.
const maxText = 300

func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return text
}
