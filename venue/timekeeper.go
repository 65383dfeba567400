package venue

import (
	"errors"
	"time"

	"boardd/clock"
	"boardd/clock/check"
	"boardd/clock/plan"
	"boardd/dgt"
)

// timekeeper is what a table does about its clock beyond reading it. While it has
// a plan the clock runs by boardd's reckoning; else it runs a programme of its own
// and is checked. It speaks of players: the table knows which side of the device is
// whose.
type timekeeper struct {
	controls Controls
	chosen   *clock.Control // one of them
	checker  *check.Checker
	plan     *plan.Plan // nil: the clock is set by hand
	wanted   *setting   // an order to set it, until there is a clock
	soft     bool       // the plan is given up when the clock refuses
	table    string     // what a DGT 3000 shows before the game

	reading clock.Reading // the last one
	read    bool          // there was one of a clock
	ran     bool          // it has run in this game
	version dgt.ClockVersion
	refused bool // told that the clock does not let itself be set

	at       time.Duration
	findings []clock.Finding
}

// setting is an order to set the clock. A soft one leaves a clock that refuses to people.
type setting struct{ soft bool }

// Why the clock is not moved.
var (
	errByHand = errors.New("the clock is not set by boardd: the arbiter does it at the clock")
	errBegun  = errors.New("the game has begun: add time, or set the times")
)

func newTimekeeper(c Controls, onClock string) timekeeper {
	k := timekeeper{controls: c, table: onClock}
	k.chosen = c.best(clock.Reading{})
	k.checker = check.New(k.chosen)
	return k
}

// control is the time control of the game, as far as it is known; nil if it is not.
func (k *timekeeper) control() *clock.Control { return k.chosen }

// choose takes of several controls the one that the clock is set for, before it has
// run.
func (k *timekeeper) choose(at time.Duration) {
	chosen := k.controls.best(k.reading)
	if chosen == k.chosen {
		return
	}
	k.chosen = chosen
	k.checker.Promise(at, chosen)
}

// promise says by which control the game is played from now on.
func (k *timekeeper) promise(at time.Duration, c Controls) {
	k.controls, k.chosen = c, nil
	k.choose(at)
	if k.chosen == nil {
		k.checker.Promise(at, nil)
	}
}

// set has boardd set the clock as soon as it may: by the control, or where nobody said
// any, to what it shows.
func (k *timekeeper) set(s setting) error {
	if c := k.control(); c != nil {
		if err := c.Remote(); err != nil {
			return err
		}
	}
	k.wanted = &s
	return nil
}

// setNow carries out an order to set the clock. A clock that runs is never set for it:
// somebody has begun without boardd. A soft order waits until the board shows the array,
// so that nobody's game in progress gets new times.
func (k *timekeeper) setNow(at time.Duration, array bool) error {
	switch {
	case k.wanted == nil || !k.read:
		return nil
	case k.reading.Running && !k.wanted.soft:
		k.wanted = nil
		return errBegun
	case k.reading.Running:
		k.wanted = nil
		return nil
	case k.wanted.soft && !array:
		return nil
	}
	soft := k.wanted.soft
	k.wanted = nil
	c := k.control()
	if c == nil {
		c = shown(k.reading)
	}
	p, err := plan.New(*c, plan.Options{Table: k.table, AsShown: len(k.controls) == 0})
	if err != nil {
		return err
	}
	k.plan, k.soft = p, soft
	p.Version(at, int(k.version.Main))
	p.Reading(at, k.reading)
	p.Setup(at)
	return nil
}

// goOn has boardd run the clock on that it ran before it was stopped, after so many
// half-moves that were completed on the clock.
func (k *timekeeper) goOn(at time.Duration, halfMoves int, soft bool) {
	c := k.control()
	if c == nil {
		return
	}
	p, err := plan.New(*c, plan.Options{})
	if err != nil {
		return // it could not be run before either
	}
	k.plan, k.soft = p, soft
	p.GoOn(at, halfMoves)
}

// known notes how many half-moves the record has.
func (k *timekeeper) known(at time.Duration, halfMoves int) {
	if k.plan != nil {
		k.plan.Made(at, halfMoves)
	}
}

// shown is the control of a clock of which nobody knows more than what it shows.
func shown(r clock.Reading) *clock.Control {
	period := func(base time.Duration) []clock.Period { return []clock.Period{{Base: base}} }
	return &clock.Control{White: period(r.White), Black: period(r.Black)}
}

// hear takes a reading and returns it as the game has it: with what boardd owes a
// player and the display does not show yet.
func (k *timekeeper) hear(at time.Duration, r clock.Reading) clock.Reading {
	came := r.Connected && !k.read
	k.reading, k.read = r, r.Connected
	if r.Connected && k.plan == nil && (came || !k.ran) {
		k.choose(at)
	}
	k.ran = k.ran || r.Connected && r.Running
	if k.plan == nil {
		k.checker.Reading(at, r)
		return r
	}
	k.plan.Reading(at, r)
	return k.plan.Shown(at, r)
}

