package reconstruct

import "boardd/rules"

// How much does a ply look like one that somebody means? A man that is put down
// and thought better of before the press went to some legal square; what is
// left standing and pressed is mostly sensible. The clues below tell the two
// apart, as a logistic regression does.
//
// The weights were fitted on real games, not on simulated ones: four fifths of
// the 200 games (18 546 plies) of the World Cup 2025 part in shared/games, each
// played move against four random other legal moves of its position, plies that
// mayGoOn holds back left out, 30 passes of Adam, L2 1e-4. On the remaining
// fifth the limits below let pass the shares that TestPlausibleGames gives.
const (
	plausible  = 0.2 // log odds from which a ply that cannot go on need not wait for the press
	convincing = 1.0 // ... and from which even one that could go on need not
)

// clue is one thing about a ply that speaks for or against its being meant.
type clue uint8

// The clues. Net is what the ply wins at once less the most that the opponent
// can then take; all wins and losses are in pawns and by exchanges on one square.
const (
	anyPly        clue = iota
	netLoss5           // net -5 and worse
	netLoss3           // net -3 and -4
	netLoss2           // net -2
	netLoss1           // net -1
	netWin             // net 1 and more
	givesMan           // the man can be taken where it goes, for less than it took
	givesPiece         // ... a piece or more
	givesOther         // another man can now be taken with more profit than before
	saves              // something was to be lost, and less is now
	misses             // pawns that another capture would have won, up to 5
	threatens          // something can be taken next that could not
	captures           //
	retakes            // captures the man that has just captured
	checks             //
	inCheck            // the ply answers a check
	kingFlees          // ... by the king
	castles            //
	pawnPly            // by the man; castling counts for none
	knightPly          //
	bishopPly          //
	rookPly            //
	queenPly           //
	kingPly            //
	pawnCrowd          // the same times how many pieces are on the board, 1 for all fourteen
	knightCrowd        //
	bishopCrowd        //
	rookCrowd          //
	queenCrowd         //
	kingCrowd          //
	pawnOpening        // the same in the first twelve moves with nearly all pieces on the board
	knightOpening      //
	bishopOpening      //
	rookOpening        //
	queenOpening       //
	kingOpening        //
	minorCentral       // steps towards the centre of a knight or bishop
	majorCentral       // ... of a rook or queen
	kingCentral        // ... of a king, times how few pieces are on the board
	minorEdge          // a knight or bishop goes to the edge
	minorOut           // a knight or bishop leaves its back rank
	mobility           // squares a piece attacks more than before, up to 6
	rookPawn           // a pawn of the a or h file
	knightPawn         // ... of the b or g file
	centrePawn         // ... of the d or e file
	pawnFar            // ranks a pawn has advanced beyond its fourth
	underpromotes      //
	clues              // how many there are
)

var weights = [clues]float32{
	anyPly:        0.45,
	netLoss5:      -2.44,
	netLoss3:      -1.71,
	netLoss2:      -1.81,
	netLoss1:      -0.67,
	netWin:        0.75,
	givesMan:      -1.33,
	givesPiece:    -1.28,
	givesOther:    -0.69,
	saves:         1.43,
	misses:        -0.30,
	threatens:     0.89,
	captures:      1.10,
	retakes:       0.61,
	checks:        1.39,
	inCheck:       -0.33,
	kingFlees:     0.90,
	castles:       2.07,
	pawnPly:       0.17,
	knightPly:     -0.04,
	bishopPly:     -0.26,
	rookPly:       -0.16,
	queenPly:      0.09,
	kingPly:       -0.12,
	pawnCrowd:     -0.07,
	knightCrowd:   0.24,
	bishopCrowd:   0.02,
	rookCrowd:     -0.40,
	queenCrowd:    -0.68,
	kingCrowd:     -0.92,
	pawnOpening:   -0.39,
	knightOpening: -1.00,
	bishopOpening: -0.02,
	rookOpening:   -0.48,
	queenOpening:  -1.43,
	kingOpening:   -0.58,
	minorCentral:  0.16,
	majorCentral:  0.10,
	kingCentral:   0.68,
	minorEdge:     -0.51,
	minorOut:      0.18,
	mobility:      0.14,
	rookPawn:      -0.57,
	knightPawn:    -0.65,
	centrePawn:    0.62,
	pawnFar:       0.37,
	underpromotes: -2.24,
}

