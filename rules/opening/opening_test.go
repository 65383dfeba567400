package opening

import (
	"strings"
	"testing"

	"boardd/rules"
)

func game(t *testing.T, start rules.Position, moves string) *rules.Game {
	t.Helper()
	g := rules.NewGame(start)
	for _, san := range strings.Fields(moves) {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		moves, eco, name string
		ply              int
	}{
		{"e4", "B00", "King's Pawn", 1},
		{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation", 10},
		{"d4 Nf6 c4 e6 Nc3 Bb4 a4 a5", "E20", "Nimzo-Indian Defense", 6},
		{"c4 e6 d4 d5", "D30", "Queen's Gambit Declined", 4}, // by transposition
	} {
		o, ok := Of(game(t, rules.Start(), c.moves))
		if want := (Opening{c.eco, c.name, c.ply}); !ok || o != want {
			t.Errorf("%s: %+v, want %+v", c.moves, o, want)
		}
	}
	if o, ok := Of(rules.NewGame(rules.Start())); ok {
		t.Errorf("no move, but an opening %+v", o)
	}
	p, _ := rules.ParseFEN("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	if o, ok := Of(game(t, p, "e4")); ok {
		t.Errorf("not from the usual start, but an opening %+v", o)
	}
}

// TestEveryLineIsAGame: a line the kernel refused would be lost without a word.
func TestEveryLineIsAGame(t *testing.T) {
	longest, n := 0, 0
	for _, l := range lines() {
		position := rules.Start()
		for _, text := range l.moves {
			m, err := position.ParseUCI(text)
			if err != nil {
				t.Fatalf("%s %s: %v", l.eco, l.name, err)
			}
			position = position.Play(m)
		}
		if o, ok := byKey()[position.Key()]; !ok || o.plies > len(l.moves) {
			t.Errorf("%s %s is not found by its own position", l.eco, l.name)
		}
		longest, n = max(longest, len(l.moves)), n+1
	}
	if n < 2000 || longest > maxPly {
		t.Errorf("%d lines, the longest of %d plies", n, longest)
	}
}
