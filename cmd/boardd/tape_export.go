package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boardd/dgt/tape"
	"boardd/venue"
)

type exportTapeFlags struct {
	tapeFlags
	out      string
	plain    bool
	from, to int64
}

func newTapeExportCommand(p *process) *cobra.Command {
	var f exportTapeFlags
	c := &cobra.Command{
		Use:   "export [flags] [TAPE...]",
		Short: "Copy recorded sessions to a folder or the standard output",
		Long: `Export copies the tapes that are named, or those of a table or round, to the folder
that --out names, as they are or (--plain) as text. Without --out one tape goes to the
standard output, as text.

--from and --to leave only what lies between two moments, in milliseconds as on the tape
and in alerts. Such a piece begins with the position, the men and the clocks as they were,
and replays to the same moves and clocks as the whole: where that needs what came shortly
before, it begins earlier, and export says so. Occurrences of a position before the piece
are not counted in it.`,
		Example: `  boardd tape export 20261130T100000Z-table-003 >fault.tape
  boardd tape export --round 3 --out /media/usb/round-3
  boardd tape export --from 600000 --to 660000 20261130T100000Z-table-003 >fault.tape`,
		RunE: func(c *cobra.Command, names []string) error { return f.run(c, p, names) },
	}
	f.register(c, true)
	c.Flags().StringVar(&f.out, "out", "", "folder for the copies, which is made; no file in it is overwritten")
	c.Flags().BoolVar(&f.plain, "plain", false, "decompress the copies")
	c.Flags().Int64Var(&f.from, "from", 0, "first moment of the piece, in ms")
	c.Flags().Int64Var(&f.to, "to", 0, "last moment of the piece, in ms")
	return c
}

func (f *exportTapeFlags) run(c *cobra.Command, p *process, names []string) error {
	byPlace := c.Flags().Changed("table") || c.Flags().Changed("round")
	if (len(names) > 0) == byPlace {
		return usagef(seeHelp(c), "expected the names of tapes, or --table or --round")
	}
	piece := c.Flags().Changed("from") || c.Flags().Changed("to")
	const most = int64(1<<63-1) / int64(time.Millisecond)
	if !c.Flags().Changed("to") {
		f.to = most
	}
	if f.from < 0 || f.to < f.from || f.to > most {
		return usagef(seeHelp(c), "--from, --to: expected milliseconds, the later ones second, got %d and %d", f.from, f.to)
	}
	dir, tapes, err := f.tapes(c)
	if err != nil && byPlace {
		return err
	}
	list, err := f.chosen(tapes), error(nil)
	if !byPlace {
		list, err = named(dir, tapes, names)
	}
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		return errors.New("no tape fits; boardd tape list shows them all")
	case len(list) > 1 && (f.out == "" || piece):
		return usagef(seeHelp(c), "expected --out FOLDER for %d tapes, and --from and --to for one tape only", len(list))
	}
	for _, l := range list {
		if err := f.export(p, l, piece); err != nil {
			return err
		}
	}
	return nil
}

func (f *exportTapeFlags) export(p *process, l listed, piece bool) error {
	if l.Recording {
		fmt.Fprintf(p.stderr, "%s is being recorded: the copy ends here\n", l.Name)
	}
	name := l.Name
	write := func(w io.Writer) error { return copyTape(w, l, f.plain || f.out == "") }
	switch {
	case piece:
		t, err := tape.ReadFile(l.Path)
		if err != nil {
			return err
		}
		ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
		cut, begins, err := venue.Cut(t, ms(f.from), ms(f.to))
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		if first := begins.Milliseconds(); first < f.from {
			fmt.Fprintf(p.stderr, "the piece begins at %d ms, %d ms earlier: from %d ms on it would not replay to the same game\n", first, f.from-first, f.from)
		}
		last := cut.Events[len(cut.Events)-1].At
		name = fmt.Sprintf("%s-%d-%d.tape", strings.TrimSuffix(l.Name, ".tape"), begins.Milliseconds(), last.Milliseconds())
		write = func(w io.Writer) error { return writeTape(w, cut) }
	case l.Compressed && !f.plain:
		name += tape.Gzip
	}
	if f.out == "" {
		return write(p.stdout)
	}
	path := filepath.Join(f.out, name)
	if err := writeNew(path, write); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, path)
	return err
}

// copyTape copies the file, or as text what is on it.
func copyTape(w io.Writer, l listed, plain bool) (err error) {
	open := func() (io.ReadCloser, error) { return os.Open(l.Path) }
	if plain {
		open = func() (io.ReadCloser, error) { return tape.Open(l.Path) }
	}
	r, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	_, err = io.Copy(w, r)
	return err
}

func writeTape(w io.Writer, t *tape.Tape) error {
	out, err := tape.NewWriter(w, t.Header)
	for _, e := range t.Events {
		if err == nil {
			err = out.Event(e)
		}
	}
	return err
}

// writeNew makes a file and its folder. A file that is there is left alone, and one that
// could not be written whole does not stay.
func writeNew(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
