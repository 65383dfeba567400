package rules

import (
	"errors"
	"strings"
	"testing"
)

// TestFENFaults: every reason of the fact sheet, with nothing else found wrong.
func TestFENFaults(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want []Fault
	}{
		{"8/8/8/8/8/8/8/4K3 w - - 0 1", []Fault{FaultNoKing}},
		{"8/8/8/8/8/8/8/8 w - - 0 1", []Fault{FaultNoKing, FaultNoKing}},
		{"4k3/8/8/8/8/8/8/K3K3 w - - 0 1", []Fault{FaultTwoKings}},
		{"4k3/8/8/8/8/8/8/P3K3 w - - 0 1", []Fault{FaultPawnOnLastRank}},
		{"p3k2P/8/8/8/8/8/8/4K3 w - - 0 1", []Fault{FaultPawnOnLastRank, FaultPawnOnLastRank}},
		{"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", []Fault{FaultTooManyPawns}},
		{"4k3/8/8/8/8/Q7/PPPPPPPP/3QK3 w - - 0 1", []Fault{FaultTooManyPromoted}},
		{"QQQQ4/8/8/8/8/k7/PPPPPPPP/RNB1KBNR b - - 0 1", []Fault{FaultTooManyMen, FaultTooManyPromoted}},
		{"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", []Fault{FaultOpponentInCheck}},
		{"8/8/8/8/8/8/3kK3/8 w - - 0 1", []Fault{FaultOpponentInCheck}},
		{"4k3/8/8/8/8/8/8/4K3 w K - 0 1", []Fault{FaultRightWithoutRook}},
		{"r3k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", []Fault{FaultRightWithoutRook}},
		{"4k3/8/8/8/8/8/8/4K2b w H - 0 1", []Fault{FaultRightWithoutRook}},
		{"4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", []Fault{FaultRightWithoutKing}},
		{"4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1", []Fault{FaultTwoRightsOneWing}},
		{"4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", []Fault{FaultEnPassantRank}},
		{"4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", []Fault{FaultEnPassantRank}},
		{"4k3/8/8/8/8/8/8/4K3 b - e3 0 1", []Fault{FaultEnPassantPawn}},
		{"4k3/8/8/8/4N3/8/8/4K3 b - e3 0 1", []Fault{FaultEnPassantPawn}},
		{"4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", []Fault{FaultEnPassantOccupied}},
		{"4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", []Fault{FaultEnPassantOccupied}},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 0", []Fault{FaultCounter}},
	} {
		_, err := ParseFEN(c.fen)
		var setup *SetupError
		if !errors.As(err, &setup) {
			t.Errorf("%s: %v, want %v", c.fen, err, c.want)
			continue
		}
		got := setup.Faults
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.fen, err, c.want)
			continue
		}
		for i, f := range c.want {
			if got[i].Fault != f || !errors.Is(err, f) {
				t.Errorf("%s: %v, want %v", c.fen, err, c.want)
			}
		}
		if _, err := ParseSetup(c.fen); err != nil {
			t.Errorf("%s is well written, but %v", c.fen, err)
		}
	}
}

