package rules

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ClaimKind is what a player claims a draw by.
type ClaimKind uint8

// The claims of the Laws.
const (
	ThreefoldClaim ClaimKind = iota // 9.2
	FiftyClaim                      // 9.3
)

// String is "threefold" or "fifty".
func (k ClaimKind) String() string { return [...]string{"threefold", "fifty"}[k&1] }

// ParseClaimKind reads what String writes.
func ParseClaimKind(text string) (ClaimKind, error) {
	switch text {
	case "threefold":
		return ThreefoldClaim, nil
	case "fifty":
		return FiftyClaim, nil
	}
	return ThreefoldClaim, fmt.Errorf("expected a claim (threefold or fifty), got %q", clip(text))
}

// Article is the article a claim rests on: with a move that is written and
// declared, or of the position as it stands.
func (k ClaimKind) Article(e Edition, intended bool) string {
	suffixes := [2]string{".2", ".1"}
	switch {
	case e == Laws2005:
		suffixes = [2]string{"b", "a"}
	case e == Laws2018 && k == ThreefoldClaim:
		suffixes = [2]string{".1.2", ".1.1"}
	}
	article := [...]string{"9.2", "9.3"}[k&1]
	if intended {
		return article + suffixes[1]
	}
	return article + suffixes[0]
}

// ClaimStep is one thing that happens to a claim.
type ClaimStep string

// The steps. A claim is open until it is ruled on or the draw accepted; it cannot
// be withdrawn (Laws 9.5.1).
const (
	ClaimOpened    ClaimStep = "opened"    // by the player
	ClaimPaused    ClaimStep = "paused"    // the clocks stand
	ClaimCorrect   ClaimStep = "correct"   // the arbiter's ruling: drawn
	ClaimIncorrect ClaimStep = "incorrect" // the arbiter's ruling: the game goes on
	ClaimAccepted  ClaimStep = "accepted"  // the opponent took it as the draw offer it is (9.1.2.3)
)

// ClaimFact is one step with its time and who took it.
type ClaimFact struct {
	Step ClaimStep     `json:"step"`
	At   time.Duration `json:"at_ns"` // session time
	Who  string        `json:"who"`   // as the order named him: "arbiter Novak", "white"
}

// ClaimRequest is what a player says.
type ClaimRequest struct {
	By       Color
	Kind     ClaimKind
	Ply      int  // the position it was said in: the number of plies then
	Intended Move // the move written and declared, NullMove for the position as it stands
}

// Claim is a claim of a draw and what became of it. Nothing in it ends a game:
// the arbiter's ruling gives a Consequence, and that is for others to carry out.
type Claim struct {
	ClaimRequest
	IntendedSAN string // "" without a move
	Facts       []ClaimFact
}

// Why a step of a claim is not possible. errors.Is finds them.
var (
	ErrNotHisMove  = errors.New("only the player who has the move may claim")
	ErrMovedSince  = errors.New("a move has been made since")
	ErrNoSuchPly   = errors.New("the game has not come so far")
	ErrGameOver    = errors.New("the game is over")
	ErrClaimOpen   = errors.New("another claim is open")
	ErrClaimRuled  = errors.New("the claim has been decided")
	ErrClaimPaused = errors.New("the clocks are already paused for it")
	ErrNoAgreement = errors.New("the event's rules do not let players agree on a draw now")
)

