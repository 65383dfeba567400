package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
	"boardd/venue"
	"boardd/venue/players"
)

// demoPGN are old games that everybody may play over: their moves, written down
// for this demonstration.
//
//go:embed demo.pgn
var demoPGN string

const maxDemoBoards = 200

type demoFlags struct {
	boards  int
	speed   float64
	listen  string
	dataDir string
	once    bool
	seed    uint64
}

func newDemoCommand(p *process) *cobra.Command {
	var f demoFlags
	c := &cobra.Command{
		Use:   "demo [flags]",
		Short: "Show emulated boards that play, with nothing plugged in",
		Long: `Demo plays well-known old games on emulated boards, each on a pseudo terminal of
its own, and reads and shows them as run does real ones. Players think as people do; --speed
makes their time pass faster.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.boards < 1 || f.boards > maxDemoBoards {
				return usagef(seeHelp(c), "--boards: expected 1 to %d, got %d", maxDemoBoards, f.boards)
			}
			if err := checkSpeed(c, f.speed); err != nil {
				return err
			}
			return runDemo(c.Context(), p, f, c.Flags().Changed("listen"))
		},
	}
	c.Flags().IntVar(&f.boards, "boards", 8, "how many boards play")
	c.Flags().Float64Var(&f.speed, "speed", 4, "how many times faster than in life")
	c.Flags().StringVar(&f.listen, "listen", ":8080", "host:port of the page; without this flag the next free port will do")
	c.Flags().StringVar(&f.dataDir, "data-dir", "", "folder for recorded sessions (default: none are recorded)")
	c.Flags().BoolVar(&f.once, "once", false, "end when each board has played one game")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "decides all that varies: hands, thinking times")
	return c
}

// demoTime is the time control of the demonstration.
const (
	demoBase      = 15 * time.Minute
	demoIncrement = 10 * time.Second
	demoThink     = 12 * time.Second
)

func runDemo(ctx context.Context, p *process, f demoFlags, listenGiven bool) (err error) {
	games, err := readGames(strings.NewReader(demoPGN), "demo.pgn")
	if err != nil {
		return err
	}
	ln, err := demoListen(f.listen, listenGiven)
	if err != nil {
		return err
	}
	defer ln.Close()
	dir, err := os.MkdirTemp("", "boardd-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	config := venue.DefaultConfig()
	config.DataDir = f.dataDir
	config.Event = venue.EventConfig{Name: "boardd demo", Site: "Emulated boards", Round: "1", TimeControl: "15+10"}
	// Real boards on this machine are left alone.
	config.Serial = venue.SerialConfig{}
	d := &demo{flags: f, games: games}
	defer func() {
		for _, pair := range d.pairs {
			pair.Board.Close()
		}
	}()
	for i := range f.boards {
		pair, err := d.open(ctx, filepath.Join(dir, fmt.Sprintf("board-%03d", i+1)), i)
		if err != nil {
			return err
		}
		d.pairs = append(d.pairs, pair)
		config.Serial.Ports = append(config.Serial.Ports, pair.Board.Path())
		// The names are there before the boards answer.
		g := d.game(i, 0)
		config.Tables = append(config.Tables, venue.TableConfig{
			Number: i + 1, Port: pair.Board.Path(), White: g.Tags.Get("White"), Black: g.Tags.Get("Black"),
		})
	}
	d.hub = broadcast.NewHub(broadcast.Options{Title: config.Event.Name, Log: p.log})
	d.hall = venue.New(venue.Options{Config: config, Publish: d.hub.Publish, Log: p.log, Pace: f.speed})
	ready := func() {
		printPage(p.stdout, pageURLs(ln.Addr()))
		fmt.Fprintf(p.stdout, "%s, %v times faster than in life; Ctrl-C ends it.\n", plural(f.boards, "emulated board"), f.speed)
	}
	publisher := newPublisher(p, config, d.hub, time.Now())
	return serveUntilDone(ctx, d.hub, ln, ready, besidePublisher(publisher, d.run))
}

// demoListen opens the page's address; unless it was asked for, one of the next
// ports will do.
func demoListen(addr string, given bool) (net.Listener, error) {
	ln, err := listen(addr, "--listen")
	if given || !errors.Is(err, syscall.EADDRINUSE) {
		return ln, err
	}
	host, port, _ := net.SplitHostPort(addr)
	first, _ := strconv.Atoi(port)
	for n := first + 1; n <= first+50; n++ {
		if ln, err := listen(net.JoinHostPort(host, strconv.Itoa(n)), "--listen"); err == nil {
			return ln, nil
		}
	}
	return nil, err
}

// demo is the people and boards of the demonstration.
type demo struct {
	flags demoFlags
	games []*rules.Game
	pairs []*players.Pair
	hub   *broadcast.Hub
	hall  *venue.Venue
}

// open powers up board i, from 0. Every fourth stands with its connector on the
// other side, as in a real hall.
func (d *demo) open(ctx context.Context, path string, i int) (*players.Pair, error) {
	rng := rand.New(rand.NewPCG(d.flags.seed, uint64(i)))
	turned, white := i%4 == 2, dgt.Left
	if turned {
		white = dgt.Right
	}
	board, err := emulator.Open(ctx, emulator.Options{
		Link:  path,
		Speed: d.flags.speed,
		Config: emulator.Config{
			Seed:     rng.Uint64(),
			Identity: emulator.Identity{Serial: 12001 + i},
			Men:      dgt.StartPlacement(),
			Turned:   turned,
			Clock:    emulator.Fischer(demoBase, demoIncrement, white),
			Manner:   emulator.Careful,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("board %d of %d: %w", i+1, d.flags.boards, err)
	}
	return &players.Pair{Board: board, White: white, Base: demoBase, Increment: demoIncrement, Think: demoThink, Rand: rng}, nil
}

// game is what board i plays in a round, both from 0.
func (d *demo) game(i, round int) *rules.Game {
	return d.games[(i+round*max(1, len(d.pairs)))%len(d.games)]
}

// run has the hall run and the people play. It ends with ctx, after one game a
// board with --once, or when something goes wrong.
func (d *demo) run(ctx context.Context) error {
	hall, closeHall := context.WithCancel(ctx)
	defer closeHall()
	evening, endEvening := context.WithCancelCause(hall)
	defer endEvening(nil)
	ended := make(chan error, 1)
	go func() {
		err := d.hall.Run(hall)
		endEvening(err)
		ended <- err
	}()
	var playing sync.WaitGroup
	for i := range d.pairs {
		playing.Go(func() {
			if err := d.play(evening, i); err != nil {
				endEvening(fmt.Errorf("board %d: %w", i+1, err))
			}
		})
	}
	playing.Wait()
	closeHall()
	err := <-ended
	if cause := context.Cause(evening); ctx.Err() == nil && !errors.Is(cause, context.Canceled) {
		err = errors.Join(err, cause)
	}
	return err
}

// play is an evening at board i.
func (d *demo) play(ctx context.Context, i int) error {
	pair := d.pairs[i]
	if err := d.seen(ctx, i+1); err != nil {
		return err
	}
	for round := 0; ; round++ {
		g := d.game(i, round)
		if err := pair.SetUp(ctx, g.Start()); err != nil {
			return err
		}
		if err := d.hall.Announce(i+1, map[string]string{
			"White": g.Tags.Get("White"), "Black": g.Tags.Get("Black"), "Round": strconv.Itoa(round + 1),
		}); err != nil {
			return err
		}
		wait := 5*time.Second + time.Duration(pair.Rand.Int64N(int64(15*time.Second))) // not all at once
		if err := pair.Board.Do(ctx, func(h *emulator.Hands) { h.Wait(wait) }); err != nil {
			return err
		}
		if err := pair.Play(ctx, g); err != nil {
			return err
		}
		if err := pair.End(ctx, g); err != nil {
			return err
		}
		if err := d.result(ctx, i+1, g.Result); err != nil || d.flags.once {
			return err
		}
		// The end stands for a while.
		if err := pair.Board.Do(ctx, func(h *emulator.Hands) { h.Wait(40 * time.Second) }); err != nil {
			return err
		}
	}
}

// seen waits until the hall has read the board of a table, the clock last: a player
// who is too fast for that plays unseen moves.
func (d *demo) seen(ctx context.Context, table int) error {
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		v, err := d.hub.Live().View(ctx)
		if err != nil && !errors.Is(err, broadcast.ErrNotRunning) {
			return err
		}
		for _, b := range v.Boards {
			if b.Board == table && b.Status == broadcast.LinkLive && b.WhiteMS != nil {
				return nil
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// result enters the result by hand where the board did not tell it, as an
// operator would; the next game could not begin otherwise.
func (d *demo) result(ctx context.Context, table int, r rules.Result) error {
	v, err := d.hub.Live().View(ctx)
	if err != nil {
		return err
	}
	for _, b := range v.Boards {
		if b.Board == table && b.Result == string(rules.Unfinished) {
			return d.hall.Order(table, "result "+string(r))
		}
	}
	return nil
}

// checkSpeed says what is wrong with --speed. Only what is in range is right: NaN
// is neither too small nor too great.
func checkSpeed(c *cobra.Command, speed float64) error {
	if speed >= 0.1 && speed <= 100 {
		return nil
	}
	return usagef(seeHelp(c), "--speed: expected 0.1 to 100, got %v", speed)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
