package venue

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardd/dgt/tape"
)

// disk is a file that fails as it is told to, and counts what was logged.
type disk struct {
	mu     sync.Mutex
	text   bytes.Buffer
	writes int
	closed bool

	failWrite int // the n-th write, from 1
	failClose bool
	stall     chan struct{} // writes wait for it
}

func (d *disk) Write(p []byte) (int, error) {
	if d.stall != nil {
		<-d.stall
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.writes++; d.writes == d.failWrite {
		return 0, syscall.ENOSPC
	}
	return d.text.Write(p)
}

func (d *disk) Close() error {
	d.closed = true
	if d.failClose {
		return syscall.EIO
	}
	return nil
}

func (d *disk) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

func (d *disk) create() (io.WriteCloser, string, error) { return d, "disk.tape", nil }

func received(ms int) tape.Event {
	return tape.Event{At: time.Duration(ms) * time.Millisecond, Kind: tape.Received, Data: []byte{0x93, 0, 5, 4, 0}}
}

func TestRecorderFlushesEachSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d disk
		r := newRecorder(zerolog.Nop(), tape.Header{{Key: "serial", Value: "12345"}}, d.create)
		r.event(received(5))
		if d.String() != "" {
			t.Error("a table waited for the disk")
		}
		time.Sleep(flushEvery) // of synctest's time
		synctest.Wait()
		want := "boardd-tape 1\n# serial: 12345\n5 < 9300050400\n"
		if got := d.String(); got != want {
			t.Errorf("after a second the file holds %q, want %q", got, want)
		}
		if got, want := r.position(), "disk.tape, event 1"; got != want {
			t.Errorf("position %q, want %q", got, want)
		}
		r.event(received(1500))
		r.comment("remark")
		r.close()
		if got := d.String(); got != want+"1500 < 9300050400\n# remark\n" || !d.closed {
			t.Errorf("after the end the file holds %q, closed %t", got, d.closed)
		}
	})
}

// Whatever the disk does, the table goes on and hears of it in one line of the log.
func TestRecorderFails(t *testing.T) {
	tests := map[string]struct {
		disk      *disk
		createErr error
	}{
		"no file":             {disk: &disk{}, createErr: syscall.EROFS},
		"first write":         {disk: &disk{failWrite: 1}},
		"a later write":       {disk: &disk{failWrite: 3}},
		"close":               {disk: &disk{failClose: true}},
		"stalls for too long": {disk: &disk{stall: make(chan struct{})}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				d := tt.disk
				stalled := d.stall != nil
				if stalled {
					d.stall = make(chan struct{}) // of this bubble
				}
				r := newRecorder(zerolog.New(&log), nil, func() (io.WriteCloser, string, error) { return d, "disk.tape", tt.createErr })
				for i := range 20 {
					e := received(i * 500)
					if stalled {
						e.Data = bytes.Repeat(e.Data, pendingMax/50)
					}
					r.event(e)
					time.Sleep(500 * time.Millisecond)
				}
				if stalled {
					close(d.stall)
				}
				r.close()
				if n := strings.Count(log.String(), "\n"); n != 1 {
					t.Errorf("%d lines in the log, want 1:\n%s", n, log.String())
				}
			})
		})
	}
}

func TestNilRecorderRecordsNothing(t *testing.T) {
	var r *recorder
	r.event(received(1))
	r.comment("remark")
	if r.position() != "not recorded" {
		t.Error(r.position())
	}
	r.close()
}

func TestCreateTapeNeverOverwrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "tapes")
	start := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	var names []string
	for range 3 {
		f, name, err := createTape(dir, start, 7)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		names = append(names, filepath.Base(name))
	}
	want := []string{"20261130T100000Z-table-007.tape", "20261130T100000Z-table-007-2.tape", "20261130T100000Z-table-007-3.tape"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := createTape(blocked, start, 7); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a folder that is a file: %v", err)
	}
}
