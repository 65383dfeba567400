package event

import (
	"slices"
	"time"

	"boardd/clock"
)

// Setting is what the clock of a table has to be set to.
type Setting struct {
	Round   int
	Game    Game
	Control clock.Control
	// Penalties are those that have changed the control.
	Penalties []Penalty
}

// Settings are the clocks of all games of a stage whose pairings are given, with
// the penalties of their players. A stage without clocks has none.
func (e *Event) Settings(st *Stage, rounds []Round) []Setting {
	if st.Correspondence() {
		return nil
	}
	var settings []Setting
	for _, round := range rounds {
		for _, game := range round.Games {
			if !game.Bye {
				settings = append(settings, e.setting(st, round.Number, game))
			}
		}
	}
	return settings
}

func (e *Event) setting(st *Stage, round int, game Game) Setting {
	s := Setting{Round: round, Game: game, Control: st.Control}
	for _, p := range e.Penalties {
		if p.Stage != st.Name || p.Round != round {
			continue
		}
		switch p.Player {
		case game.White.Player:
			s.Control.White = half(s.Control.White)
		case game.Black.Player:
			s.Control.Black = half(s.Control.Black)
		default:
			continue
		}
		s.Penalties = append(s.Penalties, p)
	}
	return s
}

// Waiting are the penalties of a stage that change no clock, because their
// player has no game in the round or because the pairings are not known yet.
func (e *Event) Waiting(st *Stage, settings []Setting) []Penalty {
	var waiting []Penalty
	for _, p := range e.Penalties {
		applied := slices.ContainsFunc(settings, func(s Setting) bool { return slices.Contains(s.Penalties, p) })
		if p.Stage == st.Name && !applied {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

// half is a side's time with half the base of the first period; what is given
// for each move stays (fact sheet 9).
func half(periods []clock.Period) []clock.Period {
	periods = slices.Clone(periods)
	periods[0].Base = (periods[0].Base / 2).Truncate(time.Second)
	return periods
}
