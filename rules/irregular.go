package rules

import (
	"fmt"
	"time"
)

// IrregularityKind is what has gone wrong at a table.
type IrregularityKind uint8

// The irregularities boardd can see or is told of.
const (
	IllegalMove         IrregularityKind = iota // pressed with a placement no legal move explains
	PromotionIncomplete                         // pressed with the pawn on the last rank
	PressWithoutMove                            // pressed, and nothing moved
	WrongClaim                                  // a draw claim ruled incorrect
	ColoursReversed                             // the players have each other's colour
	FlagFallen                                  // one flag
	BothFlagsFallen                             // both, and nobody knows which first
	PlayerLate                                  // not at the board after the start
)

// String names the irregularity.
func (k IrregularityKind) String() string {
	return [...]string{"illegal move", "promotion not completed", "press without a move", "incorrect claim",
		"colours reversed", "flag fallen", "both flags fallen", "player late"}[k&7]
}

// Irregularity is one case, with what decides it. Fields that do not concern the
// kind are not looked at.
type Irregularity struct {
	Kind  IrregularityKind
	By    Color // the player at fault, or whose flag fell
	Count int   // illegal moves of this player with this one; incomplete promotions and idle presses are such too

	Moves int // completed by each player

	OpponentCannotMate bool // by any series of legal moves: see Position.CanMate
	LastPeriod         bool // no time control follows
	Increment          bool // the period has extra time a move, so a clock shows whose flag fell first

	Late    time.Duration // since the start of the session
	Default DefaultTime   // of the event
}

// DefaultTime is how late a player may come. The zero value is not stated.
type DefaultTime struct {
	Stated bool
	Never  bool          // the event lets no player lose by coming late
	After  time.Duration // 0: he must be there at the start
}

// limit fills in what the Laws say where the event says nothing: 0 minutes, one hour in 2005.
func (d DefaultTime) limit(e Edition) time.Duration {
	if !d.Stated && e == Laws2005 {
		return time.Hour
	}
	return d.After
}

// Proposal is what the Laws foresee. The arbiter decides.
type Proposal struct {
	Article        string        // "7.5.1, 7.5.5, A.3"
	Words          string        // for the arbiter
	TimeToOpponent time.Duration // 0 for none
	Loss           bool          // of the player at fault; turned into Draw where the opponent cannot mate
	Draw           bool

	// DrawIfCannotMate: the loss becomes a draw if the opponent cannot mate by any
	// series of legal moves. Where that is known, Draw says it.
	DrawIfCannotMate bool

	// ShowToArbiter is false where the Laws leave it to the players to claim and
	// forbid the arbiter to step in: then nobody is told.
	ShowToArbiter bool
}

// Propose looks up what the edition and class foresee (fact sheet 2.2, 2.3, 2.6).
func (r Rules) Propose(i Irregularity) Proposal {
	switch i.Kind {
	case IllegalMove, PromotionIncomplete, PressWithoutMove:
		return r.illegal(i)
	case WrongClaim:
		added := r.WrongClaimTime()
		return Proposal{Article: r.withAppendix(r.Edition.ruledArticle(false)), TimeToOpponent: added, ShowToArbiter: true,
			Words: fmt.Sprintf("%s to %s; an intended move must be played", InMinutes(added), i.By.Other().Name())}
	case ColoursReversed:
		return r.coloursReversed(i)
	case FlagFallen:
		return r.flag(i)
	case BothFlagsFallen:
		return r.bothFlags(i)
	}
	return r.late(i)
}

// withAppendix adds the article that halves the time penalties of the class.
func (r Rules) withAppendix(article string) string {
	switch {
	case r.Edition == Laws2023 && r.Class == Rapid:
		return article + ", A.3"
	case r.Edition == Laws2023 && r.Class == Blitz:
		return article + ", B.3"
	case r.Edition == Laws2018 && r.Class == Blitz:
		return article + ", B.2"
	}
	return article
}

func (r Rules) illegal(i Irregularity) Proposal {
	if r.Edition == Laws2005 {
		return r.illegal2005(i)
	}
	articles := map[IrregularityKind]string{IllegalMove: "7.5.1", PromotionIncomplete: "7.5.2", PressWithoutMove: "7.5.3"}
	p := Proposal{Article: articles[i.Kind] + ", 7.5.5", ShowToArbiter: true}
	remedy := map[IrregularityKind]string{
		IllegalMove:         "the position before it is set up again; the touched man binds",
		PromotionIncomplete: "the pawn becomes a queen",
		PressWithoutMove:    "counts as an illegal move",
	}[i.Kind]
	if i.Count >= 2 {
		p.lose(i, "second illegal move")
	} else {
		p.Article = r.withAppendix(p.Article)
		p.give(i, r.IllegalMoveTime(), "first illegal move")
	}
	p.Words += "; " + remedy
	if r.Class.fast() && !r.Overseen {
		p.Words += "; only before the opponent has made his next move"
	}
	return p
}