// OpenClaim takes a claim down. Whether it is right is not asked here: a wrong
// claim is a claim too, and costs. earlier are the claims of this game so far.
// Errors: ErrNoSuchPly, ErrMovedSince, ErrNotHisMove, ErrGameOver, ErrClaimOpen, and
// ErrIllegalMove for the intended move.
func OpenClaim(g *Game, r ClaimRequest, earlier []*Claim, e Edition, at time.Duration, who string) (*Claim, error) {
	fail := func(err error) (*Claim, error) {
		return nil, fmt.Errorf("claim of %s (%s) after ply %d: %w", r.By, r.Kind, r.Ply, err)
	}
	switch {
	case r.Ply < 0 || r.Ply > g.Len():
		return fail(fmt.Errorf("expected 0 to %d plies: %w", g.Len(), ErrNoSuchPly))
	case r.Ply < g.Len():
		return fail(fmt.Errorf("%w: %s", ErrMovedSince, g.Numbered(r.Ply+1)))
	case g.Result != Unfinished:
		return fail(fmt.Errorf("%w: %s", ErrGameOver, g.Result))
	case slices.ContainsFunc(earlier, func(c *Claim) bool { return !c.Decided() }):
		return fail(ErrClaimOpen)
	}
	p := g.Current()
	rights := g.Claims(r.Ply)
	switch {
	case rights.End != Playing:
		return fail(fmt.Errorf("%w: %s", ErrGameOver, rights.End))
	case rights.Over(e):
		return fail(fmt.Errorf("%w: drawn by 9.6", ErrGameOver))
	case p.turn != r.By:
		return fail(ErrNotHisMove)
	case r.Intended != NullMove && !p.IsLegal(r.Intended):
		return fail(fmt.Errorf("the intended move %s: %w", r.Intended, ErrIllegalMove))
	}
	c := &Claim{ClaimRequest: r, Facts: []ClaimFact{{ClaimOpened, at, who}}}
	if r.Intended != NullMove {
		c.IntendedSAN = p.SAN(r.Intended)
	}
	return c, nil
}

// Last is the step taken last.
func (c *Claim) Last() ClaimStep { return c.Facts[len(c.Facts)-1].Step }

// Decided reports whether the claim has been ruled on, or the draw accepted.
func (c *Claim) Decided() bool {
	last := c.Last()
	return last != ClaimOpened && last != ClaimPaused
}

func (c *Claim) step(s ClaimStep, at time.Duration, who string) error {
	if c.Decided() {
		return fmt.Errorf("claim of %s after ply %d: expected an open claim to be %s, it is %s: %w", c.By, c.Ply, s, c.Last(), ErrClaimRuled)
	}
	if s == c.Last() {
		return fmt.Errorf("claim of %s after ply %d: %w", c.By, c.Ply, ErrClaimPaused)
	}
	c.Facts = append(c.Facts, ClaimFact{s, at, who})
	return nil
}

// Pause notes that the clocks stand for this claim (Laws 9.5.1). Where the clocks
// are not in boardd's hands the step may be left out. Errors: ErrClaimRuled, ErrClaimPaused.
func (c *Claim) Pause(at time.Duration, who string) error { return c.step(ClaimPaused, at, who) }

// Consequence is what follows from a decided claim.
type Consequence struct {
	Result  Result        `json:"result"`             // Draw, or Unfinished when the game goes on
	TimeTo  Color         `json:"time_to"`            // who gets time, if Time > 0
	Time    time.Duration `json:"time_ns"`            // added to his clock
	Play    Move          `json:"-"`                  // the move that must be played, NullMove for none
	PlaySAN string        `json:"play_san,omitempty"` // the same for people
	Article string        `json:"article"`
	Words   string        `json:"words"`
}

// Rule is the arbiter's ruling (Laws 9.5.2, 9.5.3). The error wraps ErrClaimRuled.
func (c *Claim) Rule(correct bool, r Rules, at time.Duration, who string) (Consequence, error) {
	step := ClaimIncorrect
	if correct {
		step = ClaimCorrect
	}
	if err := c.step(step, at, who); err != nil {
		return Consequence{}, err
	}
	if correct {
		return Consequence{Result: Draw, Article: r.Edition.ruledArticle(true), Words: "the game is drawn at once"}, nil
	}
	added := r.WrongClaimTime()
	to := c.By.Other()
	con := Consequence{Result: Unfinished, TimeTo: to, Time: added, Play: c.Intended, PlaySAN: c.IntendedSAN, Article: r.Edition.ruledArticle(false),
		Words: fmt.Sprintf("%s gets %s more; the game goes on", to.Name(), InMinutes(added))}
	if c.Intended != NullMove {
		con.Words += fmt.Sprintf(" and %s must play %s", c.By.Name(), c.IntendedSAN)
	}
	return con, nil
}

