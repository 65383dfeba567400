package rules

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// naive is a second, slow reading of the Laws, kept as unlike the kernel as
// possible: a board of squares, steps by file and rank, every move tried.
type naive struct {
	at    [8][8]Piece // file, rank
	turn  Color
	rooks map[[2]int]bool // rooks with a right to castle
	ep    [2]int          // raw: behind every double step; {-1,-1} for none
}

func naiveFrom(p *Position) *naive {
	n := &naive{turn: p.Turn(), rooks: map[[2]int]bool{}, ep: [2]int{-1, -1}}
	for s := Square(0); s < 64; s++ {
		n.at[s.File()][s.Rank()] = p.PieceAt(s)
		if p.CastlingRooks().Has(s) {
			n.rooks[[2]int{s.File(), s.Rank()}] = true
		}
	}
	if ep := p.EnPassant(); ep != NoSquare {
		n.ep = [2]int{ep.File(), ep.Rank()}
	}
	return n
}

func on(f, r int) bool { return f >= 0 && f < 8 && r >= 0 && r < 8 }

var (
	straight = [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	slanted  = [][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
	jumps    = [][2]int{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}
)

// targets are the squares a man (no pawn) moves to, own men not looked at.
func (n *naive) targets(f, r int, role Role) (to [][2]int) {
	steps, far := slices.Concat(straight, slanted), true
	switch role {
	case Knight:
		steps, far = jumps, false
	case King:
		far = false
	case Rook:
		steps = straight
	case Bishop:
		steps = slanted
	}
	for _, d := range steps {
		for x, y := f+d[0], r+d[1]; on(x, y); x, y = x+d[0], y+d[1] {
			to = append(to, [2]int{x, y})
			if !far || n.at[x][y] != NoPiece {
				break
			}
		}
	}
	return to
}

func up(c Color) int {
	if c == White {
		return 1
	}
	return -1
}

// attacked asks whether a man of that colour attacks the square, man by man.
func (n *naive) attacked(f, r int, by Color) bool {
	for x := range 8 {
		for y := range 8 {
			man := n.at[x][y]
			if man == NoPiece || man.Color() != by {
				continue
			}
			if man.Role() == Pawn {
				if y+up(by) == r && (x-1 == f || x+1 == f) {
					return true
				}
				continue
			}
			if slices.Contains(n.targets(x, y, man.Role()), [2]int{f, r}) {
				return true
			}
		}
	}
	return false
}

func (n *naive) king(c Color) (f, r int) {
	for f := range 8 {
		for r := range 8 {
			if n.at[f][r] == NewPiece(c, King) {
				return f, r
			}
		}
	}
	panic("no king")
}

// moves are the legal moves as sorted texts, castling as king takes rook.
func (n *naive) moves() (texts []string) {
	us, them := n.turn, n.turn.Other()
	name := func(f, r int) string { return MakeSquare(f, r).String() }
	try := func(f, r, x, y int, victim [2]int, suffix string) {
		next := *n
		next.at[victim[0]][victim[1]] = NoPiece
		next.at[x][y], next.at[f][r] = next.at[f][r], NoPiece
		if kf, kr := next.king(us); !next.attacked(kf, kr, them) {
			texts = append(texts, name(f, r)+name(x, y)+suffix)
		}
	}
	for f := range 8 {
		for r := range 8 {
			man := n.at[f][r]
			if man == NoPiece || man.Color() != us {
				continue
			}
			if man.Role() != Pawn {
				for _, to := range n.targets(f, r, man.Role()) {
					if victim := n.at[to[0]][to[1]]; victim == NoPiece || victim.Color() == them && victim.Role() != King {
						try(f, r, to[0], to[1], to, "")
					}
				}
				continue
			}
			y := r + up(us)
			suffixes := []string{""}
			if y == 0 || y == 7 {
				suffixes = []string{"n", "b", "r", "q"}
			}
			for _, suffix := range suffixes {
				if n.at[f][y] == NoPiece {
					try(f, r, f, y, [2]int{f, y}, suffix)
					home := r == 1 && us == White || r == 6 && us == Black
					if home && n.at[f][y+up(us)] == NoPiece {
						try(f, r, f, y+up(us), [2]int{f, y + up(us)}, "")
					}
				}
				for _, x := range []int{f - 1, f + 1} {
					if !on(x, y) {
						continue
					}
					if victim := n.at[x][y]; victim != NoPiece && victim.Color() == them && victim.Role() != King {
						try(f, r, x, y, [2]int{x, y}, suffix)
					} else if n.ep == [2]int{x, y} {
						try(f, r, x, y, [2]int{x, r}, suffix)
					}
				}
			}
		}
	}
	kf, kr := n.king(us)
	for rook := range n.rooks {
		if rook[1] != 7*int(us) {
			continue
		}
		kingTo, rookTo := 2, 3
		if rook[0] > kf {
			kingTo, rookTo = 6, 5
		}
		free := true
		for f := min(kf, kingTo, rook[0], rookTo); f <= max(kf, kingTo, rook[0], rookTo); f++ {
			// Laws: all squares between the king and its target, and between the rook and its target, are empty.
			between := f >= min(kf, kingTo) && f <= max(kf, kingTo) || f >= min(rook[0], rookTo) && f <= max(rook[0], rookTo)
			if between && f != kf && f != rook[0] && n.at[f][kr] != NoPiece {
				free = false
			}
		}
		for f := min(kf, kingTo); f <= max(kf, kingTo); f++ {
			next := *n
			next.at[kf][kr] = NoPiece
			if f == kingTo {
				next.at[rook[0]][kr] = NoPiece
				next.at[rookTo][kr] = NewPiece(us, Rook)
			}
			next.at[f][kr] = NewPiece(us, King)
			free = free && !next.attacked(f, kr, them)
		}
		if free {
			texts = append(texts, name(kf, kr)+name(rook[0], kr))
		}
	}
	slices.Sort(texts)
	return texts
}

func kernelMoves(p *Position) (texts []string) {
	var l MoveList
	p.LegalMoves(&l)
	for _, m := range l.Moves() {
		texts = append(texts, m.String())
	}
	slices.Sort(texts)
	return texts
}

// TestNaiveChess960 plays at random from start positions of Chess960 and compares
// the moves with the naive generator at every ply, and the position's own state
// with one read from its FEN.
func TestNaiveChess960(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 60))
	castlings, passed, promoted := 0, 0, 0
	for n := 0; n < 960; n += 7 {
		p, err := Chess960Start(n)
		if err != nil {
			t.Fatal(err)
		}
		for ply := range 90 {
			got, want := kernelMoves(&p), naiveFrom(&p).moves()
			if !slices.Equal(got, want) {
				t.Fatalf("start %d ply %d FEN %s\ngot  %v\nwant %v", n, ply, p.FEN(), got, want)
			}
			if p.key != p.scratchKey() {
				t.Fatalf("start %d ply %d FEN %s: key %x, from nothing %x", n, ply, p.FEN(), p.key, p.scratchKey())
			}
			again, err := ParseFEN(p.FEN())
			if err != nil {
				t.Fatal(err)
			}
			if again.chess960 = true; again != p {
				t.Fatalf("start %d ply %d: FEN %s reads back as %s", n, ply, p.FEN(), again.FEN())
			}
			var l MoveList
			p.LegalMoves(&l)
			if l.Len() == 0 {
				break
			}
			m := l.At(random.IntN(l.Len()))
			for _, x := range l.Moves() { // rare kinds first, so that they are met
				if p.IsCastling(x) && random.IntN(2) == 0 || p.IsEnPassant(x) {
					m = x
				}
			}
			castlings += count(p.IsCastling(m))
			passed += count(p.IsEnPassant(m))
			promoted += count(m.Promotion() != NoRole)
			p = p.Play(m)
		}
	}
	t.Logf("%d castlings, %d en-passant captures, %d promotions", castlings, passed, promoted)
	if castlings < 100 || passed < 20 || promoted < 1 {
		t.Error("too few rare moves to mean anything")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestNaiveCorners compares with the naive generator where pins, checks and castling meet.
func TestNaiveCorners(t *testing.T) {
	for _, fen := range []string{
		"8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",  // both pawns leave the rank
		"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", //
		"4k3/8/8/8/1B1Pp3/8/8/4K3 b - d3 0 1",
		"8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",                            // the capture answers the check
		"8/8/2k5/8/3Pp3/8/8/K6B b - d3 0 1",                            //
		"4k3/8/8/2pP4/8/b7/8/2K5 w - c6 0 2",                           //
		"1r2k3/8/8/8/8/8/8/rRK5 w B - 0 1",                             // the rook shields its king, in Chess960
		"4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",                              //
		"4k3/8/8/8/8/8/8/RK4r1 w A - 0 1",                              // attacked way
		"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",                             //
		"1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",                           // only b1 attacked: castling is legal
		"3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1",                            // d1 attacked
		"4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",                           // in check
		"R7/P7/8/8/8/8/6k1/K7 w - - 0 1",                               //
		"3rr3/2P5/8/8/8/8/6k1/K7 w - - 0 1",                            //
		"4k3/4r3/8/8/1b6/8/3NR3/4K3 w - - 0 1",                         // pinned by two
		"4k3/8/5n2/8/4r3/8/8/R3K2R w KQ - 0 1",                         //
		"4k3/8/8/8/4r3/3n4/8/R3K2R w KQ - 0 1",                         // double check
		"8/8/8/8/8/k7/p7/K7 w - - 0 1",                                 // stalemate
		"rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3", // mate
	} {
		p, err := ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := kernelMoves(&p), naiveFrom(&p).moves(); !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %v\nwant %v", fen, got, want)
		}
	}
}

// TestChess960Starts: 960 different arrays, the usual one under its number, each found again by its board.
func TestChess960Starts(t *testing.T) {
	seen := map[Placement]int{}
	for n := range 960 {
		p, err := Chess960Start(n)
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		if old, ok := seen[p.board]; ok {
			t.Errorf("%d and %d are the same", old, n)
		}
		seen[p.board] = n
		if found, ok := StartOf(p.Board()); !ok || found.castle != p.castle || found.chess960 != (n != 518) {
			t.Errorf("%d: not found by its board", n)
		}
	}
	for n, want := range map[int]string{518: "rnbqkbnr", 0: "bbqnnrkr", 959: "rkrnnqbb", 534: "rnbkqbnr"} {
		if p, _ := Chess960Start(n); p.FEN()[:8] != want {
			t.Errorf("%d: %s, want %s", n, p.FEN()[:8], want)
		}
	}
	for _, n := range []int{-1, 960} {
		if _, err := Chess960Start(n); err == nil {
			t.Errorf("%d: no error", n)
		}
	}
	other := Start()
	for _, m := range []string{"e2e4", "g8f6"} {
		move, _ := other.ParseUCI(m)
		other = other.Play(move)
	}
	if _, ok := StartOf(other.Board()); ok {
		t.Error("a position after moves is taken for a start")
	}
	if _, ok := StartOf(&Placement{}); ok {
		t.Error("the empty board is taken for a start")
	}
}
