package rules

import (
	"fmt"
	"time"
)

// Ply is one half-move of a record, with what is known about its time. Times
// are session time (since the start of the recording) unless said otherwise.
type Ply struct {
	Move Move
	SAN  string // written by the Game

	Clock    time.Duration // mover's clock right after his press, if HasClock
	HasClock bool
	Spent    time.Duration // time used for the move, if HasSpent
	HasSpent bool

	At     time.Duration // when the ply was first published
	Firm   bool          // false: provisional, it may still change
	FirmAt time.Duration // when it became firm, if Firm

	OrderUnknown bool   // filled into a gap where more than one order of moves fits
	Comment      string // text of a PGN comment after the ply, without %clk and %emt
}

// Game is the record of one game: the start, the plies and the position after
// each of them. Plies are numbered from 1; position 0 is the start. Not safe
// for concurrent use.
type Game struct {
	Tags    Tags   // players, event and so on; Result, FEN, SetUp and Variant are written from the record
	Result  Result // Unfinished until somebody says otherwise; never set by a move
	Comment string // PGN comment before the first move

	plies     []Ply
	positions []Position // positions[n] is the position after ply n
	counts    repetitions
}

// NewGame is an empty record from that position.
func NewGame(start Position) *Game {
	g := &Game{Result: Unfinished, positions: append(make([]Position, 0, 128), start)}
	g.counts.push(start.key, false)
	return g
}

// Start is the start position. What the pointer points to never changes; read it only.
func (g *Game) Start() *Position { return &g.positions[0] }

// Len is the number of plies.
func (g *Game) Len() int { return len(g.plies) }

// Plies are all plies in order, ply n at index n-1: the record's own memory, to be read only.
func (g *Game) Plies() []Ply { return g.plies }

// Ply is ply n, 1 <= n <= Len.
func (g *Game) Ply(n int) Ply { return g.plies[n-1] }

// PositionAt is the position after ply n, 0 <= n <= Len, without a search. What
// the pointer points to never changes, whatever happens to the record; read it only.
func (g *Game) PositionAt(n int) *Position { return &g.positions[n] }

// Current is the position after the last ply.
func (g *Game) Current() *Position { return &g.positions[len(g.positions)-1] }

// Push adds moves. The first illegal one stops it with an error that wraps
// ErrIllegalMove; the moves before it stay.
func (g *Game) Push(moves ...Move) error {
	for _, m := range moves {
		if err := g.PushPly(Ply{Move: m}); err != nil {
			return err
		}
	}
	return nil
}

// PushPly adds a ply with its times; its SAN is written here.
func (g *Game) PushPly(ply Ply) error {
	now := g.Current()
	var legal MoveList
	now.LegalMoves(&legal)
	if !legal.Has(ply.Move) {
		return fmt.Errorf("ply %d: expected a legal move of %s, got %s: %w (FEN %s)", g.Len()+1, now.turn, ply.Move, ErrIllegalMove, now.FEN())
	}
	g.push(ply, &legal)
	return nil
}

// PushSAN adds a move as ParseSAN reads it.
func (g *Game) PushSAN(text string) error {
	now := g.Current()
	var legal MoveList
	now.LegalMoves(&legal)
	m, err := now.readSAN(text, &legal)
	if err != nil {
		return fmt.Errorf("ply %d: %w", g.Len()+1, err)
	}
	g.push(Ply{Move: m}, &legal)
	return nil
}

func (g *Game) push(ply Ply, legal *MoveList) {
	now := g.Current()
	ply.SAN = string(now.appendSAN(make([]byte, 0, 8), ply.Move, legal))
	g.add(ply, now.Play(ply.Move))
}

func (g *Game) add(ply Ply, after Position) {
	g.plies = append(g.plies, ply)
	g.positions = append(g.positions, after)
	g.counts.push(after.key, ply.OrderUnknown)
}

// cut takes back all plies from n on. The capacity is cut off, so a new line gets
// memory of its own: pointers given out by PositionAt keep seeing the old one.
func (g *Game) cut(n int) {
	for i := g.Len(); i >= n; i-- {
		g.counts.pop(g.positions[i].key)
	}
	g.plies, g.positions = g.plies[:n-1:n-1], g.positions[:n:n]
}

// ReplaceFrom makes moves the game from ply n on, 1 <= n <= Len+1; no moves take
// back. Leading plies that stay the same keep their times, all others start
// anew: whose clock stands after a corrected ply is for the caller to say. With
// an illegal move the record stays as it was.
func (g *Game) ReplaceFrom(n int, moves []Move) error {
	plies := make([]Ply, len(moves))
	same := true
	for i, m := range moves {
		at := n - 1 + i
		same = same && at >= 0 && at < len(g.plies) && g.plies[at].Move == m
		if plies[i].Move = m; same {
			plies[i] = g.plies[at]
		}
	}
	return g.ReplacePlies(n, plies)
}

// ReplacePlies is ReplaceFrom with the times of the new plies given by the caller.
func (g *Game) ReplacePlies(n int, replacement []Ply) error {
	if n < 1 || n > g.Len()+1 {
		return fmt.Errorf("replace: expected a ply from 1 to %d, got %d", g.Len()+1, n)
	}
	plies, positions := g.plies, g.positions
	g.cut(n)
	for _, ply := range replacement {
		if err := g.PushPly(ply); err != nil {
			g.cut(n)
			for i := n; i < len(positions); i++ {
				g.counts.push(positions[i].key, plies[i-1].OrderUnknown)
			}
			g.plies, g.positions = plies, positions
			return fmt.Errorf("replace: %w", err)
		}
	}
	return nil
}

// SetClock notes the mover's clock right after the press of ply n; no such ply, no effect.
func (g *Game) SetClock(n int, left time.Duration) {
	if n >= 1 && n <= g.Len() {
		g.plies[n-1].Clock, g.plies[n-1].HasClock = left, true
	}
}

// MakeFirm makes ply n and every ply before it firm, at that session time for those not firm before.
func (g *Game) MakeFirm(n int, at time.Duration) {
	for i := min(n, g.Len()) - 1; i >= 0; i-- {
		if p := &g.plies[i]; !p.Firm {
			p.Firm, p.FirmAt = true, at
		}
	}
}

// FirmPlies is the number of leading plies that are firm.
func (g *Game) FirmPlies() int {
	for i, p := range g.plies {
		if !p.Firm {
			return i
		}
	}
	return g.Len()
}

// Clone is a copy that shares nothing that can change.
func (g *Game) Clone() *Game {
	c := *g
	c.Tags = append(Tags(nil), g.Tags...)
	c.plies = append([]Ply(nil), g.plies...)
	c.positions = g.positions[:len(g.positions):len(g.positions)]
	c.counts = g.counts.clone()
	return &c
}
