// Package clock says what a time control is: it reads every common spelling
// of one, writes it in one canonical form, and reckons with it.
//
// The package is pure: time is an argument, and it imports nothing but the
// standard library. Units are seconds in every written form and
// [time.Duration] in values. Numbers in "fact sheet" remarks are sections of
// the sheet on laws and time controls.
package clock

import (
	"fmt"
	"slices"
	"time"
)

// Kind says how a period gives time beyond its base.
type Kind uint8

// The kinds of extra time. Their names are those of [Kind.String].
const (
	None      Kind = iota // nothing is added
	Fischer               // the bonus is added for each move, unused time is kept
	Bronstein             // what a move used is given back, at most the bonus
	Delay                 // US delay: the base runs once the bonus is used up
	ByoYomi               // after the base, Count periods of the bonus, one move in each
	Canadian              // after the base, the bonus again and again, Count moves in each
	Hourglass             // what one side uses the other gains
	CountUp               // after the base the clock counts the excess
)

var kindNames = [...]string{"none", "fischer", "bronstein", "delay", "byoyomi", "canadian", "hourglass", "countup"}

// String is the name that JSON uses.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Period is a stretch of a game with a time of its own.
type Period struct {
	// Moves is how many moves the period is for; 0 is the rest of the game or,
	// where another period follows, until the time is used up.
	Moves int
	Base  time.Duration
	Kind  Kind
	// Bonus belongs to the kind: per move, or per byo-yomi or Canadian period.
	Bonus time.Duration
	// Count is the number of byo-yomi periods, or of moves in a Canadian one.
	Count int
	// From is the move of the game from which the bonus is given; 0 is from
	// the period's first.
	From int
}

// Form is what sort of statement a control is.
type Form uint8

// The forms.
const (
	Timed          Form = iota // by the periods
	Correspondence             // by the periods, whose bases are days
	Unlimited                  // no time control: "-"
	Unknown                    // nobody said: "?"
)

// Odds says who wins a drawn game. It is never taken for granted with unequal
// times: regulations differ (fact sheet 1).
type Odds uint8

// The odds.
const (
	NoOdds Odds = iota
	WhiteWinsDraws
	BlackWinsDraws
)

var oddsNames = [...]string{"", "white", "black"}

// String is "", "white" or "black".
func (o Odds) String() string {
	if int(o) < len(oddsNames) {
		return oddsNames[o]
	}
	return fmt.Sprintf("odds %d", uint8(o))
}

// Control is a time control as an organiser means it.
type Control struct {
	Form Form
	// White and Black are the periods of each side, in order; the last one
	// repeats when it has a number of moves (PGN 9.6.1).
	White, Black []Period
	Odds         Odds
	// DoubleAfter counts the days on one move after which further days count
	// double (correspondence); 0 never.
	DoubleAfter int
}

// Equal reports whether both mean the same.
func (c Control) Equal(d Control) bool {
	return c.Form == d.Form && c.Odds == d.Odds && c.DoubleAfter == d.DoubleAfter &&
		slices.Equal(c.White, d.White) && slices.Equal(c.Black, d.Black)
}

// both makes a control that gives each side the same periods.
func both(periods []Period) Control {
	return Control{White: periods, Black: slices.Clone(periods)}
}

const day = 24 * time.Hour

// Limits keep a slip of the finger from becoming a time control.
const (
	maxMoves   = 999
	maxBase    = 10 * time.Hour // DGT clocks show at most 9:59:59 (fact sheet 4.2)
	maxBonus   = time.Hour
	maxDays    = 365
	maxPeriods = 8
)

// check says what is wrong with the numbers.
func (c Control) check() error {
	for _, side := range [][]Period{c.White, c.Black} {
		if len(side) > maxPeriods {
			return fmt.Errorf("expected at most %d periods, got %d", maxPeriods, len(side))
		}
		for i, p := range side {
			if err := p.check(c.Form); err != nil {
				return fmt.Errorf("period %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func (p Period) check(form Form) error {
	longest := maxBase
	if form == Correspondence {
		longest = maxDays * day
	}
	switch {
	case p.Moves < 0 || p.Moves > maxMoves:
		return fmt.Errorf("expected at most %d moves, got %d", maxMoves, p.Moves)
	case p.Base < 0 || p.Base > longest:
		return fmt.Errorf("expected a time of at most %v, got %v", longest, p.Base)
	case p.Bonus < 0 || p.Bonus > maxBonus:
		return fmt.Errorf("expected extra time of at most %v, got %v", maxBonus, p.Bonus)
	case p.Base > 0 && p.Base < time.Duration(p.Moves)*time.Second:
		return fmt.Errorf("moves and seconds swapped? %d moves in %d s", p.Moves, p.Base/time.Second)
	case p.Base == 0 && p.Bonus == 0 && p.Kind != CountUp:
		return fmt.Errorf("expected some time, got none")
	case p.Count < 0 || p.Count > maxMoves:
		return fmt.Errorf("expected at most %d, got %d", maxMoves, p.Count)
	case p.From < 0 || p.From > maxMoves:
		return fmt.Errorf("expected a move up to %d, got move %d", maxMoves, p.From)
	}
	return nil
}
