package players

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
)

// Pair is two players at one emulated board. All times are the board's.
type Pair struct {
	Board *emulator.Device
	// White is the side of the clock that shows White's time.
	White dgt.Side
	// Base and Increment are what both sides of the clock are set to.
	Base, Increment time.Duration
	// Think is the median time for a move; openings go faster, some moves take long.
	Think time.Duration
	Rand  *rand.Rand
}

// SetUp puts the men of a position on the board and sets the clock.
func (p *Pair) SetUp(ctx context.Context, start *rules.Position) error {
	err := p.Board.Do(ctx, func(h *emulator.Hands) {
		h.SetUp(Placement(start.Board()))
		h.Wait(3 * time.Second)
	})
	if err != nil {
		return err
	}
	setting := emulator.Fischer(p.Base, p.Increment, p.White)
	if start.Turn() == rules.Black {
		setting.Lever = p.White.Other()
	}
	return p.Board.With(ctx, func(b *emulator.Board) { b.SetClock(setting) })
}

// Play starts the clock and plays the moves of a game on the board, which shows
// its start. It returns when the last move has been pressed, or stands as mate.
func (p *Pair) Play(ctx context.Context, g *rules.Game) error {
	err := p.Board.Do(ctx, func(h *emulator.Hands) {
		h.Wait(2 * time.Second)
		h.StartStop()
	})
	for n := 0; n < g.Len() && err == nil; n++ {
		think, over := p.think(n), false
		if n == g.Len()-1 {
			last := g.Current()
			over = !last.HasLegalMove()
		}
		if err = p.rest(ctx, g.PositionAt(n).Turn(), &think); err != nil {
			break
		}
		err = p.Board.Do(ctx, func(h *emulator.Hands) {
			h.Wait(think)
			Move(h, g.PositionAt(n), g.Ply(n+1).Move)
			if over {
				return // nobody presses then
			}
			h.Wait(p.between(500*time.Millisecond, 1200*time.Millisecond))
			h.Press()
		})
	}
	return err
}

// think is how long the player thinks about ply n, from 0.
func (p *Pair) think(n int) time.Duration {
	usual := float64(p.Think)
	if n < 10 {
		usual *= 0.35
	}
	return time.Duration(usual * math.Exp(0.8*p.Rand.NormFloat64()))
}

// rest keeps a thinking time within what the clock still has.
func (p *Pair) rest(ctx context.Context, turn rules.Color, think *time.Duration) error {
	side := p.White
	if turn == rules.Black {
		side = side.Other()
	}
	return p.Board.With(ctx, func(b *emulator.Board) {
		c := b.Clock()
		*think = min(*think, c.Face(side).Time/8)
	})
}

// End stops the clock and shows the result, with the kings on the centre squares
// unless the board shows the end itself (dgt-protocol, section 8.1). It returns after
// the sign has stood long enough to be read.
func (p *Pair) End(ctx context.Context, g *rules.Game) error {
	return p.Board.Do(ctx, func(h *emulator.Hands) {
		h.Wait(p.between(2500*time.Millisecond, 4*time.Second))
		h.StartStop()
		h.Wait(p.between(2*time.Second, 4*time.Second))
		if last := g.Current(); last.HasLegalMove() && g.Result != rules.Unfinished {
			kings(h, last, g.Result)
		}
		h.Wait(6 * time.Second)
	})
}

// kings puts both kings on the centre squares that stand for a result: the light
// ones for White, the dark ones for Black, one of each for a draw. Men in the way are
// taken off.
func kings(h *emulator.Hands, p *rules.Position, r rules.Result) {
	white, black := "e4", "e5"
	switch r {
	case rules.WhiteWins:
		black = "d5"
	case rules.BlackWins:
		white = "d4"
	}
	men := *p.Board()
	for _, k := range [2]struct {
		color  rules.Color
		target string
	}{{rules.White, white}, {rules.Black, black}} {
		from := p.KingSquare(k.color)
		to, _ := rules.ParseSquare(k.target)
		if from == to {
			continue
		}
		if men[to] != rules.NoPiece && men[to].Role() != rules.King {
			h.Remove(square(to))
			h.Wait(300 * time.Millisecond)
		}
		h.Move(square(from), square(to))
		h.Wait(600 * time.Millisecond)
	}
}

// between is some time from least to most.
func (p *Pair) between(least, most time.Duration) time.Duration {
	return least + time.Duration(p.Rand.Int64N(int64(most-least)))
}
