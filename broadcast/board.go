package broadcast

import (
	"fmt"
	"slices"
)

// Board is what is known of one table, as a snapshot carries it.
//
// A Board that left the owner goroutine is never written again: moves are only ever appended to, and
// every other edit of them works on a copy.
type Board struct {
	// Board is the table number, from 1.
	Board    int               `json:"board"`
	Tags     map[string]string `json:"tags,omitempty"`
	StartFEN string            `json:"start_fen"`
	Moves    []Move            `json:"moves"`
	// FEN is the position after the last move.
	FEN string `json:"fen"`
	clocks
	// Status is the link: waiting, live or lost.
	Status string `json:"status"`
	// StatusText says more about it, for people.
	StatusText string `json:"text,omitempty"`
	Result     string `json:"result"`
	// Game counts the games that have begun on the board since the hub began, from 1.
	Game int `json:"-"`

	version uint64 // the newest change that was more than a clock reading
}

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func newBoard(n int) Board {
	return Board{Board: n, StartFEN: startFEN, FEN: startFEN, Moves: []Move{}, Status: LinkWaiting, Result: "*"}
}

// apply brings b up to date with c, which has passed check. An error leaves b as it was.
func (b *Board) apply(c *Change) error {
	switch c.Type {
	case TypeGame:
		status, text, game := b.Status, b.StatusText, b.Game
		*b = newBoard(b.Board)
		b.Game = game + 1
		b.Status, b.StatusText = status, text
		b.Tags, b.StartFEN, b.FEN = c.Tags, c.FEN, c.FEN
	case TypeTags:
		b.Tags = c.Tags
	case TypeMove:
		if c.Ply != len(b.Moves)+1 {
			return b.plyError(c, len(b.Moves)+1)
		}
		b.Moves = append(b.Moves, Move{Ply: c.Ply, SAN: c.SAN, UCI: c.UCI, ClockMS: c.ClockMS, AtMS: c.AtMS})
		b.FEN = c.FEN
	case TypeReplace, TypeRetract:
		if c.Ply < 1 || c.Ply > len(b.Moves)+1 {
			return b.plyError(c, len(b.Moves)+1)
		}
		// A copy: whoever holds an older snapshot still reads the old moves.
		b.Moves = append(slices.Clone(b.Moves[:c.Ply-1]), c.Moves...)
		b.FEN = c.FEN
	case TypeClock:
		if c.Ply != 0 {
			if c.Ply < 1 || c.Ply > len(b.Moves) {
				return b.plyError(c, len(b.Moves))
			}
			b.Moves = slices.Clone(b.Moves)
			b.Moves[c.Ply-1].ClockMS = c.ClockMS
		}
		b.clocks.apply(c)
	case TypeResult:
		b.Result = c.Result
		b.clocks.apply(c)
	case TypeStatus:
		b.Status, b.StatusText = c.Status, c.Text
		if c.Status == LinkBack {
			b.Status = LinkLive
		}
	}
	return nil
}

func (b *Board) plyError(c *Change, want int) error {
	return fmt.Errorf("%w: board %d, %s: expected at most ply %d, got %d", ErrPly, b.Board, c.Type, want, c.Ply)
}
