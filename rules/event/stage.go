package event

import (
	"fmt"
	"slices"
	"time"

	"boardd/clock"
	"boardd/rules/event/correspondence"
	"boardd/rules/event/pairing"
)

// Stage is a part of an event with a system and a time control of its own.
type Stage struct {
	Name    string
	Section string // played by the players of this section only; "" for all
	System  System
	// PlayOff marks a stage that is played only between players who are tied.
	PlayOff bool
	Control clock.Control // with who wins a drawn game
	Colours Colours
	// SwapLast has the last two rounds of the first of two cycles change places.
	SwapLast bool
	// Ties are the tie rules in the order they apply, by name.
	Ties []string

	// GroupSize is how many play each other, 0 for all; Groups are their
	// players' numbers, once they are known, in the order of the pairing table.
	GroupSize int
	Groups    [][]int
	SwissLen  int // rounds of a Swiss
	Games     int // of each match of a knock-out

	Tables   []int // of board 1, 2, ...; the board's own number when it has none
	Schedule []Slot
	// Pairings and Results are files beside the event's, "" for none. Nothing here
	// reads them: what they hold comes through [Event.Import].
	Pairings, Results string

	imported []Round // of a Swiss, see [Event.Import]
	results  *sheet  // see [Event.LoadFiles]

	// What follows is for correspondence.
	Overstep  correspondence.Rule
	Weight    correspondence.Points // for a win; half of it for a draw
	AdvanceAt correspondence.Points // raw points; 0 when nobody advances by points
}

// Slot is when a round is played.
type Slot struct {
	Round int
	// Start is what a clock on the wall of the venue shows; its zone means nothing.
	Start time.Time
}

// System is how a stage is paired.
type System uint8

// The systems.
const (
	RoundRobin System = iota
	DoubleRoundRobin
	Swiss // paired elsewhere, and imported
	KnockOut
	SuddenDeath
)

var systemNames = []string{"round robin", "double round robin", "swiss", "knock-out", "sudden death"}

// String is the name that files use.
func (s System) String() string { return nameOf(systemNames, s) }

func (s System) format() pairing.Format {
	switch s {
	case DoubleRoundRobin:
		return pairing.DoubleTournament
	case SuddenDeath:
		return pairing.SuddenDeath
	case RoundRobin, Swiss, KnockOut:
	}
	return pairing.Tournament
}

// Colours is the rule by which colours are given.
type Colours uint8

// The rules.
const (
	Berger      Colours = iota // by the pairing table
	Reversed                   // the opposite of the stage before, if the same players are tied
	ByLot                      // the first drawn has White
	ByChoice                   // the first drawn chooses
	Alternating                // from game to game
	Imported                   // with the pairings
)

var colourNames = []string{"berger", "reversed", "by lot", "by choice", "alternating", "imported"}

// String is the name that files use.
func (c Colours) String() string { return nameOf(colourNames, c) }

func (c Colours) rung() pairing.Colours {
	switch c {
	case Reversed:
		return pairing.Reverse
	case ByLot:
		return pairing.ByLot
	case ByChoice:
		return pairing.ByChoice
	case Berger, Alternating, Imported:
	}
	return pairing.ByNumber
}

// allowed are the colour rules of a system; the first is what goes without saying.
func (s System) allowed(playOff bool) []Colours {
	switch s {
	case Swiss:
		return []Colours{Imported}
	case KnockOut:
		return []Colours{Alternating}
	case SuddenDeath:
		return []Colours{ByLot, ByChoice, Alternating, Reversed}
	case RoundRobin, DoubleRoundRobin:
	}
	if playOff {
		return []Colours{Berger, Reversed}
	}
	return []Colours{Berger}
}

func nameOf[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("unknown %d", uint8(v))
}

// Correspondence tells whether the stage is played by post, without clocks.
func (s *Stage) Correspondence() bool { return s.Control.Form == clock.Correspondence }

// Table is where a board stands, both numbered from 1.
func (s *Stage) Table(board int) int {
	if board >= 1 && board <= len(s.Tables) {
		return s.Tables[board-1]
	}
	return board
}

// Start is when a round begins, by the clock on the venue's wall.
func (s *Stage) Start(round int) (time.Time, bool) {
	at := slices.IndexFunc(s.Schedule, func(slot Slot) bool { return slot.Round == round })
	if at < 0 {
		return time.Time{}, false
	}
	return s.Schedule[at].Start, true
}
