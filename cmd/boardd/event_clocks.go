package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"boardd/clock"
	"boardd/rules/event"
)

func clocksText(w io.Writer, e *event.Event) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range e.Stages {
		st := &e.Stages[i]
		fmt.Fprintf(t, "%s: %s\n", stageTitle(st), controlText(st.Control))
		if st.Correspondence() {
			fmt.Fprintln(t, "  no clock is set; the reflection time is kept in days")
			continue
		}
		fmt.Fprintf(t, "  %s\t%s\n", whichTables(e, st), startText(st.Control))
		settings, err := settingsOf(e, st)
		if err != nil {
			return err
		}
		for _, s := range settings {
			if len(s.Penalties) > 0 {
				fmt.Fprintf(t, "  but round %d, table %d\t%s\t%s\n", s.Round, s.Game.Table, startText(s.Control), s.Control)
				for _, p := range s.Penalties {
					fmt.Fprintf(t, "    %s: %s\n", playerName(e, p.Player), penaltyText(p))
				}
			}
		}
		for _, p := range e.Waiting(st, settings) {
			fmt.Fprintf(t, "  but %s in round %d, who has no table yet: %s\n", playerName(e, p.Player), p.Round, penaltyText(p))
		}
	}
	t.Flush()
	_, err := io.WriteString(w, b.String())
	return err
}

func settingsOf(e *event.Event, st *event.Stage) ([]event.Setting, error) {
	rounds, err := e.Pairings(st)
	if err != nil {
		return nil, err
	}
	return e.Settings(st, rounds), nil
}

func whichTables(e *event.Event, st *event.Stage) string {
	if rounds := e.Rounds(st); rounds > 1 {
		return fmt.Sprintf("rounds 1 to %d, every table", rounds)
	}
	return "every table"
}

// startText is what the clock of a table shows before the first move.
func startText(c clock.Control) string {
	white, black := c.Start()
	return fmt.Sprintf("White %s\tBlack %s", display(white), display(black))
}

type clocksReport struct {
	Name   string       `json:"name"`
	Stages []clockStage `json:"stages"`
}

type clockStage struct {
	Name      string          `json:"name"`
	PlayOff   bool            `json:"play_off"`
	Canonical string          `json:"canonical"`
	Class     clock.Class     `json:"class"`
	Odds      string          `json:"draw_odds"`
	Start     *startsJSON     `json:"start_s"` // null: no clock is set
	Tables    []tableClock    `json:"tables"`  // of all rounds, as far as the pairings are known
	Waiting   []penaltyReport `json:"waiting"` // penalties of players who have no table yet
}

type tableClock struct {
	Round     int             `json:"round"`
	Table     int             `json:"table"`
	White     string          `json:"white"`
	Black     string          `json:"black"`
	Canonical string          `json:"canonical"`
	Start     startsJSON      `json:"start_s"`
	Penalties []penaltyReport `json:"penalties"`
}

func clocksJSON(e *event.Event) (any, error) {
	r := clocksReport{Name: e.Name, Stages: []clockStage{}}
	for i := range e.Stages {
		st := &e.Stages[i]
		settings, err := settingsOf(e, st)
		if err != nil {
			return nil, err
		}
		stage := clockStage{
			Name: st.Name, PlayOff: st.PlayOff, Canonical: st.Control.Canonical(), Class: st.Control.Class(),
			Odds: st.Control.Odds.String(), Tables: []tableClock{}, Waiting: penaltiesJSON(e, e.Waiting(st, settings)),
		}
		if !st.Correspondence() {
			start := startsOf(st.Control)
			stage.Start = &start
		}
		for _, s := range settings {
			stage.Tables = append(stage.Tables, tableClock{
				Round: s.Round, Table: s.Game.Table,
				White: playerName(e, s.Game.White.Player), Black: playerName(e, s.Game.Black.Player),
				Canonical: s.Control.Canonical(), Start: startsOf(s.Control), Penalties: penaltiesJSON(e, s.Penalties),
			})
		}
		r.Stages = append(r.Stages, stage)
	}
	return r, nil
}

func startsOf(c clock.Control) startsJSON {
	white, black := c.Start()
	return startsJSON{wholeSeconds(white), wholeSeconds(black)}
}
