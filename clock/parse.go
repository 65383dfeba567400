package clock

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Context says who wrote a text, and so what a number without a unit is.
type Context uint8

// The contexts.
const (
	People    Context = iota // organisers and event files: minutes, and seconds of increment
	PGN                      // tag values: seconds
	Canonical                // [Control.Canonical], nothing else
)

// Parsed is what a text says.
type Parsed struct {
	Control Control
	// Ambiguous says that the text alone leaves two readings; the context, or
	// custom, chose the control, which is the first of the Readings.
	Ambiguous bool
	Readings  []string
}

// Error is a text that is no time control, or that may be several.
type Error struct {
	Text   string
	Reason string
	// Readings are what the text may mean, when its structure is open. Ask;
	// nothing in the text tells.
	Readings []string
}

// Error is the reason, with the readings.
func (e *Error) Error() string {
	if len(e.Readings) == 0 {
		return e.Reason
	}
	return e.Reason + ": " + strings.Join(e.Readings, " or ")
}

// longestText is far above any real time control.
const longestText = 300

// Bare numbers (fact sheet 3.2): people do not write more than 180 minutes
// without a unit, so a greater number is seconds: one up to 300 is marked as
// ambiguous, for it may be hours after all, one above cannot be. And 150 seconds
// or less in a PGN tag may well be minutes.
const (
	mostMinutes    = 180
	fewSeconds     = 150
	hardlyMinutes  = 300 // 300 may be five hours, 600 is not ten
	dubiousPerMove = 6   // seconds a move: 30/90 is hardly 30 moves in 90 s
)

// Parse reads a time control. Where only the unit is open the context decides
// and the answer says so; where the structure is open it is refused with the
// readings named. "5 v 4" is refused, whoever has more time by custom: real
// regulations give it to White and to Black (fact sheet 1).
func Parse(text string, context Context) (Parsed, error) {
	if len(text) > longestText || !utf8.ValidString(text) {
		return Parsed{}, &Error{Text: text, Reason: fmt.Sprintf("expected a time control of at most %d bytes in UTF-8", longestText)}
	}
	parsed, err := parse(normal(text), context)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Reason: err.Error()}
		}
		e.Text = text
		return Parsed{}, e
	}
	return parsed, nil
}

var spelled = strings.NewReplacer(
	"’", "'", "‘", "'", "′", "'", "´", "'", "`", "'", "”", `"`, "“", `"`, "″", `"`, "''", `"`, `\"`, `"`,
	"–", "-", "—", "-", "−", "-", "\u00a0", " ", "\t", " ", "\n", " ", "\r", " ",
	"(", " ", ")", " ", "[", " ", "]", " ", "gamewith", "game with", "f.b.", "fb",
	" ½", ".5", "½", ".5")

// normal brings a text to one spelling of its signs.
func normal(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	text = spelled.Replace(spelled.Replace(text)) // twice: two apostrophes may come from one sign each
	return strings.Join(strings.Fields(strings.TrimLeft(text, ": ")), " ")
}

func parse(text string, context Context) (Parsed, error) {
	switch text {
	case "":
		return Parsed{}, errors.New("expected a time control, got nothing")
	case "-", "none", "unlimited":
		return Parsed{Control: Control{Form: Unlimited}}, nil
	case "?":
		return Parsed{Control: Control{Form: Unknown}}, nil
	}
	if context != Canonical {
		if err := structureOpen(text); err != nil {
			return Parsed{}, err
		}
		text = clockFaces(text)
		if context == People {
			var err error
			if text, err = shortFaces(text); err != nil {
				return Parsed{}, err
			}
		}
		for _, special := range []func(string, Context) (Parsed, bool, error){days, draws, sides, bareSlash, goClocks} {
			if parsed, ok, err := special(text, context); ok {
				return parsed, err
			}
		}
	}
	if written.MatchString(text) || context == Canonical {
		if parsed, ok, err := parseNumbers(text, context); ok {
			return parsed, err
		}
	}
	periods, open, err := parseWords(text)
	if err != nil {
		return Parsed{}, err
	}
	c := both(periods)
	if err := c.check(); err != nil {
		return Parsed{}, err
	}
	parsed := Parsed{Control: c}
	if open != "" {
		parsed.Ambiguous, parsed.Readings = true, []string{c.Canonical() + " (minutes, then seconds a move)", open}
	}
	return parsed, nil
}

// parseNumbers reads texts of the shape of the canonical form; ok is false when
// they are for parseWords.
func parseNumbers(text string, context Context) (Parsed, bool, error) {
	c, err := parseWritten(text)
	if err != nil || context == Canonical || c.Form != Timed {
		return Parsed{Control: c}, true, err
	}
	smallest, largest := extent(c)
	switch {
	case context == PGN:
		parsed := Parsed{Control: c}
		if largest > 0 && largest <= fewSeconds*time.Second && !strings.ContainsAny(text, "dbycu@=*") {
			parsed.Ambiguous = true
			parsed.Readings = []string{c.Canonical() + " (seconds)", c.scaled(60).Canonical() + " (minutes)"}
		}
		return parsed, true, nil
	case strings.ContainsAny(text, "dbyc@u*"): // only the canonical form has these
		return Parsed{Control: c}, true, nil
	case largest > mostMinutes*time.Second:
		parsed := Parsed{Control: c}
		if smallest > 0 && largest <= hardlyMinutes*time.Second && !strings.ContainsAny(text, "/:") {
			parsed.Ambiguous = true
			parsed.Readings = []string{c.Canonical() + " (seconds)", c.scaled(60).Canonical() + " (minutes)"}
		}
		return parsed, true, nil
	case strings.Contains(text, "/"): // 40/90+30: US, the words know
		return Parsed{}, false, nil
	case strings.Contains(text, ":"):
		return Parsed{}, true, &Error{Reason: "the units are open", Readings: []string{
			c.Canonical() + " (seconds)", c.scaled(60).Canonical() + " (minutes)"}}
	}
	m := c.scaled(60)
	if err := m.check(); err != nil || m.Equal(c) { // 0+1
		return Parsed{Control: m}, true, err
	}
	return Parsed{Control: m, Ambiguous: true, Readings: []string{
		m.Canonical() + " (minutes)", c.Canonical() + " (seconds)"}}, true, nil
}

