package event

import (
	"fmt"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/event/pairing"
)

// Event is a tournament by its regulations.
type Event struct {
	Name, Place string
	Edition     rules.Edition
	Draws       rules.DrawRule
	Default     DefaultTime
	// Delay is how long spectators wait for what is played (fact sheet 2.9).
	Delay     time.Duration
	Sections  []string
	Officials []Official
	Players   []Player // by number, from 1 without holes
	Stages    []Stage
	Penalties []Penalty
	// Withdrawn are the numbers of players who left the event. Their results stand when they
	// had played ResultsStand games; else they count for nobody.
	Withdrawn    []int
	ResultsStand int
	// StillTied says what decides when the play-off has no more stages.
	StillTied pairing.Last
}

// DefaultTime is how late a player may come (Laws 6.7.1).
type DefaultTime struct {
	Applies bool // false: nobody loses by coming late
	After   time.Duration
}

// String is "10 min" or "none".
func (d DefaultTime) String() string {
	if !d.Applies {
		return "none"
	}
	return fmt.Sprintf("%d min", d.After/time.Minute)
}

// Official is somebody whom players and operators may ask.
type Official struct{ Role, Name string }

// Player is a participant.
type Player struct {
	Number     int // start number, or the number drawn for the pairing tables
	Name       string
	Title      string // FIDE or national, "" for none
	Rating     int    // 0 for none
	Federation string // three letters, "" when not known
	FIDEID     int    // 0 for none
	Section    string // one of the event's, "" when it has none
}

// Penalty changes a player's clock in one round (Laws 12.9): he begins with half
// the time. Extra time for each move is not cut.
type Penalty struct {
	Player int
	Stage  string
	Round  int
	Reason string
}

// Player is the one with that number.
func (e *Event) Player(number int) (Player, bool) {
	if number < 1 || number > len(e.Players) {
		return Player{}, false
	}
	return e.Players[number-1], true
}

// Stage is the one with that name.
func (e *Event) Stage(name string) (*Stage, bool) {
	at := slices.IndexFunc(e.Stages, func(s Stage) bool { return s.Name == name })
	if at < 0 {
		return nil, false
	}
	return &e.Stages[at], true
}

// Official are the names of those with that role.
func (e *Event) Official(role string) []string {
	var names []string
	for _, o := range e.Officials {
		if o.Role == role {
			names = append(names, o.Name)
		}
	}
	return names
}

// Ladder is the play-off: the stages that are played only if players are tied.
func (e *Event) Ladder() []pairing.Rung {
	var rungs []pairing.Rung
	for _, s := range e.Stages {
		if s.PlayOff {
			rungs = append(rungs, pairing.Rung{Name: s.Name, Format: s.System.format(), Colours: s.Colours.rung(), Control: s.Control})
		}
	}
	return rungs
}
