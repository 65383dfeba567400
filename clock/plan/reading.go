package plan

import (
	"fmt"
	"time"

	"boardd/clock"
)

// Reading takes what the clock shows. A lever that went over is a press, or the sign
// to start.
func (p *Plan) Reading(at time.Duration, r clock.Reading) {
	p.now = max(p.now, at)
	was, had := p.reading, p.read
	p.reading, p.read = r, true
	if !r.Connected {
		p.unplugged()
		return
	}
	p.present(r)
	p.lag.heard(p.now, r)
	if c := p.flight.command; p.flight.busy && c.Kind == SetAndRun && !p.flight.resting && p.shows(c) && had && !same(was, c) {
		p.done() // it has been set, whatever becomes of the answer
		p.quiet = p.now + settle
	}
	if p.options.AsShown && p.state == Ready && !r.Running {
		p.count.Set(p.now, clock.White, r.White)
		p.count.Set(p.now, clock.Black, r.Black)
	}
	if p.proof.open && p.near(r) {
		p.proof.open = false
	}
	switch moved := had && was.Connected && was.ToMove != r.ToMove; {
	case p.missed && p.Begun() && p.state != Over:
		p.missed = false
		p.takeUp(r)
	case p.state == Ready && moved:
		p.begin(r.ToMove)
	case p.state == Running && moved:
		p.pressed(r.ToMove)
	case p.state == Running:
		p.compare(r)
	}
	p.flags(r)
	p.Advance(at)
}

// pressed is a move completed by the player whose lever went down. Levers show who
// is to move; two presses between two readings show as none, and the next reading's
// times tell.
func (p *Plan) pressed(toMove clock.Player) {
	if mover, runs := p.count.Running(); !runs || mover == toMove {
		return
	}
	moves := p.count.Period(p.count.ToMove())
	given, _ := p.count.Press(p.now)
	by := toMove.Other()
	if p.count.Period(by) != moves {
		p.find(clock.About(p.now, "clock.period", by, fmt.Sprintf("%s has completed the period; the next one is on the clock: %s",
			name(by), face(p.count.Left(p.now, by)))))
	}
	crossed := p.setAt > 0 && p.now-p.setAt < p.lag.estimate()+crossing
	if given != 0 || crossed || p.count.Face(p.now, toMove) != p.count.Left(p.now, toMove) {
		p.oweInPhase()
	}
}

// begin starts the game: on the arbiter's sign with the player to move, on the
// lever's with the player whose side went up. When that is Black, White has made his
// first move already.
func (p *Plan) begin(mover clock.Player) {
	p.state = Running
	if p.titled {
		p.titled = false
		p.others = append(p.others, Command{Kind: EndShow})
	}
	p.count.Run(p.now+p.lag.estimate(), p.count.ToMove())
	if mover != p.count.ToMove() {
		p.count.Press(p.now)
	}
	p.owe(p.now)
}

// present notes a clock that is there again, and its battery.
func (p *Plan) present(r clock.Reading) {
	if p.gone {
		p.gone, p.came = false, p.now
		p.find(clock.Finding{At: p.now, Code: "clock.none", Detail: "a clock is connected again", Cleared: true})
		p.restore()
	}
	if r.BatteryLow != p.battery {
		p.battery = r.BatteryLow
		p.find(clock.Finding{At: p.now, Code: "clock.battery_low", Detail: "the battery of the clock is low", Cleared: !r.BatteryLow})
	}
}

// restore has the times put on a clock that was without power: those of the start, or
// where the game stood when the clock went.
func (p *Plan) restore() {
	switch p.state {
	case Idle, Refused, Over:
	case Setting, Ready, Failed:
		p.Setup(p.now)
	case Running, Paused:
		p.state = Paused
		p.find(clock.Finding{At: p.now, Code: "clock.changed", Detail: fmt.Sprintf(
			"the clock was away; it is set to White %s, Black %s and stands", face(p.count.Left(p.now, clock.White)), face(p.count.Left(p.now, clock.Black)))})
		p.owe(p.now)
	}
}

// unplugged notes that there is no clock. Nobody's time runs then.
func (p *Plan) unplugged() {
	if p.state == Running {
		p.count.Stop(p.now)
	}
	p.flight, p.proof.open = flight{}, false
	if !p.gone {
		p.gone = true
		p.find(clock.Finding{At: p.now, Code: "clock.none", Detail: "no clock is connected"})
	}
}

