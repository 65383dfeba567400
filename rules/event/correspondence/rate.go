package correspondence

import (
	"fmt"
	"time"

	"boardd/clock"
)

// Rate is how much reflection time there is for how many moves: 10 moves in 30
// days. Saved days carry over, so 20 moves are due in 60 days altogether.
type Rate struct {
	Moves, Days int
	// DoubleAfter counts the days on one move after which further days count
	// double; 0 never.
	DoubleAfter int
}

// RateOf is the rate of a time control such as 10/30d.
func RateOf(c clock.Control) (Rate, error) {
	if c.Form != clock.Correspondence {
		return Rate{}, fmt.Errorf("expected a time control in days, as in 10/30d, got %s", c)
	}
	p := c.White[0]
	return Rate{Moves: p.Moves, Days: int(p.Base / (24 * time.Hour)), DoubleAfter: c.DoubleAfter}, nil
}

// Charged is how many days of reflection so many days on one move cost.
func (r Rate) Charged(days int) int {
	if r.DoubleAfter > 0 && days > r.DoubleAfter {
		return r.DoubleAfter + 2*(days-r.DoubleAfter)
	}
	return days
}

// allowance is the days for the period in which the next move lies, with all
// periods before it.
func (r Rate) allowance(moves int) int { return (moves/r.Moves + 1) * r.Days }

// DaysBetween counts the reflection days from the day a move was received to
// the day the reply was sent, by the calendar.
func DaysBetween(received, sent time.Time) (int, error) {
	from, to := civil(received), civil(sent)
	if to.Before(from) {
		return 0, fmt.Errorf("expected the reply after %s, when the move was received, got %s",
			from.Format(time.DateOnly), to.Format(time.DateOnly))
	}
	return int(to.Sub(from) / (24 * time.Hour)), nil
}

func civil(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
