package venue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/rules"
)

// Regulations are what the event lays down for a table beyond its time control.
type Regulations struct {
	Rules rules.Rules // the edition of the Laws and the class decide penalties
	Draws rules.DrawRule
	// Default is how late a player may come.
	Default rules.DefaultTime
}

// referee watches one table's record for draws by the Laws and keeps the claims
// made at it. It decides nothing: an arbiter does. Its alerts belong to the record
// as it now stands: a ply that is replaced, or the next move, takes them back.
type referee struct {
	regulations Regulations
	standing    []call         // what has been told and still stands
	claims      []*rules.Claim // of the present game, in order
	consent     bool           // the arbiter has agreed to the draw that is entered next
	incidents   []rules.Incident
	illegal     [2]int // illegal moves completed by each player, by color
}

// call is an alert that stands for a position.
type call struct {
	code, detail string
	ply          int // where it was raised
	since        int // the ply that makes it what it is: the same one is not told twice
}

// Why a step of a claim is not possible, beside the reasons of package rules.
var errNoClaim = errors.New("expected an open claim at this table, got none")

// look says what is new and what no longer stands, in that order, after the record
// has changed from ply from on.
func (r *referee) look(g *rules.Game, from int) (raised, lapsed []call) {
	now := r.calls(g, from)
	for _, c := range r.standing {
		if !contains(now, c) {
			lapsed = append(lapsed, c)
		}
	}
	for _, c := range now {
		if !contains(r.standing, c) {
			raised = append(raised, c)
		}
	}
	r.standing = now
	return raised, lapsed
}

func contains(calls []call, c call) bool {
	return slices.ContainsFunc(calls, func(other call) bool { return other.code == c.code && other.since == c.since })
}

// calls are what stands: the claims open in the present position, and the ends that
// came by themselves, which no further move undoes.
func (r *referee) calls(g *rules.Game, from int) (calls []call) {
	for _, c := range r.standing {
		if c.ply < from && isEnd(c.code) {
			calls = append(calls, c)
		}
	}
	edition := r.regulations.Rules.Edition
	for n := max(from, 1); n <= g.Len(); n++ {
		c := g.Claims(n)
		add := func(code, detail string, since int) {
			if isEnd(code) && slices.ContainsFunc(calls, func(other call) bool { return other.code == code }) {
				return // told when it first happened
			}
			calls = append(calls, call{code, detail, n, since})
		}
		switch {
		case c.End == rules.DeadPosition:
			add("game.over", "dead_position", n)
		case c.End != rules.Playing:
			// Checkmate and stalemate are told by the tracker, once they stand firm.
		case c.Over(edition) && c.Fivefold:
			add("draw.fivefold", "5 times: "+occurrences(g, n), n)
		case c.Over(edition):
			add("draw.seventyfive", halfmoves(g, &c), n)
		case n < g.Len():
			// A right to claim lapses with the next move.
		default:
			if c.Threefold {
				add("claim.threefold", fmt.Sprintf("%s: %s; %s may claim", atLeast(c.Count, c.CountAtLeast, "times"), occurrences(g, n), c.Turn.Name()), n)
			}
			if c.Fifty {
				add("claim.fifty", halfmoves(g, &c)+"; the player who has the move may claim", n-c.Halfmoves)
			}
		}
	}
	return calls
}

func isEnd(code string) bool { return !strings.HasPrefix(code, "claim.") }

// occurrences name the plies after which the position stood.
func occurrences(g *rules.Game, n int) string {
	var names []string
	for _, ply := range g.OccurrencesOf(n) {
		if ply == 0 {
			names = append(names, "at the start")
			continue
		}
		names = append(names, "after "+g.Numbered(ply))
	}
	return strings.Join(names, ", ")
}

func halfmoves(g *rules.Game, c *rules.Claims) string {
	text := atLeast(c.Halfmoves, c.HalfmovesAtLeast, "half-moves") + " without capture or pawn move"
	if last := c.Ply - c.Halfmoves; last >= 1 && !c.HalfmovesAtLeast {
		text += ", the last was " + g.Numbered(last)
	}
	return text
}

func atLeast(n int, bound bool, what string) string {
	if bound {
		return fmt.Sprintf("at least %d %s", n, what)
	}
	return fmt.Sprintf("%d %s", n, what)
}

// claim takes down a player's claim of a draw in the present position.
func (r *referee) claim(g *rules.Game, by rules.Color, kind rules.ClaimKind, san string, at time.Duration, who string) (*rules.Claim, error) {
	q := rules.ClaimRequest{By: by, Kind: kind, Ply: g.Len()}
	if san != "" {
		m, err := g.Current().ParseSAN(san)
		if err != nil {
			return nil, fmt.Errorf("the intended move: %w", err)
		}
		q.Intended = m
	}
	c, err := rules.OpenClaim(g, q, r.claims, r.regulations.Rules.Edition, at, who)
	if err == nil {
		r.claims = append(r.claims, c)
	}
	return c, err
}

// open is the claim that waits for a ruling, nil for none.
func (r *referee) open() *rules.Claim {
	if n := len(r.claims); n > 0 && !r.claims[n-1].Decided() {
		return r.claims[n-1]
	}
	return nil
}

// mayStand asks whether a result may be recorded: a draw needs a reason where the
// event lets nobody agree on one.
func (r *referee) mayStand(g *rules.Game, result rules.Result) error {
	consent := r.consent
	r.consent = false
	if consent || r.regulations.Draws == (rules.DrawRule{}) {
		return nil // where players may agree, a draw needs no reason
	}
	return r.regulations.Draws.CheckResult(g, result, r.claims, r.regulations.Rules.Edition)
}

// incidentsMax bounds what is kept of a game that goes wrong all the time: the first
// and the last matter.
const incidentsMax = 200

// befell notes what makes the record less sure, for the evidence of a claim.
func (r *referee) befell(at time.Duration, ply int, code, words string) {
	if len(r.incidents) >= incidentsMax {
		r.incidents = slices.Delete(r.incidents, incidentsMax/2, incidentsMax/2+1)
	}
	r.incidents = append(r.incidents, rules.Incident{At: at, Ply: ply, Code: code, Words: words})
}

// newGame forgets what belonged to the game before.
func (r *referee) newGame() { *r = referee{regulations: r.regulations} }
