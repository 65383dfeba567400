package clock

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// manual says what to enter where no preset fits.
func (c Control) manual(s *Setting) {
	n := len(c.White)
	kinds, ok := c.commonKinds()
	switch {
	case !ok:
		s.doubt("not known: whether the sides may have different kinds of time or other periods")
		return
	case s.Model == XL && n > 5:
		s.doubt("the clock takes at most 5 periods, the time control has %d", n)
		return
	case s.Model == DGT2500 && n > 3:
		s.doubt("the clock takes at most 3 periods, the time control has %d", n)
		return
	}
	var named bool
	switch s.Model {
	case XL:
		named = c.manualXL(s, kinds)
	case DGT3000:
		named = c.manual3000(s, kinds)
	case DGT2010:
		named = c.manual2010(s, kinds)
	case DGT2500:
		s.doubt("not known: the number of the manual option, and its kinds of time; read the label under the clock")
		named = true
		if c.hasMoves() {
			s.note(`switch "forced move counter" on: the numbers of moves count then`)
		}
		if !c.sidesSame() {
			s.doubt("not known: whether the sides may differ")
		}
	}
	if !named {
		return
	}
	if c.White[n-1].Moves > 0 && !(s.Model == DGT2010 && s.Option == "09") {
		s.doubt("not known: how the last period is made to repeat every %d moves", c.White[n-1].Moves)
	}
	c.enter(s, kinds)
}

// commonKinds are the kinds of the periods, which both sides must share; a side
// without an increment has one of 0 s.
func (c Control) commonKinds() ([]Kind, bool) {
	if len(c.White) != len(c.Black) {
		return nil, false
	}
	kinds := make([]Kind, len(c.White))
	for i, w := range c.White {
		b := c.Black[i]
		fischer := w.Kind <= Fischer && b.Kind <= Fischer
		if w.Moves != b.Moves || w.Kind != b.Kind && !fischer {
			return nil, false
		}
		kinds[i] = max(w.Kind, b.Kind)
	}
	return kinds, true
}

func (c Control) hasMoves() bool {
	return slices.ContainsFunc(c.White, func(p Period) bool { return p.Moves > 0 })
}

func (c Control) manualXL(s *Setting, kinds []Kind) bool {
	if slices.Contains(kinds, ByoYomi) {
		s.doubt("not known: whether the clock counts byo-yomi periods")
		return false
	}
	s.Option = "00"
	if slices.Contains(kinds, Delay) {
		s.note(delayOfXL)
	}
	if slices.Contains(kinds, Canadian) {
		s.doubt("not known: how the clock counts the moves of a Canadian period")
	}
	c.changes(s, changeUnknown)
	return true
}

func (c Control) manual3000(s *Setting, kinds []Kind) bool {
	if slices.Contains(kinds, Hourglass) {
		s.doubt("not known: whether the clock has an hourglass")
		return false
	}
	s.Option = "26-30"
	s.note("options 26 to 30 are manual and keep what you enter, even without batteries")
	if c.sidesSame() {
		s.note("presets 09 to 24 are not known and one may fit: read the label")
	}
	if c.hasMoves() {
		s.doubt("not verified: that a manual setting takes a number of moves; without one the next period comes to both at 0:00")
	}
	if slices.ContainsFunc(kinds, func(k Kind) bool { return k != kinds[0] }) {
		s.doubt("not known: whether a manual setting may mix kinds of time")
	}
	return true
}

