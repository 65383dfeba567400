package link

import "time"

// Timing is every interval a session works by. Each has its reason; none is a
// matter of taste for a configuration file, but tests shorten them.
type Timing struct {
	// Gap is the least time between two writes. The board's input buffer holds 10 bytes, fewer than one
	// clock command, so it must drain (facts 1.1, 5.3).
	Gap time.Duration
	// Answer is how long a command may stay unanswered; boards answer in milliseconds, behind at most one dump.
	Answer time.Duration
	// Identity is the same for the requests old boards never answer (long serial, trademark, battery).
	Identity time.Duration
	// ClockAnswer is how long a clock command may stay unanswered. Acknowledges take up to 1-2 s (facts 5.1).
	ClockAnswer time.Duration
	// ClockSettle is how much longer the answer may take once the clock shows what was set. It is the longest that
	// answers usually take: the clock must not be overrun (facts 5.1).
	ClockSettle time.Duration
	// ProbeRetries is how often the version is asked for again before the port counts as one without a board.
	ProbeRetries int

	// ClockRetry is the time between two questions for the clock while there is none: clocks are found late, or only after they
	// were switched on (facts 5.5).
	ClockRetry time.Duration
	// ClockRetrySlow takes its place when times arrive but no version does: there is a clock, it only does not say which.
	ClockRetrySlow time.Duration

	// Silence is how long a board may be silent before it is asked whether it is there; Lost how long until it counts as lost
	// (facts 1.8). A board on which nothing changes is silent by right.
	Silence, Lost time.Duration
	// Remode is the least time between two renewals of the update mode on a silent board. A board that lost
	// its power behind an adapter comes back in bus mode, answers, and would never report a move again.
	Remode time.Duration

	// Quiet is how long no man may have moved before a dump confirms what the updates said (facts 8.2).
	Quiet time.Duration
	// Settle is the wait after a broken message before a dump, and the pause after which an unfinished message counts as broken.
	Settle time.Duration
	// Confirm is the wait before a surprising dump is asked for again: longer than one scan of 250 ms (facts 8.3).
	Confirm time.Duration
	// DumpEvery is the least time between two dumps for broken messages, so that a noisy line is not filled with dumps.
	DumpEvery time.Duration
	// Audit is the longest time without a dump: a message lost whole leaves no trace.
	Audit time.Duration

	// BackoffMin and BackoffMax bound the wait between two attempts to open a port; it doubles from one to the other.
	BackoffMin, BackoffMax time.Duration
	// Write is the deadline of one write.
	Write time.Duration
}

// DefaultTiming is for boards on a cable.
func DefaultTiming() Timing {
	return Timing{
		Gap:            100 * time.Millisecond,
		Answer:         time.Second,
		Identity:       500 * time.Millisecond,
		ClockAnswer:    2 * time.Second,
		ClockSettle:    400 * time.Millisecond,
		ProbeRetries:   3,
		ClockRetry:     2 * time.Second,
		ClockRetrySlow: 30 * time.Second,
		Silence:        3 * time.Second,
		Lost:           5 * time.Second,
		Remode:         10 * time.Second,
		Quiet:          3 * time.Second,
		Settle:         300 * time.Millisecond,
		Confirm:        300 * time.Millisecond,
		DumpEvery:      2 * time.Second,
		Audit:          time.Minute,
		BackoffMin:     250 * time.Millisecond,
		BackoffMax:     4 * time.Second,
		Write:          2 * time.Second,
	}
}

// Patient doubles what a slow line needs longer for. Bluetooth boards scan at
// half speed (facts 1.5).
func (t Timing) Patient() Timing {
	for _, d := range []*time.Duration{
		&t.Answer, &t.Identity, &t.ClockAnswer, &t.ClockSettle, &t.Silence, &t.Lost,
		&t.Quiet, &t.Settle, &t.Confirm, &t.DumpEvery, &t.Write,
	} {
		*d *= 2
	}
	return t
}
