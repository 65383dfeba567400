package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"boardd/clock"
	"boardd/rules/event"
	"boardd/rules/event/pairing"
)

func pairingsText(w io.Writer, e *event.Event) error {
	var b strings.Builder
	for i := range e.Stages {
		st := &e.Stages[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, stageTitle(st))
		if st.PlayOff {
			playOffText(&b, st)
			continue
		}
		rounds, err := e.Pairings(st)
		if err != nil {
			return err
		}
		if len(rounds) == 0 {
			fmt.Fprintln(&b, "no pairings: those of a Swiss are imported, and none have been")
		}
		for _, round := range rounds {
			roundText(&b, e, st, round)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func stageTitle(st *event.Stage) string {
	title := strings.Join(withoutEmpty(st.Name, st.Section), ", ")
	if st.PlayOff {
		title += " (only if players are tied)"
	}
	return title
}

func roundText(b *strings.Builder, e *event.Event, st *event.Stage, round event.Round) {
	fmt.Fprintf(b, "\nRound %d", round.Number)
	if !round.Start.IsZero() {
		fmt.Fprintf(b, "  %s", round.Start.Format(wallClock))
	}
	b.WriteByte('\n')
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	group := 0
	for _, g := range round.Games {
		if g.Group != group {
			group = g.Group
			fmt.Fprintf(t, "  group %d\n", group)
		}
		if g.Bye {
			fmt.Fprintf(t, "  bye\t%s\n", seatText(e, g.White))
			continue
		}
		place := fmt.Sprintf("table %d", g.Table)
		if st.Correspondence() {
			place = fmt.Sprintf("game %d", g.Board)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", place, seatText(e, g.White), seatText(e, g.Black))
	}
	t.Flush()
}

// seatText is a player with his number, or what is known of an open place.
func seatText(e *event.Event, s event.Seat) string {
	switch {
	case s.Player != 0:
		return fmt.Sprintf("%d %s", s.Player, playerName(e, s.Player))
	case s.From != "":
		return s.From
	}
	return fmt.Sprintf("No. %d", s.Number)
}

// playOffText says by play-off number how those who are tied meet.
func playOffText(b *strings.Builder, st *event.Stage) {
	if st.System == event.SuddenDeath {
		kind := "single games until one is won"
		if st.Control.Odds != clock.NoOdds {
			kind = "one game, " + oddsText(st.Control.Odds)
		}
		fmt.Fprintf(b, "  two players: %s\n", kind)
	} else {
		ladder := event.Event{Stages: []event.Stage{*st}}
		format := ladder.Ladder()[0].Format
		fmt.Fprintf(b, "  two players: %s\n", roundsText(pairing.Meetings(format, 2)))
		fmt.Fprintf(b, "  three: %s\n", roundsText(pairing.Meetings(format, 3)))
		fmt.Fprintf(b, "  four: %s\n", roundsText(pairing.Meetings(format, 4)))
	}
	if note := colourNote(st); note != "" {
		fmt.Fprintf(b, "  %s\n", note)
	}
}

// roundsText writes rounds as printed tables do: 1-4 2-3 | 4-3 1-2.
func roundsText(rounds []pairing.Round) string {
	var list []string
	for _, round := range rounds {
		var games []string
		for _, g := range round {
			if !g.Bye() {
				games = append(games, fmt.Sprintf("%d-%d", g.White, g.Black))
			}
		}
		list = append(list, strings.Join(games, " "))
	}
	return strings.Join(list, " | ")
}

type pairingsReport struct {
	Name   string         `json:"name"`
	Stages []pairingStage `json:"stages"`
}

type pairingStage struct {
	Name    string         `json:"name"`
	Section string         `json:"section"`
	System  string         `json:"system"`
	PlayOff bool           `json:"play_off"`
	Rounds  []pairingRound `json:"rounds"` // none for a play-off, or before an import
}

type pairingRound struct {
	Round int        `json:"round"`
	Start string     `json:"start"` // by the clock on the wall, "2027-03-10 13:00"; "" when not given
	Games []gameJSON `json:"games"`
}

type gameJSON struct {
	Group int       `json:"group"` // 0: the stage has one group
	Board int       `json:"board"`
	Table int       `json:"table"`
	Bye   bool      `json:"bye"`
	White *seatJSON `json:"white"`
	Black *seatJSON `json:"black"` // null for a bye
}

type seatJSON struct {
	Number int    `json:"number"` // in the pairing table of the group
	Player int    `json:"player"` // 0: not known yet
	Name   string `json:"name"`
	From   string `json:"from"` // as in "winner of match 2"
}

func pairingsJSON(e *event.Event) (any, error) {
	r := pairingsReport{Name: e.Name, Stages: []pairingStage{}}
	for i := range e.Stages {
		st := &e.Stages[i]
		rounds, err := e.Pairings(st)
		if err != nil {
			return nil, err
		}
		stage := pairingStage{Name: st.Name, Section: st.Section, System: st.System.String(), PlayOff: st.PlayOff, Rounds: []pairingRound{}}
		for _, round := range rounds {
			row := pairingRound{Round: round.Number}
			if !round.Start.IsZero() {
				row.Start = round.Start.Format(wallClock)
			}
			for _, g := range round.Games {
				row.Games = append(row.Games, gameAsJSON(e, g))
			}
			stage.Rounds = append(stage.Rounds, row)
		}
		r.Stages = append(r.Stages, stage)
	}
	return r, nil
}

func gameAsJSON(e *event.Event, g event.Game) gameJSON {
	j := gameJSON{Group: g.Group, Board: g.Board, Table: g.Table, Bye: g.Bye, White: seatAsJSON(e, g.White)}
	if !g.Bye {
		j.Black = seatAsJSON(e, g.Black)
	}
	return j
}

func seatAsJSON(e *event.Event, s event.Seat) *seatJSON {
	return &seatJSON{Number: s.Number, Player: s.Player, Name: playerName(e, s.Player), From: s.From}
}
