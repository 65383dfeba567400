package venue

import (
	"strings"

	"boardd/broadcast"
	"boardd/journal"
	"boardd/rules"
)

// Retelling turns facts of the journal back into the changes that were published of
// them, for those who were not there: the public after a restart, a hub elsewhere. What
// is not a fact, the readings of clocks between presses, is not told again; the clocks at
// each press are, with whose clock runs then.
type Retelling struct{ tables map[int]*retold }

// retold is what a table's changes refer to: the positions of its record.
type retold struct {
	start string
	after []string       // FEN after each half-move
	face  []*int64       // the mover's clock right after each, in ms
	setup map[int]string // FEN that play goes on from after so many half-moves
}

// Tell tells what facts of one moment, in order, were published as.
func (r *Retelling) Tell(facts ...journal.Entry) []broadcast.Change {
	var news []broadcast.Change
	for _, e := range facts {
		if c, told := r.change(e); told {
			c.Board, c.AtMS = e.Table, e.At.Milliseconds()
			news = append(news, c)
		}
	}
	return join(news)
}

func (r *Retelling) change(e journal.Entry) (c broadcast.Change, told bool) {
	if r.tables == nil {
		r.tables = map[int]*retold{}
	}
	t := r.tables[e.Table]
	if t == nil {
		t = &retold{setup: map[int]string{}}
		r.tables[e.Table] = t
	}
	switch f := e.Fact.(type) {
	case journal.Begun:
		*t = retold{start: f.FEN, setup: map[int]string{}}
		return broadcast.Change{Type: broadcast.TypeGame, FEN: f.FEN, Tags: tagMap(f.Tags)}, true
	case journal.Tagged:
		return broadcast.Change{Type: broadcast.TypeTags, Tags: tagMap(f.Tags)}, true
	case journal.Ply:
		if f.N < 1 || f.N > len(t.after)+1 {
			return c, false // facts are missing
		}
		t.cut(f.N, true)
		t.after, t.face = append(t.after, f.FEN), append(t.face, nil)
		return broadcast.Change{Type: broadcast.TypeMove, Ply: f.N, SAN: f.SAN, UCI: f.UCI, FEN: f.FEN}, true
	case journal.Retracted:
		if f.N < 1 || f.N > len(t.after)+1 {
			return c, false
		}
		t.cut(f.N, f.KeepSetup)
		return broadcast.Change{Type: broadcast.TypeRetract, Ply: f.N, FEN: t.now()}, true
	case journal.Setup:
		t.setup[f.After] = f.FEN
	case journal.Clock:
		if f.N >= 1 && f.N <= len(t.after) {
			t.face[f.N-1] = broadcast.MS(f.Left)
			return t.clock(f.N), true
		}
	case journal.Result:
		return broadcast.Change{Type: broadcast.TypeResult, Result: string(f.Result)}, true
	case journal.BoardSeen:
		return broadcast.Change{Type: broadcast.TypeStatus, Status: broadcast.LinkLive}, true
	case journal.Link:
		status := broadcast.LinkLost
		if f.Up {
			status = broadcast.LinkBack
		}
		return broadcast.Change{Type: broadcast.TypeStatus, Status: status, Text: f.Text}, true
	}
	return c, false
}

// cut ends the record before half-move n.
func (t *retold) cut(n int, keepSetup bool) {
	t.after, t.face = t.after[:n-1], t.face[:n-1]
	for after := range t.setup {
		if after > n-1 || after == n-1 && !keepSetup {
			delete(t.setup, after)
		}
	}
}

// clock is the press of half-move n. Of the last one it tells both clocks, the other's as it
// was when he had pressed, and who runs.
func (t *retold) clock(n int) broadcast.Change {
	c := broadcast.Change{Type: broadcast.TypeClock, Ply: n, ClockMS: t.face[n-1]}
	if n < 2 || n != len(t.after) || t.face[n-2] == nil {
		return c
	}
	if strings.Contains(t.after[n-1], " b ") { // White has moved
		c.WhiteMS, c.BlackMS, c.Running = t.face[n-1], t.face[n-2], broadcast.RunningBlack
	} else {
		c.WhiteMS, c.BlackMS, c.Running = t.face[n-2], t.face[n-1], broadcast.RunningWhite
	}
	return c
}

// now is the position at the end of the record.
func (t *retold) now() string {
	n := len(t.after)
	switch fen, is := t.setup[n]; {
	case is:
		return fen
	case n > 0:
		return t.after[n-1]
	}
	return t.start
}

func tagMap(tags rules.Tags) map[string]string {
	m := map[string]string{}
	for _, t := range tags {
		m[t.Name] = t.Value
	}
	return m
}
