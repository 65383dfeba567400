package plan

import (
	"fmt"
	"time"

	"boardd/clock"
)

// Constants of the talk with a clock (protocol sheet 5.1, 5.3).
const (
	answerTime = 2 * time.Second        // an answer takes 0.1 to 1 s
	triesMax   = 3                      // of one command, as fast as the line allows
	settle     = 450 * time.Millisecond // after an answer that may be of an earlier try
	pathLag    = 1500 * time.Millisecond
	// crossing is how long, beside the lag of readings, a command may be on its way: a
	// press in that time has crossed it, and the device counts the wrong side.
	crossing   = 700 * time.Millisecond
	inPhaseMax = 500 * time.Millisecond // how long what is owed waits for a whole second
	// periodLead is how long before zero a next period is begun: the device would
	// block at zero.
	periodLead = time.Second
	// apart is how far device and reference may be from one another: less than a
	// second by rounding, a second by the path's lag.
	apart = 2500 * time.Millisecond
	// gapTime is how long after an outage moves made meanwhile may be found: a board takes
	// 8 s to tell its log.
	gapTime = 30 * time.Second
	// readyLag is how much later than its first reading a clock may say that it was
	// switched on.
	readyLag = 3 * time.Second
)

// rests are what a clock that answers with errors is given before further tries.
var rests = [...]time.Duration{500 * time.Millisecond, time.Second}

// State is how far a plan has come.
type State uint8

// The states.
const (
	Idle    State = iota // no order yet
	Setting              // the start times are on their way
	Ready                // set, and waiting for the start
	Running
	Paused
	Refused // the clock does not let itself be set; only a new order changes that
	Failed  // the start times could not be set; only a new order changes that
	Over    // the result is known, or a flag has fallen
)

// String names the state.
func (s State) String() string {
	return [...]string{"idle", "setting", "ready", "running", "paused", "refused", "failed", "over"}[s&7]
}

// Options are what an event may want.
type Options struct {
	// Table is shown on a DGT 3000 before the game, up to 8 characters; "" for nothing.
	Table string
	// AsShown says that nobody knows the start times: they are what the clock shows
	// before the game.
	AsShown bool
}

// Plan runs one clock for one game. It is not safe for concurrent use.
type Plan struct {
	options Options
	control clock.Control
	count   *clock.Count
	state   State
	now     time.Duration

	reading clock.Reading
	read    bool
	model   int // main number of the version; 0 unknown, 1 XL, 2 DGT 3000
	down    bool
	missed  bool          // readings were, and perhaps presses
	silent  bool          // ... which is no news: the next reading is taken as it is
	gapEnd  time.Duration // until then moves may be found to have been made unseen

	due    time.Duration // when the times have to be sent; never if they need not
	since  time.Duration // when that which is due was first owed
	others []Command     // that wait for their turn
	flight flight
	quiet  time.Duration // nothing is sent before
	setAt  time.Duration // when times were sent last
	proof  proof         // that the last setting reached the clock
	lag    lag

	lost    bool          // setting failed, told
	titled  bool          // the table is on the display
	refused bool          // told
	gone    bool          // no clock, told
	came    time.Duration // when a clock was there again
	battery bool          // low, told
	flagged bool          // told
	odd     int           // readings in a row that contradict the reference

	out   []Command
	found []clock.Finding
}

// never is a time that does not come.
const never = time.Duration(1<<63 - 1)

// flight is the command whose answer is owed, or that rests before it is sent again.
type flight struct {
	command Command
	busy    bool
	resting bool
	until   time.Duration // of the wait for an answer, or of the rest
	tries   int
}

// proof is a setting that was acknowledged and has not been seen on the display.
type proof struct {
	open  bool
	until time.Duration
}

// New is a plan for a game by that control. The error is that of [clock.Control.Remote].
func New(c clock.Control, o Options) (*Plan, error) {
	if err := c.Remote(); err != nil {
		return nil, err
	}
	count, err := clock.NewCount(c)
	if err != nil {
		return nil, err
	}
	return &Plan{options: o, control: c, count: count, due: never}, nil
}

// State is how far it has come.
func (p *Plan) State() State { return p.state }

// Begun reports whether the game has been started.
func (p *Plan) Begun() bool { return p.state == Running || p.state == Paused || p.state == Over }

// Count is the reference. It is the plan's own: read it only.
func (p *Plan) Count() *clock.Count { return p.count }

