package clock

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Canonical writes the control as TRF26 tag 222 does (fact sheet 3.1): seconds,
// periods M/S+I between colons, W...-B... when the sides differ. What the tag
// cannot say is written behind it:
//
//	+5d +5b     US delay, Bronstein of 5 s instead of an increment
//	+10@41      extra time from move 41 of the game on
//	+3x60y      byo-yomi, three periods of 60 s
//	+15/300c    Canadian, 15 moves in each 300 s
//	*60 1500u   hourglass; counting up after the base
//	=B =W       at the end: Black (White) wins a drawn game
//	10/30d      10 moves in 30 days; 10/50d20: days count double after 20 on a move
//	- ?         no time control, unknown
func (c Control) Canonical() string {
	switch c.Form {
	case Unlimited:
		return "-"
	case Unknown:
		return "?"
	case Correspondence:
		text := strconv.Itoa(c.White[0].Moves) + "/" + strconv.Itoa(int(c.White[0].Base/day)) + "d"
		if c.DoubleAfter > 0 {
			text += strconv.Itoa(c.DoubleAfter)
		}
		return text
	case Timed:
	}
	text := canonicalSide(c.White)
	if !slices.Equal(c.White, c.Black) {
		text = "W" + text + "-B" + canonicalSide(c.Black)
	}
	switch c.Odds {
	case WhiteWinsDraws:
		text += "=W"
	case BlackWinsDraws:
		text += "=B"
	case NoOdds:
	}
	return text
}

// String is the canonical form.
func (c Control) String() string { return c.Canonical() }

func canonicalSide(periods []Period) string {
	parts := make([]string, len(periods))
	for i, p := range periods {
		parts[i] = p.canonical()
	}
	return strings.Join(parts, ":")
}

func (p Period) canonical() string {
	var b strings.Builder
	if p.Moves > 0 {
		b.WriteString(strconv.Itoa(p.Moves) + "/")
	}
	if p.Kind == Hourglass {
		b.WriteByte('*')
	}
	b.WriteString(seconds(p.Base))
	switch p.Kind {
	case Fischer:
		b.WriteString("+" + seconds(p.Bonus))
	case Delay:
		b.WriteString("+" + seconds(p.Bonus) + "d")
	case Bronstein:
		b.WriteString("+" + seconds(p.Bonus) + "b")
	case ByoYomi:
		b.WriteString("+" + strconv.Itoa(p.Count) + "x" + seconds(p.Bonus) + "y")
	case Canadian:
		b.WriteString("+" + strconv.Itoa(p.Count) + "/" + seconds(p.Bonus) + "c")
	case CountUp:
		b.WriteByte('u')
	case None, Hourglass:
	}
	if p.From > 0 {
		b.WriteString("@" + strconv.Itoa(p.From))
	}
	return b.String()
}

// PGN writes the value of the tag TimeControl (PGN 9.6.1), with increments in
// every period as real files have them. A US delay is written with the suffix
// d that is proposed for it. Where even that cannot say what is meant (unequal
// sides, Bronstein, byo-yomi ...) the value is "?"; extra time from a later move
// is written as a period without a base, the nearest there is.
func (c Control) PGN() string {
	switch {
	case c.Form == Unlimited:
		return "-"
	case c.Form == Unknown, !slices.Equal(c.White, c.Black), c.DoubleAfter > 0:
		return "?"
	}
	var parts []string
	for _, p := range c.White {
		switch p.Kind {
		case Bronstein, ByoYomi, Canadian, CountUp:
			return "?"
		case Hourglass:
			if len(c.White) > 1 || p.Moves > 0 {
				return "?"
			}
		case None, Fischer, Delay:
		}
		if p.From > 1 {
			if len(c.White) > 1 || p.Moves > 0 {
				return "?"
			}
			late := Period{Kind: p.Kind, Bonus: p.Bonus}
			return strconv.Itoa(p.From-1) + "/" + seconds(p.Base) + ":" + late.canonical()
		}
		p.From = 0
		parts = append(parts, p.canonical())
	}
	return strings.Join(parts, ":")
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
