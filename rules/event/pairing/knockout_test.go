package pairing

import (
	"fmt"
	"strings"
	"testing"
)

func open(b *Bracket) string {
	var matches []string
	for _, round := range b.Rounds() {
		for _, m := range round {
			if m.Winner == 0 && m.High > 0 && m.Low > 0 {
				matches = append(matches, fmt.Sprintf("%d-%d", m.High, m.Low))
			}
		}
	}
	return strings.Join(matches, " ")
}

func TestBracketOfEight(t *testing.T) {
	b, err := NewBracket(8)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		want    string
		winners []int
	}{
		{"1-8 4-5 2-7 3-6", []int{1, 5, 2, 6}},
		{"1-5 2-6", []int{5, 2}},
		{"5-2", []int{5}},
	} {
		if got := open(b); got != step.want {
			t.Fatalf("open matches %s, want %s", got, step.want)
		}
		for _, w := range step.winners {
			if err := b.Win(w); err != nil {
				t.Fatal(err)
			}
		}
	}
	if b.Champion() != 5 {
		t.Errorf("champion %d, want 5", b.Champion())
	}
	if err := b.Win(5); err == nil || err.Error() != "expected the winner of an open match, got 5" {
		t.Errorf("a winner after the final: %v", err)
	}
}

func TestTheBestHaveTheByes(t *testing.T) {
	b, err := NewBracket(5)
	if err != nil {
		t.Fatal(err)
	}
	if got := open(b); got != "4-5 2-3" {
		t.Errorf("open matches %s, want 4-5 and, after byes, 2-3", got)
	}
	if err := b.Win(1); err == nil || err.Error() != "expected the winner of a match that can be played, got 1, who has no opponent yet" {
		t.Errorf("the winner of an empty match: %v", err)
	}
}

// Whoever wins, a bracket of any size ends after one match less than players.
func TestEveryBracketEnds(t *testing.T) {
	for n := 2; n <= 33; n++ {
		b, err := NewBracket(n)
		if err != nil {
			t.Fatal(err)
		}
		matches := 0
		for b.Champion() == 0 {
			var high, low int
			if _, err := fmt.Sscanf(open(b), "%d-%d", &high, &low); err != nil {
				t.Fatalf("%d players: no open match: %v", n, err)
			}
			if err := b.Win([]int{high, low}[matches%2]); err != nil {
				t.Fatal(err)
			}
			matches++
		}
		if matches != n-1 {
			t.Errorf("%d players: %d matches, want %d", n, matches, n-1)
		}
	}
}

func TestColoursOfAMatchAlternate(t *testing.T) {
	if got := written(MatchGames(1, 3)); got != "1-2\n2-1\n1-2" {
		t.Errorf("match 1: %q", got)
	}
	if got := written(MatchGames(2, 2)); got != "2-1\n1-2" {
		t.Errorf("match 2: %q", got)
	}
}
