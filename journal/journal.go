package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Options are how a journal is kept. The zero value is good.
type Options struct {
	Version string // of boardd, for Started
	// Wait is how long a fact may wait for others to share its commit, when the commit
	// before it is not longer ago than that. Default 50 ms.
	Wait time.Duration
	// Memory is how much may wait for the disk, in bytes. Default 64 MB: half an hour of
	// 64 boards of blitz. When it is full, Append takes nothing more.
	Memory int
	// Notify takes what people have to know. It is called by one goroutine at a time, must
	// not wait, and may call Append.
	Notify func(Notice)
	// Wall is the calendar. Default time.Now.
	Wall func() time.Time

	vfs     string   // of SQLite, for tests
	pragmas []string // more of them, for tests
}

// Times of the writer.
const (
	defaultWait   = 50 * time.Millisecond
	defaultMemory = 64 << 20
	// stallAfter is when a disk that does not answer is told of: an SD card that tidies up
	// takes a few hundred milliseconds now and then.
	stallAfter = time.Second
	// calm is how long all must be well after trouble before it is called over; a disk
	// that stalls every few seconds is in trouble all the time.
	calm = 5 * time.Second
	// A failed write is tried again after retryMin, doubling up to retryMax.
	retryMin, retryMax = 250 * time.Millisecond, 5 * time.Second
	// commitRows is how many facts one commit takes at most, after a long failure.
	commitRows = 2000
	// rowMemory is what a waiting fact takes beside its texts, in bytes.
	rowMemory = 256
	// maxText is how long the texts of a fact may be, in bytes.
	maxText = 1 << 20
)

// Why facts were not taken. They are not in the journal and nobody may be told of them.
var (
	// ErrFull: too many facts wait for the disk.
	ErrFull = errors.New("too many facts wait for the disk")
	// ErrClosed: the journal is closed, or was closed before the disk took the facts.
	ErrClosed = errors.New("the journal is closed")
	// ErrTooLong: a text of more than 1 MB.
	ErrTooLong = errors.New("a fact with too long a text")
)

// Receipt is where facts stand.
type Receipt struct{ First, Last uint64 } // seqs

// Batch is facts of one table, and of one game if any, that belong together: after
// a crash the journal has all of them or none.
type Batch struct {
	At    time.Duration // session time
	Table int           // 0 is the venue itself
	Game  GameID        // 0 for none
	Facts []Fact
	// Done is called when the facts are durable, with nil, or when the journal was closed
	// before that, with an error that wraps ErrClosed. Calls come in the order of Append from
	// one goroutine and must not wait. May be nil.
	Done func(Receipt, error)
}

// disk takes rows for good. One goroutine uses it.
type disk interface {
	// write makes rows durable, all or none. After an error it can be called again with the
	// same rows, and more.
	write(ctx context.Context, rows []row) error
	shut() error
}

// Journal is an open journal. All methods are safe for concurrent use.
type Journal struct {
	options Options
	disk    disk
	store   *store // the same, for reading
	unlock  func() error
	health  health

	ready    chan struct{} // something is in the queue, or closing
	closing  chan struct{}
	giveUp   chan struct{} // Close will wait no longer
	finished chan struct{}
	ended    error // of the writer, once finished

	mu      sync.Mutex
	queue   []waiting
	rows    int // in queue and in the writer's hands
	bytes   int
	closed  bool
	seq     uint64
	run     int64
	nth     map[int64]uint64 // table -> of its last fact
	refused map[int64]uint64 // table -> facts not taken since the last one taken
	game    GameID
	at      int64            // the latest session time of this run, in ms
	claims  map[int64]uint64 // game -> last step of the claim in it that waits for a ruling
}

// waiting is a batch that is not durable yet.
type waiting struct {
	rows  []row
	bytes int
	done  func(Receipt, error)
}

func (w *waiting) receipt() Receipt { return Receipt{w.rows[0].seq, w.rows[len(w.rows)-1].seq} }

// start makes a journal whose writer works. The survey says where to go on.
func start(d disk, v survey, o Options) *Journal {
	j := &Journal{
		options: o, disk: d,
		ready: make(chan struct{}, 1), closing: make(chan struct{}), giveUp: make(chan struct{}), finished: make(chan struct{}),
		seq: v.last, run: v.run + 1, nth: v.nth, refused: map[int64]uint64{}, claims: map[int64]uint64{},
	}
	if j.nth == nil {
		j.nth = map[int64]uint64{}
	}
	j.health.notify, j.health.waiting = o.Notify, j.Waiting
	go j.write()
	return j
}