func extent(c Control) (smallest, largest time.Duration) {
	smallest = c.White[0].Base
	for _, side := range [][]Period{c.White, c.Black} {
		for _, p := range side {
			smallest, largest = min(smallest, p.Base), max(largest, p.Base)
		}
	}
	return smallest, largest
}

var (
	threeNumbers = regexp.MustCompile(`^(\d{1,3}) ?([/+]) ?(\d{1,3}) ?([/+]) ?(\d{1,3})$`)
	colons       = regexp.MustCompile(`^(\d{1,2}):(\d\d) ?\+ ?(\d{1,2}):(\d\d)$`)
	twoSides     = regexp.MustCompile(`^(\d{1,3}) ?(?:m|min|')? ?(?:v|vs|v\.|-) ?(\d{1,3}) ?(?:m|min|')?(?: ?\+ ?(\d{1,2}) ?(?:s|sec|")?)?$`)
)

// structureOpen refuses the texts whose numbers may be arranged in more than one way.
func structureOpen(text string) error {
	if m := threeNumbers.FindStringSubmatch(text); m != nil && m[2] == m[4] {
		a, b, c := number(m[1]), number(m[3]), number(m[5])
		return &Error{Reason: "the structure is open", Readings: []string{
			fmt.Sprintf("%d+%d:%d+%d (%d min, then %d min, %d s a move)", a*60, c, b*60, c, a, b, c),
			fmt.Sprintf("%d:%d:%d (%d min, then %d min, then %d min)", a*60, b*60, c*60, a, b, c),
		}}
	}
	if m := colons.FindStringSubmatch(text); m != nil {
		a, b, c, d := number(m[1]), number(m[2]), number(m[3]), number(m[4])
		return &Error{Reason: "the units are open", Readings: []string{
			fmt.Sprintf("%d+%d (h:mm and m:ss)", (a*60+b)*60, c*60+d),
			fmt.Sprintf("%d:%d (h:mm, then h:mm)", (a*60+b)*60, (c*60+d)*60),
		}}
	}
	if m := twoSides.FindStringSubmatch(text); m != nil {
		first, second := m[1:2:2], m[2]
		bonus := ""
		if m[3] != "" {
			bonus = "+" + m[3]
		}
		unit := 60
		if number(first[0]) > mostMinutes {
			unit = 1
		}
		a, b := number(first[0])*unit, number(second)*unit
		return &Error{Reason: "whose time is which is open; write W and B", Readings: []string{
			fmt.Sprintf("W%d%s-B%d%s", a, bonus, b, bonus), fmt.Sprintf("W%d%s-B%d%s", b, bonus, a, bonus),
		}}
	}
	return nil
}

var slash = regexp.MustCompile(`^(\d{1,3}) ?/ ?(\d{1,3})$`)

// bareSlash reads two small numbers with a slash between and nothing else:
// each custom has its own order.
func bareSlash(text string, context Context) (Parsed, bool, error) {
	m := slash.FindStringSubmatch(text)
	if m == nil {
		return Parsed{}, false, nil
	}
	a, b := number(m[1]), number(m[2])
	if a == 0 || b == 0 {
		return Parsed{}, true, errors.New("expected two numbers above 0")
	}
	moves := fmt.Sprintf("%d/%d (%d moves in %d min)", a, b*60, a, b)
	swapped := fmt.Sprintf("%d/%d (%d moves in %d min)", b, a*60, b, a)
	fics := fmt.Sprintf("%d+%d (%d min and %d s a move)", a*60, b, a, b)
	days := fmt.Sprintf("%d/%dd (%d moves in %d days)", a, b, a, b)
	as := func(c Control, readings ...string) (Parsed, bool, error) {
		return Parsed{Control: c, Ambiguous: len(readings) > 0, Readings: readings}, true, c.check()
	}
	switch {
	case b > mostMinutes, context == PGN && b >= a*dubiousPerMove: // 40/120: the standard has a meaning for it
		return Parsed{}, false, nil
	case a == 10 && (b == 30 || b == 40 || b == 50): // the usual correspondence controls
		c := both([]Period{{Moves: a, Base: time.Duration(b) * day}})
		c.Form = Correspondence
		return as(c, days, moves)
	case a >= 20 && b <= 2: // US: a bare 1 or 2 behind the slash is hours
		return as(both([]Period{{Moves: a, Base: time.Duration(b) * time.Hour}}))
	case a <= 30 && b < a: // FICS: minutes/increment
		return as(both([]Period{{Base: time.Duration(a) * time.Minute, Kind: Fischer, Bonus: time.Duration(b) * time.Second}}), fics, swapped)
	}
	if a == b { // either order says the same
		swapped = fics
	}
	return Parsed{}, true, &Error{Reason: "the order of moves and minutes is open", Readings: []string{moves, swapped}}
}
