package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"boardd/rules/event"
	"boardd/tomlfile"
)

func newEventCommand(p *process) *cobra.Command {
	c := &cobra.Command{
		Use:   "event",
		Short: "Read an event's regulations: check, pairings, clocks",
		Long: `Event reads the regulations of an event from a TOML file: edition of the Laws, draws, default
time, stages with their time controls, players, rounds, penalties. Complete files are in
docs/events.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			got := "none"
			if len(args) > 0 {
				got = fmt.Sprintf("%q", args[0])
			}
			return usagef(seeHelp(c), "event: expected check, pairings or clocks, got %s", got)
		},
	}
	c.AddCommand(
		newEventPart(p, "check", "Tell all faults of an event file, or what it says",
			`Check reads the file and prints every fault with line and column, or
else what the regulations say.`, checkText, checkJSON),
		newEventPart(p, "pairings", "Tell who plays whom in each round",
			`Pairings prints the rounds of each stage: table, White, Black. Round robins follow the FIDE Berger
tables; a Swiss is not paired here; play-offs are given by play-off number.`, pairingsText, pairingsJSON),
		newEventPart(p, "standings", "Tell points and tie-breaks",
			`Standings prints the places in each stage whose results the event names: a tournament report, a PGN
file or a table. Players who are equal in everything share a place.`, standingsText, standingsJSON),
		newEventPart(p, "clocks", "Tell what the clock of each table must show at the start",
			`Clocks prints for each stage the time control and what White's and Black's clocks show before the
first move, with the increment for that move, and the tables where a penalty changes that.`, clocksText, clocksJSON),
	)
	return c
}

// newEventPart makes a subcommand that reads an event and prints one view of it.
func newEventPart(p *process, name, short, long string, text func(io.Writer, *event.Event) error, json func(*event.Event) (any, error)) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   name + " [--json] EVENT.toml",
		Short: short,
		Long:  long,
		Args:  oneEventFile,
		RunE: func(_ *cobra.Command, args []string) error {
			e, err := loadEvent(args[0])
			var faults tomlfile.Faults
			switch {
			case errors.As(err, &faults) && asJSON:
				return faultsJSON(p.stdout, faults)
			case err != nil:
				return err
			case !asJSON:
				return text(p.stdout, e)
			}
			value, err := json(e)
			if err != nil {
				return err
			}
			return printJSON(p.stdout, value)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func oneEventFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("event %s: expected one event file, got %d", c.Name(), len(args))
	}
	return nil
}

// loadEvent reads an event file.
func loadEvent(path string) (*event.Event, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	e, err := event.Read(path, text)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	return e, e.LoadFiles(func(name string) ([]byte, error) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("%s: a file it names: %w", path, err)
		}
		return text, nil
	})
}

// errFaultyEvent is the failure of a command that has printed the faults.
var errFaultyEvent = errors.New("the event file has faults")

type faultJSON struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Key      string `json:"key"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

func faultsJSON(w io.Writer, faults tomlfile.Faults) error {
	list := make([]faultJSON, len(faults))
	for i, f := range faults {
		list[i] = faultJSON{f.File, f.Line, f.Column, f.Key, f.Expected, f.Got}
	}
	if err := printJSON(w, struct {
		OK     bool        `json:"ok"`
		Faults []faultJSON `json:"faults"`
	}{false, list}); err != nil {
		return err
	}
	return errFaultyEvent
}
