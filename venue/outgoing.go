package venue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boardd/broadcast/uplink"
	"boardd/journal"
)

// Outgoing is the record of the venue for a hub elsewhere: what the journal's facts were
// published as, each not before its delay is over. One goroutine uses it.
//
// How old a fact is, is told by the session's time alone, for a machine without a clock of
// its own does not know the calendar: what happened in an earlier run is as old as that
// run went on after it and this one has lasted; the time between them counts for nothing.
type Outgoing struct {
	journal *journal.Journal
	epoch   string
	delay   time.Duration
	session func() time.Duration // of this run
	// Of the runs before: the last one, how long it lasted, and what it had shown.
	lastRun  int
	lastedAt time.Duration
	released uint64
	nudge    func(context.Context) <-chan struct{}

	at   uint64 // the retelling has told everything up to here
	tell *Retelling
}

var _ uplink.Log = (*Outgoing)(nil)

// NewOutgoing makes the record of a journal. session is the venue's time; nudge gives a
// channel that holds a token when something may have been written.
func NewOutgoing(j *journal.Journal, found *journal.Recovered, delay time.Duration, session func() time.Duration,
	nudge func(context.Context) <-chan struct{}) *Outgoing {
	return &Outgoing{journal: j, delay: delay, session: session, nudge: nudge,
		lastRun: j.Run() - 1, lastedAt: found.LastAt,
		released: min(found.Released, found.LastSeq)} // a run without a delay had shown what was yet to come, too
}

// errEnough ends the reading of facts.
var errEnough = errors.New("enough")

// Epoch names the journal by its first fact.
func (o *Outgoing) Epoch(ctx context.Context) (string, error) {
	if o.epoch != "" {
		return o.epoch, nil
	}
	err := o.journal.Since(ctx, 0, func(e journal.Entry) error {
		o.epoch = fmt.Sprintf("%d-%d", e.Seq, e.Wall.UnixMilli())
		return errEnough
	})
	switch {
	case err != nil && !errors.Is(err, errEnough):
		return "", err
	case o.epoch == "":
		return "", errors.New("nothing is on the disk yet")
	}
	return o.epoch, nil
}

// nudgeEvery is the least time between two looks at the journal.
const nudgeEvery = 200 * time.Millisecond

// Watch holds a token when After may give more: when something was written, and now and
// then, since what waits for its delay gets old by itself.
func (o *Outgoing) Watch(ctx context.Context) <-chan struct{} {
	out := make(chan struct{}, 1)
	go func() {
		defer close(out)
		tick := time.NewTicker(nudgeEvery)
		defer tick.Stop()
		idle := 0
		nudged := o.nudge(ctx)
		news := true
		for {
			select {
			case <-ctx.Done():
				return
			case _, open := <-nudged:
				if !open {
					return
				}
				news = true
			case <-tick.C:
				// A fact can be written a moment after its nudge, and is old enough some time later.
				if idle++; !news && idle < int(time.Second/nudgeEvery) {
					continue
				}
				news, idle = false, 0
				select {
				case out <- struct{}{}:
				default:
				}
			}
		}
	}()
	return out
}

// After gives what follows number n, which is a fact's, and may leave now.
func (o *Outgoing) After(ctx context.Context, n uint64, most int) ([]uplink.Numbered, error) {
	from := n
	if o.tell == nil || o.at != n {
		begun, err := o.begin(ctx, n)
		if err != nil {
			return nil, err
		}
		o.tell, from = &Retelling{}, begun
	}
	var list []uplink.Numbered
	var group []journal.Entry
	count := 0
	flush := func() {
		if len(group) == 0 {
			return
		}
		changes := o.tell.Tell(group...)
		last := group[len(group)-1].Seq
		group = group[:0]
		if last <= n {
			return // the hub has them; they were told for what they lead to
		}
		o.at, count = last, count+len(changes)
		if k := len(list); len(changes) == 0 && k > 0 && len(list[k-1].Changes) == 0 {
			list[k-1].N = last
			return
		}
		list = append(list, uplink.Numbered{N: last, Changes: changes})
	}
	now := o.session()
	o.at = n
	err := o.journal.Since(ctx, from, func(e journal.Entry) error {
		if e.Seq > n && !o.mayLeave(e, now) {
			return errEnough
		}
		if k := len(group); k > 0 && !together(group[k-1], e) {
			if flush(); count >= most {
				return errEnough
			}
		}
		group = append(group, e)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		o.tell = nil
		return nil, err
	}
	flush()
	return list, nil
}

// together reports whether two facts that follow one another are of one moment.
func together(a, b journal.Entry) bool {
	return a.Run == b.Run && a.At == b.At && a.Table == b.Table && a.Game == b.Game
}

// mayLeave reports whether a fact is old enough.
func (o *Outgoing) mayLeave(e journal.Entry, now time.Duration) bool {
	switch {
	case o.delay == 0 || e.Seq <= o.released:
		return true
	case e.Run > o.lastRun:
		return now-e.At >= o.delay
	case e.Run == o.lastRun:
		return o.lastedAt-e.At+now >= o.delay
	}
	return o.lastedAt+now >= o.delay
}

// begin is the number after which the games begin that were in progress after number n, or
// at the end for 0.
func (o *Outgoing) begin(ctx context.Context, n uint64) (uint64, error) {
	games, err := o.journal.Games(ctx)
	if err != nil {
		return 0, err
	}
	last := map[int]uint64{}
	for _, g := range games {
		if n == 0 || g.Begun.Seq <= n {
			last[g.Table] = g.Begun.Seq
		}
	}
	from := uint64(1)<<62 - 1
	for _, seq := range last {
		from = min(from, seq)
	}
	if len(last) == 0 {
		return n, nil
	}
	return from - 1, nil
}
