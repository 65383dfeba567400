package rules

// CanMate reports whether a colour may yet mate by some series of legal moves,
// the opponent helping: what Laws 6.9 asks when the other player's flag has
// fallen, and 5.1.2 when he resigns. False is proved; true means that no proof of
// the opposite is known. Proofs known: too little material, pawn walls that no
// man can pass or open, and moves so forced that one of the two follows.
func (p *Position) CanMate(c Color) bool { return !p.cannotMate(c, forcedDepth) }

// IsDead reports whether the position is known to be dead: neither side can mate
// by any series of legal moves (Laws 5.2.2). True is proved, false is not.
func (p *Position) IsDead() bool {
	return p.cannotMate(White, forcedDepth) && p.cannotMate(Black, forcedDepth) && p.HasLegalMove()
}

const (
	forcedDepth = 4 // half-moves
	forcedMoves = 3 // a player with more moves than this is not forced
)

func (p *Position) cannotMate(c Color, depth int) bool {
	return p.tooLittleToMate(c) || p.wall(c) || p.forcedFromMate(c, depth)
}

// tooLittleToMate is the list of material: a bare king; one knight against king
// and queens, which always take it or step between; bishops that all stand on one
// colour, where the board holds nothing that could close a square of the other
// (knight, pawn, bishop of the other colour; rooks and queens take or step between).
func (p *Position) tooLittleToMate(c Color) bool {
	own := p.colors[c]
	if own&(p.roles[Pawn]|p.roles[Rook]|p.roles[Queen]) != 0 {
		return false
	}
	enemy := p.colors[c.Other()]
	knights, bishops := own&p.roles[Knight], own&p.roles[Bishop]
	switch {
	case knights != 0:
		return bishops == 0 && !knights.several() && enemy&^(p.roles[King]|p.roles[Queen]) == 0
	case bishops != 0:
		all := p.roles[Bishop]
		return p.roles[Pawn]|p.roles[Knight] == 0 && (all&lightSquares == 0 || all&^lightSquares == 0)
	}
	return true
}

// wall proves that a colour cannot mate where every pawn is stopped by another
// pawn for ever. It gives every other man all the squares it could reach if only
// pawns stood in its way. If no man reaches a pawn of the enemy or a square where
// a pawn would take it, no pawn ever moves or leaves, so these squares are
// all it will ever reach. If moreover no man of the colour attacks a square the
// enemy king reaches, there is never a check, and so no mate.
func (p *Position) wall(c Color) bool {
	pawns := p.roles[Pawn]
	white, black := p.colors[White]&pawns, p.colors[Black]&pawns
	if pawns == 0 || (white<<8|black>>8)&^pawns != 0 || p.ep != NoSquare {
		return false
	}
	var regions [64]Bitboard // by the man's square now
	for men := p.Occupied() &^ pawns; men != 0; men &= men - 1 {
		s := men.First() & 63
		man := p.board[s]
		them := man.Color().Other()
		danger := p.pawnReach(them)
		if danger.Has(s) {
			return false // a pawn may take it, or gives check
		}
		own, enemy := p.colors[man.Color()]&pawns, p.colors[them]&pawns
		barred := own
		if man.Role() == King {
			barred |= danger
		}
		region := reach(man, s, pawns, barred)
		if region&enemy != 0 || man.Role() != King && region&danger != 0 {
			return false
		}
		regions[s] = region
	}
	if p.pawnReach(White)&black != 0 || p.pawnReach(Black)&white != 0 {
		return false // a pawn takes a pawn
	}
	king := regions[p.KingSquare(c.Other())]
	for men := p.colors[c] &^ (pawns | p.roles[King]); men != 0; men &= men - 1 {
		s := men.First() & 63
		for from := regions[s]; from != 0; from &= from - 1 {
			if AttacksFrom(p.board[s], from.First(), pawns)&king != 0 {
				return false
			}
		}
	}
	return true
}

// pawnReach is the set of squares the pawns of a colour attack.
func (p *Position) pawnReach(c Color) Bitboard {
	pawns := p.Men(c, Pawn)
	if c == White {
		return pawns&^fileA<<7 | pawns&^fileH<<9
	}
	return pawns&^fileA>>9 | pawns&^fileH>>7
}

// reach is every square a man can come to, himself's included, with these pawns
// on the board and nothing else in his way; barred squares he never enters.
func reach(man Piece, from Square, pawns, barred Bitboard) Bitboard {
	reached := from.Bit()
	for front := reached; front != 0; {
		var next Bitboard
		for ; front != 0; front &= front - 1 {
			next |= AttacksFrom(man, front.First(), pawns)
		}
		front = next &^ (barred | reached)
		reached |= front
	}
	return reached
}

// forcedFromMate looks a few half-moves ahead where the player to move has hardly
// a choice: if every line leads to where the colour is proved unable to mate, it
// is so here ("the only legal move takes the last rook").
func (p *Position) forcedFromMate(c Color, depth int) bool {
	var legal MoveList
	p.LegalMoves(&legal)
	if legal.n == 0 {
		return p.turn == c || !p.InCheck() // stalemate, or it is mated itself
	}
	if depth == 0 || legal.n > forcedMoves {
		return false
	}
	for _, m := range legal.Moves() {
		if next := p.Play(m); !next.cannotMate(c, depth-1) {
			return false
		}
	}
	return true
}
