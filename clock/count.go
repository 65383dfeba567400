package clock

import (
	"fmt"
	"time"
)

// Count reckons the two clocks of one game by a control, exactly: no time is
// ever rounded, so after any number of moves a clock is the start, the increments
// and the bases less the thinking times. Times are session time and must not go
// back. It is pure and not safe for concurrent use.
//
// It runs fixed bases with increments, Bronstein, US delay and periods; see
// [Control.Countable] for what it does not run.
type Count struct {
	sides   [2]sideCount
	mover   Player
	runs    bool
	started bool // a clock has run
	asOf    time.Duration
	fallen  bool
	first   Player // whose time ran out, if fallen
}

// sideCount is one player's clock.
type sideCount struct {
	periods []Period
	period  int           // index of the one that is played
	made    int           // moves completed in the game
	left    time.Duration // until the end of the period
	grace   time.Duration // delay that is still to be used up in this move
	begun   time.Duration // left when the move began, for Bronstein
}

// Countable says whether Count can run the control: nil, or the reason in words.
func (c Control) Countable() error {
	if c.Form != Timed || len(c.White) == 0 || len(c.Black) == 0 {
		return fmt.Errorf("expected a control with times, got %s", c.Canonical())
	}
	for _, periods := range [][]Period{c.White, c.Black} {
		for _, p := range periods {
			switch p.Kind {
			case ByoYomi, Canadian, Hourglass, CountUp:
				return fmt.Errorf("expected a fixed time, an increment or a delay, got %s", p.Kind)
			case None, Fischer, Bronstein, Delay:
			}
		}
	}
	return nil
}

// NewCount stands at the start of the game, both clocks stopped. The error is
// that of [Control.Countable].
func NewCount(c Control) (*Count, error) {
	if err := c.Countable(); err != nil {
		return nil, err
	}
	n := &Count{}
	white, black := c.Start()
	n.sides[White] = sideCount{periods: c.White, left: white}
	n.sides[Black] = sideCount{periods: c.Black, left: black}
	return n, nil
}

// Run starts the clock of p, or lets it run on.
func (n *Count) Run(at time.Duration, p Player) {
	n.pass(at)
	if n.runs && n.mover == p || n.fallen {
		return
	}
	if n.mover != p || !n.started {
		n.begin(p) // else his move goes on after a pause
	}
	n.mover, n.runs, n.started = p, true, true
}

// begin is the start of a move of p.
func (n *Count) begin(p Player) {
	s := &n.sides[p]
	s.begun, s.grace = s.left, 0
	if now := s.now(); now.Kind == Delay && s.made+1 >= now.From {
		s.grace = now.Bonus
	}
}

// Stop stops both clocks.
func (n *Count) Stop(at time.Duration) {
	n.pass(at)
	n.runs = false
}

// Press ends the move of the player whose clock runs and starts the other's. It
// returns what the press gave him; ok is false when no clock runs.
func (n *Count) Press(at time.Duration) (given time.Duration, ok bool) {
	n.pass(at)
	if !n.runs || n.fallen {
		return 0, false
	}
	given = n.complete(n.mover)
	n.mover = n.mover.Other()
	n.begin(n.mover)
	return given, true
}

// Made counts a move of p that nobody saw him complete, whoever's clock runs now, and
// returns what it gave him.
func (n *Count) Made(at time.Duration, p Player) (given time.Duration) {
	n.pass(at)
	return n.complete(p)
}

// complete is the end of a move of p.
func (n *Count) complete(p Player) (given time.Duration) {
	s := &n.sides[p]
	before := s.left
	s.made++
	s.grace = 0
	if now := s.now(); now.Kind == Bronstein && s.made >= now.From {
		s.left += min(now.Bonus, max(0, s.begun-s.left))
	}
	if now := s.now(); now.Moves > 0 && s.made == s.lastMove() {
		s.next()
	}
	if now := s.now(); now.Kind == Fischer && s.made+1 >= now.From {
		s.left += now.Bonus
	}
	return s.left - before
}

