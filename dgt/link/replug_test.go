package link

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"boardd/dgt"
)

// replugs is how often TestReplug pulls the cable: a few times in a normal run, BOARDD_REPLUGS times (500 in "make long")
// otherwise.
func replugs(t *testing.T) int {
	text := os.Getenv("BOARDD_REPLUGS")
	if text == "" {
		return 25
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("BOARDD_REPLUGS=%q: expected a number of times such as 500", text)
	}
	return n
}

// The cable is pulled and put back again and again, under the same link and another pty each time: at rest, inside a message,
// inside a dump, and while a clock command waits for its answer. Each time the board is back within 3 s with mode and dump, and
// neither descriptors nor goroutines grow.
func TestReplug(t *testing.T) {
	path := filepath.Join(t.TempDir(), "board")
	l := New(Config{Path: path, Timing: quick()})
	r := start(t, l.Run)
	r.state(Down)

	var descriptorsAt, goroutinesAt int
	for i := range replugs(t) {
		board := newFakeBoard()
		b := plugIn(t, board)
		plugged := time.Now()
		os.Symlink(b.path, path)
		r.state(Up)
		r.received(dumpOf(dgt.StartPlacement())...)
		b.await(0x4b)
		if took := time.Since(plugged); took > 3*time.Second {
			t.Errorf("round %d: back after %v", i, took)
		}
		switch i % 4 {
		case 1:
			b.say(0x8e, 0, 5, 52) // pulled inside a message
			r.received(0x8e, 0, 5, 52)
		case 2:
			b.say(dumpOf(dgt.StartPlacement())[:40]...)
			r.received(dumpOf(dgt.StartPlacement())[:40]...)
		case 3:
			b.mu.Lock()
			board.clock = false // the acknowledge will not come
			b.mu.Unlock()
			for range 3 {
				if err := l.Send(dgt.Beep(1)); err != nil {
					t.Errorf("round %d: %v", i, err)
				}
			}
			b.await(0x2b, 4, 3, 0x0b, 1, 0)
		}
		os.Remove(path)
		b.pullOut()
		r.state(Down)
		if i == 4 {
			descriptorsAt, goroutinesAt = len(descriptors(t)), runtime.NumGoroutine()
		}
	}
	if n := len(descriptors(t)); n > descriptorsAt+2 {
		t.Errorf("%d descriptors open; %d after the first rounds", n, descriptorsAt)
	}
	if n := runtime.NumGoroutine(); n > goroutinesAt+2 {
		t.Errorf("%d goroutines; %d after the first rounds", n, goroutinesAt)
	}
}
