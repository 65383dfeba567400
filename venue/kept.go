package venue

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"boardd/clock"
	"boardd/dgt"
	"boardd/journal"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// kept is a game as the journal has it, to go on with after the daemon was away.
type kept struct {
	record *journal.Record
	turned bool          // the board stands with its connector on White's right
	side   whiteSide     // of the clock
	unseen time.Duration // since something was last seen of it, by the calendar; 0 when that jumped
}

// keptOf reads what a table needs of a record; nil when the record is broken: what
// follows of it is not known then, and the board tells what stands there now. now is the
// calendar.
func keptOf(r *journal.Record, now time.Time) *kept {
	if r == nil || r.Broken != "" {
		return nil
	}
	k := &kept{record: r}
	if u := now.Sub(played(r)); u >= 0 { // else the calendar jumped
		k.unseen = u
	}
	for _, e := range r.Entries {
		switch f := e.Fact.(type) {
		case journal.Alert:
			if f.Code == "board.rotated" && f.Step == journal.Raised {
				k.turned = !k.turned
			}
		case journal.Order:
			if side, is := strings.CutPrefix(f.Text, "clock-side "); is {
				s, err := ParseSide(side)
				k.side = whiteSide{s, err == nil}
			}
		}
	}
	return k
}

// played is when something was last seen of the game. That a board was found does not
// count: the daemon may have ended before it had looked.
func played(r *journal.Record) time.Time {
	for _, e := range slices.Backward(r.Entries) {
		switch e.Fact.(type) {
		case journal.Begun, journal.Ply, journal.Retracted, journal.Clock, journal.Firm, journal.Setup, journal.Result:
			return e.Wall
		}
	}
	return r.Begun.Wall
}

// sideFact says which side of the clock is White's, in the words of the order.
func (t *Table) sideFact() journal.Order {
	side := ClockLeft
	if t.side.side == dgt.Right {
		side = ClockRight
	}
	return journal.Order{Who: journal.Tracker, Text: "clock-side " + side}
}

// A board's own log tells of an outage what nobody saw, and keeps the line busy for 8 s
// (dgt-protocol 7). So it is asked for only when needed.
const (
	// short is an outage in which no more was played than the one half-move that fits.
	short = 10 * time.Second
	// unpressed is an outage in which no men went there and back, where the clock was not
	// seen pressed after the last half-move and tells nothing.
	unpressed = 5 * time.Second
	// logPatience is how long a log that was asked for may take, what stands before it on
	// the line included; askPatience how long it may take to be asked for.
	logPatience = 20 * time.Second
	askPatience = 2 * time.Second
)

// askForLog has the board tell its own log when it came back and the record and what it
// shows do not tell enough of the time between.
func (t *Table) askForLog() {
	if !t.away {
		return
	}
	t.away = false
	g, _ := t.present()
	switch {
	case t.game.Result != rules.Unfinished:
	case t.tracker.Placement() == g.Current().Placement():
		t.unsure = g.Len() > 0 // the clock tells
	case t.needsLog(g, t.absence()):
		t.wantLog()
	}
}

func (t *Table) wantLog() {
	t.commands = append(t.commands, Command{t.at, dgt.SendLog()})
	t.tracker.AwaitLog(t.at, askPatience)
}

// absence is how long nobody has seen the board.
func (t *Table) absence() time.Duration { return t.unseen + t.at - t.awaySince }

// thereAndBack asks for the log when the board stands as the record has it, but the clock
// does not: a player who waits loses no time, and one who thinks loses all of it.
func (t *Table) thereAndBack(r clock.Reading) {
	if !t.unsure || !r.Connected {
		return
	}
	t.unsure = false
	g, _ := t.present()
	if !t.onlyThought(g, r) {
		t.wantLog()
	}
}

// onlyThought reports whether the clock may show what it does with nothing played since the
// last half-move of g.
func (t *Table) onlyThought(g *rules.Game, r clock.Reading) bool {
	const slack = 2500 * time.Millisecond // seconds shown, and the way of a message
	n := g.Len()
	last := g.Ply(n)
	thinks := g.Current().Turn()
	waits := thinks.Other()
	switch {
	case !last.HasClock: // nobody saw it pressed
		return t.absence() <= unpressed
	case colorOf(r.ToMove) != thinks, (r.Face(playerOf(waits)) - last.Clock).Abs() > time.Second:
		return false
	case n < 2 || !g.Ply(n-1).HasClock || !r.Running:
		return true
	}
	return (g.Ply(n-1).Clock - r.Face(playerOf(thinks)) - t.absence()).Abs() <= slack
}

// needsLog reports whether what the board shows after so long does not by itself tell
// what was played on g.
func (t *Table) needsLog(g *rules.Game, unseen time.Duration) bool {
	now, before := t.tracker.Placement(), g.Current()
	if unseen > short || t.unproven {
		return true
	}
	fits := 0
	var moves rules.MoveList
	before.LegalMoves(&moves)
	for _, m := range moves.Moves() {
		if after := before.Play(m); after.Placement() == now {
			fits++
		}
	}
	return fits != 1
}

// behindBoard reports whether more has been played than the record has, so that the lever
// says nothing of who has White.
func (t *Table) behindBoard() bool {
	return t.tookUp && (t.away || t.tracker.Awaits() || t.tracker.Placement() != t.game.Start().Placement())
}

// Sent notes a command that went to the board.
func (t *Table) Sent(at time.Duration, data []byte) {
	if log := dgt.SendLog(); bytes.Equal(data, log.AppendTo(nil)) {
		t.tracker.AwaitLog(at, logPatience)
		if t.tracker.Awaits() && !t.deaf {
			t.deaf = true
			t.keeper.deaf(at)
		}
	}
}

