package check_test

import (
	"strings"
	"testing"
	"time"

	"boardd/clock"
	"boardd/clock/check"
)

// machine is a clock with a programme of its own, exact to 10 ms, that reports as a
// real one does: once for each change of what it shows, on its way for up to 0.65 s,
// and never out of order.
type machine struct {
	check   *check.Checker
	set     clock.Control // its programme, which may be another than is promised
	left    [2]time.Duration
	begun   [2]time.Duration // left when the turn began
	grace   time.Duration    // delay that is still to be used up
	period  [2]int
	made    [2]int
	toMove  clock.Player
	running bool
	byMoves bool // its move counter begins the periods, else zero does
	battery bool

	at, told time.Duration
	lag      func() time.Duration
	bend     func(*clock.Reading) // what the line does to the next report
	lose     func() bool          // whether the line loses a report
	shown    clock.Reading
	found    []clock.Finding
}

const grain = 10 * time.Millisecond

func newMachine(promised *clock.Control, set clock.Control) *machine {
	m := &machine{check: check.New(promised), set: set, lag: func() time.Duration { return 200 * time.Millisecond }}
	m.left[clock.White], m.left[clock.Black] = set.Start()
	m.report()
	return m
}

func (m *machine) periods(p clock.Player) []clock.Period {
	if p == clock.Black {
		return m.set.Black
	}
	return m.set.White
}

// now is the period a player plays.
func (m *machine) now(p clock.Player) clock.Period {
	all := m.periods(p)
	return all[min(m.period[p], len(all)-1)]
}

func (m *machine) reading() clock.Reading {
	face := func(p clock.Player) time.Duration { return (m.left[p] + time.Second - grain).Truncate(time.Second) }
	r := clock.Reading{White: face(clock.White), Black: face(clock.Black), Running: m.running, ToMove: m.toMove, Connected: true, BatteryLow: m.battery}
	r.WhiteFlag, r.BlackFlag = m.left[clock.White] == 0 && !m.running, m.left[clock.Black] == 0 && !m.running
	return r
}

func (m *machine) report() {
	r := m.reading()
	if r == m.shown {
		return
	}
	m.shown = r
	m.told = max(m.told, m.at+m.lag())
	if m.lose != nil && m.lose() {
		return
	}
	if m.bend != nil {
		m.bend(&r)
		m.bend = nil
	}
	m.check.Reading(m.told, r)
	m.take()
}

func (m *machine) take() { m.found = append(m.found, m.check.Take()...) }

// wait lets time pass.
func (m *machine) wait(d time.Duration) {
	for end := m.at + d; m.at < end; {
		m.at += grain
		if m.at%time.Second == 0 && m.at > m.told {
			m.check.Advance(m.at)
			m.take()
		}
		p := m.toMove
		switch {
		case !m.running:
		case m.grace > 0:
			m.grace -= grain
		default:
			m.left[p] -= grain
			if m.left[p] <= 0 {
				m.zero(p)
			}
			m.report()
		}
	}
}

// zero is what happens when the time of p is used up: the next period for both, or
// the flag.
func (m *machine) zero(p clock.Player) {
	m.left[p] = 0
	if m.period[p]+1 >= len(m.periods(p)) {
		m.running = false
		return
	}
	at := m.period[p]
	for _, q := range clock.Players {
		if m.period[q] == at {
			m.period[q]++
			m.left[q] += m.now(q).Base
		}
	}
}

func (m *machine) start() { m.running = true; m.turn(); m.report() }
func (m *machine) stop()  { m.running = false; m.report() }

func (m *machine) turn() {
	m.begun[m.toMove] = m.left[m.toMove]
	if p := m.now(m.toMove); p.Kind == clock.Delay && m.promisedMove(p, m.made[m.toMove]+1) {
		m.grace = p.Bonus
	} else {
		m.grace = 0
	}
}

func (m *machine) promisedMove(p clock.Period, move int) bool { return p.From <= move }

// press ends the move of the player whose side is up.
func (m *machine) press() {
	p := m.toMove
	if m.running {
		m.made[p]++
		switch now := m.now(p); {
		case !m.promisedMove(now, m.made[p]+1) && now.Kind == clock.Fischer, !m.promisedMove(now, m.made[p]):
		case now.Kind == clock.Fischer:
			m.left[p] += now.Bonus
		case now.Kind == clock.Bronstein:
			m.left[p] += min(now.Bonus, m.begun[p]-m.left[p])
		}
		if now := m.now(p); m.byMoves && now.Moves > 0 && m.period[p]+1 < len(m.periods(p)) && m.made[p] == m.needed(p) {
			m.period[p]++
			m.left[p] += m.now(p).Base
		}
	}
	m.toMove = p.Other()
	if m.running {
		m.turn()
	}
	m.report()
}

// needed is how many moves complete the period of p.
func (m *machine) needed(p clock.Player) (n int) {
	for i := 0; i <= m.period[p]; i++ {
		n += m.periods(p)[i].Moves
	}
	return n
}

// moves are n moves of each player, who think so long.
func (m *machine) moves(n int, think time.Duration) {
	for range 2 * n {
		m.wait(think)
		m.press()
	}
}

// add is a hand that gives or takes time.
func (m *machine) add(p clock.Player, d time.Duration) {
	m.left[p] = max(0, m.left[p]+d)
	m.report()
}

// codes are what was found: code, player, "-" where it was taken back.
func codesOf(found []clock.Finding) string {
	var list []string
	for _, f := range found {
		code := strings.TrimPrefix(f.Code, "clock.")
		if f.HasPlayer {
			code += ":" + f.Player.String()[:1]
		}
		if f.Cleared {
			code = "-" + code
		}
		list = append(list, code)
	}
	return strings.Join(list, " ")
}

func (m *machine) want(t *testing.T, codes string) {
	t.Helper()
	m.take()
	if got := codesOf(m.found); got != codes {
		t.Errorf("found %q, want %q", got, codes)
		for _, f := range m.found {
			t.Logf("%v %s: %s", f.At, f.Code, f.Detail)
		}
	}
}