func (o Options) withDefaults() Options {
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	if o.Notify == nil {
		o.Notify = func(Notice) {}
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	return o
}

// Run is the number of this run of the daemon.
func (j *Journal) Run() int { return int(j.run) }

// NewGame gives an id that no game has had.
func (j *Journal) NewGame() GameID {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.game++
	return j.game
}

// Waiting is how many facts are not durable yet.
func (j *Journal) Waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.rows
}

// Append puts facts in line for the disk and returns at once. A nil error means
// that Done will be called; otherwise the facts are not taken: ErrFull, ErrClosed, or
// ErrTooLong. After ErrFull the journal holds, once it can, that facts of that table are
// missing, and the record of the game in progress there ends at the hole.
func (j *Journal) Append(b Batch) error {
	if len(b.Facts) == 0 {
		return errors.New("append: expected facts, got none")
	}
	wall := j.options.Wall().UnixMilli()
	w := waiting{rows: make([]row, len(b.Facts)), done: b.Done}
	for i, f := range b.Facts {
		r := &w.rows[i]
		*r = row{run: j.run, at: b.At.Milliseconds(), wall: wall, table: int64(b.Table), game: int64(b.Game), kind: f.kind()}
		f.put(r)
		if r.size() > maxText {
			return fmt.Errorf("%s of %d bytes: %w", r.kind, r.size(), ErrTooLong)
		}
		w.bytes += rowMemory + r.size()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return ErrClosed
	}
	return j.push(w)
}

// push numbers the rows and puts them in the queue. The caller holds mu.
func (j *Journal) push(w waiting) error {
	table := w.rows[0].table
	if j.bytes+w.bytes > j.options.Memory {
		j.refused[table] += uint64(len(w.rows))
		return ErrFull
	}
	for t, n := range j.refused {
		delete(j.refused, t)
		r := row{run: j.run, at: w.rows[0].at, wall: w.rows[0].wall, table: t, kind: refused{}.kind()}
		refused{n}.put(&r)
		j.nth[t] += n
		j.enqueue(waiting{rows: []row{r}, bytes: rowMemory})
	}
	j.enqueue(w)
	return nil
}

func (j *Journal) enqueue(w waiting) {
	for i := range w.rows {
		r := &w.rows[i]
		j.seq++
		j.nth[r.table]++
		r.seq, r.nth = j.seq, j.nth[r.table]
		j.answer(r)
		r.sum = r.checksum()
		j.at = max(j.at, r.at)
		j.game = max(j.game, GameID(r.game))
	}
	j.queue = append(j.queue, w)
	j.rows += len(w.rows)
	j.bytes += w.bytes
	select {
	case j.ready <- struct{}{}:
	default:
	}
}

// answer has a ruling name the claim it answers, whose place only the journal knows.
func (j *Journal) answer(r *row) {
	switch {
	case r.kind == (Claim{}).kind() && r.step == Withdrawn:
		delete(j.claims, r.game)
	case r.kind == (Claim{}).kind():
		j.claims[r.game] = r.seq
	case r.kind == (Ruling{}).kind() && r.n == 0:
		r.n = int64(j.claims[r.game])
		delete(j.claims, r.game)
	}
}

// Close writes what waits, and that the daemon stopped, and closes the file. When ctx
// ends first, what waits is given up: its Done gets an error, and so does the caller.
func (j *Journal) Close(ctx context.Context, reason string) error {
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		<-j.finished
		return j.ended
	}
	r := row{run: j.run, at: j.at, wall: j.options.Wall().UnixMilli(), kind: Stopped{}.kind()}
	Stopped{reason}.put(&r)
	j.enqueue(waiting{rows: []row{r}, bytes: rowMemory})
	j.closed = true
	close(j.closing)
	j.mu.Unlock()
	select {
	case <-j.finished:
		return j.ended
	case <-ctx.Done():
	}
	close(j.giveUp)
	return fmt.Errorf("%w: %d facts were not written: %w", ErrClosed, j.Waiting(), ctx.Err())
}
