package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/journal/archive"
	"boardd/venue"
)

type runFlags struct {
	config, listen, dataDir, delay string
	ports                          []string
}

func newRunCommand(p *process) *cobra.Command { return newRunCommandWith(p, &runFlags{}) }

func newRunCommandWith(p *process, f *runFlags) *cobra.Command {
	c := &cobra.Command{
		Use:   "run [flags]",
		Short: "Read the boards and show their games",
		Long: `Run reads all boards whose ports are listed or allowed, works out their games,
and shows them on a page. It needs no configuration for one USB-C board; for others name
the port with --port or in the configuration (--config, else ./boardd.toml, else
/etc/boardd/boardd.toml). It ends on SIGINT and SIGTERM.`,
		Example: `  boardd run
  boardd run --port /dev/ttyUSB0 --port /dev/ttyUSB1 --listen :80`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			config, file, err := f.settings(c)
			if err != nil {
				return err
			}
			p.useLogLevel(config.LogLevel)
			if file != "" {
				p.log.Info().Str("file", file).Msg("configuration")
			}
			return runVenue(c.Context(), p, config, file)
		},
	}
	c.Flags().StringVar(&f.config, "config", "", "configuration file (default ./boardd.toml or /etc/boardd/boardd.toml, if there)")
	c.Flags().StringArrayVar(&f.ports, "port", nil, "device with a board on it, besides those of the configuration; may be repeated")
	c.Flags().StringVar(&f.listen, "listen", "", "host:port of the page (default :8080, or the configuration's)")
	c.Flags().StringVar(&f.delay, "delay", "", `how much later spectators see the games, as in "15 min" or "0 s" (default 15 min, or the configuration's)`)
	c.Flags().StringVar(&f.dataDir, "data-dir", "", "folder for recorded sessions (default boardd-data, or the configuration's)")
	return c
}

// settings are the configuration with the flags laid over it.
func (f *runFlags) settings(c *cobra.Command) (venue.Config, string, error) {
	config, file, err := loadConfig(f.config, configPlaces)
	if err != nil {
		return config, file, err
	}
	if err := addPorts(c, &config, f.ports); err != nil {
		return config, file, err
	}
	if c.Flags().Changed("listen") {
		config.Listen = f.listen
	}
	if c.Flags().Changed("data-dir") {
		config.DataDir = f.dataDir
	}
	if c.Flags().Changed("delay") {
		if config.Delay, err = venue.ParseDelay(f.delay); err != nil {
			return config, file, usagef(seeHelp(c), "--delay: %v", err)
		}
	}
	return config, file, nil
}

// addPorts lays the ports of --port over those of the configuration.
func addPorts(c *cobra.Command, config *venue.Config, ports []string) error {
	for _, port := range ports {
		if port == "" { // an unset variable of a script; it would be the current folder
			return usagef(seeHelp(c), `--port: expected the path of a device, got ""`)
		}
		path, err := filepath.Abs(port)
		if err != nil {
			return fmt.Errorf("--port %s: %w", port, err)
		}
		if !slices.Contains(config.Serial.Ports, path) {
			config.Serial.Ports = append(config.Serial.Ports, path)
		}
	}
	return nil
}

// runVenue serves a hall until ctx ends.
func runVenue(ctx context.Context, p *process, config venue.Config, file string) error {
	notifier, err := newNotifier(p, config)
	if err != nil {
		return err
	}
	var undo []func() // what is open, while it has not all begun
	defer func() {
		for _, f := range slices.Backward(undo) {
			f()
		}
	}()
	ln, err := listen(config.Listen, "--listen")
	if err != nil {
		return err
	}
	undo = append(undo, func() { ln.Close() })
	hub := broadcast.NewHub(broadcast.Options{Title: config.Event.Name, Delay: config.Delay, Log: p.log})
	api, err := newLiveChess(p, config, hub)
	if err != nil {
		return err
	}
	undo = append(undo, api.close)
	publish := tell(notifier, hub.Publish)
	options := venue.Options{Config: config, Publish: publish, Sensed: api.sense(), Log: p.log}
	// The session's time begins with the hall's own: what counts from earlier would let spectators
	// see things too early.
	var begun time.Time
	session := func() time.Duration {
		if begun.IsZero() {
			return 0
		}
		return time.Since(begun)
	}
	send := func(ctx context.Context) error { <-ctx.Done(); return nil }
	if config.DataDir != "" {
		j, found, err := openJournal(p, config, file, publish)
		if err != nil {
			return err
		}
		undo = append(undo, func() { _ = closeJournal(p, j) }) // nothing has happened that it could lose
		options.Journal, options.Recovered = j, found
		restorePublic(p, hub, j, found, config.Delay, session)
		hub.Mount("/archive/", archive.Handler(archive.New(j, archiveOptions(j.Run(), found, config.Delay, session))))
		if send, err = newUplink(p, config, j, found, hub, session); err != nil {
			return err
		}
	}
	push, err := newLichess(p, config, hub, time.Now())
	if err != nil {
		return err
	}
	publisher := newPublisher(p, config, hub, time.Now())
	hall := venue.New(options)
	begun = time.Now()
	run, err := withArbiters(p, config.ArbiterListen, hall, hub)
	if err != nil {
		return err
	}
	undo = nil
	run = beside(beside(api.beside(run), send), push)
	if j := options.Journal; j != nil {
		// Before the hub ends, so that spectators hear of what was written last.
		playing := run
		run = func(ctx context.Context) error { return errors.Join(playing(ctx), closeJournal(p, j)) }
	}
	ready := func() {
		printPage(p.stdout, pageURLs(ln.Addr()))
		printDelay(p.stdout, config.Delay)
	}
	err = serveUntilDone(ctx, hub, ln, ready, besidePublisher(publisher, beside(run, notifier.Run)))
	p.log.Info().Msg("ended")
	return err
}

// printDelay tells a person why the page may be empty.
func printDelay(w io.Writer, delay time.Duration) {
	if delay == 0 {
		fmt.Fprintln(w, "They are shown at once.")
		return
	}
	fmt.Fprintf(w, "They are shown there %s late.\n", venue.DelayText(delay))
}

// printPage tells a person where to look.
func printPage(w io.Writer, urls []string) {
	for i, url := range urls {
		label := "The games are at "
		if i > 0 {
			label = "              or "
		}
		fmt.Fprintf(w, "%s%s\n", label, url)
	}
}
