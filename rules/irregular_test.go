package rules

import (
	"strings"
	"testing"
	"time"
)

func TestPropose(t *testing.T) {
	const min = time.Minute
	std23, rap23, blz23 := Rules{Class: Standard}, Rules{Class: Rapid}, Rules{Class: Blitz}
	std18, rap18, blz18 := Rules{Edition: Laws2018}, Rules{Edition: Laws2018, Class: Rapid}, Rules{Edition: Laws2018, Class: Blitz}
	std05, rap05, blz05 := Rules{Edition: Laws2005}, Rules{Edition: Laws2005, Class: Rapid}, Rules{Edition: Laws2005, Class: Blitz}
	overseen := Rules{Class: Blitz, Overseen: true}
	own := Rules{Class: Blitz, IllegalMove: 45 * time.Second, WrongClaim: 3 * min}
	ten, hour, never := DefaultTime{Stated: true, After: 10 * min}, DefaultTime{Stated: true, After: 60 * min}, DefaultTime{Stated: true, Never: true}
	for _, c := range []struct {
		name    string
		rules   Rules
		i       Irregularity
		article string
		time    time.Duration
		outcome string // "", "loss", "draw"; "?" where it hangs on whether the opponent can mate
		hidden  bool
		word    string
	}{
		{"first illegal move", std23, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5", 2 * min, "", false, "first illegal move: 2 minutes to Black"},
		{"second illegal move", std23, Irregularity{Kind: IllegalMove, Count: 2}, "7.5.1, 7.5.5", 0, "loss?", false, "White loses"},
		{"second, the opponent has a bare king", std23, Irregularity{Kind: IllegalMove, Count: 2, By: Black, OpponentCannotMate: true}, "7.5.1, 7.5.5", 0, "draw?", false, "White cannot mate"},
		{"third illegal move", std23, Irregularity{Kind: IllegalMove, Count: 3}, "7.5.1, 7.5.5", 0, "loss?", false, ""},
		{"rapid", rap23, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5, A.3", min, "", false, "before the opponent has made his next move"},
		{"rapid, second", rap23, Irregularity{Kind: IllegalMove, Count: 2}, "7.5.1, 7.5.5", 0, "loss?", false, ""},
		{"blitz", blz23, Irregularity{Kind: IllegalMove, Count: 1, By: Black}, "7.5.1, 7.5.5, B.3", min, "", false, "1 minute to White"},
		{"blitz with an arbiter a game", overseen, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5, B.3", min, "", false, "first illegal move"},
		{"2018", std18, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5", 2 * min, "", false, ""},
		{"2018 rapid keeps two minutes", rap18, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5", 2 * min, "", false, ""},
		{"2018 blitz", blz18, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5, B.2", min, "", false, ""},
		{"2005, second", std05, Irregularity{Kind: IllegalMove, Count: 2}, "7.4", 2 * min, "", false, "second illegal move: 2 minutes"},
		{"2005, third", std05, Irregularity{Kind: IllegalMove, Count: 3}, "7.4", 0, "loss?", false, ""},
		{"2005 rapid: on a claim", rap05, Irregularity{Kind: IllegalMove, Count: 1}, "7.4, B5", 2 * min, "", true, "only if the opponent claims it"},
		{"2005 rapid: a pawn on the last rank", rap05, Irregularity{Kind: PromotionIncomplete, Count: 1}, "7.4, B5", 2 * min, "", false, ""},
		{"2005 blitz", blz05, Irregularity{Kind: IllegalMove, Count: 1}, "C3", 0, "loss?", true, "if the opponent claims it"},
		{"the event's own penalty", own, Irregularity{Kind: IllegalMove, Count: 1}, "7.5.1, 7.5.5, B.3", 45 * time.Second, "", false, "45 seconds"},

		{"promotion", std23, Irregularity{Kind: PromotionIncomplete, Count: 1}, "7.5.2, 7.5.5", 2 * min, "", false, "becomes a queen"},
		{"promotion, after an illegal move", rap23, Irregularity{Kind: PromotionIncomplete, Count: 2}, "7.5.2, 7.5.5", 0, "loss?", false, "becomes a queen"},
		{"press without a move", std23, Irregularity{Kind: PressWithoutMove, Count: 1}, "7.5.3, 7.5.5", 2 * min, "", false, "counts as an illegal move"},
		{"press without a move, blitz", blz18, Irregularity{Kind: PressWithoutMove, Count: 1}, "7.5.3, 7.5.5, B.2", min, "", false, ""},
		{"press without a move, 2005", std05, Irregularity{Kind: PressWithoutMove, Count: 3}, "13.4", 0, "", false, "a warning is usual"},

		{"wrong claim", std23, Irregularity{Kind: WrongClaim}, "9.5.3", 2 * min, "", false, "2 minutes to Black"},
		{"wrong claim, rapid", rap23, Irregularity{Kind: WrongClaim}, "9.5.3, A.3", min, "", false, ""},
		{"wrong claim, 2018 blitz", blz18, Irregularity{Kind: WrongClaim}, "9.5.3, B.2", min, "", false, ""},
		{"wrong claim, 2005", std05, Irregularity{Kind: WrongClaim}, "9.5b", 3 * min, "", false, ""},
		{"wrong claim, the event's own", own, Irregularity{Kind: WrongClaim}, "9.5.3, B.3", 3 * min, "", false, ""},

		{"colours reversed, nine moves", std23, Irregularity{Kind: ColoursReversed, Moves: 9}, "7.3", 0, "", false, "a new one"},
		{"colours reversed, ten moves", blz18, Irregularity{Kind: ColoursReversed, Moves: 10}, "7.3", 0, "", false, "the game goes on"},
		{"colours reversed, 2005", std05, Irregularity{Kind: ColoursReversed, Moves: 1}, "7.3", 0, "", false, "goes on, unless the arbiter"},
		{"colours reversed, 2005 rapid", rap05, Irregularity{Kind: ColoursReversed, Moves: 3}, "7.3, B3", 0, "", false, "nothing is corrected"},

		{"flag", std23, Irregularity{Kind: FlagFallen, LastPeriod: true}, "6.9", 0, "loss?", false, "time: White loses"},
		{"flag before the last period", std18, Irregularity{Kind: FlagFallen}, "6.9", 0, "loss?", false, "first see whether the moves"},
		{"flag against a bare king", rap23, Irregularity{Kind: FlagFallen, LastPeriod: true, OpponentCannotMate: true}, "6.9, A.5.5", 0, "draw?", false, "drawn, since Black cannot mate"},
		{"flag, 2018 blitz", blz18, Irregularity{Kind: FlagFallen, LastPeriod: true}, "6.9, A.4.5", 0, "loss?", false, ""},
		{"flag with an arbiter a game", overseen, Irregularity{Kind: FlagFallen, LastPeriod: true}, "6.9", 0, "loss?", false, ""},
		{"flag, 2005", std05, Irregularity{Kind: FlagFallen, LastPeriod: true}, "6.10", 0, "loss?", false, ""},
		{"flag, 2005 rapid: the arbiter is not shown it", rap05, Irregularity{Kind: FlagFallen, LastPeriod: true}, "6.10, B6", 0, "loss?", true, "only on a player's claim"},
		{"flag, 2005 blitz", blz05, Irregularity{Kind: FlagFallen, LastPeriod: true}, "6.10, B6", 0, "loss?", true, ""},
		{"both flags, last period", std23, Irregularity{Kind: BothFlagsFallen, LastPeriod: true}, "III.3", 0, "draw", false, "Guidelines III"},
		{"both flags, a period follows", std23, Irregularity{Kind: BothFlagsFallen}, "III.3", 0, "", false, "the game goes on"},
		{"both flags with increment", blz23, Irregularity{Kind: BothFlagsFallen, LastPeriod: true, Increment: true}, "6.9", 0, "", false, "whose flag fell first"},
		{"both flags, 2005", std05, Irregularity{Kind: BothFlagsFallen}, "6.11", 0, "", false, "the game goes on"},
		{"both flags, 2005, the last period", std05, Irregularity{Kind: BothFlagsFallen, LastPeriod: true}, "10", 0, "draw", false, ""},
		{"both flags, 2005 rapid: he may be told", rap05, Irregularity{Kind: BothFlagsFallen}, "B8", 0, "draw", false, ""},

		{"late, ten minutes allowed", std23, Irregularity{Kind: PlayerLate, Late: 9 * min, Default: ten}, "6.7.1", 0, "", false, "White is 9 minutes late and loses after 10 minutes"},
		{"late, ten minutes over", std23, Irregularity{Kind: PlayerLate, Late: 10 * min, Default: ten}, "6.7.1", 0, "loss", false, "default time 10 minutes"},
		{"late, an hour allowed", std18, Irregularity{Kind: PlayerLate, Late: 59 * min, Default: hour}, "6.7.1", 0, "", false, ""},
		{"late, no default time in this event", std23, Irregularity{Kind: PlayerLate, Late: 200 * min, Default: never}, "6.7.1", 0, "", false, "no default time"},
		{"late, not stated", std23, Irregularity{Kind: PlayerLate, Late: time.Second}, "6.7.1", 0, "loss", false, "default time 0 minutes"},
		{"late, not stated in 2005", std05, Irregularity{Kind: PlayerLate, Late: 59 * min}, "6.7", 0, "", false, "loses after 60 minutes"},
		{"late, an hour in 2005", std05, Irregularity{Kind: PlayerLate, Late: 60 * min}, "6.7", 0, "loss", false, ""},
		{"there at the start", std23, Irregularity{Kind: PlayerLate}, "6.7.1", 0, "", false, "in time"},
	} {
		p := c.rules.Propose(c.i)
		outcome := map[[2]bool]string{{true, false}: "loss", {false, true}: "draw"}[[2]bool{p.Loss, p.Draw}]
		if p.DrawIfCannotMate {
			outcome += "?"
		}
		if p.Article != c.article || p.TimeToOpponent != c.time || outcome != c.outcome || p.ShowToArbiter == c.hidden || !strings.Contains(p.Words, c.word) || p.Words == "" {
			t.Errorf("%s: %+v (%s)", c.name, p, outcome)
		}
		if p.Loss && p.Draw {
			t.Errorf("%s: lost and drawn", c.name)
		}
	}
}

// TestProposeEverything: no kind, edition, class or count is without an article and
// words; time is given or the game lost, never both; the arbiter is kept in the dark
// only where the Laws of 2005 say so.
func TestProposeEverything(t *testing.T) {
	for kind := IllegalMove; kind <= PlayerLate; kind++ {
		for edition := Laws2023; edition <= Laws2005; edition++ {
			for _, class := range []Class{"", Standard, Rapid, Blitz} {
				for count := range 5 {
					for _, bare := range []bool{false, true} {
						p := Rules{Edition: edition, Class: class}.Propose(Irregularity{Kind: kind, Count: count, OpponentCannotMate: bare, Late: time.Minute})
						at := kind.String() + " " + edition.String() + " " + string(class)
						if p.Article == "" || p.Words == "" {
							t.Errorf("%s: %+v", at, p)
						}
						if p.TimeToOpponent > 0 && (p.Loss || p.Draw) || p.Loss && p.Draw || bare && p.DrawIfCannotMate && !p.Draw {
							t.Errorf("%s: %+v", at, p)
						}
						if !p.ShowToArbiter && (edition != Laws2005 || !class.fast()) {
							t.Errorf("%s: hidden from the arbiter", at)
						}
					}
				}
			}
		}
	}
}

func TestEdition(t *testing.T) {
	for _, e := range []Edition{Laws2023, Laws2018, Laws2005} {
		if got, err := ParseEdition(e.String()); got != e || err != nil {
			t.Errorf("%s: %v, %v", e, got, err)
		}
	}
	if _, err := ParseEdition("2014"); err == nil {
		t.Error("2014 is known")
	}
}

func TestParseColor(t *testing.T) {
	for text, want := range map[string]Color{"white": White, "W": White, "Black": Black, "b": Black} {
		if got, err := ParseColor(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := ParseColor("red"); err == nil {
		t.Error("red is a colour")
	}
}
