package rules

// What the Laws call fifty and seventy-five moves, in half-moves.
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// Claims is what the Laws say of a draw in one position of a game. "On board"
// and "next" are two rights (9.2.1 and 9.2.2, 9.3.1 and 9.3.2) and never mixed:
// what is on the board may be claimed as it stands, what is next only with the
// move written down and declared. All rights are those of the player to move,
// belong to this position and lapse with his next move.
type Claims struct {
	Ply  int   // half-moves since the start of the record
	Turn Color // who has the move and so alone may claim

	Count         int    // times the position has stood, this time included
	CountAtLeast  bool   // a gap or a start in mid-game may hide more
	Threefold     bool   // the position has appeared three times or more
	ThreefoldNext []Move // moves after which it would have

	Halfmoves        int    // half-moves without capture and pawn move
	HalfmovesAtLeast bool   // a gap hides which ply was the last capture or pawn move
	Fifty            bool   // fifty moves by each are completed, and the game goes on
	FiftyNext        []Move // moves that would complete them

	Fivefold    bool // drawn without a claim: five times (9.6.1)
	SeventyFive bool // drawn without a claim: 75 moves by each (9.6.2); mate outranks it
	End         End  // checkmate, stalemate or dead position
}

// Over reports whether the game has ended by itself under these Laws: nobody
// needs to claim. Fivefold repetition and 75 moves end a game since 2014.
func (c *Claims) Over(e Edition) bool {
	return c.End != Playing || e != Laws2005 && (c.Fivefold || c.SeventyFive)
}

// Claimable reports whether the player to move may claim a draw, with or without a move.
func (c *Claims) Claimable(e Edition) bool {
	return !c.Over(e) && (c.Threefold || c.Fifty || len(c.ThreefoldNext)+len(c.FiftyNext) > 0)
}

// Claims works out the rights after ply n, 0 <= n <= Len, over the record as it
// now stands. Its cost does not grow with the length of the game.
func (g *Game) Claims(n int) Claims {
	p := &g.positions[n]
	var legal MoveList
	p.LegalMoves(&legal)
	c := Claims{Ply: n, Turn: p.turn, Count: g.seen(n), End: p.end(&legal)}
	c.Halfmoves, c.HalfmovesAtLeast = g.quietHalfmoves(n)
	c.CountAtLeast = g.countIsBound(n)
	c.Threefold, c.Fivefold = c.Count >= 3, c.Count >= 5
	goesOn := legal.n > 0 // neither mate nor stalemate
	c.Fifty = c.Halfmoves >= fiftyMoves && goesOn
	c.SeventyFive = c.Halfmoves >= seventyFiveMoves && goesOn
	third, fiftieth := int(p.halfmove) >= shortestThreefold-1, c.Halfmoves >= fiftyMoves-1
	if !third && !fiftieth {
		return c
	}
	for _, m := range legal.Moves() {
		if !p.isQuiet(m) {
			continue
		}
		if third && g.seenKey(p.keyAfterQuiet(m), n) >= 2 {
			c.ThreefoldNext = append(c.ThreefoldNext, m)
		}
		if fiftieth {
			c.FiftyNext = append(c.FiftyNext, m)
		}
	}
	return c
}

// shortestThreefold is how many half-moves lie at least between a first and a
// third occurrence: each player needs two moves to come back.
const shortestThreefold = 8

// quietHalfmoves is the number of half-moves since the last capture or pawn
// move. Was that one in a gap, any ply of the gap may have been it; then the
// count starts behind the gap and is a lower bound.
func (g *Game) quietHalfmoves(n int) (count int, atLeast bool) {
	count = g.positions[n].HalfmoveClock()
	last := n - count
	if g.counts.traces[n].gap == 0 || last < 1 || !g.plies[last-1].OrderUnknown {
		return count, false
	}
	for last < n && g.plies[last].OrderUnknown {
		last++
	}
	return n - last, true
}

// countIsBound asks whether the position may have stood at a moment the record
// does not show: in a gap, or before a record that begins in mid-game.
func (g *Game) countIsBound(n int) bool {
	first := n - g.positions[n].HalfmoveClock() // the position after the last capture or pawn move
	gap := int(g.counts.traces[n].gap)
	return first < 0 || gap > 0 && gap >= first
}

// isQuiet tells a move that takes nothing and moves no pawn.
func (p *Position) isQuiet(m Move) bool {
	return p.board[m.From()].Role() != Pawn && (p.board[m.To()] == NoPiece || p.IsCastling(m))
}

// keyAfterQuiet is the key after a quiet legal move, without playing it.
func (p *Position) keyAfterQuiet(m Move) uint64 {
	if p.castle != 0 || p.IsCastling(m) {
		next := p.Play(m)
		return next.key
	}
	man := &keys.man[p.board[m.From()]&15]
	key := p.key ^ keys.black ^ man[m.From()] ^ man[m.To()]
	if p.ep != NoSquare {
		key ^= keys.passed[p.ep&63]
	}
	return key
}
