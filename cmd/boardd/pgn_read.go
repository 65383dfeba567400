package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boardd/broadcast/lcc"
	"boardd/broadcast/pgn"
	"boardd/rules"
)

func newPGNCommand(p *process) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "pgn [flags] FILE...",
		Short: "Read games as feeds write them, and print them clean",
		Long: `PGN reads files of games as they come from feeds: PGN, and the game-N.json of LiveChess
Cloud with the index.json and tournament.json around it. It prints each game in the export form of
PGN, and tells on the standard error what is wrong and what it has tolerated. An illegal move ends
its game there; what came before and the result are kept. "-" is the standard input, a PGN. It
fails when something could not be read.`,
		Example: `  boardd pgn round-3/games.pgn > clean.pgn
  boardd pgn --json round-3/game-*.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("pgn: expected the name of a file, or - for the standard input, got none")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			r := pgnRun{p: p, asJSON: asJSON}
			for _, name := range args {
				if err := r.file(name); err != nil {
					return err
				}
			}
			if r.faults > 0 {
				return errUnreadable
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a game")
	return c
}

// pgnRun goes through files and prints their games.
type pgnRun struct {
	p      *process
	asJSON bool
	games  int
	faults int
}

func (r *pgnRun) file(name string) error {
	if strings.HasSuffix(name, ".json") {
		g, err := readLiveChessGame(name)
		if g == nil {
			return err
		}
		return r.print(name, 1, g, nil, err)
	}
	in := r.p.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	reader := rules.NewPGNReader(in, name)
	for g, err := range reader.Games() {
		if g == nil {
			return err
		}
		if err := r.print(name, reader.Line(), g, reader.Notes(), err); err != nil {
			return err
		}
	}
	return nil
}

func (r *pgnRun) print(name string, line int, g *rules.Game, notes []rules.PGNNote, fault error) error {
	r.games++
	if fault != nil {
		r.faults++
	}
	if r.asJSON {
		return json.NewEncoder(r.p.stdout).Encode(pgnGameOf(r.games, name, line, g, notes, fault))
	}
	for _, n := range notes {
		fmt.Fprintf(r.p.stderr, "%s:%d: tolerated: %s (%s)\n", name, n.Line, n.Oddity, plural(n.Count, "time"))
	}
	if fault != nil {
		fmt.Fprintln(r.p.stderr, fault)
	}
	return rules.WritePGN(r.p.stdout, g)
}

// pgnGameJSON is a game for scripts; its names are stable.
type pgnGameJSON struct {
	Game      int               `json:"game"` // from 1, over all files
	File      string            `json:"file"`
	Line      int               `json:"line"`
	Tags      map[string]string `json:"tags"`
	StartFEN  string            `json:"start_fen"`
	Moves     []string          `json:"moves"`
	Clk       []*float64        `json:"clk"` // seconds by ply, null where not known
	Emt       []*float64        `json:"emt"`
	Result    rules.Result      `json:"result"`
	WhiteS    *float64          `json:"white_s"` // by the tags of a live game, in seconds
	BlackS    *float64          `json:"black_s"`
	Running   string            `json:"running"` // w, b or ""
	Error     *gameFault        `json:"error,omitempty"`
	Tolerated []toleratedJSON   `json:"tolerated,omitempty"`
}

type gameFault struct {
	Line int    `json:"line,omitempty"`
	Ply  int    `json:"ply,omitempty"`
	SAN  string `json:"san,omitempty"`
	Text string `json:"text"`
}

type toleratedJSON struct {
	What  rules.PGNOddity `json:"what"`
	Line  int             `json:"line"`
	Count int             `json:"count"`
}

func pgnGameOf(n int, name string, line int, g *rules.Game, notes []rules.PGNNote, fault error) pgnGameJSON {
	clocks := pgn.TagClocks(g)
	out := pgnGameJSON{Game: n, File: name, Line: line, Tags: map[string]string{}, StartFEN: g.Start().FEN(), Moves: []string{}, Clk: []*float64{}, Emt: []*float64{},
		Result: g.Result, WhiteS: inSeconds(clocks.White), BlackS: inSeconds(clocks.Black), Running: clocks.Running}
	for _, tag := range g.Tags {
		out.Tags[tag.Name] = tag.Value
	}
	for _, ply := range g.Plies() {
		var clk, emt *time.Duration
		if ply.HasClock {
			clk = &ply.Clock
		}
		if ply.HasSpent {
			emt = &ply.Spent
		}
		out.Moves, out.Clk, out.Emt = append(out.Moves, ply.SAN), append(out.Clk, inSeconds(clk)), append(out.Emt, inSeconds(emt))
	}
	if fault != nil {
		out.Error = &gameFault{Text: fault.Error()}
		var at *rules.PGNError
		if errors.As(fault, &at) {
			out.Error.Line, out.Error.Ply, out.Error.SAN = at.Line, at.Ply, at.SAN
		}
	}
	for _, note := range notes {
		out.Tolerated = append(out.Tolerated, toleratedJSON{note.Oddity, note.Line, note.Count})
	}
	return out
}

func inSeconds(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	s := d.Seconds()
	return &s
}

var liveChessNames = regexp.MustCompile(`^game-([0-9]{1,6})\.json$`)

// readLiveChessGame reads a game-N.json, with what the files around it know. An error beside a game is a fault in it.
func readLiveChessGame(name string) (*rules.Game, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := lcc.ReadGame(name, data)
	if err != nil {
		return nil, err
	}
	g, fault := file.Record()
	if fault != nil {
		fault = fmt.Errorf("%s: %w", name, fault)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(path)
	m := liveChessNames.FindStringSubmatch(filepath.Base(path))
	round, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(folder), "round-"))
	if m == nil || err != nil {
		return g, fault // a file alone
	}
	number, err := strconv.Atoi(m[1])
	if err != nil {
		return g, fault
	}
	tournament, err := nextTo(filepath.Join(filepath.Dir(folder), "tournament.json"), lcc.ReadTournament)
	if err != nil {
		return nil, err
	}
	index, err := nextTo(filepath.Join(folder, "index.json"), lcc.ReadRound)
	if err != nil {
		return nil, err
	}
	lcc.Tag(g, tournament, index, round, number)
	return g, fault
}

// nextTo reads a file that may be missing.
func nextTo[T any](name string, read func(string, []byte) (T, error)) (*T, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := read(name, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	return &file, err
}
