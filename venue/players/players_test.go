package players

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
)

func position(t *testing.T, fen string) rules.Position {
	t.Helper()
	p, err := rules.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// After the hands are done the board shows the position after the move.
func TestMoveLeavesTheBoardAsThePositionAfterIt(t *testing.T) {
	tests := []struct{ name, fen, move string }{
		{"quiet", rules.StartFEN, "e2e4"},
		{"capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"},
		{"castling short", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"},
		{"castling long", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"},
		{"Chess960, king and rook change places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"},
		{"en passant", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3"},
		{"promotion", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"},
		{"capture and promotion", "1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8n"},
		{"black promotion", "4k3/8/8/8/8/8/p3K3/8 b - - 0 1", "a2a1r"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := position(t, tt.fen)
			m, err := p.ParseUCI(tt.move)
			if err != nil {
				t.Fatal(err)
			}
			after := p.Play(m)
			for seed := range uint64(30) { // each of the ways hands have
				b := emulator.New(emulator.Config{Seed: seed, Men: Placement(p.Board()), Manner: emulator.Careful})
				h := b.Hands()
				Move(h, &p, m)
				b.Advance(h.At()+time.Second, nil)
				if h.Err() != nil || b.Seen() != Placement(after.Board()) {
					t.Fatalf("seed %d: the board shows\n%v, error %v", seed, b.Seen(), h.Err())
				}
			}
		})
	}
}

func TestKingsShowTheResult(t *testing.T) {
	tests := []struct {
		result       rules.Result
		white, black string
	}{
		{rules.WhiteWins, "e4", "d5"}, {rules.BlackWins, "d4", "e5"}, {rules.Draw, "e4", "e5"},
	}
	for _, fen := range []string{
		rules.StartFEN,
		"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4", // men in the way
		"8/8/8/3k4/8/4K3/8/8 w - - 0 1",                                        // a king is there
		"8/8/8/4k3/8/8/3K4/8 w - - 0 1",
	} {
		p := position(t, fen)
		for _, tt := range tests {
			b := emulator.New(emulator.Config{Seed: 1, Men: Placement(p.Board())})
			h := b.Hands()
			kings(h, &p, tt.result)
			b.Advance(h.At()+time.Second, nil)
			seen := b.Seen()
			for name, king := range map[string]dgt.Piece{tt.white: dgt.WhiteKing, tt.black: dgt.BlackKing} {
				s, err := rules.ParseSquare(name)
				if err != nil {
					t.Fatal(err)
				}
				if got := seen[square(s)]; got != king || h.Err() != nil {
					t.Errorf("%s, %s: %v on %s, want %v (error %v)", fen, tt.result, got, name, king, h.Err())
				}
			}
		}
	}
}

// A slow player does not lose on time, however little is left.
func TestRestKeepsThinkingWithinTheClock(t *testing.T) {
	ctx := t.Context()
	for _, left := range []time.Duration{0, time.Second, time.Minute, time.Hour} {
		d, err := emulator.Open(ctx, emulator.Options{Config: emulator.Config{Clock: emulator.ClockSetting{Left: left, Right: 5 * time.Hour}}})
		if err != nil {
			t.Fatal(err)
		}
		p := Pair{Board: d, White: dgt.Left}
		think := 10 * time.Hour
		if err := p.rest(ctx, rules.White, &think); err != nil || think > left/8 {
			t.Errorf("with %v left the player thinks %v, error %v", left, think, err)
		}
		d.Close()
	}
}

func TestThinkingTimesAreHuman(t *testing.T) {
	p := Pair{Think: 10 * time.Second, Rand: rand.New(rand.NewPCG(1, 2))}
	var opening, later time.Duration
	const games = 200
	for range games {
		opening += p.think(2)
		later += p.think(30)
	}
	if opening/games > 8*time.Second || later/games < 8*time.Second || later/games > 25*time.Second {
		t.Errorf("the mean is %v in the opening and %v later", opening/games, later/games)
	}
}
