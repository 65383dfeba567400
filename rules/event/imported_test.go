package event

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func imported(board, white, black int) Game {
	return Game{Board: board, White: Seat{Player: white}, Black: Seat{Player: black}}
}

func bye(player int) Game { return Game{White: Seat{Player: player}, Bye: true} }

// The penalty of the example stands at table 21 once the pairings are known.
func TestImportedPairingsHaveTablesAndPenalties(t *testing.T) {
	e := example(t, "amplico")
	st := &e.Stages[0]
	st.Tables = []int{21}
	err := e.Import("Swiss", []Round{{Number: 3, Games: []Game{imported(1, 2, 7)}},
		{Number: 4, Games: []Game{bye(16), imported(2, 3, 6), imported(1, 12, 10)}}})
	if err != nil {
		t.Fatal(err)
	}
	rounds := pairings(t, e, "Swiss")
	var got []string
	for _, s := range e.Settings(st, rounds) {
		got = append(got, fmt.Sprintf("round %d table %d %s", s.Round, s.Game.Table, s.Control))
	}
	want := []string{"round 3 table 21 900+10", "round 4 table 21 W900+10-B450+10", "round 4 table 2 900+10"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if numbers(rounds[1]) != "12-10 3-6 16 bye" || rounds[1].Start.Format("15:04") != "13:30" {
		t.Errorf("round 4: %s at %v", numbers(rounds[1]), rounds[1].Start)
	}
}

func TestImportsRefused(t *testing.T) {
	e := example(t, "amplico")
	right := []Round{{Number: 1, Games: []Game{imported(1, 1, 2)}}}
	if err := e.Import("Swiss", right); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		stage  string
		rounds []Round
		want   string
	}{
		{"Swis", right, `expected the name of a stage, got "Swis"`},
		{"Final groups", right, `stage "Final groups": expected a swiss, whose pairings are imported, got a round robin`},
		{"Swiss", []Round{{Number: 9}}, `stage "Swiss": expected rounds 1 to 8 in order, got round 9`},
		{"Swiss", []Round{{Number: 2}, {Number: 1}}, `stage "Swiss": expected rounds 1 to 8 in order, got round 1`},
		{"Swiss", []Round{{Number: 1, Games: []Game{imported(1, 1, 17)}}}, `stage "Swiss", round 1: expected the number of a player of the stage, got 17`},
		{"Swiss", []Round{{Number: 1, Games: []Game{imported(1, 1, 2), bye(2)}}}, `stage "Swiss", round 1: expected each player once, got 2 Baran, Krzysztof again`},
		{"Swiss", []Round{{Number: 1, Games: []Game{imported(1, 1, 2), imported(1, 3, 4)}}}, `stage "Swiss", round 1: expected a board of its own for each game, got board 1 for player 3`},
	} {
		if err := e.Import(tt.stage, tt.rounds); err == nil || err.Error() != tt.want {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
	if rounds := pairings(t, e, "Swiss"); len(rounds) != 1 || numbers(rounds[0]) != "1-2" {
		t.Errorf("after faulty imports: %v", rounds)
	}
}
