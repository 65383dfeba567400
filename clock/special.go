package clock

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

var (
	movesInDays = regexp.MustCompile(`^(\d{1,3}) (?:moves?|ruch(?:ów|y)|posunięć|posuniec)(?: in| w| na|/) ?(\d{1,3}) (?:days?|dni|dzień)$`)
	daysForMove = regexp.MustCompile(`^(\d{1,3}) ?(?:days?|dni|dzień|d)(?: for | na | per | a | ?/ ?)(\d{1,3})? ?(?:moves?|ruch(?:ów|y)?|posunięć|posuniec|posunięcie)$`)
	daysPerTurn = regexp.MustCompile(`^daysperturn[ :=]+(\d{1,3})$`)
	doubled     = regexp.MustCompile(`^(\d{1,3})/(\d{1,3}) ?d? ?,?(?:dup|double after|duplication after) ?(\d{1,3})$`)
)

// days reads correspondence: moves per days, days per move.
func days(text string, _ Context) (Parsed, bool, error) {
	moves, in, twice := 1, 0, 0
	if m := movesInDays.FindStringSubmatch(text); m != nil {
		moves, in = number(m[1]), number(m[2])
	} else if m := daysForMove.FindStringSubmatch(text); m != nil {
		in = number(m[1])
		if m[2] != "" {
			moves = number(m[2])
		}
	} else if m := daysPerTurn.FindStringSubmatch(text); m != nil {
		in = number(m[1])
	} else if m := doubled.FindStringSubmatch(text); m != nil {
		moves, in, twice = number(m[1]), number(m[2]), number(m[3])
	} else {
		return Parsed{}, false, nil
	}
	c := both([]Period{{Moves: moves, Base: time.Duration(in) * day}})
	c.Form, c.DoubleAfter = Correspondence, twice
	return Parsed{Control: c}, true, checkCorrespondence(c)
}

var (
	oddsBlack = regexp.MustCompile(`[,; ]+(?:with )?(?:draw ?= ?(?:b|black)|black (?:has|with) draw odds|draw odds (?:for|to) black|white must win|remis ?= ?(?:czarne|czarnych))[,;. ]*$`)
	oddsWhite = regexp.MustCompile(`[,; ]+(?:with )?(?:draw ?= ?(?:w|white)|white (?:has|with) draw odds|draw odds (?:for|to) white|black must win|remis ?= ?(?:białe|białych))[,;. ]*$`)
)

// draws takes the words about drawn games off the end.
func draws(text string, context Context) (Parsed, bool, error) {
	for _, o := range []struct {
		words *regexp.Regexp
		odds  Odds
	}{{oddsBlack, BlackWinsDraws}, {oddsWhite, WhiteWinsDraws}} {
		at := o.words.FindStringIndex(text)
		if at == nil {
			continue
		}
		parsed, err := parse(strings.TrimSpace(text[:at[0]]), context)
		if err == nil && (parsed.Control.Form != Timed || parsed.Control.Odds != NoOdds) {
			err = errors.New("expected a time control before the words about draws")
		}
		parsed.Control.Odds = o.odds
		return parsed, true, err
	}
	return Parsed{}, false, nil
}

var (
	whiteFirst = regexp.MustCompile(`^(?:w|white|białe)[ :=]*(\d.*?)[ ,;/-]+(?:v |vs |vs\. |v\. )?(?:b|black|czarne)[ :=]*(\d.*)$`)
	blackFirst = regexp.MustCompile(`^(?:b|black|czarne)[ :=]*(\d.*?)[ ,;/-]+(?:v |vs |vs\. |v\. )?(?:w|white|białe)[ :=]*(\d.*)$`)
	behindBoth = regexp.MustCompile(` [+;]`)
)

