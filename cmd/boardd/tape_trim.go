package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boardd/dgt/tape/shelf"
	"boardd/venue"
)

func newTapeTrimCommand(p *process) *cobra.Command {
	var f tapeFlags
	var age, size string
	var yes bool
	c := &cobra.Command{
		Use:   "trim (--older-than AGE | --to-size SIZE) [--yes]",
		Short: "Throw old recorded sessions away",
		Long: `Trim says which tapes are older than an age, or which have to go, oldest first, so that
the rest takes no more than a size. With --yes it removes them. Tapes that are being
recorded stay. The age is that of a tape's name. A running boardd keeps tapes-max by
itself.`,
		Example: `  boardd tape trim --older-than 30d
  boardd tape trim --to-size "500 MB" --yes`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if (age == "") == (size == "") {
				return usagef(seeHelp(c), "expected --older-than AGE or --to-size SIZE")
			}
			pick, err := older(age, time.Now())
			if err != nil {
				return usagef(seeHelp(c), "--older-than: %w", err)
			}
			if size != "" {
				most, err := venue.ParseSize(size)
				if err != nil || size == "none" {
					return usagef(seeHelp(c), `--to-size: expected a size, as in "500 MB" or "2 GB", got %q`, size)
				}
				pick = func(tapes []shelf.Tape) []shelf.Tape {
					gone, _ := shelf.Excess(tapes, most, nil)
					return gone
				}
			}
			_, tapes, err := f.tapes(c)
			if err != nil {
				return err
			}
			return trim(p.stdout, tapes, pick(tapes), yes)
		},
	}
	f.register(c, false)
	c.Flags().StringVar(&age, "older-than", "", "age, as in 30d or 12h")
	c.Flags().StringVar(&size, "to-size", "", `room that may be left to tapes, as in "500 MB"`)
	c.Flags().BoolVar(&yes, "yes", false, "remove them")
	return c
}

// older picks the tapes that were begun before an age, "" for none.
func older(age string, now time.Time) (func([]shelf.Tape) []shelf.Tape, error) {
	d, err := time.ParseDuration(age)
	if days, is := strings.CutSuffix(age, "d"); is {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		d = time.Duration(n) * 24 * time.Hour
	}
	if age != "" && (err != nil || d < 0) {
		return nil, fmt.Errorf("expected an age, as in 30d or 12h, got %q", age)
	}
	return func(tapes []shelf.Tape) (gone []shelf.Tape) {
		for _, t := range tapes {
			if begun, ok := t.Begun(); ok && !t.Recording && begun.Before(now.Add(-d)) {
				gone = append(gone, t)
			}
		}
		return gone
	}, nil
}

// trim removes tapes, or says what would be removed.
func trim(w io.Writer, all, gone []shelf.Tape, yes bool) error {
	does, stays := "would remove", "would be left"
	if yes {
		does, stays = "removed", "left"
	}
	for _, t := range gone {
		if yes {
			if err := t.Remove(); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "%s %s (%s)\n", does, t.Name, venue.FormatSize(t.Size))
	}
	left := shelf.Bytes(all) - shelf.Bytes(gone)
	fmt.Fprintf(w, "%s %s, %s; %s %s, %s\n", does, count(len(gone), "tape"), venue.FormatSize(shelf.Bytes(gone)), count(len(all)-len(gone), "tape"), stays, venue.FormatSize(left))
	if !yes && len(gone) > 0 {
		fmt.Fprintln(w, "Nothing has been removed: do it with --yes.")
	}
	return nil
}
