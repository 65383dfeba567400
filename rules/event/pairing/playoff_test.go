package pairing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/clock"
	"boardd/rules"
)

func control(t *testing.T, text string) clock.Control {
	t.Helper()
	parsed, err := clock.Parse(text, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Control
}

// Ladders of the shapes of the model regulations (fact sheet 1); the files of
// docs/events are tested in the room above.
func ladders(t *testing.T) (stLouis, barbados, amplico []Rung) {
	rapid, blitz := control(t, "900+10"), control(t, "300+2")
	stLouis = []Rung{
		{"rapid 1", Tournament, ByNumber, rapid}, {"rapid 2", Tournament, Reverse, rapid},
		{"blitz 1", Tournament, Reverse, blitz}, {"blitz 2", Tournament, Reverse, blitz},
	}
	barbados = []Rung{
		{"25+10", DoubleTournament, ByNumber, control(t, "1500+10")},
		{"15+10", DoubleTournament, Reverse, rapid},
		{"single", SuddenDeath, ByLot, control(t, "W240+10-B300+10")},
	}
	amplico = []Rung{{"decider", SuddenDeath, ByChoice, control(t, "W300-B240=B")}}
	return
}

func start(t *testing.T, rungs []Rung, last Last, players ...string) *PlayOff {
	t.Helper()
	p, err := NewPlayOff(rungs, last, players)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// due writes the games that are due, as in "a-b c-d".
func due(p *PlayOff) string {
	var games []string
	for _, d := range p.Due() {
		games = append(games, d.White+"-"+d.Black)
	}
	return strings.Join(games, " ")
}

// play records results as in "a-b 1-0".
func play(t *testing.T, p *PlayOff, games ...string) {
	t.Helper()
	for _, g := range games {
		pair, result, _ := strings.Cut(g, " ")
		white, black, _ := strings.Cut(pair, "-")
		if result == "draw" {
			result = string(rules.Draw)
		}
		if err := p.Record(white, black, rules.Result(result)); err != nil {
			t.Fatalf("%s: %v", g, err)
		}
	}
}

func wantChampion(t *testing.T, p *PlayOff, want string) {
	t.Helper()
	if got, ok := p.Champion(); !ok || got != want || p.Wants() != WantNothing || p.Due() != nil {
		t.Errorf("champion %q, %v wanted; want champion %q", got, p.Wants(), want)
	}
}

func TestStLouisTwoPlayersColoursReversedToTheArbiter(t *testing.T) {
	rungs, _, _ := ladders(t)
	p := start(t, rungs, AskArbiter, "a", "b")
	play(t, p, "a-b draw", "b-a draw") // rapid 1
	play(t, p, "b-a 1-0", "a-b 1-0")   // rapid 2, reversed
	play(t, p, "a-b draw", "b-a draw") // blitz 1, reversed again
	play(t, p, "b-a draw", "a-b draw") // blitz 2
	if p.Wants() != WantRuling || due(p) != "" {
		t.Fatalf("%v wanted, %q due; want the arbiter", p.Wants(), due(p))
	}
	for _, wrong := range []Ruling{{"c", "A. Sure", ""}, {"a", "", ""}} {
		if err := p.Decide(wrong); err == nil {
			t.Errorf("ruling %v was taken", wrong)
		}
	}
	if err := p.Decide(Ruling{"b", "A. Sure", "more wins"}); err != nil {
		t.Fatal(err)
	}
	wantChampion(t, p, "b")
	if p.Ruling() != (Ruling{"b", "A. Sure", "more wins"}) || len(p.Played()) != 8 {
		t.Errorf("ruling %v, %d games", p.Ruling(), len(p.Played()))
	}
}

func TestStLouisFieldShrinks(t *testing.T) {
	rungs, _, _ := ladders(t)
	p := start(t, rungs, AskArbiter, "a", "b", "c")
	if due(p) != "b-c" { // Berger for three: No. 1 has the bye
		t.Fatalf("due %q", due(p))
	}
	play(t, p, "b-c 0-1", "a-b 1-0", "c-a draw") // a and c 1.5
	if !slices.Equal(p.Tied(), []string{"a", "c"}) {
		t.Fatalf("tied %v", p.Tied())
	}
	// Another field: numbers anew, no reversal; two players play twice.
	play(t, p, "a-c draw", "c-a draw")
	play(t, p, "c-a draw") // blitz 1: the same field, reversed
	if d := p.Due(); len(d) != 1 || d[0].Control.Canonical() != "300+2" || d[0].Rung != "blitz 1" {
		t.Errorf("due %v", d)
	}
	play(t, p, "a-c 0-1")
	wantChampion(t, p, "c")
}

func TestStLouisSameThreeReverse(t *testing.T) {
	rungs, _, _ := ladders(t)
	p := start(t, rungs, AskArbiter, "a", "b", "c")
	play(t, p, "b-c draw", "a-b draw", "c-a draw")
	play(t, p, "c-b draw", "b-a draw", "a-c draw")
	play(t, p, "b-c draw", "a-b draw", "c-a 1-0")
	wantChampion(t, p, "c")
}

func TestFourPlayersAreGivenOneRoundAtATime(t *testing.T) {
	rungs, _, _ := ladders(t)
	p := start(t, rungs, AskArbiter, "a", "b", "c", "d")
	if due(p) != "a-d b-c" {
		t.Fatalf("due %q", due(p))
	}
	play(t, p, "b-c 1-0")
	if due(p) != "a-d" {
		t.Fatalf("due %q", due(p))
	}
	if err := p.Record("d", "c", rules.Draw); err == nil {
		t.Error("a game of round 2 was taken in round 1")
	}
	play(t, p, "a-d 1-0", "d-c draw", "a-b 1-0", "b-d 1-0", "c-a 0-1")
	wantChampion(t, p, "a")
}

func TestBarbadosInEachRung(t *testing.T) {
	_, rungs, _ := ladders(t)
	first := start(t, rungs, AskArbiter, "a", "b")
	play(t, first, "a-b 1-0", "b-a draw")
	wantChampion(t, first, "a")

	second := start(t, rungs, AskArbiter, "a", "b")
	play(t, second, "a-b draw", "b-a draw", "b-a 1-0", "a-b draw")
	wantChampion(t, second, "b")

	p := start(t, rungs, AskArbiter, "a", "b")
	play(t, p, "a-b 1-0", "b-a 1-0", "b-a draw", "a-b draw")
	for n := range 3 { // drawn singles repeat, each with lots of its own
		if p.Wants() != WantLots || p.Due() != nil {
			t.Fatalf("single %d: %v wanted", n+1, p.Wants())
		}
		lots, err := p.Draw(fmt.Sprint("dice ", n))
		if err != nil {
			t.Fatal(err)
		}
		d := p.Due()
		if len(d) != 1 || d[0].White != lots.Order[0] || d[0].Control.Canonical() != "W240+10-B300+10" {
			t.Fatalf("single %d: due %v after lots %v", n+1, d, lots)
		}
		if n < 2 {
			play(t, p, d[0].White+"-"+d[0].Black+" draw")
			continue
		}
		play(t, p, d[0].White+"-"+d[0].Black+" 0-1")
		wantChampion(t, p, d[0].Black)
	}
	if len(p.Lots()) != 3 || p.Lots()[1].Seed != "dice 1" {
		t.Errorf("lots kept: %v", p.Lots())
	}
}

func TestAmplicoWhiteMustWin(t *testing.T) {
	_, _, rungs := ladders(t)
	for _, tt := range []struct {
		chosen clock.Player
		result rules.Result
		wins   clock.Player
	}{
		{clock.White, rules.WhiteWins, clock.White},
		{clock.White, rules.Draw, clock.Black},
		{clock.White, rules.BlackWins, clock.Black},
		{clock.Black, rules.WhiteWins, clock.White},
		{clock.Black, rules.Draw, clock.Black},
		{clock.Black, rules.BlackWins, clock.Black},
	} {
		p := start(t, rungs, AskArbiter, "a", "b")
		lots, err := p.Draw("19")
		if err != nil {
			t.Fatal(err)
		}
		chooser, other := lots.Order[0], lots.Order[1]
		if p.Wants() != WantChoice || p.Chooser() != chooser {
			t.Fatalf("%v wanted, by %q", p.Wants(), p.Chooser())
		}
		if err := p.Choose(other, tt.chosen); err == nil {
			t.Error("the loser of the lot has chosen")
		}
		if err := p.Choose(chooser, tt.chosen); err != nil {
			t.Fatal(err)
		}
		d := p.Due()[0]
		if d.White == chooser != (tt.chosen == clock.White) {
			t.Errorf("%v chosen by %s, due %v", tt.chosen, chooser, d)
		}
		if err := p.Record(d.White, d.Black, tt.result); err != nil {
			t.Fatal(err)
		}
		wantChampion(t, p, map[clock.Player]string{clock.White: d.White, clock.Black: d.Black}[tt.wins])
	}
}

func TestWhiteWithDrawOdds(t *testing.T) {
	p := start(t, []Rung{{"decider", SuddenDeath, ByNumber, control(t, "W240-B300=W")}}, AskArbiter, "a", "b")
	play(t, p, "a-b draw")
	wantChampion(t, p, "a")
}

func TestSinglesByNumberAlternate(t *testing.T) {
	p := start(t, []Rung{{"singles", SuddenDeath, ByNumber, control(t, "180+2")}}, AskArbiter, "a", "b")
	play(t, p, "a-b draw", "b-a draw", "a-b draw", "b-a 1-0")
	wantChampion(t, p, "b")
}

func TestReversedSuddenDeath(t *testing.T) {
	p := start(t, []Rung{{"two", DoubleTournament, ByNumber, control(t, "900+10")},
		{"singles", SuddenDeath, Reverse, control(t, "180+2")}}, AskArbiter, "a", "b")
	play(t, p, "a-b draw", "b-a draw", "b-a 1-0")
	wantChampion(t, p, "b")
}

func TestLotsAtTheEndOfTheLadder(t *testing.T) {
	p := start(t, []Rung{{"rapid", Tournament, ByNumber, control(t, "900+10")}}, AskLots, "a", "b", "c")
	play(t, p, "b-c draw", "a-b draw", "c-a draw")
	lots, err := p.Draw("6 5 4")
	if err != nil {
		t.Fatal(err)
	}
	wantChampion(t, p, lots.Order[0])
}

// No regulations say how three play one game: the arbiter is asked.
func TestThreeBeforeSuddenDeath(t *testing.T) {
	_, rungs, _ := ladders(t)
	p := start(t, rungs[2:], AskLots, "a", "b", "c")
	if p.Wants() != WantRuling {
		t.Fatalf("%v wanted", p.Wants())
	}
	if err := p.Decide(Ruling{"c", "A. Sure", "by agreement of all"}); err != nil {
		t.Fatal(err)
	}
	wantChampion(t, p, "c")
}

// From each reachable state every step that is wanted leads on, and from each a
// champion can be reached; a wrong step changes nothing.
func TestEveryBranchEndsWithAChampion(t *testing.T) {
	stLouis, barbados, amplico := ladders(t)
	for name, rungs := range map[string][]Rung{"St. Louis": stLouis, "Barbados": barbados, "Amplico": amplico} {
		champions := map[string]int{}
		var explore func(steps []int)
		explore = func(steps []int) {
			p := start(t, rungs, AskArbiter, "a", "b")
			for _, s := range steps {
				step(t, p, s)
			}
			if name, ok := p.Champion(); ok {
				champions[name]++
				return
			}
			if len(p.Played()) > 9 { // Barbados without end; the branches repeat
				return
			}
			for s := range choices(p) {
				explore(append(slices.Clone(steps), s))
			}
		}
		explore(nil)
		if champions["a"] == 0 || champions["b"] == 0 {
			t.Errorf("%s: champions by branch %v", name, champions)
		}
	}
}

// choices is how many ways there are on.
func choices(p *PlayOff) int {
	return map[Want]int{WantResults: 3, WantLots: 2, WantChoice: 2, WantRuling: 2}[p.Wants()]
}

func step(t *testing.T, p *PlayOff, s int) {
	t.Helper()
	refuseAllBut(t, p, p.Wants())
	var err error
	switch p.Wants() {
	case WantResults:
		d := p.Due()[0]
		err = p.Record(d.White, d.Black, []rules.Result{rules.WhiteWins, rules.Draw, rules.BlackWins}[s])
	case WantLots:
		_, err = p.Draw([]string{"1", "4"}[s])
	case WantChoice:
		err = p.Choose(p.Chooser(), clock.Players[s])
	case WantRuling:
		err = p.Decide(Ruling{Champion: p.Tied()[s], By: "A. Sure"})
	case WantNothing:
		t.Fatal("a step after the end")
	}
	if err != nil {
		t.Fatal(err)
	}
}

func refuseAllBut(t *testing.T, p *PlayOff, want Want) {
	t.Helper()
	_, lots := p.Draw("")
	errs := map[Want]error{
		WantResults: p.Record("a", "nobody", rules.Draw),
		WantLots:    lots,
		WantChoice:  p.Choose("nobody", clock.White),
		WantRuling:  p.Decide(Ruling{Champion: "nobody", By: "A. Sure"}),
	}
	for w, err := range errs {
		if err == nil {
			t.Fatalf("%v taken while %v was wanted", w, want)
		}
	}
	if p.Wants() != want {
		t.Fatalf("%v wanted after wrong steps, before %v", p.Wants(), want)
	}
}

func TestPlayOffsRefused(t *testing.T) {
	rapid, odds := control(t, "900+10"), control(t, "W300-B240=B")
	ok := []Rung{{"rapid", Tournament, ByNumber, rapid}}
	for _, tt := range []struct {
		rungs   []Rung
		players []string
		want    string
	}{
		{nil, []string{"a", "b"}, "expected at least one rung for a play-off, got none"},
		{ok, []string{"a"}, "expected 2 to 200 players for a play-off, got 1"},
		{ok, []string{"a", "a"}, `expected each player once by name, got "a"`},
		{ok, []string{"a", ""}, `expected each player once by name, got ""`},
		{[]Rung{{"x", Tournament, ByLot, rapid}}, []string{"a", "b"}, "x: expected colours by number, lots are for sudden death"},
		{[]Rung{{"x", Tournament, ByNumber, odds}}, []string{"a", "b"}, "x: expected draw odds in sudden death only"},
		{[]Rung{{"x", Tournament, ByNumber, control(t, "10/30d")}}, []string{"a", "b"}, "x: expected a time control with times, got 10/30d"},
	} {
		if _, err := NewPlayOff(tt.rungs, AskArbiter, tt.players); err == nil || err.Error() != tt.want {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
	p := start(t, ok, AskArbiter, "a", "b")
	if err := p.Record("a", "b", rules.Unfinished); err == nil || err.Error() != `expected 1-0, 0-1 or 1/2-1/2 for a - b, got "*"` {
		t.Errorf("an unfinished game: %v", err)
	}
}
