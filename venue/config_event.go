package venue

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/clock"
	"boardd/rules"
	"boardd/rules/event"
)

// loadEvent reads the event's regulations that a configuration file names, and lays
// them under what the file itself says: its keys win. Faults in the event file are
// those of event.Read.
func (c *Config) loadEvent(configFile string) error {
	if c.Event.File == "" {
		return nil
	}
	if !filepath.IsAbs(c.Event.File) {
		c.Event.File = filepath.Join(filepath.Dir(configFile), c.Event.File)
	}
	text, err := os.ReadFile(c.Event.File)
	if err != nil {
		return fmt.Errorf("%s: event.file: %w", configFile, err)
	}
	e, err := event.Read(c.Event.File, text)
	if err != nil {
		return err
	}
	if err := e.LoadFiles(func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(c.Event.File), name))
	}); err != nil {
		return fmt.Errorf("%s: %w", c.Event.File, err)
	}
	if err := c.apply(e); err != nil {
		return fmt.Errorf("%s: %w", configFile, err)
	}
	return nil
}

// apply takes over what an event lays down: its laws, and for the stage and round that
// are played the time control, the names and the penalties of each table.
func (c *Config) apply(e *event.Event) error {
	set := func(key *string, value string) {
		if *key == "" {
			*key = value
		}
	}
	set(&c.Event.Name, e.Name)
	set(&c.Event.Site, e.Place)
	set(&c.Event.Draws, e.Draws.String())
	set(&c.Event.Edition, e.Edition.String())
	c.Event.Default = rules.DefaultTime{Stated: true, Never: !e.Default.Applies, After: e.Default.After}

	st := &e.Stages[0]
	if name := c.Event.Stage; name != "" {
		var known bool
		if st, known = e.Stage(name); !known {
			var names []string
			for _, s := range e.Stages {
				names = append(names, strconv.Quote(s.Name))
			}
			return fmt.Errorf("event.stage: expected one of the event's stages (%s), got %q", strings.Join(names, ", "), name)
		}
	}
	if c.Event.TimeControl == "" && !st.Correspondence() {
		c.Event.Control = &st.Control
	}
	if c.Event.Round == "" {
		return nil
	}
	number, _, _ := strings.Cut(c.Event.Round, ".")
	round, err := strconv.Atoi(number)
	if err != nil {
		return nil // a name, not a number: nothing is paired by it
	}
	if start, known := st.Start(round); known {
		c.Event.Start = start
	}
	rounds, err := e.Pairings(st)
	if err != nil {
		return fmt.Errorf("event.round: round %d of %s: %w", round, st.Name, err)
	}
	if n := e.Rounds(st); n > 0 && round > n {
		return fmt.Errorf("event.round: expected a round of %s, 1 to %d, got %d", st.Name, n, round)
	}
	for _, setting := range e.Settings(st, rounds) {
		if setting.Round == round {
			c.seat(e, setting)
		}
	}
	return nil
}

// seat lays a game of the event under the settings of its table.
func (c *Config) seat(e *event.Event, s event.Setting) {
	at := slices.IndexFunc(c.Tables, func(t TableConfig) bool { return t.Number == s.Game.Table })
	if at < 0 {
		c.Tables = append(c.Tables, TableConfig{Number: s.Game.Table, TimeControl: c.Event.TimeControl})
		slices.SortFunc(c.Tables, func(a, b TableConfig) int { return a.Number - b.Number })
		at = slices.IndexFunc(c.Tables, func(t TableConfig) bool { return t.Number == s.Game.Table })
	}
	t := &c.Tables[at]
	for _, seat := range []struct {
		side string
		name *string
		seat event.Seat
	}{{"White", &t.White, s.Game.White}, {"Black", &t.Black, s.Game.Black}} {
		if p, known := e.Player(seat.seat.Player); known && *seat.name == "" {
			*seat.name = p.Name
			tagPlayer(&t.Tags, seat.side, p)
		}
	}
	if t.TimeControl == "" {
		control := s.Control
		t.Control = &control
	}
}

// tagPlayer sets what is known of a player beside the name.
func tagPlayer(tags *rules.Tags, side string, p event.Player) {
	if p.Title != "" {
		tags.Set(side+"Title", p.Title)
	}
	if p.Rating > 0 {
		tags.Set(side+"Elo", strconv.Itoa(p.Rating))
	}
	if p.FIDEID > 0 {
		tags.Set(side+"FideId", strconv.Itoa(p.FIDEID))
	}
	if p.Federation != "" {
		tags.Set(side+"Federation", p.Federation)
	}
}

// control is the time control of a table; nil when nobody said any. A checked
// configuration gives no error.
func (c *Config) control(t TableConfig) (*clock.Control, error) {
	switch {
	case t.Control != nil:
		return t.Control, nil
	case t.TimeControl != "":
		parsed, err := clock.Parse(t.TimeControl, clock.People)
		return &parsed.Control, err
	}
	return c.Event.Control, nil
}

// regulations are what the event lays down for a game by that control.
func (c *EventConfig) regulations(control *clock.Control) (r Regulations, err error) {
	if c.Draws != "" {
		if r.Draws, err = rules.ParseDrawRule(c.Draws); err != nil {
			return r, err
		}
	}
	if c.Edition != "" {
		if r.Rules.Edition, err = rules.ParseEdition(c.Edition); err != nil {
			return r, err
		}
	}
	if control != nil {
		r.Rules.Class = rules.Class(control.Class())
	}
	r.Default = c.Default
	return r, nil
}

// lateness is when a player who has not come is late, and when he has lost: half the
// event's default time after the start of the round, and the whole.
func (c *EventConfig) lateness() (warn, lose time.Time, ok bool) {
	if c.Start.IsZero() || !c.Default.Stated || c.Default.Never {
		return warn, lose, false
	}
	return c.Start.Add(c.Default.After / 2), c.Start.Add(c.Default.After), true
}
