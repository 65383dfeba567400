package notify

import (
	"path"
	"slices"
	"time"
)

// Audience is who reads what a target gets.
type Audience string

// The audiences. What is told of play is for arbiters only, as on the page: a claim, an illegal move or a flag is
// neither for spectators nor for who minds the machines.
const (
	Arbiters Audience = "arbiters" // everything
	Operator Audience = "operator" // the codes of OperatorCodes
)

// OperatorCodes are what an operator is told: the state of machines, cables and disks, and nothing of play.
var OperatorCodes = []string{"system.*", "usb.*", "protocol.*", "board.lost", "clock.none", "clock.refused", "clock.set_failed", "clock.battery_low"}

// Target is somebody who is told, and of what.
type Target struct {
	// Name is unique, and the only thing that logs say of the target.
	Name string
	// For is who reads it. The zero value is Operator, who is told less.
	For Audience
	// Alerts are patterns of codes with *, as in clock.*; none is every code. Except are those that are not told.
	Alerts, Except []string
	// Tables are the numbers of the tables it is told of; none is all. What concerns the whole hall is told anyway.
	Tables []int
	// Every is the least time between two messages; what comes meanwhile goes into one. Default 10 s.
	Every time.Duration
	// Lines is how many notes a message holds; of the others it says how many they are. Default 5.
	Lines int
	// Sender takes the messages there.
	Sender Sender
}

func (t *Target) fill() {
	if t.For == "" {
		t.For = Operator
	}
	if t.Every <= 0 {
		t.Every = 10 * time.Second
	}
	if t.Lines <= 0 {
		t.Lines = 5
	}
}

// wants tells whether the target is to be told of a note.
func (t *Target) wants(n *Note) bool {
	switch {
	case t.For != Arbiters && !fits(OperatorCodes, n.Code):
		return false
	case len(t.Tables) > 0 && n.Table > 0 && !slices.Contains(t.Tables, n.Table):
		return false
	case len(t.Alerts) > 0 && !fits(t.Alerts, n.Code):
		return false
	}
	return !fits(t.Except, n.Code)
}

func fits(patterns []string, code string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, code) // a code has no slash, so * stands for anything
		return ok && err == nil
	})
}