// now is the period that is played; the last one repeats.
func (s *sideCount) now() Period { return s.periods[min(s.period, len(s.periods)-1)] }

// lastMove is the move of the game that completes the present period. Periods
// that end at zero take no moves for themselves.
func (s *sideCount) lastMove() (last int) {
	for i := 0; i <= s.period; i++ {
		last += s.periods[min(i, len(s.periods)-1)].Moves
	}
	return last
}

// next goes on to the next period, whose base is added. What a move has used so far
// stays as it is, for Bronstein.
func (s *sideCount) next() {
	s.period++
	s.left += s.now().Base
	s.begun += s.now().Base
}

// followed reports whether another period follows when the time runs out.
func (s *sideCount) followed() bool { return s.now().Moves == 0 && s.period < len(s.periods)-1 }

// pass lets the time run.
func (n *Count) pass(at time.Duration) {
	passed := at - n.asOf
	n.asOf = max(n.asOf, at)
	if !n.runs || n.fallen || passed <= 0 {
		return
	}
	s := &n.sides[n.mover]
	used := min(s.grace, passed)
	s.grace -= used
	s.left -= passed - used
	for s.left <= 0 && s.followed() {
		n.NextPeriod()
	}
	if s.left <= 0 {
		s.left, n.fallen, n.first = 0, true, n.mover
	}
}

// NextPeriod ends a period that is played until its time is used up, for both at
// once as clocks do it (fact sheet 3.5): each gets his next base. Count does so
// itself at zero; a display that must not reach zero has it done a moment before.
func (n *Count) NextPeriod() {
	period := n.sides[n.mover].period
	for i := range n.sides {
		if s := &n.sides[i]; s.period == period && s.followed() {
			s.next()
		}
	}
}

// ToNextPeriod is the time until the running clock ends a period that another
// follows by itself; ok is false when none will.
func (n *Count) ToNextPeriod(at time.Duration) (d time.Duration, ok bool) {
	n.pass(at)
	s := &n.sides[n.mover]
	return s.left + s.grace, n.runs && !n.fallen && s.followed()
}

// Left is the time p has, without a delay he has still to use.
func (n *Count) Left(at time.Duration, p Player) time.Duration {
	n.pass(at)
	return n.sides[p].left
}

// Face is what p's display shows: Left and the delay of his move as far as it is
// not used up.
func (n *Count) Face(at time.Duration, p Player) time.Duration {
	n.pass(at)
	return n.sides[p].left + n.sides[p].grace
}

// Running is whose clock runs.
func (n *Count) Running() (p Player, ok bool) { return n.mover, n.runs && !n.fallen }

// ToMove is whose clock runs, or would when the clocks are started again.
func (n *Count) ToMove() Player { return n.mover }

// Moves is how many moves p has completed.
func (n *Count) Moves(p Player) int { return n.sides[p].made }

// Period is the period p plays, from 0.
func (n *Count) Period(p Player) int { return n.sides[p].period }

// Add gives p time, or takes it away when d is negative; nobody has less than none.
func (n *Count) Add(at time.Duration, p Player, d time.Duration) {
	n.Set(at, p, n.Left(at, p)+d)
}

// Set gives p exactly that time. A flag that had fallen is up again if he has any.
func (n *Count) Set(at time.Duration, p Player, left time.Duration) {
	n.pass(at)
	s := &n.sides[p]
	left = max(0, left)
	s.begun += left - s.left
	s.left = left
	if n.fallen && n.first == p && left > 0 {
		n.fallen = false
	}
}

// Swap exchanges the two players' times.
func (n *Count) Swap(at time.Duration) {
	white, black := n.Left(at, White), n.Left(at, Black)
	n.Set(at, White, black)
	n.Set(at, Black, white)
}

// Flag is whose time has run out, if anybody's.
func (n *Count) Flag(at time.Duration) (p Player, fallen bool) {
	n.pass(at)
	return n.first, n.fallen
}
