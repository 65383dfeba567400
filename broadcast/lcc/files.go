package lcc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Words of Tournament.Chess960: every game begins from the usual array, or any of them may begin from another.
const (
	Standard = "STANDARD"
	Any      = "ANY"
)

// Tournament is tournament.json (B.2). A nil text is null: not known.
type Tournament struct {
	ID          string   `json:"id"` // a short name
	Name        string   `json:"name"`
	Location    *string  `json:"location"`
	Country     *string  `json:"country"` // two letters
	Website     *string  `json:"website"`
	Rules       string   `json:"rules"`    // Standard
	Chess960    string   `json:"chess960"` // Standard or Any
	TimeControl *string  `json:"timecontrol"`
	Rounds      []Count  `json:"rounds"`  // round N at index N-1
	EBoards     []string `json:"eboards"` // serial numbers by table
}

// Count tells how large a round is.
type Count struct {
	Count int `json:"count"` // pairings
	Live  int `json:"live"`  // of them being played
}

// Round is round-N/index.json (B.3).
type Round struct {
	Date     *string   `json:"date"`     // YYYY-MM-DD
	Pairings []Pairing `json:"pairings"` // game M at index M-1
}

// Pairing is a game of a round. A nil player is nobody, as opposite a bye.
type Pairing struct {
	White  *Player `json:"white"`
	Black  *Player `json:"black"`
	Result string  `json:"result"` // as PGN has it
	Live   bool    `json:"live"`
}

// Player is who plays; nil is not known.
type Player struct {
	FName      *string `json:"fname"`
	MName      *string `json:"mname"`
	LName      *string `json:"lname"`
	Title      *string `json:"title"`
	Federation *string `json:"federation"`
	Gender     *string `json:"gender"`
	FideID     *FideID `json:"fideid"`
}

// FideID is a FIDE identity number. Files have it as a number; texts are read too.
type FideID int

// UnmarshalJSON reads a number, or a text with one; an empty text and null are 0.
func (id *FideID) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		if text = strings.TrimSpace(text); text == "" {
			*id = 0
			return nil
		}
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("fideid: expected a number, got %.40s", data)
	}
	*id = FideID(n)
	return nil
}

// Game is round-N/game-M.json (B.4).
type Game struct {
	Live     bool   `json:"live"`
	SerialNr string `json:"serialNr"` // of the board
	// FirstMove is when the first move was made, in Unix ms; nil before.
	FirstMove *int64 `json:"firstMove"`
	// Chess960 is the number of the start position; 518 is the usual array.
	Chess960 int     `json:"chess960"`
	Result   *string `json:"result"` // one of the words below; nil while it is open
	Comment  *string `json:"comment"`
	Clock    *Clock  `json:"clock"` // nil when the game is over or the clock not known
	Moves    []Move  `json:"moves"`
}

// Usual is the number of the usual array in Chess960.
const Usual = 518

// Words of Game.Result.
const (
	WhiteWin     = "WHITEWIN"
	BlackWin     = "BLACKWIN"
	Draw         = "DRAW"
	WhiteForfeit = "WHITEFORFAIT" // White has won, for Black did not come
	BlackForfeit = "BLACKFORFAIT" // Black has won, for White did not come
	NotPlayed    = "NOTPLAYED"
)

// Clock is a reading of both clocks.
type Clock struct {
	White int   `json:"white"` // seconds
	Black int   `json:"black"`
	Run   *bool `json:"run,omitempty"` // true: White's runs, false: Black's
	Time  int64 `json:"time"`          // of the reading, in Unix ms
}

// Encode writes one of the files as indented JSON with a line end.
func Encode[T Tournament | Round | Game](file T) []byte {
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		panic("lcc: " + err.Error()) // nothing in these types can fail
	}
	return append(data, '\n')
}

// ReadTournament, ReadRound and ReadGame read a file; name is for errors.
func ReadTournament(name string, data []byte) (Tournament, error) {
	t, err := read[Tournament](name, data)
	if t.Rounds == nil {
		t.Rounds = []Count{}
	}
	if t.EBoards == nil {
		t.EBoards = []string{}
	}
	return t, err
}

// ReadRound reads round-N/index.json.
func ReadRound(name string, data []byte) (Round, error) {
	r, err := read[Round](name, data)
	if r.Pairings == nil {
		r.Pairings = []Pairing{}
	}
	return r, err
}

// ReadGame reads round-N/game-M.json. A file without the number of the start position begins from the usual array.
func ReadGame(name string, data []byte) (Game, error) {
	var number struct {
		Chess960 *int `json:"chess960"`
	}
	g, err := read[Game](name, data)
	if err == nil && json.Unmarshal(data, &number) == nil && number.Chess960 == nil {
		g.Chess960 = Usual
	}
	if g.Moves == nil {
		g.Moves = []Move{}
	}
	return g, err
}

func read[T any](name string, data []byte) (file T, err error) {
	var wrong *json.UnmarshalTypeError
	var broken *json.SyntaxError
	switch err = json.Unmarshal(data, &file); {
	case errors.As(err, &wrong):
		return file, fmt.Errorf("%s: %s: expected %s, got JSON's %s", name, wrong.Field, kind(wrong.Type.String()), wrong.Value)
	case errors.As(err, &broken):
		return file, fmt.Errorf("%s: expected JSON as LiveChess Cloud has it, got a fault at byte %d: %w", name, broken.Offset, err)
	case err != nil:
		return file, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}

// kind is a Go type in the words of JSON.
func kind(t string) string {
	switch {
	case strings.HasSuffix(t, "string"):
		return "a text"
	case strings.HasSuffix(t, "bool"):
		return "true or false"
	case strings.Contains(t, "int"):
		return "a whole number"
	case strings.HasPrefix(t, "[]"):
		return "a list"
	}
	return "an object"
}
