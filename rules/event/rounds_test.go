package event

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withPlayers is an event of so many players with a stage.
func withPlayers(t *testing.T, n int, stage string) *Event {
	t.Helper()
	var b strings.Builder
	b.WriteString("name = \"x\"\n")
	for i := range n {
		fmt.Fprintf(&b, "[[player]]\nname = \"p%d\"\n", i+1)
	}
	b.WriteString("[[stage]]\nname = \"s\"\ntime = \"5+3\"\n" + stage)
	e, err := Read("event.toml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestKnockOutOfThreeRounds(t *testing.T) {
	e := withPlayers(t, 6, "system = \"knock-out\"\ngames = 2\n")
	var got []string
	for _, round := range pairings(t, e, "s") {
		var games []string
		for _, g := range round.Games {
			games = append(games, fmt.Sprintf("%s-%s", name(g.White), name(g.Black)))
		}
		got = append(got, strings.Join(games, " "))
	}
	want := []string{
		"p1-bye p5-p4 p2-bye p6-p3", // matches 1 to 4; the first two have byes
		"p4-p5 p3-p6",
		"p1-m2 m4-p2",
		"m2-p1 p2-m4",
		"m5-m6",
		"m6-m5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e.Rounds(&e.Stages[0]) != 6 {
		t.Errorf("%d rounds, want 6", e.Rounds(&e.Stages[0]))
	}
}

func name(s Seat) string {
	switch {
	case s.From != "":
		return strings.Replace(s.From, "winner of match ", "m", 1)
	case s.Player == 0:
		return "bye"
	}
	return fmt.Sprintf("p%d", s.Player)
}

func TestDoubleRoundRobinWithSwappedRounds(t *testing.T) {
	e := withPlayers(t, 4, "system = \"double round robin\"\nswap-last-rounds = true\n")
	var got []string
	for _, round := range pairings(t, e, "s") {
		got = append(got, numbers(round))
	}
	want := []string{"1-4 2-3", "2-4 3-1", "4-3 1-2", "4-1 3-2", "3-4 2-1", "4-2 1-3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Boards are numbered through the groups; a table is where the event says, and
// else has the board's number.
func TestBoardsStandAtTables(t *testing.T) {
	e := withPlayers(t, 6, "system = \"round robin\"\ngroup-size = 3\ntables = [11]\n")
	games := pairings(t, e, "s")[0].Games
	var got []string
	for _, g := range games {
		got = append(got, fmt.Sprintf("group %d board %d table %d", g.Group, g.Board, g.Table))
	}
	want := []string{"group 1 board 1 table 11", "group 1 board 0 table 0", "group 2 board 2 table 2", "group 2 board 0 table 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNumbersFollowTheFileOrAreGiven(t *testing.T) {
	e, err := Read("event.toml", []byte(`name = "x"
[[player]]
name = "third"
number = 3
[[player]]
name = "second"
[[player]]
name = "first"
number = 1
[[stage]]
name = "s"
system = "round robin"
time = "5+3"
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"first", "second", "third"} {
		if p, ok := e.Player(i + 1); !ok || p.Name != want || p.Number != i+1 {
			t.Errorf("No. %d is %+v", i+1, p)
		}
	}
	if _, ok := e.Player(4); ok {
		t.Error("there is a No. 4")
	}
}

func TestEachSectionHasItsOwnOpeningStage(t *testing.T) {
	e, err := Read("event.toml", []byte(right))
	if err != nil {
		t.Fatal(err)
	}
	if got := numbers(pairings(t, e, "League")[0]); got != "1-2" {
		t.Errorf("League: %s", got)
	}
	if got := numbers(pairings(t, e, "Cup")[0]); got != "3-4" {
		t.Errorf("Cup: %s", got)
	}
}
