package reconstruct

import (
	"strings"
	"testing"

	"boardd/rules"
)

// after is the position after moves in SAN.
func after(tb testing.TB, fen, sans string) rules.Position {
	tb.Helper()
	p := position(tb, fen)
	for _, s := range strings.Fields(sans) {
		m, err := p.ParseSAN(s)
		if err != nil {
			tb.Fatal(err)
		}
		p = p.Play(m)
	}
	return p
}

func TestFinder(t *testing.T) {
	tests := []struct {
		name, fen, sans string
		orders          int // of the way to the very position; 0: not to be found
	}{
		{"one ply", startFEN, "e4", 1},
		{"two plies", startFEN, "e4 e5", 1},
		{"three plies", startFEN, "e4 e5 Nf3", 2}, // Nf3 e5 e4 too
		{"two knights each", startFEN, "Nf3 Nf6 Nc3 Nc6", 4},
		{"a capture and its answer", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "exd5 Qxd5", 1},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 1},
		{"both castle", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "O-O O-O-O", 1},
		{"en passant", "4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1", "c4 dxc3", 2}, // c3 dxc3 too
		{"en passant in two from the capturer", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5 exd6", 2},
		{"promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N", 1},
		{"promotion by capture, recaptured", "1r2k3/P7/8/8/8/1B6/8/1R2K3 w - - 0 1", "axb8=Q+ Ke7", 1},
		{"a man goes twice", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "Nb3 Ke7 Nc5 Ke8", 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, to := position(t, tt.fen), after(t, tt.fen, tt.sans)
			target := sense(to.Board())
			f := newFinder(&target, 0, gapBudget)
			got := 0
			for _, s := range f.find(&from, len(strings.Fields(tt.sans))) {
				p := from
				for _, m := range s.moves {
					if !p.IsLegal(m) {
						t.Fatalf("illegal %s in %v", m, s.moves)
					}
					p = p.Play(m)
				}
				if p.Placement() != to.Placement() || p.Key() != s.key {
					t.Errorf("%v leads to %s", s.moves, p.FEN())
				}
				if s.key == to.Key() {
					got = s.orders
				}
			}
			if got != tt.orders {
				t.Errorf("%d orders, want %d", got, tt.orders)
			}
		})
	}
}

// Every way that a plain search over all moves finds must be found, and no other.
func TestFinderAgainstPlainSearch(t *testing.T) {
	fens := []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
		"4k3/p1p5/8/1P1P4/8/8/8/4K3 b - - 0 1",
	}
	for _, fen := range fens {
		from := position(t, fen)
		type end struct {
			board rules.Placement
			key   uint64
		}
		ways := map[end]int{}
		var walk func(p *rules.Position, left int)
		walk = func(p *rules.Position, left int) {
			if left == 0 {
				ways[end{p.Placement(), p.Key()}]++
				return
			}
			var l rules.MoveList
			p.LegalMoves(&l)
			for _, m := range l.Moves() {
				next := p.Play(m)
				walk(&next, left-1)
			}
		}
		walk(&from, 2)
		checked := 0
		for e, n := range ways {
			if checked++; checked > 400 {
				break
			}
			target := sense(&e.board)
			f := newFinder(&target, 0, gapBudget)
			got := 0
			for _, s := range f.find(&from, 2) {
				if s.key == e.key {
					got = s.orders
				}
			}
			if got != n {
				t.Errorf("%s to %s: %d orders, want %d", fen, e.board.String(), got, n)
			}
		}
	}
}

func TestFinderBudget(t *testing.T) {
	from := position(t, startFEN)
	to := after(t, startFEN, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6")
	target := sense(to.Board())
	for _, budget := range []int{0, 1, 10, 1000} {
		f := newFinder(&target, 0, budget)
		f.find(&from, 8)
		if f.budget < 0 || f.budget > budget {
			t.Errorf("budget %d: %d left", budget, f.budget)
		}
	}
	// A board of which nothing is known has many solutions: they are bounded.
	f := newFinder(&target, ^rules.Bitboard(0), gapBudget)
	if n := len(f.find(&from, 3)); n > maxSolutions {
		t.Errorf("%d solutions", n)
	}
}

func TestFinderWild(t *testing.T) {
	from := position(t, startFEN)
	to := after(t, startFEN, "e4")
	board := to.Placement()
	board[sq("e4")] = rules.NoPiece // a square that reads nothing
	target := sense(&board)
	f := newFinder(&target, 0, gapBudget)
	if s := f.find(&from, 1); len(s) != 0 {
		t.Errorf("found %v with a man missing", s)
	}
	f = newFinder(&target, sq("e4").Bit(), gapBudget)
	s := f.find(&from, 1)
	if len(s) != 1 || s[0].moves[0] != rules.NewMove(sq("e2"), sq("e4"), rules.NoRole) {
		t.Errorf("with e4 wild: %v", s)
	}
}
