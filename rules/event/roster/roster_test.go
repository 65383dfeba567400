package roster_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardd/rules"
	"boardd/rules/event/roster"
)

const headers = `[Event "Open"]
[Round "3.2"]
[White "Novak, Anna"]
[Black "Young, Ben"]
[WhiteElo "2100"]
[BlackElo "-"]
[WhiteTitle "WGM"]
[WhiteFideId "1234567"]
[Result "*"]

*

[Event "Open"]
[Round "3"]
[Board "1"]
[White "Lis, Jan"]
[Black "Baran, K"]
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2
`

func TestReadPGN(t *testing.T) {
	got, err := roster.ReadPGN("r.pgn", []byte(headers))
	if err != nil {
		t.Fatal(err)
	}
	want := []roster.Pairing{
		{Line: 1, Round: 3, Board: 2, White: roster.Player{Name: "Novak, Anna", Title: "WGM", Rating: 2100, FIDEID: "1234567"},
			Black: roster.Player{Name: "Young, Ben"}, Result: rules.Unfinished},
		{Line: 13, Round: 3, Board: 1, White: roster.Player{Name: "Lis, Jan"}, Black: roster.Player{Name: "Baran, K"}, Result: rules.Draw},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadCSV(t *testing.T) {
	want := []roster.Pairing{
		{Line: 2, Round: 1, Board: 1, White: roster.Player{Name: "Novak, Anna", Rating: 2100}, Black: roster.Player{Name: "Young, Ben"}, Result: rules.WhiteWins},
		{Line: 3, Round: 1, Board: 2, White: roster.Player{Name: "Lis, Jan"}, Black: roster.Player{Name: "Baran, K"}, Result: rules.BlackWins, ByForfeit: true},
	}
	for name, text := range map[string]string{
		"commas":     "round,board,white,black,result,white_rating\n1,1,\"Novak, Anna\",\"Young, Ben\",1-0,2100\n1,2,\"Lis, Jan\",\"Baran, K\",-+,\n",
		"semicolons": "\ufeffRound;White;Black;Result;White Rating\r\n1;Novak, Anna;Young, Ben;1-0;2100\r\n1;Lis, Jan;Baran, K;-+;\r\n",
		"tabs":       "white\tblack\tround\tresult\twhite_rating\nNovak, Anna\tYoung, Ben\t1\t1-0\t2100\nLis, Jan\tBaran, K\t1.2\t-+\n",
	} {
		got, err := roster.ReadCSV("r.csv", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFaults(t *testing.T) {
	const head = "round,board,white,black,result,white_rating\n"
	for _, tt := range []struct{ name, file, text, want string }{
		{"empty table", "r.csv", "", "r.csv:1: expected a line of column names (round, board,"},
		{"unknown column", "r.csv", "round,white,black,colour\n", `r.csv:1: expected column names (round, board, white, black, result, white_title, black_title, white_rating, black_rating, white_federation, black_federation, white_fide_id, black_fide_id), got "colour"`},
		{"column twice", "r.csv", "round,white,white\n", "r.csv:1: white: expected each column once, got it again"},
		{"no players", "r.csv", "round,white\n", "r.csv:1: expected a column black, got none"},
		{"no games", "r.csv", head, "r.csv:1: expected games below the column names, got none"},
		{"no round", "r.csv", head + "x,1,A,B,*,\n", `r.csv:2: round: expected a number, got "x"`},
		{"no board", "r.csv", head + "1,x,A,B,*,\n", `r.csv:2: board: expected a number, got "x"`},
		{"round nought", "r.csv", head + "0,1,A,B,*,\n", "r.csv:2: round: expected a round from 1 to 100, got 0"},
		{"board too high", "r.csv", head + "1,10000,A,B,*,\n", "r.csv:2: board: expected a board from 1 to 9999, got 10000"},
		{"board twice", "r.csv", head + "1,1,A,B,*,\n1,1,C,D,*,\n", "r.csv:3: board: expected another board of round 1 than in line 2, got 1"},
		{"no White", "r.csv", head + "1,1,,B,*,\n", "r.csv:2: white: expected a name, got none"},
		{"against himself", "r.csv", head + "1,1,A,A,*,\n", `r.csv:2: black: expected another player than White, got "A"`},
		{"result", "r.csv", head + "1,1,A,B,2-0,\n", `r.csv:2: result: expected 1-0, 0-1, 1/2-1/2, +-, -+, -- or nothing, got "2-0"`},
		{"rating", "r.csv", head + "1,1,A,B,*,high\n", `r.csv:2: white_rating: expected a rating, got "high"`},
		{"open quote", "r.csv", head + "1,1,\"A,B,*,\n", "r.csv:2: expected a line of a table, got"},
		{"empty PGN", "r.pgn", "", "r.pgn:1: expected games with headers, got none"},
		{"PGN without a round", "r.pgn", "[White \"A\"]\n[Black \"B\"]\n\n*\n", `r.pgn:1: Round: expected a round as in "3" or "3.1", got`},
		{"PGN with a rating that is none", "r.pgn", "[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[BlackElo \"x\"]\n\n*\n", `r.pgn:1: BlackElo: expected a rating, got "x"`},
		{"PGN without Black", "r.pgn", "[Round \"1\"]\n[White \"A\"]\n\n*\n", "r.pgn:1: black: expected a name, got none"},
		{"PGN with a board twice", "r.pgn", strings.Replace(headers, `[Board "1"]`, `[Board "2"]`, 1), "r.pgn:13: board: expected another board of round 3 than in line 1, got 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			read := roster.ReadCSV
			if strings.HasSuffix(tt.file, ".pgn") {
				read = roster.ReadPGN
			}
			list, err := read(tt.file, []byte(tt.text))
			var fault *roster.Error
			if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), tt.want) || list != nil {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}

func FuzzReadPGN(f *testing.F) {
	f.Add([]byte(headers))
	f.Add([]byte("[Round \"1\"]\n*"))
	f.Add([]byte("\xff\xfe["))
	f.Fuzz(func(t *testing.T, text []byte) { fuzzed(t, roster.ReadPGN, text) })
}

func FuzzReadCSV(f *testing.F) {
	f.Add([]byte("round,board,white,black,result\n1,1,A,B,1-0\n"))
	f.Add([]byte("white;black;round\nA;B;2.1\n"))
	f.Fuzz(func(t *testing.T, text []byte) { fuzzed(t, roster.ReadCSV, text) })
}

func fuzzed(t *testing.T, read func(string, []byte) ([]roster.Pairing, error), text []byte) {
	list, err := read("f", text)
	if err != nil {
		var fault *roster.Error
		if !errors.As(err, &fault) || fault.Line < 1 || fault.Expected == "" || fault.Got == "" || list != nil {
			t.Errorf("error %#v with %d pairings", err, len(list))
		}
		return
	}
	for _, p := range list {
		if p.Round < 1 || p.Board < 1 {
			t.Errorf("%+v", p)
		}
	}
}
