package opening

import (
	"strings"

	eco "github.com/notnil/chess/opening"
)

// line is one named line of moves in UCI.
type line struct {
	eco, name string
	moves     []string
}

// lines are all named lines. This file alone knows where they come from: the
// table of lichess-org/chess-openings (CC0) as github.com/notnil/chess carries it.
func lines() []line {
	var all []line
	for _, o := range eco.NewBookECO().Possible(nil) {
		l := line{eco: o.Code(), name: o.Title()}
		for _, word := range strings.Fields(o.PGN()) { // "1.e2e4 e7e5 2.g1f3"
			_, move, numbered := strings.Cut(word, ".")
			if !numbered {
				move = word
			}
			if move != "" {
				l.moves = append(l.moves, move)
			}
		}
		all = append(all, l)
	}
	return all
}
