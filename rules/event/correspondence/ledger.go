package correspondence

import "fmt"

// Rule is what overstepping the reflection time costs.
type Rule struct {
	// Forgiven is how many oversteps are punished with days only: 1 in the
	// preliminary and the semi-final, 0 in the final.
	Forgiven int
	// PenaltyDays are taken from the player's new period after each of them.
	PenaltyDays int
}

// The rules of the Golden Knights (fact sheet 1).
var (
	EarlyRounds = Rule{Forgiven: 1, PenaltyDays: 5} // preliminary and semi-final
	FinalRound  = Rule{}
)

// Ledger is the reflection time of one player in one game.
//
// The regulations do not say how a player goes on after a forgiven overstep.
// Here a new period begins with the move that he was late with: he has the days
// of one period less the penalty, the days that he was late by are charged to
// it, and nothing that he had saved before counts any more.
type Ledger struct {
	rate Rate
	rule Rule

	moves, used int // since the account was opened anew
	penalty     int // days taken from the present account
	oversteps   int
	lost        bool
	total       int // moves altogether
}

// NewLedger opens an account before the player's first move.
func NewLedger(rate Rate, rule Rule) (*Ledger, error) {
	switch {
	case rate.Moves < 1 || rate.Days < 1:
		return nil, fmt.Errorf("expected a rate of at least 1 move in 1 day, got %d in %d", rate.Moves, rate.Days)
	case rate.DoubleAfter < 0 || rule.Forgiven < 0 || rule.PenaltyDays < 0:
		return nil, fmt.Errorf("expected no negative days, got %d and %d, forgiven %d times", rate.DoubleAfter, rule.PenaltyDays, rule.Forgiven)
	case rule.PenaltyDays >= rate.Days:
		return nil, fmt.Errorf("expected a penalty of less than the %d days of a period, got %d", rate.Days, rule.PenaltyDays)
	}
	return &Ledger{rate: rate, rule: rule}, nil
}

// Outcome is what a move, or waiting for one, has led to.
type Outcome struct {
	// Oversteps are those of this move, 0 as a rule.
	Oversteps int
	// PenaltyDays have been taken for them.
	PenaltyDays int
	// Lost says that the game is lost on time.
	Lost bool
}

// Move enters the player's next move, for which he has taken so many days of
// the calendar.
func (l *Ledger) Move(days int) (Outcome, error) {
	switch {
	case l.lost:
		return Outcome{}, fmt.Errorf("expected no move %d: the game was lost on time", l.total+1)
	case days < 0:
		return Outcome{}, fmt.Errorf("expected 0 days or more for move %d, got %d", l.total+1, days)
	}
	o := l.charge(l.rate.Charged(days))
	if !o.Lost {
		l.moves++
		l.total++
	}
	return o, nil
}

// Waiting tells what it would lead to if the player had not replied after so
// many days. The account stays as it is.
func (l *Ledger) Waiting(days int) Outcome {
	if l.lost {
		return Outcome{Lost: true}
	}
	trial := *l
	return trial.charge(l.rate.Charged(max(days, 0)))
}

// charge takes days for the move that is due.
func (l *Ledger) charge(days int) (o Outcome) {
	for {
		left := l.Left()
		if days <= left {
			l.used += days
			return o
		}
		o.Oversteps++
		l.oversteps++
		if l.oversteps > l.rule.Forgiven {
			o.Lost, l.lost = true, true
			return o
		}
		days -= left
		l.moves, l.used, l.penalty = 0, 0, l.rule.PenaltyDays
		o.PenaltyDays += l.penalty
	}
}

// Left are the days that the player has until he oversteps, with the days saved
// so far.
func (l *Ledger) Left() int {
	if l.lost {
		return 0
	}
	return l.rate.allowance(l.moves) - l.penalty - l.used
}

// MovesToGo is how many moves, with the next one, the days left are for.
func (l *Ledger) MovesToGo() int { return l.rate.Moves - l.moves%l.rate.Moves }

// Moves are the player's moves so far, Oversteps his oversteps.
func (l *Ledger) Moves() int     { return l.total }
func (l *Ledger) Oversteps() int { return l.oversteps }

// Lost says whether the game was lost on time.
func (l *Ledger) Lost() bool { return l.lost }
