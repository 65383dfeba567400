package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"boardd/dgt/tape"
	"boardd/dgt/tape/shelf"
)

// tapeFlags say which tapes are meant.
type tapeFlags struct {
	config, dataDir string
	table           int
	round           string
}

func newTapeCommand(p *process) *cobra.Command {
	c := &cobra.Command{
		Use:   "tape",
		Short: "List, export and throw away recorded sessions",
		Long: `Tape looks after the recorded sessions of a data folder. They are in its folder "tapes";
boardd replay plays them.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			got := "none"
			if len(args) > 0 {
				got = fmt.Sprintf("%q", args[0])
			}
			return usagef(seeHelp(c), "tape: expected list, export or trim, got %s", got)
		},
	}
	c.AddCommand(newTapeListCommand(p), newTapeExportCommand(p), newTapeTrimCommand(p))
	return c
}

func (f *tapeFlags) register(c *cobra.Command, which bool) {
	c.Flags().StringVar(&f.config, "config", "", "configuration file that names the data folder (default ./boardd.toml or /etc/boardd/boardd.toml, if there)")
	c.Flags().StringVar(&f.dataDir, "data-dir", "", "data folder (default boardd-data, or the configuration's)")
	if which {
		c.Flags().IntVar(&f.table, "table", 0, "only tapes of this table")
		c.Flags().StringVar(&f.round, "round", "", "only tapes of this round")
	}
}

// tapes lists the folder, which has to be there.
func (f *tapeFlags) tapes(c *cobra.Command) (dir string, tapes []shelf.Tape, err error) {
	if f.table < 0 || f.table == 0 && c.Flags().Changed("table") {
		return "", nil, usagef(seeHelp(c), "--table: expected the number of a table, from 1, got %d", f.table)
	}
	data := f.dataDir
	if !c.Flags().Changed("data-dir") {
		settings, _, err := loadConfig(f.config, configPlaces)
		if err != nil {
			return "", nil, err
		}
		data = settings.DataDir
	}
	dir = filepath.Join(data, "tapes")
	if _, err := os.Stat(dir); err != nil {
		return dir, nil, fmt.Errorf("no recordings: %w; name the data folder with --data-dir", err)
	}
	tapes, err = shelf.List(dir)
	return dir, tapes, err
}

// listed is a tape with what it says of itself.
type listed struct {
	shelf.Tape
	shelf.Info
	fault error // why it was not read to its end
}

func look(t shelf.Tape) listed {
	l := listed{Tape: t}
	l.Info, l.fault = t.Info()
	return l
}

// chosen are the tapes that --table and --round leave.
func (f *tapeFlags) chosen(tapes []shelf.Tape) (list []listed) {
	for _, t := range tapes {
		l := look(t)
		if (f.table == 0 || l.Table == f.table) && (f.round == "" || l.Round == f.round) {
			list = append(list, l)
		}
	}
	return list
}

// named finds the tapes that a person names: by the name in the folder, with or without
// its endings, or by a path.
func named(dir string, tapes []shelf.Tape, names []string) (list []listed, err error) {
	for _, name := range names {
		t, found := find(dir, tapes, name)
		if !found {
			err = errors.Join(err, fmt.Errorf("expected the name of a tape in %s, or the path of one, got %q", dir, name))
			continue
		}
		list = append(list, look(t))
	}
	return list, err
}

func find(dir string, tapes []shelf.Tape, name string) (shelf.Tape, bool) {
	base := strings.TrimSuffix(strings.TrimSuffix(name, tape.Gzip), ".tape") + ".tape"
	for _, t := range tapes {
		if t.Name == base {
			return t, true
		}
	}
	for _, path := range []string{name, name + tape.Gzip} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			name, packed := strings.CutSuffix(filepath.Base(path), tape.Gzip)
			return shelf.Tape{Name: name, Path: path, Size: info.Size(), Compressed: packed}, true
		}
	}
	return shelf.Tape{}, false
}

// players are both names, as far as the tape has them.
func (l listed) players() string {
	if l.White == "" && l.Black == "" {
		return "-"
	}
	return orDash(l.White) + " - " + orDash(l.Black)
}

func orDash(text string) string {
	if text == "" {
		return "?"
	}
	return text
}

// state says how the tape is, in words.
func (l listed) state() string {
	s := l.Tape.State()
	switch {
	case l.fault != nil:
		s += ", damaged"
	case l.Torn && !l.Recording:
		s += ", cut off by a crash"
	}
	return s
}
