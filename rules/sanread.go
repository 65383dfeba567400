package rules

import (
	"errors"
	"fmt"
	"strings"
)

// ErrAmbiguousMove is what errors.Is finds in the error of ParseSAN when more
// than one legal move fits the text.
var ErrAmbiguousMove = errors.New("more than one legal move fits")

// ParseSAN reads a legal move as people and programs write it. Besides SAN it
// understands zeros for castling, missing or wrong check signs, "!" and "?",
// missing "x" and "=", "e8(Q)", more origin than needed, long algebraic notation
// ("Ng1-f3"), UCI and figurines. A capture sign where nothing is taken is
// refused, since it shows that the record has come off its game. Errors wrap
// ErrIllegalMove or ErrAmbiguousMove when the text is a move.
func (p *Position) ParseSAN(text string) (Move, error) {
	var legal MoveList
	p.LegalMoves(&legal)
	return p.readSAN(text, &legal)
}

// ParseStrictSAN reads a legal move in exactly the form that SAN writes.
func (p *Position) ParseStrictSAN(text string) (Move, error) {
	var legal MoveList
	p.LegalMoves(&legal)
	m, err := p.readSAN(text, &legal)
	if err != nil {
		return NullMove, err
	}
	if want := string(p.appendSAN(nil, m, &legal)); want != text {
		return NullMove, fmt.Errorf("expected %q, got %q", want, text)
	}
	return m, nil
}

// sanParts is what a move text says; NoRole and -1 where it says nothing.
type sanParts struct {
	role, promotion Role
	file, rank      int
	to              Square
	capture         bool
	castling        int // 0, or the number of letters: 2 king's side, 3 queen's side
}

func (p *Position) readSAN(text string, legal *MoveList) (Move, error) {
	parts, ok := splitSAN(text)
	if !ok {
		return NullMove, fmt.Errorf("expected a move like Nf3, exd5, e8=Q or O-O, got %q", clip(text))
	}
	found, n := NullMove, 0
	for _, m := range legal.Moves() {
		if p.fits(m, &parts) {
			found, n = m, n+1
		}
	}
	switch {
	case n == 1:
		return found, nil
	case n > 1:
		return NullMove, fmt.Errorf("expected one move of %s, got %q: %w (FEN %s)", p.turn, clip(text), ErrAmbiguousMove, p.FEN())
	case parts.castling == 0 && parts.file >= 0 && parts.rank >= 0: // perhaps UCI
		if m, err := p.ParseUCI(strings.TrimRight(text, "+#!?")); err == nil {
			return m, nil
		}
	}
	return NullMove, fmt.Errorf("expected a legal move of %s, got %q: %w (FEN %s)", p.turn, clip(text), ErrIllegalMove, p.FEN())
}

func (p *Position) fits(m Move, s *sanParts) bool {
	from, to := m.From(), m.To()
	castling := p.IsCastling(m)
	if s.castling != 0 {
		return castling && (to > from) == (s.castling == 2)
	}
	return !castling && to == s.to && m.Promotion() == s.promotion &&
		p.board[from].Role() == s.role &&
		(s.file < 0 || from.File() == s.file) && (s.rank < 0 || from.Rank() == s.rank) &&
		(!s.capture || p.IsCapture(m)) &&
		(s.role != Pawn || s.file >= 0 || from.File() == to.File())
}

var figurines = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "",
	"♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N", "♟", "", "–", "-")

// splitSAN takes a move text apart without looking at a position.
func splitSAN(text string) (s sanParts, ok bool) {
	s = sanParts{role: Pawn, file: -1, rank: -1, to: NoSquare}
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			text = figurines.Replace(text)
			break
		}
	}
	text = strings.TrimRight(text, "+#!?")
	text = strings.TrimSuffix(strings.TrimSuffix(text, "e.p."), "ep")
	switch text {
	case "O-O", "0-0", "o-o", "OO":
		s.castling = 2
		return s, true
	case "O-O-O", "0-0-0", "o-o-o", "OOO":
		s.castling = 3
		return s, true
	}
	if text == "" || len(text) > 16 {
		return s, false
	}
	if r, is := roleFromLetter(text[0]); is {
		s.role, text = r, text[1:]
	}
	// What is left is squares and promotion, with signs between: [a-h]?[1-8]?[a-h][1-8]promotion?
	var body [6]byte
	n := 0
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == 'x' || b == ':':
			s.capture = true
		case b == '-' || b == '=' || b == '/' || b == '(' || b == ')':
		case n == len(body):
			return s, false
		default:
			body[n] = b
			n++
		}
	}
	rest := body[:n]
	if n > 2 && s.role == Pawn {
		last := rest[n-1]
		if last >= 'a' && last <= 'z' {
			last -= 'a' - 'A'
		}
		if r, is := roleFromLetter(last); is && r != Pawn && r != King {
			s.promotion, rest = r, rest[:n-1]
		}
	}
	n = len(rest)
	if n < 2 || n > 4 || !isFile(rest[n-2]) || !isRank(rest[n-1]) {
		return s, false
	}
	s.to = MakeSquare(int(rest[n-2]-'a'), int(rest[n-1]-'1'))
	rest = rest[:n-2]
	if len(rest) > 0 && isFile(rest[0]) {
		s.file, rest = int(rest[0]-'a'), rest[1:]
	}
	if len(rest) > 0 && isRank(rest[0]) {
		s.rank, rest = int(rest[0]-'1'), rest[1:]
	}
	return s, len(rest) == 0
}

func isFile(b byte) bool { return b >= 'a' && b <= 'h' }
func isRank(b byte) bool { return b >= '1' && b <= '8' }

// clip keeps a text short enough for an error.
func clip(text string) string { return clipTo(text, 40) }

// longestFEN is more than any FEN of a position needs, in bytes.
const longestFEN = 100

func clipTo(text string, n int) string {
	if len(text) > n {
		return text[:n] + "..."
	}
	return text
}
