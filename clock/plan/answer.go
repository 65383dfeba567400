package plan

import (
	"fmt"
	"time"

	"boardd/clock"
)

// Answered takes an acknowledgement. named is false for one that does not say which
// command it is about, as clocks send when commands overlap.
func (p *Plan) Answered(at time.Duration, k Kind, named bool, r Result) {
	p.now = max(p.now, at)
	if !p.flight.busy || named && k != p.flight.command.Kind || !named && r == OK {
		return // of an earlier try, repeated, or of another's command
	}
	switch {
	case r == OK:
		p.done()
	case r == NotNow && p.flight.command.Kind == SetAndRun:
		p.refuse()
	case r == NotNow:
		p.flight = flight{} // a clock without that command
	default:
		p.again(true, "it answers with an error")
	}
	p.send()
}

// done ends the flight well.
func (p *Plan) done() {
	if p.flight.tries > 1 {
		p.quiet = p.now + settle // the answer may be of the try before
	}
	c := p.flight.command
	p.flight = flight{}
	if c.Kind != SetAndRun {
		return
	}
	p.proof = proof{open: !p.shows(c), until: p.now + pathLag}
	if p.lost {
		p.lost = false
		p.find(clock.Finding{At: p.now, Code: "clock.set_failed", Detail: "the clock takes its times again", Cleared: true})
	}
	if p.refused {
		p.refused = false
		p.find(clock.Finding{At: p.now, Code: "clock.refused", Detail: "the clock lets itself be set", Cleared: true})
	}
	if p.state == Setting {
		p.state = Ready
		p.title()
	}
}

// title shows the table on a clock that takes texts, once it is set and known.
func (p *Plan) title() {
	if p.state == Ready && p.model == 2 && p.options.Table != "" && !p.titled {
		p.titled = true
		p.others = append(p.others, Command{Kind: Show, Text: p.options.Table})
	}
}

// again tries the flight's command once more, or gives it up: after three times
// without an answer, and five with an error, since a clock may be busy for a second.
func (p *Plan) again(answered bool, why string) {
	f := &p.flight
	switch tries := f.tries; {
	case tries < triesMax:
		p.launch(f.command)
		return
	case answered && tries < triesMax+len(rests):
		f.resting, f.until = true, p.now+rests[tries-triesMax]
		return
	}
	c := f.command
	p.flight = flight{}
	if c.Kind != SetAndRun {
		return // a sound or a text that did not come is nobody's trouble
	}
	if !p.lost {
		p.lost = true
		p.find(clock.Finding{At: p.now, Code: "clock.set_failed", Detail: fmt.Sprintf(
			"expected the clock to show White %s, Black %s, but %s", face(c.White), face(c.Black), why)})
	}
	if p.state == Setting {
		p.state = Failed
	}
}

// refuse ends the plan: the clock is not in remote mode.
func (p *Plan) refuse() {
	p.flight, p.due, p.others = flight{}, never, nil
	p.state = Refused
	if p.refused {
		return
	}
	p.refused = true
	p.find(clock.Finding{At: p.now, Code: "clock.refused", Detail: "the clock does not let itself be set: " + option(p.model)})
}

// option names the programme that has to be chosen at the clock by hand.
func option(model int) string {
	switch model {
	case 1:
		return "choose option 23 on the DGT XL, or set it by hand"
	case 2:
		return "choose option 25 on the DGT 3000, or set it by hand"
	}
	return "choose option 23 on a DGT XL, 25 on a DGT 3000, or set it by hand"
}

// Version takes the main number of the clock's version: 1 is the DGT XL, 2 the DGT 3000.
func (p *Plan) Version(at time.Duration, main int) {
	p.now = max(p.now, at)
	p.model = main
	p.title()
	p.send()
}

// NotRemote takes the clock's own word that it left remote mode.
func (p *Plan) NotRemote(at time.Duration) {
	p.now = max(p.now, at)
	if p.state != Refused && p.state != Idle {
		p.refuse()
	}
}

// Link notes that the line went away or came back. What was on its way is not sent
// again blindly: the next reading tells how things stand.
func (p *Plan) Link(at time.Duration, up bool) {
	p.now = max(p.now, at)
	p.down = !up
	if up {
		return
	}
	if p.flight.busy && p.flight.command.Kind == SetAndRun {
		p.owe(p.now)
	}
	p.flight, p.read, p.proof.open = flight{}, false, false
	p.missed = true
}

// Deaf is Link with the line down because it is busy with something else for a while:
// what is missed meanwhile is no news.
func (p *Plan) Deaf(at time.Duration) {
	p.Link(at, false)
	p.silent = true
}
