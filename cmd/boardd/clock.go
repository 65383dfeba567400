package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boardd/clock"
)

func newClockCommand(p *process) *cobra.Command {
	var asPGN, asJSON bool
	c := &cobra.Command{
		Use:   "clock [--pgn] [--json] TEXT",
		Short: "Explain a time control: what it is and what the clocks show",
		Long: `Clock reads a time control as people write it ("G/90;+30", "90'/40 + 30' + 30"")
and prints the canonical form, what each clock shows at the start and the FIDE class.
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

// clockReport is the JSON of a time control; scripts read it.
type clockReport struct {
	OK        bool         `json:"ok"`
	Canonical string       `json:"canonical"`
	PGN       string       `json:"pgn"`
	White     []periodJSON `json:"white"`
	Black     []periodJSON `json:"black"`
	Start     startsJSON   `json:"start_s"`
	Class     clock.Class  `json:"class"`
	Odds      string       `json:"draw_odds"` // who wins a drawn game: "white", "black" or ""
	Ambiguous bool         `json:"ambiguous"`
	Readings  []string     `json:"readings"`
}

type periodJSON struct {
	Moves int    `json:"moves"`
	Base  int64  `json:"base_s"`
	Bonus int64  `json:"inc_s"`
	Mode  string `json:"mode"`
}

type startsJSON struct {
	White int64 `json:"white"`
	Black int64 `json:"black"`
}

type clockRefusal struct {
	OK       bool     `json:"ok"`
	Error    string   `json:"error"`
	Readings []string `json:"readings"`
}

// errNotATimeControl is the failure of a command that has said why on stdout.
var errNotATimeControl = errors.New("not a time control that can be told")

func clockJSON(w io.Writer, parsed clock.Parsed, err error) error {
	if err != nil {
		refusal := clockRefusal{Error: err.Error(), Readings: []string{}}
		var e *clock.Error
		if errors.As(err, &e) {
			refusal.Error, refusal.Readings = e.Reason, append(refusal.Readings, e.Readings...)
		}
		if err := printJSON(w, refusal); err != nil {
			return err
		}
		return errNotATimeControl
	}
	c := parsed.Control
	white, black := c.Start()
	return printJSON(w, clockReport{
		OK: true, Canonical: c.Canonical(), PGN: c.PGN(),
		White: periodsJSON(c.White), Black: periodsJSON(c.Black),
		Start: startsJSON{wholeSeconds(white), wholeSeconds(black)},
		Class: c.Class(), Odds: c.Odds.String(),
		Ambiguous: parsed.Ambiguous, Readings: append([]string{}, parsed.Readings...),
	})
}

// printJSON leaves the quotes of minutes and seconds readable.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func periodsJSON(periods []clock.Period) []periodJSON {
	list := make([]periodJSON, len(periods))
	for i, p := range periods {
		list[i] = periodJSON{p.Moves, wholeSeconds(p.Base), wholeSeconds(p.Bonus), p.Kind.String()}
	}
	return list
}

func wholeSeconds(d time.Duration) int64 { return int64(d / time.Second) }

// explained lists the readings below the reason.
func explained(err error) error {
	var e *clock.Error
	if !errors.As(err, &e) || len(e.Readings) == 0 {
		return err
	}
	return fmt.Errorf("%q: %s; it may be\n  %s", e.Text, e.Reason, strings.Join(e.Readings, "\n  "))
}

func clockText(w io.Writer, parsed clock.Parsed) error {
	c := parsed.Control
	var b strings.Builder
	fmt.Fprintf(&b, "canonical  %s\npgn        %s\n", c.Canonical(), c.PGN())
	if c.Form == clock.Timed {
		white, black := c.Start()
		if white == black {
			fmt.Fprintf(&b, "start      %s\n", display(white))
		} else {
			fmt.Fprintf(&b, "start      White %s, Black %s\n", display(white), display(black))
		}
	}
	if class := c.Class(); class != clock.NoClass {
		fmt.Fprintf(&b, "class      %s\n", class)
	}
	if c.Odds != clock.NoOdds {
		fmt.Fprintf(&b, "draw       %s wins\n", c.Odds)
	}
	if parsed.Ambiguous {
		fmt.Fprintf(&b, "ambiguous  read as the first of: %s\n", strings.Join(parsed.Readings, "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// display is a time as a clock that shows seconds has it.
func display(d time.Duration) string {
	s := wholeSeconds(d)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
