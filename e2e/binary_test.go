//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the boardd under test: the one that BOARDD_BIN names, else one
// built for this run.
var binary string

func TestMain(m *testing.M) {
	status, err := runWithBinary(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		status = 1
	}
	os.Exit(status)
}

func runWithBinary(m *testing.M) (int, error) {
	if binary = os.Getenv("BOARDD_BIN"); binary != "" {
		return m.Run(), nil
	}
	dir, err := os.MkdirTemp("", "boardd-e2e-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "boardd")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/boardd").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// boardd runs one command to its end.
func boardd(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// sharedFolder is the folder of captures and tapes that stands beside the
// repository, or the one that BOARDD_SHARED names.
func sharedFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BOARDD_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recorded sessions are not here: %v (BOARDD_SHARED names their folder)", err)
	}
	return dir
}
