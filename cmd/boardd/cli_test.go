package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cli runs one command line without a process.
func cli(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &process{stdin: strings.NewReader(""), stdout: &out, stderr: &errs})
	return status, out.String(), errs.String()
}

func TestCommandLineMistakes(t *testing.T) {
	tests := []struct {
		args   string
		stderr string
	}{
		{"nonsense", `boardd: expected a command, got "nonsense"
hint: see "boardd --help"
`},
		{"versoin", `boardd: expected a command, got "versoin"
hint: did you mean "boardd version"?
`},
		{"--log-level debug versoin", `boardd: expected a command, got "versoin"
hint: did you mean "boardd version"?
`},
		{"--nope", `boardd: unknown flag: --nope
hint: see "boardd --help"
`},
		{"version --nope", `boardd: unknown flag: --nope
hint: see "boardd version --help"
`},
		{"version now", `boardd: version: expected no arguments, got "now"
hint: see "boardd version --help"
`},
		{"version --log-level loud", `boardd: invalid argument "loud" for "--log-level" flag: expected debug, info, warn or error
hint: see "boardd version --help"
`},
		{"version --log-level", `boardd: flag needs an argument: --log-level
hint: see "boardd version --help"
`},
		{"demo --boards x", `boardd: invalid argument "x" for "--boards" flag: expected a number
hint: see "boardd demo --help"
`},
		{"demo --boards 99999999999999999999", `boardd: invalid argument "99999999999999999999" for "--boards" flag: the number is out of range
hint: see "boardd demo --help"
`},
		{"demo --speed NaN", `boardd: --speed: expected 0.1 to 100, got NaN
hint: see "boardd demo --help"
`},
		{"emulate --speed NaN", `boardd: --speed: expected 0.1 to 100, got NaN
hint: see "boardd emulate --help"
`},
		{"run --port=", `boardd: --port: expected the path of a device, got ""
hint: see "boardd run --help"
`},
		{"boards --port=", `boardd: --port: expected the path of a device, got ""
hint: see "boardd boards --help"
`},
		{"replay --format xml x.tape", `boardd: --format: expected json, events or pgn, got "xml"
hint: see "boardd replay --help"
`},
		{"help nonsense", `boardd: expected a command, got "nonsense"
hint: see "boardd --help"
`},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			status, stdout, stderr := cli(t, strings.Fields(tt.args)...)
			if status != exitUsage {
				t.Errorf("status %d, want %d", status, exitUsage)
			}
			if stdout != "" {
				t.Errorf("stdout %q, want nothing", stdout)
			}
			if diff := cmp.Diff(tt.stderr, stderr); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHelpGoesToStdout(t *testing.T) {
	for _, args := range []string{"", "help", "--help", "help version", "version --help"} {
		status, stdout, stderr := cli(t, strings.Fields(args)...)
		if status != exitOK || stderr != "" || !strings.Contains(stdout, "Usage:") {
			t.Errorf("boardd %s: status %d, stderr %q, stdout %q", args, status, stderr, stdout)
		}
	}
}

func TestVersion(t *testing.T) {
	status, stdout, stderr := cli(t, "version")
	if status != exitOK || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	for _, name := range []string{"boardd  ", "commit  ", "go      go1.", "arch    "} {
		if !strings.Contains(stdout, name) {
			t.Errorf("no %q in %q", name, stdout)
		}
	}
}

// A failure of the command itself has no hint about the command line.
func TestReportFailure(t *testing.T) {
	var w bytes.Buffer
	if status := report(&w, context.DeadlineExceeded); status != exitFailed {
		t.Errorf("status %d, want %d", status, exitFailed)
	}
	if got, want := w.String(), "boardd: context deadline exceeded\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUsageFaultFoundByACommand(t *testing.T) {
	var w bytes.Buffer
	if status := report(&w, usagef("use a FEN", "--fen: expected a position, got %q", "x")); status != exitUsage {
		t.Errorf("status %d, want %d", status, exitUsage)
	}
	if got, want := w.String(), "boardd: --fen: expected a position, got \"x\"\nhint: use a FEN\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogIsJSONWhenNotOnATerminal(t *testing.T) {
	var w bytes.Buffer
	log := newLogger(&w, levels["warn"])
	log.Info().Msg("quiet")
	log.Warn().Int("table", 3).Msg("board lost")
	if got := w.String(); !strings.HasPrefix(got, `{"level":"warn","table":3,"time":"`) || strings.Contains(got, "quiet") {
		t.Errorf("got %q", got)
	}
}

func TestLogLevelFlagOverridesConfiguration(t *testing.T) {
	for _, tt := range []struct {
		flag    levelFlag
		configd string
		want    string
	}{{"", "warn", "warn"}, {"debug", "warn", "debug"}, {"", "debug", "debug"}} {
		p := &process{logLevel: tt.flag}
		p.log = newLogger(&bytes.Buffer{}, tt.flag.level())
		p.useLogLevel(tt.configd)
		if got := p.log.GetLevel(); got != levels[tt.want] {
			t.Errorf("flag %q, configuration %q: level %v, want %s", tt.flag, tt.configd, got, tt.want)
		}
	}
}
