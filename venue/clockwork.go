package venue

import (
	"fmt"
	"time"

	"boardd/broadcast"
	"boardd/clock"
	"boardd/clock/plan"
	"boardd/dgt"
	"boardd/rules"
)

// Command is one thing a table wants said to its clock.
type Command struct {
	At time.Duration // session time
	dgt.Command
}

// Commands returns what is to be sent since the last call, in order.
func (t *Table) Commands() []Command {
	c := t.commands
	t.commands = nil
	return c
}

// TimeControl says by which control the game is played from now on: the first
// that fits what the clock shows.
func (t *Table) TimeControl(at time.Duration, c Controls) {
	t.keeper.promise(at, c)
	t.collect()
}

// SetClock has boardd set the clock for the game that has not begun. soft: a clock
// that refuses is left to people.
func (t *Table) SetClock(at time.Duration, soft bool) error {
	if t.game.Len() > 0 || t.keeper.read && t.keeper.reading.Running {
		return errBegun
	}
	return t.ordered(at, t.keeper.set(setting{soft: soft}))
}

// StartClock starts the clock of the player to move, on the arbiter's sign.
func (t *Table) StartClock(at time.Duration) error { return t.planned(at, (*plan.Plan).Start) }

// PauseClock stops both clocks.
func (t *Table) PauseClock(at time.Duration) error { return t.planned(at, (*plan.Plan).Pause) }

// ResumeClock lets the clock run on that ran before the pause.
func (t *Table) ResumeClock(at time.Duration) error { return t.planned(at, (*plan.Plan).Resume) }

// SwapClock exchanges the two players' times.
func (t *Table) SwapClock(at time.Duration) error { return t.planned(at, (*plan.Plan).SwapSides) }

// AddTime gives a player time, or takes it when d is negative.
func (t *Table) AddTime(at time.Duration, p clock.Player, d time.Duration) error {
	return t.planned(at, func(k *plan.Plan, at time.Duration) { k.Add(at, p, d) })
}

// SetTimes sets both clocks to what the arbiter says.
func (t *Table) SetTimes(at, white, black time.Duration) error {
	return t.planned(at, func(k *plan.Plan, at time.Duration) { k.SetTimes(at, white, black) })
}

// planned gives an order to the plan, if boardd runs the clock.
func (t *Table) planned(at time.Duration, order func(*plan.Plan, time.Duration)) error {
	if t.keeper.plan == nil {
		return errByHand
	}
	order(t.keeper.plan, at)
	return t.ordered(at, nil)
}

func (t *Table) ordered(at time.Duration, err error) error {
	if err == nil {
		t.at = max(t.at, at)
		t.collect()
	}
	return err
}

// Beep sounds the clock, whoever has set it.
func (t *Table) Beep(at time.Duration) error {
	t.commands = append(t.commands, Command{at, dgt.Beep(beepLength)})
	return nil
}

// beepLength is half a second, in units of dgt.BeepUnit.
const beepLength = 8

// white is which side of the clock is White's, as far as it is known.
func (t *Table) sideOf(p clock.Player) dgt.Side {
	if p == clock.White {
		return t.side.side
	}
	return t.side.side.Other()
}

// player is whose side of the clock that is.
func (t *Table) player(s dgt.Side) clock.Player {
	if s == t.side.side {
		return clock.White
	}
	return clock.Black
}

// command puts a wish of the plan into the words of the device.
func (t *Table) command(c plan.Command) (dgt.Command, error) {
	switch c.Kind {
	case plan.SetAndRun:
		left, right := c.White, c.Black
		if t.side.side == dgt.Right {
			left, right = right, left
		}
		return dgt.SetAndRun(left, right, t.run(c))
	case plan.Beep:
		return dgt.Beep(c.Beeps), nil
	case plan.Show:
		return dgt.ASCII(c.Text, 0)
	case plan.EndShow:
		return dgt.EndDisplay(), nil
	}
	return dgt.Command{}, fmt.Errorf("expected a command for the clock, got kind %d", c.Kind)
}

