package pairing

import (
	"errors"
	"fmt"

	"boardd/clock"
)

// Format is how the players of a rung meet.
type Format uint8

// The formats.
const (
	// Tournament is a round robin: each pair once, two players alone twice
	// (the "double rapid round robin" of the St. Louis regulations).
	Tournament Format = iota
	// DoubleTournament has each pair twice; for two players that is two games.
	DoubleTournament
	// SuddenDeath is one game between two players. If the time control gives
	// nobody the draw, single games repeat until one is won.
	SuddenDeath
)

// Colours is how the colours of a rung come about.
type Colours uint8

// The rules.
const (
	ByNumber Colours = iota // from the Berger table, by play-off number
	// Reverse is by number, but with the colours of the rung before reversed
	// when the same players are still tied.
	Reverse
	ByLot    // before each game lots are drawn; the first drawn has White
	ByChoice // before each game lots are drawn; the first drawn chooses
)

// Rung is one step of a ladder of play-offs.
type Rung struct {
	Name    string
	Format  Format
	Colours Colours
	Control clock.Control
}

func (r Rung) check() error {
	drawn := r.Colours == ByLot || r.Colours == ByChoice
	switch {
	case r.Control.Form != clock.Timed:
		return fmt.Errorf("%s: expected a time control with times, got %s", r.Name, r.Control)
	case r.Format != SuddenDeath && r.Control.Odds != clock.NoOdds:
		return fmt.Errorf("%s: expected draw odds in sudden death only", r.Name)
	case r.Format != SuddenDeath && drawn:
		return fmt.Errorf("%s: expected colours by number, lots are for sudden death", r.Name)
	}
	return nil
}

// Last is what happens when a ladder has no more rungs and several are still tied.
type Last uint8

// The ways out.
const (
	AskArbiter Last = iota // the chief arbiter decides
	AskLots                // lots decide; the first drawn is champion
)

func checkLadder(rungs []Rung, players []string) error {
	if len(rungs) == 0 {
		return errors.New("expected at least one rung for a play-off, got none")
	}
	for _, r := range rungs {
		if err := r.check(); err != nil {
			return err
		}
	}
	if len(players) < 2 || len(players) > MaxPlayers {
		return fmt.Errorf("expected 2 to %d players for a play-off, got %d", MaxPlayers, len(players))
	}
	seen := map[string]bool{}
	for _, name := range players {
		if name == "" || seen[name] {
			return fmt.Errorf("expected each player once by name, got %q", name)
		}
		seen[name] = true
	}
	return nil
}
