package event

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	"boardd/rules/event/pairing"
)

// Round is what is played at the same time.
type Round struct {
	Number int
	// Start is by the clock on the venue's wall; the zero time when the event
	// gives none.
	Start time.Time
	Games []Game
}

// Game is a pairing at a board, which stands at a table.
type Game struct {
	Group        int // from 1; 0 when the stage has one group
	Board, Table int // 0 for a bye
	White, Black Seat
	Bye          bool // White has nobody to play with
}

// Seat is a place in a stage, and the player on it if that is known.
type Seat struct {
	Number int    // in the pairing table of the group, 0 when there is none
	Player int    // 0 when the place is still open
	From   string // how an open place is filled, as in "winner of match 2"
}

// groups are the players' numbers of each group of a stage; 0 is a place that
// is open. Play-offs have none.
func (e *Event) groups(st *Stage) [][]int {
	switch {
	case st.PlayOff:
		return nil
	case len(st.Groups) > 0:
		return st.Groups
	case !e.opens(st):
		return [][]int{make([]int, st.GroupSize)}
	}
	var all []int
	for _, p := range e.Players {
		if st.Section == "" || p.Section == st.Section {
			all = append(all, p.Number)
		}
	}
	if st.GroupSize == 0 {
		return [][]int{all}
	}
	return slices.Collect(slices.Chunk(all, st.GroupSize))
}

// opens tells whether a stage is the first for its players, so that all of them
// are in it.
func (e *Event) opens(st *Stage) bool {
	for i := range e.Stages {
		before := &e.Stages[i]
		if before.Name == st.Name {
			break
		}
		if before.Section == "" || st.Section == "" || before.Section == st.Section {
			return false
		}
	}
	return true
}

// Rounds is how many rounds a stage has; 0 when that depends on who is tied.
func (e *Event) Rounds(st *Stage) int {
	largest := 0
	for _, group := range e.groups(st) {
		largest = max(largest, len(group))
	}
	switch {
	case st.System == Swiss:
		return st.SwissLen
	case largest < 2:
		return 0
	case st.System == KnockOut:
		return bits.Len(uint(largest-1)) * st.Games
	case st.System == DoubleRoundRobin:
		return 2 * (largest - 1 + largest%2)
	}
	return largest - 1 + largest%2
}

// Pairings are the rounds of a stage. Those of a play-off come from
// [pairing.PlayOff] and are none here; those of a Swiss are what [Event.Import]
// was given.
func (e *Event) Pairings(st *Stage) ([]Round, error) {
	switch {
	case st.PlayOff:
		return nil, nil
	case st.System == Swiss:
		return slices.Clone(st.imported), nil
	}
	groups := e.groups(st)
	rounds := make([]Round, e.Rounds(st))
	for i := range rounds {
		rounds[i].Number = i + 1
		rounds[i].Start, _ = st.Start(i + 1)
	}
	for g, players := range groups {
		number := g + 1
		if len(groups) == 1 {
			number = 0
		}
		games, err := groupRounds(st, players)
		if err != nil {
			return nil, fmt.Errorf("stage %q: %w", st.Name, err)
		}
		for i, round := range games {
			for _, game := range round {
				game.Group = number
				rounds[i].Games = append(rounds[i].Games, game)
			}
		}
	}
	for i := range rounds {
		seatBoards(st, rounds[i].Games)
	}
	return rounds, nil
}

// seatBoards numbers the boards through all groups.
func seatBoards(st *Stage, games []Game) {
	board := 0
	for i := range games {
		if !games[i].Bye {
			board++
			games[i].Board, games[i].Table = board, st.Table(board)
		}
	}
}

func groupRounds(st *Stage, players []int) ([][]Game, error) {
	var rounds []pairing.Round
	var err error
	switch st.System {
	case KnockOut:
		return knockOutRounds(st, players)
	case DoubleRoundRobin:
		rounds, err = pairing.DoubleRoundRobin(len(players), st.SwapLast)
	case RoundRobin, SuddenDeath, Swiss:
		rounds, err = pairing.RoundRobin(len(players))
	}
	games := make([][]Game, len(rounds))
	for i, round := range rounds {
		for _, g := range round {
			game := Game{White: seat(players, g.White), Bye: g.Bye()}
			if !g.Bye() {
				game.Black = seat(players, g.Black)
			}
			games[i] = append(games[i], game)
		}
	}
	return games, err
}

func seat(players []int, number int) Seat { return Seat{Number: number, Player: players[number-1]} }

// knockOutRounds has the matches of the first round with their players; of the
// later ones it is known only whose winner will be there.
func knockOutRounds(st *Stage, players []int) ([][]Game, error) {
	bracket, err := pairing.NewBracket(len(players))
	if err != nil {
		return nil, err
	}
	var rounds [][]Game
	match, firstBefore := 0, 0 // matches are numbered through
	for r, matches := range bracket.Rounds() {
		first := match
		played := make([][]Game, st.Games)
		for i, m := range matches {
			match++
			high, low := place(players, m.High, firstBefore+2*i+1), place(players, m.Low, firstBefore+2*i+2)
			if m.Bye {
				if r == 0 {
					played[0] = append(played[0], Game{White: high, Bye: true})
				}
				continue
			}
			for g, round := range pairing.MatchGames(i+1, st.Games) {
				game := Game{White: high, Black: low}
				if round[0].White == 2 {
					game.White, game.Black = low, high
				}
				played[g] = append(played[g], game)
			}
		}
		rounds, firstBefore = append(rounds, played...), first
	}
	return rounds, nil
}

func place(players []int, seed, match int) Seat {
	if seed == 0 {
		return Seat{From: fmt.Sprintf("winner of match %d", match)}
	}
	return seat(players, seed)
}
