package pairing

import "fmt"

// Bracket is a knock-out: who wins stays. Players are known by seed, from 1; the
// best meet as late as possible, and have the byes when their number is no power
// of two.
type Bracket struct {
	rounds [][]Match
}

// Match is a pair of a knock-out. A zero seed is a place whose player is not
// known yet or, if Bye, nobody.
type Match struct {
	High, Low int // seeds; High is the upper place in the bracket
	Bye       bool
	Winner    int // 0 until it is known
}

// NewBracket makes the bracket of n players.
func NewBracket(n int) (*Bracket, error) {
	if n < 2 || n > MaxPlayers {
		return nil, fmt.Errorf("expected 2 to %d players for a knock-out, got %d", MaxPlayers, n)
	}
	places := []int{1} // seeds in bracket order, doubled until all fit
	for len(places) < n {
		next := make([]int, 0, 2*len(places))
		for _, seed := range places {
			next = append(next, seed, 2*len(places)+1-seed)
		}
		places = next
	}
	b := &Bracket{}
	for size := len(places) / 2; size > 0; size /= 2 {
		b.rounds = append(b.rounds, make([]Match, size))
	}
	for i := range b.rounds[0] {
		m := Match{High: places[2*i], Low: places[2*i+1]}
		if m.Low > n {
			m = Match{High: m.High, Bye: true}
		}
		b.rounds[0][i] = m
		if m.Bye {
			b.advance(0, i, m.High)
		}
	}
	return b, nil
}

// Rounds are all matches, the final last.
func (b *Bracket) Rounds() [][]Match {
	rounds := make([][]Match, len(b.rounds))
	for i, round := range b.rounds {
		rounds[i] = append([]Match(nil), round...)
	}
	return rounds
}

// Win records that a player has won the match that he has to play now.
func (b *Bracket) Win(seed int) error {
	for r, round := range b.rounds {
		for i, m := range round {
			if m.Winner != 0 || seed == 0 || m.High != seed && m.Low != seed {
				continue
			}
			if m.High == 0 || m.Low == 0 {
				return fmt.Errorf("expected the winner of a match that can be played, got %d, who has no opponent yet", seed)
			}
			b.advance(r, i, seed)
			return nil
		}
	}
	return fmt.Errorf("expected the winner of an open match, got %d", seed)
}

// Champion is the winner of the final, or 0.
func (b *Bracket) Champion() int { return b.rounds[len(b.rounds)-1][0].Winner }

func (b *Bracket) advance(round, match, seed int) {
	b.rounds[round][match].Winner = seed
	if round+1 == len(b.rounds) {
		return
	}
	next := &b.rounds[round+1][match/2]
	if match%2 == 0 {
		next.High = seed
	} else {
		next.Low = seed
	}
}

// MatchGames are the games of a match between No. 1 and No. 2; the colours
// alternate, and No. 1 begins with White in odd matches, with Black in even ones.
func MatchGames(match, games int) []Round {
	rounds := make([]Round, games)
	for i := range rounds {
		g := Game{White: 1, Black: 2}
		if (match+i)%2 == 0 {
			g = Game{White: 2, Black: 1}
		}
		rounds[i] = Round{g}
	}
	return rounds
}
