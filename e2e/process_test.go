//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for something that must happen. It is no
// sleep: every wait ends with what it waits for.
const patience = 45 * time.Second

// process is a program that runs beside the test.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	ended chan struct{}
	err   error // once ended

	mu    sync.Mutex
	lines []string // of both outputs
	read  int      // lines that wait has passed
	news  chan struct{}
}

// spawn starts a program; it is killed at the end of the test if it still runs.
func spawn(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(name, args...), ended: make(chan struct{}), news: make(chan struct{}, 1)}
	p.cmd.Dir = t.TempDir()                                 // no boardd.toml of anybody
	p.cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // a killed process leaves things behind
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin = stdin
	out, in := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = in, in
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		in.Close()
	}()
	go func() {
		defer close(p.ended)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.mu.Lock()
			p.lines = append(p.lines, s.Text())
			p.mu.Unlock()
			p.ring()
		}
		p.ring()
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("%s said:\n%s", strings.Join(p.cmd.Args, " "), p.said())
		}
	})
	return p
}

// start starts boardd.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	return spawn(t, binary, args...)
}

func (p *process) ring() {
	select {
	case p.news <- struct{}{}:
	default:
	}
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

// wait gives the first group of the next line that the pattern fits.
func (p *process) wait(pattern string) string {
	p.t.Helper()
	re := regexp.MustCompile(pattern)
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		p.mu.Lock()
		for p.read < len(p.lines) {
			line := p.lines[p.read]
			p.read++
			if m := re.FindStringSubmatch(line); m != nil {
				p.mu.Unlock()
				return m[len(m)-1]
			}
		}
		p.mu.Unlock()
		select {
		case <-p.news:
		case <-p.ended:
			p.t.Fatalf("%s ended without %q: %v\n%s", p.cmd.Args[0], pattern, p.err, p.said())
		case <-timeout.C:
			p.t.Fatalf("%s did not say %q:\n%s", p.cmd.Args[0], pattern, p.said())
		}
	}
}

// order types orders, and waits until each is carried out.
func (p *process) order(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
			p.t.Fatal(err)
		}
		if answer := p.wait(`^(ok|board on .*|.*expected.*)$`); strings.Contains(answer, "expected") {
			p.t.Fatalf("%s: %s", line, answer)
		}
	}
}

// stop sends a signal and gives the exit status.
func (p *process) stop(s syscall.Signal) int {
	p.t.Helper()
	p.cmd.Process.Signal(s)
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-ctx.Done():
		p.t.Fatalf("%s did not end on %v:\n%s", strings.Join(p.cmd.Args, " "), s, p.said())
		return -1
	}
}

// serve starts boardd run and gives the address of its page.
func serve(t *testing.T, args ...string) (*process, string) {
	t.Helper()
	p := start(t, append([]string{"run", "--listen", "127.0.0.1:0", "--delay", "0 s", "--log-level", "debug"}, args...)...)
	return p, p.wait(`^The games are at (http://127\.0\.0\.1:\d+/)$`)
}

// emulate starts an emulated board behind a link.
func emulate(t *testing.T, link string, args ...string) *process {
	t.Helper()
	p := start(t, append([]string{"emulate", "--link", link, "--speed", "5"}, args...)...)
	p.wait(`^board on `)
	return p
}
