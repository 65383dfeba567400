package clock

import (
	"fmt"
	"slices"
	"time"
)

// Model is a kind of clock that an arbiter sets by hand.
type Model uint8

// The models of fact sheet 4.
const (
	XL Model = iota
	DGT3000
	DGT2010
	DGT2500
)

// Models lists them, to be ranged over.
var Models = [...]Model{XL, DGT3000, DGT2010, DGT2500}

var modelNames = [...]string{"DGT XL", "DGT 3000", "DGT 2010", "DGT 2500"}

// String is the name on the clock.
func (m Model) String() string {
	if int(m) < len(modelNames) {
		return modelNames[m]
	}
	return fmt.Sprintf("model %d", uint8(m))
}

// Setting is how one model is set by hand.
type Setting struct {
	Model Model
	// Option is the number to choose, "12", or the numbers that come into
	// question, "26-30"; empty when it is not known or the clock cannot do it.
	Option string
	// Preset says that the option is all: nothing has to be entered.
	Preset bool
	// Enter are the values to enter, in order.
	Enter []string
	// White and Black are what each side shows before the start; empty when
	// that is not known.
	White, Black string
	// Sure is false when a note names something that is not known, or that
	// nobody has verified.
	Sure bool
	// Notes are what the arbiter has to know besides.
	Notes []string
}

func (s *Setting) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

func (s *Setting) doubt(format string, args ...any) {
	s.Sure = false
	s.note(format, args...)
}

// ByHand says how to set a model by hand, as far as it is known (fact sheet 4):
// the preset that fits, else what to enter with a manual option. A control
// without times to set gives an empty setting that says so.
func (c Control) ByHand(m Model) Setting {
	s := Setting{Model: m, Sure: true}
	if c.Form != Timed {
		s.note("there is no time to set")
		return s
	}
	if c.hasLateExtra() {
		s.doubt("not known: how extra time that begins with a later move is set")
		return s
	}
	if !c.preset(&s) {
		c.manual(&s)
	}
	if s.Option == "" && s.Enter == nil {
		return s
	}
	white, black := c.Start()
	s.White = c.shown(m, c.White, white)
	s.Black = c.shown(m, c.Black, black)
	c.firstIncrement(&s)
	if k := c.White[0].Kind; (k == Bronstein || k == Delay) && s.Model != DGT3000 {
		s.doubt("not known: whether the display has the delay in it at the start")
	}
	return s
}

func (c Control) hasLateExtra() bool {
	late := func(p Period) bool { return p.From > 1 }
	return slices.ContainsFunc(c.White, late) || slices.ContainsFunc(c.Black, late)
}

// secondsFrom is up to which time the models with four digits show seconds.
const secondsFrom = 20 * time.Minute

// shown is a time as the model displays it (fact sheet 3.4, 4.2, 4.5).
func (c Control) shown(m Model, side []Period, start time.Duration) string {
	switch m {
	case DGT3000:
		if side[0].Kind == Bronstein { // it shows the total, delay included
			start += side[0].Bonus
		}
		return face(start)
	case XL, DGT2010:
		s := int(start / time.Second)
		if start > secondsFrom {
			return fmt.Sprintf("%d:%02d", s/3600, s/60%60)
		}
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	case DGT2500:
	}
	return ""
}

// firstIncrement says whether the increment for move 1 can be seen.
func (c Control) firstIncrement(s *Setting) {
	white, black := c.Start()
	if white == c.White[0].Base && black == c.Black[0].Base {
		return
	}
	hidden := max(white, black) > secondsFrom
	switch {
	case s.Model == DGT3000:
		s.note("the increment for move 1 is added and shown")
	case s.Model == DGT2010 && hidden:
		s.note("the increment for move 1 is added; seconds are hidden above 20:00")
	case s.Model == DGT2010:
		s.note("the increment for move 1 is added")
	case s.Model == XL && hidden:
		s.doubt("not verified: the increment for move 1 is added, and seconds are hidden above 20:00")
	case s.Model == XL:
		s.doubt("not verified: the increment for move 1 is added; if it is not shown, add it to both sides")
	default:
		s.doubt("not known: whether the increment for move 1 is added; look at the clock before the start")
	}
}
