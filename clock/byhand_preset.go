package clock

import "slices"

// change is what begins the next period of a preset.
type change uint8

const (
	changeUnknown change = iota // not known
	changeAtZero                // the first clock that reaches 0:00, for both
	changeByMoves               // the clock's own move counter
)

// preset is an option that needs nothing entered. Its control is written as
// [shape] does, or in full where the change is by moves.
type preset struct {
	option, control string
	change          change
	note            string // a doubt
}

const delayOfXL = "DELAY is Bronstein: the effect of a US delay, with another display"

// presets are those of fact sheet 4.1 to 4.3; the numbers of the DGT 2500 are
// not known.
var presets = map[Model][]preset{
	XL: {
		{"01", "300", 0, ""}, {"02", "600", 0, ""}, {"03", "1500", 0, ""}, {"04", "3600", 0, ""}, {"05", "7200", 0, ""},
		{"06", "6300:900", 0, ""}, {"07", "7200:3600", 0, ""}, {"08", "7200:3600:1800", 0, ""}, {"09", "7200:3600:3600:3600", 0, ""},
		{"10", "180+2", 0, ""}, {"11", "1500+10", 0, ""}, {"12", "5400+30", 0, ""},
		{"13", "40/6000+30:20/3000+30:600+30", changeByMoves, ""},
		{"14", "300+3b", 0, ""}, {"15", "1500+10b", 0, ""}, {"16", "6900+5b", 0, ""},
		{"17", "7200:600+30", 0, ""}, {"18", "7200:3600:900+30", 0, ""},
		{"19", "3600+0/300c", 0, ""}, {"20", "7200+0/600c", 0, ""},
		{"21", "1500u", 0, ""}, {"22", "*60", 0, ""},
	},
	DGT3000: {
		{"01", "300", 0, ""}, {"02", "600", 0, ""}, {"03", "1500", 0, ""}, {"04", "3600", 0, ""}, {"05", "7200", 0, ""},
		{"06", "7200:1800", changeAtZero, ""}, {"07", "7200:3600", changeAtZero, ""}, {"08", "7200:3600:1800", changeAtZero, ""},
		{"11", "900+10", 0, "not verified: that option 11 is 15'+10\"; if it shows anything but 0:15:10, take a manual option, 26 to 30"},
	},
	DGT2010: {
		{"01", "300", 0, ""}, {"02", "1500", 0, ""},
		{"04", "7200:1800", 0, ""}, {"06", "7200:3600:1800", 0, ""}, {"08", "7200:3600 repeated", 0, ""},
		{"19", "5400+30:900+30", changeAtZero, "the label of option 19 is wrong on clocks with serial numbers below 3509: look what it shows"},
	},
}

// preset finds the option that fits, if there is one.
func (c Control) preset(s *Setting) bool {
	if !c.sidesSame() {
		return false
	}
	full, plain := canonicalSide(c.White), shape(c.White)
	asBronstein := ""
	if s.Model == XL && c.White[0].Kind == Delay {
		asBronstein = shape([]Period{c.White[0].withKind(Bronstein)})
	}
	for _, p := range presets[s.Model] {
		want := plain
		if p.change == changeByMoves {
			want = full
		}
		bronstein := len(c.White) == 1 && p.control == asBronstein
		if p.control != want && !bronstein {
			continue
		}
		s.Option, s.Preset = p.option, true
		if p.note != "" {
			s.doubt("%s", p.note)
		}
		switch {
		case bronstein:
			s.note(delayOfXL)
		case c.White[0].Kind == Canadian:
			s.doubt("not known: how the clock counts the moves of a Canadian period")
		}
		c.changes(s, p.change)
		return true
	}
	return false
}

// changes tells of the end of a period that has a number of moves.
func (c Control) changes(s *Setting, by change) {
	if len(c.White) == 1 || c.White[0].Moves == 0 && by != changeUnknown {
		return
	}
	moves := c.White[0].Moves
	switch {
	case by == changeByMoves:
		s.note("the clock's own move counter adds the next period: its white and black signs have to be right before the start")
	case by == changeAtZero:
		s.note("the next period comes to both when the first clock reaches 0:00, not after move %d: count the moves then", moves)
	case moves == 0:
		s.doubt("not known: whether both clocks get the next period at 0:00, or each its own")
	default:
		s.doubt("not known: whether the next period comes at 0:00 or after move %d", moves)
	}
}

// shape writes the times of a side without its numbers of moves, which presets
// do not name; a last period that repeats stays marked.
func shape(side []Period) string {
	plain := slices.Clone(side)
	for i := range plain {
		plain[i].Moves = 0
		if plain[i].Kind == Canadian {
			plain[i].Count = 0
		}
	}
	text := canonicalSide(plain)
	if side[len(side)-1].Moves > 0 {
		text += " repeated"
	}
	return text
}

func (p Period) withKind(k Kind) Period {
	p.Kind = k
	return p
}
