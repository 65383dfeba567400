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
	// stands is how long a state has to last that one reading told of, where no other
	// reading comes.
	stands = 3 * time.Second
	// periodWait is how long 0:00 may stand where another period follows.
	periodWait = 10 * time.Second
	// mended is how far from right the times may be that an arbiter has put right in
	// the middle of a game.
	mended = 30 * time.Second
)

// Checker watches one clock. It is not safe for concurrent use.
type Checker struct {
	control *clock.Control // nil: nobody said, or loose
	loose   bool           // the faces follow rules that are not checked, as in Go
	now     time.Duration
	found   []clock.Finding

	last   shown  // what is believed
	prev   *shown // what was before it, if last followed from that
	seen   bool
	fresh  bool   // last stands alone: no other reading has agreed with it
	odd    *shown // what the next reading has to confirm
	missed bool   // readings were
	device

	game
}

// shown is a reading, and when it came.
type shown struct {
	clock.Reading
	at time.Duration
}

// game is what a new game begins afresh.
type game struct {
	over    bool
	ended   clock.Reading  // what the clock showed then
	run     bool           // the clock has run
	late    bool           // it ran already when it was first seen
	ranOn   bool           // it still ran from the last game
	left    *clock.Reading // what it shows since the last game
	began   *shown         // what it showed when it was started
	told    map[string]bool
	gain    bool // clock.mismatch_time_control was raised for what presses give
	sides   [2]side
	turn    time.Duration // when the present turn began
	stoodAt time.Duration // since when it shows the same, standing
	plies   int           // made since the clock was stopped
	levers  int           // how often the lever went over since then
	moved   bool          // a ply was told
	wrong   int           // readings in a row in which the wrong face counts
	flag    sign
	unsure  bool // moves may have been made that nobody counted
}

// side is what is known of one player's clock.
type side struct {
	presses int
	period  int
	begun   time.Duration // his face when his turn began
	clean   bool          // the turn was seen whole
	samples []sample
	flagged bool
	// offset is how far the face is from what it should show: a wrong start, and
	// what was changed since.
	offset time.Duration
}

// New watches a clock for a game under c; nil when nobody knows the control. Then
// only what needs none is found.
func New(c *clock.Control) *Checker {
	k := &Checker{game: game{told: map[string]bool{}}}
	k.promise(c)
	return k
}

func (k *Checker) promise(c *clock.Control) {
	k.control, k.loose = nil, false
	switch {
	case c == nil || c.Form != clock.Timed:
	case c.Countable() != nil:
		k.loose = true
	default:
		k.control = c
	}
}

// Promise changes the control; the start is judged by it anew.
func (k *Checker) Promise(at time.Duration, c *clock.Control) {
	k.advance(at)
	k.promise(c)
	for _, code := range []string{mismatch, noIncrement, swapped} {
		k.right(code, "another time control is in force")
	}
	k.gain = false
	for i := range k.sides {
		s := &k.sides[i]
		s.samples, s.period, s.offset = nil, 0, 0
	}
	if k.began != nil && !k.over {
		k.judgeStart(*k.began)
	}
}

// NewGame begins another game. The clock may show what the last one left, or run on
// from it: that is not judged.
func (k *Checker) NewGame(at time.Duration) {
	k.advance(at)
	old := k.game
	k.game = game{told: map[string]bool{}, stoodAt: k.now}
	k.fresh, k.odd = true, nil
	switch end := old.ended; {
	case !k.seen || !k.last.Connected:
	case k.last.Running:
		k.late, k.ranOn = true, true
	case !old.over && old.run, old.over && k.last.White <= end.White && k.last.Black <= end.Black:
		left := k.last.Reading
		k.left = &left
	}
}

// Result says that the game is over: what the clock does from now on is for the next.
func (k *Checker) Result(at time.Duration) {
	k.advance(at)
	if !k.over {
		k.over, k.ended, k.odd = true, k.last.Reading, nil
	}
}

// Given says that a game is taken up after so many moves of each player.
func (k *Checker) Given(white, black int) {
	k.sides[clock.White].presses, k.sides[clock.Black].presses = white, black
	k.run, k.late, k.unsure, k.fresh = true, true, true, true
}

// Outage says that the line was lost, or is back. Nothing is concluded from what
// lies between.
func (k *Checker) Outage(at time.Duration, up bool) {
	k.advance(at)
	k.doubt()
	k.device.doubt()
}

// doubt concludes nothing from what was seen last to what comes next.
func (k *Checker) doubt() {
	k.missed, k.odd = true, nil
	k.unsure = k.unsure || k.run
	for i := range k.sides {
		k.sides[i].clean = false
	}
}

// Moved says that a ply became known: it tells a clock that stands while the game
// goes on from one that an arbiter has stopped.
func (k *Checker) Moved(at time.Duration) {
	k.advance(at)
	k.moved = true
	if k.run && !k.over && k.seen && k.last.Connected && !k.last.Running && !k.missed {
		k.plies++
		k.playOn()
	}
}

// playOn tells of a clock that stands although the game goes on: two plies, or one
// and a lever that goes over and back.
func (k *Checker) playOn() {
	if (k.plies >= 2 || k.plies == 1 && k.levers >= 2) && !k.flag.told {
		k.once(stopped, "the clock stands, and the game goes on")
	}
}

// Advance lets time pass with nothing heard.
func (k *Checker) Advance(at time.Duration) { k.advance(at) }

func (k *Checker) advance(at time.Duration) {
	k.now = max(k.now, at)
	k.device.lasts(k)
	if k.seen && !k.missed {
		k.standing()
		k.flags()
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

// The codes of what is found.
const (
	none        = "clock.none"
	batteryLow  = "clock.battery_low"
	mismatch    = "clock.mismatch_time_control"
	noIncrement = "clock.no_increment"
	changed     = "clock.changed"
	swapped     = "clock.side_swapped"
	flagFallen  = "clock.flag"
	newPeriod   = "clock.period"
	stopped     = "clock.stopped"
)

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

// face writes a time as a clock shows it.
func face(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
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