// hears goes on after the log: for the clock that was an outage.
func (t *Table) hears() {
	t.deaf = false
	t.keeper.link(t.at, true)
	if t.behind != nil {
		t.keeper.hear(t.at, *t.behind)
		t.behind = nil
	}
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
	t.tookUp, t.before, t.away, t.unseen = true, k.record.Len(), true, k.unseen
	if k.unseen == 0 {
		t.unseen = time.Hour // it may have been long
	}
	if k.side.known {
		t.side = k.side
	}
	g := k.last()
	if r, known := clocksAt(g, g.Len()); known {
		t.clock = r
	}
	resumed := reconstruct.Resumed{Last: rules.NoSquare, Turned: k.turned, Unseen: k.unseen}
	n := g.FirmPlies()
	if k.record.Result != rules.Unfinished {
		n = g.Len()
	}
	resumed.Firm = *g.PositionAt(n)
	if n > 0 { // its landing is where the board's own log goes on
		resumed.Last = reconstruct.LandingOf(g.PositionAt(n-1), g.Ply(n).Move)
	}
	if r, known := clocksAt(g, n); known {
		resumed.Clock = r
	}
	for i := n + 1; i <= g.Len(); i++ {
		resumed.Tail = append(resumed.Tail, g.Ply(i).Move)
	}
	if t.tracker, t.unproven = reconstruct.Resume(resumed); t.unproven {
		t.before -= len(resumed.Tail)
	}
	if r := k.record.Result; r != rules.Unfinished {
		t.game.Result = r
		t.tracker.Result(0, r)
		t.tracker.Take() // no news
	}
	t.recall(k.record)
	t.referee.look(g, 1)
	white := (g.Len() + 1) / 2
	if g.Start().Turn() == rules.Black {
		white = g.Len() / 2
	}
	if pressed, soft, ran := k.clockRun(); ran {
		t.keeper.goOn(0, pressed, soft)
		return
	}
	t.keeper.checker.Given(white, g.Len()-white)
}

// clockRun tells whether boardd ran the clock, and after how many half-moves; soft: it
// had been told to leave a clock that refuses to people.
func (k *kept) clockRun() (halfMoves int, soft, ran bool) {
	for _, e := range k.record.Entries {
		switch f := e.Fact.(type) {
		case journal.Order:
			if how, is := strings.CutPrefix(f.Text, "set-clock"); is {
				soft, ran = strings.TrimSpace(how) == ClockAuto, true
			}
		case journal.Alert:
			if f.Step == journal.Raised && (f.Code == "clock.refused" || f.Code == "clock.set_failed") {
				ran = false
			}
		}
	}
	g := k.last()
	halfMoves = k.record.Len()
	if n := g.Len(); n > 0 && !g.Ply(n).HasClock {
		halfMoves-- // nobody saw it pressed
	}
	return halfMoves, soft, ran && halfMoves > 0 && k.record.Result == rules.Unfinished
}

// clocksAt are both clocks after ply n, as far as the record has them.
func clocksAt(g *rules.Game, n int) (r reconstruct.Reading, known bool) {
	if n < 2 || !g.Ply(n).HasClock || !g.Ply(n-1).HasClock {
		return r, false
	}
	mover := g.PositionAt(n - 1).Turn()
	faces := [2]time.Duration{}
	faces[mover], faces[mover.Other()] = g.Ply(n).Clock, g.Ply(n-1).Clock
	return reconstruct.Reading{White: faces[rules.White], Black: faces[rules.Black], Running: true, Connected: true, ToMove: mover.Other()}, true
}

// recall makes the referee know what he knew: claims and what became of them, and what
// went wrong. A claim about a position that the record no longer has is forgotten.
func (t *Table) recall(r *journal.Record) {
	n := 0
	for _, e := range r.Entries {
		switch f := e.Fact.(type) {
		case journal.Ply:
			n = f.N
		case journal.Retracted:
			n = f.N - 1
		case journal.Order:
			t.recallOrder(e.At, n, f.Text)
		case journal.Claim:
			if c := t.referee.open(); c != nil && f.Step == string(rules.ClaimPaused) {
				_ = c.Pause(e.At, byBoardd) // it stood already
			}
		case journal.Alert:
			if f.Step != journal.Raised {
				continue
			}
			t.referee.befell(e.At, f.N, f.Code, f.Detail)
			if g, before := t.part(f.N); f.Code == "move.illegal" && f.N-before >= 0 && f.N-before <= g.Len() {
				t.referee.illegal[g.PositionAt(f.N-before).Turn()]++
			}
		}
	}
}

// recallOrder is a claim, or a ruling, as it was ordered after so many half-moves.
func (t *Table) recallOrder(at time.Duration, n int, text string) {
	verb, rest, _ := strings.Cut(text, " ")
	rest, who := signed(rest)
	switch verb {
	case "ruling":
		if c := t.referee.open(); c != nil {
			_, _ = c.Rule(rest == "correct", t.rules(), at, who) // what followed is in the record
		}
	case "claim":
		g, before := t.present()
		if n -= before; n < 0 || n > g.Len() {
			return
		}
		then := g.Clone()
		then.Result = rules.Unfinished
		if n < g.Len() && then.ReplaceFrom(n+1, nil) != nil {
			return
		}
		if by, kind, san, err := parseClaim(rest); err == nil {
			_, _ = t.referee.claim(then, by, kind, san, at, who) // the position may be another one now
		}
	}
}