// answered takes what the clock says beside its times.
func (k *timekeeper) answered(at time.Duration, a *dgt.ClockAck) {
	if v, ok := a.Version(); ok {
		k.version = v
		if k.plan != nil {
			k.plan.Version(at, int(v.Main))
		}
	}
	if k.plan == nil {
		return
	}
	if r, unasked := a.Report(); unasked {
		switch r {
		case dgt.ReportReady:
			k.plan.Ready(at)
		case dgt.ReportNotInMode:
			k.plan.NotRemote(at)
		case dgt.ReportButton:
			if b, _, ok := a.Button(); ok && b == dgt.ButtonRun {
				k.plan.Button(at)
			}
		case dgt.ReportMode:
			// Which option it names is uncertain in every source; a refusal tells surely.
		}
		return
	}
	op, _ := a.Op()
	kind, known := kinds[op]
	if known || op == dgt.OpNone {
		k.plan.Answered(at, kind, known, verdict(a.Result()))
	}
}

// kinds are the plan's words for what an answer is about.
var kinds = map[dgt.ClockOp]plan.Kind{dgt.OpSetAndRun: plan.SetAndRun, dgt.OpBeep: plan.Beep, dgt.OpASCII: plan.Show, dgt.OpEndDisplay: plan.EndShow}

func verdict(r dgt.AckResult) plan.Result {
	switch r {
	case dgt.AckOK:
		return plan.OK
	case dgt.AckBusy:
		return plan.Busy
	case dgt.AckRefused:
		return plan.NotNow
	}
	return plan.Broken
}

// link notes that the board went away or came back.
func (k *timekeeper) link(at time.Duration, up bool) {
	if k.plan != nil {
		k.plan.Link(at, up)
		return
	}
	k.checker.Outage(at, up)
}

// deaf notes that the line is busy with something else, until link says it is up.
func (k *timekeeper) deaf(at time.Duration) {
	if k.plan != nil {
		k.plan.Deaf(at)
		return
	}
	k.checker.Outage(at, false)
}

func (k *timekeeper) advance(at time.Duration) {
	k.at = at
	if k.plan != nil {
		k.plan.Advance(at)
		return
	}
	k.checker.Advance(at)
}

// turned has the clock set again: what was White's side is Black's.
func (k *timekeeper) turned(at time.Duration) {
	if k.plan != nil && !k.plan.Begun() {
		k.plan.Setup(at)
	}
}

// moved notes a ply in the record.
func (k *timekeeper) moved(at time.Duration) {
	if k.plan == nil {
		k.checker.Moved(at)
	}
}

// result notes that the game is over, or goes on after all.
func (k *timekeeper) result(at time.Duration, over bool) {
	switch {
	case !over:
	case k.plan != nil:
		k.plan.Result(at)
	default:
		k.checker.Result(at)
	}
}

// newGame begins another game by the same control; a clock that boardd ran is
// set anew only by a new order.
func (k *timekeeper) newGame(at time.Duration) {
	k.ran = k.read && k.reading.Running
	if k.plan != nil {
		k.byHand(at)
	}
	k.checker.NewGame(at)
}

// byHand leaves the clock to people, and checks it from now on.
func (k *timekeeper) byHand(at time.Duration) {
	k.plan = nil
	k.checker = check.New(k.control())
	if k.read {
		k.checker.Reading(at, k.reading)
	}
}

func (k *timekeeper) find(f clock.Finding) { k.findings = append(k.findings, f) }

// take returns what was found out and what is to be sent since the last call.
// A clock that refuses to be set is told of once, whatever games follow.
func (k *timekeeper) take() (found []clock.Finding, commands []plan.Command) {
	if k.plan == nil {
		k.findings = append(k.findings, k.checker.Take()...)
	} else {
		var more []clock.Finding
		commands, more = k.plan.Take()
		k.findings = append(k.findings, more...)
		switch state := k.plan.State(); {
		case state == plan.Refused && k.soft:
			k.byHand(k.at)
		case state == plan.Ready && k.refused:
			k.find(clock.Finding{At: k.at, Code: "clock.refused", Detail: "the clock lets itself be set", Cleared: true})
		}
	}
	for _, f := range k.findings {
		switch f.Code {
		case "clock.none":
			if !f.Cleared {
				continue // the tracker tells it, but not that it is over
			}
		case "clock.refused":
			if k.refused == !f.Cleared {
				continue
			}
			k.refused = !f.Cleared
		}
		found = append(found, f)
	}
	k.findings = k.findings[:0]
	return found, commands
}
