package venue

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardd/dgt/tape"
)

const (
	// flushEvery is how much of a game a killed process may lose from its tape.
	flushEvery = time.Second
	// pendingMax is how much of a tape waits in memory for a slow disk, in bytes:
	// an SD card can stall for seconds, one that stalls for an hour has failed.
	pendingMax = 1 << 20
)

var errDiskStalls = errors.New("the disk takes nothing any more")

// recorder writes the tape of one table. The table never waits for the disk: a
// goroutine of the recorder's own writes, and what fails is logged once and
// ends the tape, not the game.
type recorder struct {
	log    zerolog.Logger
	create func() (io.WriteCloser, string, error)
	tape   *tape.Writer
	events int // on the tape

	mu      sync.Mutex
	pending []byte
	name    string
	failed  bool

	stop chan struct{}
	done chan struct{}
}

// newRecorder begins a tape. create makes its file, when the first bytes go to
// the disk, and tells its name.
func newRecorder(log zerolog.Logger, h tape.Header, create func() (io.WriteCloser, string, error)) *recorder {
	r := &recorder{log: log, create: create, stop: make(chan struct{}), done: make(chan struct{})}
	var err error
	if r.tape, err = tape.NewWriter((*pendingWriter)(r), h); err != nil {
		r.fail(err)
	}
	go r.run()
	return r
}

// event records what the table was told. A nil recorder records nothing.
func (r *recorder) event(e tape.Event) {
	if r == nil || r.tape == nil {
		return
	}
	if err := r.tape.Event(e); err != nil {
		r.fail(err)
		return
	}
	r.events++
}

// comment records a remark that readers pass over.
func (r *recorder) comment(text string) {
	if r != nil && r.tape != nil {
		r.tape.Comment(text)
	}
}

// position says where on the tape the last event stands, for reports of a fault.
func (r *recorder) position() string {
	if r == nil {
		return "not recorded"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("%s, event %d", cmp.Or(r.name, "a tape not on the disk yet"), r.events)
}

// close writes what waits and ends the tape.
func (r *recorder) close() {
	if r == nil {
		return
	}
	close(r.stop)
	<-r.done
}

// fail ends the tape and says so once.
func (r *recorder) fail(err error) {
	r.mu.Lock()
	again := r.failed
	r.failed, r.pending = true, nil
	r.mu.Unlock()
	if !again {
		r.log.Error().Err(err).Msg("the session is no longer recorded; play goes on")
	}
}

func (r *recorder) run() {
	defer close(r.done)
	var file io.WriteCloser
	ticker := time.NewTicker(flushEvery)
	defer ticker.Stop()
	for last := false; !last; {
		select {
		case <-ticker.C:
		case <-r.stop:
			last = true
		}
		if err := r.flush(&file); err != nil {
			r.fail(err)
		}
	}
	if file == nil {
		return
	}
	if f, ok := file.(*os.File); ok {
		f.Sync() // best effort: what matters was written, and a failure shows in Close
	}
	if err := file.Close(); err != nil {
		r.fail(err)
	}
}

// flush writes what waits, into a file that it makes when there is none yet.
func (r *recorder) flush(file *io.WriteCloser) error {
	r.mu.Lock()
	data := r.pending
	r.pending = nil
	failed := r.failed
	r.mu.Unlock()
	if failed || len(data) == 0 {
		return nil
	}
	if *file == nil {
		f, name, err := r.create()
		if err != nil {
			return err
		}
		*file = f
		r.mu.Lock()
		r.name = name
		r.mu.Unlock()
	}
	_, err := (*file).Write(data)
	return err
}

// pendingWriter is the recorder as the tape's writer sees it.
type pendingWriter recorder

func (p *pendingWriter) Write(data []byte) (int, error) {
	r := (*recorder)(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed {
		return len(data), nil
	}
	if len(r.pending)+len(data) > pendingMax {
		return 0, errDiskStalls
	}
	r.pending = append(r.pending, data...)
	return len(data), nil
}

// createTape makes a new file in a folder, which it makes too. It never
// overwrites: a second tape of the same table and second gets a number.
func createTape(dir string, start time.Time, table int) (io.WriteCloser, string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, "", err
	}
	base := fmt.Sprintf("%s-table-%03d", start.UTC().Format("20060102T150405Z"), table)
	for i := 1; ; i++ {
		name := base + ".tape"
		if i > 1 {
			name = fmt.Sprintf("%s-%d.tape", base, i)
		}
		name = filepath.Join(dir, name)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) && i < 1000 {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		return f, name, nil
	}
}
