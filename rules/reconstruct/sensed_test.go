package reconstruct

import (
	"testing"

	"boardd/rules"
)

var allMen = []rules.Piece{
	rules.WhitePawn, rules.WhiteKnight, rules.WhiteBishop, rules.WhiteRook, rules.WhiteQueen, rules.WhiteKing,
	rules.BlackPawn, rules.BlackKnight, rules.BlackBishop, rules.BlackRook, rules.BlackQueen, rules.BlackKing,
}

func TestSensedPutAndDiff(t *testing.T) {
	start := position(t, startFEN)
	base := sense(start.Board())
	if base.placement() != start.Placement() {
		t.Fatalf("start comes back as %v", base.placement())
	}
	for q := range rules.Square(64) {
		for _, p := range append([]rules.Piece{rules.NoPiece}, allMen...) {
			s := base
			s.put(q, p)
			if s.at(q) != p {
				t.Fatalf("%s on %s reads %s", p, q, s.at(q))
			}
			want := rules.Bitboard(0)
			if base.at(q) != p {
				want = q.Bit()
			}
			if d := s.diff(&base); d != want || d != base.diff(&s) {
				t.Fatalf("%s put on %s: diff %x, want %x", p, q, d, want)
			}
			s.put(q, base.at(q))
			if s != base {
				t.Fatalf("%s put on %s does not go away", p, q)
			}
		}
	}
}

// The sets must be those that counting square by square gives.
func TestSensedSets(t *testing.T) {
	for _, fen := range []string{
		startFEN,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/8/8/3k4/8/3K4/8/8 w - - 0 1",
	} {
		pos := position(t, fen)
		s := sense(pos.Board())
		if s.occupied() != pos.Occupied() {
			t.Errorf("%s: occupied %x", fen, s.occupied())
		}
		for _, c := range []rules.Color{rules.White, rules.Black} {
			if s.of(c) != pos.Men(c, rules.NoRole) {
				t.Errorf("%s: men of %s %x", fen, c, s.of(c))
			}
			for r := rules.Pawn; r <= rules.King; r++ {
				if s.men(c, r) != pos.Men(c, r) {
					t.Errorf("%s: %s %s %x, want %x", fen, c, r, s.men(c, r), pos.Men(c, r))
				}
			}
		}
	}
}

func TestSensedTurned(t *testing.T) {
	pos := position(t, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	s := sense(pos.Board())
	u := s.turned()
	for q := range rules.Square(64) {
		if u.at(63-q) != s.at(q) {
			t.Errorf("%s on %s is %s on %s after turning", s.at(q), q, u.at(63-q), 63-q)
		}
	}
	if u.turned() != s {
		t.Error("turned twice is not the same board")
	}
}
