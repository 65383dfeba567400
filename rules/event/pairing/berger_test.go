package pairing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The printed tables (fact sheet 5.1; the Laws' annex to C.05).
var printed = map[int]string{
	4: `1-4 2-3
4-3 1-2
2-4 3-1`,
	10: `1-10 2-9 3-8 4-7 5-6
10-6 7-5 8-4 9-3 1-2
2-10 3-1 4-9 5-8 6-7
10-7 8-6 9-5 1-4 2-3
3-10 4-2 5-1 6-9 7-8
10-8 9-7 1-6 2-5 3-4
4-10 5-3 6-2 7-1 8-9
10-9 1-8 2-7 3-6 4-5
5-10 6-4 7-3 8-2 9-1`,
	12: `1-12 2-11 3-10 4-9 5-8 6-7
12-7 8-6 9-5 10-4 11-3 1-2
2-12 3-1 4-11 5-10 6-9 7-8
12-8 9-7 10-6 11-5 1-4 2-3
3-12 4-2 5-1 6-11 7-10 8-9
12-9 10-8 11-7 1-6 2-5 3-4
4-12 5-3 6-2 7-1 8-11 9-10
12-10 11-9 1-8 2-7 3-6 4-5
5-12 6-4 7-3 8-2 9-1 10-11
12-11 1-10 2-9 3-8 4-7 5-6
6-12 7-5 8-4 9-3 10-2 11-1`,
}

func written(rounds []Round) string {
	var lines []string
	for _, round := range rounds {
		var games []string
		for _, g := range round {
			if g.Bye() {
				games = append(games, fmt.Sprintf("%d bye", g.White))
			} else {
				games = append(games, fmt.Sprintf("%d-%d", g.White, g.Black))
			}
		}
		lines = append(lines, strings.Join(games, " "))
	}
	return strings.Join(lines, "\n")
}

func TestPrintedBergerTables(t *testing.T) {
	for n, want := range printed {
		rounds, err := RoundRobin(n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, written(rounds)); diff != "" {
			t.Errorf("%d players (-printed +got):\n%s", n, diff)
		}
	}
}

// An odd number plays by the table of the next even one; whoever meets the last
// number there has the bye.
func TestOddNumbersHaveByes(t *testing.T) {
	rounds, err := RoundRobin(3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("2-3 1 bye\n1-2 3 bye\n3-1 2 bye", written(rounds)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// For every number: each pair meets once, everybody has one game or the bye in
// each round, and colours are as even as the number of games allows.
func TestEveryRoundRobinIsOne(t *testing.T) {
	for n := 2; n <= 40; n++ {
		rounds, err := RoundRobin(n)
		if err != nil {
			t.Fatal(err)
		}
		met, whites := map[Game]int{}, map[int]int{}
		for r, round := range rounds {
			busy := map[int]bool{0: true}
			for _, g := range round {
				if busy[g.White] || g.Black != 0 && busy[g.Black] || g.White > n || g.Black > n {
					t.Errorf("%d players, round %d: %v twice or unknown", n, r+1, g)
				}
				busy[g.White], busy[g.Black] = true, true
				if g.Bye() {
					continue
				}
				met[Game{min(g.White, g.Black), max(g.White, g.Black)}]++
				whites[g.White]++
			}
			if len(busy) != n+1 {
				t.Errorf("%d players, round %d: %d have a place", n, r+1, len(busy)-1)
			}
		}
		if len(met) != n*(n-1)/2 {
			t.Errorf("%d players: %d pairs met, want all", n, len(met))
		}
		for p := 1; p <= n; p++ {
			if 2*whites[p] < n-2 || 2*whites[p] > n {
				t.Errorf("%d players: No. %d has White %d times", n, p, whites[p])
			}
		}
	}
}

// The sections of seven of the Golden Knights: six games, three with White.
func TestSevenPlayersHaveThreeWhitesEach(t *testing.T) {
	rounds, err := RoundRobin(7)
	if err != nil {
		t.Fatal(err)
	}
	whites := map[int]int{}
	for _, round := range rounds {
		for _, g := range round {
			if !g.Bye() {
				whites[g.White]++
			}
		}
	}
	for p := 1; p <= 7; p++ {
		if whites[p] != 3 {
			t.Errorf("No. %d has White %d times, want 3", p, whites[p])
		}
	}
}

func TestDoubleRoundRobin(t *testing.T) {
	two, err := DoubleRoundRobin(2, true)
	if err != nil || written(two) != "1-2\n2-1" {
		t.Errorf("two players: %q, %v", written(two), err)
	}
	four, err := DoubleRoundRobin(4, true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("1-4 2-3\n2-4 3-1\n4-3 1-2\n4-1 3-2\n3-4 2-1\n4-2 1-3", written(four)); diff != "" {
		t.Errorf("four players (-want +got):\n%s", diff)
	}
}

// What the swap of two rounds is for.
func TestSwappedRoundsGiveNobodyAColourThreeTimesRunning(t *testing.T) {
	threeRunning := func(n int, swap bool) bool {
		rounds, err := DoubleRoundRobin(n, swap)
		if err != nil {
			t.Fatal(err)
		}
		colours := make([]string, n+1)
		for _, round := range rounds {
			for _, g := range round {
				colours[g.White] += "w"
				colours[g.Black] += "b"
			}
		}
		return strings.Contains(strings.Join(colours, " "), "www") || strings.Contains(strings.Join(colours, " "), "bbb")
	}
	for n := 4; n <= 20; n += 2 {
		if !threeRunning(n, false) {
			t.Errorf("%d players: no colour three times even without the swap", n)
		}
		if threeRunning(n, true) {
			t.Errorf("%d players: a colour three times running in spite of the swap", n)
		}
	}
}

func TestNumbersThatMakeNoRoundRobin(t *testing.T) {
	for _, n := range []int{-1, 0, 1, MaxPlayers + 1} {
		_, single := RoundRobin(n)
		_, double := DoubleRoundRobin(n, false)
		_, bracket := NewBracket(n)
		for _, err := range []error{single, double, bracket} {
			if err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("got %d", n)) {
				t.Errorf("%d players: error %v", n, err)
			}
		}
	}
}
