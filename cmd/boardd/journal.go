package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"boardd/journal"
)

func newJournalCommand(p *process) *cobra.Command {
	c := &cobra.Command{
		Use:   "journal",
		Short: "Look at a journal: check, dump, salvage",
		Long: `Journal looks at the record that boardd keeps in data-dir/journal.sqlite, also while boardd has it
open, and never changes the file. docs/journal.md says how to ask it questions with sqlite3.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			got := "none"
			if len(args) > 0 {
				got = fmt.Sprintf("%q", args[0])
			}
			return usagef(seeHelp(c), "journal: expected check, dump or salvage, got %s", got)
		},
	}
	c.AddCommand(newJournalCheck(p), newJournalDump(p), newJournalSalvage(p))
	return c
}

func newJournalCheck(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Tell whether a journal is sound, and what is wrong",
		Long: `Check reads every fact and compares its checksum, its place and how the games fit together,
prints what it found, and fails when there are faults. A write that was cut when the power went is none:
nobody was told of it, and the next start takes it off.`,
		Args: journalFiles("one journal", 1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := journal.Check(c.Context(), args[0])
			if err != nil {
				return inFile(args[0], err)
			}
			if err := checkReportText(p.stdout, args[0], f); err != nil {
				return err
			}
			if len(f.Faults) > 0 {
				return fmt.Errorf("%s is damaged\nboardd run sets it aside, salvages it and goes on; by hand: boardd journal salvage %s NEW", args[0], args[0])
			}
			return nil
		},
	}
}

// checkReportText prints findings for people.
func checkReportText(w io.Writer, name string, f journal.Findings) error {
	var b strings.Builder
	if f.Facts > 0 {
		fmt.Fprintf(&b, "%s: %s up to seq %d, %s, %s, %s to %s UTC\n", name, count(f.Facts, "fact"), f.Last, count(f.Runs, "start"), count(f.Games, "game"),
			f.First.UTC().Format(wallClock), f.Till.UTC().Format(wallClock))
	} else {
		fmt.Fprintf(&b, "%s: no facts\n", name)
	}
	for _, text := range f.Faults {
		fmt.Fprintf(&b, "fault: %s\n", text)
	}
	if f.More > 0 {
		fmt.Fprintf(&b, "fault: and %d more\n", f.More)
	}
	for _, text := range f.Notes {
		fmt.Fprintf(&b, "note: %s\n", text)
	}
	if len(f.Faults) == 0 {
		b.WriteString("no faults\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func newJournalDump(p *process) *cobra.Command {
	var table, game int
	var since uint64
	c := &cobra.Command{
		Use:   "dump [flags] FILE",
		Short: "Print facts, one JSON object a line",
		Long: `Dump prints facts in order. The names are those of the columns of the table fact; what they hold for
each kind is in docs/journal.md. What is absent is NULL there. Of a damaged file it prints what
SQLite can read, and fails.`,
		Args: journalFiles("one journal", 1),
		RunE: func(c *cobra.Command, args []string) error {
			only := journal.Filter{Game: journal.GameID(game), Since: since}
			if c.Flags().Changed("table") {
				if table < 0 {
					return usagef(seeHelp(c), "--table: expected 1 or more, or 0 for the venue, got %d", table)
				}
				only.Table = &table
			}
			if c.Flags().Changed("game") && game < 1 {
				return usagef(seeHelp(c), "--game: expected 1 or more, got %d", game)
			}
			out := bufio.NewWriter(p.stdout)
			err := journal.Dump(c.Context(), args[0], only, func(l journal.Line) error { return printLine(out, l) })
			return errors.Join(out.Flush(), inFile(args[0], err))
		},
	}
	c.Flags().IntVar(&table, "table", 0, "only facts of this table; 0 is the venue itself (default all)")
	c.Flags().IntVar(&game, "game", 0, "only facts of the game with this id (default all)")
	c.Flags().Uint64Var(&since, "since", 0, "only facts after the one with this seq (default all)")
	return c
}

func newJournalSalvage(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "salvage FILE NEW",
		Short: "Write what can be read of a damaged journal to a new file",
		Long: `Salvage writes every fact whose checksum fits to the file NEW, which must not be there yet, and says
what is missing. "boardd run" does the same by itself when it finds its journal damaged.`,
		Args: journalFiles("a journal and a new file", 2),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := journal.Salvage(c.Context(), args[0], args[1])
			if err != nil {
				return inFile(args[0], err)
			}
			_, err = fmt.Fprintf(p.stdout, "%s: %s written; %s\n", args[1], count(d.Kept, "fact"), d.Losses())
			return err
		},
	}
}

// journalFiles is for commands that take n names.
func journalFiles(what string, n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return fmt.Errorf("journal %s: expected %s, got %s", c.Name(), what, count(len(args), "name"))
		}
		return nil
	}
}

// inFile puts the name of a file in front of an error that does not have it.
func inFile(name string, err error) error {
	if err == nil || strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
