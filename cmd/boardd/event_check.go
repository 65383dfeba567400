package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"boardd/clock"
	"boardd/rules/event"
	"boardd/rules/event/pairing"
)

const wallClock = "2006-01-02 15:04"

func checkText(w io.Writer, e *event.Event) error {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(withoutEmpty(e.Name, e.Place), ", "))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Laws\tedition of %s\n", e.Edition)
	fmt.Fprintf(t, "draws\t%s\n", drawsText(e.Draws.String()))
	fmt.Fprintf(t, "default time\t%s\n", defaultTime(e))
	fmt.Fprintf(t, "spectators\t%s\n", spectatorDelay(e))
	for _, o := range e.Officials {
		fmt.Fprintf(t, "%s\t%s\n", o.Role, o.Name)
	}
	fmt.Fprintf(t, "players\t%d\n", len(e.Players))
	t.Flush()
	b.WriteByte('\n')

	t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range e.Stages {
		st := &e.Stages[i]
		if st.PlayOff && !e.Stages[i-1].PlayOff {
			fmt.Fprintln(t, "if players are tied:")
		}
		fmt.Fprintf(t, "%d. %s\t%s\t%s\n", i+1, st.Name, strings.Join(withoutEmpty(st.Section, systemText(e, st)), ", "), controlText(st.Control))
		for _, line := range stageNotes(e, st) {
			fmt.Fprintf(t, "   %s\n", line)
		}
	}
	t.Flush()
	if len(e.Ladder()) > 0 {
		fmt.Fprintln(&b, stillTied(e))
	}
	for _, p := range e.Penalties {
		fmt.Fprintf(&b, "penalty: %s, %s round %d: %s\n", playerName(e, p.Player), p.Stage, p.Round, penaltyText(p))
	}
	b.WriteString("\nno faults\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func withoutEmpty(texts ...string) []string {
	var some []string
	for _, text := range texts {
		if text != "" {
			some = append(some, text)
		}
	}
	return some
}

func defaultTime(e *event.Event) string {
	if e.Default.Applies && e.Default.After == 0 {
		return "0 min: whoever is not there at the start loses"
	}
	return e.Default.String()
}

func spectatorDelay(e *event.Event) string {
	if e.Delay == 0 {
		return "see moves at once"
	}
	if e.Delay%time.Minute == 0 {
		return fmt.Sprintf("see moves %d min later", e.Delay/time.Minute)
	}
	return fmt.Sprintf("see moves %d s later", wholeSeconds(e.Delay))
}

func drawsText(rule string) string {
	if rule == "claims-only" {
		return rule + ": none by agreement"
	}
	return rule
}

func systemText(e *event.Event, st *event.Stage) string {
	text := st.System.String()
	switch {
	case st.System == event.KnockOut && st.Games > 1:
		text = fmt.Sprintf("%s, matches of %d games", text, st.Games)
	case st.GroupSize > 0:
		text = fmt.Sprintf("%s in groups of %d", text, st.GroupSize)
	}
	switch rounds := e.Rounds(st); {
	case rounds == 1:
		return text + ", 1 round"
	case rounds > 1:
		return fmt.Sprintf("%s, %d rounds", text, rounds)
	}
	return text
}

// controlText is a time control with its class and who wins a drawn game.
func controlText(c clock.Control) string {
	text := c.Canonical()
	if class := c.Class(); class != clock.NoClass {
		text += ", " + string(class)
	}
	if c.Odds != clock.NoOdds {
		text += ", " + oddsText(c.Odds)
	}
	return text
}

func oddsText(o clock.Odds) string {
	if o == clock.WhiteWinsDraws {
		return "a draw wins for White"
	}
	return "a draw wins for Black"
}

// stageNotes are the rules of a stage that are not taken for granted.
func stageNotes(e *event.Event, st *event.Stage) []string {
	var notes []string
	if note := colourNote(st); note != "" {
		notes = append(notes, note)
	}
	if st.System == event.SuddenDeath && st.Control.Odds == clock.NoOdds {
		notes = append(notes, "games: single ones until one is won")
	}
	if len(st.Ties) > 0 {
		notes = append(notes, "ties: "+strings.Join(st.Ties, ", "))
	}
	if n := len(st.Schedule); n > 0 {
		first, last := st.Schedule[0].Start, st.Schedule[n-1].Start
		notes = append(notes, fmt.Sprintf("starts: %s to %s", first.Format(wallClock), last.Format(wallClock)))
	}
	if st.Correspondence() {
		notes = append(notes, overstepNote(st))
	}
	if st.Weight > 0 {
		notes = append(notes, fmt.Sprintf("points: %v for a win, %v for a draw", st.Weight, st.Weight/2))
	}
	if st.AdvanceAt > 0 {
		notes = append(notes, fmt.Sprintf("advance: with %v or more, without weight", st.AdvanceAt))
	}
	for _, file := range withoutEmpty(st.Pairings, st.Results) {
		if len(notes) == 0 || notes[len(notes)-1] != "from "+file {
			notes = append(notes, "from "+file)
		}
	}
	return notes
}