// meant reports whether rest alone may publish ply n: it is plausible, and its
// man has no way to go on or is convincing where it stands.
func (t *Tracker) meant(n *node) bool {
	p := plausibility(n)
	return p >= convincing || p >= plausible && !t.mayGoOn(n)
}

// plausibility is the log odds that somebody means ply n rather than a legal
// move at random, where both are as frequent.
func plausibility(n *node) float32 {
	c := cluesOf(n)
	sum := float32(0)
	for i, x := range c {
		sum += x * weights[i]
	}
	return sum
}

func cluesOf(n *node) (c [clues]float32) {
	before, after, m := &n.parent.pos, &n.pos, n.move
	us, from, to := before.Turn(), m.From(), m.To()
	them := us.Other()
	man := before.PieceAt(from)
	role := man.Role()
	set := func(k clue, on bool) {
		if on {
			c[k] = 1
		}
	}
	c[anyPly] = 1
	set(inCheck, before.InCheck())
	set(checks, after.InCheck())

	// What is won and lost.
	gain := 0
	if q := before.CapturedSquare(m); q != rules.NoSquare {
		gain = worth[before.PieceAt(q).Role()]
	}
	if r := m.Promotion(); r != rules.NoRole {
		gain += worth[r] - worth[rules.Pawn]
	}
	hung := mostTaken(before, them, 0)
	prize := mostTaken(before, us, 0)
	next := mostTaken(after, us, 0)
	self, other := 0, 0
	if before.IsCastling(m) {
		c[castles] = 1
		other = mostTaken(after, them, 0)
	} else {
		if role != rules.King {
			self = exchange(after, to, them)
		}
		other = mostTaken(after, them, to.Bit())
	}
	net := gain - max(self, other)
	set(netLoss5, net <= -5)
	set(netLoss3, net == -3 || net == -4)
	set(netLoss2, net == -2)
	set(netLoss1, net == -1)
	set(netWin, net >= 1)
	set(givesMan, self-gain >= 1)
	set(givesPiece, self-gain >= 3)
	set(givesOther, other > hung)
	set(saves, hung > max(self-gain, other, 0))
	c[misses] = float32(min(5, max(0, prize-max(net, 0))))
	set(threatens, next > max(0, prize-gain))
	set(captures, gain > 0)
	if p := n.parent; p.parent != nil && p.source != anchored {
		set(retakes, p.move.To() == to && p.parent.pos.IsCapture(p.move))
	}
	if c[castles] != 0 {
		return c
	}

	// Which man, and when.
	kind := clue(role - rules.Pawn)
	pieces := (before.Occupied() &^ both(before, rules.Pawn) &^ both(before, rules.King)).Count()
	crowd := min(1, float32(pieces)/14)
	c[pawnPly+kind] = 1
	c[pawnCrowd+kind] = crowd
	set(pawnOpening+kind, before.FullmoveNumber() <= 12 && pieces >= 12)

	// Where to.
	inwards := float32(central(to) - central(from))
	rank := from.Rank() // seen from the mover's side
	if us == rules.Black {
		rank = 7 - rank
	}
	if role != rules.Pawn && role != rules.King {
		more := rules.AttacksFrom(man, to, after.Occupied()).Count() - rules.AttacksFrom(man, from, before.Occupied()).Count()
		c[mobility] = float32(max(-6, min(6, more)))
	}
	switch role {
	case rules.Pawn:
		edge := min(from.File(), 7-from.File())
		set(rookPawn, edge == 0)
		set(knightPawn, edge == 1)
		set(centrePawn, edge == 3)
		c[pawnFar] = float32(max(0, rank-3))
		set(underpromotes, m.Promotion() != rules.NoRole && m.Promotion() != rules.Queen)
	case rules.Knight, rules.Bishop:
		c[minorCentral] = inwards
		set(minorEdge, central(to) <= 1)
		set(minorOut, rank == 0)
	case rules.King:
		c[kingCentral] = inwards * (1 - crowd)
		set(kingFlees, c[inCheck] != 0)
	default:
		c[majorCentral] = inwards
	}
	return c
}

