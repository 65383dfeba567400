// Package check watches a clock that runs a programme of its own, set by hand, and
// says in an arbiter's words where it is not as the time control wants it: wrong
// start times, a wrong increment or none, times that were changed, exchanged sides,
// flags, periods, a low battery.
//
// It believes what two readings agree on. Lines flip bits and clocks flash wrong times
// (protocol sheet 4.5), so a reading that does not follow from the one before waits
// for the next, and is dropped when that one contradicts it. What happened while
// readings were missed is not judged.
//
// The package is pure: time is an argument. It gives no orders to a clock; package
// plan does.
package check

import (
	"fmt"
	"time"

	"boardd/clock"
)

// Constants of what counts as the same.
const (
	// slack is how far a reading may be from the second it was made in: the way from
	// the clock takes up to a second, and a face shows whole seconds.
	slack = 2 * time.Second
	// patience is how long a standing clock shows the same before that is taken for
	// what an arbiter wants: he sets it digit by digit.
	patience = 60 * time.Second
	// silence is how long a running clock may tell nothing: it tells each second, unless
	// the line is busy with the board's log.
	silence = 4 * time.Second
	// stands is how long a flag or a low battery has to last where no other reading comes.
	stands = 3 * time.Second
	// periodWait is how long 0:00 may stand where another period follows.
	periodWait = 10 * time.Second
)

// Checker watches one clock. It is not safe for concurrent use.
type Checker struct {
	control *clock.Control // nil: nobody said, or one with faces that follow rules of their own
	now     time.Duration
	found   []clock.Finding

	raw     clock.Reading // what was said last
	last    clock.Reading // what is believed
	at      time.Duration // when it came
	seen    bool
	odd     *clock.Reading // what the next reading has to confirm
	oddAt   time.Duration
	missed  bool // readings were
	absent  bool // no clock, told
	battery sign

	game
}

// game is what a new game begins afresh.
type game struct {
	over    bool
	run     bool // the clock has run
	late    bool // it ran already when it was first seen
	told    map[string]bool
	sides   [2]side
	turn    time.Duration  // when the present turn began
	paused  *clock.Reading // how the clock stood when it was stopped
	stoodAt time.Duration  // since when it shows the same, standing
	moves   int            // plies made since the clock was stopped
	wrong   int            // readings in a row in which the wrong face counts
	flag    sign
	first   clock.Player // whose flag
}

// side is what is known of one player's clock.
type side struct {
	presses int
	period  int
	begun   time.Duration // his face when his turn began
	clean   bool          // the turn was seen whole
	samples []sample
}

// sign is a state that has to last to be believed.
type sign struct {
	held, told bool
	since      time.Duration
}

// New watches a clock for a game under c; nil when nobody knows the control. Then
// only what needs none is found.
func New(c *clock.Control) *Checker {
	k := &Checker{game: game{told: map[string]bool{}}}
	k.promise(c)
	return k
}

func (k *Checker) promise(c *clock.Control) {
	k.control = nil
	if c != nil && c.Countable() == nil {
		k.control = c
	}
}

// Promise changes the control; the start is judged by it anew.
func (k *Checker) Promise(at time.Duration, c *clock.Control) {
	k.advance(at)
	k.promise(c)
	k.told = map[string]bool{}
	for i := range k.sides {
		k.sides[i].samples = nil
	}
}

// NewGame begins another game. The clock may show what the last one left.
func (k *Checker) NewGame(at time.Duration) {
	k.advance(at)
	k.game = game{told: map[string]bool{}, stoodAt: k.now, late: k.seen && k.last.Connected && k.last.Running}
}

// Result says that the game is over: what the clock does from now on is for the next.
func (k *Checker) Result(at time.Duration) {
	k.advance(at)
	k.over = true
}

// Given says that a game is taken up after so many moves of each player.
func (k *Checker) Given(white, black int) {
	k.sides[clock.White].presses, k.sides[clock.Black].presses = white, black
	k.run = true
}

// Outage says that the line was lost, or is back. Nothing is concluded from what
// lies between.
func (k *Checker) Outage(at time.Duration, up bool) {
	k.advance(at)
	k.missed, k.odd = true, nil
	for i := range k.sides {
		k.sides[i].clean = false
	}
}

// Moved says that a ply became known: it tells a clock that stands while the game
// goes on from one that an arbiter has stopped.
func (k *Checker) Moved(at time.Duration) {
	k.advance(at)
	if !k.run || k.over || k.last.Running || !k.seen || !k.last.Connected {
		return
	}
	if k.moves++; k.moves == 2 {
		k.once("clock.stopped", "the clock stands, and the game goes on")
	}
}

// Advance lets time pass with nothing heard.
func (k *Checker) Advance(at time.Duration) { k.advance(at) }

func (k *Checker) advance(at time.Duration) {
	k.now = max(k.now, at)
	if k.missed {
		return
	}
	if k.odd != nil && k.now-k.oddAt >= stands && !k.odd.Running {
		k.confirm() // a clock that stands says it once
	}
	if k.seen && k.last.Connected {
		k.standing()
		k.flags()
		k.batteries()
	}
}

// Take returns what was found since the last call, in order.
func (k *Checker) Take() []clock.Finding {
	f := k.found
	k.found = nil
	return f
}

func (k *Checker) find(f clock.Finding) {
	f.At = k.now
	k.found = append(k.found, f)
}

// once raises a code once a game.
func (k *Checker) once(code, detail string) bool {
	if k.told[code] {
		return false
	}
	k.told[code] = true
	k.find(clock.Finding{Code: code, Detail: detail})
	return true
}

// right takes back what once has raised.
func (k *Checker) right(code, detail string) {
	if k.told[code] {
		delete(k.told, code)
		k.find(clock.Finding{Code: code, Detail: detail, Cleared: true})
	}
}

func (k *Checker) periods(p clock.Player) []clock.Period {
	switch {
	case k.control == nil:
		return nil
	case p == clock.White:
		return k.control.White
	}
	return k.control.Black
}

// period is the one a player plays.
func (k *Checker) period(p clock.Player) clock.Period {
	all := k.periods(p)
	if len(all) == 0 {
		return clock.Period{}
	}
	return all[min(k.sides[p].period, len(all)-1)]
}

// face writes a time as a clock shows it.
func face(d time.Duration) string {
	s := int(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

func faces(r clock.Reading) string {
	return "White " + face(r.White) + ", Black " + face(r.Black)
}

// name is how an arbiter names a player.
func name(p clock.Player) string {
	if p == clock.White {
		return "White"
	}
	return "Black"
}
