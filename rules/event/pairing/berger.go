package pairing

import (
	"fmt"
	"slices"
)

// Game is one pairing by numbers in a table, from 1. Black is 0 when White has
// a bye.
type Game struct{ White, Black int }

// Bye tells whether White has nobody to play with.
func (g Game) Bye() bool { return g.Black == 0 }

// Round is what is played at the same time, by board.
type Round []Game

// MaxPlayers of one round robin is more than anybody plays.
const MaxPlayers = 200

// RoundRobin is the Berger table for n players (fact sheet 5.1). With an odd
// number somebody has a bye in each round; it is the last entry.
func RoundRobin(n int) ([]Round, error) {
	if n < 2 || n > MaxPlayers {
		return nil, fmt.Errorf("expected 2 to %d players for a round robin, got %d", MaxPlayers, n)
	}
	even := n + n%2 // the player that an odd number lacks is the last
	rounds := make([]Round, even-1)
	for r := range rounds {
		rounds[r] = bergerRound(r, even)
		if even > n {
			rounds[r] = withBye(rounds[r], even)
		}
	}
	return rounds, nil
}

// bergerRound is round r, from 0, for an even number of players.
func bergerRound(r, n int) Round {
	first := r * (n / 2) % (n - 1)
	on := func(step int) int { return (first+step+n-1)%(n-1) + 1 }
	round := Round{{White: on(0), Black: n}}
	if r%2 == 1 {
		round[0] = Game{White: n, Black: on(0)}
	}
	for k := 1; k < n/2; k++ {
		round = append(round, Game{White: on(k), Black: on(-k)})
	}
	return round
}

func withBye(round Round, absent int) Round {
	first := round[0]
	idle := first.White + first.Black - absent
	return append(slices.Clone(round[1:]), Game{White: idle})
}

// DoubleRoundRobin is the Berger table twice, the second time with the colours
// reversed. When swap is set the last two rounds of the first cycle change
// places, as is often advised, so that nobody has one colour three times running.
func DoubleRoundRobin(n int, swap bool) ([]Round, error) {
	rounds, err := RoundRobin(n)
	if err != nil {
		return nil, err
	}
	second := Reversed(rounds)
	if last := len(rounds) - 1; swap && last > 0 {
		rounds[last-1], rounds[last] = rounds[last], rounds[last-1]
	}
	return append(rounds, second...), nil
}

// Reversed has the same pairings with the other colours, for a repeat between
// the same players. A bye stays one.
func Reversed(rounds []Round) []Round {
	reversed := make([]Round, len(rounds))
	for i, round := range rounds {
		for _, g := range round {
			if !g.Bye() {
				g.White, g.Black = g.Black, g.White
			}
			reversed[i] = append(reversed[i], g)
		}
	}
	return reversed
}
