package plan

import (
	"fmt"
	"time"

	"boardd/clock"
)

// queueMax bounds the sounds and texts that wait.
const queueMax = 8

// Setup puts the start times on the clock, standing, for a game that has not begun.
// White is to move.
func (p *Plan) Setup(at time.Duration) {
	p.now = max(p.now, at)
	count, err := clock.NewCount(p.control)
	if err != nil {
		return // New has seen the control
	}
	p.count, p.state, p.flagged, p.missed, p.odd = count, Setting, false, false, 0
	p.owe(p.now)
	p.send()
}

// Start starts the clock of the player to move, on the arbiter's sign.
func (p *Plan) Start(at time.Duration) {
	p.now = max(p.now, at)
	if p.state == Ready {
		if mover := p.count.ToMove(); p.reachable() && p.reading.ToMove != mover {
			// The device would change sides the wrong way with the first press.
			p.find(clock.Finding{At: p.now, Code: "clock.side_swapped", Detail: fmt.Sprintf(
				"expected the lever up on %s's side before the start, it is down: press the other side, which starts the clock", name(mover))})
			return
		}
		p.begin(p.count.ToMove())
		p.send()
		return
	}
	p.Resume(at)
}

// GoOn takes up a game that a plan ran before it was lost, after so many half-moves
// that were completed on the clock. The first reading tells the times.
func (p *Plan) GoOn(at time.Duration, halfMoves int) {
	p.now = max(p.now, at)
	p.count.Run(p.now, clock.White)
	for range halfMoves {
		p.count.Press(p.now)
	}
	p.state, p.missed, p.silent = Running, true, true
}

// Made notes that so many half-moves of the game are known. Soon after an outage that
// can be more than were seen on the clock; each gives its player what he is owed.
func (p *Plan) Made(at time.Duration, halfMoves int) {
	p.now = max(p.now, at)
	if p.now >= p.gapEnd || p.missed || p.state != Running && p.state != Paused {
		return
	}
	mover := p.count.ToMove()
	if (halfMoves%2 == 0) != (mover == clock.White) {
		halfMoves-- // the last has not been completed on the clock
	}
	known := p.count.Moves(clock.White) + p.count.Moves(clock.Black)
	for n := known; n < halfMoves; n++ {
		by := clock.White
		if p.count.Moves(clock.White) > p.count.Moves(clock.Black) {
			by = clock.Black
		}
		p.count.Made(p.now, by)
	}
	if known < halfMoves {
		p.owe(p.now)
		p.send()
	}
}

// Pause stops both clocks.
func (p *Plan) Pause(at time.Duration) {
	p.now = max(p.now, at)
	if p.state != Running {
		return
	}
	p.count.Stop(p.now + p.lag.estimate())
	p.state = Paused
	p.owe(p.now)
	p.send()
}

// Resume lets the clock run on that ran before the pause; where the lever was moved
// meanwhile, that of the player whose side is up.
func (p *Plan) Resume(at time.Duration) {
	p.now = max(p.now, at)
	if p.state != Paused {
		return
	}
	mover := p.count.ToMove()
	if p.reachable() {
		mover = p.reading.ToMove
	}
	p.count.Run(p.now+p.lag.estimate(), mover)
	p.state = Running
	p.owe(p.now)
	p.send()
}

// Add gives a player time, or takes it when d is negative.
func (p *Plan) Add(at time.Duration, to clock.Player, d time.Duration) {
	p.order(at, func() { p.count.Add(p.now, to, d) })
}

// SetTimes sets both times to what the arbiter says.
func (p *Plan) SetTimes(at, white, black time.Duration) {
	p.order(at, func() {
		p.count.Set(p.now+p.lag.estimate(), clock.White, white)
		p.count.Set(p.now+p.lag.estimate(), clock.Black, black)
	})
}

// SwapSides exchanges the two players' times.
func (p *Plan) SwapSides(at time.Duration) {
	p.order(at, func() { p.count.Swap(p.now + p.lag.estimate()) })
}

// order changes the reference and has the clock show it at once.
func (p *Plan) order(at time.Duration, change func()) {
	p.now = max(p.now, at)
	change()
	if p.flagged {
		p.flagged, p.state = false, Paused // the arbiter gives time after a flag: the game goes on
	}
	if p.state == Running {
		p.oweInPhase()
	} else {
		p.owe(p.now)
	}
	p.send()
}

// Result ends the game: both clocks stand.
func (p *Plan) Result(at time.Duration) {
	p.now = max(p.now, at)
	if p.state == Running {
		p.count.Stop(p.now)
		p.owe(p.now)
	}
	if p.Begun() {
		p.state = Over
	}
	p.send()
}

// Beep sounds the clock for n times 64 ms.
func (p *Plan) Beep(at time.Duration, n int) { p.other(at, Command{Kind: Beep, Beeps: n}) }

// Show shows a text of up to 8 characters on a DGT 3000, until EndShow.
func (p *Plan) Show(at time.Duration, text string) { p.other(at, Command{Kind: Show, Text: text}) }

// EndShow has the clock show its times again.
func (p *Plan) EndShow(at time.Duration) { p.other(at, Command{Kind: EndShow}) }

func (p *Plan) other(at time.Duration, c Command) {
	p.now = max(p.now, at)
	if len(p.others) < queueMax {
		p.others = append(p.others, c)
	}
	p.send()
}

// Button takes the start/stop button of the clock, which in remote mode only tells of
// itself: it starts the game, stops the clocks, and lets them run on.
func (p *Plan) Button(at time.Duration) {
	switch p.state {
	case Ready, Paused:
		p.Start(at)
	case Running:
		p.Pause(at)
	case Idle, Setting, Refused, Failed, Over:
	}
}
