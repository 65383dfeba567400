package venue

import (
	"time"

	"boardd/clock"
)

// Controls are what a time control may mean, the likeliest first: where a text
// leaves the unit open, the clock itself tells whether it was minutes or seconds.
// None is unknown.
type Controls []clock.Control

// ReadControl reads the time control of a recorded session, written in seconds as
// in a PGN tag or in minutes as people do.
func ReadControl(text string) (Controls, error) { return readControl(text, clock.PGN, clock.People) }

// readControl reads a text in the context that it most likely has, and in the other.
func readControl(text string, likely, other clock.Context) (Controls, error) {
	first, err := clock.Parse(text, likely)
	if err != nil {
		second, otherErr := clock.Parse(text, other)
		if otherErr != nil {
			return nil, err
		}
		return Controls{second.Control}, nil
	}
	c := Controls{first.Control}
	if second, err := clock.Parse(text, other); err == nil && !second.Control.Equal(first.Control) {
		c = append(c, second.Control)
	}
	return c, nil
}

// best is the control that a clock set for it would show most nearly so at the
// start, the first when it shows nothing; nil if there is none.
func (c Controls) best(r clock.Reading) *clock.Control {
	best, least := 0, time.Duration(1<<62)
	for i := range c {
		white, black := c[i].Start()
		if off := (white - r.White).Abs() + (black - r.Black).Abs(); off < least {
			best, least = i, off
		}
	}
	switch {
	case len(c) == 0:
		return nil
	case r == (clock.Reading{}):
		return &c[0]
	}
	return &c[best]
}
