package reconstruct

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"boardd/rules"
)

func afterFEN(t testing.TB, fen, uci string) *node {
	t.Helper()
	p, err := rules.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.ParseUCI(uci)
	if err != nil {
		t.Fatal(err)
	}
	return newNode(&node{pos: p}, m, seen)
}

// Of two legal moves, the one that somebody may mean is the more plausible.
func TestPlausibility(t *testing.T) {
	const (
		opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
		italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
		endgame = "8/8/4k3/8/8/4P3/4K3/8 w - - 0 1"
	)
	for _, c := range []struct{ what, fen, better, worse string }{
		{"the centre pawn", opening, "e2e4", "a2a3"},
		{"a knight to the middle", opening, "g1f3", "g1h3"},
		{"castling and not a step", italian, "e1g1", "e1f1"},
		{"no bishop for nothing", italian, "d2d3", "c4a6"},
		{"no piece for a pawn", italian, "c2c3", "f3e5"},
		{"the hanging queen", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 30", "e4d5", "e4e5"},
		{"out of danger", "3k4/8/3p4/4Q3/8/8/8/4K3 w - - 0 30", "e5e3", "e1d1"},
		{"taking back", "4k3/1pp5/2B5/8/8/8/8/4K3 b - - 0 30", "b7c6", "e8e7"},
		{"a queen and no knight", "8/P6k/8/8/8/8/8/K7 w - - 0 60", "a7a8q", "a7a8n"},
		{"the king to the middle in the endgame", endgame, "e2d3", "e2f1"},
	} {
		better, worse := plausibility(afterFEN(t, c.fen, c.better)), plausibility(afterFEN(t, c.fen, c.worse))
		if better <= worse {
			t.Errorf("%s: %s has %.2f, %s %.2f", c.what, c.better, better, c.worse, worse)
		}
	}
}

func TestExchange(t *testing.T) {
	for _, c := range []struct {
		what, fen, square string
		by                rules.Color
		want              int
	}{
		{"free", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "d5", rules.White, 9},
		{"guarded", "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d5", rules.White, 0},
		{"rook behind rook", "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d5", rules.White, 1},
		{"cheapest first", "4k3/8/4p3/3n4/4P3/8/8/3QK3 w - - 0 1", "d5", rules.White, 3},
		{"not the king into a guard", "4k3/8/8/8/8/2n5/3p4/4K3 w - - 0 1", "d2", rules.White, 1},
		{"nor where it would be taken", "4k3/8/8/8/1b6/8/3p4/4K3 w - - 0 1", "d2", rules.White, 0},
		{"out of reach", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", "d5", rules.White, 0},
	} {
		p, err := rules.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		s, err := rules.ParseSquare(c.square)
		if err != nil {
			t.Fatal(err)
		}
		if got := exchange(&p, s, c.by); got != c.want {
			t.Errorf("%s: %d pawns, want %d", c.what, got, c.want)
		}
	}
}

// On real games that the weights have not seen most moves are published at
// once, and few random ones are.
func TestPlausibleGames(t *testing.T) {
	root := os.Getenv("BOARDD_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	file, err := os.Open(filepath.Join(root, "games", "worldcup-2025-part.pgn"))
	if err != nil {
		t.Skipf("needs the shared games: %v", err)
	}
	defer file.Close()
	r := rand.New(rand.NewPCG(1, 2))
	tr := &Tracker{}
	games, plies, played, random := 0, 0, 0, 0
	for g, err := range rules.ScanPGN(file, file.Name()) {
		if err != nil {
			t.Fatal(err)
		}
		if games++; games%5 != 0 {
			continue
		}
		at := &node{pos: *g.Start()}
		for _, ply := range g.Plies() {
			var l rules.MoveList
			if at.pos.LegalMoves(&l); l.Len() > 1 {
				other := ply.Move
				for other == ply.Move {
					other = l.At(r.IntN(l.Len()))
				}
				plies++
				if tr.meant(newNode(at, ply.Move, seen)) {
					played++
				}
				if tr.meant(newNode(at, other, seen)) {
					random++
				}
			}
			at = newNode(at, ply.Move, seen)
		}
	}
	p, q := 100*float64(played)/float64(plies), 100*float64(random)/float64(plies)
	t.Logf("of %d plies %.1f %% are published at rest, of random moves %.1f %%", plies, p, q)
	if p < 55 || q > 17 {
		t.Errorf("of %d plies %.1f %% are published at rest, of random moves %.1f %%; want at least 55 and at most 17", plies, p, q)
	}
}

func TestPlausibilityAllocs(t *testing.T) {
	n := afterFEN(t, middlegame, "c3d5")
	if a := testing.AllocsPerRun(100, func() { plausibility(n) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

const middlegame = "r2q1rk1/pp2bppp/2npbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R w - - 4 11"

func BenchmarkPlausibility(b *testing.B) {
	n := afterFEN(b, middlegame, "c3d5")
	b.ReportAllocs()
	for b.Loop() {
		plausibility(n)
	}
}
