package main

import (
	"fmt"
	"strings"

	"boardd/clock"
	"boardd/rules"
)

// gameReport tells an arbiter what one game gives: first what may be claimed now,
// then what could have been, what only looks so, and how far the record is to be trusted.
type gameReport struct {
	lines []string
	news  []string // those of the lines that call for a look: an arbiter who watches is told when they change
}

func claimsReport(key string, g *rules.Game, e rules.Edition) gameReport {
	r := gameReport{lines: []string{key + ": " + gameTitle(g)}}
	say := func(line string) { r.lines = append(r.lines, "  "+line) }
	tell := func(line string) {
		say(line)
		r.news = append(r.news, line)
	}

	now := g.Claims(g.Len())
	var claims []string
	if g.Result == rules.Unfinished || g.Result == rules.Draw { // after a win nobody claims
		claims = claimsNow(g, &now, e)
	}
	switch {
	case now.End != rules.Playing:
		tell("over: " + strings.ReplaceAll(now.End.String(), "_", " "))
	case g.Result == rules.Unfinished || len(claims) > 0:
		say(fmt.Sprintf("now: %s to move; the position has stood %s, %s without capture and pawn move", now.Turn.Name(),
			bound(now.CountAtLeast, "time", now.Count), bound(now.HalfmovesAtLeast, "half-move", now.Halfmoves)))
	}
	for _, claim := range claims {
		tell("now: " + claim)
	}
	if len(claims) > 0 && !now.Over(e) {
		penalty := rules.Rules{Edition: e, Class: classOf(g)}
		say(fmt.Sprintf("a wrong claim gives the opponent %s (Laws of %s, %s)", rules.InMinutes(penalty.WrongClaimTime()), e, className(penalty.Class)))
	}
	before := claimsBefore(g, e)
	for _, line := range before.ends {
		tell(line)
	}
	for _, line := range before.rights {
		say(line)
	}
	for n := 0; n <= g.Len(); n++ {
		if miss, ok := g.NearMiss(n); ok {
			tell("near miss: " + g.Explain(miss))
		}
	}
	for _, line := range recordHealth(g) {
		say("record: " + line)
	}
	return r
}

func gameTitle(g *rules.Game) string {
	title := fmt.Sprintf("%s - %s", orUnknown(g.Tags.Get("White")), orUnknown(g.Tags.Get("Black")))
	if round := g.Tags.Get("Round"); round != "" && round != "?" && round != "-" {
		title += ", round " + round
	}
	last := "no move yet"
	if g.Len() > 0 {
		last = "last move " + g.Numbered(g.Len())
	}
	return fmt.Sprintf("%s, %s, %s", title, last, g.Result)
}

func orUnknown(name string) string {
	if name == "" {
		return "?"
	}
	return name
}

// bound is a count in words: "3 times", "at least 1 half-move".
func bound(atLeast bool, word string, n int) string {
	text := fmt.Sprintf("%d %s", n, word)
	if n != 1 {
		text += "s"
	}
	if atLeast {
		return "at least " + text
	}
	return text
}

// claimsNow are the rights of the position on the board.
func claimsNow(g *rules.Game, c *rules.Claims, e rules.Edition) (lines []string) {
	switch {
	case c.End != rules.Playing:
		return nil
	case c.Over(e) && c.Fivefold:
		lines = append(lines, fmt.Sprintf("drawn without a claim: five times the same position (9.6.1), after %s", names(g, g.OccurrencesOf(c.Ply))))
	case c.Over(e):
		lines = append(lines, "drawn without a claim: 75 moves by each without capture and pawn move (9.6.2)")
	}
	if lines != nil {
		return lines
	}
	if c.Threefold {
		lines = append(lines, fmt.Sprintf("%s may claim a threefold repetition (%s): after %s", c.Turn.Name(),
			rules.ThreefoldClaim.Article(e, false), names(g, g.OccurrencesOf(c.Ply))))
	}
	for _, m := range c.ThreefoldNext {
		lines = append(lines, fmt.Sprintf("%s may claim a threefold repetition by writing %s (%s): as after %s", c.Turn.Name(),
			g.NumberedMove(c.Ply, m), rules.ThreefoldClaim.Article(e, true), names(g, g.OccurrencesAfter(c.Ply, m))))
	}
	if c.Fifty {
		lines = append(lines, fmt.Sprintf("%s may claim by fifty moves (%s)", c.Turn.Name(), rules.FiftyClaim.Article(e, false)))
	}
	if len(c.FiftyNext) > 0 && !c.Fifty {
		lines = append(lines, fmt.Sprintf("%s may claim by fifty moves with a move written that is no capture and no pawn move (%s)",
			c.Turn.Name(), rules.FiftyClaim.Article(e, true)))
	}
	return lines
}

