package rules

// End is how a game ends on the board, by itself and at once.
type End uint8

// The ends. Fivefold repetition and 75 moves need the record: see Claims.
const (
	Playing      End = iota
	Checkmate        // Laws 5.1.1
	Stalemate        // Laws 5.2.1
	DeadPosition     // Laws 5.2.2, as far as IsDead knows
)

// String is "", "checkmate", "stalemate" or "dead_position".
func (e End) String() string {
	return [...]string{"", "checkmate", "stalemate", "dead_position"}[e&3]
}

// End is how the game has ended in this position, Playing when it goes on.
func (p *Position) End() End {
	var legal MoveList
	p.LegalMoves(&legal)
	return p.end(&legal)
}

func (p *Position) end(legal *MoveList) End {
	switch {
	case legal.n == 0 && p.InCheck():
		return Checkmate
	case legal.n == 0:
		return Stalemate
	case p.IsDead():
		return DeadPosition
	}
	return Playing
}

// IsCheckmate reports whether the side to move is checkmated (Laws 5.1.1).
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// IsStalemate reports whether the side to move has no legal move and is not in check (Laws 5.2.1).
func (p *Position) IsStalemate() bool { return !p.InCheck() && !p.HasLegalMove() }
