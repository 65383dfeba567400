package venue

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"boardd/broadcast"
	"boardd/broadcast/arbiter"
	"boardd/clock"
	"boardd/journal"
	"boardd/rules"
)

// Regulate says by which regulations the game is played from now on.
func (t *Table) Regulate(r Regulations) { t.referee.regulations = r }

// present is the game in progress: the record, or what is played on after an
// illegal move that stood, and how many half-moves came before it.
func (t *Table) present() (g *rules.Game, before int) {
	if n := len(t.segments); n > 0 {
		return t.segments[n-1].game, t.segments[n-1].after
	}
	return t.game, 0
}

// judge tells what the Laws say of the record since it changed at half-move from.
func (t *Table) judge(from int) {
	g, before := t.present()
	raised, lapsed := t.referee.look(g, from-before)
	tell := func(c call, cleared bool) {
		t.changes = append(t.changes, broadcast.Change{Type: broadcast.TypeAlert, Board: t.number, AtMS: t.at.Milliseconds(),
			Ply: c.ply + before, Code: c.code, Detail: c.detail, Cleared: cleared})
	}
	for _, c := range lapsed {
		tell(c, true)
	}
	for _, c := range raised {
		tell(c, false)
	}
}

// Claim takes down a player's claim of a draw in the present position, with the move
// he has written if he intends one, and has the clocks stand where boardd runs them
// (Laws 9.5.1). who is the person who enters it.
func (t *Table) Claim(at time.Duration, by rules.Color, kind rules.ClaimKind, san, who string) error {
	g, _ := t.present()
	c, err := t.referee.claim(g, by, kind, san, at, who)
	if err != nil {
		return err
	}
	t.claimed(at, c, c.Verdict(g).Words)
	t.claimStep(c, c.Verdict(g).Words)
	if t.PauseClock(at) == nil && c.Pause(at, byBoardd) == nil {
		t.claimed(at, c, "the clocks stand")
		t.claimStep(c, "the clocks stand")
	}
	return nil
}

// Rule is the arbiter's ruling on the open claim and carries out what follows: the
// draw, or the time for the opponent where boardd runs the clock.
func (t *Table) Rule(at time.Duration, correct bool, who string) error {
	c := t.referee.open()
	if c == nil {
		return errNoClaim
	}
	follows, err := c.Rule(correct, t.rules(), at, who)
	if err != nil {
		return err
	}
	words := follows.Words
	if follows.Time > 0 {
		switch err := t.AddTime(at, playerOf(follows.TimeTo), follows.Time); {
		case errors.Is(err, errByHand):
			words += "; add the time at the clock, boardd does not run it"
		case err != nil:
			return err
		default:
			t.ResumeClock(at)
		}
	}
	words += " (" + follows.Article + ")"
	t.claimed(at, c, words)
	t.fact(journal.Ruling{Code: claimCode(c), Decision: string(c.Last()), Who: who, Text: words})
	if follows.Result != rules.Unfinished {
		t.Result(at, follows.Result)
	}
	return nil
}

// rules are what decides penalties at this table.
func (t *Table) rules() rules.Rules {
	r := t.referee.regulations.Rules
	if k := t.keeper.control(); r.Class == "" && k != nil {
		r.Class = rules.Class(k.Class())
	}
	return r
}