// illegal2005: two illegal moves cost time, the third the game. In rapid chess the
// arbiter acts on a claim only, but sees to a pawn left on the last rank; in blitz
// the opponent may claim the game.
func (r Rules) illegal2005(i Irregularity) Proposal {
	p := Proposal{Article: "7.4", ShowToArbiter: !r.Class.fast() || i.Kind == PromotionIncomplete}
	switch {
	case i.Kind == PressWithoutMove:
		p.Article, p.Words = "13.4", "the Laws of 2005 know no penalty but the arbiter's own; a warning is usual"
	case r.Class == Blitz:
		p.Article = "C3"
		p.lose(i, "if the opponent claims it before his own move")
	case i.Count >= 3:
		p.lose(i, "third illegal move")
	default:
		p.give(i, r.IllegalMoveTime(), [...]string{"first", "first", "second"}[max(0, i.Count)]+" illegal move")
	}
	if r.Class == Rapid && i.Kind != PressWithoutMove {
		p.Article += ", B5"
		if i.Kind == IllegalMove {
			p.Words += "; only if the opponent claims it before his own move"
		}
	}
	return p
}

// give and lose write the two penalties.
func (p *Proposal) give(i Irregularity, added time.Duration, why string) {
	p.TimeToOpponent = added
	p.Words = fmt.Sprintf("%s: %s to %s", why, InMinutes(added), i.By.Other().Name())
}

func (p *Proposal) lose(i Irregularity, why string) {
	p.DrawIfCannotMate = true
	if i.OpponentCannotMate {
		p.Draw = true
		p.Words = fmt.Sprintf("%s: drawn, since %s cannot mate by any series of legal moves", why, i.By.Other().Name())
		return
	}
	p.Loss = true
	p.Words = fmt.Sprintf("%s: %s loses; drawn if the opponent cannot mate by any series of legal moves", why, i.By.Name())
}

// coloursReversed: before ten moves by each the game starts anew since 2018.
func (r Rules) coloursReversed(i Irregularity) Proposal {
	p := Proposal{Article: "7.3", ShowToArbiter: true}
	switch {
	case r.Edition == Laws2005 && r.Class.fast() && i.Moves >= 3:
		p.Article, p.Words = "7.3, B3", "after three moves by each nothing is corrected: the game goes on"
	case r.Edition == Laws2005:
		p.Words = "the game goes on, unless the arbiter rules otherwise"
	case i.Moves < 10:
		p.Words = fmt.Sprintf("only %d moves by each: the game is stopped and a new one played with the right colours", i.Moves)
	default:
		p.Words = fmt.Sprintf("%d moves by each: the game goes on", i.Moves)
	}
	return p
}

// flag: rapid and blitz of 2005 leave a flag to the players; the arbiter must not signal it.
func (r Rules) flag(i Irregularity) Proposal {
	p := Proposal{Article: "6.9", ShowToArbiter: true}
	switch {
	case r.Edition == Laws2005 && r.Class.fast():
		p.Article, p.ShowToArbiter = "6.10, B6", false
	case r.Edition == Laws2005:
		p.Article = "6.10"
	case r.Edition == Laws2023 && r.Class.fast() && !r.Overseen:
		p.Article = "6.9, A.5.5"
	case r.Edition == Laws2018 && r.Class.fast() && !r.Overseen:
		p.Article = "6.9, A.4.5"
	}
	p.lose(i, "time")
	if !i.LastPeriod {
		p.Words += "; first see whether the moves of the time control have been made"
	}
	if !p.ShowToArbiter {
		p.Words += "; only on a player's claim, his own flag being up"
	}
	return p
}

// bothFlags: without extra time nobody may know whose flag fell first.
func (r Rules) bothFlags(i Irregularity) Proposal {
	p := Proposal{Article: "III.3", ShowToArbiter: true}
	drawn := i.LastPeriod
	switch {
	case r.Edition == Laws2005 && r.Class.fast():
		p.Article, drawn = "B8", true
	case r.Edition == Laws2005 && i.LastPeriod:
		p.Article = "10"
	case r.Edition == Laws2005:
		p.Article = "6.11"
	case i.Increment:
		p.Article, p.Words = "6.9", "with extra time for each move the clock shows whose flag fell first: that player has lost on time"
		return p
	}
	if p.Draw = drawn; drawn {
		p.Words = "drawn, if nobody can tell which flag fell first"
	} else {
		p.Words = "the game goes on, if nobody can tell which flag fell first"
	}
	if r.Edition != Laws2005 {
		p.Words += "; only if the event has announced Guidelines III"
	}
	return p
}

// late: a word before the default time, the loss after it.
func (r Rules) late(i Irregularity) Proposal {
	p := Proposal{Article: "6.7.1", ShowToArbiter: true}
	if r.Edition == Laws2005 {
		p.Article = "6.7"
	}
	limit := i.Default.limit(r.Edition)
	switch {
	case i.Late <= 0:
		p.Words = i.By.Name() + " is in time"
	case i.Default.Never:
		p.Words = fmt.Sprintf("%s is %s late; this event knows no default time", i.By.Name(), InMinutes(i.Late))
	case i.Late < limit:
		p.Words = fmt.Sprintf("%s is %s late and loses after %s", i.By.Name(), InMinutes(i.Late), InMinutes(limit))
	default:
		p.Loss = true
		p.Words = fmt.Sprintf("%s is %s late (default time %s) and loses, unless the arbiter decides otherwise", i.By.Name(), InMinutes(i.Late), InMinutes(limit))
	}
	return p
}
