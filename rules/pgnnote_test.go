package rules

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPGNNotes(t *testing.T) {
	for _, c := range []struct {
		name, text, moves string
		result            Result
		notes             []PGNOddity
	}{
		{"plain", "[Result \"1-0\"]\n\n1. e4 {[%clk 1:00:00]} e5 1-0", "e4 e5", WhiteWins, nil},
		{"live", "[Result \"*\"]\n\n1. e4 *", "e4", Unfinished, nil},
		{"mark", "\xef\xbb\xbf[Result \"*\"]\n\n*", "", Unfinished, []PGNOddity{OddMark}},
		{"Latin-1 name", "[White \"J\xf6rg\"]\n\n1. e4 *", "e4", Unfinished, []PGNOddity{OddLatin1}},
		{"Latin-1 half", "1. e4 \xbd-\xbd", "e4", Draw, []PGNOddity{OddLatin1, OddResult}},
		{"half signs", "[Result \"½-½\"]\n\n1. e4 e5 ½-½", "e4 e5", Draw, []PGNOddity{OddResult}},
		{"long dashes", "1. e4 e5 1–0", "e4 e5", WhiteWins, []PGNOddity{OddResult}},
		{"spaced half", "[Result \"1/2 - 1/2\"]\n\n1. e4 e5 1/2 - 1/2\n\n1. d4 *", "e4 e5", Draw, []PGNOddity{OddResult}},
		{"a word", "[Result \"WHITEWIN\"]\n\n1. e4 BLACKWIN", "e4", BlackWins, []PGNOddity{OddResult, OddResults}},
		{"default", "[Result \"+/-\"]\n\n*", "", WhiteWins, []PGNOddity{OddResult, OddResults}},
		{"default among moves", "[Result \"--+\"]\n\n--+", "", BlackWins, []PGNOddity{OddResult}},
		{"both have lost", "[Result \"0-0\"]\n\n1. e4 e5 0-0", "e4 e5", Unfinished, []PGNOddity{OddResultText}},
		{"castling, then both have lost", "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 0-0", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O", Unfinished, []PGNOddity{OddMove, OddResultText}},
		{"cut off", "[Result \"*\"]\n\n1. e4 e5 2. N", "e4 e5", Unfinished, []PGNOddity{OddNoResult}},
		{"cut off with a result", "[Result \"0-1\"]\n\n1. e4 e5", "e4 e5", BlackWins, []PGNOddity{OddNoResult}},
		{"the end wins over the tag", "[Result \"0-1\"]\n\n1. e4 1-0", "e4", WhiteWins, []PGNOddity{OddResults}},
		{"quote", "[Event \"The \"Quoted\" Open\"]\n\n*", "", Unfinished, []PGNOddity{OddQuote}},
		{"tag twice", "[Round \"1\"]\n[Round \"2\"]\n\n*", "", Unfinished, []PGNOddity{OddTagTwice}},
		{"wrapped", "1. e4 {[%clk\n0:05:00]} {[%emt 0:00:05]} *", "e4", Unfinished, []PGNOddity{OddWrap, OddComments}},
		{"wrapped between two", "1. e4 {[%clk 0:05:00]\n[%emt 0:00:05]} *", "e4", Unfinished, nil},
		{"wrapped round a minus", "1. e4 {[%clk 23:59:58.820]} *", "e4", Unfinished, []PGNOddity{OddTime}},
		{"Zeros", "1. e4 e5 2. Ng1-f3 *", "e4 e5 Nf3", Unfinished, []PGNOddity{OddMove}},
	} {
		r := NewPGNReader(strings.NewReader(c.text), "f")
		g, err := r.Next()
		if g == nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []PGNOddity
		for _, n := range r.Notes() {
			got = append(got, n.Oddity)
		}
		if sans(g) != c.moves || g.Result != c.result || !slices.Equal(got, c.notes) {
			t.Errorf("%s: %q %s %q, want %q %s %q (%v)", c.name, sans(g), g.Result, got, c.moves, c.result, c.notes, err)
		}
		roundTrip(t, g)
	}
	r := NewPGNReader(strings.NewReader("[Round \"1\"]\n\n1. 0-0 {x}\n\n[Round \"2\"]\n\n1. e4 {a} {b}\ne5 {a} {b} {c}\n*"), "f")
	if _, err := r.Next(); err == nil || len(r.Notes()) != 1 {
		t.Errorf("expected a fault and one note, got %v and %v", err, r.Notes())
	}
	if r.Next(); !slices.Equal(r.Notes(), []PGNNote{{OddComments, 7, 2}}) {
		t.Errorf("got %v", r.Notes())
	}
	if r.Next(); r.Notes() != nil {
		t.Errorf("after the last game: %v", r.Notes())
	}
	if _, err := NewPGNReader(strings.NewReader("\xff\xfe[\x00"), "f").Next(); err == nil || err == io.EOF || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("UTF-16: %v", err)
	}
}

// TestSharedPGNCases runs every row of kind pgn that is about moves, their clocks, the result or a fault.
func TestSharedPGNCases(t *testing.T) {
	rows := 0
	eachLine(t, sharedPath(t, "cases", "cases.jsonl"), func(row *struct {
		ID, Kind        string
		Input, Expected json.RawMessage
	}) {
		if row.Kind != "pgn" {
			return
		}
		var input struct{ PGN string }
		var want struct {
			Moves  []string
			Clk    []*float64
			Result string
			Error  *struct {
				Ply int
				SAN string
			}
		}
		if err := json.Unmarshal(row.Input, &input); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(row.Expected, &want); err != nil {
			t.Fatal(err)
		}
		rows++
		g, err := NewPGNReader(strings.NewReader(input.PGN), row.ID).Next()
		if g == nil {
			t.Errorf("%s: %v", row.ID, err)
			return
		}
		if got := sans(g); got != strings.Join(want.Moves, " ") {
			t.Errorf("%s: moves %q, want %q", row.ID, got, want.Moves)
		}
		if want.Result != "" && string(g.Result) != want.Result {
			t.Errorf("%s: result %s, want %s", row.ID, g.Result, want.Result)
		}
		var fault *PGNError
		if fault, _ = err.(*PGNError); (fault != nil) != (want.Error != nil) || fault != nil && (fault.Ply != want.Error.Ply || fault.SAN != want.Error.SAN) {
			t.Errorf("%s: fault %+v, want %+v", row.ID, fault, want.Error)
		}
		for i, clk := range want.Clk {
			ply := g.Ply(i + 1)
			if ply.HasClock != (clk != nil) || clk != nil && ply.Clock != time.Duration(*clk*float64(time.Second)) {
				t.Errorf("%s: ply %d: clock %v (%t)", row.ID, i+1, ply.Clock, ply.HasClock)
			}
		}
	})
	if rows == 0 {
		t.Error("no rows")
	}
}
