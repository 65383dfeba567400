package venue

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

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

// heard counts what a recorder tells.
type heard struct{ failures, begun, ends atomic.Int32 }

func (h *heard) failed(error) { h.failures.Add(1) }
func (h *heard) works()       { h.begun.Add(1) }
func (h *heard) ended()       { h.ends.Add(1) }

func received(ms int) tape.Event {
	return tape.Event{At: time.Duration(ms) * time.Millisecond, Kind: tape.Received, Data: []byte{0x93, 0, 5, 4, 0}}
}

func TestRecorderFlushesEachSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d disk
		r := newRecorder(nil, tape.Header{{Key: "serial", Value: "12345"}}, "wanted.tape", d.create, nil)
		if got, want := r.words(), "wanted.tape, event 0"; got != want {
			t.Errorf("position %q, want %q", got, want)
		}
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
		if got, want := r.words(), "disk.tape, event 1"; got != want {
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

// Whatever the disk does, the table goes on, and it is told once.
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
				var h heard
				d := tt.disk
				stalled := d.stall != nil
				if stalled {
					d.stall = make(chan struct{}) // of this bubble
				}
				r := newRecorder(&h, nil, "disk.tape", func() (io.WriteCloser, string, error) { return d, "disk.tape", tt.createErr }, nil)
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
				if f, e := h.failures.Load(), h.ends.Load(); f != 1 || e != 1 || !r.over() {
					t.Errorf("%d failures and %d ends told, want 1 each", f, e)
				}
				if r.words() != "not recorded" {
					t.Errorf("position %q of a tape that failed", r.words())
				}
			})
		})
	}
}

func TestNilRecorderRecordsNothing(t *testing.T) {
	var r *recorder
	r.event(received(1))
	r.comment("remark")
	if r.words() != "not recorded" {
		t.Error(r.words())
	}
	r.close()
}
