package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"boardd/dgt/tape/shelf"
	"boardd/venue"
)

func newTapeListCommand(p *process) *cobra.Command {
	var f tapeFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the recorded sessions",
		Long: `List prints one line a tape, oldest first: its name, table, round and players, when it
begins (UTC, by the calendar of the machine then), how long it is, how much room it takes,
and whether it is being recorded, compressed, or damaged.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, tapes, err := f.tapes(c)
			if err != nil {
				return err
			}
			list := f.chosen(tapes)
			if asJSON {
				return listTapesJSON(p.stdout, list)
			}
			return listTapes(p.stdout, list)
		},
	}
	f.register(c, true)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a tape, for scripts")
	return c
}

func listTapes(w io.Writer, list []listed) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "No tapes.")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TAPE\tTABLE\tROUND\tPLAYERS\tBEGINS\tLENGTH\tSIZE\tSTATE")
	var tapes []shelf.Tape
	for _, l := range list {
		number, round, begins := "-", "-", "-"
		if l.Table > 0 {
			number = fmt.Sprint(l.Table)
		}
		if l.Round != "" {
			round = l.Round
		}
		if b := l.Info.Begun(); !b.IsZero() {
			begins = b.UTC().Format("2006-01-02 15:04:05")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Name, number, round, l.players(), begins,
			l.Length().Truncate(time.Second), venue.FormatSize(l.Size), l.state())
		tapes = append(tapes, l.Tape)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s, %s\n", count(len(list), "tape"), venue.FormatSize(shelf.Bytes(tapes)))
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tapeLine is the json form of one tape. Scripts read it: names are stable.
type tapeLine struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Table   int    `json:"table"` // 0: the tape does not say
	Round   string `json:"round"`
	White   string `json:"white"`
	Black   string `json:"black"`
	Serial  string `json:"serial"` // of the board
	Begins  string `json:"begins"` // UTC, RFC 3339; "" when the tape does not say
	FirstMS int64  `json:"first_ms"`
	LastMS  int64  `json:"last_ms"` // of its events, in session time
	Events  int    `json:"events"`
	Bytes   int64  `json:"bytes"` // of the file
	State   string `json:"state"` // recording, compressed or plain
	Torn    bool   `json:"torn"`  // a crash has cut it off
	Fault   string `json:"fault"` // why it was not read to its end, "" when it was
}

func listTapesJSON(w io.Writer, list []listed) error {
	for _, l := range list {
		line := tapeLine{Name: l.Name, Path: l.Path, Table: l.Table, Round: l.Round, White: l.White, Black: l.Black, Serial: l.Serial,
			FirstMS: l.First.Milliseconds(), LastMS: l.Last.Milliseconds(), Events: l.Events, Bytes: l.Size, State: l.Tape.State(), Torn: l.Torn && !l.Recording}
		if b := l.Info.Begun(); !b.IsZero() {
			line.Begins = b.UTC().Format(time.RFC3339Nano)
		}
		if l.fault != nil {
			line.Fault = l.fault.Error()
		}
		if err := printLine(w, line); err != nil {
			return err
		}
	}
	return nil
}
