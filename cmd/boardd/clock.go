package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boardd/clock"
)

func newClockCommand(p *process) *cobra.Command {
	var asPGN, asJSON bool
	c := &cobra.Command{
		Use:   "clock [--pgn] [--json] TEXT",
		Short: "Explain a time control: what it is and how clocks are set to it",
		Long: `Clock reads a time control as people write it ("G/90;+30", "90'/40 + 30' + 30"")
and prints the canonical form and those of PGN, lichess and LiveChess, what each clock shows
at the start, the FIDE class, and how the usual models of clock are set to it by hand.
A number without a unit is minutes, or seconds in a PGN tag (--pgn). A text that may mean
two things is refused, with both readings.`,
		Args: atLeastOne("time control"),
		RunE: func(_ *cobra.Command, words []string) error {
			context := clock.People
			if asPGN {
				context = clock.PGN
			}
			parsed, err := clock.Parse(strings.Join(words, " "), context)
			switch {
			case asJSON:
				return clockJSON(p.stdout, parsed, err)
			case err != nil:
				return explained(err)
			}
			return clockText(p.stdout, parsed)
		},
	}
	c.Flags().BoolVar(&asPGN, "pgn", false, "the text is the value of a PGN tag: numbers are seconds")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// explained lists the readings below the reason.
func explained(err error) error {
	var e *clock.Error
	if !errors.As(err, &e) || len(e.Readings) == 0 {
		return err
	}
	return fmt.Errorf("%q: %s; it may be\n  %s", e.Text, e.Reason, strings.Join(e.Readings, "\n  "))
}

func wholeSeconds(d time.Duration) int64 { return int64(d / time.Second) }

// display is a time as a clock that shows seconds has it.
func display(d time.Duration) string {
	s := wholeSeconds(d)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
