package notify

import (
	"slices"
	"time"
)

const (
	// gather is how long the first note waits for others: a hub of boards that is unplugged is one message.
	gather = time.Second
	// queueMax bounds the notes that wait for one target; of further ones only the number is told.
	queueMax = 100
	// A failed message is tried again after retryFirst, then each time after twice as long, up to retryLast.
	retryFirst = 2 * time.Second
	retryLast  = 5 * time.Minute
	// staleAfter is the age at which a note is given up: what is older helps nobody in a hall.
	staleAfter = time.Hour
)

// Message is what a target is sent at once: some notes, the oldest first, and how many more there were.
type Message struct {
	Notes []Note
	More  int
	// Test says that nothing has happened.
	Test bool
}

// waiting is a note in a queue. Of a tried one it is not known whether it arrived.
type waiting struct {
	Note
	tried bool
}

// queue is what one target is still to be told, and what it was told and is not over. It knows no clock.
type queue struct {
	target   Target
	waiting  []waiting
	more     int // notes that are counted only
	sending  []waiting
	sendMore int
	busy     bool
	told     map[key]struct{}

	notBefore time.Time // of the next message
	fails     int       // since the last message that arrived
	stale     int       // notes given up because of their age
}

func newQueue(t Target) *queue {
	t.fill()
	return &queue{target: t, told: map[key]struct{}{}}
}

// take adds a note that the target wants. One that clears is told when its raising was, or may have been; one whose
// raising still waits takes it away.
func (q *queue) take(n Note, now time.Time) {
	if !q.target.wants(&n) {
		return
	}
	if q.target.For != Arbiters {
		n.Ply = 0 // how far a game is, spectators do not know yet
	}
	if n.Cleared && !q.clears(n.key()) {
		return
	}
	if len(q.waiting) == 0 && q.more == 0 && !q.busy {
		if at := now.Add(gather); q.notBefore.Before(at) {
			q.notBefore = at
		}
	}
	if len(q.waiting) >= queueMax {
		q.more++
		return
	}
	q.waiting = append(q.waiting, waiting{Note: n})
}

// clears tells whether a clearing has anything to clear, and takes away raisings that nobody has been told of.
func (q *queue) clears(k key) bool {
	q.waiting = slices.DeleteFunc(q.waiting, func(w waiting) bool { return w.key() == k && !w.Cleared && !w.tried })
	for _, notes := range [][]waiting{q.waiting, q.sending[:q.shown()]} {
		for _, w := range slices.Backward(notes) {
			if w.key() == k {
				return !w.Cleared
			}
		}
	}
	_, was := q.told[k]
	return was
}

// shown is how many notes the message on its way has in full.
func (q *queue) shown() int { return min(len(q.sending), q.target.Lines) }

// due tells when next has something; false while there is nothing to send, or a message is on its way.
func (q *queue) due() (time.Time, bool) {
	return q.notBefore, !q.busy && (len(q.waiting) > 0 || q.more > 0)
}

// next is the message to send now. done must be called with what became of it before there is another.
func (q *queue) next(now time.Time) (Message, bool) {
	q.forget(now)
	if at, some := q.due(); !some || now.Before(at) {
		return Message{}, false
	}
	return q.load(), true
}

// load puts all that waits into a message.
func (q *queue) load() Message {
	q.busy = true
	q.sending, q.sendMore = q.waiting, q.more
	q.waiting, q.more = nil, 0
	shown := q.shown()
	m := Message{More: q.sendMore + len(q.sending) - shown}
	for i := range q.sending[:shown] {
		m.Notes = append(m.Notes, q.sending[i].Note)
	}
	return m
}

// done takes what became of the message on its way. wait is how long the other side asked to be left alone, at least.
func (q *queue) done(now time.Time, failed bool, wait time.Duration) {
	shown := q.shown()
	q.busy = false
	if !failed {
		q.fails = 0
		for i := range q.sending[:shown] {
			if n := &q.sending[i]; n.Cleared {
				delete(q.told, n.key())
			} else {
				q.told[n.key()] = struct{}{}
			}
		}
		q.notBefore = now.Add(max(q.target.Every, wait))
	} else {
		for i := range q.sending[:shown] {
			q.sending[i].tried = true
		}
		q.waiting, q.more = append(q.sending, q.waiting...), q.more+q.sendMore
		if n := len(q.waiting) - queueMax; n > 0 {
			q.waiting, q.more = q.waiting[:queueMax], q.more+n
		}
		q.notBefore = now.Add(max(backOff(q.fails), q.target.Every, min(wait, staleAfter)))
		q.fails++
	}
	q.sending, q.sendMore = nil, 0
}

// forget drops what is too old to be told.
func (q *queue) forget(now time.Time) {
	before := len(q.waiting)
	q.waiting = slices.DeleteFunc(q.waiting, func(w waiting) bool { return now.Sub(w.At) > staleAfter })
	q.stale += before - len(q.waiting)
	if len(q.waiting) == 0 {
		q.more = 0 // they came with those that are gone
	}
}

func backOff(fails int) time.Duration {
	d := retryFirst
	for range fails {
		if d *= 2; d >= retryLast {
			return retryLast
		}
	}
	return d
}
