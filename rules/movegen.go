package rules

// LegalMoves fills dst with every legal move, in no promised order; it does not
// allocate. Checks and pins are worked out once, so that no move has to be tried.
func (p *Position) LegalMoves(dst *MoveList) {
	dst.n = 0
	us := p.turn & 1
	them := us ^ 1
	own, enemy := p.colors[us], p.colors[them]
	occ := own | enemy
	kingBit := p.roles[King] & own
	if kingBit == 0 {
		return // only the zero Position
	}
	king := kingBit.First() & 63

	// Sliders that would hit the king if our own men were glass: with none of
	// them between they give check, with one they pin it.
	checkers := p.colors[them] & (pawnAttacks[us][king]&p.roles[Pawn] | knightAttacks[king]&p.roles[Knight])
	var pinned, pinners Bitboard
	snipers := enemy & (rookAttacks(king, enemy)&(p.roles[Rook]|p.roles[Queen]) |
		bishopAttacks(king, enemy)&(p.roles[Bishop]|p.roles[Queen]))
	for s := snipers; s != 0; s &= s - 1 {
		at := s.First() & 63
		switch between := betweens[king][at] & own; {
		case between == 0:
			checkers |= at.Bit()
		case !between.several():
			pinned |= between
			pinners |= at.Bit()
		}
	}

	castle := p.castle & backRank(us)
	if steps := kingAttacks[king] &^ own; steps != 0 || castle != 0 {
		danger := p.attackedBy(them, occ&^kingBit)
		dst.addAll(king, steps&^danger)
		if checkers == 0 && castle != 0 {
			p.castlings(dst, king, castle, danger)
		}
	}
	if checkers.several() {
		return
	}
	target := ^own
	if checkers != 0 {
		target = checkers | betweens[king][checkers.First()&63]
	} else {
		for ; pinners != 0; pinners &= pinners - 1 {
			at := pinners.First() & 63
			line := betweens[king][at]
			p.pinnedMoves(dst, (line&pinned).First()&63, line|at.Bit(), occ)
		}
	}

	free := own &^ pinned
	for b := free & p.roles[Knight]; b != 0; b &= b - 1 {
		s := b.First() & 63
		dst.addAll(s, knightAttacks[s]&target)
	}
	for b := free & (p.roles[Bishop] | p.roles[Queen]); b != 0; b &= b - 1 {
		s := b.First() & 63
		dst.addAll(s, bishopAttacks(s, occ)&target)
	}
	for b := free & (p.roles[Rook] | p.roles[Queen]); b != 0; b &= b - 1 {
		s := b.First() & 63
		dst.addAll(s, rookAttacks(s, occ)&target)
	}
	p.pawnMoves(dst, free&p.roles[Pawn], target, occ)
	if p.ep != NoSquare {
		for b := pawnAttacks[them][p.ep&63] & own & p.roles[Pawn]; b != 0; b &= b - 1 {
			if from := b.First(); p.passedCaptureLegal(from, p.ep, us) {
				dst.add(Move(from) | Move(p.ep)<<6)
			}
		}
	}
}

// attackedBy is the set of squares that men of the colour attack when occ is occupied.
func (p *Position) attackedBy(c Color, occ Bitboard) Bitboard {
	men := p.colors[c]
	pawns := men & p.roles[Pawn]
	var set Bitboard
	if c == White {
		set = pawns&^fileA<<7 | pawns&^fileH<<9
	} else {
		set = pawns&^fileA>>9 | pawns&^fileH>>7
	}
	for b := men & p.roles[Knight]; b != 0; b &= b - 1 {
		set |= knightAttacks[b.First()&63]
	}
	for b := men & (p.roles[Bishop] | p.roles[Queen]); b != 0; b &= b - 1 {
		set |= bishopAttacks(b.First(), occ)
	}
	for b := men & (p.roles[Rook] | p.roles[Queen]); b != 0; b &= b - 1 {
		set |= rookAttacks(b.First(), occ)
	}
	return set | kingAttacks[(men&p.roles[King]).First()&63]
}