func colourNote(st *event.Stage) string {
	switch st.Colours {
	case event.Reversed:
		return "colours: reversed if the same players are still tied"
	case event.ByLot:
		return "colours: lots before each game"
	case event.ByChoice:
		return "colours: whoever wins the lot chooses"
	case event.Alternating:
		return "colours: in turn"
	case event.Berger, event.Imported:
	}
	if st.SwapLast {
		return "colours: the last two rounds of the first cycle change places"
	}
	return ""
}

func overstepNote(st *event.Stage) string {
	if st.Overstep.Forgiven == 0 {
		return "overstepping the time: loses at once"
	}
	return fmt.Sprintf("overstepping the time: %d days the first time, then the game", st.Overstep.PenaltyDays)
}

// stillTied says how the title goes where the ladder of play-offs leaves it open.
func stillTied(e *event.Event) string {
	last := e.Stages[len(e.Stages)-1]
	switch {
	case last.System == event.SuddenDeath:
		return fmt.Sprintf("if more than two are tied before %q: the chief arbiter decides", last.Name)
	case e.StillTied == pairing.AskLots:
		return "if players are still tied: lots decide"
	}
	return "if players are still tied: the chief arbiter decides"
}

func penaltyText(p event.Penalty) string {
	text := "half the time"
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	return text
}

func playerName(e *event.Event, number int) string {
	p, _ := e.Player(number)
	return p.Name
}

type checkReport struct {
	OK          bool            `json:"ok"`
	Name        string          `json:"name"`
	Place       string          `json:"place"`
	Edition     string          `json:"edition"`
	Draws       string          `json:"draws"`
	DefaultTime *int64          `json:"default_time_s"` // null: nobody loses by coming late
	Delay       int64           `json:"delay_s"`
	Players     int             `json:"players"`
	Stages      []checkedStage  `json:"stages"`
	Penalties   []penaltyReport `json:"penalties"`
}

type checkedStage struct {
	Name      string      `json:"name"`
	Section   string      `json:"section"`
	System    string      `json:"system"`
	PlayOff   bool        `json:"play_off"`
	Rounds    int         `json:"rounds"` // 0: depends on who is tied
	Canonical string      `json:"canonical"`
	Class     clock.Class `json:"class"`
	Odds      string      `json:"draw_odds"`
	Colours   string      `json:"colours"`
	Ties      []string    `json:"ties"`
}

type penaltyReport struct {
	Player int    `json:"player"`
	Name   string `json:"name"`
	Stage  string `json:"stage"`
	Round  int    `json:"round"`
	Clock  string `json:"clock"`
	Reason string `json:"reason"`
}

func checkJSON(e *event.Event) (any, error) {
	r := checkReport{
		OK: true, Name: e.Name, Place: e.Place, Edition: e.Edition.String(), Draws: e.Draws.String(),
		Delay: wholeSeconds(e.Delay), Players: len(e.Players), Penalties: penaltiesJSON(e, e.Penalties),
	}
	if e.Default.Applies {
		s := wholeSeconds(e.Default.After)
		r.DefaultTime = &s
	}
	for i := range e.Stages {
		st := &e.Stages[i]
		r.Stages = append(r.Stages, checkedStage{
			Name: st.Name, Section: st.Section, System: st.System.String(), PlayOff: st.PlayOff, Rounds: e.Rounds(st),
			Canonical: st.Control.Canonical(), Class: st.Control.Class(), Odds: st.Control.Odds.String(),
			Colours: st.Colours.String(), Ties: append([]string{}, st.Ties...),
		})
	}
	return r, nil
}

func penaltiesJSON(e *event.Event, penalties []event.Penalty) []penaltyReport {
	list := make([]penaltyReport, len(penalties))
	for i, p := range penalties {
		list[i] = penaltyReport{p.Player, playerName(e, p.Player), p.Stage, p.Round, "half", p.Reason}
	}
	return list
}
