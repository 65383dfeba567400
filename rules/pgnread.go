package rules

import (
	"fmt"
	"io"
	"iter"
)

// PGNError is what is wrong with one game of a PGN file.
type PGNError struct {
	Name string // of the file, as given to the reader
	Line int    // from 1
	Ply  int    // the ply that could not be read, from 1; 0 when the fault is elsewhere
	SAN  string // its text as it stands in the file
	Err  error
}

// Error is "name:line: what was expected and what came".
func (e *PGNError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }

// Unwrap gives the cause, for errors.Is.
func (e *PGNError) Unwrap() error { return e.Err }

// PGNReader reads the games of a PGN file one after the other, holding one at a
// time. It takes import form and what real feeds write: byte-order marks, CRLF,
// Latin-1, comments broken over lines, quotes not escaped, results missing.
// Variations and glyphs are skipped.
type PGNReader struct {
	text  *pgnText
	name  string
	start *Position
	line  int
	notes pgnNotes
}

// NewPGNReader reads from r; name is for errors.
func NewPGNReader(r io.Reader, name string) *PGNReader {
	return &PGNReader{text: newPGNText(r), name: name}
}

// Line is where the game that Next gave last begins, from 1.
func (r *PGNReader) Line() int { return r.line }

// Notes are the oddities that were taken in with the game that Next gave last.
func (r *PGNReader) Notes() []PGNNote { return r.notes }

// StartFrom has every game begin in this position, whatever its FEN tag says.
func (r *PGNReader) StartFrom(p Position) { r.start = &p }

// Games ranges over the games that are left, as ScanPGN does.
func (r *PGNReader) Games() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for {
			g, err := r.Next()
			if err == io.EOF || !yield(g, err) || g == nil {
				return
			}
		}
	}
}

// ScanPGN ranges over the games of a PGN file. Each game comes with nil or a
// *PGNError, and then holds what could be read before the fault; reading goes on
// with the next game. A read error comes last, with a nil game.
func ScanPGN(r io.Reader, name string) iter.Seq2[*Game, error] {
	return NewPGNReader(r, name).Games()
}

// Next is the next game, io.EOF after the last one. With a *PGNError comes the
// game as far as it could be read; with any other error a nil game.
func (r *PGNReader) Next() (*Game, error) {
	t, g := r.text, &pgnGame{name: r.name, from: r.start}
	t.note = g.notes.add
	if t.marked {
		t.marked = false
		g.notes.add(1, OddMark)
	}
	defer func() { r.notes = g.notes }()
	for {
		b, ok := t.peek()
		if ok && !g.begun() {
			r.line = t.line
		}
		switch {
		case !ok && t.err != io.EOF:
			return nil, fmt.Errorf("%s:%d: %w", r.name, t.line, t.err)
		case !ok && !g.begun():
			return nil, io.EOF
		case !ok:
			return g.finish(t.line)
		case b == '[' && (t.atTag() || !g.inMoves):
			if g.inMoves || g.tags.Get("Event") != "" && t.atEvent() {
				return g.finish(t.line)
			}
			g.readTag(t)
		case b == '{' || b == ';':
			line := t.line
			text, err := t.comment()
			if err != nil {
				g.fail(line, err)
			}
			g.comment(text, line)
		case b == '(':
			line := t.line
			if err := t.skipVariation(); err != nil {
				g.fail(line, err)
			}
		case isWordByte(b):
			line := t.line
			if g.word(t.word(), line) {
				t.skipHalf()
				return g.finish(line)
			}
		default: // white space and strays
			t.next()
		}
	}
}