// TestFENText: texts that are no FEN, and the words of the error that say where.
func TestFENText(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"", "expected 6 fields (or the first 4), got 0"},
		{"4k3/8/8/8/8/8/8/4K3", "got 1"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0", "got 5"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "got 7"},
		{"4k3/8/8/8/8/8/4K3 w - - 0 1", "field 1 (board): expected 8 ranks"},
		{"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "expected 8 ranks parted by '/', got 9"},
		{"4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8: expected 8 squares, got 9"},
		{"4k3/8/7/8/8/8/8/4K3 w - - 0 1", "rank 6: expected 8 squares, got 7"},
		{"4k3/8/44/8/8/8/8/4K3 w - - 0 1", "rank 6: expected a piece after the digit"},
		{"4k3/8/8/9/8/8/8/4K3 w - - 0 1", "rank 5: expected a piece letter or a digit 1 to 8, got '9'"},
		{"4k3/8/8/8/8/8/8/4K2X w - - 0 1", "got 'X'"},
		{"4k3/8/8/8/8/8/8/4K3 W - - 0 1", "field 2 (side to move): expected w or b"},
		{"4k3/8/8/8/8/8/8/4K3 w Z - 0 1", "field 3 (castling)"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "each right once"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1", "each right once"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq- - 0 1", "at most 4 letters"},
		{"4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "field 4 (en passant)"},
		{"4k3/8/8/8/8/8/8/4K3 w - - -1 1", "field 5 (half-moves)"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "field 6 (move number)"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 10000", "0 to 9999"},
		{"4k3/8/8/8/8/8/8/4K3 w - – 0 1", "byte 25: expected printable ASCII, got 0xe2"},
		{"4k3/8/8/8/8/8/8/4K3\tw - - 0 1", "byte 20"},
	} {
		if _, err := ParseFEN(c.fen); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want an error with %q", c.fen, err, c.want)
		}
	}
}

// TestFENRoundTrip: what is written when a position is read.
func TestFENRoundTrip(t *testing.T) {
	for _, c := range []struct{ fen, want, x string }{
		{StartFEN, StartFEN, StartFEN},
		{"4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", ""},
		{"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", // nobody can take
			"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", ""},
		{"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
			"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", ""},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", // Chess960, number 518
			"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", StartFEN},
		{"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"},
		{"1r2k3/8/8/8/8/8/8/RR2K3 w Bq - 0 1", "1r2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1", "1r2k3/8/8/8/8/8/8/RR2K3 w Bq - 0 1"},
		{" 4k3/8/8/8/8/8/8/4K3  w - - 12 34 ", "4k3/8/8/8/8/8/8/4K3 w - - 12 34", ""},
	} {
		p, err := ParseFEN(c.fen)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := p.FEN(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.fen, got, c.want)
		}
		if got := p.XFEN(); c.x != "" && got != c.x {
			t.Errorf("%s is written %s, want %s", c.fen, got, c.x)
		}
		setup := p.Setup()
		if again, err := setup.Position(); err != nil || again != p {
			t.Errorf("%s: by way of its Setup it is %s, %v", c.fen, again.FEN(), err)
		}
	}
}

func TestSetupByHand(t *testing.T) {
	setup := Setup{EnPassant: NoSquare, Fullmove: 1}
	setup.Board[E1], setup.Board[E8], setup.Board[20] = WhiteKing, BlackKing, Piece(200)
	if _, err := setup.Position(); !errors.Is(err, FaultPiece) {
		t.Errorf("an unknown piece: %v", err)
	}
	setup.Board[20] = Piece(7)
	if _, err := setup.Position(); !errors.Is(err, FaultPiece) {
		t.Errorf("an unknown piece: %v", err)
	}
	setup.Board[20], setup.Rooks = NoPiece, Square(30).Bit()
	if _, err := setup.Position(); !errors.Is(err, FaultRightWithoutRook) {
		t.Errorf("a right in mid-board: %v", err)
	}
	setup.Rooks, setup.EnPassant = 0, 200
	if _, err := setup.Position(); !errors.Is(err, FaultEnPassantRank) {
		t.Errorf("an e.p. square off the board: %v", err)
	}
}

func FuzzFEN(f *testing.F) {
	for _, fen := range []string{
		StartFEN, kiwipete, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - – 0 1",
	} {
		f.Add(fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := ParseFEN(fen)
		if err != nil {
			return
		}
		checkPosition(t, &p)
		var l MoveList
		p.LegalMoves(&l)
		if l.Len() > 218 {
			t.Fatalf("%s: %d moves", fen, l.Len())
		}
		for _, m := range l.Moves() {
			next := p.Play(m)
			if king := next.KingSquare(p.turn); next.Attackers(king, next.turn) != 0 {
				t.Fatalf("%s: %s leaves the king in check", fen, m)
			}
			if next.key != next.scratchKey() {
				t.Fatalf("%s: %s spoils the key", fen, m)
			}
			p.IsDead()
		}
	})
}

// A message stays short, however long the text it is about.
func TestFENErrorsAreShort(t *testing.T) {
	long := strings.Repeat("8", 1<<20)
	for _, fen := range []string{long, "8/8/8/8/8/8/8/" + long, "8/8/8/8/8/8/8/8 " + long + " - - 0 1", "8/8/8/8/8/8/8/8 w " + long + " - 0 1", "8/8/8/8/8/8/8/8 w - - " + long + " 1"} {
		_, err := ParseFEN(fen)
		if err == nil {
			t.Fatalf("no error for a FEN of %d bytes", len(fen))
		}
		if n := len(err.Error()); n > 600 {
			t.Errorf("FEN of %d bytes: message of %d bytes, want at most 600", len(fen), n)
		}
	}
}
