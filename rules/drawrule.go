package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// DrawRule is what an event lets players agree on (Laws 9.1.1). The zero value
// allows draws by agreement, as the Laws do.
type DrawRule struct {
	claimsOnly bool
	before     int // moves each must have completed
}

// ParseDrawRule reads "allowed", "claims-only" or "no-offers-before N" (an equals
// sign may stand before N): N moves, 1 to 200, are to be completed by each player.
func ParseDrawRule(text string) (DrawRule, error) {
	fields := strings.Fields(strings.Replace(text, "=", " ", 1))
	switch {
	case len(fields) == 1 && fields[0] == "allowed":
		return DrawRule{}, nil
	case len(fields) == 1 && fields[0] == "claims-only":
		return DrawRule{claimsOnly: true}, nil
	case len(fields) == 2 && fields[0] == "no-offers-before":
		if n, err := strconv.Atoi(fields[1]); err == nil && n >= 1 && n <= 200 {
			return DrawRule{before: n}, nil
		}
	}
	return DrawRule{}, fmt.Errorf("expected allowed, claims-only or no-offers-before N (1 to 200), got %q", clip(text))
}

// String is what ParseDrawRule reads.
func (r DrawRule) String() string {
	switch {
	case r.claimsOnly:
		return "claims-only"
	case r.before > 0:
		return fmt.Sprintf("no-offers-before %d", r.before)
	}
	return "allowed"
}

// MayAgree reports whether the players may agree on a draw now. Even where it is
// allowed, each must have made a move (Laws 5.2.3).
func (r DrawRule) MayAgree(g *Game) bool {
	return !r.claimsOnly && g.Current().FullmoveNumber() > r.before && g.Len() >= 2
}

// UnverifiedDraw is a draw the event's rules know no reason for.
type UnverifiedDraw struct {
	Rule  DrawRule
	Moves int // completed by each player
}

// Error says what was expected.
func (u *UnverifiedDraw) Error() string {
	return fmt.Sprintf("draw after %d moves under %s: expected a claim ruled correct, a stalemate, a dead position, "+
		"five occurrences or 75 moves", u.Moves, u.Rule)
}

// CheckResult asks whether a result that was entered, or that the kings signal,
// may stand. A draw needs a reason where players may not agree on one: a claim
// of this game ruled correct, stalemate, dead position, or 9.6; else the error is
// an *UnverifiedDraw (alert result.draw_unverified). The arbiter decides.
func (r DrawRule) CheckResult(g *Game, result Result, claims []*Claim, e Edition) error {
	if result != Draw || r.MayAgree(g) {
		return nil
	}
	for _, c := range claims {
		if c.Last() == ClaimCorrect {
			return nil
		}
	}
	for n := g.Len(); n >= 0; n-- {
		if c := g.Claims(n); c.End != Checkmate && c.Over(e) {
			return nil
		}
	}
	return &UnverifiedDraw{r, g.Current().FullmoveNumber() - 1}
}
