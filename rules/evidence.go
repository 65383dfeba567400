package rules

import (
	"fmt"
	"time"
)

// Incident is something that befell the recording of a game: an outage, a
// correction, a gap. Its words are for an arbiter.
type Incident struct {
	At    time.Duration `json:"at_ns"` // session time
	Ply   int           `json:"ply"`   // plies of the record then
	Code  string        `json:"code"`  // alert code: "board.lost", "move.corrected", "record.gap"
	Words string        `json:"words"`
}

// ClockTimes are both clocks at one moment.
type ClockTimes struct {
	White    time.Duration `json:"white_ns"`
	Black    time.Duration `json:"black_ns"`
	HasWhite bool          `json:"has_white"`
	HasBlack bool          `json:"has_black"`
	Running  string        `json:"running"` // whose clock ran: "white", "black" or "" for none
}

// Surroundings is what the record of a game does not hold and evidence needs.
type Surroundings struct {
	Rules     Rules
	Clocks    ClockTimes // at the claim
	Incidents []Incident // of the whole game; those before the first occurrence are left out
	Touched   string     // what is known of a man touched since (Laws 9.4), "" for nothing
}

// Evidence is what an arbiter needs on the desk to rule on a claim (fact sheet
// 7.1), for screens and for a printed sheet. Plies count from the start, 0.
type Evidence struct {
	Event   string  `json:"event"`
	Site    string  `json:"site"`
	Date    string  `json:"date"`
	Round   string  `json:"round"`
	Board   string  `json:"board"`
	White   string  `json:"white"`
	Black   string  `json:"black"`
	Edition string  `json:"edition"`
	Class   Class   `json:"class"`
	Claim   Claimed `json:"claim"`
	OnMove  string  `json:"on_move"` // "white" or "black"
	Touched string  `json:"touched"`
	FEN     string  `json:"fen"` // of the position on the board at the claim
	Rights  string  `json:"rights"`

	Verdict     Verdict       `json:"verdict"`
	Over        string        `json:"over"` // why the game is drawn without a claim (9.6), "" when it is not
	Occurrences []Occurrence  `json:"occurrences"`
	Quiet       QuietMoves    `json:"quiet"`
	Clocks      ClockTimes    `json:"clocks"`
	Health      []Incident    `json:"health"`   // since the first occurrence, or the last capture or pawn move
	Penalty     time.Duration `json:"wrong_ns"` // to the opponent if the claim is ruled incorrect
	PenaltyFrom string        `json:"wrong_article"`
	Score       []ScoredMove  `json:"score"`
}

// Claimed is the claim itself.
type Claimed struct {
	By       string      `json:"by"`
	Kind     string      `json:"kind"`
	Article  string      `json:"article"`
	Ply      int         `json:"ply"`
	After    string      `json:"after"`    // the last move before it, as players name it
	Intended string      `json:"intended"` // "45...Re1", "" for the position as it stands
	Facts    []ClaimFact `json:"facts"`
}

// Occurrence is one time the men stood as in the claim.
type Occurrence struct {
	Ply      int    `json:"ply"`
	After    string `json:"after"` // "22.Nb5", "the start"
	OnMove   string `json:"on_move"`
	FEN      string `json:"fen"`
	Rights   string `json:"rights"`
	Counts   bool   `json:"counts"`   // the same position by Laws 9.2.3
	Why      string `json:"why"`      // why it does not count
	Intended bool   `json:"intended"` // not on the board: the declared move would bring it about
}

// QuietMoves is the count of a fifty-move claim. An intended move is not in it.
type QuietMoves struct {
	Last      string `json:"last"` // the last capture or pawn move: "20...h5", "" when none is in the record
	LastPly   int    `json:"last_ply"`
	White     int    `json:"white"` // moves White has completed since
	Black     int    `json:"black"`
	Halfmoves int    `json:"halfmoves"`
	AtLeast   bool   `json:"at_least"`
}

// ScoredMove is one numbered move of the score. A half that was not played, or
// not yet, has no SAN.
type ScoredMove struct {
	Number int        `json:"number"`
	White  ScoredHalf `json:"white"`
	Black  ScoredHalf `json:"black"`
}

// ScoredHalf is one ply of the score.
type ScoredHalf struct {
	SAN      string        `json:"san"`
	Ply      int           `json:"ply"`
	Clock    time.Duration `json:"clock_ns"`
	HasClock bool          `json:"has_clock"`
	Marked   bool          `json:"marked"` // an occurrence came about by it, or it was the last capture or pawn move
}