// Claims gathers what is known of claims in the present position and game.
func (t *Table) Claims() arbiter.Claims {
	g, before := t.present()
	rights := g.Claims(g.Len())
	r := arbiter.Claims{Ply: g.Len() + before, ToMove: rights.Turn.String(), Threefold: rights.Threefold, Fifty: rights.Fifty,
		Over: rights.Over(t.rules().Edition), ThreefoldNext: []string{}, FiftyNext: []string{}, Evidence: []rules.Evidence{}}
	for _, m := range rights.ThreefoldNext {
		r.ThreefoldNext = append(r.ThreefoldNext, g.Current().SAN(m))
	}
	for _, m := range rights.FiftyNext {
		r.FiftyNext = append(r.FiftyNext, g.Current().SAN(m))
	}
	for _, c := range t.referee.claims {
		if c.Ply <= g.Len() {
			r.Evidence = append(r.Evidence, g.Evidence(c, t.surroundings()))
		}
	}
	if r.Open = t.referee.open() != nil; r.Open {
		return r
	}
	could := func(kind rules.ClaimKind, m rules.Move) {
		c := &rules.Claim{ClaimRequest: rules.ClaimRequest{By: rights.Turn, Kind: kind, Ply: g.Len(), Intended: m}}
		r.Evidence = append(r.Evidence, g.Evidence(c, t.surroundings()))
	}
	if rights.Threefold {
		could(rules.ThreefoldClaim, rules.NullMove)
	}
	for _, m := range rights.ThreefoldNext {
		could(rules.ThreefoldClaim, m)
	}
	if rights.Fifty {
		could(rules.FiftyClaim, rules.NullMove)
	}
	return r
}

func (t *Table) surroundings() rules.Surroundings {
	s := rules.Surroundings{Rules: t.rules(), Incidents: t.referee.incidents}
	if t.clock.Connected {
		s.Clocks = rules.ClockTimes{White: t.clock.White, Black: t.clock.Black, HasWhite: true, HasBlack: true}
		if t.clock.Running {
			s.Clocks.Running = t.clock.ToMove.String()
		}
	}
	return s
}

// irregularities are the alerts for which the Laws foresee a penalty.
var irregularities = map[string]rules.IrregularityKind{
	"move.illegal":              rules.IllegalMove,
	"move.promotion_incomplete": rules.PromotionIncomplete,
	"press.no_move":             rules.PressWithoutMove,
}

// irregular adds to an alert what edition and class foresee; where they forbid the
// arbiter to step in, nobody is told. An idle press before a move has been made is
// people starting the clock.
func (t *Table) irregular(c broadcast.Change, kind rules.IrregularityKind) []broadcast.Change {
	g, _ := t.present()
	by := g.Current().Turn()
	count := t.referee.illegal[by] + 1
	if kind == rules.IllegalMove {
		t.referee.illegal[by] = count
	}
	p := t.rules().Propose(rules.Irregularity{Kind: kind, By: by, Count: count, Moves: g.Len() / 2, OpponentCannotMate: !g.Current().CanMate(by.Other())})
	if !p.ShowToArbiter {
		return nil
	}
	c.Text = p.Words + " (" + p.Article + ")"
	return []broadcast.Change{c}
}

// flag adds to the fall of a flag what the Laws make of it; show is false where the
// arbiter may not call it (fact sheet 2.6).
func (t *Table) flag(c broadcast.Change, by rules.Color) (told broadcast.Change, show bool) {
	g, _ := t.present()
	i := rules.Irregularity{Kind: rules.FlagFallen, By: by, Moves: g.Len() / 2, OpponentCannotMate: !g.Current().CanMate(by.Other()), LastPeriod: true}
	if k := t.keeper.control(); k != nil && len(k.White) > 0 {
		i.Increment = k.White[len(k.White)-1].Kind != clock.None
	}
	p := t.rules().Propose(i)
	c.Text += "; " + p.Words + " (" + p.Article + ")"
	return c, p.ShowToArbiter
}

// Late tells the arbiter of a player who has not made a move though the round has
// begun: a warning, and at the event's default time that he has lost (Laws 6.7.1).
func (t *Table) Late(at time.Duration, after time.Duration, lost bool) {
	if t.game.Len() > 1 || t.game.Result != rules.Unfinished {
		return
	}
	by, code := t.game.Current().Turn(), "player.late"
	if lost {
		code = "player.default"
	}
	p := t.rules().Propose(rules.Irregularity{Kind: rules.PlayerLate, By: by, Late: after, Default: t.referee.regulations.Default})
	t.changes = append(t.changes, broadcast.Change{Type: broadcast.TypeAlert, Board: t.number, AtMS: at.Milliseconds(), Ply: t.game.Len(),
		Code: code, Detail: by.String()[:1], Text: fmt.Sprintf("%s has made no move after %s: %s (%s)", by.Name(), rules.InMinutes(after), p.Words, p.Article)})
}

