package standings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/rules/event/standings"
)

var codes = map[byte]standings.Outcome{'1': standings.Win, '=': standings.Draw, '0': standings.Loss, '+': standings.ForfeitWin,
	'-': standings.ForfeitLoss, 'F': standings.FullBye, 'H': standings.HalfBye, 'Z': standings.ZeroBye, '.': standings.Absent}

// crosstable reads rows such as "2w1 3b= --F": opponent, colour, outcome.
func crosstable(t *testing.T, rows ...string) *standings.Table {
	t.Helper()
	var players []standings.Player
	for i, row := range rows {
		p := standings.Player{Number: i + 1}
		for cell := range strings.FieldsSeq(row) {
			var r standings.Round
			n := len(cell)
			if !strings.HasPrefix(cell, "-") {
				fmt.Sscan(cell[:n-2], &r.Opponent)
			}
			r.Black, r.Outcome = cell[n-2] == 'b', codes[cell[n-1]]
			p.Rounds = append(p.Rounds, r)
		}
		players = append(players, p)
	}
	table, err := standings.New(players)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func rule(t *testing.T, name string) standings.Rule {
	t.Helper()
	r, err := standings.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// swiss is five rounds of six players with a bye, a half-point bye, a forfeit and a late
// comer. Points: 1: 4 (1 1 1 1 0), 2: 3.5 (1 = = H 1), 3: 3 (0 F 1 0 1), 4: 2 (0 1 0 + 0),
// 5: 1.5 (1 = 0 0 0), 6: 1 (0 0 0 - 1).
func swiss(t *testing.T) *standings.Table {
	return crosstable(t,
		"4w1 5b1 6w1 3b1 2w0",
		"6b1 --. 5w= --H 1b1",
		"5b0 --F 4w1 1w0 --F",
		"1b0 6w1 3b0 6b+ --Z",
		"3w1 1w0 2b= --. 6b0",
		"2w0 4b0 1b0 4w- 5w1",
	)
}

// Worked by hand. Points: 4, 3, 3, 2, 1.5, 1. US adjusted scores, where a game that was
// not played is half a point: player 1 4 (all played); 2 1+=(.5)+.5+.5+1 = 3.5;
// 3 0+.5+1+0+.5 = 2; 4 0+1+0+.5+.5 = 2; 5 1+0+.5+.5+0 = 2; 6 0+0+0+.5+1 = 1.5.
func TestWorkedSwiss(t *testing.T) {
	want := map[string][6]string{
		// Opponents of 1: 4, 5, 6, 3, 2 = 2+2+1.5+2+3.5 = 11. Of 2: 6, 5, 1 and two rounds
		// without a game, 1.5+2+4 = 7.5. Of 3: 5, 4, 1 = 2+2+4 = 8. Of 4: 1, 6, 3 = 4+1.5+2 =
		// 7.5. Of 5: 3, 1, 2, 6 = 2+4+3.5+1.5 = 11. Of 6: 2, 4, 1, 5 = 3.5+2+4+2 = 11.5.
		"solkoff": {"11", "7.5", "8", "7.5", "11", "11.5"},
		// More than 2.5 points: without the lowest (1.5, 0, 0); less: without the highest (4, 4, 4).
		"modified-median": {"9.5", "7.5", "8", "3.5", "7", "7.5"},
		// 1: 1+2+3+4+4 = 14. 2: 1+1+1.5+2+3 = 8.5. 3: 0+1+2+2+3 = 8, less two byes = 6.
		// 4: 0+1+1+2+2 = 6, less the forfeit = 5. 5: 1+1+1.5+1.5+1.5 = 6.5. 6: 1.
		"cumulative": {"14", "8.5", "6", "5", "6.5", "1"},
		"progress":   {"14", "8.5", "8", "6", "6.5", "1"},
		// 1: 5+6.5+1+6+8.5 = 27. 2: 1+6.5+14 = 21.5. 3: 6.5+5+14 = 25.5. 4: 14+1+6 = 21.
		// 5: 6+14+8.5+1 = 29.5. 6: 8.5+5+14+6.5 = 34.
		"cumulative-of-opposition": {"27", "21.5", "25.5", "21", "29.5", "34"},
		// 1: 2+1.5+1+3+3 = 10.5. 2: 1+1.5+4 and twice his own 3 = 12.5. 3: 1.5+2+4 and twice 3
		// = 13.5. 4: 4+1+3 and twice 2 = 12. 5: 3+4+3+1 and 1.5 = 12.5. 6: 3+2+4+1.5 and 1 = 11.5.
		"buchholz":          {"10.5", "12.5", "13.5", "12", "12.5", "11.5"},
		"buchholz-cut-1":    {"9.5", "11.5", "12", "11", "11.5", "10.5"},
		"buchholz-cut-2":    {"8", "10", "10", "9", "10", "9"},
		"buchholz-median-1": {"6.5", "7.5", "8", "7", "7.5", "6.5"},
		"buchholz-median-2": {"2", "3", "3", "2", "3", "2"},
		// 1: 2+1.5+1+3 = 7.5. 2: 1 + half of 1.5 + 4 = 5.75. 3: 2. 4: 1. 5: 3 + half of 3 = 4.5. 6: 1.5.
		"sonneborn-berger": {"7.5", "5.75", "2", "1", "4.5", "1.5"},
		"wins":             {"4", "2", "1", "2", "1", "1"},
		"most-blacks":      {"2", "2", "1", "2", "2", "2"},
	}
	for name, values := range want {
		rows := swiss(t).Standings([]standings.Rule{rule(t, name)})
		for _, r := range rows {
			if got := r.Ties[0].String(); got != values[r.Number-1] {
				t.Errorf("%s of player %d: %s, want %s", name, r.Number, got, values[r.Number-1])
			}
		}
	}
	rows := swiss(t).Standings([]standings.Rule{rule(t, "buchholz-median-1")})
	var order []string
	for _, r := range rows {
		order = append(order, fmt.Sprintf("%d.%d:%s", r.Rank, r.Number, r.Points))
	}
	if got, want := strings.Join(order, " "), "1.1:4 2.3:3 3.2:3 4.4:2 5.5:1.5 6.6:1"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
}

// Nine rounds: two opponents are left out instead of one. Ten players, the lower number
// always wins: player n has 10-n points, and all meet all.
func TestModifiedMedianOfNineRounds(t *testing.T) {
	rows := make([]string, 10)
	for i := 1; i <= 10; i++ {
		var cells []string
		for round := range 9 {
			// Round robin by numbers: i meets j where i+j = round (mod 9), 10 fills the gap.
			j := (round - i%9 + 18) % 9
			if j == 0 {
				j = 9
			}
			switch {
			case i == 10:
				for k := 1; k <= 9; k++ {
					if 2*k%9 == round%9 {
						j = k
					}
				}
			case j == i:
				j = 10
			}
			result, colour := "1", "w"
			if j < i {
				result, colour = "0", "b"
			}
			cells = append(cells, fmt.Sprintf("%d%s%s", j, colour, result))
		}
		rows[i-1] = strings.Join(cells, " ")
	}
	table := crosstable(t, rows...)
	got := table.Standings([]standings.Rule{rule(t, "modified-median"), rule(t, "solkoff")})
	// Player 1 (9 points) met 8..0 = 36, without 0 and 1: 35. Player 10 (0 points) met 9..1 =
	// 45, without 9 and 8: 28.
	if got[0].Number != 1 || got[0].Ties[0].String() != "35" || got[0].Ties[1].String() != "36" {
		t.Errorf("%+v", got[0])
	}
	if last := got[9]; last.Number != 10 || last.Ties[0].String() != "28" || last.Ties[1].String() != "45" {
		t.Errorf("%+v", last)
	}
}

func TestDirectEncounterCountsAmongTheTied(t *testing.T) {
	// 1, 2 and 3 have two points each; 1 beat 2, 2 beat 3, 3 lost to 1.
	table := crosstable(t, "2w1 3b1 4w0", "1b0 4w1 3w1", "4b1 1w0 2b0", "3w0 2b0 1b1")
	rows := table.Standings([]standings.Rule{rule(t, "direct-encounter")})
	if rows[0].Number != 1 || rows[1].Number != 2 || rows[0].Ties[0].String() != "1" || rows[1].Ties[0].String() != "0" {
		t.Errorf("%+v", rows)
	}
	if rows[2].Rank != 3 || rows[3].Rank != 4 { // 3 and 4 have a point each; 3 beat 4
		t.Errorf("%+v", rows)
	}
}

func TestEqualPlayersShareARank(t *testing.T) {
	rows := crosstable(t, "2w=", "1b=").Standings(nil)
	if rows[0].Rank != 1 || rows[1].Rank != 1 {
		t.Errorf("%+v", rows)
	}
}

// Six games or more: the results stand; fewer: they are taken out for all (Barbados).
func TestWithdrawal(t *testing.T) {
	table := swiss(t)
	if table.Annul(1, 5) {
		t.Error("five games were taken out where five stand")
	}
	if !table.Annul(6, 6) {
		t.Fatal("four games stand")
	}
	want := map[int]string{1: "3", 2: "2", 3: "3", 4: "0", 5: "1.5", 6: "0"}
	for _, r := range table.Standings(nil) {
		if r.Points.String() != want[r.Number] {
			t.Errorf("player %d has %s, want %s", r.Number, r.Points, want[r.Number])
		}
	}
}

func TestFaultyTables(t *testing.T) {
	game := func(opponent int, black bool, o standings.Outcome) []standings.Round {
		return []standings.Round{{Opponent: opponent, Black: black, Outcome: o}}
	}
	for _, tt := range []struct {
		name    string
		players []standings.Player
		want    string
	}{
		{"number twice", []standings.Player{{Number: 1}, {Number: 1}}, "each once, got player 1"},
		{"no opponent", []standings.Player{{Number: 1, Rounds: game(0, false, standings.Win)}}, "player 1, round 1: expected an opponent"},
		{"unknown opponent", []standings.Player{{Number: 1, Rounds: game(9, false, standings.Win)}}, "as opponent, got 9"},
		{"himself", []standings.Player{{Number: 1, Rounds: game(1, false, standings.Draw)}}, "expected another player"},
		{"one side only", []standings.Player{{Number: 1, Rounds: game(2, false, standings.Win)}, {Number: 2}}, "as opponent too"},
		{"two winners", []standings.Player{{Number: 1, Rounds: game(2, false, standings.Win)}, {Number: 2, Rounds: game(1, true, standings.Win)}}, "agree with that of player 2"},
		{"two Whites", []standings.Player{{Number: 1, Rounds: game(2, false, standings.Win)}, {Number: 2, Rounds: game(1, false, standings.Loss)}}, "two of a colour"},
	} {
		if _, err := standings.New(tt.players); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := standings.Parse("median"); err == nil || !strings.Contains(err.Error(), "modified-median") {
		t.Errorf("error %v", err)
	}
	if !slices.Contains(standings.Names(), "buchholz") {
		t.Error("no buchholz")
	}
}
