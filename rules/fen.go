package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// StartFEN is the initial position of standard chess.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

var startPosition = func() Position {
	p, err := ParseFEN(StartFEN)
	if err != nil {
		panic(err)
	}
	return p
}()

// Start is the initial position of standard chess.
func Start() Position { return startPosition }

// ParseFEN reads a FEN strictly and checks the position. Six fields, or the
// first four (counters 0 and 1). Castling rights may be written KQkq (X-FEN: the
// outermost rook) or as the files of the rooks (Shredder-FEN, read as Chess960).
// The error says which field is wrong and wraps a *SetupError when the text is
// sound but the position is not; errors.Is finds each Fault.
func ParseFEN(fen string) (Position, error) {
	s, err := ParseSetup(fen)
	if err != nil {
		return Position{}, err
	}
	p, err := s.Position()
	if err != nil {
		return Position{}, fmt.Errorf("FEN %q: %w", clipTo(fen, longestFEN), err)
	}
	return p, nil
}

// ParseSetup reads a FEN without asking whether its position is legal.
func ParseSetup(fen string) (Setup, error) {
	s, err := parseSetup(fen)
	if err != nil {
		return Setup{}, fmt.Errorf("FEN %q: %w", clipTo(fen, longestFEN), err)
	}
	return s, nil
}

func parseSetup(fen string) (Setup, error) {
	for i := 0; i < len(fen); i++ {
		if fen[i] >= 0x7f || fen[i] < ' ' {
			return Setup{}, fmt.Errorf("byte %d: expected printable ASCII, got 0x%02x", i+1, fen[i])
		}
	}
	fields := strings.Fields(fen)
	if len(fields) != 6 && len(fields) != 4 {
		return Setup{}, fmt.Errorf("expected 6 fields (or the first 4), got %d", len(fields))
	}
	s := Setup{EnPassant: NoSquare, Fullmove: 1}
	var err error
	if s.Board, err = ParsePlacement(fields[0]); err != nil {
		return Setup{}, fmt.Errorf("field 1 (board): %w", err)
	}
	switch fields[1] {
	case "w":
	case "b":
		s.Turn = Black
	default:
		return Setup{}, fmt.Errorf("field 2 (side to move): expected w or b, got %q", clip(fields[1]))
	}
	if err = s.parseRights(fields[2]); err != nil {
		return Setup{}, fmt.Errorf("field 3 (castling): %w", err)
	}
	if fields[3] != "-" {
		if s.EnPassant, err = ParseSquare(fields[3]); err != nil {
			return Setup{}, fmt.Errorf("field 4 (en passant): %w, or -", err)
		}
	}
	if len(fields) == 6 {
		if s.Halfmove, err = parseCounter(fields[4]); err != nil {
			return Setup{}, fmt.Errorf("field 5 (half-moves): %w", err)
		}
		if s.Fullmove, err = parseCounter(fields[5]); err != nil {
			return Setup{}, fmt.Errorf("field 6 (move number): %w", err)
		}
	}
	return s, nil
}

func parseCounter(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || text[0] == '+' || n > 9999 {
		return 0, fmt.Errorf("expected a number 0 to 9999, got %q", clip(text))
	}
	return int(n), nil
}

// parseRights finds the rook of each letter. A letter whose rook is missing names
// the corner, or its file, so that the check of the Setup reports it.
func (s *Setup) parseRights(text string) error {
	if text == "-" {
		return nil
	}
	if len(text) > 4 {
		return fmt.Errorf("expected at most 4 letters, got %q", clip(text))
	}
	for i := 0; i < len(text); i++ {
		c, letter := White, text[i]
		if letter >= 'a' && letter <= 'z' {
			c, letter = Black, letter-'a'+'A'
		}
		var rook Square
		switch {
		case letter == 'K' || letter == 'Q':
			rook = s.outermostRook(c, letter == 'K')
		case letter >= 'A' && letter <= 'H':
			rook = MakeSquare(int(letter-'A'), 7*int(c))
			s.Chess960 = true
		default:
			return fmt.Errorf("expected letters of KQkq, rook files A to H or a to h, or -, got %q", text[i])
		}
		if s.Rooks.Has(rook) {
			return fmt.Errorf("expected each right once, got %q", clip(text))
		}
		s.Rooks |= rook.Bit()
	}
	return nil
}

// outermostRook is the rook farthest from the king on that wing (X-FEN), the corner when there is none.
func (s *Setup) outermostRook(c Color, kingSide bool) Square {
	square, step := MakeSquare(0, 7*int(c)), 1
	if kingSide {
		square, step = square+7, -1
	}
	for n, at := 0, square; n < 8; n, at = n+1, Square(int(at)+step) {
		switch s.Board[at] {
		case NewPiece(c, Rook):
			return at
		case NewPiece(c, King):
			return square
		}
	}
	return square
}

// FEN writes the position. The en-passant field is set only if the capture is
// legal. Rights are KQkq in standard chess and the files of the rooks
// (Shredder-FEN) in Chess960, so reading it back gives the same position; only a
// Chess960 game that has no rights left reads back as standard chess.
func (p *Position) FEN() string { return string(p.appendFEN(make([]byte, 0, 96), p.chess960)) }

// XFEN is like FEN, but writes KQkq in Chess960 too wherever the rook is the outermost one.
func (p *Position) XFEN() string { return string(p.appendFEN(make([]byte, 0, 96), false)) }

func (p *Position) appendFEN(b []byte, files bool) []byte {
	b = p.board.appendTo(b)
	b = append(b, ' ', 'w')
	if p.turn == Black {
		b[len(b)-1] = 'b'
	}
	b = p.appendRights(append(b, ' '), files)
	b = append(append(b, ' '), p.ep.String()...)
	b = strconv.AppendUint(append(b, ' '), uint64(p.halfmove), 10)
	return strconv.AppendUint(append(b, ' '), uint64(p.fullmove), 10)
}

func (p *Position) appendRights(b []byte, files bool) []byte {
	if p.castle == 0 {
		return append(b, '-')
	}
	setup := Setup{Board: p.board}
	for c := White; c <= Black; c++ {
		lower := byte(c) * ('a' - 'A')
		king := p.KingSquare(c)
		rooks := p.castle & backRank(c)
		for _, kingSide := range [...]bool{true, false} {
			wing := rooks & (king.Bit() - 1)
			letter := byte('Q')
			if kingSide {
				wing, letter = rooks&^wing, 'K'
			}
			if wing == 0 {
				continue
			}
			if rook := wing.First(); files || setup.outermostRook(c, kingSide) != rook {
				letter = 'A' + byte(rook.File())
			}
			b = append(b, letter+lower)
		}
	}
	return b
}
