// Package opening names the opening of a game. It is not an opening book: it
// gives the ECO code and the name of the last position of the game that has one,
// by whatever order of moves it was reached.
package opening

import (
	"sync"

	"boardd/rules"
)

// Opening is a named position of opening theory.
type Opening struct {
	ECO  string // code A00 to E99
	Name string // English name, "Sicilian Defense: Najdorf Variation"
	Ply  int    // the ply of the game at which it stood
}

// named is an opening by its position; plies is the length of the line that defines it.
type named struct {
	eco, name string
	plies     int
}

// byKey is made at the first question, so that programs which never ask pay nothing.
var byKey = sync.OnceValue(func() map[uint64]named {
	book := make(map[uint64]named, 4096)
	for _, l := range lines() {
		position := rules.Start()
		for _, text := range l.moves {
			m, err := position.ParseUCI(text)
			if err != nil {
				position = rules.Position{}
				break
			}
			position = position.Play(m)
		}
		if position == (rules.Position{}) {
			continue // a line that is no game names nothing
		}
		n := named{l.eco, l.name, len(l.moves)}
		if old, ok := book[position.Key()]; !ok || n.plies < old.plies || n.plies == old.plies && n.eco+n.name < old.eco+old.name {
			book[position.Key()] = n
		}
	}
	return book
})

// Load prepares the names, about half a second of work on a PC and several on a
// Raspberry Pi. The first call of Of does it otherwise; a daemon does it aside.
func Load() { byKey() }

// maxPly is as far as any named line goes, with room for transpositions.
const maxPly = 60

// Of is the opening of a game that began from the usual position; ok is false when it has no name.
func Of(g *rules.Game) (o Opening, ok bool) {
	if *g.Start() != rules.Start() {
		return Opening{}, false
	}
	book := byKey()
	for ply := min(g.Len(), maxPly); ply > 0; ply-- {
		if n, ok := book[g.PositionAt(ply).Key()]; ok {
			return Opening{n.eco, n.name, ply}, true
		}
	}
	return Opening{}, false
}
