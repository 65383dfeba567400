package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// write is the writer's goroutine.
func (j *Journal) write() {
	defer close(j.finished)
	var last time.Time // of the last commit
	for j.await(last) {
		batch := j.gather()
		if err := j.commit(batch); err != nil {
			j.abandon(batch, err)
			break
		}
		last = time.Now()
		for i := range batch {
			if batch[i].done != nil {
				batch[i].done(batch[i].receipt(), nil)
			}
		}
	}
	j.health.end()
	j.ended = errors.Join(j.ended, j.disk.shut())
	if j.unlock != nil {
		j.ended = errors.Join(j.ended, j.unlock())
	}
}

// await waits until something should be written; false: there will be nothing more.
// What comes when the last commit is long ago is written at once, what comes sooner waits
// for company.
func (j *Journal) await(last time.Time) bool {
	for !j.hasRows() {
		quiet, stop := j.health.quiet()
		select {
		case <-j.ready:
		case <-quiet:
			j.health.calmed()
		case <-j.closing:
			stop()
			return j.hasRows()
		}
		stop()
	}
	if wait := j.options.Wait - time.Since(last); wait > 0 && j.Waiting() < commitRows {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-j.closing:
		}
	}
	return true
}

func (j *Journal) hasRows() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.queue) > 0
}

// gather takes whole batches from the queue, as many as one commit may have.
func (j *Journal) gather() []waiting {
	j.mu.Lock()
	defer j.mu.Unlock()
	n, rows := 0, 0
	for n < len(j.queue) && (n == 0 || rows+len(j.queue[n].rows) <= commitRows) {
		rows += len(j.queue[n].rows)
		n++
	}
	batch := append([]waiting(nil), j.queue[:n]...)
	if j.queue = append(j.queue[:0], j.queue[n:]...); len(j.queue) == 0 && cap(j.queue) > commitRows {
		j.queue = nil // what a long failure needed
	}
	return batch
}

// commit writes a batch, again and again until the disk takes it or the journal has
// to be closed without.
func (j *Journal) commit(batch []waiting) error {
	var rows []row
	bytes := 0
	for i := range batch {
		rows = append(rows, batch[i].rows...)
		bytes += batch[i].bytes
	}
	for retry := retryMin; ; retry = min(2*retry, retryMax) {
		begun := time.Now()
		watch := time.AfterFunc(stallAfter, j.health.stalled)
		err := j.disk.write(context.Background(), rows)
		watch.Stop()
		if err == nil {
			j.mu.Lock()
			j.rows -= len(rows)
			j.bytes -= bytes
			j.mu.Unlock()
			j.health.written(len(rows), time.Since(begun) >= stallAfter)
			return nil
		}
		j.health.failed(err)
		timer := time.NewTimer(retry)
		select {
		case <-timer.C:
		case <-j.giveUp:
			timer.Stop()
			return err
		}
	}
}

// abandon tells those who wait that their facts will not be written.
func (j *Journal) abandon(batch []waiting, why error) {
	j.mu.Lock()
	batch = append(batch, j.queue...)
	j.queue = nil
	j.mu.Unlock()
	j.ended = fmt.Errorf("%w before the disk took the facts: %w", ErrClosed, why)
	for i := range batch {
		if batch[i].done != nil {
			batch[i].done(batch[i].receipt(), j.ended)
		}
	}
}

// health says when the disk is in trouble, once, and when it is over, once.
type health struct {
	notify  func(Notice)
	waiting func() int

	mu    sync.Mutex
	since time.Time // when the trouble began; zero: there is none
	last  time.Time // when there was trouble last
	late  int       // facts written since
	ended bool
}

func (h *health) failed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.trouble(Notice{Kind: NoticeDegraded, Err: err})
}

// stalled is called while a write does not end.
func (h *health) stalled() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.trouble(Notice{Kind: NoticeDegraded, For: stallAfter})
	}
}

func (h *health) trouble(n Notice) {
	h.last = time.Now()
	if !h.since.IsZero() {
		return
	}
	h.since = h.last.Add(-n.For)
	n.Facts = h.waiting()
	h.notify(n)
}

// written notes a write that went well, if slowly.
func (h *health) written(facts int, slow bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() {
		return
	}
	h.late += facts
	if slow {
		h.last = time.Now()
	}
	if time.Since(h.last) >= calm && h.waiting() == 0 {
		h.over()
	}
}

// quiet is when the trouble may be over if nothing happens till then; never when
// there is none.
func (h *health) quiet() (at <-chan time.Time, stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() {
		return nil, func() {}
	}
	timer := time.NewTimer(max(0, calm-time.Since(h.last)))
	return timer.C, func() { timer.Stop() }
}

// calmed is called when quiet has come with nothing left to write.
func (h *health) calmed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.since.IsZero() && h.waiting() == 0 {
		h.over()
	}
}

func (h *health) over() {
	n := Notice{Kind: NoticeRecovered, For: time.Since(h.since), Facts: h.late}
	h.since, h.late = time.Time{}, 0
	h.notify(n)
}

// end is the end of all notices but that the trouble is over, if it is.
func (h *health) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	if !h.since.IsZero() && h.waiting() == 0 {
		h.over()
	}
}
