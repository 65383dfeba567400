package rules

import (
	"errors"
	"fmt"
)

// ErrIllegalMove is what errors.Is finds in the errors of ParseUCI and ParseSAN
// when the text is a move, but none that is legal in the position.
var ErrIllegalMove = errors.New("not a legal move")

// UCI writes a legal move as chess engines and web boards expect: "e2e4",
// "e7e8q", castling "e1g1", or in Chess960 "king takes rook" ("e1h1").
func (p *Position) UCI(m Move) string {
	if p.IsCastling(m) && !p.chess960 {
		kingTo, _, _ := p.CastlingSquares(m)
		m = NewMove(m.From(), kingTo, NoRole)
	}
	return m.String()
}

// ParseUCI reads a legal move; both forms of castling are understood.
func (p *Position) ParseUCI(text string) (Move, error) {
	from, to, promotion := NoSquare, NoSquare, NoRole
	if len(text) == 4 || len(text) == 5 {
		from, _ = ParseSquare(text[:2])
		to, _ = ParseSquare(text[2:4])
	}
	ok := from < NoSquare && to < NoSquare
	if ok && len(text) == 5 {
		promotion, ok = roleFromLetter(text[4] - 'a' + 'A')
	}
	if !ok {
		return NullMove, fmt.Errorf("expected a move like e2e4 or e7e8q, got %q", text)
	}
	m := NewMove(from, to, promotion)
	var legal MoveList
	p.LegalMoves(&legal)
	if legal.Has(m) {
		return m, nil
	}
	for _, castling := range legal.Moves() {
		if castling.From() == from && promotion == NoRole && p.IsCastling(castling) {
			if kingTo, _, _ := p.CastlingSquares(castling); kingTo == to {
				return castling, nil
			}
		}
	}
	return NullMove, fmt.Errorf("expected a legal move of %s, got %q: %w (FEN %s)", p.turn, text, ErrIllegalMove, p.FEN())
}
