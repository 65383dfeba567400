package main

import (
	"fmt"

	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/emulator"
)

// clockFlags say which clock stands beside an emulated board.
type clockFlags struct {
	model   string
	control string
	remote  bool
}

// clockModels are the values of --clock.
var clockModels = map[string]dgt.ClockVersion{"3000": emulator.Clock3000, "xl": emulator.ClockXL}

// setting is the clock as it stands there at the start.
func (f clockFlags) setting(white dgt.Side) (emulator.ClockSetting, error) {
	s := emulator.Fischer(demoBase, demoIncrement, white)
	s.Remote = f.remote
	s.Version = clockModels[f.model]
	if f.control == "" {
		return s, nil
	}
	parsed, err := clock.Parse(f.control, clock.People)
	if err != nil {
		return s, fmt.Errorf("--tc: %w", err)
	}
	if parsed.Control.Form != clock.Timed {
		return s, fmt.Errorf("--tc: expected times that a clock can be set to, got %q", f.control)
	}
	if s.Programme.Left, err = periods(parsed.Control.White); err == nil {
		s.Programme.Right, err = periods(parsed.Control.Black)
	}
	if err != nil {
		return s, fmt.Errorf("--tc: %w", err)
	}
	if white == dgt.Right {
		s.Programme.Left, s.Programme.Right = s.Programme.Right, s.Programme.Left
	}
	return s, nil
}

// periods is one side of a control as the emulated clock is programmed.
func periods(control []clock.Period) ([]emulator.Period, error) {
	kinds := map[clock.Kind]emulator.PerMove{
		clock.None: emulator.NoBonus, clock.Fischer: emulator.FischerBonus,
		clock.Delay: emulator.USDelay, clock.Bronstein: emulator.BronsteinDelay,
	}
	var all []emulator.Period
	for i, p := range control {
		kind, ok := kinds[p.Kind]
		switch {
		case !ok:
			return nil, fmt.Errorf("period %d: expected an increment, a delay or neither, the emulated clock has no %v", i+1, p.Kind)
		case p.From > 1:
			return nil, fmt.Errorf("period %d: expected a bonus for every move of it, got one from move %d", i+1, p.From)
		}
		all = append(all, emulator.Period{Moves: p.Moves, Base: p.Base, Kind: kind, Bonus: p.Bonus})
	}
	return all, nil
}
