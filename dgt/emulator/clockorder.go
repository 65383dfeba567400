package emulator

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardd/dgt"
)

// parseClock reads an order about the clock or its troubles; nil if the name is
// that of another order.
func (p *orderParser) parseClock() func(*Hands) {
	switch p.name {
	case "press":
		if len(p.args) == 0 {
			return (*Hands).Press
		}
		side := oneOf(p, map[string]dgt.Side{"left": dgt.Left, "right": dgt.Right}, "left or right")
		return func(h *Hands) { h.PressSide(side) }
	case "button":
		k := oneOf(p, map[string]dgt.Button{
			"back": dgt.ButtonBack, "plus": dgt.ButtonPlus, "run": dgt.ButtonRun,
			"minus": dgt.ButtonMinus, "ok": dgt.ButtonOK,
		}, "back, plus, run, minus or ok")
		return func(h *Hands) { h.Button(k) }
	case "clock":
		in := oneOf(p, map[string]bool{"in": true, "out": false}, "in or out")
		return func(h *Hands) { h.board.PlugClock(in) }
	case "option":
		remote := oneOf(p, map[string]bool{"remote": true, "own": false}, "remote or own")
		return func(h *Hands) { h.board.SetRemote(remote) }
	case "battery":
		low := oneOf(p, map[string]bool{"low": true, "ok": false}, "low or ok")
		return func(h *Hands) { h.board.SetClockBattery(low) }
	case "adjust":
		left, right := p.clockTime(), p.clockTime()
		return func(h *Hands) {
			if !h.board.AdjustClock(left, right) && h.err == nil {
				h.err = fmt.Errorf("adjust: expected a clock that stands, it runs")
			}
		}
	case "fault":
		name := p.next()
		if name == "off" {
			return func(h *Hands) { h.board.SetFaults(Faults{}) }
		}
		value := p.next()
		if err := new(Faults).Set(name, value); err != nil && p.err == nil {
			p.err = fmt.Errorf("order %w", err)
		}
		return func(h *Hands) {
			f := h.board.config.Faults
			if err := f.Set(name, value); err == nil {
				h.board.SetFaults(f)
			}
		}
	case "fail":
		op := oneOf(p, map[string]dgt.ClockOp{
			"set-and-run": dgt.OpSetAndRun, "version": dgt.OpVersion, "beep": dgt.OpBeep,
			"display": dgt.OpDisplay, "ascii": dgt.OpASCII, "end-display": dgt.OpEndDisplay,
		}, "set-and-run, version, beep, display, ascii or end-display")
		result := oneOf(p, map[string]dgt.AckResult{"busy": dgt.AckBusy, "refused": dgt.AckRefused}, "busy or refused")
		n := 1
		if len(p.args) > 0 {
			word := p.next()
			var err error
			if n, err = strconv.Atoi(word); err != nil || n < 1 {
				p.expected("how many times", word)
			}
		}
		return func(h *Hands) { h.board.FailNext(op, result, n) }
	}
	return nil
}

// clockTime reads a time as clocks show it: h:mm:ss or m:ss.
func (p *orderParser) clockTime() time.Duration {
	word := p.next()
	parts := strings.Split(word, ":")
	total, ok := 0, len(parts) == 2 || len(parts) == 3
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		ok = ok && err == nil && n >= 0 && (n < 60 || i == 0 && len(parts) == 2 && n < 600)
		total = 60*total + n
	}
	d := time.Duration(total) * time.Second
	if !ok || d > dgt.MaxClock {
		p.expected("a time up to 9:59:59 such as 1:30:00 or 5:00", word)
	}
	return d
}