// Ready takes the clock's own word that it was switched on: it has lost its times.
func (p *Plan) Ready(at time.Duration) {
	p.now = max(p.now, at)
	if p.gone || p.came > 0 && p.now-p.came < readyLag {
		return // the reading tells, or has told
	}
	p.flight, p.proof.open = flight{}, false
	if p.state == Running {
		p.count.Stop(p.now)
	}
	p.restore()
	p.send()
}

// takeUp goes on after readings were missed: the device has counted meanwhile, and
// is believed.
func (p *Plan) takeUp(r clock.Reading) {
	silent := p.silent
	p.silent, p.gapEnd = false, p.now+gapTime
	switch {
	case silent:
		p.adopt(r)
		if !r.Running {
			p.state = Paused
			p.count.Stop(p.now)
		}
		return
	case p.state != Running || p.near(r) && p.count.ToMove() == r.ToMove:
		return
	}
	p.find(clock.Finding{At: p.now, Code: "clock.changed", Detail: fmt.Sprintf(
		"after the outage the clock shows White %s, Black %s, which is taken as right; increments are added for the moves that are found to have been made meanwhile",
		face(r.White), face(r.Black))})
	p.adopt(r)
}

// adopt takes what the device shows for the reference.
func (p *Plan) adopt(r clock.Reading) {
	p.count.Set(p.now, clock.White, r.White)
	p.count.Set(p.now, clock.Black, r.Black)
	p.count.Stop(p.now)
	p.count.Run(p.now, r.ToMove)
	p.due = never
}

// compare looks whether the device runs as it should. A difference that stays means
// that somebody has changed the times at the clock; they are the arbiter's then.
func (p *Plan) compare(r clock.Reading) {
	if p.flight.busy || p.proof.open || p.due != never || p.lost || p.near(r) {
		p.odd = 0
		return
	}
	if p.odd++; p.odd < oddMax {
		return
	}
	p.odd = 0
	if !r.Running {
		p.state = Paused
		p.count.Stop(p.now)
	}
	p.find(clock.Finding{At: p.now, Code: "clock.changed", Detail: fmt.Sprintf("expected White %s, Black %s, the clock shows White %s, Black %s, which is taken as right",
		face(p.count.Left(p.now, clock.White)), face(p.count.Left(p.now, clock.Black)), face(r.White), face(r.Black))})
	p.count.Set(p.now, clock.White, r.White)
	p.count.Set(p.now, clock.Black, r.Black)
}

// oddMax is how many readings in a row have to contradict the reference.
const oddMax = 3

// near reports whether a reading may be that of the reference.
func (p *Plan) near(r clock.Reading) bool {
	for _, of := range clock.Players {
		if (r.Face(of) - p.count.Face(p.now, of)).Abs() > apart {
			return false
		}
	}
	return true
}

// shows reports whether the clock has the times of a command: the running one may
// have counted since.
func (p *Plan) shows(c Command) bool { return p.read && p.reading.Connected && same(p.reading, c) }

func same(r clock.Reading, c Command) bool {
	const counted = 2 * time.Second
	white, black := c.White-r.White, c.Black-r.Black
	ok := func(d time.Duration, runs bool) bool { return d == 0 || runs && d > 0 && d <= counted }
	return ok(white, c.Run == RunsWhite) && ok(black, c.Run == RunsBlack)
}

// flags tells of a flag that has fallen: the device blocks, and so does the plan.
func (p *Plan) flags(r clock.Reading) {
	if p.flagged || !p.Begun() {
		return
	}
	for _, of := range clock.Players {
		switch {
		case !r.Flag(of):
			continue
		case p.count.Left(p.now, of) > apart:
			if !r.Running && !p.flight.busy { // it blocks too early: it never got its times
				p.owe(p.now)
			}
			continue
		}
		p.flagged, p.state, p.due = true, Over, never
		p.count.Stop(p.now)
		p.find(clock.About(p.now, "clock.flag", of, fmt.Sprintf("%s's flag has fallen; %s has %s", name(of), name(of.Other()), face(r.Face(of.Other())))))
		return
	}
}

// name is how an arbiter names a player.
func name(p clock.Player) string {
	if p == clock.White {
		return "White"
	}
	return "Black"
}

// Shown is a reading as the game has it: while boardd runs the clock, the reference in
// whole seconds, with what is owed and not yet on the display.
func (p *Plan) Shown(at time.Duration, r clock.Reading) clock.Reading {
	if p.state != Running && p.state != Paused || !r.Connected || p.missed {
		return r
	}
	r.White, r.Black = roundUp(p.count.Left(at, clock.White)), roundUp(p.count.Left(at, clock.Black))
	return r
}
