package clock

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// written finds texts that have the shape of the canonical form, right or
// wrong; the rest is words.
var written = regexp.MustCompile(`^[wb]?[*\d][-\d/+:@*xdbycuw=]*$`)

var (
	daysForm = regexp.MustCompile(`^(\d{1,3})/(\d{1,3})d(\d{1,3})?$`)
	extra    = regexp.MustCompile(`^(?:(\d{1,4})|(\d{1,4})([db])|(\d{1,3})x(\d{1,4})(y)|(\d{1,3})/(\d{1,4})(c))$`)
)

// parseWritten reads the canonical form, in which PGN's values are contained.
// The text is in lower case.
func parseWritten(text string) (Control, error) {
	if m := daysForm.FindStringSubmatch(text); m != nil {
		c := both([]Period{{Moves: number(m[1]), Base: time.Duration(number(m[2])) * day}})
		c.Form, c.DoubleAfter = Correspondence, number(m[3])
		return c, checkCorrespondence(c)
	}
	odds := NoOdds
	if rest, ok := strings.CutSuffix(text, "=b"); ok {
		text, odds = rest, BlackWinsDraws
	} else if rest, ok := strings.CutSuffix(text, "=w"); ok {
		text, odds = rest, WhiteWinsDraws
	}
	var c Control
	if rest, ok := strings.CutPrefix(text, "w"); ok {
		white, black, ok := strings.Cut(rest, "-b")
		if !ok {
			return c, fmt.Errorf(`expected "-B" and Black's time after White's`)
		}
		var err error
		if c.White, err = writtenSide(white); err != nil {
			return c, fmt.Errorf("time of White: %w", err)
		}
		if c.Black, err = writtenSide(black); err != nil {
			return c, fmt.Errorf("time of Black: %w", err)
		}
	} else {
		periods, err := writtenSide(text)
		if err != nil {
			return c, err
		}
		// PGN writes correspondence as moves in so many seconds.
		if p := periods[0]; len(periods) == 1 && p.Moves > 0 && p.Kind == None && p.Base >= day && p.Base%day == 0 {
			c = both(periods)
			c.Form = Correspondence
			return c, checkCorrespondence(c)
		}
		c = both(periods)
	}
	c.Odds = odds
	return c, c.check()
}

func checkCorrespondence(c Control) error {
	if c.White[0].Moves == 0 {
		return fmt.Errorf("expected at least one move, got none")
	}
	return c.check()
}

func writtenSide(text string) ([]Period, error) {
	stages := strings.Split(text, ":")
	periods := make([]Period, len(stages))
	for i, stage := range stages {
		p, err := writtenPeriod(stage, i+1)
		if err != nil {
			return nil, err
		}
		periods[i] = p
	}
	return periods, nil
}

func writtenPeriod(text string, stage int) (Period, error) {
	var p Period
	main, bonus, hasBonus := strings.Cut(text, "+")
	from := &main
	if hasBonus {
		from = &bonus
	}
	if rest, at, ok := strings.Cut(*from, "@"); ok {
		n, err := digits(at, 3)
		if err != nil || n == 0 {
			return p, fmt.Errorf(`expected a move after "@" in stage %d, got %q`, stage, at)
		}
		*from, p.From = rest, n
	}
	if moves, base, ok := strings.Cut(main, "/"); ok {
		n, err := digits(moves, 7)
		if err != nil || n == 0 {
			return p, fmt.Errorf(`expected moves before "/" in stage %d, got %q`, stage, moves)
		}
		p.Moves, main = n, base
	}
	if rest, ok := strings.CutPrefix(main, "*"); ok {
		p.Kind, main = Hourglass, rest
	}
	if rest, ok := strings.CutSuffix(main, "u"); ok && p.Kind == None {
		p.Kind, main = CountUp, rest
	}
	n, err := digits(main, 8)
	if err != nil {
		return p, fmt.Errorf("expected seconds in stage %d, got %q", stage, main)
	}
	p.Base = time.Duration(n) * time.Second
	if p.Moves > maxMoves || p.Moves > 0 && n > 0 && p.Moves > n {
		return p, fmt.Errorf("moves and seconds swapped? %d moves in %d s", p.Moves, n)
	}
	switch {
	case !hasBonus && p.From > 0:
		return p, fmt.Errorf(`expected extra time before "@" in stage %d`, stage)
	case !hasBonus:
		return p, nil
	case bonus == "":
		return p, fmt.Errorf(`missing increment after "+" in stage %d`, stage)
	case p.Kind != None:
		return p, fmt.Errorf("expected no extra time with this kind in stage %d, got %q", stage, bonus)
	}
	return withExtra(p, bonus, stage)
}

// withExtra adds what stands behind the plus sign.
func withExtra(p Period, text string, stage int) (Period, error) {
	m := extra.FindStringSubmatch(text)
	if m == nil {
		return p, fmt.Errorf(`expected seconds after "+" in stage %d, got %q`, stage, text)
	}
	p.Kind = Fischer
	amount := m[1]
	switch {
	case m[3] == "d":
		p.Kind, amount = Delay, m[2]
	case m[3] == "b":
		p.Kind, amount = Bronstein, m[2]
	case m[6] != "":
		p.Kind, p.Count, amount = ByoYomi, number(m[4]), m[5]
	case m[9] != "":
		p.Kind, p.Count, amount = Canadian, number(m[7]), m[8]
	}
	p.Bonus = time.Duration(number(amount)) * time.Second
	if p.Kind >= ByoYomi && (p.Count == 0 || p.Bonus == 0) {
		return p, fmt.Errorf(`expected a count and a time after "+" in stage %d, got %q`, stage, text)
	}
	if p.Bonus == 0 { // "+0" is how some files say that there is none
		p.Kind, p.From = None, 0
	}
	return p, nil
}

// digits reads a plain number of at most so many digits.
func digits(s string, most int) (int, error) {
	if s == "" || len(s) > most || strings.Trim(s, "0123456789") != "" {
		return 0, fmt.Errorf("expected a number, got %q", s)
	}
	return strconv.Atoi(s)
}

// number reads digits that a pattern has matched; none are 0.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// scaled gives the control with its bases multiplied, for the other reading of
// a unit.
func (c Control) scaled(by time.Duration) Control {
	c.White, c.Black = slices.Clone(c.White), slices.Clone(c.Black)
	for _, side := range [][]Period{c.White, c.Black} {
		for i := range side {
			side[i].Base *= by
		}
	}
	return c
}