// past is what earlier positions gave.
type past struct {
	ends   []string // draws by themselves that nobody noticed
	rights []string // claims nobody made
}

func claimsBefore(g *rules.Game, e rules.Edition) (p past) {
	var third, fifty []int
	five, seventyFive := -1, -1
	for n := 0; n < g.Len(); n++ {
		c := g.Claims(n)
		if c.Threefold {
			third = append(third, n)
		}
		if c.Fifty {
			fifty = append(fifty, n)
		}
		if c.Fivefold && five < 0 {
			five = n
		}
		if c.SeventyFive && seventyFive < 0 {
			seventyFive = n
		}
	}
	if five >= 0 && e != rules.Laws2005 {
		p.ends = append(p.ends, fmt.Sprintf("drawn by five times the same position since %s (9.6.1)", g.Numbered(five)))
	}
	if seventyFive >= 0 && e != rules.Laws2005 {
		p.ends = append(p.ends, fmt.Sprintf("drawn by 75 moves since %s (9.6.2)", g.Numbered(seventyFive)))
	}
	if third != nil {
		p.rights = append(p.rights, "before: three times or more after "+names(g, third))
	}
	if fifty != nil {
		p.rights = append(p.rights, fmt.Sprintf("before: fifty moves completed from %s to %s", g.Numbered(fifty[0]), g.Numbered(fifty[len(fifty)-1])))
	}
	return p
}

// names lists plies as players name them, the middle of a long list left out.
func names(g *rules.Game, plies []int) string {
	const most = 8
	list := make([]string, 0, most+1)
	for i, n := range plies {
		switch {
		case len(plies) <= most || i < most/2 || i >= len(plies)-most/2:
			list = append(list, g.Numbered(n))
		case i == most/2:
			list = append(list, fmt.Sprintf("(%d more)", len(plies)-most))
		}
	}
	return strings.Join(list, ", ")
}

// recordHealth says what an arbiter should know before he trusts the counts. A ply
// without a time among others with one is how LiveChess marks a move it guessed.
func recordHealth(g *rules.Game) (lines []string) {
	var untimed, unknown []int
	for n := 1; n <= g.Len(); n++ {
		if !g.Ply(n).HasClock {
			untimed = append(untimed, n)
		}
		if g.Ply(n).OrderUnknown {
			unknown = append(unknown, n)
		}
	}
	if n := len(untimed); n > 0 && n <= g.Len()/2 {
		lines = append(lines, fmt.Sprintf("%s without a clock time, which the feed may have guessed: %s", bound(false, "move", n), names(g, untimed)))
	}
	if n := len(unknown); n > 0 {
		lines = append(lines, fmt.Sprintf("%s in an order that is not known: %s", bound(false, "move", n), names(g, unknown)))
	}
	if g.Start().HalfmoveClock() > 0 {
		lines = append(lines, "it begins in mid-game: earlier occurrences are not in it")
	}
	return lines
}

// classOf reads the class off the time control tag, as far as it can be trusted.
func classOf(g *rules.Game) rules.Class {
	parsed, err := clock.Parse(g.Tags.Get("TimeControl"), clock.PGN)
	if err != nil {
		return ""
	}
	return rules.Class(parsed.Control.Class())
}

func className(c rules.Class) string {
	if c == "" {
		return "time control not known"
	}
	return string(c)
}
