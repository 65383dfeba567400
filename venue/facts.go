package venue

import (
	"boardd/broadcast"
	"boardd/journal"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// facts of a table go to the journal in the order in which they happened; what is
// published of them waits until they are durable.

// Facts returns what has happened since the last call, in order.
func (t *Table) Facts() []journal.Fact {
	f := t.facts
	t.facts = nil
	return f
}

// record notes what an event of the tracker did to the game g, which begins after so
// many half-moves of the record.
func (t *Table) record(e reconstruct.Event, g *rules.Game, before int) {
	switch e.Kind {
	case reconstruct.Move:
		t.fact(journal.PlyOf(g, e.Ply-before, before))
	case reconstruct.Retract:
		t.fact(journal.Retracted{N: e.Ply, Who: journal.Tracker, KeepSetup: e.Segment})
	case reconstruct.Segment:
		t.fact(journal.Setup{After: e.Ply, FEN: e.Start.FEN()})
	case reconstruct.Clock:
		t.fact(journal.Clock{N: e.Ply, Left: e.Clock})
	case reconstruct.Firm:
		t.fact(journal.Firm{N: e.Ply})
	case reconstruct.NewGame:
		t.fact(journal.Begun{FEN: e.Start.FEN()})
	case reconstruct.Alert, reconstruct.Result: // as they are published
	}
}

func (t *Table) fact(f journal.Fact) { t.facts = append(t.facts, f) }

// Who gives orders that no arbiter gave.
const (
	byOperator = "operator" // a person or a program at this machine
	byBoardd   = "boardd"   // the daemon itself
)

// claimStep notes a step of a claim before it is ruled on.
func (t *Table) claimStep(c *rules.Claim, words string) {
	_, before := t.present()
	t.fact(journal.Claim{Code: claimCode(c), By: c.By, Step: string(c.Last()), N: c.Ply + before, Text: words})
}

func claimCode(c *rules.Claim) string { return "claim." + c.Kind.String() }

// told is the fact of a change that is one by itself: an alert, or a result. who gave
// the order that is being carried out, if any.
func told(c broadcast.Change, who string) (journal.Fact, bool) {
	switch c.Type {
	case broadcast.TypeAlert:
		step := journal.Raised
		if c.Cleared {
			step = journal.Cleared
		}
		detail := c.Detail
		if c.Text != "" {
			detail += ": " + c.Text
		}
		return journal.Alert{Code: c.Code, Step: step, N: c.Ply, Detail: detail, Tape: c.Tape, Event: c.Event}, true
	case broadcast.TypeResult:
		if who == "" || who == byBoardd {
			who = journal.Tracker
		}
		return journal.Result{Result: rules.Result(c.Result), Who: who}, true
	}
	return nil, false
}
