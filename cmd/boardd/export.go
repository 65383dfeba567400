package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"boardd/journal"
	"boardd/journal/archive"
	"boardd/rules"
)

type exportFlags struct {
	config, dataDir, round, event, format, out string
}

func newExportCommand(p *process) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the finished games of the journal as PGN or JSON",
		Long: `Export writes every game in the journal that has a result, with its clocks, also those of
earlier rounds and earlier runs of boardd, and while boardd runs. PGN has the tags that
spectators were shown; JSON is one object a game, with the moves and alerts as boardd replay
writes them.

With --out there is a file a round, which is replaced if it is there. There is no delay
here: what it writes is not for spectators while the round is played.`,
		Example: `  boardd export --round 3 >round-3.pgn
  boardd export --format json --out /media/usb`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, p) },
	}
	c.Flags().StringVar(&f.config, "config", "", "configuration file that names the data folder (default ./boardd.toml or /etc/boardd/boardd.toml, if there)")
	c.Flags().StringVar(&f.dataDir, "data-dir", "", "data folder (default boardd-data, or the configuration's)")
	c.Flags().StringVar(&f.round, "round", "", "only games of this round")
	c.Flags().StringVar(&f.event, "event", "", "only games of the event with this name")
	c.Flags().StringVar(&f.format, "format", "pgn", "pgn or json")
	c.Flags().StringVar(&f.out, "out", "", "folder for a file a round (default: all to the standard output)")
	return c
}

// exported is a finished game as it is written.
type exported struct {
	archive.Game
	text []byte
}

func (f *exportFlags) run(c *cobra.Command, p *process) error {
	if f.format != "pgn" && f.format != "json" {
		return usagef(seeHelp(c), "--format: expected pgn or json, got %q", f.format)
	}
	data := f.dataDir
	if !c.Flags().Changed("data-dir") {
		settings, _, err := loadConfig(f.config, configPlaces)
		if err != nil {
			return err
		}
		data = settings.DataDir
	}
	path := filepath.Join(data, journal.File)
	found := map[journal.GameID]exported{} // a game may come twice, and then whole
	err := journal.Records(c.Context(), path, func(r *journal.Record) error {
		g := archive.GameOf(r)
		delete(found, g.ID)
		if r.Result == rules.Unfinished || c.Flags().Changed("round") && g.Round() != f.round || c.Flags().Changed("event") && g.Event() != f.event {
			return nil
		}
		if r.Broken != "" {
			p.log.Warn().Int("table", r.Table).Str("why", r.Broken).Msg("the record of a game is not whole")
		}
		text := g.PGN
		if f.format == "json" {
			var b bytes.Buffer
			if err := printLine(&b, archived(r, g)); err != nil {
				return err
			}
			text = b.Bytes()
		}
		found[g.ID] = exported{g, text}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no journal: %w; name the data folder with --data-dir", err)
	}
	// What a damaged journal gives is worth having.
	games := make([]archive.Game, 0, len(found))
	for _, g := range found {
		games = append(games, g.Game)
	}
	archive.Sort(games)
	list := make([]exported, len(games))
	for i, g := range games {
		list[i] = found[g.ID]
	}
	if f.out == "" {
		return errors.Join(exportAll(p.stdout, list), err)
	}
	return errors.Join(f.exportRounds(p.stdout, list), err)
}

func exportAll(w io.Writer, list []exported) error {
	for _, g := range list {
		if _, err := w.Write(g.text); err != nil {
			return err
		}
	}
	return nil
}

// exportRounds writes a file a round. Where there are several events, their names are in those
// of the files.
func (f *exportFlags) exportRounds(w io.Writer, list []exported) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "No finished games.")
		return err
	}
	events := map[string]bool{}
	for i := range list {
		events[list[i].Event()] = true
	}
	files, order := map[string][]byte{}, []string(nil)
	for i := range list {
		g := &list[i]
		name := "round-" + fileWord(g.Round())
		if len(events) > 1 {
			name = fileWord(g.Event()) + "-" + name
		}
		name += "." + f.format
		if files[name] == nil {
			order = append(order, name)
		}
		files[name] = append(files[name], g.text...)
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	for _, name := range order {
		path := filepath.Join(f.out, name)
		if err := replaceFile(path, files[name]); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, path); err != nil {
			return err
		}
	}
	return nil
}

// fileWord is a text as part of a file's name on any system.
func fileWord(text string) string {
	word := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			return r
		}
		return '_'
	}, text)
	if word == "" {
		return "none"
	}
	return word
}

// replaceFile writes a file so that whoever reads it finds the old one or the new one.
func replaceFile(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".boardd-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// archivedGame is the json form of a game of the journal. Scripts read it: names are stable.
type archivedGame struct {
	Game      int64             `json:"game"` // of the journal
	Table     int               `json:"table"`
	Round     string            `json:"round"`
	Tags      map[string]string `json:"tags"`
	StartFEN  string            `json:"start_fen"`
	Moves     []replayedPly     `json:"moves"`
	Result    rules.Result      `json:"result"`
	Placement string            `json:"placement"` // after the last move of the record
	Alerts    []alert           `json:"alerts"`
	Broken    string            `json:"broken,omitempty"` // why the record is not whole
}

func archived(r *journal.Record, g archive.Game) archivedGame {
	a := archivedGame{Game: int64(r.Game), Table: r.Table, Round: g.Round(), Tags: map[string]string{}, StartFEN: r.Main().Start().FEN(),
		Result: r.Result, Alerts: []alert{}, Broken: r.Broken}
	for _, tag := range g.Tags {
		a.Tags[tag.Name] = tag.Value
	}
	var parts []*rules.Game
	for _, part := range r.Parts {
		parts = append(parts, part.Game)
	}
	a.Moves = replayedMoves(parts)
	men := parts[len(parts)-1].Current().Placement()
	a.Placement = men.String()
	for _, e := range r.Entries {
		if f, is := e.Fact.(journal.Alert); is && f.Step == journal.Raised {
			a.Alerts = append(a.Alerts, alert{Code: f.Code, Ply: f.N, AtMS: e.At.Milliseconds(), Detail: f.Detail})
		}
	}
	return a
}
