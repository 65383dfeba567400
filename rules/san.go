package rules

// SAN writes a legal move in standard algebraic notation, PGN section 8.2.3:
// "Nbd7", "exd6", "e8=Q+", "O-O-O#".
func (p *Position) SAN(m Move) string {
	var legal MoveList
	p.LegalMoves(&legal)
	return string(p.appendSAN(make([]byte, 0, 12), m, &legal))
}

// AppendSAN appends SAN(m) to dst.
func (p *Position) AppendSAN(dst []byte, m Move) []byte {
	var legal MoveList
	p.LegalMoves(&legal)
	return p.appendSAN(dst, m, &legal)
}

// appendSAN needs the legal moves to see what else could go there.
func (p *Position) appendSAN(b []byte, m Move, legal *MoveList) []byte {
	from, to := m.From(), m.To()
	role := p.board[from].Role()
	switch {
	case p.IsCastling(m):
		b = append(b, "O-O"...)
		if to < from {
			b = append(b, "-O"...)
		}
	case role == Pawn:
		if from.File() != to.File() {
			b = append(b, 'a'+byte(from.File()), 'x')
		}
		b = append(b, to.String()...)
		if r := m.Promotion(); r != NoRole {
			b = append(b, '=', r.Letter())
		}
	default:
		b = append(b, role.Letter())
		b = p.appendOrigin(b, m, legal)
		if p.board[to] != NoPiece {
			b = append(b, 'x')
		}
		b = append(b, to.String()...)
	}
	next := p.Play(m)
	if next.InCheck() {
		if next.HasLegalMove() {
			return append(b, '+')
		}
		return append(b, '#')
	}
	return b
}

// appendOrigin adds what tells the man from others of its kind that may legally
// go to the same square: its file, else its rank, else both.
func (p *Position) appendOrigin(b []byte, m Move, legal *MoveList) []byte {
	from := m.From()
	var twin, sameFile, sameRank bool
	for _, o := range legal.Moves() {
		s := o.From()
		if s == from || o.To() != m.To() || p.board[s] != p.board[from] {
			continue
		}
		twin = true
		sameFile = sameFile || s.File() == from.File()
		sameRank = sameRank || s.Rank() == from.Rank()
	}
	switch {
	case !twin:
		return b
	case !sameFile:
		return append(b, 'a'+byte(from.File()))
	case !sameRank:
		return append(b, '1'+byte(from.Rank()))
	}
	return append(b, from.String()...)
}
