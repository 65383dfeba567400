package rules

import (
	"testing"

	"github.com/notnil/chess"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func mustFEN(t testing.TB, fen string) Position {
	t.Helper()
	p, err := ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// walkTree visits every position to the depth and generates the moves of each leaf;
// unlike perft it plays every move, which is what a search does.
func walkTree(p Position, depth int) int {
	var l MoveList
	p.LegalMoves(&l)
	n := l.Len()
	if depth > 1 {
		for _, m := range l.Moves() {
			n += walkTree(p.Play(m), depth-1)
		}
	}
	return n
}

func walkNotnil(p *chess.Position, depth int) int {
	moves := p.ValidMoves()
	n := len(moves)
	if depth > 1 {
		for _, m := range moves {
			n += walkNotnil(p.Update(m), depth-1)
		}
	}
	return n
}

// The two Perft benchmarks do the same work: moves/s counts generated legal moves.
func BenchmarkPerft(b *testing.B) {
	p, n := mustFEN(b, kiwipete), 0
	b.ReportAllocs()
	for b.Loop() {
		n += walkTree(p, 3)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "moves/s")
}

func BenchmarkPerftNotnil(b *testing.B) {
	option, err := chess.FEN(kiwipete)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n += walkNotnil(chess.NewGame(option).Position(), 3)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "moves/s")
}

func BenchmarkLegalMoves(b *testing.B) {
	for _, c := range []struct{ name, fen string }{
		{"start", StartFEN},
		{"middlegame", kiwipete},
		{"endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
		{"check", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := mustFEN(b, c.fen)
			var l MoveList
			b.ReportAllocs()
			for b.Loop() {
				p.LegalMoves(&l)
			}
		})
	}
}

// BenchmarkLegalMovesNotnil plays one move as well: the library keeps the list of a position it has seen.
func BenchmarkLegalMovesNotnil(b *testing.B) {
	option, err := chess.FEN(kiwipete)
	if err != nil {
		b.Fatal(err)
	}
	position := chess.NewGame(option).Position()
	m := position.ValidMoves()[0]
	b.ReportAllocs()
	for b.Loop() {
		position.Update(m).ValidMoves()
	}
}

func BenchmarkPlay(b *testing.B) {
	p := mustFEN(b, kiwipete)
	m, err := p.ParseUCI("f3f6")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		next := p.Play(m)
		_ = next.Key()
	}
}

func BenchmarkSAN(b *testing.B) {
	p := mustFEN(b, kiwipete)
	m, err := p.ParseUCI("e5g6")
	if err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, 0, 16)
	b.ReportAllocs()
	for b.Loop() {
		buffer = p.AppendSAN(buffer[:0], m)
	}
}

func BenchmarkParseSAN(b *testing.B) {
	p := mustFEN(b, kiwipete)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.ParseSAN("Nxg6"); err != nil {
			b.Fatal(err)
		}
	}
}
