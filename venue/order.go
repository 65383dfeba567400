package venue

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/broadcast/arbiter"
	"boardd/clock"
	"boardd/dgt"
	"boardd/rules"
)

// ErrOrder is wrapped by the error about an order that cannot be obeyed.
var ErrOrder = fmt.Errorf("%w: order", arbiter.ErrNotPossible)

// orders are what a person may have a table do, in the words of a tape. An order
// whose error is not nil has changed nothing.
var orders = map[string]func(t *Table, at time.Duration, rest string) error{
	"clock-side":  orderClockSide,
	"result":      orderResult,
	"newgame":     orderNewGame,
	"restart":     func(t *Table, at time.Duration, _ string) error { t.Restart(at); return nil },
	"end":         func(t *Table, at time.Duration, _ string) error { t.Finish(at); return nil },
	"tc":          orderTimeControl,
	"set-clock":   orderSetClock,
	"start-clock": func(t *Table, at time.Duration, _ string) error { return t.StartClock(at) },
	"pause":       func(t *Table, at time.Duration, _ string) error { return t.PauseClock(at) },
	"resume":      func(t *Table, at time.Duration, _ string) error { return t.ResumeClock(at) },
	"add-time":    orderAddTime,
	"set-times":   orderSetTimes,
	"swap-clock":  func(t *Table, at time.Duration, _ string) error { return t.SwapClock(at) },
	"claim":       orderClaim,
	"ruling":      orderRuling,
	"late":        orderLate,
	"beep":        func(t *Table, at time.Duration, _ string) error { return t.Beep(at) },
}

// Order carries out an order: a word of the table above and what belongs to it.
// The error wraps ErrOrder; nothing has changed then.
func (t *Table) Order(at time.Duration, text string) error {
	verb, rest, _ := strings.Cut(text, " ")
	obey, known := orders[verb]
	if !known {
		return fmt.Errorf("%w: expected one of %s, got %q", ErrOrder, strings.Join(slices.Sorted(maps.Keys(orders)), ", "), verb)
	}
	if err := obey(t, at, strings.TrimSpace(rest)); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrOrder, verb, err)
	}
	return nil
}

func orderClockSide(t *Table, at time.Duration, rest string) error {
	side, err := ParseSide(rest)
	if err == nil {
		t.ClockSide(at, side)
	}
	return err
}

// orderResult is "result R", or "result R with-consent" for a draw that the arbiter
// agrees to though the event lets nobody offer one (Laws 9.1.1).
func orderResult(t *Table, at time.Duration, rest string) error {
	text, consent := strings.CutSuffix(rest, " with-consent")
	r, err := rules.ParseResult(text)
	if err == nil {
		t.referee.consent = consent
		t.Result(at, r)
	}
	return err
}

func orderNewGame(t *Table, at time.Duration, rest string) error {
	start := rules.Start()
	if rest != "" && rest != "startpos" {
		var err error
		if start, err = rules.ParseFEN(rest); err != nil {
			return err
		}
	}
	t.NewGame(at, start)
	return nil
}

func orderTimeControl(t *Table, at time.Duration, rest string) error {
	c, err := readControl(rest, clock.People, clock.PGN)
	if err == nil {
		t.TimeControl(at, c)
	}
	return err
}

// orderSetClock has the clock set: strictly, or as far as it lets itself be set.
func orderSetClock(t *Table, at time.Duration, rest string) error {
	switch rest {
	case "", ClockSet:
		return t.SetClock(at, false)
	case ClockAuto:
		return t.SetClock(at, true)
	}
	return fmt.Errorf("expected nothing, %s or %s, got %q", ClockSet, ClockAuto, rest)
}

func orderAddTime(t *Table, at time.Duration, rest string) error {
	who, much, _ := strings.Cut(rest, " ")
	player, err := parsePlayer(who)
	if err != nil {
		return err
	}
	sign := time.Duration(1)
	if text, less := strings.CutPrefix(much, "-"); less {
		sign, much = -1, text
	}
	d, err := parseFace(strings.TrimPrefix(much, "+"))
	if err != nil {
		return err
	}
	return t.AddTime(at, player, sign*d)
}

func orderSetTimes(t *Table, at time.Duration, rest string) error {
	first, second, _ := strings.Cut(rest, " ")
	white, err := parseFace(first)
	if err != nil {
		return fmt.Errorf("time of White: %w", err)
	}
	black, err := parseFace(second)
	if err != nil {
		return fmt.Errorf("time of Black: %w", err)
	}
	return t.SetTimes(at, white, black)
}

// parseFace reads a time as a clock shows it, h:mm:ss or m:ss, or in seconds.
func parseFace(text string) (time.Duration, error) {
	parts := strings.Split(text, ":")
	seconds := 0
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || len(parts) > 3 || i > 0 && (len(part) != 2 || n > 59) {
			return 0, fmt.Errorf("expected seconds, m:ss or h:mm:ss, got %q", text)
		}
		seconds = seconds*60 + int(n)
	}
	d := time.Duration(seconds) * time.Second
	if d > dgt.MaxClock {
		return 0, fmt.Errorf("expected at most %s, got %q", face(dgt.MaxClock), text)
	}
	return d, nil
}

// face writes a time as a clock shows it.
func face(d time.Duration) string {
	s := int(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// ParseSide reads a side of the clock, seen from its front.
func ParseSide(text string) (dgt.Side, error) {
	switch text {
	case ClockLeft:
		return dgt.Left, nil
	case ClockRight:
		return dgt.Right, nil
	}
	return 0, fmt.Errorf("expected %s or %s, got %q", ClockLeft, ClockRight, text)
}
