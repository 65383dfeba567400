package clock

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// units is how a reader elsewhere likes times to be written.
type units struct {
	minute, second, plus string
	base                 func(time.Duration) string
}

// compact keeps the extra time of one side from being read as that of both.
var compact = units{minute: "m", second: "s", plus: "+", base: liveChessBase}

// prose writes the control in the words that organisers use, or nothing. A text
// that this package would take for another control is worse than none, so it is
// read back before it leaves.
func (c Control) prose(u units) string {
	text := c.words(u)
	if text == "" {
		return ""
	}
	if back, err := Parse(text, People); err != nil || back.Ambiguous || !back.Control.Equal(c) {
		return ""
	}
	return text
}

func (c Control) words(u units) string {
	switch c.Form {
	case Unlimited:
		return "unlimited"
	case Unknown:
		return ""
	case Correspondence:
		return c.inDays()
	case Timed:
	}
	text := ""
	if slices.Equal(c.White, c.Black) {
		text = sideWords(c.White, u)
	} else if white, black := sideWords(c.White, compact), sideWords(c.Black, compact); white != "" && black != "" {
		text = "White " + white + ", Black " + black
	}
	if text == "" {
		return ""
	}
	switch c.Odds {
	case WhiteWinsDraws:
		text += ", White has draw odds"
	case BlackWinsDraws:
		text += ", Black has draw odds"
	case NoOdds:
	}
	return text
}

func (c Control) inDays() string {
	moves, in := c.White[0].Moves, int(c.White[0].Base/day)
	switch {
	case c.DoubleAfter > 0:
		return fmt.Sprintf("%d/%d (double after %d)", moves, in, c.DoubleAfter)
	case moves > 1:
		return fmt.Sprintf("%d moves in %s", moves, counted(in, "day"))
	}
	return counted(in, "day") + "/move"
}

func sideWords(periods []Period, u units) string {
	first := periods[0]
	if len(periods) == 1 && first.Moves == 0 {
		return first.words(u)
	}
	x, from, ok := extraOfAll(periods)
	if !ok {
		return ""
	}
	parts := make([]string, len(periods))
	for i, p := range periods {
		parts[i] = u.base(p.Base)
		if i > 0 && p.Base%time.Minute != 0 { // seconds there would be extra time
			parts[i] = face(p.Base)
		}
		if p.Moves > 0 {
			parts[i] += " for " + counted(p.Moves, "move")
		}
	}
	text := strings.Join(parts, ", then ")
	switch x.Kind {
	case Fischer:
		text += ", " + seconds(x.Bonus) + u.second + " increment" // "+" might be for both sides
		if from > 1 {
			text += " from move " + strconv.Itoa(from)
		}
	case Delay:
		text += ", " + seconds(x.Bonus) + u.second + " delay"
	case Bronstein:
		text += ", " + seconds(x.Bonus) + u.second + " Bronstein"
	case None, ByoYomi, Canadian, Hourglass, CountUp:
	}
	return text
}

// words is a period that is a whole game.
func (p Period) words(u units) string {
	base := u.base(p.Base)
	bonus := seconds(p.Bonus) + u.second
	switch p.Kind {
	case None:
		if rest, ok := strings.CutSuffix(base, u.minute); ok && u.minute == "m" {
			return counted(number(rest), "min")
		}
		return base
	case Fischer:
		if p.From > 1 {
			return base + ", " + bonus + " increment from move " + strconv.Itoa(p.From)
		}
		return base + u.plus + bonus
	case Delay:
		return base + u.plus + bonus + " delay"
	case Bronstein:
		return base + u.plus + bonus + " Bronstein"
	case ByoYomi:
		return base + " + " + strconv.Itoa(p.Count) + "x" + bonus + " byo-yomi"
	case Canadian:
		return base + " + Canadian " + strconv.Itoa(p.Count) + "/" + bonus
	case Hourglass:
		return "hourglass " + base
	case CountUp:
		return base + " upcount"
	}
	return ""
}

// extraOfAll is the extra time of every period, or of every period from one on;
// from is the move of the game with which it begins.
func extraOfAll(periods []Period) (x Period, from int, ok bool) {
	last := periods[len(periods)-1]
	x = Period{Kind: last.Kind, Bonus: last.Bonus}
	if last.Kind >= ByoYomi || last.From > 1 {
		return x, 0, false
	}
	from = 1
	for i, p := range periods {
		switch {
		case p.Kind == x.Kind && p.Bonus == x.Bonus && p.From <= 1:
		case p.Kind == None && p.Moves > 0 && (i == 0 || periods[i-1].Kind == None):
			from += p.Moves
		default:
			return x, 0, false
		}
	}
	return x, from, true
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// face is a time as a clock shows it, h:mm:ss.
func face(d time.Duration) string {
	s := int(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
