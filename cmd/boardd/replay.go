package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/rules"
	"boardd/venue"
)

type replayFlags struct {
	fen, tc, whiteSide, format string
	until                      int
}

func newReplayCommand(p *process) *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay [flags] TAPE...",
		Short: "Run recorded sessions through the pipeline and print the games",
		Long: `Replay runs tapes through the same pipeline as live boards, with time taken
from the tape, and prints what became of them: json (one object a tape), events
(one line a change as it was published) or pgn. Compressed tapes are taken too, by either name.

An alert names its tape and event. --until EVENT plays up to the moment before the event
after it, and leaves the game as it stood then.`,
		Example: `  boardd replay --format pgn boardd-data/tapes/20261130T100000Z-table-003.tape
  boardd replay --until 812 --format events boardd-data/tapes/20261130T100000Z-table-003.tape`,
		Args: atLeastOne("tape"),
		RunE: func(c *cobra.Command, tapes []string) error {
			o, err := f.options(c)
			if err != nil {
				return err
			}
			for _, name := range tapes {
				if err := replay(p.stdout, name, o, f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.fen, "fen", "", "position the games start from, instead of the tape's")
	c.Flags().StringVar(&f.tc, "tc", "", "time control of the games, instead of the tape's: in seconds (900+10) or in minutes, as the clock shows")
	c.Flags().StringVar(&f.whiteSide, "white-side", "", "side of the clock that is White's, left or right")
	c.Flags().IntVar(&f.until, "until", 0, "play so many events of each tape only (default all)")
	c.Flags().StringVar(&f.format, "format", "json", "json, events or pgn")
	return c
}

func (f *replayFlags) options(c *cobra.Command) (o venue.TableOptions, err error) {
	switch f.format {
	case "json", "events", "pgn":
	default:
		return o, usagef(seeHelp(c), "--format: expected json, events or pgn, got %q", f.format)
	}
	if f.until < 0 || f.until == 0 && c.Flags().Changed("until") {
		return o, usagef(seeHelp(c), "--until: expected the number of an event, from 1, got %d", f.until)
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
	if f.tc != "" {
		var err error
		if o.Controls, err = venue.ReadControl(f.tc); err != nil {
			return o, fmt.Errorf("--tc: %w", err)
		}
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

	Clock venue.ClockReport `json:"clock"`
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
	Text   string `json:"text,omitempty"` // where the detail is a mark for programs
}

func replay(w io.Writer, name string, o venue.TableOptions, f replayFlags) error {
	file, err := tape.Open(name)
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
	base := strings.TrimSuffix(filepath.Base(name), tape.Gzip)
	alerts := []alert{}
	var present, ended []*rules.Game // records: of the game in progress, and of the one before
	drain := func() error {
		changes, commands := play.Table.Take(), play.Table.Commands()
		for _, c := range changes {
			if c.Type == broadcast.TypeAlert && !c.Cleared {
				alerts = append(alerts, alert{c.Code, c.Ply, c.AtMS, c.Detail, c.Text})
			}
		}
		if slices.ContainsFunc(changes, func(c broadcast.Change) bool { return c.Type == broadcast.TypeGame }) {
			ended, present = present, nil
		}
		if f.format != "events" {
			return nil
		}
		return printEvents(w, base, changes, commands)
	}
	events, last := 0, tape.Event{}
	for ; s.Scan(); events++ {
		if f.until > 0 && events == f.until {
			play.Pass(s.Event().At)
			break
		}
		last, present = s.Event(), play.Table.Record()
		if err := play.Play(last); err != nil {
			return fmt.Errorf("%s:%d: %w", name, last.Line, err)
		}
		if err := drain(); err != nil {
			return err
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	if events < f.until {
		return fmt.Errorf("%s: --until: expected at most %d, the number of its events, got %d", name, events, f.until)
	}
	if f.until == 0 {
		play.End()
	}
	if err := drain(); err != nil {
		return err
	}
	record := play.Table.Record()
	if game := record[0]; last.Kind == tape.Order && last.Text == venue.OrderNext && game.Len() == 0 && ended != nil {
		record = ended // the next game is on a tape of its own
	}
	game := record[0]
	switch f.format {
	case "json":
		board := play.Table.Placement()
		return printLine(w, replayed{base, game.Start().FEN(), replayedMoves(record), game.Result, board.String(), alerts, play.Table.ClockReport()})
	case "pgn":
		if f.tc != "" {
			game.Tags.Set("TimeControl", f.tc)
		}
		return rules.WritePGN(w, game)
	}
	return nil
}

// printEvents prints what was published and what was sent to the clock, by time.
func printEvents(w io.Writer, tape string, changes []broadcast.Change, commands []venue.Command) error {
	for len(changes)+len(commands) > 0 {
		var err error
		if len(commands) == 0 || len(changes) > 0 && changes[0].AtMS <= commands[0].At.Milliseconds() {
			err = printLine(w, struct {
				Tape string `json:"tape"`
				broadcast.Change
			}{tape, changes[0]})
			changes = changes[1:]
		} else {
			err = printLine(w, sentOf(tape, commands[0]))
			commands = commands[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sent is a command to the clock as an event. Scripts read it: names are stable.
type sent struct {
	Tape    string `json:"tape"`
	AtMS    int64  `json:"at_ms"`
	Type    string `json:"type"`    // "command"
	Command string `json:"command"` // setnrun, beep, end, ascii, version ...
	Bytes   string `json:"bytes"`   // as they go over the line, in hexadecimal
	Text    string `json:"text"`    // for people
}

func sentOf(tape string, c venue.Command) sent {
	op, _ := c.ClockOp()
	name := op.String()
	switch op {
	case dgt.OpSetAndRun:
		name = "setnrun"
	case dgt.OpEndDisplay:
		name = "end"
	}
	return sent{tape, c.At.Milliseconds(), "command", name, hex.EncodeToString(c.AppendTo(nil)), c.Command.String()}
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
