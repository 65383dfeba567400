package rules

import (
	"math/rand/v2"
	"testing"
)

// helpmate looks for a mate by colour c with the opponent's help: every position
// up to the budget, nearest first. complete means that all that can follow was seen.
func helpmate(p Position, c Color, budget int) (found *Position, complete bool) {
	seen := map[uint64]bool{p.key: true}
	queue := []Position{p}
	for len(queue) > 0 {
		now := queue[0]
		queue = queue[1:]
		var legal MoveList
		now.LegalMoves(&legal)
		if legal.n == 0 && now.InCheck() && now.turn != c {
			return &now, true
		}
		for _, m := range legal.Moves() {
			next := now.Play(m)
			if seen[next.key] {
				continue
			}
			if len(seen) >= budget {
				return nil, false
			}
			seen[next.key] = true
			queue = append(queue, next)
		}
	}
	return nil, true
}

func TestCanMate(t *testing.T) {
	for _, c := range []struct {
		name, fen    string
		white, black bool
	}{
		{"start", StartFEN, true, true},
		{"bare king against queen", "8/8/8/3k4/8/3K4/3Q4/8 w - - 0 1", true, false},
		{"knight against a bare king", "8/8/8/3k4/8/3K4/3N4/8 w - - 0 1", false, false},
		{"knight against a queen", "8/8/3q4/3k4/8/3K4/3N4/8 w - - 0 1", false, true},
		{"knight against a rook", "8/8/3r4/3k4/8/3K4/3N4/8 w - - 0 1", true, true},
		{"knight against a pawn", "8/3p4/8/3k4/8/3K4/3N4/8 w - - 0 1", true, true},
		{"bishop against a rook", "8/8/3r4/3k4/8/3K4/3B4/8 w - - 0 1", false, true},
		{"bishop against a knight", "8/8/3n4/3k4/8/3K4/3B4/8 w - - 0 1", true, true},
		{"bishop against a pawn", "8/8/3p4/3k4/8/3K4/3B4/8 w - - 0 1", true, true},
		{"two knights", "8/8/8/3k4/8/3K4/3NN3/8 w - - 0 1", true, false},
		{"two bishops of one colour", "8/8/8/3k4/8/3KB3/8/4B3 w - - 0 1", false, false},
		{"a pawn alone", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", true, false},
		{"mated", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", false, true},
		{"stalemate", "8/8/8/8/8/k7/p7/K7 w - - 0 1", false, false},
		{"a wall with a rook behind it", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K2R w - - 0 1", true, true},
		{"a bishop that its own wall shuts in", "8/8/1k6/p1p1p1p1/PpPpPpPp/1P1P1P1P/1K6/3B4 w - - 0 1", false, false},
		{"a bishop that a pawn may take", "8/8/1k6/p1p1p1p1/PpPpPpPp/1P1P1P1P/1K6/2B5 w - - 0 1", true, true},
		{"two bishops of both colours", "8/8/8/3k4/8/3KB3/8/3B4 w - - 0 1", true, false},
		{"a wall", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", false, false},
		{"a wall with a gate", "4k3/8/8/p2p4/P2P4/8/8/4K3 w - - 0 1", true, true},
		{"bishops that see the walls' feet only", "1k6/b1p1p1p1/2P1P1P1/1p6/1P6/8/1K6/8 w - - 0 1", true, true},
		{"the only move takes the last rook", "k7/8/8/8/8/8/1r6/K7 w - - 0 1", false, false},
	} {
		p := mustFEN(t, c.fen)
		if got := p.CanMate(White); got != c.white {
			t.Errorf("%s: White can mate: %v", c.name, got)
		}
		if got := p.CanMate(Black); got != c.black {
			t.Errorf("%s: Black can mate: %v", c.name, got)
		}
	}
}

// TestKnightNeverMatesAmongQueens looks at every mate there could be: the knight
// gives check, any of the squares beside the king are closed by its own queens.
// Queens farther off would only help the defence.
func TestKnightNeverMatesAmongQueens(t *testing.T) {
	positions := 0
	corner(func(king Square) {
		blockers(kingAttacks[king], 0, func(queens, _ Bitboard) {
			for knights := knightAttacks[king] &^ queens; knights != 0; knights &= knights - 1 {
				positions += noMate(t, king, queens, 0, knights.First(), WhiteKnight, BlackQueen)
			}
		})
	})
	if positions < 100_000 {
		t.Errorf("%d positions only", positions)
	}
}

// TestBishopNeverMatesAmongRooks is the same for one bishop, with rooks on any
// square beside the king or bishops on those of its colour.
func TestBishopNeverMatesAmongRooks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	positions := 0
	corner(func(king Square) {
		slanted := bishopAttacks(king, 0) & kingAttacks[king]
		blockers(kingAttacks[king], slanted, func(rooks, bishops Bitboard) {
			for from := bishopAttacks(king, rooks|bishops) &^ (rooks | bishops); from != 0; from &= from - 1 {
				positions += noMate(t, king, rooks, bishops, from.First(), WhiteBishop, BlackRook)
			}
		})
	})
	if positions < 100_000 {
		t.Errorf("%d positions only", positions)
	}
}

// corner visits the ten squares that stand for all others by symmetry.
func corner(visit func(Square)) {
	for f := range 4 {
		for r := range f + 1 {
			visit(MakeSquare(f, r))
		}
	}
}

// blockers visits all ways to put a man of one kind on some of the squares, and
// of a second kind on some of those others that are in second.
func blockers(squares, second Bitboard, visit func(first, second Bitboard)) {
	for a := squares; ; a = (a - 1) & squares {
		rest := second & squares &^ a
		for b := rest; ; b = (b - 1) & rest {
			visit(a, b)
			if b == 0 {
				break
			}
		}
		if a == 0 {
			return
		}
	}
}

// noMate puts the white king everywhere and fails on a mate; it returns how many positions it saw.
func noMate(t *testing.T, king Square, first, second Bitboard, checker Square, man, blocker Piece) (n int) {
	t.Helper()
	for white := Square(0); white < 64; white++ {
		if (first | second | checker.Bit() | kingAttacks[king] | king.Bit()).Has(white) {
			continue
		}
		p := Position{ep: NoSquare, turn: Black, fullmove: 1}
		p.put(BlackKing, king)
		p.put(WhiteKing, white)
		p.put(man, checker)
		for b := first; b != 0; b &= b - 1 {
			p.put(blocker, b.First())
		}
		for b := second; b != 0; b &= b - 1 {
			p.put(BlackBishop, b.First())
		}
		if n++; p.IsCheckmate() {
			t.Fatalf("a mate: %s", p.FEN())
		}
	}
	return n
}

// TestNeverFalselyDead: where a search finds a helpmate, the colour can mate. Half
// of the positions are walls of pawns with men behind, half are small endings.
func TestNeverFalselyDead(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	rounds, budget := 2500, 3000
	if testing.Short() {
		rounds = 300
	}
	proved, mates, complete := 0, 0, 0
	for round := range rounds {
		p := randomWall(random)
		if round%2 == 1 {
			p = randomEnding(random)
		}
		position, err := p.Position()
		if err != nil {
			continue
		}
		for c := White; c <= Black; c++ {
			can := position.CanMate(c)
			if can && round%10 > 5 {
				continue // search a part of these only
			}
			mate, all := helpmate(position, c, budget)
			switch {
			case mate != nil && !can:
				t.Errorf("%s: %s cannot mate, it says; there is %s", position.FEN(), c, mate.FEN())
			case mate != nil:
				mates++
			case !can:
				proved++
				complete += count(all)
			}
		}
		if position.IsDead() && (position.CanMate(White) || position.CanMate(Black)) {
			t.Errorf("%s: dead, but somebody can mate", position.FEN())
		}
	}
	t.Logf("%d times unable to mate, %d of them seen to the last position; %d helpmates", proved, complete, mates)
	if proved < rounds/10 || complete < rounds/50 || mates < rounds/50 {
		t.Error("too few to mean anything")
	}
}

// randomWall has pawns face to face on some files, the kings on either side, and up to two other men.
func randomWall(random *rand.Rand) Setup {
	s := Setup{EnPassant: NoSquare, Fullmove: 1, Turn: Color(random.IntN(2))}
	rank := 2 + random.IntN(3)
	for file := range 8 {
		if rank = min(4, max(1, rank+2*random.IntN(2)-1)); random.IntN(5) > 0 { // side by side they would take
			s.Board[MakeSquare(file, rank)], s.Board[MakeSquare(file, rank+1)] = WhitePawn, BlackPawn
		}
	}
	men := []Piece{WhiteKing, BlackKing}
	for range max(0, random.IntN(4)-2) {
		men = append(men, []Piece{WhiteBishop, BlackBishop, WhiteRook, BlackKnight, WhiteQueen}[random.IntN(5)])
	}
	for _, man := range men {
		for range 20 {
			at := MakeSquare(random.IntN(8), random.IntN(2)+6*int(man.Color()))
			if s.Board[at] == NoPiece {
				s.Board[at] = man
				break
			}
		}
	}
	return s
}

func randomEnding(random *rand.Rand) Setup {
	s := Setup{EnPassant: NoSquare, Fullmove: 1, Turn: Color(random.IntN(2))}
	men := []Piece{WhiteKing, BlackKing}
	for range 1 + random.IntN(3) {
		men = append(men, []Piece{WhiteBishop, BlackBishop, WhiteKnight, BlackKnight, BlackRook, BlackQueen, WhitePawn}[random.IntN(7)])
	}
	for _, man := range men {
		s.Board[MakeSquare(random.IntN(4), random.IntN(4))] = man // near a corner, where mates are
	}
	return s
}
