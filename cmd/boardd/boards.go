package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"boardd/dgt/link"
)

func newBoardsCommand(p *process) *cobra.Command {
	var config string
	var ports []string
	c := &cobra.Command{
		Use:   "boards",
		Short: "Show which ports are seen and which board answers",
		Long: `Boards lists the serial ports that are seen, one line each, and asks those that
the configuration or --port lists or allows which board is there. It sends nothing to any
other port. A port that a running boardd holds shows as busy.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, _, err := loadConfig(config, configPlaces)
			if err != nil {
				return err
			}
			if err := addPorts(c, &settings, ports); err != nil {
				return err
			}
			p.useLogLevel(settings.LogLevel)
			return listBoards(c.Context(), p.stdout, link.Finder{Rule: settings.Rule()})
		},
	}
	c.Flags().StringVar(&config, "config", "", "configuration file (default ./boardd.toml or /etc/boardd/boardd.toml, if there)")
	c.Flags().StringArrayVar(&ports, "port", nil, "device to ask, besides those of the configuration; may be repeated")
	return c
}

// listBoards prints one line a port: where it is, and who answers or why nobody
// was asked.
func listBoards(ctx context.Context, w io.Writer, finder link.Finder) error {
	found, left, err := finder.Scan()
	if err != nil {
		return err
	}
	if len(found)+len(left) == 0 {
		fmt.Fprintln(w, "No serial port is seen. Plug a board in; it shows up in /dev/serial/by-path.")
		fmt.Fprintln(w, "A port that is not there (a serial line, Bluetooth) is asked with --port, as in --port /dev/ttyS0.")
		return nil
	}
	answers := make([]string, len(found))
	var asking sync.WaitGroup
	for i, port := range found {
		asking.Go(func() { answers[i] = whoAnswers(ctx, port) })
	}
	asking.Wait()
	if ctx.Err() != nil {
		return errors.New("interrupted before every port had answered")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, port := range found {
		fmt.Fprintf(table, "%s\t%s\t%s\n", port.Path, behind(port.Path, port.Device), answers[i])
	}
	for _, port := range left {
		fmt.Fprintf(table, "%s\t%s\tnot asked: %s\n", port.Path, behind(port.Path, port.Device), port.Why)
	}
	return table.Flush()
}

// whoAnswers asks one port.
func whoAnswers(ctx context.Context, port link.Found) string {
	identity, err := link.Look(ctx, link.Config{Path: port.Path})
	var pe *link.PortError
	switch {
	case errors.As(err, &pe) && pe.Hint != "":
		hint, _, _ := strings.Cut(pe.Hint, "; the link goes on") // this command does not
		return fmt.Sprintf("%v: %s", pe.Kind, hint)
	case errors.As(err, &pe):
		return pe.Kind.Error()
	case err != nil:
		return err.Error()
	}
	return identity.String()
}

// behind is the device that a path leads to, when that says more than the path.
func behind(path, device string) string {
	switch device {
	case path:
		return ""
	case "":
		return "-"
	}
	return device
}
