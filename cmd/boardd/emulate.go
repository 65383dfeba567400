package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
	"boardd/venue/players"
)

type emulateFlags struct {
	link, pgn string
	fen       string
	speed     float64
	serial    int
	turned    bool
	seed      uint64
	clock     clockFlags
	fault     []string
	faults    emulator.Faults
}

func newEmulateCommand(p *process) *cobra.Command {
	var f emulateFlags
	c := &cobra.Command{
		Use:   "emulate [flags]",
		Short: "Be a board and clock on a pseudo terminal",
		Long: `Emulate is a board with a clock that exists in software only and speaks the
protocol of a real one on a pseudo terminal. It prints the terminal's path; any program that
reads boards can open it. It plays the games of a PGN file, and takes orders from its standard
input, one a line; "help" lists them. It ends with "quit", SIGINT or SIGTERM.

The clock runs a programme of its own, or with --remote obeys what it is told over the board.
Faults of line and clock are switched on with --fault NAME=VALUE or the order "fault NAME VALUE";
a value is a share from 0 to 1. Their names:
  ` + emulator.FaultNames,
		Example: `  boardd emulate --link /tmp/board
  boardd run --port /tmp/board
  boardd emulate --clock xl --remote --fault lose-ack=0.1 --fault late-ack=3s
  boardd emulate --tc "90'/40 + 30' + 30\""`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkSpeed(c, f.speed); err != nil {
				return err
			}
			if c.Flags().Changed("serial") && (f.serial < 1 || f.serial > 99999) {
				return usagef(seeHelp(c), "--serial: expected 1 to 99999, got %d", f.serial)
			}
			if _, known := clockModels[f.clock.model]; !known {
				return usagef(seeHelp(c), "--clock: expected 3000 or xl, got %q", f.clock.model)
			}
			if f.clock.remote && f.pgn != "" {
				return usagef(seeHelp(c), "--remote: the players of --pgn set the clock by hand")
			}
			for _, text := range f.fault {
				name, value, _ := strings.Cut(text, "=")
				if err := f.faults.Set(name, value); err != nil {
					return usagef(seeHelp(c), "--fault: %w", err)
				}
			}
			return emulate(c.Context(), p, f)
		},
	}
	c.Flags().StringVar(&f.link, "link", "", "symbolic link that leads to the board while it is plugged in")
	c.Flags().StringVar(&f.pgn, "pgn", "", "file of games to play, one after the other")
	c.Flags().StringVar(&f.fen, "fen", rules.StartFEN, "what stands on the board at the start")
	c.Flags().Float64Var(&f.speed, "speed", 1, "how many times faster than in life")
	c.Flags().IntVar(&f.serial, "serial", 0, "serial number (default: one of its own)")
	c.Flags().BoolVar(&f.turned, "turned", false, "the connector is on White's right")
	c.Flags().StringVar(&f.clock.model, "clock", "3000", "which clock stands there: 3000 or xl")
	c.Flags().StringVar(&f.clock.control, "tc", "", "time control the clock is programmed for (default 15+10)")
	c.Flags().BoolVar(&f.clock.remote, "remote", false, "the clock stands in its remote option, XL 23 or DGT 3000 25")
	c.Flags().StringArrayVar(&f.fault, "fault", nil, "NAME=VALUE, a fault from the start on; may be repeated")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "decides all that varies: hands, thinking times")
	return c
}

