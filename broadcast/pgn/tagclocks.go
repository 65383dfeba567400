package pgn

import (
	"strings"
	"time"

	"boardd/broadcast/lcc"
	"boardd/clock"
	"boardd/rules"
)

// Clocks are both clocks as the tags of a live game tell them.
type Clocks struct {
	White, Black *time.Duration // nil when not known
	Running      string         // "w", "b", or "" for neither
	At           time.Time      // of the reading; zero when not known
}

// TagClocks reads WhiteClock, BlackClock, ReferenceTime and Clock of a game (livechess-and-broadcast D.1). A time
// that no clock shows, or that is more than the game's time control gives, is not known: programs write negative
// times so.
func TagClocks(g *rules.Game) Clocks {
	most := most(g)
	read := func(text string) *time.Duration {
		if d, err := rules.ParseClock(text); err == nil && d <= most {
			return &d
		}
		return nil
	}
	c := Clocks{White: read(g.Tags.Get("WhiteClock")), Black: read(g.Tags.Get("BlackClock"))}
	if side, text, ok := strings.Cut(g.Tags.Get("Clock"), "/"); ok { // the running one
		switch c.Running = running(side); {
		case c.Running == "w" && c.White == nil:
			c.White = read(text)
		case c.Running == "b" && c.Black == nil:
			c.Black = read(text)
		}
	}
	if side, text, ok := strings.Cut(g.Tags.Get("ReferenceTime"), "/"); ok {
		c.Running = running(side)
		if at, err := time.Parse(lcc.ReferenceLayout, text); err == nil {
			c.At = at
		}
	}
	return c
}

func running(side string) string {
	switch side = strings.ToLower(side); side {
	case "w", "b":
		return side
	}
	return ""
}

// most is the most time that a player of g can have.
func most(g *rules.Game) time.Duration {
	none := 10 * time.Hour
	parsed, err := clock.Parse(g.Tags.Get("TimeControl"), clock.PGN)
	if err != nil || parsed.Ambiguous || parsed.Control.Form != clock.Timed {
		return none
	}
	var largest time.Duration
	for _, periods := range [][]clock.Period{parsed.Control.White, parsed.Control.Black} {
		var sum, bonus time.Duration
		for _, p := range periods {
			switch p.Kind {
			case clock.None, clock.Fischer:
			default:
				return none
			}
			sum, bonus = sum+p.Base, max(bonus, p.Bonus)
		}
		if n := len(periods); n == 0 || periods[n-1].Moves > 0 {
			return none // the last period comes again and again
		}
		largest = max(largest, sum+bonus*time.Duration(g.Len()/2+2))
	}
	return largest
}
