package venue

import (
	"fmt"
	"time"

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
	if o.Controls == nil {
		if tc := h.Get("tc"); tc != "" {
			var err error
			if o.Controls, err = ReadControl(tc); err != nil {
				return nil, fmt.Errorf("header tc: %w", err)
			}
		}
	}
	var err error
	var laws EventConfig
	laws.Draws, laws.Edition = h.Get("draws"), h.Get("edition")
	if o.Regulations == (Regulations{}) {
		if o.Regulations, err = laws.regulations(nil); err != nil {
			return nil, fmt.Errorf("header: %w", err)
		}
	}
	return &Playback{Table: NewTable(o)}, nil
}

// Play takes one event of the tape, letting the time up to it pass first.
func (p *Playback) Play(e tape.Event) error {
	p.pass(e.At)
	switch e.Kind {
	case tape.Received:
		p.Table.Received(e.At, e.Data)
	case tape.Sent:
		p.Table.Sent(e.At, e.Data)
	case tape.Link:
		p.Table.Link(e.At, e.Text == tape.LinkUp)
	case tape.Order:
		if e.Text == OrderNext {
			return nil
		}
		return p.Table.Order(e.At, e.Text)
	}
	return nil
}

// Pass lets time pass up to the next event, which is not played.
func (p *Playback) Pass(to time.Duration) { p.pass(to) }

// End finishes the game as it stands at the end of the tape.
func (p *Playback) End() { p.Table.Finish(p.now) }

func (p *Playback) pass(to time.Duration) {
	for at := p.now.Truncate(beat) + beat; at < to && at < p.now+idle; at += beat {
		p.Table.Advance(at)
	}
	p.now = max(p.now, to)
}