// Evidence gathers the evidence for a claim in this record. A Claim that nobody has
// opened, with the request only, asks what a claim would be worth. The claim's
// ply must be in the record.
func (g *Game) Evidence(c *Claim, s Surroundings) Evidence {
	n := c.Ply
	p := g.PositionAt(n)
	e := Evidence{
		Event: g.Tags.Get("Event"), Site: g.Tags.Get("Site"), Date: g.Tags.Get("Date"),
		Round: g.Tags.Get("Round"), Board: g.Tags.Get("Board"), White: g.Tags.Get("White"), Black: g.Tags.Get("Black"),
		Edition: s.Rules.Edition.String(), Class: s.Rules.Class,
		Claim:  Claimed{By: c.By.String(), Kind: c.Kind.String(), Article: c.Kind.Article(s.Rules.Edition, c.Intended != NullMove), Ply: n, After: g.Numbered(n), Facts: append([]ClaimFact{}, c.Facts...)},
		OnMove: p.turn.String(), Touched: s.Touched, FEN: p.FEN(), Rights: p.Rights(),
		Verdict: c.Verdict(g), Quiet: g.quietMoves(n), Clocks: s.Clocks,
		Penalty: s.Rules.WrongClaimTime(), PenaltyFrom: s.Rules.Edition.ruledArticle(false),
	}
	if rights := g.Claims(n); s.Rules.Edition != Laws2005 {
		switch {
		case rights.Fivefold:
			e.Over = "drawn without a claim: five times the same position (9.6.1)"
		case rights.SeventyFive:
			e.Over = "drawn without a claim: 75 moves by each without capture and pawn move (9.6.2)"
		}
	}
	if c.Intended != NullMove {
		e.Claim.Intended = g.NumberedMove(n, c.Intended)
	}
	since := e.Quiet.LastPly
	marked := map[int]bool{}
	if c.Kind == ThreefoldClaim {
		e.Occurrences = g.occurrencesFor(c)
		since = e.Occurrences[0].Ply
		for _, o := range e.Occurrences {
			marked[o.Ply] = true
		}
	} else {
		e.Occurrences = []Occurrence{}
		marked[since] = true
	}
	e.Health = g.healthSince(since, n, s.Incidents)
	e.Score = g.score(n, marked)
	return e
}

// occurrencesFor lists every time the men stood as in the claim, those that do
// not count too; the last is the one claimed.
func (g *Game) occurrencesFor(c *Claim) []Occurrence {
	n := c.Ply
	now := g.positions[n]
	self, intended := n, c.Intended != NullMove
	if intended {
		now, self = now.Play(c.Intended), n+1
	}
	list := []Occurrence{}
	for i := max(0, self-now.HalfmoveClock()); i < self; i++ {
		q := &g.positions[i]
		if q.board != now.board {
			continue
		}
		o := occurrence(q, i, g.Numbered(i))
		o.Why = differences(q, &now)
		if g.uncertain(i) {
			o.Why = "the order of the moves is not known here"
		}
		o.Counts = o.Why == ""
		list = append(list, o)
	}
	last := occurrence(&now, self, "")
	last.Counts, last.Intended = true, intended
	if last.After = g.Numbered(n); intended {
		last.After = g.NumberedMove(n, c.Intended)
	}
	return append(list, last)
}

func occurrence(p *Position, ply int, after string) Occurrence {
	return Occurrence{Ply: ply, After: after, OnMove: p.turn.String(), FEN: p.FEN(), Rights: p.Rights()}
}

// quietMoves counts for each player since the last capture or pawn move.
func (g *Game) quietMoves(n int) QuietMoves {
	count, atLeast := g.quietHalfmoves(n)
	q := QuietMoves{LastPly: max(0, n-count), Halfmoves: count, AtLeast: atLeast}
	if n-count > 0 {
		q.Last = g.Numbered(n - count)
	}
	q.White, q.Black = count/2, count/2
	if count%2 == 1 { // the player who moved last has one more
		if g.positions[n].turn == Black {
			q.White++
		} else {
			q.Black++
		}
	}
	return q
}

// healthSince is what an arbiter must know of the record from a ply to the claim.
func (g *Game) healthSince(since, n int, incidents []Incident) []Incident {
	list := []Incident{}
	for _, i := range incidents {
		if i.Ply >= since {
			list = append(list, i)
		}
	}
	unknown, provisional := 0, 0
	for i := max(since, 1); i <= n; i++ {
		if g.plies[i-1].OrderUnknown {
			unknown++
		}
		if !g.plies[i-1].Firm {
			provisional++
		}
	}
	if unknown > 0 {
		list = append(list, Incident{Ply: n, Code: "record.gap", Words: fmt.Sprintf("%d plies in an order that is not known", unknown)})
	}
	// The last ply before a claim is rarely firm, since no reply has confirmed it; more than that is worth a word.
	// A record read from a PGN has no firm plies at all.
	if provisional > 1 && g.FirmPlies() > 0 {
		list = append(list, Incident{Ply: n, Code: "record.provisional", Words: fmt.Sprintf("%d plies that neither a press nor a reply has confirmed", provisional)})
	}
	if g.positions[0].HalfmoveClock() > 0 && since == 0 {
		list = append(list, Incident{Code: "record.midgame", Words: "the record begins in mid-game"})
	}
	return list
}

// score is the game up to ply n by numbered moves.
func (g *Game) score(n int, marked map[int]bool) []ScoredMove {
	score := []ScoredMove{}
	for i := 1; i <= n; i++ {
		before, ply := &g.positions[i-1], g.plies[i-1]
		half := ScoredHalf{ply.SAN, i, ply.Clock, ply.HasClock, marked[i]}
		if before.turn == White || len(score) == 0 {
			score = append(score, ScoredMove{Number: before.FullmoveNumber()})
		}
		if before.turn == White {
			score[len(score)-1].White = half
		} else {
			score[len(score)-1].Black = half
		}
	}
	return score
}
