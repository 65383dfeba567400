package rules

import (
	"fmt"
	"strings"
)

// DrawAlert is a notice for arbiters that a position on the board gives or forces a draw.
type DrawAlert struct {
	Code   string // "claim.threefold", "claim.fifty", "draw.fivefold", "draw.seventyfive", "game.over"
	Detail string // "3 times, White to move: after the start, 2...Ng8, 4...Ng8"; of game.over the End
}

// DrawAlerts are the notices for the position after ply n. Only what stands on the
// board is told: that some move would give a right is for the arbiter to ask
// (Claims), since players often do not want the draw. Checkmate and stalemate are
// not here: whoever sees the pieces come to rest tells of them.
func (g *Game) DrawAlerts(n int, e Edition) []DrawAlert {
	c := g.Claims(n)
	switch c.End {
	case Checkmate, Stalemate:
		return nil
	case DeadPosition:
		return []DrawAlert{{"game.over", c.End.String()}}
	}
	var alerts []DrawAlert
	if c.Threefold {
		code, after := "claim.threefold", make([]string, 0, 3)
		if c.Fivefold && e != Laws2005 {
			code = "draw.fivefold"
		}
		for _, ply := range g.OccurrencesOf(n) {
			after = append(after, g.Numbered(ply))
		}
		alerts = append(alerts, DrawAlert{code, fmt.Sprintf("%s%s, %s to move: after %s",
			atLeast(c.CountAtLeast), times(c.Count), c.Turn.Name(), strings.Join(after, ", "))})
	}
	if c.Fifty {
		code := "claim.fifty"
		if c.SeventyFive && e != Laws2005 {
			code = "draw.seventyfive"
		}
		q := g.quietMoves(n)
		detail := fmt.Sprintf("%sWhite %d, Black %d moves without capture and pawn move, %s to move",
			atLeast(c.HalfmovesAtLeast), q.White, q.Black, c.Turn.Name())
		if q.Last != "" {
			detail += "; the last was " + q.Last
		}
		alerts = append(alerts, DrawAlert{code, detail})
	}
	return alerts
}

func atLeast(bound bool) string {
	if bound {
		return "at least "
	}
	return ""
}
