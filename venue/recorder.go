package venue

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

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

// recorder writes one tape of one table. The table never waits for the disk: a
// goroutine of the recorder's own writes, and what fails ends the tape, not the game.
type recorder struct {
	news   tapeNews
	create func() (io.WriteCloser, string, error)
	tape   *tape.Writer
	events int // on the tape

	mu      sync.Mutex
	pending []byte
	name    string
	failed  bool

	stop   chan struct{}
	broken chan struct{} // closed by the first failure
	done   chan struct{}
	before <-chan struct{} // done of the recorder before it at this table, nil for none
}

// tapeNews hears how a recorder fares, from any goroutine; nil hears nothing.
type tapeNews interface {
	failed(error) // once at most; the tape has ended
	works()       // the disk has taken the beginning of the tape
	ended()       // nobody writes the file any more
}

// newRecorder begins a tape. create makes its file, when the first bytes go to
// the disk, and tells its name, which is the one given here unless that was taken.
func newRecorder(news tapeNews, h tape.Header, name string, create func() (io.WriteCloser, string, error), before *recorder) *recorder {
	r := &recorder{news: news, create: create, name: name, stop: make(chan struct{}), broken: make(chan struct{}), done: make(chan struct{})}
	if before != nil {
		r.before = before.done
	}
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

// position says where on the tape the last event stands, for reports of a fault; name
// is empty when there is no tape.
func (r *recorder) position() (name string, event int) {
	if r == nil {
		return "", 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed {
		return "", 0
	}
	return r.name, r.events
}

// words say the position to people.
func (r *recorder) words() string {
	name, event := r.position()
	if name == "" {
		return "not recorded"
	}
	return fmt.Sprintf("%s, event %d", name, event)
}

// over reports whether the recorder has failed and nothing of it runs any more.
func (r *recorder) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// finish ends the tape; what waits is still written, while nobody waits for it.
func (r *recorder) finish() {
	if r != nil {
		close(r.stop)
	}
}

// close ends the tape and waits until all of it and of those before is written.
func (r *recorder) close() {
	if r == nil {
		return
	}
	r.finish()
	<-r.done
}

// fail ends the tape and says so once.
func (r *recorder) fail(err error) {
	r.mu.Lock()
	again := r.failed
	r.failed, r.pending = true, nil
	r.mu.Unlock()
	if again {
		return
	}
	close(r.broken)
	if r.news != nil {
		r.news.failed(err)
	}
}

func (r *recorder) run() {
	defer close(r.done)
	if r.before != nil {
		defer func() { <-r.before }()
	}
	if r.news != nil {
		defer r.news.ended()
	}
	var file io.WriteCloser
	ticker := time.NewTicker(flushEvery)
	defer ticker.Stop()
	for last := false; !last; {
		select {
		case <-ticker.C:
		case <-r.stop:
			last = true
		case <-r.broken:
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
	begins := *file == nil
	if begins {
		f, name, err := r.create()
		if err != nil {
			return err
		}
		*file = f
		r.mu.Lock()
		r.name = cmp.Or(name, r.name)
		r.mu.Unlock()
	}
	if _, err := (*file).Write(data); err != nil {
		if f, ok := (*file).(*os.File); ok && begins {
			os.Remove(f.Name()) // a beginning that is of no use
		}
		return err
	}
	if begins && r.news != nil {
		r.news.works()
	}
	return nil
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

// tapesFolder is where the tapes of a data folder are.
func tapesFolder(dataDir string) string { return filepath.Join(dataDir, "tapes") }
