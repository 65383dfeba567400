package venue

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/rules"
)

// beat is how often time passes for a table when nothing comes from its board:
// what becomes sure by rest alone is published this late at most.
const beat = 50 * time.Millisecond

// idle is how long a table is watched beat by beat after the last input; by
// then everything that rest can settle has settled.
const idle = 15 * time.Second

// Playback runs a tape through a Table, its time taken from the tape.
type Playback struct {
	Table *Table
	now   time.Duration
}

// NewPlayback makes the table of a tape; what options leave open the tape's header may say.
func NewPlayback(h tape.Header, o TableOptions) (*Playback, error) {
	if o.Start == nil {
		if fen := h.Get("fen"); fen != "" {
			p, err := rules.ParseFEN(fen)
			if err != nil {
				return nil, fmt.Errorf("header fen: %w", err)
			}
			o.Start = &p
		}
	}
	if o.WhiteSide == nil {
		if side := h.Get("white_side"); side != "" {
			s, err := ParseSide(side)
			if err != nil {
				return nil, fmt.Errorf("header white_side: %w", err)
			}
			o.WhiteSide = &s
		}
	}
	return &Playback{Table: NewTable(o)}, nil
}

// ErrOrder is wrapped by the error about an order on a tape that cannot be obeyed.
var ErrOrder = errors.New("order not understood")

// Play takes one event of the tape, letting the time up to it pass first.
func (p *Playback) Play(e tape.Event) error {
	p.pass(e.At)
	switch e.Kind {
	case tape.Received:
		p.Table.Received(e.At, e.Data)
	case tape.Link:
		p.Table.Link(e.At, e.Text == tape.LinkUp)
	case tape.Order:
		return p.order(e.At, e.Text)
	}
	return nil
}

// End finishes the game as it stands at the end of the tape.
func (p *Playback) End() { p.Table.Finish(p.now) }

func (p *Playback) pass(to time.Duration) {
	for at := p.now.Truncate(beat) + beat; at < to && at < p.now+idle; at += beat {
		p.Table.Advance(at)
	}
	p.now = max(p.now, to)
}

func (p *Playback) order(at time.Duration, text string) error {
	verb, rest, _ := strings.Cut(text, " ")
	switch verb {
	case "clock-side":
		side, err := ParseSide(rest)
		if err != nil {
			return fmt.Errorf("%w: clock-side: %w", ErrOrder, err)
		}
		p.Table.ClockSide(side)
	case "result":
		r, err := rules.ParseResult(rest)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrOrder, err)
		}
		p.Table.Result(at, r)
	case "newgame":
		start := rules.Start()
		if rest != "" && rest != "startpos" {
			var err error
			if start, err = rules.ParseFEN(rest); err != nil {
				return fmt.Errorf("%w: newgame: %w", ErrOrder, err)
			}
		}
		p.Table.NewGame(at, start)
	case "restart":
		p.Table.Restart(at)
	case "end":
		p.Table.Finish(at)
	case "tc", "set-clock", "beep":
		// These go down to the clock. The table learns from the board's answers what came of them.
	default:
		return fmt.Errorf("%w: expected newgame, result, tc, clock-side, set-clock, beep, restart or end, got %q", ErrOrder, verb)
	}
	return nil
}

// ParseSide reads a side of the clock, seen from its front.
func ParseSide(text string) (dgt.Side, error) {
	switch text {
	case ClockLeft:
		return dgt.Left, nil
	case ClockRight:
		return dgt.Right, nil
	}
	return 0, fmt.Errorf("expected %s or %s, got %q", ClockLeft, ClockRight, text)
}
