package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/plan"
)

// rig is a plan and a device on one line, and the true clocks by the presses.
type rig struct {
	t      *testing.T
	plan   *plan.Plan
	device *device
	truth  *clock.Count
	now    time.Duration
	found  []clock.Finding
	sent   []plan.Command
}

func newRig(t *testing.T, control string, l line, seed uint64) *rig {
	t.Helper()
	c := parse(t, control)
	p, err := plan.New(c, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := clock.NewCount(c)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, plan: p, device: newDevice(seed, l), truth: truth}
}

func parse(t *testing.T, text string) clock.Control {
	t.Helper()
	parsed, err := clock.Parse(text, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Control
}

const tick = 10 * time.Millisecond

// pass lets time go by: the plan is woken every 50 ms, as a table is.
func (r *rig) pass(d time.Duration) {
	const beat = 50 * time.Millisecond
	for end := r.now + d; r.now < end; {
		before := r.now
		r.now = min(r.now+tick, end)
		for _, o := range r.device.step(r.now) {
			if o.reading != nil {
				r.plan.Reading(r.now, *o.reading)
			} else {
				r.plan.Answered(r.now, o.kind, true, o.result)
			}
			r.take()
		}
		if r.now/beat != before/beat {
			r.plan.Advance(r.now)
			r.take()
		}
	}
}

func (r *rig) take() {
	commands, found := r.plan.Take()
	r.found = append(r.found, found...)
	for _, c := range commands {
		if r.device.owes() {
			r.t.Fatalf("at %v: a command while another is on its way or not answered", r.now)
		}
		r.sent = append(r.sent, c)
		r.device.command(c)
	}
}

// begin sets the clock and starts it.
func (r *rig) begin() {
	r.t.Helper()
	r.pass(time.Second)
	r.plan.Setup(r.now)
	r.take()
	for range 30 {
		if r.pass(time.Second); r.plan.State() == plan.Ready {
			break
		}
	}
	if r.plan.State() != plan.Ready {
		r.t.Fatalf("not set: %v; %v", r.plan.State(), r.found)
	}
	r.plan.Start(r.now)
	r.truth.Run(r.now, clock.White)
	r.take()
}

// codes are what was found, in short.
func (r *rig) codes() string {
	var list []string
	for _, f := range r.found {
		code := strings.TrimPrefix(f.Code, "clock.")
		if f.HasPlayer {
			code += ":" + f.Player.String()
		}
		if f.Cleared {
			code = "-" + code
		}
		list = append(list, code)
	}
	return strings.Join(list, " ")
}

// press has the player to move press after thinking so long, and tells how far the
// device and what it displays are from the truth then.
func (r *rig) press(think time.Duration) (off [2]time.Duration) {
	r.pass(think)
	for _, p := range clock.Players {
		off[p] = r.device.left[p] - r.truth.Face(r.now, p)
	}
	r.device.press()
	r.truth.Press(r.now)
	return off
}

func faces(r *rig) string {
	return fmt.Sprintf("%v %v", r.device.left[clock.White].Round(time.Second), r.device.left[clock.Black].Round(time.Second))
}

func contains(text, part string) bool { return strings.Contains(text, part) }
