package correspondence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The weights of preliminary, semi-final and final.
var weights = []Points{100, 220, 450}

func TestPerfectScore(t *testing.T) {
	var total Points
	for _, w := range weights {
		total += Score{Wins: 6}.Weighted(w)
	}
	if total.String() != "46.2" {
		t.Errorf("six wins in each of three stages are %v, want 46.2", total)
	}
}

func TestWeightedPoints(t *testing.T) {
	for _, tt := range []struct {
		score Score
		win   Points
		want  string
	}{
		{Score{Wins: 4, Draws: 1}, 100, "4.5"},
		{Score{Wins: 4, Draws: 1}, 220, "9.9"},
		{Score{Wins: 1, Draws: 3}, 450, "11.25"},
		{Score{Wins: 3}, 100, "3"},
		{Score{Draws: 1}, 220, "1.1"},
	} {
		if got := tt.score.Weighted(tt.win).String(); got != tt.want {
			t.Errorf("%+v at %v: %s, want %s", tt.score, tt.win, got, tt.want)
		}
	}
	if got := Points(-150).String(); got != "-1.5" {
		t.Errorf("got %s, want -1.5", got)
	}
}

func TestAdvance(t *testing.T) {
	for _, tt := range []struct {
		score Score
		at    Points
		want  bool
	}{
		{Score{Wins: 4, Draws: 1}, 450, true},
		{Score{Wins: 4}, 450, false},
		{Score{Wins: 4}, 400, true},
		{Score{Wins: 3, Draws: 3}, 450, true},
	} {
		if got := tt.score.Advances(tt.at); got != tt.want {
			t.Errorf("%+v at %v: %t", tt.score, tt.at, got)
		}
	}
}

func TestSections(t *testing.T) {
	got, err := Sections(16, 7)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int{{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14}, {15, 16}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := Sections(7, 1); err == nil || err.Error() != "expected at least 2 players in sections of at least 2, got 7 in sections of 1" {
		t.Errorf("error %v", err)
	}
}
