package rules

import (
	"bufio"
	"errors"
	"io"
)

// pgnText gives the bytes of a PGN file one by one, knows the line, drops the
// byte-order mark, carriage returns and the lines that "%" hides (section 6).
type pgnText struct {
	r      *bufio.Reader
	line   int  // of the byte peek shows, from 1
	column int  // 0 = first byte of a line
	plain  bool // inside a comment: "%" hides nothing
	marked bool // a byte-order mark stood before the text
	note   func(line int, oddity PGNOddity)
	err    error
}

func newPGNText(r io.Reader) *pgnText {
	t := &pgnText{r: bufio.NewReaderSize(r, 1<<16), line: 1}
	if string(t.look(3)) == "\xef\xbb\xbf" {
		t.r.Discard(3)
		t.marked = true
	}
	if start := string(t.look(2)); start == "\xff\xfe" || start == "\xfe\xff" {
		t.err = errors.New("expected text in UTF-8 or Latin-1, got UTF-16: save the file as UTF-8")
	}
	return t
}

// look shows the next n bytes as they stand in the file, fewer at its end. A read
// error it meets is kept: the buffer would report it only once.
func (t *pgnText) look(n int) []byte {
	b, err := t.r.Peek(n)
	if err != nil && err != io.EOF && t.err == nil {
		t.err = err
	}
	return b
}

// peek shows the next byte; ok is false at the end or on a read error.
func (t *pgnText) peek() (b byte, ok bool) {
	for t.err == nil {
		b, err := t.r.ReadByte()
		if err != nil {
			t.err = err
			break
		}
		switch {
		case b == '\r':
			continue
		case b == '%' && t.column == 0 && !t.plain:
			t.skipLine()
			continue
		}
		t.r.UnreadByte()
		return b, true
	}
	return 0, false
}

// next takes the byte peek shows.
func (t *pgnText) next() (b byte, ok bool) {
	b, ok = t.peek()
	if !ok {
		return 0, false
	}
	t.r.ReadByte()
	if b == '\n' {
		t.line, t.column = t.line+1, 0
	} else {
		t.column++
	}
	return b, true
}

// skipLine goes to the first byte of the next line.
func (t *pgnText) skipLine() {
	for t.err == nil {
		b, err := t.r.ReadByte()
		if err != nil {
			t.err = err
			return
		}
		if b == '\n' {
			t.line, t.column = t.line+1, 0
			return
		}
	}
}

// ahead reports whether the text goes on with s, which has no line end.
func (t *pgnText) ahead(s string) bool {
	if _, ok := t.peek(); !ok {
		return false
	}
	return string(t.look(len(s))) == s
}

// atTag reports whether a tag pair seems to begin here: a bracket in the first
// column before a letter. (A command of a wrapped comment begins with "[%".)
func (t *pgnText) atTag() bool {
	if t.column != 0 {
		return false
	}
	if b, ok := t.peek(); !ok || b != '[' {
		return false
	}
	b := t.look(2)
	return len(b) == 2 && isTagByte(b[1])
}

// atEvent reports whether a new game certainly begins here, even inside a comment nobody closed.
func (t *pgnText) atEvent() bool { return t.atTag() && t.ahead(`[Event "`) }