// Take returns what is to be sent and what was found out since the last call.
func (p *Plan) Take() (commands []Command, findings []clock.Finding) {
	commands, findings = p.out, p.found
	p.out, p.found = nil, nil
	return commands, findings
}

// Advance lets time pass and sends what has become due. It has to be called every 50 ms
// or so while a clock runs.
func (p *Plan) Advance(at time.Duration) {
	p.now = max(p.now, at)
	if left, ends := p.count.ToNextPeriod(p.now); ends && left <= periodLead {
		p.period()
	}
	switch f := &p.flight; {
	case !f.busy || p.now < f.until:
	case f.resting:
		p.launch(f.command)
	default:
		p.again(false, "it does not answer")
	}
	if p.proof.open && p.now >= p.proof.until {
		p.proof.open = false
		p.owe(p.now)
	}
	p.send()
}

// owe has the times sent at that moment, or when they are due already.
func (p *Plan) owe(at time.Duration) {
	if p.due == never {
		p.since = p.now
	}
	p.due = min(p.due, at)
}

// oweInPhase has them sent when the running face crosses a whole second, if it soon
// does.
func (p *Plan) oweInPhase() {
	since := p.now
	if p.due != never {
		since = p.since
	}
	wait := p.ahead(p.count.ToMove()) % time.Second
	if wait > inPhaseMax {
		wait = 0
	}
	p.due, p.since = min(p.now+wait, since+inPhaseMax), since
}

// ahead is what a player's face has to show at this moment. The reference is behind by
// the lag of the readings: it has each press when its message comes.
func (p *Plan) ahead(of clock.Player) time.Duration {
	peek := *p.count
	return peek.Face(p.now+p.lag.estimate(), of)
}

// period begins the next period for both a moment before the device is at zero.
func (p *Plan) period() {
	p.count.NextPeriod()
	p.find(clock.Finding{At: p.now, Code: "clock.period", Detail: fmt.Sprintf("the next period has begun for both: White %s, Black %s",
		face(p.count.Left(p.now, clock.White)), face(p.count.Left(p.now, clock.Black)))})
	p.owe(p.now)
}

func (p *Plan) find(f clock.Finding) { p.found = append(p.found, f) }

// send sends one command if the line is free and something is due.
func (p *Plan) send() {
	if p.flight.busy || p.down || !p.reachable() || p.now < p.quiet {
		return
	}
	switch {
	case p.due <= p.now && p.state != Refused && p.state != Failed && p.state != Idle:
		p.launch(Command{Kind: SetAndRun})
	case len(p.others) > 0:
		c := p.others[0]
		p.others = append(p.others[:0], p.others[1:]...)
		p.launch(c)
	}
}

// reachable reports whether there is a clock to talk to.
func (p *Plan) reachable() bool { return p.read && p.reading.Connected }

// launch sends a command; it may be one that was sent before.
func (p *Plan) launch(c Command) {
	if c.Kind == SetAndRun {
		c = p.times() // the clock has run on meanwhile
		p.due = never
	}
	if p.lag.sent(p.now, c); c.Kind == SetAndRun {
		p.setAt = p.now
	}
	p.flight = flight{command: c, busy: true, until: p.now + answerTime, tries: p.flight.tries + 1}
	p.out = append(p.out, c)
}

// times is the command that puts the reference on the display.
func (p *Plan) times() Command {
	c := Command{Kind: SetAndRun, White: p.onDisplay(clock.White), Black: p.onDisplay(clock.Black), Toggle: true}
	if mover, runs := p.count.Running(); runs {
		c.Run = RunsWhite
		if mover == clock.Black {
			c.Run = RunsBlack
		}
	}
	if p.state == Over {
		c.Toggle = false
	}
	return c
}

// inPhase is how far past a whole second a face still counts as on it: Advance
// comes a little late, never early.
const inPhase = 20 * time.Millisecond

// unsure is how well a face that stands is known: the lag of the line is measured,
// not told. So much past a whole second is no second of its own.
const unsure = 60 * time.Millisecond

// onDisplay is the whole second a player's face is set to.
func (p *Plan) onDisplay(of clock.Player) time.Duration {
	d := p.ahead(of)
	if mover, runs := p.count.Running(); runs && mover == of {
		d -= inPhase
	} else {
		d -= unsure
	}
	return min(roundUp(max(0, d)), 9*time.Hour+59*time.Minute+59*time.Second)
}

func roundUp(d time.Duration) time.Duration { return (d + time.Second - 1).Truncate(time.Second) }

// face writes a time as a clock shows it.
func face(d time.Duration) string {
	s := int(roundUp(d) / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
