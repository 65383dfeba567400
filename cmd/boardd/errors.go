package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// Exit statuses; scripts rely on them.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a command line that cannot be followed. The hint says what to
// type instead.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usage error for what a command finds wrong with its
// arguments after it has started.
func usagef(hint, format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...), hint: hint}
}

// commandLineError turns an error that came up before any command started
// into a usage error whose hint fits it.
func commandLineError(root, failed *cobra.Command, err error) error {
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	var typed string
	if _, scanErr := fmt.Sscanf(err.Error(), "unknown command %q", &typed); scanErr == nil {
		return unknownCommand(root, typed)
	}
	// pflag says of a number how Go's parser failed.
	var number *strconv.NumError
	if errors.As(err, &number) {
		err = errors.New(strings.Replace(err.Error(), number.Error(), notANumber(number.Err), 1))
	}
	return &usageError{err: err, hint: seeHelp(failed)}
}

func notANumber(why error) string {
	if errors.Is(why, strconv.ErrRange) {
		return "the number is out of range"
	}
	return "expected a number"
}

// unknownCommand points at the command that was probably meant.
func unknownCommand(root *cobra.Command, typed string) error {
	hint := seeHelp(root)
	if close := root.SuggestionsFor(typed); len(close) > 0 {
		hint = fmt.Sprintf("did you mean %q?", root.Name()+" "+close[0])
	}
	return usagef(hint, "expected a command, got %q", typed)
}

func seeHelp(c *cobra.Command) string {
	return fmt.Sprintf("see %q", c.CommandPath()+" --help")
}

// report prints err once, each of its lines with the program's name in front,
// and returns the exit status.
func report(w io.Writer, err error) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "boardd: %s\n", strings.TrimRight(line, "\n"))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(w, "hint: %s\n", usage.hint)
		return exitUsage
	}
	return exitFailed
}

// noArguments is for commands that take flags only.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s: expected no arguments, got %q", c.Name(), args[0])
	}
	return nil
}

// atLeastOne is for commands that work through a list of what.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: expected at least one %s, got none", c.Name(), what)
		}
		return nil
	}
}