// Accept is the opponent agreeing to a draw instead: a claim counts as an offer
// (Laws 9.1.2.3), where offers are allowed. Errors: ErrClaimRuled, ErrNoAgreement.
func (c *Claim) Accept(g *Game, rule DrawRule, at time.Duration, who string) (Consequence, error) {
	if !rule.MayAgree(g) {
		return Consequence{}, fmt.Errorf("draw rule %s: %w", rule, ErrNoAgreement)
	}
	if err := c.step(ClaimAccepted, at, who); err != nil {
		return Consequence{}, err
	}
	return Consequence{Result: Draw, Article: "9.1.2.3", Words: "the opponent accepts the draw"}, nil
}

// Kept reports whether the player has kept to an intended move after an incorrect
// claim; known is false while he has not moved, and where nothing binds him.
func (c *Claim) Kept(g *Game) (kept, known bool) {
	if c.Last() != ClaimIncorrect || c.Intended == NullMove || g.Len() <= c.Ply {
		return false, false
	}
	return g.Ply(c.Ply+1).Move == c.Intended, true
}

// Verdict is what the record says of a claim. The arbiter rules.
type Verdict struct {
	Correct  bool   `json:"correct"`
	Provable bool   `json:"provable"` // false: a gap may hide what would make it correct
	Words    string `json:"words"`
}

// Verdict looks the claim up in the record as it now stands.
func (c *Claim) Verdict(g *Game) Verdict {
	if c.Ply > g.Len() {
		return Verdict{Words: "the position of the claim is no longer in the record"}
	}
	if c.Kind == FiftyClaim {
		return c.fiftyVerdict(g)
	}
	return c.threefoldVerdict(g)
}

func (c *Claim) threefoldVerdict(g *Game) Verdict {
	rights := g.Claims(c.Ply)
	count, miss, near := rights.Count, NearMiss{}, false
	what := "the position has stood "
	if c.Intended == NullMove {
		miss, near = g.NearMiss(c.Ply)
	} else {
		count = len(g.OccurrencesAfter(c.Ply, c.Intended)) + 1
		miss, near = g.NearMissAfter(c.Ply, c.Intended)
		what = "after " + g.NumberedMove(c.Ply, c.Intended) + " the position would have stood "
	}
	v := Verdict{Correct: count >= 3, Words: what + times(count)}
	v.Provable = v.Correct || !rights.CountAtLeast
	switch {
	case near:
		v.Words = g.Explain(miss)
	case !v.Provable:
		v.Words = what + "at least " + times(count) + "; the record has a gap, or begins in mid-game"
	}
	return v
}

func (c *Claim) fiftyVerdict(g *Game) Verdict {
	rights := g.Claims(c.Ply)
	count, what := rights.Halfmoves, "half-moves without capture and pawn move"
	if c.Intended != NullMove {
		if !g.positions[c.Ply].isQuiet(c.Intended) {
			return Verdict{Provable: true, Words: g.NumberedMove(c.Ply, c.Intended) + " is a capture or a pawn move"}
		}
		count++
		what += ", " + g.NumberedMove(c.Ply, c.Intended) + " included"
	}
	v := Verdict{Correct: count >= fiftyMoves, Words: fmt.Sprintf("%d %s; %d are needed", count, what, fiftyMoves)}
	v.Provable = v.Correct || !rights.HalfmovesAtLeast
	if !v.Provable {
		v.Words = "at least " + v.Words + "; a gap hides the last capture or pawn move"
	}
	return v
}

// ruledArticle is where the consequence of a ruling stands.
func (e Edition) ruledArticle(correct bool) string {
	switch {
	case e == Laws2005 && correct:
		return "9.5a"
	case e == Laws2005:
		return "9.5b"
	case correct:
		return "9.5.2"
	}
	return "9.5.3"
}

// InMinutes says a short time as arbiters do.
func InMinutes(d time.Duration) string {
	switch {
	case d == time.Minute:
		return "1 minute"
	case d%time.Minute == 0:
		return fmt.Sprintf("%d minutes", d/time.Minute)
	}
	return fmt.Sprintf("%d seconds", d/time.Second)
}
