package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/broadcast/cluster"
	"boardd/broadcast/pgn"
	"boardd/broadcast/uplink"
)

// hubFile is what a hub knows, in its data folder.
const hubFile = "hub.json"

func newHubCommand(p *process) *cobra.Command {
	var file, listen string
	c := &cobra.Command{
		Use:   "hub --config FILE",
		Short: "Take in the games of venues and show them",
		Long: `Hub is a boardd without boards, on a server that spectators can reach. Venues send it
their games ([uplink] in their configuration), each with a token of its own; it merges
their boards into one event, and serves the same page, WebSocket, PGN and JSON. It keeps what it
knows in its data folder and goes on from there. A configuration is such a file:

  listen   = ":8080"
  title    = "City Open"
  data-dir = "hub-data"

  [public]
  delay = "15 min"        # on top of what the venues hold back; default "0 s"
                          # after a restart the page is empty for so long: better let venues wait

  [[venue]]
  name       = "east hall"
  token-file = "east.token"
  tables     = [1, 40]    # its table numbers
  as         = 1          # the first of them is board 1 of the event

Several hubs are one when each names the same NATS servers (JetStream on), which then keep
what is known; a venue names all hubs, and any of them serves spectators:

  [nats]
  url      = "nats://nats.example:4222"
  stream   = "city-open"  # one an event; default "boardd"
  replicas = 3            # of a NATS cluster; default 1

It ends on SIGINT and SIGTERM.`,
		Example: "  boardd hub --config hub.toml",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return usagef(seeHelp(c), "expected --config with the file that names the venues")
			}
			config, err := loadHub(file)
			if err != nil {
				return err
			}
			if c.Flags().Changed("listen") {
				config.listen = listen
			}
			return runHub(c.Context(), p, config)
		},
	}
	c.Flags().StringVar(&file, "config", "", "configuration file")
	c.Flags().StringVar(&listen, "listen", "", "host:port of the page (default :8080, or the configuration's)")
	return c
}

// runHub serves a hub until ctx ends.
func runHub(ctx context.Context, p *process, config hubConfig) error {
	ln, err := listen(config.listen, "--listen")
	if err != nil {
		return err
	}
	hub := broadcast.NewHub(broadcast.Options{Title: config.title, Delay: config.delay, Log: p.log})
	engine, err := newEngine(p, config, hub.Publish)
	if err != nil {
		ln.Close()
		return err
	}
	gate := uplink.NewGate(engine, config.tokens, p.log)
	hub.Mount("/uplink", gate)
	publisher := pgn.NewPublisher(pgn.Event{ID: pgn.EventID(config.title), Name: config.title}, hub.Public(), nil, p.log)
	hub.Mount("GET /pgn/", publisher.Handler("/pgn/"))
	ready := func() { printPage(p.stdout, pageURLs(ln.Addr())) }
	return serveUntilDone(ctx, hub, ln, ready, besidePublisher(publisher, func(ctx context.Context) error {
		err := engine.Run(ctx)
		gate.Close()
		return err
	}))
}

// engine brings the batches of all venues together.
type engine interface {
	uplink.Engine
	Run(context.Context) error
}

// newEngine is NATS where the configuration names it, for several hubs; else this process
// and its disk.
func newEngine(p *process, config hubConfig, publish func(broadcast.Change)) (engine, error) {
	if config.nats != "" {
		return cluster.Open(cluster.Options{URL: config.nats, Stream: config.stream, Replicas: config.replicas, Seats: config.seats, Publish: publish, Log: p.log})
	}
	if err := os.MkdirAll(config.dataDir, 0o755); err != nil {
		return nil, fmt.Errorf("data-dir: %w", err)
	}
	return uplink.OpenCenter(uplink.CenterOptions{Seats: config.seats, File: filepath.Join(config.dataDir, hubFile), Publish: publish, Log: p.log})
}
