package event

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/clock"
	"boardd/rules"
	"boardd/rules/event/correspondence"
	"boardd/rules/event/pairing"
)

// example reads one of the complete files of docs/events.
func example(t *testing.T, name string) *Event {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "events", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Read(name+".toml", text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What the model regulations demand (fact sheet 1), stage by stage: canonical
// control, class, and what White's and Black's clocks show at the start.
func TestClocksOfEachStage(t *testing.T) {
	for name, want := range map[string][]string{
		"st-louis": {
			"Round robin: 7200+30 standard 2h0m30s 2h0m30s",
			"Rapid 1: 900+10 rapid 15m10s 15m10s", "Rapid 2: 900+10 rapid 15m10s 15m10s",
			"Blitz 1: 300+2 blitz 5m2s 5m2s", "Blitz 2: 300+2 blitz 5m2s 5m2s",
		},
		"barbados": {
			"Round robin: 5400+30 standard 1h30m30s 1h30m30s",
			"Two games 25+10: 1500+10 rapid 25m10s 25m10s", "Two games 15+10: 900+10 rapid 15m10s 15m10s",
			"Single games: W240+10-B300+10 rapid 4m10s 5m10s", // no odds, and no blitz
		},
		"amplico": {
			"Swiss: 900+10 rapid 15m10s 15m10s", "Final groups: 900+10 rapid 15m10s 15m10s",
			"Decider: W300-B240=B blitz 5m0s 4m0s",
		},
		"golden-knights": {
			"Preliminary: 10/30d correspondence none", "Semi-final: 10/30d correspondence none", "Final: 10/30d correspondence none",
		},
	} {
		e := example(t, name)
		var got []string
		for i := range e.Stages {
			st := &e.Stages[i]
			white, black := st.Control.Start()
			start := fmt.Sprintf("%v %v", white, black)
			if st.Correspondence() {
				start = "none"
			}
			got = append(got, fmt.Sprintf("%s: %s %s %s", st.Name, st.Control, st.Control.Class(), start))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRegulationsOfTheExamples(t *testing.T) {
	for _, tt := range []struct {
		name, edition, draws, late string
		delay                      time.Duration
		players                    int
		last                       pairing.Last
	}{
		{"st-louis", "2023", "claims-only", "10 min", 15 * time.Minute, 10, pairing.AskArbiter},
		{"barbados", "2023", "allowed", "60 min", 15 * time.Minute, 12, pairing.AskArbiter},
		{"amplico", "2005", "allowed", "none", 0, 16, pairing.AskArbiter},
		{"golden-knights", "2023", "allowed", "none", 0, 14, pairing.AskArbiter},
	} {
		e := example(t, tt.name)
		if e.Edition.String() != tt.edition || e.Draws.String() != tt.draws || e.Default.String() != tt.late ||
			e.Delay != tt.delay || len(e.Players) != tt.players || e.StillTied != tt.last {
			t.Errorf("%s: Laws of %v, draws %v, default time %v, delay %v, %d players, at last %v",
				tt.name, e.Edition, e.Draws, e.Default, e.Delay, len(e.Players), e.StillTied)
		}
		if len(e.Officials) == 0 || e.Officials[0].Name == "" {
			t.Errorf("%s: officials %v", tt.name, e.Officials)
		}
	}
	if got := example(t, "st-louis").Official("chief arbiter"); !slices.Equal(got, []string{"Ruth Calloway"}) {
		t.Errorf("chief arbiter %v", got)
	}
}

// The first and the last round of the printed tables for 10 and 12; all of them
// are tested in pairing.
func TestExamplesPlayByTheBergerTables(t *testing.T) {
	for name, want := range map[string][2]string{
		"st-louis": {"1-10 2-9 3-8 4-7 5-6", "5-10 6-4 7-3 8-2 9-1"},
		"barbados": {"1-12 2-11 3-10 4-9 5-8 6-7", "6-12 7-5 8-4 9-3 10-2 11-1"},
	} {
		e := example(t, name)
		rounds := pairings(t, e, "Round robin")
		if first, last := numbers(rounds[0]), numbers(rounds[len(rounds)-1]); first != want[0] || last != want[1] {
			t.Errorf("%s: first round %s, last %s", name, first, last)
		}
		if len(rounds) != len(e.Players)-1 || rounds[0].Start.IsZero() {
			t.Errorf("%s: %d rounds, the first at %v", name, len(rounds), rounds[0].Start)
		}
	}
}

func pairings(t *testing.T, e *Event, stage string) []Round {
	t.Helper()
	st, ok := e.Stage(stage)
	if !ok {
		t.Fatalf("no stage %q", stage)
	}
	rounds, err := e.Pairings(st)
	if err != nil {
		t.Fatal(err)
	}
	return rounds
}

// numbers writes a round by the players' numbers.
func numbers(round Round) string {
	var games []string
	for _, g := range round.Games {
		if g.Bye {
			games = append(games, fmt.Sprintf("%d bye", g.White.Player))
		} else {
			games = append(games, fmt.Sprintf("%d-%d", g.White.Player, g.Black.Player))
		}
	}
	return strings.Join(games, " ")
}

// The ladder of each example, from a tie to a champion.
func TestLaddersOfTheExamples(t *testing.T) {
	for _, tt := range []struct {
		name    string
		players []string
		games   []string // result, after White's initial and control: "a 900+10 1-0"
	}{
		{"st-louis", []string{"a", "b"}, []string{
			"a 900+10 1/2-1/2", "b 900+10 1/2-1/2", "b 900+10 1-0", "a 900+10 1-0",
			"a 300+2 1/2-1/2", "b 300+2 1/2-1/2", "b 300+2 0-1", "a 300+2 1/2-1/2"}},
		{"st-louis", []string{"c", "b", "a"}, []string{
			"b 900+10 1/2-1/2", "c 900+10 1/2-1/2", "a 900+10 1/2-1/2",
			"a 900+10 1-0", "b 900+10 1-0", "c 900+10 0-1"}},
		{"barbados", []string{"b", "a"}, []string{
			"b 1500+10 1-0", "a 1500+10 1-0", "a 900+10 1/2-1/2", "b 900+10 1/2-1/2",
			"? W240+10-B300+10 1/2-1/2", "? W240+10-B300+10 1/2-1/2", "? W240+10-B300+10 a"}},
		{"amplico", []string{"b", "a"}, []string{"b W300-B240=B 1/2-1/2"}}, // a chooses Black
	} {
		e := example(t, tt.name)
		p, err := pairing.NewPlayOff(e.Ladder(), e.StillTied, tt.players)
		if err != nil {
			t.Fatal(err)
		}
		for i, game := range tt.games {
			playNext(t, p, game, i)
		}
		if champion, ok := p.Champion(); !ok || champion != "a" {
			t.Errorf("%s: champion %q, %v wanted", tt.name, champion, p.Wants())
		}
	}
}

func playNext(t *testing.T, p *pairing.PlayOff, game string, n int) {
	t.Helper()
	if p.Wants() == pairing.WantLots {
		if _, err := p.Draw(fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	if p.Wants() == pairing.WantChoice {
		colour := map[string]clock.Player{"a": clock.Black, "b": clock.White}[p.Chooser()]
		if err := p.Choose(p.Chooser(), colour); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Fields(game)
	due := p.Due()
	if len(due) == 0 || want[0] != "?" && due[0].White != want[0] || due[0].Control.Canonical() != want[1] {
		t.Fatalf("game %d: due %v, want %s", n+1, due, game)
	}
	result := rules.Result(want[2])
	if want[2] == due[0].White {
		result = rules.WhiteWins
	} else if want[2] == due[0].Black {
		result = rules.BlackWins
	}
	if err := p.Record(due[0].White, due[0].Black, result); err != nil {
		t.Fatal(err)
	}
}

// St. Louis without end, as far as the chief arbiter.
func TestStLouisAsksTheChiefArbiter(t *testing.T) {
	e := example(t, "st-louis")
	p, err := pairing.NewPlayOff(e.Ladder(), e.StillTied, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		if err := p.Record(p.Due()[0].White, p.Due()[0].Black, rules.Draw); err != nil {
			t.Fatal(err)
		}
	}
	if p.Wants() != pairing.WantRuling {
		t.Errorf("%v wanted after four drawn tournaments", p.Wants())
	}
}

// A player who is late begins the next round with half the time, and the
// increment whole: 7:30 and 10 s.
func TestPenaltyHalvesTheNextClock(t *testing.T) {
	e := example(t, "st-louis")
	st := &e.Stages[0]
	e.Penalties = []Penalty{{Player: 4, Stage: st.Name, Round: 2}, {Player: 10, Stage: st.Name, Round: 2}}
	st.Control = control(t, "900+10")
	settings := e.Settings(st, pairings(t, e, st.Name))
	got := map[string]string{}
	for _, s := range settings {
		if len(s.Penalties) > 0 {
			white, black := s.Control.Start()
			got[fmt.Sprintf("round %d table %d", s.Round, s.Game.Table)] = fmt.Sprintf("%v %v %s", white, black, s.Control)
		}
	}
	want := map[string]string{
		"round 2 table 1": "7m40s 15m10s W450+10-B900+10", // 10-6
		"round 2 table 3": "15m10s 7m40s W900+10-B450+10", // 8-4
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(settings) != 45 || e.Waiting(st, settings) != nil {
		t.Errorf("%d settings, waiting %v", len(settings), e.Waiting(st, settings))
	}
	if st.Control.Canonical() != "900+10" {
		t.Errorf("the stage's own control is %s now", st.Control)
	}
}

func TestPenaltyOfAPlayerWithoutAGameWaits(t *testing.T) {
	e := example(t, "amplico")
	st := &e.Stages[1] // final groups: player 10 is in none
	e.Penalties = []Penalty{{Player: 10, Stage: st.Name, Round: 1}}
	settings := e.Settings(st, pairings(t, e, st.Name))
	if waiting := e.Waiting(st, settings); len(waiting) != 1 || waiting[0].Player != 10 {
		t.Errorf("waiting %v", waiting)
	}
}

func control(t *testing.T, text string) clock.Control {
	t.Helper()
	parsed, err := clock.Parse(text, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Control
}

func TestGoldenKnights(t *testing.T) {
	e := example(t, "golden-knights")
	var perfect correspondence.Points
	for i := range e.Stages {
		st := &e.Stages[i]
		perfect += correspondence.Score{Wins: 6}.Weighted(st.Weight)
		rate, err := correspondence.RateOf(st.Control)
		if err != nil || rate != (correspondence.Rate{Moves: 10, Days: 30}) {
			t.Errorf("%s: %v, %v", st.Name, rate, err)
		}
		l, err := correspondence.NewLedger(rate, st.Overstep)
		if err != nil {
			t.Fatal(err)
		}
		if lost := l.Waiting(31).Lost; lost != (st.Name == "Final") {
			t.Errorf("%s: lost on the 31st day %t", st.Name, lost)
		}
		if !l.Waiting(56).Lost {
			t.Errorf("%s: not lost after 56 days", st.Name)
		}
	}
	if perfect.String() != "46.2" {
		t.Errorf("perfect score %v, want 46.2", perfect)
	}
	if st := e.Stages[0]; st.AdvanceAt != 450 || e.Stages[2].AdvanceAt != 0 {
		t.Errorf("advance at %v and %v", st.AdvanceAt, e.Stages[2].AdvanceAt)
	}
	rounds := pairings(t, e, "Preliminary")
	if got := numbers(rounds[0]); got != "2-7 3-6 4-5 1 bye 9-14 10-13 11-12 8 bye" || len(rounds) != 7 {
		t.Errorf("%d rounds, the first %s", len(rounds), got)
	}
	if g := rounds[0].Games[4]; g.Group != 2 || g.Board != 4 || g.White.Number != 2 {
		t.Errorf("first game of the second section %+v", g)
	}
	// Who is in the semi-final is not known yet: places only.
	if got := pairings(t, e, "Semi-final")[0].Games[0]; got.White != (Seat{Number: 2}) || got.Black != (Seat{Number: 7}) {
		t.Errorf("first game of the semi-final %+v", got)
	}
}
