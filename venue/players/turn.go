package players

import (
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
)

// square turns the game's numbering (0 = a1) into the board's (0 = a8).
func square(s rules.Square) dgt.Square { return dgt.Square(s ^ 56) }

// man is the board's code of a piece.
func man(p rules.Piece) dgt.Piece {
	code, _ := dgt.PieceOfLetter(p.Letter())
	return code
}

// Placement is a placement as the board numbers it.
func Placement(p *rules.Placement) (d dgt.Placement) {
	for s, piece := range p {
		if piece != rules.NoPiece {
			d[square(rules.Square(s))] = man(piece)
		}
	}
	return d
}

// Move has hands carry out a move that is legal in p, in one of the ways people
// do it, without the press of the clock.
func Move(h *emulator.Hands, p *rules.Position, m rules.Move) {
	from, to := m.From(), m.To()
	var extras []emulator.Extra
	switch {
	case p.IsCastling(m):
		kingTo, rookFrom, rookTo := p.CastlingSquares(m)
		to = kingTo
		extras = append(extras, emulator.Rook(square(rookFrom), square(rookTo)))
	case p.IsEnPassant(m):
		extras = append(extras, emulator.Taking(square(p.CapturedSquare(m))))
	}
	if role := m.Promotion(); role != rules.NoRole {
		extras = append(extras, emulator.Into(man(rules.NewPiece(p.Turn(), role))))
	}
	h.Play(square(from), square(to), extras...)
}
