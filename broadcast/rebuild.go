package broadcast

import "slices"

// NewBoard is a board of which nothing has been heard.
func NewBoard(n int) Board { return newBoard(n) }

// Apply brings b up to date with c. The error wraps one of those of a [Change] that cannot be
// applied, and leaves b as it was. Alerts and claims change nothing.
func (b *Board) Apply(c Change) error {
	if err := c.check(); err != nil {
		return err
	}
	if !c.onBoard() {
		return nil
	}
	return b.apply(&c)
}

// Changes are what makes a new board into b, for a hub that begins with what was known.
// Moves come as one replacement, since b has the position after the last one only.
func (b *Board) Changes() []Change {
	all := []Change{{Type: TypeGame, Board: b.Board, FEN: b.StartFEN, Tags: b.Tags}}
	if len(b.Moves) > 0 {
		all = append(all, Change{Type: TypeReplace, Board: b.Board, Ply: 1, Moves: slices.Clone(b.Moves), FEN: b.FEN})
	}
	if b.WhiteMS != nil || b.BlackMS != nil {
		all = append(all, Change{Type: TypeClock, Board: b.Board, WhiteMS: b.WhiteMS, BlackMS: b.BlackMS, Running: b.Running, TimeMS: b.TimeMS})
	}
	if b.Result != "*" {
		all = append(all, Change{Type: TypeResult, Board: b.Board, Result: b.Result, TimeMS: b.TimeMS})
	}
	if b.Status != LinkWaiting || b.StatusText != "" {
		all = append(all, Change{Type: TypeStatus, Board: b.Board, Status: b.Status, Text: b.StatusText})
	}
	return all
}
