package event_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"boardd/rules/event"
)

const threePlayers = `name = "Test"
withdrawn = [3]
results-stand = 2
[[player]]
name = "Novak, Anna"
fide-id = 1234567
[[player]]
name = "Young, Ben"
[[player]]
name = "Lis, Jan"
[[player]]
name = "Baran, Karol"
[[stage]]
name = "Swiss"
system = "swiss"
rounds = 3
time = "90+30"
ties = ["buchholz"]
pairings = "%[1]s"
results = "%[1]s"
`

func loaded(t *testing.T, file, text string) (*event.Event, error) {
	t.Helper()
	e, err := event.Read("event.toml", fmt.Appendf(nil, threePlayers, file))
	if err != nil {
		t.Fatal(err)
	}
	return e, e.LoadFiles(func(name string) ([]byte, error) {
		if name != file {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
}

// The same rounds from each kind of file: 1 beats 2 and 3 draws with 4, then 2 beats 4.
func TestFilesOfEachKind(t *testing.T) {
	for file, text := range map[string]string{
		"r.csv": "round,board,white,black,result\n1,2,\"NOVAK Anna\",\"Young, Ben\",1-0\n1,1,\"Lis, Jan\",\"Baran, Karol\",1/2-1/2\n2,1,\"Young, Ben\",\"Baran, Karol\",1-0\n",
		"r.pgn": "[Round \"1.2\"]\n[White \"Somebody\"]\n[WhiteFideId \"1234567\"]\n[Black \"Young,Ben\"]\n[Result \"1-0\"]\n\n1-0\n\n" +
			"[Round \"1.1\"]\n[White \"Lis, Jan\"]\n[Black \"Baran, Karol\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n[Round \"2.1\"]\n[White \"Young, Ben\"]\n[Black \"Baran, Karol\"]\n[Result \"1-0\"]\n\n1-0\n",
		"r.trf": "001    1      Lis, Jan                                                           0.5    0     2 w =\n" +
			"001    2      Baran, Karol                                                       0.5    0     1 b =     3 b 0\n" +
			"001    3      Young, Ben                                                         1.0    0     4 b 0     2 w 1\n" +
			"001    4      Novak, Anna                                                        1.0    0     3 w 1\n",
	} {
		e, err := loaded(t, file, text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		st := &e.Stages[0]
		rounds, err := e.Pairings(st)
		if err != nil || len(rounds) != 2 || len(rounds[0].Games) != 2 {
			t.Errorf("%s: %+v, %v", file, rounds, err)
			continue
		}
		if second := rounds[1].Games[0]; second.White.Player != 2 || second.Black.Player != 4 || second.Board != 1 {
			t.Errorf("%s: round 2 %+v", file, second)
		}
		rows, rules, err := e.Standings(st)
		if err != nil || len(rules) != 1 {
			t.Fatalf("%s: %v", file, err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprintf("%d:%s", r.Number, r.Points))
		}
		// Player 3 has withdrawn after one game of the two that make results stand. Buchholz:
		// 1 met 2 (1) and has a point himself for round 2: 2; 2 met 1 and 4: 1; 4 met 2: 1.
		if text := strings.Join(got, " "); text != "1:1 2:1 4:0 3:0" {
			t.Errorf("%s: %s", file, text)
		}
	}
}

func TestFilesThatDoNotFit(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{"r.csv", "round,white,black\n1,Nobody,\"Young, Ben\"\n", `r.csv:2: expected a player of the event as White, got "Nobody"`},
		{"r.csv", "round,white,black\n1,\"Lis, Jan\",Nobody\n", `r.csv:2: expected a player of the event as Black, got "Nobody"`},
		{"r.csv", "round,white,black\n1,\"Lis, Jan\",\"Young, Ben\"\n1,\"Lis, Jan\",\"Baran, Karol\"\n", `r.csv:3: expected each player once in round 1, got "Lis, Jan"`},
		{"r.csv", "round,white\n", "r.csv:1: expected a column black, got none"},
		{"r.trf", "001    1      Nobody                           \n", `r.trf:1: expected a player of the event, got "Nobody"`},
		{"r.trf", "001    1      Lis, Jan\n001    2      Lis, Jan\n", "r.trf:2: expected each player once, got Lis, Jan again"},
		{"r.pgn", "[Round \"1\"]\n[White \"X\"]\n[Black \"Y\"]\n\n*\n", `r.pgn:1: expected a player of the event as White, got "X"`},
	} {
		e, err := loaded(t, tt.file, tt.text)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v\nwant %s", err, tt.want)
		}
		if _, _, err := e.Standings(&e.Stages[0]); !errors.Is(err, event.ErrNoResults) {
			t.Errorf("%s: half loaded: %v", tt.file, err)
		}
	}
}
