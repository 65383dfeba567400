package reconstruct

import (
	"slices"
	"time"
)

// While a board sends its log it sends nothing else for 8 s, and what happened
// meanwhile comes in one burst behind it (dgt-protocol 7). A tracker that awaits a log
// puts aside what comes and concludes nothing: what it would conclude without the log
// may be wrong, and what comes in a burst has lost its times.

const (
	// lineRest ends a burst: a line at rest for so long has nothing left to send, and what
	// comes then comes in time. Adapters hand bytes over every 16 ms, and what is no input
	// (the answers of a clock) takes 10 ms.
	lineRest ms = 40
	// burstMax bounds a burst.
	burstMax ms = 3000
)

// lineTime is how long an input takes on the line, at 9600 baud.
func (in *input) lineTime() ms {
	switch in.kind {
	case dumpInput:
		return 70
	case clockInput:
		return 11
	}
	return 6
}

func (in *input) ms() ms { return in.at.Milliseconds() }

// waitForLog is what is put aside meanwhile.
type waitForLog struct {
	asked  ms  // since when
	until  ms  // when the log is given up
	first  int // of outage.since: what is put aside begins there
	came   ms  // when the log came, 0 before
	log    []Logged
	latest ms // when something came last
}

// AwaitLog has the tracker wait at most that long for the log of the board, which has
// been asked for. It does nothing where a log would be of no use. A second call
// prolongs the wait.
func (t *Tracker) AwaitLog(at, atMost time.Duration) {
	t.pass(at)
	o := t.outage
	if o == nil || t.phase != playing || len(o.since) == 0 {
		return
	}
	if o.wait == nil {
		o.wait = &waitForLog{asked: t.now, first: len(o.since)}
	}
	o.wait.until = t.now + atMost.Milliseconds()
}

// Awaits reports whether a log is awaited: what happens on the board is shown later.
func (t *Tracker) Awaits() bool { return t.outage != nil && t.outage.wait != nil }

// putAside reports whether an input, which has been noted, is not to be looked at yet.
func (t *Tracker) putAside() bool {
	if t.reliving || !t.Awaits() {
		return false
	}
	t.outage.wait.latest = t.now
	return true
}

// waited ends the wait when the log and what came behind it are there, or when it has
// lasted too long. It reports whether the wait goes on.
func (t *Tracker) waited() bool {
	if t.reliving || !t.Awaits() {
		return false
	}
	w := t.outage.wait
	switch {
	case w.came == 0 && t.now >= w.until:
		t.stopWaiting()
	case w.came != 0 && (t.now >= w.latest+lineRest+70 || t.now >= w.came+burstMax):
		t.logCame()
	default:
		return true
	}
	return false
}

// stopWaiting looks at what was put aside as if nothing had been awaited.
func (t *Tracker) stopWaiting() {
	if !t.Awaits() {
		return
	}
	o := t.outage
	w := o.wait
	if w.came != 0 {
		t.logCame()
		return
	}
	o.wait = nil
	t.catchUp(w.asked, o.since[w.first:])
}

// catchUp looks at inputs that were put aside since some time.
func (t *Tracker) catchUp(since ms, inputs []input) {
	now := t.now
	t.now, t.reliving = since, true
	for _, in := range inputs {
		t.take(in)
	}
	t.reliving, t.now = false, now
	t.settle()
}

// logCame lives through the outage with the log, and then through what came behind it,
// spread over the time the log took.
func (t *Tracker) logCame() {
	o := t.outage
	w := o.wait
	o.wait = nil
	kept, burst := o.since[:w.first], o.since[w.first:]
	for len(burst) > 0 && burst[0].ms() < w.came {
		kept, burst = o.since[:len(kept)+1], burst[1:]
	}
	var inTime []input
	last := w.came
	for i := range burst {
		if burst[i].ms() > last+burst[i].lineTime()+lineRest {
			burst, inTime = burst[:i], burst[i:]
			break
		}
		last = burst[i].ms()
	}
	o.before = len(kept)
	spread := retimed(burst, kept, o.clock, w.asked, w.came, t.increment())
	o.since = slices.Concat(kept, spread, inTime)
	if t.relive(w.log) {
		return
	}
	t.catchUp(w.asked, o.since[w.first:]) // the log does not tell; the burst is still one
}

// retimed gives a burst the times at which it may have happened, from asked to came.
// Readings of the clock that tell of no press, and boards read meanwhile, are left out but
// for the last.
func retimed(burst, before []input, clock Reading, asked, came, inc ms) []input {
	for _, in := range before {
		if in.kind == clockInput {
			clock = in.r
		}
	}
	var entries []Logged
	was := clock
	var reading, board *input
	for i := range burst {
		switch in := &burst[i]; in.kind {
		case squareInput:
			entries = append(entries, Logged{Square: in.q, Piece: in.p})
			board = nil
		case clockInput:
			if by := was.ToMove; was.Connected && in.r.Connected && in.r.Running && in.r.ToMove != by {
				entries = append(entries, Logged{Press: true, By: by, Face: in.r.Face(by)})
			}
			was, reading = in.r, in
		case dumpInput:
			board = in
		}
	}
	out := schedule(entries, clock, asked, came, inc, came)
	for _, last := range []*input{board, reading} {
		if last != nil {
			last.at = time.Duration(came) * time.Millisecond
			out = append(out, *last)
		}
	}
	return out
}
