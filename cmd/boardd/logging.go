package main

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
)

// newLogger writes for a person when w is a terminal, else one JSON object a
// line, as journald and log collectors want it.
func newLogger(w io.Writer, level zerolog.Level) zerolog.Logger {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: os.Getenv("NO_COLOR") != ""}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

// levels are the names that --log-level and the configuration take.
var levels = map[string]zerolog.Level{
	"debug": zerolog.DebugLevel,
	"info":  zerolog.InfoLevel,
	"warn":  zerolog.WarnLevel,
	"error": zerolog.ErrorLevel,
}

// levelFlag is the name of a log level given on the command line; empty when
// none was.
type levelFlag string

func (f *levelFlag) Set(name string) error {
	if _, ok := levels[name]; !ok {
		return errors.New("expected debug, info, warn or error")
	}
	*f = levelFlag(name)
	return nil
}

func (f *levelFlag) String() string { return string(*f) }
func (f *levelFlag) Type() string   { return "level" }

func (f *levelFlag) level() zerolog.Level {
	if *f == "" {
		return zerolog.InfoLevel
	}
	return levels[string(*f)]
}

// useLogLevel applies the configuration's log level unless --log-level was
// given.
func (p *process) useLogLevel(configured string) {
	if p.logLevel == "" {
		p.log = p.log.Level(levels[configured])
	}
}
