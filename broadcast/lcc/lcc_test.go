package lcc

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/rules"
)

func ptr[T any](v T) *T { return &v }

func TestMove(t *testing.T) {
	for text, want := range map[string]Move{
		"e4":             {SAN: "e4"},
		"d4 1852+6":      {SAN: "d4", Clock: ptr(1852), Spent: ptr(6)},
		"Nc6 +26":        {SAN: "Nc6", Spent: ptr(26)},
		"Kxg3 1521":      {SAN: "Kxg3", Clock: ptr(1521)},
		"Qh5+ 0+0":       {SAN: "Qh5+", Clock: ptr(0), Spent: ptr(0)},
		"Qh5+":           {SAN: "Qh5+"},
		"e8=Q# 35999":    {SAN: "e8=Q#", Clock: ptr(35999)},
		"O-O 86398+5":    {SAN: "O-O", Spent: ptr(5)}, // a negative time wrapped round
		"a3 99999999999": {SAN: "a3"},
		"  Nf3   5+ ":    {},
	} {
		got, err := ParseMove(text)
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want.SAN != "") {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for _, text := range []string{"", " ", "e4 +", "e4 -5", "e4 1+2+3", "e4 1.5", "e4 5 6", "e4 x"} {
		if got, err := ParseMove(text); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%q is read as %+v, %v", text, got, err)
		}
	}
}

// TestSharedCases runs every row of kind lcc-json.
func TestSharedCases(t *testing.T) {
	f, err := os.Open(filepath.Join(shared(t), "cases", "cases.jsonl"))
	if err != nil {
		t.Skipf("needs the shared material: %v", err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct {
			ID, Kind string
			Input    struct{ Moves []string }
			Expected struct{ Parsed [][]any }
		}
		if json.Unmarshal(lines.Bytes(), &row); row.Kind != "lcc-json" {
			continue
		}
		rows++
		var got [][]any
		for _, text := range row.Input.Moves {
			m, err := ParseMove(text)
			if err != nil || m.String() != text {
				t.Errorf("%s: %q is written %q, %v", row.ID, text, m, err)
			}
			one := []any{m.SAN, nil, nil}
			for i, s := range []*int{m.Clock, m.Spent} {
				if s != nil {
					one[i+1] = float64(*s)
				}
			}
			got = append(got, one)
		}
		if diff := cmp.Diff(row.Expected.Parsed, got); diff != "" {
			t.Errorf("%s:\n%s", row.ID, diff)
		}
	}
	if rows == 0 {
		t.Error("no rows")
	}
}

func shared(t *testing.T) string {
	if dir := os.Getenv("BOARDD_SHARED"); dir != "" {
		return dir
	}
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "cases")); err == nil {
			return filepath.Join(dir, "shared")
		}
	}
	t.Skip("needs the shared material: set BOARDD_SHARED or put it in ../shared")
	return ""
}

const tournamentFile = `{
  "id": "spring",
  "name": "Spring Open \"A\"",
  "location": null,
  "country": "PT",
  "website": null,
  "rules": "STANDARD",
  "chess960": "ANY",
  "timecontrol": "25m+10s",
  "rounds": [
    {
      "count": 2,
      "live": 1
    }
  ],
  "eboards": [
    "48096",
    "48097"
  ]
}
`

const roundFile = `{
  "date": "2026-12-01",
  "pairings": [
    {
      "white": {
        "fname": "Anna",
        "mname": null,
        "lname": "Novak",
        "title": "WGM",
        "federation": "CZE",
        "gender": null,
        "fideid": 300123
      },
      "black": null,
      "result": "*",
      "live": true
    }
  ]
}
`

const gameFile = `{
  "live": true,
  "serialNr": "48096",
  "firstMove": 1796083200000,
  "chess960": 518,
  "result": null,
  "comment": null,
  "clock": {
    "white": 5400,
    "black": 5388,
    "run": false,
    "time": 1796083260000
  },
  "moves": [
    "e4 5430+5",
    "e5"
  ]
}
`

