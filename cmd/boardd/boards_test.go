package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/dgt/link"
)

// emulated is a board on a pty that counts the commands it hears.
func emulated(t *testing.T, link string, serial int) (d *emulator.Device, heard *atomic.Int32) {
	t.Helper()
	heard = new(atomic.Int32)
	d, err := emulator.Open(t.Context(), emulator.Options{Link: link, Speed: 10, Config: emulator.Config{
		Identity: emulator.Identity{Serial: serial}, Men: dgt.StartPlacement(),
		Heard: func(time.Duration, dgt.Command) { heard.Add(1) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d, heard
}

// Who is listed is asked; who is only seen is named and left alone.
func TestBoardsAsksOnlyAllowedPorts(t *testing.T) {
	dir := t.TempDir()
	byPath := filepath.Join(dir, "by-path")
	if err := os.Mkdir(byPath, 0o755); err != nil {
		t.Fatal(err)
	}
	listed, stranger := filepath.Join(dir, "listed"), filepath.Join(byPath, "stranger")
	emulated(t, listed, 11111)
	_, strangerHeard := emulated(t, stranger, 22222)
	absent := filepath.Join(dir, "absent")

	var out bytes.Buffer
	finder := link.Finder{Rule: link.Rule{Ports: []string{listed, absent}}, ByPath: byPath, Sys: dir}
	if err := listBoards(t.Context(), &out, finder); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{
		"USB-C board, version 4.00, serial 11111",
		"no such port: plug the board in or check the path",
		"not asked: not a USB device, and neither listed nor allowed",
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), out.String())
	}
	for i := range want {
		if !strings.HasSuffix(lines[i], want[i]) {
			t.Errorf("line %d is %q, want ... %q", i+1, lines[i], want[i])
		}
	}
	if n := strangerHeard.Load(); n != 0 {
		t.Errorf("a port nobody allowed heard %d commands", n)
	}
}

func TestBoardsFindsNothing(t *testing.T) {
	var out bytes.Buffer
	if err := listBoards(t.Context(), &out, link.Finder{ByPath: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "No serial port is seen") || !strings.Contains(out.String(), "--port") {
		t.Errorf("got %q", out.String())
	}
}