// orderLate is "late warning|default SECONDS": so long after the start of the round.
func orderLate(t *Table, at time.Duration, rest string) error {
	step, much, _ := strings.Cut(rest, " ")
	after, err := parseFace(much)
	if err != nil {
		return err
	}
	if step != "warning" && step != "default" {
		return fmt.Errorf("expected warning or default, got %q", step)
	}
	t.Late(at, after, step == "default")
	return nil
}

// claimed publishes a step of a claim, for arbiters.
func (t *Table) claimed(at time.Duration, c *rules.Claim, words string) {
	_, before := t.present()
	what := fmt.Sprintf("%s claims a draw (%s)", c.By.Name(), c.Kind)
	if c.IntendedSAN != "" {
		what = fmt.Sprintf("%s claims a draw (%s) with %s", c.By.Name(), c.Kind, c.IntendedSAN)
	}
	t.changes = append(t.changes, broadcast.Change{Type: broadcast.TypeClaim, Board: t.number, AtMS: at.Milliseconds(),
		Ply: c.Ply + before, Code: string(c.Last()), Detail: what + ": " + words})
}

// ended records a result that the board or a person gives, or tells why it may not stand.
func (t *Table) ended(at time.Duration, r rules.Result) broadcast.Change {
	g, _ := t.present()
	if err := t.referee.mayStand(g, r); err != nil {
		return broadcast.Change{Type: broadcast.TypeAlert, Board: t.number, AtMS: at.Milliseconds(), Ply: t.game.Len(),
			Code: "result.draw_unverified", Detail: err.Error()}
	}
	t.game.Result = r
	t.keeper.result(at, r != rules.Unfinished)
	return broadcast.Change{Type: broadcast.TypeResult, Board: t.number, AtMS: at.Milliseconds(), Result: string(r)}
}

// orderClaim is "claim white threefold [SAN] [by NAME]".
func orderClaim(t *Table, at time.Duration, rest string) error {
	rest, who := signed(rest)
	by, kind, san, err := parseClaim(rest)
	if err != nil {
		return err
	}
	return t.Claim(at, by, kind, san, who)
}

// parseClaim reads who claims what, and the move he intends if any.
func parseClaim(text string) (by rules.Color, kind rules.ClaimKind, san string, err error) {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 3 {
		return 0, 0, "", fmt.Errorf("expected white or black, threefold or fifty, and perhaps the intended move, got %q", text)
	}
	p, err := parsePlayer(words[0])
	if err != nil {
		return 0, 0, "", err
	}
	if kind, err = rules.ParseClaimKind(words[1]); err != nil {
		return 0, 0, "", err
	}
	if len(words) == 3 {
		san = words[2]
	}
	return colorOf(p), kind, san, nil
}

// orderRuling is "ruling correct|incorrect [by NAME]".
func orderRuling(t *Table, at time.Duration, rest string) error {
	rest, who := signed(rest)
	switch rest {
	case "correct", "incorrect":
		return t.Rule(at, rest == "correct", who)
	}
	return fmt.Errorf("expected correct or incorrect, got %q", rest)
}

// signed takes the name of the person who gives an order from its end.
func signed(text string) (order, who string) {
	if i := strings.LastIndex(text, "by "); i == 0 || i > 0 && text[i-1] == ' ' {
		return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len("by "):])
	}
	return text, "arbiter"
}

// parsePlayer reads white or black.
func parsePlayer(text string) (clock.Player, error) {
	for _, p := range clock.Players {
		if text == p.String() {
			return p, nil
		}
	}
	return 0, fmt.Errorf("expected white or black, got %q", text)
}
