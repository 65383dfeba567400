package rules

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// lineWidth is the longest line of movetext; PGN asks for less than 80 columns (section 8.2.1).
const lineWidth = 79

// roster is the seven tag roster with its values for "unknown" (PGN section 8.1.1).
var roster = [...]Tag{
	{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"},
	{"White", "?"}, {"Black", "?"}, {"Result", "*"},
}

// WritePGN writes the game in PGN export form, followed by an empty line. The
// error is the writer's own.
func WritePGN(w io.Writer, g *Game) error {
	_, err := w.Write(AppendPGN(nil, g))
	return err
}

// AppendPGN appends the game in PGN export form (section 3.2) as UTF-8: the
// seven tag roster first, the other tags in order of their names, the clock after
// each ply as %clk h:mm:ss where known (seconds rounded down), the time used as
// %emt, lines below 80 columns. Result, SetUp, FEN and, for Chess960, Variant come
// from the record and outrank tags of these names.
func AppendPGN(dst []byte, g *Game) []byte {
	dst = appendTags(dst, g)
	dst = append(dst, '\n')
	t := textLines{out: dst, line: len(dst)}
	t.comment(g.Comment)
	numbered := false // after a comment Black's move needs its number too
	for i := range g.plies {
		ply, before := &g.plies[i], &g.positions[i]
		number := strconv.Itoa(before.FullmoveNumber())
		if before.turn == White {
			t.word(number + ".")
		} else if !numbered {
			t.word(number + "...")
		}
		t.word(ply.SAN)
		numbered = !t.plyComment(ply)
	}
	t.word(string(g.result()))
	return append(t.out, "\n\n"...)
}

// result is the Result in a form PGN knows.
func (g *Game) result() Result {
	switch g.Result {
	case WhiteWins, BlackWins, Draw:
		return g.Result
	}
	return Unfinished
}

func appendTags(dst []byte, g *Game) []byte {
	for _, tag := range roster {
		value := g.Tags.Get(tag.Name)
		switch {
		case tag.Name == "Result":
			value = string(g.result())
		case value == "":
			value = tag.Value
		}
		dst = appendTag(dst, tag.Name, value)
	}
	rest := make(Tags, 0, len(g.Tags)+3)
	for _, tag := range g.Tags {
		tag.Name = tagName(tag.Name)
		known := slices.ContainsFunc(roster[:], func(r Tag) bool { return r.Name == tag.Name })
		derived := tag.Name == "SetUp" || tag.Name == "FEN" || tag.Name == "Variant" && namesChess960(tag.Value)
		if !known && !derived && tag.Name != "" {
			rest = append(rest, tag)
		}
	}
	if start := g.Start(); *start != Start() {
		rest.Set("SetUp", "1")
		rest.Set("FEN", start.FEN())
	}
	if g.Start().chess960 {
		rest.Set("Variant", "Chess960")
	}
	slices.SortStableFunc(rest, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	for _, tag := range rest {
		dst = appendTag(dst, tag.Name, tag.Value)
	}
	return dst
}

// tagName keeps the letters, digits and underscores a tag name may have (section 8.1).
func tagName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isTagByte(byte(r)) {
			return r
		}
		return -1
	}, name)
}

func isTagByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

func appendTag(dst []byte, name, value string) []byte {
	dst = append(append(append(dst, '['), name...), ` "`...)
	for _, r := range value {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			dst = append(dst, ' ')
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, "\"]\n"...)
}

// textLines lays out words below lineWidth columns.
type textLines struct {
	out  []byte
	line int // where the present line begins in out
}

func (t *textLines) word(w string) {
	if len(t.out) > t.line {
		if utf8.RuneCount(t.out[t.line:])+1+utf8.RuneCountInString(w) > lineWidth && mayLead(w) {
			t.out = append(t.out, '\n')
			t.line = len(t.out)
		} else {
			t.out = append(t.out, ' ')
		}
	}
	t.out = append(t.out, w...)
}

// mayLead is false for a word of a comment that would mean something else in the first column:
// a per cent sign hides the line (section 6), a bracket looks like a tag.
func mayLead(w string) bool { return w[0] != '%' && (w[0] != '[' || strings.HasPrefix(w, "[%")) }

// plyComment writes clock, time used and comment in one pair of braces; false when there are none.
func (t *textLines) plyComment(ply *Ply) bool {
	var commands []string
	if ply.HasClock {
		commands = append(commands, "[%clk "+ClockText(ply.Clock)+"]")
	}
	if ply.HasSpent {
		commands = append(commands, "[%emt "+ClockText(ply.Spent)+"]")
	}
	return t.braces(append(commands, commentWords(ply.Comment)...))
}

func (t *textLines) comment(text string) bool { return t.braces(commentWords(text)) }

func (t *textLines) braces(words []string) bool {
	if len(words) == 0 {
		return false
	}
	words[0] = "{" + words[0]
	words[len(words)-1] += "}"
	for _, w := range words {
		t.word(w)
	}
	return true
}

// commentWords are the words of a comment; braces, which PGN cannot escape there,
// become parentheses, control characters spaces.
func commentWords(text string) []string {
	return strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '{':
			return '('
		case r == '}':
			return ')'
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}, text))
}

// ClockText writes a time as PGN commands and tags have it: h:mm:ss, seconds rounded down, nothing below zero.
func ClockText(d time.Duration) string {
	s := max(0, int64(d/time.Second))
	b := strconv.AppendInt(make([]byte, 0, 12), s/3600, 10)
	b = append(b, ':', '0'+byte(s/600%6), '0'+byte(s/60%10))
	b = append(b, ':', '0'+byte(s%60/10), '0'+byte(s%10))
	return string(b)
}
