package event

import (
	"fmt"
	"slices"
)

// Import gives a Swiss stage the rounds that a pairing program has made: each
// game with its board, or a bye, and the players' numbers. Starts and tables are
// the event's. What was imported before is replaced; a fault leaves it as it was.
func (e *Event) Import(stage string, rounds []Round) error {
	st, ok := e.Stage(stage)
	if !ok {
		return fmt.Errorf("expected the name of a stage, got %q", stage)
	}
	if st.System != Swiss {
		return fmt.Errorf("stage %q: expected a swiss, whose pairings are imported, got a %v", stage, st.System)
	}
	imported := make([]Round, 0, len(rounds))
	for i, round := range rounds {
		if round.Number < 1 || round.Number > st.SwissLen || i > 0 && round.Number <= rounds[i-1].Number {
			return fmt.Errorf("stage %q: expected rounds 1 to %d in order, got round %d", stage, st.SwissLen, round.Number)
		}
		games, err := e.imported(st, round.Games)
		if err != nil {
			return fmt.Errorf("stage %q, round %d: %w", stage, round.Number, err)
		}
		start, _ := st.Start(round.Number)
		imported = append(imported, Round{Number: round.Number, Start: start, Games: games})
	}
	st.imported = imported
	return nil
}

// imported checks the games of one round and puts them to their tables.
func (e *Event) imported(st *Stage, games []Game) ([]Game, error) {
	games = slices.Clone(games)
	players, boards := map[int]bool{}, map[int]bool{}
	for i := range games {
		g := &games[i]
		seats := []Seat{g.White}
		if !g.Bye {
			seats = append(seats, g.Black)
			if g.Board < 1 || g.Board > maxNumber || boards[g.Board] {
				return nil, fmt.Errorf("expected a board of its own for each game, got board %d for player %d", g.Board, g.White.Player)
			}
			boards[g.Board] = true
			g.Table = st.Table(g.Board)
		}
		for _, s := range seats {
			p, ok := e.Player(s.Player)
			if !ok || st.Section != "" && p.Section != st.Section {
				return nil, fmt.Errorf("expected the number of a player of the stage, got %d", s.Player)
			}
			if players[s.Player] {
				return nil, fmt.Errorf("expected each player once, got %d %s again", s.Player, p.Name)
			}
			players[s.Player] = true
		}
	}
	slices.SortStableFunc(games, func(a, b Game) int { return boardOrder(a) - boardOrder(b) })
	return games, nil
}

// boardOrder has the byes last.
func boardOrder(g Game) int {
	if g.Bye {
		return maxNumber + 1
	}
	return g.Board
}
