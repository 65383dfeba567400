// Command boardd brings chess games from electronic boards to people.
//
// Each subcommand has a file of its own. A command reads its flags, calls the
// rooms below and prints; what a game, a clock or a message means is decided
// there, never here.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks for an orderly end; with the handler gone, a
	// second one ends a process that does not come to it.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], &process{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}))
}
