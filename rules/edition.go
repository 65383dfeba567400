package rules

import (
	"fmt"
	"time"
)

// Edition is the text of the FIDE Laws of Chess an event is played under.
type Edition uint8

// The editions known; the zero value is the one in force.
const (
	Laws2023 Edition = iota // from 1 January 2023
	Laws2018                // from 1 January 2018
	Laws2005                // from 1 July 2005, with its own rules for rapid and blitz
)

var editionNames = [...]string{"2023", "2018", "2005"}

// String is the year.
func (e Edition) String() string { return editionNames[min(int(e), len(editionNames)-1)] }

// ParseEdition reads the year of an edition.
func ParseEdition(text string) (Edition, error) {
	for i, name := range editionNames {
		if text == name {
			return Edition(i), nil
		}
	}
	return Laws2023, fmt.Errorf("expected an edition of the Laws (2023, 2018 or 2005), got %q", clip(text))
}

// Class is the kind of chess by its thinking time, as the Laws name it. Its texts
// are those of a time control's class.
type Class string

// The classes. An unknown class is treated as standard.
const (
	Standard Class = "standard"
	Rapid    Class = "rapid" // Appendix A
	Blitz    Class = "blitz" // Appendix B
)

// fast reports whether the class has an appendix of its own.
func (c Class) fast() bool { return c == Rapid || c == Blitz }

// Rules are what decides a penalty: the edition, the class, and the event's own
// values where its regulations name them.
type Rules struct {
	Edition  Edition
	Class    Class
	Overseen bool // rapid or blitz with enough arbiters for the full rules (A.4, B.2)

	WrongClaim  time.Duration // to the opponent after an incorrect claim; 0 = as the Laws have it
	IllegalMove time.Duration // to the opponent after an illegal move; 0 = as the Laws have it
}

// WrongClaimTime is what the opponent gets after an incorrect claim (Laws 9.5.3):
// what an illegal move gives him, but 3 minutes before 2014. The event may set its own.
func (r Rules) WrongClaimTime() time.Duration {
	switch {
	case r.WrongClaim > 0:
		return r.WrongClaim
	case r.Edition == Laws2005:
		return 3 * time.Minute
	}
	return r.lawfulTime()
}

// IllegalMoveTime is what the opponent gets after an illegal move (Laws 7.5.5).
// The event may set its own.
func (r Rules) IllegalMoveTime() time.Duration {
	if r.IllegalMove > 0 {
		return r.IllegalMove
	}
	return r.lawfulTime()
}

// lawfulTime is 2 minutes; 1 minute in rapid and blitz since 2023, in blitz only under the Laws of 2018.
func (r Rules) lawfulTime() time.Duration {
	if r.Edition == Laws2023 && r.Class.fast() || r.Edition == Laws2018 && r.Class == Blitz {
		return time.Minute
	}
	return 2 * time.Minute
}
