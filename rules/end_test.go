package rules

import "testing"

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name, fen             string
		mate, stalemate, dead bool
	}{
		{"start", StartFEN, false, false, false},
		{"fool's mate", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", true, false, false},
		{"stalemate", "8/8/8/8/8/k7/p7/K7 w - - 0 1", false, true, false},
		{"stalemate of the queen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, true, false},
		{"kings", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", false, false, true},
		{"king and bishop", "8/8/8/3k4/8/3K4/3B4/8 w - - 0 1", false, false, true},
		{"king and knight", "8/8/8/3k4/8/3K4/3n4/8 w - - 0 1", false, false, true},
		{"two knights", "8/8/8/3k4/8/3K4/2NN4/8 w - - 0 1", false, false, false},
		{"knight against knight", "8/8/3n4/3k4/8/3K4/3N4/8 w - - 0 1", false, false, false},
		{"bishop against knight", "8/8/3n4/3k4/8/3K4/3B4/8 w - - 0 1", false, false, false},
		{"bishops of one colour", "8/8/3b4/3k4/8/3K4/8/4B1B1 w - - 0 1", false, false, true},
		{"bishops of both colours", "8/8/4b3/3k4/8/3K4/3B4/8 w - - 0 1", false, false, false},
		{"a pawn", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", false, false, false},
		{"a rook", "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1", false, false, false},
		{"a wall from edge to edge", "8/8/1k6/p1p1p1p1/PpPpPpPp/1P1P1P1P/1K6/8 w - - 0 1", false, false, true},
		{"the wall has a gate", "8/8/1k6/p1p1p3/PpPpPp2/1P1P1P2/1K6/8 w - - 0 1", false, false, false},
		{"one pawn may still step", "8/6p1/1k6/p1p1p3/PpPpPpPp/1P1P1P1P/1K6/8 w - - 0 1", false, false, false},
		{"a pawn may take", "8/8/1k6/p1p1p1p1/PpPpPpPP/1P1P1P1p/1K6/8 w - - 0 1", false, false, false},
		{"a knight jumps the wall", "8/8/1k6/p1p1p1p1/PpPpPpPp/1P1P1P1P/1KN5/8 w - - 0 1", false, false, false},
		{"blocked, but a king walks in", "4k3/8/8/3p4/3P4/8/8/4K3 w - - 0 1", false, false, false},
	} {
		p := mustFEN(t, c.fen)
		if got := p.IsCheckmate(); got != c.mate {
			t.Errorf("%s: mate %v", c.name, got)
		}
		if got := p.IsStalemate(); got != c.stalemate {
			t.Errorf("%s: stalemate %v", c.name, got)
		}
		if got := p.IsDead(); got != c.dead {
			t.Errorf("%s: dead %v", c.name, got)
		}
	}
}
