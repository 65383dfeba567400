package rules

import (
	"slices"
	"strings"
	"testing"
)

// play makes a record from a FEN ("" = the usual start) and moves in SAN.
func play(t testing.TB, fen, moves string) *Game {
	t.Helper()
	start := Start()
	if fen != "" {
		start = mustFEN(t, fen)
	}
	g := NewGame(start)
	for _, san := range strings.Fields(moves) {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// occurrences counts as the Laws are written, without keys: same men, same side to
// move, same rights, and the same legal moves as far as en passant goes.
func occurrences(g *Game, n int) (count int) {
	now := g.PositionAt(n)
	passed := func(p *Position) string {
		var l MoveList
		p.LegalMoves(&l)
		for _, m := range l.Moves() {
			if p.IsEnPassant(m) {
				return m.String()
			}
		}
		return ""
	}
	for i := 0; i <= n; i++ {
		p := g.PositionAt(i)
		if p.Placement() == now.Placement() && p.Turn() == now.Turn() &&
			p.CastlingRooks() == now.CastlingRooks() && passed(p) == passed(now) {
			count++
		}
	}
	return count
}

// onBoard are the plies at which the position stands at least so many times.
func onBoard(g *Game, times int) []int {
	plies := []int{}
	for n := 0; n <= g.Len(); n++ {
		if g.Occurrences(n) >= times {
			plies = append(plies, n)
		}
	}
	return plies
}

// TestOccurrences: the library faults of reconstruction.md and their kin.
func TestOccurrences(t *testing.T) {
	for _, c := range []struct {
		name, fen, moves string
		threefold        []int
	}{
		{"a pinned pawn gives no right", "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
			"h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7", []int{9}},
		{"nobody could take on f3", "", "f4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", []int{9}},
		{"both pawns would leave the rank", "8/6p1/8/K4P1r/8/8/8/7k b - - 0 1",
			"g5 Kb5 Kg1 Ka5 Kh1 Kb5 Kg1 Ka5 Kh1", []int{9}},
		{"a right the first time", "4k3/8/8/8/p7/8/1P6/4K3 w - - 0 1",
			"b4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1", []int{}},
		{"rights lost on the way", "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1",
			"Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8", []int{10, 11, 12}},
		{"the other side to move", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
			"Ke3 Ke5 Kd3 Kd5 Kc3 Kc5 Kd3 Kd6 Ke3 Kd5 Kd3", []int{}},
		{"the start counts", "", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4", []int{8}},
		{"twins change places", "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", // men are told by kind, not by person
			"Nf3 Kd8 Nbd2 Ke8 Nb3 Kd8 Nfd2 Ke8 Nf1 Kd8 Nbd2 Ke8 Nb1 Kd8 Ne3 Ke8 Nf1 Kd8 Ng3 Ke8 Nf1 Kd8", []int{21, 22}},
	} {
		g := play(t, c.fen, c.moves)
		if got := onBoard(g, 3); !slices.Equal(got, c.threefold) {
			t.Errorf("%s: threefold at %v, want %v", c.name, got, c.threefold)
		}
		for n := 0; n <= g.Len(); n++ {
			if got, want := g.Occurrences(n), occurrences(g, n); got != want {
				t.Errorf("%s ply %d: %d occurrences, the naive count is %d", c.name, n, got, want)
			}
		}
	}
}

// TestOccurrencesTakenBack: past an occurrence the count goes down again.
func TestOccurrencesTakenBack(t *testing.T) {
	g := play(t, "", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
	if got := g.Occurrences(8); got != 3 {
		t.Fatalf("%d occurrences, want 3", got)
	}
	if err := g.ReplaceFrom(8, nil); err != nil {
		t.Fatal(err)
	}
	if err := g.PushSAN("Nd5"); err != nil {
		t.Fatal(err)
	}
	if got := g.Occurrences(8); got != 1 {
		t.Errorf("%d occurrences, want 1", got)
	}
	g = play(t, "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 6)+"e4")
	if got := onBoard(g, 5); len(got) != 9 || g.Len() != 25 {
		t.Errorf("five times or more at %v of %d plies; the record goes on", got, g.Len())
	}
}

// TestKey: what makes a difference and what does not.
func TestKey(t *testing.T) {
	same := func(a, b Position) {
		t.Helper()
		if a.Key() != b.Key() {
			t.Errorf("%s and %s differ", a.FEN(), b.FEN())
		}
	}
	differ := func(a, b string) {
		t.Helper()
		p, q := mustFEN(t, a), mustFEN(t, b)
		if p.Key() == q.Key() {
			t.Errorf("%s and %s are the same", a, b)
		}
	}
	same(*play(t, "", "d4 d5 c4 e6 Nc3").Current(), *play(t, "", "c4 e6 Nc3 d5 d4").Current())
	same(*play(t, "", "e4 e5").Current(), mustFEN(t, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 17 99"))
	differ(StartFEN, strings.Replace(StartFEN, "w", "b", 1))
	for _, rights := range []string{"KQk", "KQq", "Kkq", "Qkq", "-"} {
		differ(StartFEN, strings.Replace(StartFEN, "KQkq", rights, 1))
	}
	differ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3")
	// The numbers may stand in journals: they must not change from one release to the next.
	if got := startPosition.Key(); got != 0xbbe745535feea9bf {
		t.Errorf("the key of the start position has become %#x", got)
	}
}
