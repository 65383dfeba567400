package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"boardd/rules/event"
)

func standingsText(w io.Writer, e *event.Event) error {
	var b strings.Builder
	for i := range e.Stages {
		st := &e.Stages[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, stageTitle(st))
		rows, rules, err := e.Standings(st)
		if errors.Is(err, event.ErrNoResults) {
			fmt.Fprintln(&b, "no results: the event names no file with them")
			continue
		}
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, "\t\tpoints")
		for _, r := range rules {
			fmt.Fprintf(t, "\t%s", r)
		}
		fmt.Fprintln(t)
		for n, r := range rows {
			rank := ""
			if n == 0 || rows[n-1].Rank != r.Rank {
				rank = fmt.Sprintf("%d.", r.Rank)
			}
			p, _ := e.Player(r.Number)
			fmt.Fprintf(t, "%s\t%s\t%s", rank, strings.Join(withoutEmpty(p.Title, p.Name), " "), r.Points)
			for _, v := range r.Ties {
				fmt.Fprintf(t, "\t%s", v)
			}
			fmt.Fprintln(t)
		}
		t.Flush()
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type standingsStageJSON struct {
	Stage string         `json:"stage"`
	Rules []string       `json:"rules"`
	Rows  []standingJSON `json:"rows"` // null when there are no results
}

type standingJSON struct {
	Rank   int      `json:"rank"`
	Number int      `json:"number"`
	Name   string   `json:"name"`
	Points string   `json:"points"` // exact: halves and quarters of a point
	Ties   []string `json:"ties"`
}

func standingsJSON(e *event.Event) (any, error) {
	stages := []standingsStageJSON{}
	for i := range e.Stages {
		st := &e.Stages[i]
		s := standingsStageJSON{Stage: st.Name, Rules: append([]string{}, st.Ties...)}
		rows, _, err := e.Standings(st)
		if err != nil && !errors.Is(err, event.ErrNoResults) {
			return nil, err
		}
		for _, r := range rows {
			p, _ := e.Player(r.Number)
			row := standingJSON{r.Rank, r.Number, p.Name, r.Points.String(), []string{}}
			for _, v := range r.Ties {
				row.Ties = append(row.Ties, v.String())
			}
			s.Rows = append(s.Rows, row)
		}
		stages = append(stages, s)
	}
	return stages, nil
}
