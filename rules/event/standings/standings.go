// Package standings orders the players of a tournament by points and tie-breaks.
// It knows results only: who played whom with which colour and what came of it. How
// rounds are paired and files are read is for others.
//
// Numbers are exact: a Value counts quarters of a point, since half a point of half a
// point is the smallest there is.
package standings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Outcome is what a round brought a player.
type Outcome uint8

// The outcomes. What is not played counts in points only.
const (
	Absent      Outcome = iota // no game and no point, nothing said
	Win                        // over the board
	Draw                       // over the board
	Loss                       // over the board
	ForfeitWin                 // the opponent did not come
	ForfeitLoss                // he did not come; both may
	FullBye                    // a point without a game
	HalfBye                    // half a point without a game, by request
	ZeroBye                    // no point, by request
)

// Played reports whether moves were made.
func (o Outcome) Played() bool { return o == Win || o == Draw || o == Loss }

// Points is what the outcome is worth.
func (o Outcome) Points() Value {
	switch o {
	case Win, ForfeitWin, FullBye:
		return Point
	case Draw, HalfBye:
		return Point / 2
	case Absent, Loss, ForfeitLoss, ZeroBye:
	}
	return 0
}

// Value is a number of quarter points.
type Value int

// Point is one point.
const Point Value = 4

// String writes "3", "2.5" or "7.25".
func (v Value) String() string {
	text := strconv.FormatFloat(float64(v)/float64(Point), 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Round is one round of one player.
type Round struct {
	Opponent int  // his number, 0 for none
	Black    bool // he had Black
	Outcome  Outcome
}

// Player is one row of the crosstable. Rounds may be shorter than the tournament.
type Player struct {
	Number int // from 1, each once
	Rounds []Round
}

// Table is a crosstable.
type Table struct {
	players []Player
	index   map[int]int
	rounds  int // that have been played
	points  []Value
}

// New checks a crosstable: each opponent is in it, and saw the same game from the
// other side. The error names player and round.
func New(players []Player) (*Table, error) {
	t := &Table{players: players, index: map[int]int{}, points: make([]Value, len(players))}
	for i, p := range players {
		if _, twice := t.index[p.Number]; twice || p.Number < 1 {
			return nil, fmt.Errorf("expected numbers from 1, each once, got player %d", p.Number)
		}
		t.index[p.Number] = i
		t.rounds = max(t.rounds, len(p.Rounds))
	}
	for i, p := range players {
		for n, r := range p.Rounds {
			if err := t.check(p, n, r); err != nil {
				return nil, fmt.Errorf("player %d, round %d: %w", p.Number, n+1, err)
			}
			t.points[i] += r.Outcome.Points()
		}
	}
	return t, nil
}

var answers = map[Outcome][]Outcome{
	Win: {Loss}, Draw: {Draw}, Loss: {Win}, ForfeitWin: {ForfeitLoss}, ForfeitLoss: {ForfeitWin, ForfeitLoss},
}

func (t *Table) check(p Player, n int, r Round) error {
	if r.Opponent == 0 {
		if r.Outcome.Played() {
			return fmt.Errorf("expected an opponent of a game that was played, got none")
		}
		return nil
	}
	i, known := t.index[r.Opponent]
	if !known || r.Opponent == p.Number {
		return fmt.Errorf("expected another player of the table as opponent, got %d", r.Opponent)
	}
	if n >= len(t.players[i].Rounds) || t.players[i].Rounds[n].Opponent != p.Number {
		return fmt.Errorf("expected that player %d has player %d as opponent too, he has not", r.Opponent, p.Number)
	}
	other := t.players[i].Rounds[n]
	if want := answers[r.Outcome]; want != nil && !slices.Contains(want, other.Outcome) {
		return fmt.Errorf("expected the result to agree with that of player %d, it does not", r.Opponent)
	}
	if r.Outcome.Played() && r.Black == other.Black {
		return fmt.Errorf("expected one White and one Black, got two of a colour against player %d", r.Opponent)
	}
	return nil
}

// Annul takes out the games of a player who has withdrawn, unless he has played so many
// that his results stand; it reports whether it did. His own points go too.
func (t *Table) Annul(number, stand int) bool {
	i, known := t.index[number]
	if !known {
		return false
	}
	played := 0
	for _, r := range t.players[i].Rounds {
		if r.Outcome.Played() {
			played++
		}
	}
	if played >= stand {
		return false
	}
	for k := range t.players {
		p := &t.players[k]
		p.Rounds = slices.Clone(p.Rounds)
		for n, r := range p.Rounds {
			if k == i || r.Opponent == number {
				t.points[k] -= r.Outcome.Points()
				p.Rounds[n] = Round{}
			}
		}
	}
	return true
}

// Row is a player's place.
type Row struct {
	Rank   int // players who are equal in everything share one
	Number int
	Points Value
	Ties   []Value // by the rules asked for, in their order
}

// Standings are all players in order, by points and then by the rules given.
func (t *Table) Standings(rules []Rule) []Row {
	rows := make([]Row, len(t.players))
	for i, p := range t.players {
		rows[i] = Row{Number: p.Number, Points: t.points[i], Ties: make([]Value, len(rules))}
	}
	order := func(a, b Row, upTo int) int {
		if d := b.Points - a.Points; d != 0 {
			return int(d)
		}
		for k := range upTo {
			if d := b.Ties[k] - a.Ties[k]; d != 0 {
				return int(d)
			}
		}
		return 0
	}
	for k, rule := range rules {
		// What players have done against one another counts among those who are still tied.
		slices.SortStableFunc(rows, func(a, b Row) int { return order(a, b, k) })
		for from := 0; from < len(rows); {
			to := from + 1
			for to < len(rows) && order(rows[from], rows[to], k) == 0 {
				to++
			}
			group := make([]int, 0, to-from)
			for _, r := range rows[from:to] {
				group = append(group, r.Number)
			}
			for n := from; n < to; n++ {
				rows[n].Ties[k] = rule.value(t, t.index[rows[n].Number], group)
			}
			from = to
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if d := order(a, b, len(rules)); d != 0 {
			return d
		}
		return a.Number - b.Number
	})
	for n := range rows {
		rows[n].Rank = n + 1
		if n > 0 && order(rows[n-1], rows[n], len(rules)) == 0 {
			rows[n].Rank = rows[n-1].Rank
		}
	}
	return rows
}