// manual2010 picks the option by kind: fact sheet 4.3 tells which options are
// for what, and of some which are manual.
func (c Control) manual2010(s *Setting, kinds []Kind) bool {
	n, last := len(kinds), kinds[len(kinds)-1]
	plain := !slices.ContainsFunc(kinds, func(k Kind) bool { return k != None })
	same := !slices.ContainsFunc(kinds, func(k Kind) bool { return k != last })
	label := false
	switch {
	case plain && n == 2 && c.White[1].Moves > 0:
		s.Option = "09"
	case plain && n <= 3:
		s.Option = [...]string{"03", "05", "07"}[n-1]
	case same && last == Fischer && n == 1:
		s.Option = "18"
		if c.sidesSame() {
			s.note("presets 15 to 17 are not known and one may fit: read the label")
		}
	case same && last == Fischer:
		s.Option = "21"
		s.note("option 21 takes one number of moves; 00 means that both get the next period at 0:00")
		if n > 2 {
			s.doubt("not known: whether option 21 takes %d periods", n)
		}
	case last == Fischer && n <= 3 && !slices.ContainsFunc(kinds[:n-1], func(k Kind) bool { return k != None }):
		s.Option, label = [...]string{"10-12", "13-14"}[n-2], true
	case n == 1 && (last == Delay || last == Bronstein):
		s.Option, label = "22-25", true
		s.doubt("not known: whether its delay is Bronstein or a US delay; the effect is the same")
	case n == 1 && last == ByoYomi:
		s.Option, label = "26-28", true
	case n == 1 && last == Canadian:
		s.Option, label = "29-30", true
	case n == 1 && last == Hourglass:
		s.Option, label = "31-32", true
	case n == 1 && last == CountUp:
		s.Option, label = "35-36", true
	default:
		s.doubt("not known: an option for these periods")
		return false
	}
	switch {
	case label:
		s.doubt("not known: which of these options is the manual one; read the label under the clock")
	case plain:
		s.doubt("not verified: which manual option is for how many periods; read the label under the clock")
		c.changes(s, changeUnknown)
	}
	return true
}

// enter lists the values, for both sides or for each.
func (c Control) enter(s *Setting, kinds []Kind) {
	odd := false
	for i, k := range kinds {
		period := ""
		if len(kinds) > 1 {
			period = "period " + strconv.Itoa(i+1) + ", "
		}
		moves := s.countsMoves(i)
		white, black := c.White[i].toEnter(s.Model, k, moves), c.Black[i].toEnter(s.Model, k, moves)
		if c.sidesSame() {
			s.Enter = append(s.Enter, period+"both sides: "+white)
		} else {
			s.Enter = append(s.Enter, period+"White: "+white, period+"Black: "+black)
		}
		odd = odd || c.White[i].Base%time.Minute != 0 || c.Black[i].Base%time.Minute != 0
	}
	if odd {
		s.doubt("not known: whether seconds of a main time can be entered; if not, enter whole minutes and correct the faces before the start")
	}
}

// countsMoves tells whether a number of moves is entered for a period.
func (s *Setting) countsMoves(period int) bool {
	switch s.Model {
	case DGT3000, DGT2500:
		return true
	case DGT2010:
		return s.Option == "21" && period == 0
	case XL:
	}
	return false
}

// onDisplay is how a clock names the kind that is chosen for a period. The 2010
// has an option for each kind instead, and of the 2500 the names are not known.
var onDisplay = map[Model]map[Kind]string{
	XL: {
		None: "TIME ", Fischer: "FISCH ", Bronstein: "DELAY ", Delay: "DELAY ",
		Canadian: "BYO ", Hourglass: "HGLASS ", CountUp: "UPCNT ",
	},
	DGT3000: {
		None: "TIME ", Fischer: "FISCH ", Bronstein: "DELAY ", Delay: "US-DLY ",
		ByoYomi: "BYO-YOMI ", Canadian: "CANADIAN ", CountUp: "UPCOUNT ",
	},
	DGT2500: {Hourglass: "hourglass ", CountUp: "counting up, "},
}

func (p Period) toEnter(m Model, k Kind, moves bool) string {
	text := onDisplay[m][k] + hoursAndMinutes(p.Base)
	switch k {
	case Fischer:
		text += fmt.Sprintf(", increment %d s", p.Bonus/time.Second)
	case Bronstein, Delay:
		text += fmt.Sprintf(", delay %d s", p.Bonus/time.Second)
	case ByoYomi:
		text += fmt.Sprintf(", %s of %d s", counted(p.Count, "period"), p.Bonus/time.Second)
	case Canadian:
		text += fmt.Sprintf(", then %s in each %s", counted(p.Count, "move"), hoursAndMinutes(p.Bonus))
	case None, Hourglass, CountUp:
	}
	if moves && p.Moves > 0 {
		text += ", " + counted(p.Moves, "move")
	}
	return text
}

func (c Control) sidesSame() bool { return slices.Equal(c.White, c.Black) }

// hoursAndMinutes is h:mm, with the seconds if there are any.
func hoursAndMinutes(d time.Duration) string {
	if d%time.Minute != 0 {
		return face(d)
	}
	m := int(d / time.Minute)
	return fmt.Sprintf("%d:%02d", m/60, m%60)
}
