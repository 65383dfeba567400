package rules

import "testing"

func perft(p *Position, depth int) int {
	var l MoveList
	p.LegalMoves(&l)
	if depth <= 1 {
		return l.Len()
	}
	n := 0
	for _, m := range l.Moves() {
		next := p.Play(m)
		n += perft(&next, depth-1)
	}
	return n
}

func TestPerft(t *testing.T) {
	for _, c := range []struct {
		fen   string
		depth int
		want  int
	}{
		{StartFEN, 5, 4865609},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 4, 4085603},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 5, 674624},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 4, 422333},
		{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
	} {
		p, err := ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := perft(&p, c.depth); got != c.want {
			t.Errorf("%s depth %d: %d, want %d", c.fen, c.depth, got, c.want)
		}
	}
}

func BenchmarkLegalMoves(b *testing.B) {
	p, _ := ParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
	var l MoveList
	b.ReportAllocs()
	for b.Loop() {
		p.LegalMoves(&l)
	}
}
