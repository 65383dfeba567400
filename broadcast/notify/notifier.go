package notify

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
)

const (
	// inputMax is how many notes may wait for the owner goroutine, which waits for nobody.
	inputMax = 1024
	// sendWait is how long one attempt may take.
	sendWait = 30 * time.Second
	// lastWait is how long the last messages may take when the daemon stops.
	lastWait = 5 * time.Second
)

// Options are what a Notifier needs.
type Options struct {
	Title   string // of every message; usually the event's name
	Targets []Target
	Log     zerolog.Logger
}

// Notifier tells its targets.
type Notifier struct {
	title  string
	log    zerolog.Logger
	input  chan Note // Run reads, everybody may write
	lost   atomic.Int64
	queues []*queue // of Run
	stamp  string
	ids    int // of Run
}

// New makes a Notifier, which does nothing until Run.
func New(o Options) *Notifier {
	var stamp [6]byte
	rand.Read(stamp[:]) // never fails since Go 1.24
	n := &Notifier{title: o.Title, log: o.Log, input: make(chan Note, inputMax), stamp: hex.EncodeToString(stamp[:])}
	for _, t := range o.Targets {
		n.queues = append(n.queues, newQueue(t))
	}
	return n
}

// Take notes a change if it is one that people are told of. It never waits, and any goroutine may call it.
func (n *Notifier) Take(c broadcast.Change) {
	if len(n.queues) == 0 {
		return
	}
	note, is := noteOf(c, time.Now())
	if !is {
		return
	}
	select {
	case n.input <- note:
	default:
		n.lost.Add(1)
	}
}

// outcome is what became of a message.
type outcome struct {
	queue *queue
	err   error
}

// Run tells the targets until ctx ends; then it sends what waits, for at most five seconds, and returns nil.
func (n *Notifier) Run(ctx context.Context) error {
	outcomes := make(chan outcome, len(n.queues)) // each queue has one message on its way at most
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		n.sendDue(sending, outcomes)
		timer.Reset(n.untilNext())
		select {
		case note := <-n.input:
			n.add(note)
		case o := <-outcomes:
			n.done(o)
		case <-timer.C:
		case <-ctx.Done():
			n.last(sending, stop, outcomes)
			return nil
		}
	}
}

// last sends what waits, whether or not it is time; but not to targets that did not take the message before.
func (n *Notifier) last(ctx context.Context, stop func(), outcomes chan outcome) {
	for len(n.input) > 0 {
		n.add(<-n.input)
	}
	patience := time.AfterFunc(lastWait, stop)
	defer patience.Stop()
	running := 0
	for _, q := range n.queues {
		if q.busy {
			running++
		}
		running += n.sendLast(ctx, q, outcomes)
	}
	for running > 0 {
		o := <-outcomes
		n.done(o)
		running += n.sendLast(ctx, o.queue, outcomes) - 1
	}
}

func (n *Notifier) sendLast(ctx context.Context, q *queue, outcomes chan<- outcome) (sent int) {
	if _, waits := q.due(); !waits || q.fails > 0 || ctx.Err() != nil {
		return 0
	}
	n.send(ctx, q, q.load(), outcomes)
	return 1
}

func (n *Notifier) add(note Note) {
	n.ids++
	note.ID = fmt.Sprintf("%s-%d", n.stamp, n.ids)
	for _, q := range n.queues {
		q.take(note, time.Now())
	}
	if lost := n.lost.Swap(0); lost > 0 {
		n.log.Warn().Int64("notes", lost).Msg("nobody was told of some alerts: there were too many at once")
	}
}

func (n *Notifier) sendDue(ctx context.Context, outcomes chan<- outcome) {
	for _, q := range n.queues {
		if m, is := q.next(time.Now()); is {
			n.send(ctx, q, m, outcomes)
		}
		if q.stale > 0 {
			n.log.Warn().Str("target", q.target.Name).Int("notes", q.stale).Msg("not told within an hour, and given up")
			q.stale = 0
		}
	}
}

func (n *Notifier) send(ctx context.Context, q *queue, m Message, outcomes chan<- outcome) {
	sender := q.target.Sender
	go func() {
		ctx, cancel := context.WithTimeout(ctx, sendWait)
		defer cancel()
		outcomes <- outcome{q, sender.Send(ctx, n.title, m)}
	}()
}

// done logs the first failure and the end of a series, not each.
func (n *Notifier) done(o outcome) {
	first, back := o.queue.fails == 0, o.queue.fails > 0
	o.queue.done(time.Now(), o.err != nil, waitOf(o.err))
	switch {
	case o.err != nil && first:
		n.log.Error().Str("target", o.queue.target.Name).Err(o.err).Msg("cannot be notified; boardd tries again by itself, see boardd notify test")
	case o.err != nil:
		n.log.Debug().Str("target", o.queue.target.Name).Err(o.err).Msg("still cannot be notified")
	case back:
		n.log.Info().Str("target", o.queue.target.Name).Msg("is notified again")
	}
}

// untilNext is how long there is nothing to do.
func (n *Notifier) untilNext() time.Duration {
	wait := time.Hour
	for _, q := range n.queues {
		if at, some := q.due(); some {
			wait = min(wait, max(0, time.Until(at)))
		}
	}
	return wait
}

// Test sends each target a test message, one after the other, and tells what came back.
func Test(ctx context.Context, title string, targets []Target, tell func(name string, err error)) {
	for _, t := range targets {
		attempt, cancel := context.WithTimeout(ctx, sendWait)
		tell(t.Name, t.Sender.Send(attempt, title, Message{Test: true}))
		cancel()
	}
}