// pinnedMoves adds the moves of a pinned man along the line of its pin; the king is not in check.
func (p *Position) pinnedMoves(dst *MoveList, s Square, line, occ Bitboard) {
	switch piece := p.board[s]; piece.Role() {
	case Pawn:
		p.pawnMoves(dst, s.Bit(), line, occ)
	case Bishop, Rook, Queen:
		dst.addAll(s, AttacksFrom(piece, s, occ)&line)
	}
}

// pawnMoves adds the moves of these pawns to the target squares, en-passant captures left out.
func (p *Position) pawnMoves(dst *MoveList, pawns, target, occ Bitboard) {
	enemy := p.colors[p.turn&1^1] & target
	var one, two, west, east Bitboard
	var forward, westward, eastward int // from a target back to its origin
	if p.turn == White {
		one = pawns << 8 &^ occ
		two = one & rank3 << 8 &^ occ
		west, east = pawns&^fileA<<7&enemy, pawns&^fileH<<9&enemy
		forward, westward, eastward = -8, -7, -9
	} else {
		one = pawns >> 8 &^ occ
		two = one & rank6 >> 8 &^ occ
		west, east = pawns&^fileA>>9&enemy, pawns&^fileH>>7&enemy
		forward, westward, eastward = 8, 9, 7
	}
	dst.addPawns(one&target, forward)
	dst.addPawns(west, westward)
	dst.addPawns(east, eastward)
	for b := two & target; b != 0; b &= b - 1 {
		to := b.First()
		dst.add(Move(int(to)+2*forward) | Move(to)<<6)
	}
}

func (l *MoveList) addPawns(targets Bitboard, back int) {
	for ; targets != 0; targets &= targets - 1 {
		to := targets.First()
		l.addPawn(Square(int(to)+back), to)
	}
}

// passedCaptureLegal asks whether the pawn of colour us on from may capture en
// passant to the square ep: two men leave one rank at once, so pins do not tell.
func (p *Position) passedCaptureLegal(from, ep Square, us Color) bool {
	victim := (ep ^ 8).Bit()
	occ := p.Occupied()&^victim&^from.Bit() | ep.Bit()
	return p.attackers(p.KingSquare(us), us.Other(), occ)&^victim == 0
}

// castlings adds the castling moves of a king not in check. Every square between
// king and rook and their targets must be empty but for the two, and no square
// on the king's way attacked (Laws 3.8, Guidelines II.3 for Chess960).
func (p *Position) castlings(dst *MoveList, king Square, rooks, danger Bitboard) {
	occ := p.Occupied()
	for ; rooks != 0; rooks &= rooks - 1 {
		rook := rooks.First() & 63
		kingTo, rookTo := castlingTargets(king, rook)
		way := betweens[king][kingTo] | kingTo.Bit()
		men := king.Bit() | rook.Bit()
		if (way|betweens[rook][rookTo]|rookTo.Bit())&occ&^men != 0 || way&danger != 0 {
			continue
		}
		// In Chess960 the rook may have shielded the king's target square along the rank.
		if p.attackers(kingTo, p.turn.Other(), occ&^men|rookTo.Bit()) != 0 {
			continue
		}
		dst.add(Move(king) | Move(rook)<<6)
	}
}

// castlingTargets are the squares of king and rook after castling: the g- and f-file
// with a rook on the king's right as White sees it, the c- and d-file with one on its left.
func castlingTargets(king, rook Square) (kingTo, rookTo Square) {
	rank := king & 56
	if rook > king {
		return rank | 6, rank | 5
	}
	return rank | 2, rank | 3
}

// IsLegal reports whether the move is legal here.
func (p *Position) IsLegal(m Move) bool {
	var l MoveList
	p.LegalMoves(&l)
	return l.Has(m)
}

// HasLegalMove reports whether the side to move has a legal move.
func (p *Position) HasLegalMove() bool {
	var l MoveList
	p.LegalMoves(&l)
	return l.n > 0
}