// run is which side of the device counts.
func (t *Table) run(c plan.Command) (r dgt.Run) {
	runs := map[dgt.Side]dgt.Run{dgt.Left: dgt.RunLeft, dgt.Right: dgt.RunRight}
	switch c.Run {
	case plan.RunsWhite:
		r = runs[t.sideOf(clock.White)]
	case plan.RunsBlack:
		r = runs[t.sideOf(clock.Black)]
	case plan.Stands:
		r = dgt.Pause
	}
	if c.Toggle {
		r |= dgt.Toggle
	}
	return r
}

// found turns what was found out about the clock into an alert. Of one about a
// player the detail is "w" or "b", and the text says the rest.
func (t *Table) found(f clock.Finding) broadcast.Change {
	c := broadcast.Change{Type: broadcast.TypeAlert, Board: t.number, AtMS: f.At.Milliseconds(), Ply: t.game.Len(),
		Code: f.Code, Detail: f.Detail, Cleared: f.Cleared}
	if f.HasPlayer {
		c.Detail, c.Text = f.Player.String()[:1], f.Detail
	}
	return c
}

// ClockReport is what is known of how a table's clock is set.
type ClockReport struct {
	Control string `json:"control"` // canonical; "?" when nobody said
	SetBy   string `json:"set_by"`  // "boardd" or "hand"
	// Start is "right" or "wrong" once the game has begun, else "".
	Start string `json:"start"`
	// Increments are what presses have given, in seconds; nil before it is known.
	WhiteIncrement *int64 `json:"white_inc_s"`
	BlackIncrement *int64 `json:"black_inc_s"`
}

// ClockReport tells how the clock is set.
func (t *Table) ClockReport() ClockReport {
	k := &t.keeper
	r := ClockReport{Control: "?", SetBy: "hand"}
	if c := k.control(); c != nil {
		r.Control = c.Canonical()
	}
	if k.plan != nil {
		r.SetBy = "boardd"
		return r
	}
	if right, known := k.checker.Start(); known && right {
		r.Start = "right"
	} else if known {
		r.Start = "wrong"
	}
	increment := func(p clock.Player) *int64 {
		d, ok := k.checker.Increment(p)
		if !ok {
			return nil
		}
		s := int64(d / time.Second)
		return &s
	}
	r.WhiteIncrement, r.BlackIncrement = increment(clock.White), increment(clock.Black)
	return r
}

// timekeeping takes from the keeper what it has found out and what it wants.
func (t *Table) timekeeping() {
	if t.keeper.wanted != nil {
		array := t.game.Len() == 0 && t.tracker.Placement() == t.game.Start().Placement()
		if err := t.keeper.setNow(t.at, array); err != nil {
			t.keeper.find(clock.Finding{At: t.at, Code: "clock.set_failed", Detail: err.Error()})
		}
	}
	g, before := t.present()
	t.keeper.known(t.at, before+g.Len())
	findings, commands := t.keeper.take()
	for _, f := range findings {
		c, show := t.found(f), true
		if f.Code == "clock.flag" && !f.Cleared {
			c, show = t.flag(c, colorOf(f.Player))
		}
		if show {
			t.changes = append(t.changes, c)
		}
	}
	for _, c := range commands {
		sent, err := t.command(c)
		if err != nil {
			panic(err) // a plan's faces are within what a clock can show
		}
		t.commands = append(t.commands, Command{t.at, sent})
	}
}

// colorOf is the game's word for a player.
func colorOf(p clock.Player) rules.Color {
	if p == clock.White {
		return rules.White
	}
	return rules.Black
}

// playerOf is the clock's word for a colour.
func playerOf(c rules.Color) clock.Player {
	if c == rules.White {
		return clock.White
	}
	return clock.Black
}
