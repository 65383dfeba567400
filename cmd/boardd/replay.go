package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/dgt/tape"
	"boardd/rules"
	"boardd/venue"
)

type replayFlags struct {
	fen, tc, whiteSide, format string
}

func newReplayCommand(p *process) *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay [flags] TAPE...",
		Short: "Run recorded sessions through the pipeline and print the games",
		Long: `Replay runs tapes through the same pipeline as live boards, with time taken
from the tape, and prints what became of them: json (one object a tape), events
(one line a change as it was published) or pgn.`,
		Args: atLeastOne("tape"),
		RunE: func(c *cobra.Command, tapes []string) error {
			o, err := f.options(c)
			if err != nil {
				return err
			}
			for _, name := range tapes {
				if err := replay(p.stdout, name, o, f.format, f.tc); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.fen, "fen", "", "position the games start from, instead of the tape's")
	c.Flags().StringVar(&f.tc, "tc", "", "time control of the games, for the PGN tag as PGN writes it (900+10)")
	c.Flags().StringVar(&f.whiteSide, "white-side", "", "side of the clock that is White's, left or right")
	c.Flags().StringVar(&f.format, "format", "json", "json, events or pgn")
	return c
}

func (f *replayFlags) options(c *cobra.Command) (o venue.TableOptions, err error) {
	switch f.format {
	case "json", "events", "pgn":
	default:
		return o, usagef(seeHelp(c), "--format: expected json, events or pgn, got %q", f.format)
	}
	if f.fen != "" {
		start, err := rules.ParseFEN(f.fen)
		if err != nil {
			return o, fmt.Errorf("--fen: %w", err)
		}
		o.Start = &start
	}
	if f.whiteSide != "" {
		side, err := venue.ParseSide(f.whiteSide)
		if err != nil {
			return o, usagef(seeHelp(c), "--white-side: %w", err)
		}
		o.WhiteSide = &side
	}
	return o, nil
}

// replayed is the json form of one tape. Scripts read it: names are stable.
type replayed struct {
	Tape      string        `json:"tape"`
	StartFEN  string        `json:"start_fen"`
	Moves     []replayedPly `json:"moves"`
	Result    rules.Result  `json:"result"`
	Placement string        `json:"placement"`
	Alerts    []alert       `json:"alerts"`
}

type replayedPly struct {
	Ply     int    `json:"ply"`
	SAN     string `json:"san"`
	UCI     string `json:"uci"`
	ClockMS *int64 `json:"clock_ms"`
	AtMS    int64  `json:"at_ms"`
	FirmMS  *int64 `json:"firm_ms"`
}

type alert struct {
	Code   string `json:"code"`
	Ply    int    `json:"ply"`
	AtMS   int64  `json:"at_ms"`
	Detail string `json:"detail"`
}

func replay(w io.Writer, name string, o venue.TableOptions, format, tc string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := tape.NewScanner(file, name)
	if err != nil {
		return err
	}
	play, err := venue.NewPlayback(s.Header(), o)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	base := filepath.Base(name)
	alerts := []alert{}
	drain := func() error {
		for _, c := range play.Table.Take() {
			if c.Type == broadcast.TypeAlert {
				alerts = append(alerts, alert{c.Code, c.Ply, c.AtMS, c.Detail})
			}
			if format == "events" {
				if err := printLine(w, struct {
					Tape string `json:"tape"`
					broadcast.Change
				}{base, c}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for s.Scan() {
		if err := play.Play(s.Event()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, s.Event().Line, err)
		}
		if err := drain(); err != nil {
			return err
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	play.End()
	if err := drain(); err != nil {
		return err
	}
	game := play.Table.Game()
	switch format {
	case "json":
		board := play.Table.Placement()
		return printLine(w, replayed{base, game.Start().FEN(), replayedMoves(play.Table.Record()), game.Result, board.String(), alerts})
	case "pgn":
		if tc != "" {
			game.Tags.Set("TimeControl", tc)
		}
		return rules.WritePGN(w, game)
	}
	return nil
}

// replayedMoves numbers the plies of all segments of the record through.
func replayedMoves(record []*rules.Game) []replayedPly {
	moves := []replayedPly{}
	for _, g := range record {
		for i, ply := range g.Plies() {
			m := replayedPly{Ply: len(moves) + 1, SAN: ply.SAN, UCI: g.PositionAt(i).UCI(ply.Move), AtMS: ply.At.Milliseconds()}
			if ply.HasClock {
				m.ClockMS = broadcast.MS(ply.Clock)
			}
			if ply.Firm {
				m.FirmMS = broadcast.MS(ply.FirmAt)
			}
			moves = append(moves, m)
		}
	}
	return moves
}

func printLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