func emulate(ctx context.Context, p *process, f emulateFlags) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	white := dgt.Left
	if f.turned {
		white = dgt.Right
	}
	men, err := emulator.ParsePlacement(strings.Fields(f.fen + " -")[0])
	if err != nil {
		return fmt.Errorf("--fen: %w", err)
	}
	setting, err := f.clock.setting(white)
	if err != nil {
		return err
	}
	var games []*rules.Game
	if f.pgn != "" {
		file, err := os.Open(f.pgn)
		if err != nil {
			return err
		}
		defer file.Close()
		if games, err = readGames(file, f.pgn); err != nil {
			return err
		}
	}
	board, err := emulator.Open(ctx, emulator.Options{
		Link:  f.link,
		Speed: f.speed,
		Config: emulator.Config{
			Seed:     f.seed,
			Identity: emulator.Identity{Serial: f.serial},
			Men:      men,
			Turned:   f.turned,
			Clock:    setting,
			Faults:   f.faults,
			Manner:   emulator.Careful,
		},
	})
	if err != nil {
		return err
	}
	defer board.Close()
	e := &emulation{board: board, clock: setting, out: p.stdout}
	e.where()

	var playing sync.WaitGroup
	defer playing.Wait()
	if len(games) > 0 {
		rng := rand.New(rand.NewPCG(f.seed, 0))
		pair := &players.Pair{Board: board, White: white, Base: demoBase, Increment: demoIncrement, Think: demoThink, Rand: rng}
		playing.Go(func() { e.play(ctx, pair, games) })
	}
	err = e.orders(ctx, p.stdin)
	cancel()
	return err
}

// emulation is one board that people at a terminal look after.
type emulation struct {
	board *emulator.Device
	clock emulator.ClockSetting
	mu    sync.Mutex
	out   io.Writer
}

func (e *emulation) say(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.out, format+"\n", args...)
}

// where tells where the board is.
func (e *emulation) where() {
	if path, pty := e.board.Path(), e.board.PTY(); path != pty {
		e.say("board on %s (%s)", path, pty)
	} else {
		e.say("board on %s", path)
	}
}

// orders obeys what is typed until "quit" or ctx ends. The end of the input alone ends
// nothing: the board may be started without one.
func (e *emulation) orders(ctx context.Context, in io.Reader) error {
	lines := make(chan string)
	go func() { // ends with the process, as long as nobody types
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if !more {
				<-ctx.Done()
				return nil
			}
			if e.order(ctx, strings.TrimSpace(line)) {
				return nil
			}
		}
	}
}

// order obeys one line; quit says that it was the last.
func (e *emulation) order(ctx context.Context, line string) (quit bool) {
	switch line {
	case "":
		return false
	case "quit", "exit":
		return true
	case "help":
		e.say("%shelp             this list\nquit             end", emulator.Orders)
		return false
	}
	if err := e.board.Order(ctx, line); err != nil {
		if ctx.Err() == nil {
			e.say("%v; \"help\" lists the orders", err)
		}
		return false
	}
	if line == "replug" {
		e.where()
	} else {
		e.say("ok")
	}
	return false
}

// play plays games one after the other.
func (e *emulation) play(ctx context.Context, pair *players.Pair, games []*rules.Game) {
	for i, g := range games {
		e.say("game %d of %d: %s - %s", i+1, len(games), g.Tags.Get("White"), g.Tags.Get("Black"))
		err := pair.SetUp(ctx, g.Start())
		if err == nil {
			err = pair.Board.With(ctx, func(b *emulator.Board) {
				setting := e.clock
				setting.Lever = b.ClockState().Lever
				b.SetClock(setting)
			})
		}
		if err == nil {
			err = pair.Board.Do(ctx, func(h *emulator.Hands) { h.Wait(5 * time.Second) })
		}
		if err == nil {
			err = pair.Play(ctx, g)
		}
		if err == nil {
			err = pair.End(ctx, g)
		}
		if err != nil {
			if ctx.Err() == nil {
				e.say("game %d: %v", i+1, err)
			}
			return
		}
		e.say("game %d is over: %s", i+1, g.Result)
	}
}

// readGames reads all games of a PGN text.
func readGames(r io.Reader, name string) ([]*rules.Game, error) {
	var games []*rules.Game
	var faults []error
	for g, err := range rules.ScanPGN(r, name) {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		games = append(games, g)
	}
	if len(faults) == 0 && len(games) == 0 {
		return nil, fmt.Errorf("%s: expected a game, found none", name)
	}
	return games, errors.Join(faults...)
}