// sides reads a time for each side, labelled.
func sides(text string, context Context) (Parsed, bool, error) {
	if parsed, err := parse(text, Canonical); err == nil && strings.HasPrefix(text, "w") {
		if _, largest := extent(parsed.Control); context == PGN || largest > mostMinutes*time.Second {
			return parsed, true, nil
		}
	}
	var white, black string
	if m := whiteFirst.FindStringSubmatch(text); m != nil {
		white, black = m[1], m[2]
	} else if m := blackFirst.FindStringSubmatch(text); m != nil {
		black, white = m[1], m[2]
	} else {
		return Parsed{}, false, nil
	}
	w, err := parse(white, context)
	if err != nil {
		return Parsed{}, true, err
	}
	b, err := parse(black, context)
	if err != nil {
		return Parsed{}, true, err
	}
	c := Control{White: w.Control.White, Black: b.Control.White}
	if w.Control.Form != Timed || b.Control.Form != Timed || w.Control.Odds+b.Control.Odds != NoOdds ||
		!w.Control.bothSame() || !b.Control.bothSame() {
		return Parsed{}, true, errors.New("expected one time for White and one for Black")
	}
	if at := behindBoth.FindStringIndex(black); at != nil && c.White[0].Kind == None && c.Black[0].Kind != None && strings.Contains(text, black) {
		all := c
		all.White = append([]Period(nil), c.White...)
		for i := range all.White {
			all.White[i].Kind, all.White[i].Bonus = c.Black[0].Kind, c.Black[0].Bonus
		}
		return Parsed{}, true, &Error{Reason: "whether the extra time is for both sides is open", Readings: []string{all.Canonical(), c.Canonical()}}
	}
	parsed := Parsed{Control: c}
	if w.Ambiguous || b.Ambiguous {
		other := c.scaled(60)
		first, second := " (seconds)", " (minutes)"
		if _, largest := extent(c); context == People && largest%time.Minute == 0 {
			other, first, second = scaledDown(c), second, first
		}
		parsed.Ambiguous, parsed.Readings = true, []string{c.Canonical() + first, other.Canonical() + second}
	}
	return parsed, true, c.check()
}

func (c Control) bothSame() bool { return c.Equal(both(c.White)) }

// scaledDown is the reading in seconds of what was read as minutes.
func scaledDown(c Control) Control {
	down := c.scaled(1)
	for _, side := range [][]Period{down.White, down.Black} {
		for i := range side {
			side[i].Base /= 60
		}
	}
	return down
}

var (
	byoYomi  = regexp.MustCompile(`^(\d.*?) ?\+ ?(\d{1,2}) ?x ?(\d{1,3}) ?('|"|m|min|s|sec)? ?(?:byo|byo-yomi|byoyomi)$`)
	canadian = regexp.MustCompile(`^(\d.*?) ?(?:\+|,| ) ?(?:canadian )?(\d{1,3}) ?/ ?(\d{1,3}) ?('|"|m|min|s|sec)? ?(?:canadian)?$`)
)

// goClocks reads byo-yomi and Canadian time, which come from Go.
func goClocks(text string, context Context) (Parsed, bool, error) {
	m, kind := byoYomi.FindStringSubmatch(text), ByoYomi
	if m == nil && strings.Contains(text, "canadian") {
		m, kind = canadian.FindStringSubmatch(text), Canadian
	}
	if m == nil {
		return Parsed{}, false, nil
	}
	base, err := parse(m[1], context)
	if err != nil {
		return Parsed{}, true, err
	}
	c := base.Control
	if c.Form != Timed || len(c.White) != 1 || c.White[0].Kind != None || c.White[0].Moves > 0 || !c.bothSame() || c.Odds != NoOdds {
		return Parsed{}, true, errors.New("expected one main time before the " + kind.String() + " time")
	}
	unit := time.Minute
	if strings.HasPrefix(m[4], "s") || m[4] == `"` {
		unit = time.Second
	}
	p := c.White[0]
	p.Kind, p.Count, p.Bonus = kind, number(m[2]), time.Duration(number(m[3]))*unit
	if p.Count == 0 || p.Bonus == 0 {
		return Parsed{}, true, errors.New("expected a count and a time above 0")
	}
	c = both([]Period{p})
	return Parsed{Control: c}, true, c.check()
}
