package main

import (
	"context"
	"io"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// process is what a command may touch of the world outside, so that a test
// can hand it another one.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	// log is ready before a command's RunE starts.
	log zerolog.Logger
	// logLevel is --log-level; empty when it was not given.
	logLevel levelFlag
	// started turns true when a command's RunE starts: whatever failed
	// before that is a fault of the command line.
	started bool
}

// commands lists the subcommands in the order of the help text.
func commands(p *process) []*cobra.Command {
	return []*cobra.Command{
		newRunCommand(p),
		newHubCommand(p),
		newLichessCommand(p),
		newDemoCommand(p),
		newBoardsCommand(p),
		newEmulateCommand(p),
		newReplayCommand(p),
		newTapeCommand(p),
		newExportCommand(p),
		newClockCommand(p),
		newEventCommand(p),
		newClaimsCommand(p),
		newPGNCommand(p),
		newJournalCommand(p),
		newNotifyCommand(p),
		newVersionCommand(p),
	}
}

// run executes one command line and returns the exit status: 0 when it went
// well, 1 when the command failed, 2 when the command line is wrong.
func run(ctx context.Context, args []string, p *process) int {
	root := newRootCommand(p)
	root.SetArgs(args)
	failed, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if !p.started {
		err = commandLineError(root, failed, err)
	}
	return report(p.stderr, err)
}

func newRootCommand(p *process) *cobra.Command {
	root := &cobra.Command{
		Use:   "boardd",
		Short: "Live games from electronic chess boards",
		Long: `boardd reads electronic chess boards and their clocks, works out the games
that are played on them, and shows the games live.`,
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // ours are in the hint line
		PersistentPreRun: func(*cobra.Command, []string) {
			p.log = newLogger(p.stderr, p.logLevel.level())
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.PersistentFlags().Var(&p.logLevel, "log-level",
		"what to log: debug, info, warn or error (default info, or the configuration's)")
	root.SetHelpCommand(newHelpCommand(root))
	for _, c := range commands(p) {
		root.AddCommand(c)
	}
	markStart(p, root)
	return root
}

// newHelpCommand is cobra's, but a topic that does not exist is an error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args[0])
			}
			return topic.Help()
		},
	}
}

// markStart makes every command note that it has started.
func markStart(p *process, c *cobra.Command) {
	if inner := c.RunE; inner != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			p.started = true
			return inner(c, args)
		}
	}
	for _, sub := range c.Commands() {
		markStart(p, sub)
	}
}
