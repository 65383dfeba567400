package venue

import (
	"time"

	"boardd/journal"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// kept is a game as the journal has it, to go on with after the daemon was away.
type kept struct {
	record *journal.Record
	turned bool // the board stands with its connector on White's right
}

// keptOf reads what a table needs of a record; nil when the record is broken: what
// follows of it is not known then, and the board tells what stands there now.
func keptOf(r *journal.Record) *kept {
	if r == nil || r.Broken != "" {
		return nil
	}
	k := &kept{record: r}
	for _, e := range r.Entries {
		if a, is := e.Fact.(journal.Alert); is && a.Code == "board.rotated" && a.Step == journal.Raised {
			k.turned = !k.turned
		}
	}
	return k
}

// last is the game in progress.
func (k *kept) last() *rules.Game { return k.record.Parts[len(k.record.Parts)-1].Game }

// takeUp makes the table that was: its record, and a tracker that has seen the board
// as the record leaves it, with the line lost since. What the board shows when it
// answers again is then explained as after any outage.
func (t *Table) takeUp(k *kept) {
	parts := k.record.Parts
	t.game = parts[0].Game
	for _, p := range parts[1:] {
		t.segments = append(t.segments, segment{p.Before, p.Game})
	}
	t.before = k.record.Len()
	g := k.last()
	now := g.Current()
	t.tracker = reconstruct.New(*now)
	show := func(q rules.Square) rules.Square {
		if k.turned {
			return 63 - q
		}
		return q
	}
	var board rules.Placement
	for q, man := range now.Placement() {
		board[show(rules.Square(q))] = man
	}
	t.tracker.Dump(0, board)
	if r, known := clocksOf(g); known {
		t.clock = r
		t.tracker.Clock(0, r)
	}
	if n := g.Len(); n > 0 { // the man moved last: its landing is where the board's own log goes on
		m := g.Ply(n).Move
		to := m.To()
		if before := g.PositionAt(n - 1); before.IsCastling(m) {
			to, _, _ = before.CastlingSquares(m)
		}
		t.tracker.Square(0, show(to), rules.NoPiece)
		t.tracker.Square(0, show(to), now.PieceAt(to))
	}
	if r := k.record.Result; r != rules.Unfinished {
		t.game.Result = r
		t.tracker.Result(0, r)
	}
	t.tracker.Lost(0)
	t.tracker.Take() // nothing of this is news
	t.referee.look(g, 1)
	white := (g.Len() + 1) / 2
	if g.Start().Turn() == rules.Black {
		white = g.Len() / 2
	}
	t.keeper.checker.Given(white, g.Len()-white)
}

// clocksOf are both clocks after the last ply, as far as the record has them.
func clocksOf(g *rules.Game) (r reconstruct.Reading, known bool) {
	n := g.Len()
	if n < 2 || !g.Ply(n).HasClock || !g.Ply(n-1).HasClock {
		return r, false
	}
	mover := g.PositionAt(n - 1).Turn()
	faces := [2]time.Duration{}
	faces[mover], faces[mover.Other()] = g.Ply(n).Clock, g.Ply(n-1).Clock
	return reconstruct.Reading{White: faces[rules.White], Black: faces[rules.Black], Running: true, Connected: true, ToMove: mover.Other()}, true
}
