package venue_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardd/broadcast"
	"boardd/rules"
)

// truth is what really happened in a simulated session. Times are session ms.
type truth struct {
	File, Profile, FEN string
	UCI                []string
	Outages            [][2]float64 // from loss to return
	Settled            float64      `json:"settled_ms"` // the game is over and nothing has been moved yet
	Plies              []truePly
	Illegal            *struct {
		Shown float64  `json:"shown_ms"`
		Press float64  `json:"press_ms"`
		Back  *float64 `json:"back_ms"` // put right and the clock running again; nil if it stood
	}
	Segment2 *struct{ UCI []string } // what was played on an illegal move that stood
}

type truePly struct {
	Rest  *float64 `json:"rest_ms"`
	Press *float64 `json:"press_ms"`
	Clock *float64 `json:"clock_s"`
	Flags []string
}

// visible reports whether the board showed every ply.
func (g *truth) visible() bool {
	return !slices.ContainsFunc(g.Plies, func(p truePly) bool { return slices.Contains(p.Flags, "never_visible") })
}

func readTruth(t testing.TB, folder string) (games []truth) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var g truth
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

// answer is a tracker's account of a session.
type answer struct {
	plies   []answerPly
	changes []broadcast.Change // nil for a tracker that only gives the game
}

type answerPly struct {
	uci     string
	at      float64 // first published, session ms
	clockMS *int64
}

// answerOf is the account of a table.
func answerOf(s *played) answer {
	a := answer{changes: s.changes}
	for _, g := range s.record {
		for i, p := range g.Plies() {
			ply := answerPly{uci: g.PositionAt(i).UCI(p.Move), at: float64(p.At.Milliseconds())}
			if p.HasClock {
				ply.clockMS = broadcast.MS(p.Clock)
			}
			a.plies = append(a.plies, ply)
		}
	}
	return a
}

// figures are what a profile's games came to; counts are of games unless they say otherwise.
type figures struct {
	games, exact            int
	visible, visibleExact   int // games whose every ply the board showed
	upToOrder               int // exact but for the order of plies inside a gap
	last                    int // last position right
	plies, revised          int // plies
	clocks, clocksRight     int // plies with a known clock
	falseIllegal, falseSlip int // alerts move.illegal and board.position_mismatch nothing explains
	illegal, caught         int // injected illegal moves, alerted within 2 s of the press
	stood, followed         int // illegal moves that stood, with all that followed right
	fromRest, fromPress     []float64
	wrong                   []string // files of games not exact
}

func (f *figures) score(g *truth, a answer) {
	got := make([]string, len(a.plies))
	for i, p := range a.plies {
		got[i] = p.uci
	}
	f.games++
	f.plies += len(g.UCI)
	if g.Segment2 != nil {
		f.stood++
		rest := got[min(len(got), len(g.UCI)):]
		if slices.Equal(rest, g.Segment2.UCI) || len(rest) > 0 && slices.Equal(rest[1:], g.Segment2.UCI) {
			f.followed++
		}
		got = got[:min(len(got), len(g.UCI))]
	}
	exact := slices.Equal(got, g.UCI)
	count(&f.exact, exact)
	if g.visible() {
		f.visible++
		count(&f.visibleExact, exact)
	}
	near := exact || g.upToOrder(got)
	count(&f.upToOrder, near)
	want, ok := lastPosition(g.FEN, g.UCI)
	have, read := lastPosition(g.FEN, got)
	count(&f.last, ok && read && samePlace(want, have))
	if !exact {
		f.wrong = append(f.wrong, g.File)
	}
	for _, m := range aligned(g.UCI, got) {
		p, ply := g.Plies[m[0]], a.plies[m[1]]
		if p.Rest != nil {
			f.fromRest = append(f.fromRest, ply.at-*p.Rest)
		}
		if p.Press != nil {
			f.fromPress = append(f.fromPress, ply.at-*p.Press)
		}
		if p.Clock != nil {
			f.clocks++
			count(&f.clocksRight, ply.clockMS != nil && within(float64(*ply.clockMS)/1000, *p.Clock, 1))
		}
	}
	f.revised += revised(a.changes)
	f.alerts(g, a.changes)
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

func within(a, b, tolerance float64) bool { return a-b <= tolerance && b-a <= tolerance }

// alerts counts what an injected illegal move explains apart from false alarms.
func (f *figures) alerts(g *truth, changes []broadcast.Change) {
	caught := false
	for _, c := range changes {
		if c.Type != broadcast.TypeAlert || c.Code != "move.illegal" && c.Code != "board.position_mismatch" {
			continue
		}
		at := float64(c.AtMS)
		if x := g.Illegal; x != nil && at >= x.Shown-500 && (x.Back == nil || at <= *x.Back+2000) {
			caught = caught || c.Code == "move.illegal" && at <= x.Press+2000
			continue
		}
		count(&f.falseIllegal, c.Code == "move.illegal")
		count(&f.falseSlip, c.Code != "move.illegal")
	}
	if g.Illegal != nil {
		f.illegal++
		count(&f.caught, caught)
	}
}

// upToOrder reports whether got has the right plies but for their order inside
// each gap, and the right position after each gap. A gap holds what came to
// rest from 0.3 s before the loss until the link was back.
func (g *truth) upToOrder(got []string) bool {
	if len(got) != len(g.UCI) {
		return false
	}
	gaps := make([][]int, len(g.Outages))
	for i, p := range g.Plies {
		k := slices.IndexFunc(g.Outages, func(o [2]float64) bool { return p.Rest != nil && o[0]-300 <= *p.Rest && *p.Rest < o[1] })
		if k >= 0 {
			gaps[k] = append(gaps[k], i)
		} else if got[i] != g.UCI[i] {
			return false
		}
	}
	for _, gap := range gaps {
		if len(gap) == 0 {
			continue
		}
		var a, b []string
		for _, i := range gap {
			a, b = append(a, got[i]), append(b, g.UCI[i])
		}
		slices.Sort(a)
		slices.Sort(b)
		end := gap[len(gap)-1] + 1
		have, read := lastPosition(g.FEN, got[:end])
		want, ok := lastPosition(g.FEN, g.UCI[:end])
		if !slices.Equal(a, b) || !read || !ok || !samePlace(have, want) {
			return false
		}
	}
	return true
}

// lastPosition is the position after the moves; ok is false when one cannot be played.
func lastPosition(fen string, moves []string) (p rules.Position, ok bool) {
	p, err := rules.ParseFEN(fen)
	for _, u := range moves {
		if err != nil {
			break
		}
		var m rules.Move
		if m, err = p.ParseUCI(u); err == nil {
			p = p.Play(m)
		}
	}
	return p, err == nil
}

// samePlace compares men and side to move.
func samePlace(a, b rules.Position) bool { return *a.Board() == *b.Board() && a.Turn() == b.Turn() }

// aligned pairs the equal plies of an alignment with the least edits.
func aligned(a, b []string) (pairs [][2]int) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		pairs = append(pairs, [2]int{n, n})
		n++
	}
	x, y := a[n:], b[n:]
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		for j := range rows[i] {
			switch {
			case i == 0:
				rows[i][j] = j
			case j == 0:
				rows[i][j] = i
			default:
				change := rows[i-1][j-1]
				count(&change, x[i-1] != y[j-1])
				rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			}
		}
	}
	for i, j := len(x), len(y); i > 0 && j > 0; {
		switch here := rows[i][j]; {
		case x[i-1] == y[j-1] && here == rows[i-1][j-1]:
			pairs = append(pairs, [2]int{n + i - 1, n + j - 1})
			i, j = i-1, j-1
		case here == rows[i-1][j-1]+1:
			i, j = i-1, j-1
		case here == rows[i-1][j]+1:
			i--
		default:
			j--
		}
	}
	return pairs
}