// TestFiles: each file reads and is written the same, key by key.
func TestFiles(t *testing.T) {
	tournament, err := ReadTournament("tournament.json", []byte(tournamentFile))
	if err != nil || string(Encode(tournament)) != tournamentFile || tournament.Name != `Spring Open "A"` {
		t.Errorf("%v\n%s", err, Encode(tournament))
	}
	round, err := ReadRound("index.json", []byte(roundFile))
	if err != nil || string(Encode(round)) != roundFile || *round.Pairings[0].White.FideID != 300123 {
		t.Errorf("%v\n%s", err, Encode(round))
	}
	game, err := ReadGame("game-1.json", []byte(gameFile))
	if err != nil || string(Encode(game)) != gameFile {
		t.Errorf("%v\n%s", err, Encode(game))
	}
	r, err := game.Record()
	if err != nil || r.Len() != 2 || r.Ply(1).Clock != 5430*time.Second || r.Ply(2).HasClock || r.Tags.Get("BlackClock") != "1:29:48" || !strings.HasPrefix(r.Tags.Get("ReferenceTime"), "B/2026-12-01T") {
		t.Errorf("%v %+v", err, r.Tags)
	}
}

func TestReadingIsTolerant(t *testing.T) {
	round, err := ReadRound("f", []byte(`{"pairings":[{"white":{"fideid":"1503014","lname":"X"},"black":{"fideid":""}},{"white":{"fideid":null}}],"more":1}`))
	if err != nil || *round.Pairings[0].White.FideID != 1503014 || *round.Pairings[0].Black.FideID != 0 || round.Pairings[1].White.FideID != nil {
		t.Errorf("%v %s", err, Encode(round))
	}
	game, err := ReadGame("f", []byte(`{"moves":null,"result":"WHITEFORFAIT"}`))
	if err != nil || game.Chess960 != Usual || game.Moves == nil {
		t.Errorf("%v %+v", err, game)
	}
	if r, err := game.Record(); err != nil || r.Result != rules.WhiteWins || r.Tags.Get("Termination") != Forfeit {
		t.Errorf("%v %+v", err, r)
	}
	illegal := Game{Chess960: Usual, Result: ptr(Draw), Moves: []Move{{SAN: "e4", Clock: ptr(60)}, {SAN: "Ke4"}, {SAN: "e5"}}}
	if r, err := illegal.Record(); err == nil || !strings.HasPrefix(err.Error(), "ply 2: expected a legal move of black") || r.Len() != 1 || r.Result != rules.Draw {
		t.Errorf("%v", err)
	}
	if r, err := (&Game{Chess960: 960}).Record(); err == nil || r == nil {
		t.Error("960 is no number of a start position")
	}
	for text, want := range map[string]string{
		`{"moves":[5]}`:          "game-3.json: moves: expected a text, got 5",
		`{"moves":["e4 x"]}`:     `game-3.json: move "e4 x": expected whole seconds`,
		`{"live":"yes"}`:         "game-3.json: live: expected true or false, got JSON's string",
		`{"chess960":"x"}`:       "game-3.json: chess960: expected a whole number, got JSON's string",
		`{"moves":{}}`:           "game-3.json: moves: expected a list, got JSON's object",
		`{`:                      "game-3.json: expected JSON as LiveChess Cloud has it, got a fault at byte 1",
		`{"clock":{"white":""}}`: "game-3.json: clock.white: expected a whole number",
	} {
		if _, err := ReadGame("game-3.json", []byte(text)); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(want, " ")) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestRecordRoundTrip: a record of random moves and times comes back from its file as it was.
func TestRecordRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 960))
	for i := range 300 {
		n := Usual
		start := rules.Start()
		if i%2 == 0 {
			n = rng.IntN(960)
			if n != Usual {
				start, _ = rules.Chess960Start(n)
			}
		}
		r := rules.NewGame(start)
		for range rng.IntN(120) {
			var legal rules.MoveList
			r.Current().LegalMoves(&legal)
			if len(legal.Moves()) == 0 {
				break
			}
			ply := rules.Ply{Move: legal.Moves()[rng.IntN(len(legal.Moves()))]}
			if rng.IntN(3) > 0 {
				ply.Clock, ply.HasClock = time.Duration(rng.IntN(noClock))*time.Second, true
			}
			if rng.IntN(3) > 0 {
				ply.Spent, ply.HasSpent = time.Duration(rng.IntN(noClock))*time.Second, true
			}
			if err := r.PushPly(ply); err != nil {
				t.Fatal(err)
			}
		}
		r.Result = []rules.Result{rules.Unfinished, rules.WhiteWins, rules.BlackWins, rules.Draw}[i%4]
		if i%8 == 1 || i%8 == 2 {
			r.Tags.Set("Termination", Forfeit)
		}
		var g Game
		if !g.SetRecord(r) || g.Chess960 != n {
			t.Fatalf("start %d is written as %d", n, g.Chess960)
		}
		again, err := ReadGame("again", Encode(g))
		if diff := cmp.Diff(g, again); diff != "" || err != nil {
			t.Fatalf("%v\n%s", err, diff)
		}
		back, err := again.Record()
		if diff := cmp.Diff(r.Plies(), back.Plies(), cmp.Comparer(func(a, b rules.Move) bool { return a == b })); diff != "" || err != nil || back.Result != r.Result || *back.Start() != *r.Start() {
			t.Fatalf("%v\n%s", err, diff)
		}
		if back.Tags.Get("Termination") != r.Tags.Get("Termination") {
			t.Fatalf("termination %q, want %q", back.Tags.Get("Termination"), r.Tags.Get("Termination"))
		}
	}
	odd, err := rules.ParseFEN("4k3/8/8/8/8/8/8/4K2R b K - 3 40")
	if err != nil {
		t.Fatal(err)
	}
	g := Game{}
	if g.SetRecord(rules.NewGame(odd)) {
		t.Error("LiveChess knows no such start")
	}
}

