package rules

// Play is the position after the move, which must be legal here.
func (p *Position) Play(m Move) Position {
	next := *p
	next.apply(m)
	return next
}

func (p *Position) apply(m Move) {
	us, from, to := p.turn&1, m.From(), m.To()
	man, victim := p.board[from], p.board[to]
	p.halfmove++
	if us == Black {
		p.fullmove++
	}
	if p.ep != NoSquare {
		p.key ^= keys.passed[p.ep&63]
	}
	passed := p.ep
	p.ep = NoSquare

	if p.castle != 0 {
		gone := from.Bit() | to.Bit()
		if man.Role() == King {
			gone |= backRank(us)
		}
		if gone &= p.castle; gone != 0 {
			p.castle &^= gone
			p.key ^= keyOfRights(gone)
		}
	}

	switch {
	case victim == NoPiece:
		p.lift(man, from)
	case victim.Color() == us: // castling: king takes own rook
		kingTo, rookTo := castlingTargets(from, to)
		p.lift(man, from)
		p.lift(victim, to)
		p.put(victim, rookTo)
		to = kingTo
	default:
		p.halfmove = 0
		p.lift(victim, to)
		p.lift(man, from)
	}

	if man.Role() != Pawn {
		p.put(man, to)
	} else {
		p.halfmove = 0
		switch {
		case m.Promotion() != NoRole:
			p.put(NewPiece(us, m.Promotion()), to)
		case to == passed:
			p.put(man, to)
			p.lift(NewPiece(us.Other(), Pawn), to^8)
		default:
			p.put(man, to)
			if from^to == 16 {
				p.openPassed((from + to) / 2)
			}
		}
	}
	p.turn = us.Other()
	p.key ^= keys.black
}

// openPassed notes the en-passant square behind a pawn of the side to move that
// has just made a double step, if the opponent has a legal capture there.
func (p *Position) openPassed(ep Square) {
	ep &= 63
	them := p.turn.Other()
	for b := pawnAttacks[p.turn&1][ep] & p.colors[them] & p.roles[Pawn]; b != 0; b &= b - 1 {
		if p.passedCaptureLegal(b.First(), ep, them) {
			p.ep = ep
			p.key ^= keys.passed[ep]
			return
		}
	}
}

// IsCastling reports whether the move is a castling move here.
func (p *Position) IsCastling(m Move) bool {
	man := p.board[m.From()]
	return man.Role() == King && p.board[m.To()] == NewPiece(man.Color(), Rook)
}

// CastlingSquares are the squares of a castling move: where the king goes, where the rook
// stands, and where the rook goes. The king stands on m.From().
func (p *Position) CastlingSquares(m Move) (kingTo, rookFrom, rookTo Square) {
	kingTo, rookTo = castlingTargets(m.From(), m.To())
	return kingTo, m.To(), rookTo
}

// IsEnPassant reports whether the move is an en-passant capture here.
func (p *Position) IsEnPassant(m Move) bool {
	return m.To() == p.ep && p.board[m.From()].Role() == Pawn
}

// IsCapture reports whether the move takes a man.
func (p *Position) IsCapture(m Move) bool { return p.CapturedSquare(m) != NoSquare }

// CapturedSquare is where the captured man stands, NoSquare when the move takes none.
func (p *Position) CapturedSquare(m Move) Square {
	switch {
	case p.IsEnPassant(m):
		return m.To() ^ 8
	case p.board[m.To()] == NoPiece || p.IsCastling(m):
		return NoSquare
	}
	return m.To()
}
