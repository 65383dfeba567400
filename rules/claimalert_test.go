package rules

import (
	"slices"
	"strings"
	"testing"
)

func TestDrawAlerts(t *testing.T) {
	for _, c := range []struct {
		name, fen, moves string
		edition          Edition
		want             []DrawAlert
	}{
		{"nothing", "", "e4", Laws2023, nil},
		{"by a move only", "", dance, Laws2023, nil},
		{"three times", "", dance + " Ng8", Laws2023, []DrawAlert{{"claim.threefold", "3 times, White to move: after the start, 2...Ng8, 4...Ng8"}}},
		{"the right lapses", "", dance + " Ng8 e4", Laws2023, nil},
		{"five times", "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 4), Laws2023, []DrawAlert{{"draw.fivefold", "5 times, White to move: after the start, 2...Ng8, 4...Ng8, 6...Ng8, 8...Ng8"}}},
		{"five times in 2005", "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 4), Laws2005, []DrawAlert{{"claim.threefold", "5 times, White to move: after the start, 2...Ng8, 4...Ng8, 6...Ng8, 8...Ng8"}}},
		{"fifty", "8/7k/8/6R1/1r3B2/5K2/8/8 b - - 100 119", "", Laws2023, []DrawAlert{{"claim.fifty", "White 50, Black 50 moves without capture and pawn move, Black to move"}}},
		{"75", "4k3/8/6r1/8/8/8/2R5/4K3 w - - 149 100", "Rc3", Laws2023, []DrawAlert{{"draw.seventyfive", "White 75, Black 75 moves without capture and pawn move, Black to move"}}},
		{"75 in 2005", "4k3/8/6r1/8/8/8/2R5/4K3 w - - 149 100", "Rc3", Laws2005, []DrawAlert{{"claim.fifty", "White 75, Black 75 moves without capture and pawn move, Black to move"}}},
		{"mate outranks", "k7/8/NKB5/8/8/8/8/8 b - - 150 176", "", Laws2023, nil},
		{"dead", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 150 90", "", Laws2023, []DrawAlert{{"game.over", "dead_position"}}},
		{"earlier than the record", "4k3/8/8/8/8/4P3/8/4K3 w - - 3 40", "Kd2 Kd7 Ke1 Ke8 Kd2 Kd7 Ke1 Ke8", Laws2023, []DrawAlert{{"claim.threefold", "at least 3 times, White to move: after the start, 41...Ke8, 43...Ke8"}}},
	} {
		g := play(t, c.fen, c.moves)
		if got := g.DrawAlerts(g.Len(), c.edition); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