// central is how far a square is from the nearest edges, 0 in a corner to 6.
func central(s rules.Square) int {
	f, r := s.File(), s.Rank()
	return min(f, 7-f) + min(r, 7-r)
}

func both(p *rules.Position, r rules.Role) rules.Bitboard {
	return p.Men(rules.White, r) | p.Men(rules.Black, r)
}

// worth is what a man is worth in pawns; a king is never given for anything.
var worth = [...]int{rules.Pawn: 1, rules.Knight: 3, rules.Bishop: 3, rules.Rook: 5, rules.Queen: 9, rules.King: 50}

// mostTaken is the most that the side could win, in pawns, by beginning an
// exchange on one square, were it to move; squares of but are not looked at.
func mostTaken(p *rules.Position, by rules.Color, but rules.Bitboard) (most int) {
	const aFile, hFile rules.Bitboard = 0x0101010101010101, 0x8080808080808080
	pawns := p.Men(by, rules.Pawn)
	reach := (pawns&^aFile)<<7 | (pawns&^hFile)<<9
	if by == rules.Black {
		reach = (pawns&^aFile)>>9 | (pawns&^hFile)>>7
	}
	occ := p.Occupied()
	for men := p.Men(by, rules.NoRole) &^ pawns; men != 0; men &= men - 1 {
		s := men.First()
		reach |= rules.AttacksFrom(p.PieceAt(s), s, occ)
	}
	men := p.Men(by.Other(), rules.NoRole) &^ p.Men(by.Other(), rules.King)
	for men &= reach &^ but; men != 0; men &= men - 1 {
		if s := men.First(); worth[p.PieceAt(s).Role()] > most {
			most = max(most, exchange(p, s, by))
		}
	}
	return most
}

// exchange is what the side wins, in pawns, by taking the man on s, when both
// sides take with their cheapest men as long as it pays. Pins are not seen.
func exchange(p *rules.Position, s rules.Square, by rules.Color) int {
	var won [33]int // by how many have taken, for the one who took last
	occ := p.Occupied()
	takers := takersOf(p, s, occ)
	if takers&p.Men(by, rules.NoRole) == 0 {
		return 0
	}
	won[0] = worth[p.PieceAt(s).Role()]
	last := 0
	for side := by; ; side = side.Other() {
		role, men := rules.Pawn, rules.Bitboard(0)
		for ; role <= rules.King; role++ {
			if men = takers & p.Men(side, role); men != 0 {
				break
			}
		}
		if men == 0 || role == rules.King && takers&p.Men(side.Other(), rules.NoRole) != 0 {
			break
		}
		last++
		won[last] = worth[role] - won[last-1]
		occ &^= men & -men
		takers = takersOf(p, s, occ)
	}
	if last == 0 { // only the king could, and may not
		return 0
	}
	for last--; last > 0; last-- {
		won[last-1] = -max(-won[last-1], won[last])
	}
	return max(0, won[0])
}

// takersOf is the set of men of both sides that attack s when occ is occupied:
// of those behind others, the ones that have become free.
func takersOf(p *rules.Position, s rules.Square, occ rules.Bitboard) rules.Bitboard {
	from := func(c rules.Color, r rules.Role, occ rules.Bitboard) rules.Bitboard {
		return rules.AttacksFrom(rules.NewPiece(c, r), s, occ)
	}
	set := from(rules.Black, rules.Pawn, 0)&p.Men(rules.White, rules.Pawn) |
		from(rules.White, rules.Pawn, 0)&p.Men(rules.Black, rules.Pawn) |
		from(rules.White, rules.Knight, 0)&both(p, rules.Knight) |
		from(rules.White, rules.King, 0)&both(p, rules.King)
	queens := both(p, rules.Queen)
	if men := queens | both(p, rules.Bishop); men != 0 {
		set |= from(rules.White, rules.Bishop, occ) & men
	}
	if men := queens | both(p, rules.Rook); men != 0 {
		set |= from(rules.White, rules.Rook, occ) & men
	}
	return set & occ
}
