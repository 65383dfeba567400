package standings

import (
	"fmt"
	"slices"
	"strings"
)

// Rule is a way to tell players apart who have the same points.
type Rule struct {
	name  string
	value func(t *Table, player int, tied []int) Value
}

// String is the rule's stable name.
func (r Rule) String() string { return r.name }

// The rules (fact sheet on laws and time controls 5.2, 5.3).
var all = []Rule{
	{"modified-median", modifiedMedian},
	{"solkoff", func(t *Table, i int, _ []int) Value { return sum(t.adjustedOpponents(i)) }},
	{"cumulative", func(t *Table, i int, _ []int) Value { return t.cumulative(i) }},
	{"cumulative-of-opposition", cumulativeOfOpposition},
	{"buchholz", buchholz(0, 0)},
	{"buchholz-cut-1", buchholz(1, 0)},
	{"buchholz-cut-2", buchholz(2, 0)},
	{"buchholz-median-1", buchholz(1, 1)},
	{"buchholz-median-2", buchholz(2, 2)},
	{"sonneborn-berger", sonnebornBerger},
	{"progress", func(t *Table, i int, _ []int) Value { return t.running(i) }},
	{"direct-encounter", directEncounter},
	{"wins", wins},
	{"most-blacks", mostBlacks},
}

// Names are those of all rules.
func Names() []string {
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.name
	}
	return names
}

// Parse finds a rule by its name.
func Parse(name string) (Rule, error) {
	i := slices.IndexFunc(all, func(r Rule) bool { return r.name == name })
	if i < 0 {
		return Rule{}, fmt.Errorf("expected one of %s, got %q", strings.Join(Names(), ", "), name)
	}
	return all[i], nil
}

func sum(values []Value) (total Value) {
	for _, v := range values {
		total += v
	}
	return total
}

// cut leaves out so many of the lowest and of the highest.
func cut(values []Value, lowest, highest int) []Value {
	values = slices.Sorted(slices.Values(values))
	lowest = min(lowest, len(values))
	highest = min(highest, len(values)-lowest)
	return values[lowest : len(values)-highest]
}

// round is round n (from 0) of a player; a row that is too short is absent.
func (t *Table) round(player, n int) Round {
	if r := t.players[player].Rounds; n < len(r) {
		return r[n]
	}
	return Round{}
}

// adjusted is the score of an opponent as US Chess counts it: each game he did not
// play is worth half a point (fact sheet 5.2).
func (t *Table) adjusted(player int) (v Value) {
	for n := range t.rounds {
		if r := t.round(player, n); r.Outcome.Played() {
			v += r.Outcome.Points()
		} else {
			v += Point / 2
		}
	}
	return v
}

// adjustedOpponents are those scores of all opponents; a round the player did not play
// counts as an opponent without a point.
func (t *Table) adjustedOpponents(player int) []Value {
	list := make([]Value, t.rounds)
	for n := range list {
		if r := t.round(player, n); r.Outcome.Played() {
			list[n] = t.adjusted(t.index[r.Opponent])
		}
	}
	return list
}

// modifiedMedian leaves out the lowest opponent of a player with more than half of the
// points, the highest of one with less, both of one with half; two instead of one in
// nine rounds and more.
func modifiedMedian(t *Table, i int, _ []int) Value {
	n := 1
	if t.rounds >= 9 {
		n = 2
	}
	half := Value(t.rounds) * Point / 2
	switch scores := t.adjustedOpponents(i); {
	case t.points[i] > half:
		return sum(cut(scores, n, 0))
	case t.points[i] < half:
		return sum(cut(scores, 0, n))
	default:
		return sum(cut(scores, n, n))
	}
}

// running sums the score after each round (FIDE: progressive score).
func (t *Table) running(player int) (total Value) {
	score := Value(0)
	for n := range t.rounds {
		score += t.round(player, n).Outcome.Points()
		total += score
	}
	return total
}

// cumulative is the same less a point for each point that was won without a game (US
// Chess).
func (t *Table) cumulative(player int) Value {
	total := t.running(player)
	for _, r := range t.players[player].Rounds {
		if r.Outcome == FullBye || r.Outcome == ForfeitWin {
			total -= Point
		}
	}
	return total
}

func cumulativeOfOpposition(t *Table, i int, _ []int) (total Value) {
	for _, r := range t.players[i].Rounds {
		if r.Outcome.Played() {
			total += t.cumulative(t.index[r.Opponent])
		}
	}
	return total
}

// buchholz sums the opponents' points; for a round without a game a dummy with the
// player's own points stands in (FIDE C.07 of 2023 and 2024; how an opponent's own
// unplayed rounds are adjusted there is not taken over).
func buchholz(lowest, highest int) func(*Table, int, []int) Value {
	return func(t *Table, i int, _ []int) Value {
		scores := make([]Value, t.rounds)
		for n := range scores {
			scores[n] = t.points[i]
			if r := t.round(i, n); r.Outcome.Played() {
				scores[n] = t.points[t.index[r.Opponent]]
			}
		}
		return sum(cut(scores, lowest, highest))
	}
}

// sonnebornBerger sums the points of beaten opponents and half of those drawn with.
func sonnebornBerger(t *Table, i int, _ []int) (total Value) {
	for _, r := range t.players[i].Rounds {
		switch r.Outcome {
		case Win:
			total += t.points[t.index[r.Opponent]]
		case Draw:
			total += t.points[t.index[r.Opponent]] / 2
		case Absent, Loss, ForfeitWin, ForfeitLoss, FullBye, HalfBye, ZeroBye:
		}
	}
	return total
}

// directEncounter is the score among those who are tied, if all of them have met.
func directEncounter(t *Table, i int, tied []int) (total Value) {
	score := func(player int) (v Value, met int) {
		seen := map[int]bool{}
		for _, r := range t.players[player].Rounds {
			if r.Outcome.Played() && slices.Contains(tied, r.Opponent) {
				v += r.Outcome.Points()
				seen[r.Opponent] = true
			}
		}
		return v, len(seen)
	}
	for _, number := range tied {
		if _, met := score(t.index[number]); met != len(tied)-1 {
			return 0
		}
	}
	total, _ = score(i)
	return total
}

// wins counts games won, those by forfeit too.
func wins(t *Table, i int, _ []int) (n Value) {
	for _, r := range t.players[i].Rounds {
		if r.Outcome == Win || r.Outcome == ForfeitWin {
			n += Point
		}
	}
	return n
}

// mostBlacks counts games played with Black.
func mostBlacks(t *Table, i int, _ []int) (n Value) {
	for _, r := range t.players[i].Rounds {
		if r.Outcome.Played() && r.Black {
			n += Point
		}
	}
	return n
}