// revised counts plies that had been published and were then changed or withdrawn.
func revised(changes []broadcast.Change) (n int) {
	var published []string
	for _, c := range changes {
		var now []string
		switch c.Type {
		case broadcast.TypeMove:
			now = []string{c.UCI}
		case broadcast.TypeReplace:
			for _, m := range c.Moves {
				now = append(now, m.UCI)
			}
		case broadcast.TypeRetract:
		default:
			continue
		}
		k := min(max(0, c.Ply-1), len(published))
		if c.Type != broadcast.TypeMove {
			for i, u := range published[k:] {
				count(&n, i >= len(now) || now[i] != u)
			}
		}
		published = append(published[:k], now...)
	}
	return n
}

// median of what was counted, 0 of nothing.
func median(v []float64) float64 { return quantile(v, 0.5) }

func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[min(int(float64(len(v))*q), len(v)-1)]
}

// share is a part in percent, 100 of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

// The scorer itself: what it says must not depend on luck.
func TestScore(t *testing.T) {
	rest := func(ms float64) truePly { return truePly{Rest: &ms} }
	g := &truth{
		FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", UCI: []string{"a2a3", "a7a6", "h2h3", "h7h6"},
		Outages: [][2]float64{{1500, 9000}}, Plies: []truePly{rest(1000), rest(2000), rest(3000), rest(4000)},
	}
	for _, c := range []struct {
		got  []string
		want bool
	}{
		{[]string{"a2a3", "h7h6", "h2h3", "a7a6"}, true},
		{[]string{"h2h3", "h7h6", "a2a3", "a7a6"}, false}, // the first was before the gap
		{[]string{"a2a3", "h7h6", "h2h3"}, false},
		{[]string{"a2a3", "h7h6", "h2h3", "a7a5"}, false},
	} {
		if got := g.upToOrder(c.got); got != c.want {
			t.Errorf("%v up to order: %v", c.got, got)
		}
	}
	pairs := aligned([]string{"a", "b", "c", "d"}, []string{"a", "x", "c", "c", "d"})
	slices.SortFunc(pairs, func(p, q [2]int) int { return p[0] - q[0] })
	if len(pairs) != 3 || pairs[0] != [2]int{0, 0} || pairs[2] != [2]int{3, 4} {
		t.Errorf("aligned: %v", pairs)
	}
	move := func(ply int, uci string) broadcast.Change {
		return broadcast.Change{Type: broadcast.TypeMove, Ply: ply, UCI: uci}
	}
	changes := []broadcast.Change{
		move(1, "e2e3"), {Type: broadcast.TypeRetract, Ply: 1}, move(1, "e2e4"), move(2, "e7e5"), move(3, "g1f3"),
		{Type: broadcast.TypeReplace, Ply: 2, Moves: []broadcast.Move{{Ply: 2, UCI: "e7e6"}, {Ply: 3, UCI: "g1f3"}}},
	}
	if n := revised(changes); n != 2 {
		t.Errorf("revised %d, want 2: e2e3 and e7e5", n)
	}
}
