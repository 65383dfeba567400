package rules

// IsCheckmate reports whether the side to move is checkmated (Laws 5.1.1).
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// IsStalemate reports whether the side to move has no legal move and is not in check (Laws 5.2.1).
func (p *Position) IsStalemate() bool { return !p.InCheck() && !p.HasLegalMove() }

// IsDead reports whether the position is known to be dead: neither side can mate
// by any series of legal moves (Laws 5.2.2). Two kinds are known: bare kings,
// one minor piece, or bishops that all stand on one colour; and pawn walls that
// neither pawn nor king can ever pass. False does not prove the opposite.
func (p *Position) IsDead() bool { return p.bareMaterial() || p.deadWall() }

// bareMaterial is the list of material that cannot mate against any defence or help.
func (p *Position) bareMaterial() bool {
	if p.roles[Pawn]|p.roles[Rook]|p.roles[Queen] != 0 {
		return false
	}
	bishops := p.roles[Bishop]
	if p.roles[Knight] != 0 {
		return bishops == 0 && !p.roles[Knight].several()
	}
	return bishops&lightSquares == 0 || bishops&^lightSquares == 0
}

// deadWall finds kings and pawns only, every pawn stopped by another pawn for
// ever: no pawn has a capture, and no king can walk to one. Then only kings
// move, and a king's move gives no check.
func (p *Position) deadWall() bool {
	pawns := p.roles[Pawn]
	if p.Occupied() != pawns|p.roles[King] || p.ep != NoSquare {
		return false
	}
	white, black := p.colors[White]&pawns, p.colors[Black]&pawns
	if (white<<8|black>>8)&^pawns != 0 {
		return false
	}
	takesWhite, takesBlack := p.pawnReach(White), p.pawnReach(Black)
	if takesWhite&black != 0 || takesBlack&white != 0 {
		return false
	}
	if reach(p.KingSquare(White), white, takesBlack)&black != 0 ||
		reach(p.KingSquare(Black), black, takesWhite)&white != 0 {
		return false
	}
	return p.HasLegalMove() // else it is mate or stalemate, which outranks it
}

// pawnReach is the set of squares the pawns of a colour attack.
func (p *Position) pawnReach(c Color) Bitboard {
	pawns := p.Men(c, Pawn)
	if c == White {
		return pawns&^fileA<<7 | pawns&^fileH<<9
	}
	return pawns&^fileA>>9 | pawns&^fileH>>7
}

// reach is every square a king can walk to past its own pawns and the squares
// enemy pawns attack; the enemy king is taken to give way, so it may be too many.
func reach(king Square, own, danger Bitboard) Bitboard {
	reached := king.Bit()
	for front := reached; front != 0; {
		var next Bitboard
		for ; front != 0; front &= front - 1 {
			next |= kingAttacks[front.First()&63]
		}
		front = next &^ (own | danger | reached)
		reached |= front
	}
	return reached
}