func TestPlayerNames(t *testing.T) {
	for name, want := range map[string]string{"Novak, Anna": "Novak, Anna", "Novak": "Novak", "Nguyen, Thi Mai": "Nguyen, Thi Mai", "": "", "?": "", " , Anna": "Anna"} {
		if got := PlayerNamed(name, "", "", 0).Name(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	p := PlayerNamed("Novak, Anna", "-", "CZE", 12)
	r := rules.NewGame(rules.Start())
	p.MName = ptr("Maria")
	p.Tag(r, "White")
	if r.Tags.Get("White") != "Novak, Anna Maria" || r.Tags.Get("WhiteFideId") != "12" || r.Tags.Get("WhiteTitle") != "" {
		t.Errorf("%v", r.Tags)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{tournamentFile, roundFile, gameFile, `{"moves":["e4 1+2","Nc6 +26"],"chess960":3,"live":true,"clock":{"white":-5,"black":99999999}}`, `null`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := ReadTournament("f", data); err == nil {
			if again, err := ReadTournament("f", Encode(v)); err != nil || !cmp.Equal(v, again) {
				t.Fatalf("%v %s", err, Encode(v))
			}
		}
		if v, err := ReadRound("f", data); err == nil {
			if again, err := ReadRound("f", Encode(v)); err != nil || !cmp.Equal(v, again) {
				t.Fatalf("%v %s", err, Encode(v))
			}
		}
		if v, err := ReadGame("f", data); err == nil {
			if again, err := ReadGame("f", Encode(v)); err != nil || !cmp.Equal(v, again) {
				t.Fatalf("%v %s", err, Encode(v))
			}
			if r, _ := v.Record(); r == nil {
				t.Fatal("no record")
			}
		}
	})
}
