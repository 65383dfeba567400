package rules

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits that keep a hostile file from filling the memory, in bytes.
const (
	maxTagBytes     = 1 << 12 // of a tag's name or value; longer ones are cut
	maxCommentBytes = 1 << 14 // of all comments at one ply; a longer one is left out
	maxWordBytes    = 64
)

// isWordByte tells the bytes of moves, move numbers, glyphs and results.
func isWordByte(b byte) bool {
	return b > ' ' && b != 0x7f && strings.IndexByte(`{}()[];"<>`, b) < 0
}

// word takes the word that begins here; what exceeds maxWordBytes is dropped.
func (t *pgnText) word() string {
	var word []byte
	for {
		b, ok := t.peek()
		if !ok || !isWordByte(b) && !(b == '(' && t.atPromotion()) {
			return t.valid(word)
		}
		if t.next(); len(word) < maxWordBytes {
			word = append(word, b)
		}
		if b == '(' {
			for range 2 {
				b, _ = t.next()
				word = append(word, b)
			}
		}
	}
}

// atPromotion tells the "(Q)" of "e8(Q)" from a variation.
func (t *pgnText) atPromotion() bool {
	return t.ahead("(Q)") || t.ahead("(R)") || t.ahead("(B)") || t.ahead("(N)")
}

// comment takes a comment in braces, or one from a semicolon to the end of the line.
func (t *pgnText) comment() (string, error) {
	var raw []byte
	line, end := t.line, byte('}')
	if b, _ := t.next(); b == ';' {
		end = '\n'
	}
	t.plain = true
	defer func() { t.plain = false }()
	text := func() string {
		if len(raw) > 2*maxCommentBytes {
			return ""
		}
		if wrappedCommand(raw) {
			t.note(line, OddWrap)
		}
		return t.valid(raw)
	}
	for {
		if end == '}' && t.atEvent() {
			return text(), errors.New("expected } at the end of the comment, got the next game")
		}
		b, ok := t.next()
		switch {
		case !ok && end == '}':
			return text(), errors.New("expected } at the end of the comment, got the end of the file")
		case !ok || b == end:
			return text(), nil
		}
		if len(raw) <= 2*maxCommentBytes {
			raw = append(raw, b)
		}
	}
}

// skipVariation goes past a variation with all that is nested in it.
func (t *pgnText) skipVariation() error {
	for depth := 0; ; {
		if t.atEvent() {
			return errors.New("expected ) at the end of the variation, got the next game")
		}
		b, ok := t.peek()
		if !ok {
			return errors.New("expected ) at the end of the variation, got the end of the file")
		}
		switch b {
		case '{', ';':
			if _, err := t.comment(); err != nil {
				return err
			}
			continue
		case '(':
			depth++
		case ')':
			depth--
		}
		if t.next(); depth == 0 {
			return nil
		}
	}
}

// tag takes a tag pair. A quote that no bracket follows belongs to the value,
// for feeds forget to escape it.
func (t *pgnText) tag() (name, value string, err error) {
	t.next() // the bracket
	t.skipBlanks()
	var text []byte
	for b, ok := t.peek(); ok && isTagByte(b) && len(text) < maxTagBytes; b, ok = t.peek() {
		t.next()
		text = append(text, b)
	}
	name = string(text)
	t.skipBlanks()
	if b, ok := t.peek(); !ok || b != '"' || name == "" {
		t.restOfLine()
		return name, "", fmt.Errorf("expected a tag like [Event \"...\"], got [%s and no quoted value", clip(name))
	}
	t.next()
	text = text[:0]
	add := func(b byte) {
		if len(text) < maxTagBytes {
			text = append(text, b)
		}
	}
	for {
		b, ok := t.peek()
		if !ok || b == '\n' {
			return name, t.tagValue(text), fmt.Errorf("expected \"] at the end of the tag %s, got the end of the line", clip(name))
		}
		switch t.next(); b {
		case '\\':
			if b, ok := t.peek(); ok && (b == '"' || b == '\\') {
				t.next()
				add(b)
				continue
			}
		case '"':
			blanks := t.skipBlanks()
			if b, ok := t.peek(); ok && b == ']' {
				t.next()
				return name, t.tagValue(text), nil
			}
			t.note(t.line, OddQuote)
			add(b)
			for range blanks {
				add(' ')
			}
			continue
		}
		add(b)
	}
}

// skipBlanks goes past spaces and tabs and counts them.
func (t *pgnText) skipBlanks() (n int) {
	for b, ok := t.peek(); ok && (b == ' ' || b == '\t'); b, ok = t.peek() {
		t.next()
		n++
	}
	return n
}

func (t *pgnText) restOfLine() {
	for b, ok := t.peek(); ok && b != '\n'; b, ok = t.peek() {
		t.next()
	}
}

// tagValue is the text of a tag, cut at a whole character.
func (t *pgnText) tagValue(b []byte) string {
	for len(b) >= maxTagBytes { // the last character may have lost its end
		r, size := utf8.DecodeLastRune(b)
		if r != utf8.RuneError || size != 1 {
			break
		}
		b = b[:len(b)-1]
	}
	text := t.valid(b)
	for len(text) > maxTagBytes { // Latin-1 has grown
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// wrappedCommand tells whether a line ends between "[%" and its bracket.
func wrappedCommand(comment []byte) bool {
	for line, rest, more := bytes.Cut(comment, []byte("\n")); more; line, rest, more = bytes.Cut(rest, []byte("\n")) {
		if bytes.LastIndex(line, []byte("[%")) > bytes.LastIndexByte(line, ']') {
			return true
		}
	}
	return false
}

// valid is validText, and notes Latin-1.
func (t *pgnText) valid(b []byte) string {
	if !utf8.Valid(b) {
		t.note(t.line, OddLatin1)
	}
	return validText(b)
}

// validText is the bytes as UTF-8, control characters as spaces; what is not
// UTF-8 is read as Latin-1, the character set of the PGN standard (section 4.1).
func validText(b []byte) string {
	for i, c := range b {
		if c < ' ' || c == 0x7f {
			b[i] = ' '
		}
	}
	if utf8.Valid(b) {
		return string(b)
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// skipHalf goes past the second half of "1/2 - 1/2".
func (t *pgnText) skipHalf() {
	t.skipBlanks()
	for _, half := range []string{"- 1/2", "-1/2", "- \u00bd", "-\u00bd"} {
		if t.ahead(half) {
			for range len(half) {
				t.next()
			}
			return
		}
	}
}
