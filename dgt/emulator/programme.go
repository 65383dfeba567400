package emulator

import (
	"time"

	"boardd/dgt"
)

// PerMove is what a clock gives for each move beyond the base of a period.
type PerMove uint8

// The kinds of extra time that the programmes of the XL and the DGT 3000 know
// and that boards are used with.
const (
	NoBonus        PerMove = iota
	FischerBonus           // added with each press
	USDelay                // the base stands until the bonus of the move is used up
	BronsteinDelay         // what the move used is given back with the press, at most the bonus
)

// Period is a stretch of a programme for one side.
type Period struct {
	// Moves is how many presses of this side it lasts; 0 is until a side's time
	// is used up. A last period with a number begins again.
	Moves int
	// Base is added when the period begins.
	Base  time.Duration
	Kind  PerMove
	Bonus time.Duration
}

// Programme is what a clock runs that stands in no remote mode. The sides may
// differ. The zero programme counts down what the clock shows, once.
//
// A period without a number of moves ends when the first side reaches 0:00: the
// next one is then added to both sides at once, as the DGT 3000 does (fact sheet
// on laws and time controls 3.5), and the side shows a flag for five minutes. A
// period with a number of moves ends with that press, for that side alone;
// reaching 0:00 before is a fallen flag. What a period adds at 0:00 is its base,
// the first bonus comes with the next press; no source tells it otherwise.
type Programme struct {
	Left, Right []Period
	// TimeRunsOn lets a clock go on after a flag has fallen, as in the TIME mode
	// of the DGT 3000: the side at zero stays there, the other one may use its
	// time up, and only the first flag is shown. Otherwise both sides freeze.
	TimeRunsOn bool
}

// periodFlag is how long a side shows that it has begun another period.
const periodFlag = 5 * time.Minute

// Fischer returns the setting of a clock programmed for one period of base with
// an increment, White sitting on the given side of the clock.
func Fischer(base, increment time.Duration, white dgt.Side) ClockSetting {
	p := Period{Base: base}
	if increment > 0 {
		p.Kind, p.Bonus = FischerBonus, increment
	}
	return ClockSetting{Programme: Programme{Left: []Period{p}, Right: []Period{p}}, Lever: white}
}

// startTime is what a side shows before its first move: a Fischer increment is due
// for it already, and a Bronstein time counts from the sum (fact sheet on laws
// and time controls 3.4 and 4.2). A US delay is not shown.
func startTime(periods []Period) time.Duration {
	if len(periods) == 0 {
		return 0
	}
	p := periods[0]
	if p.Kind == FischerBonus || p.Kind == BronsteinDelay {
		return p.Base + p.Bonus
	}
	return p.Base
}

// hand is one side of the clock.
type hand struct {
	time     time.Duration
	counting bool
	up       bool // counts up (hour bit 10 of SETNRUN)
	fallen   bool
	quiet    bool // shows no flag: the other one fell first

	// The programme; a side in remote mode has none.
	periods []Period
	period  int           // which one it is in
	moves   int           // presses in it
	began   time.Duration // time when the move began
	delay   time.Duration // left of the move's US delay
	flagged time.Duration // until when it shows the flag of a new period
}

// newHand is a side that stands at the start of a programme, or at a time in its
// first period.
func newHand(t time.Duration, periods []Period) hand {
	if t == 0 {
		t = startTime(periods)
	}
	h := hand{time: min(t, dgt.MaxClock), periods: periods}
	h.beginMove()
	return h
}

// current is the period the side is in.
func (h *hand) current() Period {
	if h.period < len(h.periods) {
		return h.periods[h.period]
	}
	return Period{}
}

// beginMove keeps what the reckoning of a move needs.
func (h *hand) beginMove() {
	h.began, h.delay = h.time, 0
	if p := h.current(); p.Kind == USDelay {
		h.delay = p.Bonus
	}
}

// completeMove gives what a press is worth. A period that ends with it shows a
// flag until the given time.
func (h *hand) completeMove(flag time.Duration) {
	if h.fallen {
		return
	}
	p := h.current()
	if p.Kind == BronsteinDelay {
		h.add(min(p.Bonus, h.began-h.time))
	}
	h.moves++
	if p.Moves > 0 && h.moves == p.Moves {
		h.nextPeriod(flag)
	}
	if p := h.current(); p.Kind == FischerBonus {
		h.add(p.Bonus)
	}
	h.beginMove()
}

// changesAtZero reports whether 0:00 is the end of a period and not of the game.
func (h *hand) changesAtZero() bool {
	return h.current().Moves == 0 && h.period+1 < len(h.periods)
}

// nextPeriod begins the next period, or the last one again.
func (h *hand) nextPeriod(flag time.Duration) {
	h.period, h.moves = min(h.period+1, len(h.periods)-1), 0
	base := h.current().Base
	h.add(base)
	h.began += base
	h.flagged = flag
}

func (h *hand) add(d time.Duration) { h.time = min(h.time+d, dgt.MaxClock) }

// count lets time pass on a side that counts and reports whether it has come to
// its end by that.
func (h *hand) count(passed time.Duration) (over bool) {
	if h.up {
		h.time += passed
		return false
	}
	d := min(h.delay, passed)
	h.delay -= d
	h.time = max(h.time-(passed-d), 0)
	return h.time == 0 && h.delay == 0 && !h.fallen
}

// shown is the time on the display: seconds are rounded up when counting down,
// so that zero appears when the time is over.
func (h *hand) shown() time.Duration {
	t := h.time
	if !h.up {
		t += time.Second - 1
	}
	return min(t.Truncate(time.Second), dgt.MaxClock)
}

// change is how long after now the display of a counting side changes by
// counting, never if it does not.
func (h *hand) change() time.Duration {
	switch {
	case h.fallen:
		return never
	case h.up:
		return h.time.Truncate(time.Second) + time.Second - h.time
	case h.time == 0:
		return h.delay // set to zero and started: over at once
	}
	return h.delay + h.time - (h.shown() - time.Second)
}

// face is the display of the side now.
func (h *hand) face(now time.Duration, blocked bool) dgt.ClockFace {
	p := h.current()
	return dgt.ClockFace{
		Time:      h.shown(),
		Flag:      h.fallen && blocked && !h.quiet,
		FlagShown: h.fallen && !blocked || now < h.flagged,
		Increment: p.Bonus > 0 && (p.Kind == FischerBonus || p.Kind == BronsteinDelay),
	}
}
