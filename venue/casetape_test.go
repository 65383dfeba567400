package venue_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/rules"
)

// caseEvent is one event of a case, as in ["place","e4","P"].
type caseEvent []any

func (e caseEvent) verb() string { return e.text(0) }

// text is the i-th word, "" when it is absent or null.
func (e caseEvent) text(i int) string {
	if i < len(e) {
		if s, ok := e[i].(string); ok {
			return s
		}
	}
	return ""
}

// number is the i-th word as a count of ms or seconds.
func (e caseEvent) number(i int) (int64, error) {
	if i < len(e) {
		if n, ok := e[i].(json.Number); ok {
			return n.Int64()
		}
	}
	return 0, fmt.Errorf("expected a number as word %d of %v", i, e)
}

// wire is what a case leaves open about how its events reach the host.
type wire struct {
	step time.Duration // between two events of one scan
	lag  time.Duration // of the clock's path through the board
	tail time.Duration // after the last event, where the case does not wait itself
	tick bool          // the clock also ticks by itself where the case reports it
	dump bool          // show the start position even where the case begins with a board of its own
	runs bool          // the clock of the side to move was started before the first event
}

// plainWire is the reading of the format that needs least: see the README of the cases.
var plainWire = wire{step: 6 * time.Millisecond, tail: 2500 * time.Millisecond}

const (
	scan      = 200 * time.Millisecond // events without a wait between them fit into one
	firstTime = 5 * time.Minute        // both clocks, where the case gives none
)

// caseTape builds the tape of one case: a board and a clock that do what the
// case says, with real bytes.
type caseTape struct {
	wire   wire
	at     time.Duration
	step   time.Duration // within the present scan
	board  dgt.Placement
	linked bool
	late   []tape.Event // clock messages still on their way
	events []tape.Event

	clock      [2]time.Duration // by colour
	lever      rules.Color      // to move by the lever
	running    bool
	started    bool
	noClock    bool
	given      bool // the case reports the clock itself
	whiteRight bool
}

// tapeOfCase turns the events of a case into a tape.
func tapeOfCase(fen string, events []caseEvent, w wire) (*tape.Tape, error) {
	start, err := rules.ParseFEN(fen)
	if err != nil {
		return nil, err
	}
	placement := start.Placement()
	c := &caseTape{wire: w, linked: true, lever: start.Turn(), clock: [2]time.Duration{firstTime, firstTime}}
	c.board, err = wirePlacement(placement.String())
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		c.given = c.given || e.verb() == "clock"
		c.whiteRight = c.whiteRight || e.verb() == "clock_side" && e.text(1) == "right"
	}
	c.noClock = len(events) > 0 && events[0].verb() == "clock_status"
	c.open(!w.dump && bringsBoard(events))
	for i, e := range events {
		c.step = min(w.step, scan/time.Duration(burst(events, i)))
		if err := c.event(e, events[i+1:]); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	if len(events) == 0 || events[len(events)-1].verb() != "wait" {
		c.pass(w.tail)
	}
	c.deliver(c.at + w.lag)
	c.order("end")
	side := "left"
	if c.whiteRight {
		side = "right"
	}
	return &tape.Tape{Header: tape.Header{{Key: "fen", Value: fen}, {Key: "white_side", Value: side}}, Events: c.events}, nil
}

// bringsBoard reports whether the first board a case shows is its own.
func bringsBoard(events []caseEvent) bool {
	for _, e := range events {
		switch e.verb() {
		case "dump", "reconnect", "restart":
			return true
		case "lift", "place", "disconnect", "press", "wait":
			return false
		}
	}
	return false
}

// burst is how many events come within the scan of event i.
func burst(events []caseEvent, i int) int {
	quiet := func(e caseEvent) bool { return e.verb() == "wait" || e.verb() == "silence" }
	n := 1
	for k := i - 1; k >= 0 && !quiet(events[k]); k-- {
		n++
	}
	for k := i + 1; k < len(events) && !quiet(events[k]); k++ {
		n++
	}
	return n
}

// open is the handshake of a session, as the link makes it.
func (c *caseTape) open(boardComes bool) {
	c.sent(0x40)
	c.at += 30 * time.Millisecond
	c.sent(0x4b)
	c.at += 70 * time.Millisecond
	if !boardComes {
		c.showBoard()
	}
	c.sent(0x41)
	c.report()
	c.pass(500 * time.Millisecond)
	if c.wire.runs && !c.given {
		c.running, c.started = true, true
		c.report()
	}
	c.pass(500 * time.Millisecond)
}

func (c *caseTape) showBoard() {
	c.sent(0x42)
	c.at += 90 * time.Millisecond
	c.message(&dgt.BoardDump{Placement: c.board})
	c.at += 10 * time.Millisecond
}

func (c *caseTape) event(e caseEvent, rest []caseEvent) error {
	switch e.verb() {
	case "wait":
		n, err := e.number(1)
		c.pass(time.Duration(n) * time.Millisecond)
		return err
	case "silence":
		n, err := e.number(1)
		linked := c.linked
		c.linked = false
		c.pass(time.Duration(n) * time.Millisecond)
		c.linked = linked
		return err
	case "lift", "place":
		return c.square(e)
	case "press":
		return c.press(e.text(1), len(rest) > 0 && rest[0].verb() == "clock")
	case "clock":
		return c.reading(e)
	case "clock_status":
		c.noClock = e.text(1) == "none"
		c.report()
	case "clock_side":
		c.order("clock-side " + e.text(1))
	case "dump", "reconnect":
		return c.dump(e)
	case "disconnect":
		c.deliver(c.at)
		c.late = nil
		c.add(tape.Event{Kind: tape.Link, Text: tape.LinkDown})
		c.linked = false
	case "restart":
		c.late = nil
		c.order("restart")
		if len(rest) == 0 || rest[0].verb() != "reconnect" && rest[0].verb() != "dump" {
			c.showBoard()
			c.report()
		}
	case "newgame":
		start, err := rules.ParseFEN(e.text(1))
		if err != nil {
			return err
		}
		c.order("newgame " + e.text(1))
		if !c.started {
			c.lever = start.Turn()
		}
	case "result":
		c.order("result " + e.text(1))
	case "time_control":
		if e.text(1) != "" {
			c.order("tc " + e.text(1))
		}
	case "set_clock":
		c.order("set-clock")
	case "beep":
		c.order("beep")
	case "ack":
		return c.ack(e)
	default:
		return fmt.Errorf("unknown event %v", e)
	}
	c.at += c.step
	return nil
}

func (c *caseTape) square(e caseEvent) error {
	q, err := rules.ParseSquare(e.text(1))
	if err != nil {
		return err
	}
	p := dgt.Empty
	if e.verb() == "place" {
		man, ok := dgt.PieceOfLetter((e.text(2) + "?")[0])
		if !ok {
			return fmt.Errorf("unknown man %q", e.text(2))
		}
		p = man
	}
	u := dgt.FieldUpdate{Square: dgt.Square(q ^ 56), Piece: p}
	if c.board[u.Square] != p {
		c.board[u.Square] = p
		c.message(&u)
	}
	c.at += c.step
	return nil
}

func (c *caseTape) dump(e caseEvent) error {
	board, err := wirePlacement(e.text(1))
	if err != nil {
		return err
	}
	c.board = board
	if e.verb() == "reconnect" {
		c.add(tape.Event{Kind: tape.Link, Text: tape.LinkUp})
		c.linked = true
		c.sent(0x40)
		c.at += 30 * time.Millisecond
		c.sent(0x4b)
		c.at += 70 * time.Millisecond
		c.showBoard()
		c.sent(0x41)
		c.report()
		return nil
	}
	c.message(&dgt.BoardDump{Placement: c.board})
	c.at += c.step
	return nil
}

// press puts that player's side of the lever down. The clock has it only once:
// a side that is down already stays down.
func (c *caseTape) press(who string, reported bool) error {
	by, err := colorOfLetter(who)
	if err != nil {
		return err
	}
	if c.lever == by || !c.running {
		c.lever, c.running, c.started = by.Other(), true, true
		if !reported {
			c.report()
		}
	}
	c.at += c.step
	return nil
}

func (c *caseTape) reading(e caseEvent) error {
	w, err := e.number(1)
	if err != nil {
		return err
	}
	b, err := e.number(2)
	if err != nil {
		return err
	}
	c.clock = [2]time.Duration{time.Duration(w) * time.Second, time.Duration(b) * time.Second}
	c.running = e.text(3) != "-"
	if c.running {
		if c.lever, err = colorOfLetter(e.text(3)); err != nil {
			return err
		}
		c.started = true
	}
	c.report()
	c.at += c.step
	return nil
}

func (c *caseTape) ack(e caseEvent) error {
	ops := map[string]dgt.ClockOp{"setnrun": dgt.OpSetAndRun, "beep": dgt.OpBeep, "end": dgt.OpEndDisplay, "display": dgt.OpDisplay, "ascii": dgt.OpASCII, "version": dgt.OpVersion}
	op, ok := ops[e.text(1)]
	if !ok {
		return fmt.Errorf("unknown clock command %q", e.text(1))
	}
	verdict := byte(dgt.AckOK)
	if text, failed := strings.CutPrefix(e.text(2), "error:"); failed {
		if _, err := fmt.Sscan(text, &verdict); err != nil {
			return err
		}
	}
	c.message(&dgt.ClockAck{Ack: [4]byte{verdict, byte(op)}})
	c.at += c.step
	return nil
}

// pass lets time go by: the running side counts down, one message a displayed second.
func (c *caseTape) pass(d time.Duration) {
	end := c.at + d
	for c.running && !c.noClock && (!c.given || c.wire.tick) {
		left := &c.clock[c.lever]
		next := *left % time.Second
		if next == 0 {
			next = time.Second
		}
		if *left == 0 || c.at+next > end {
			*left = max(0, *left-(end-c.at))
			break
		}
		*left -= next
		c.at += next
		c.report()
	}
	c.at = end
	c.deliver(c.at)
}

// report sends what the clock shows.
func (c *caseTape) report() {
	m := &dgt.ClockTime{NoClock: c.noClock}
	if !c.noClock {
		white, black := shown(c.clock[rules.White]), shown(c.clock[rules.Black])
		m.Left, m.Right = white, black
		m.Running, m.LeverHigh, m.TurnHint = c.running, dgt.Left, dgt.TurnLeft
		if (c.lever == rules.Black) != c.whiteRight {
			m.LeverHigh, m.TurnHint = dgt.Right, dgt.TurnRight
		}
		if c.whiteRight {
			m.Left, m.Right = black, white
		}
	}
	if c.linked {
		c.late = append(c.late, tape.Event{At: c.at + c.wire.lag, Kind: tape.Received, Data: dgt.AppendMessage(nil, m)})
	}
	c.deliver(c.at)
}

// shown is a display: a second that has begun is still whole.
func shown(left time.Duration) dgt.ClockFace {
	return dgt.ClockFace{Time: (left + time.Second - 1).Truncate(time.Second)}
}

// deliver puts the clock messages that have arrived by then on the tape.
func (c *caseTape) deliver(by time.Duration) {
	for len(c.late) > 0 && c.late[0].At <= by {
		c.events = append(c.events, c.late[0])
		c.late = c.late[1:]
	}
}

func (c *caseTape) message(m dgt.Message) {
	if c.linked {
		c.add(tape.Event{Kind: tape.Received, Data: dgt.AppendMessage(nil, m)})
	}
}

func (c *caseTape) sent(b byte)       { c.add(tape.Event{Kind: tape.Sent, Data: []byte{b}}) }
func (c *caseTape) order(text string) { c.add(tape.Event{Kind: tape.Order, Text: text}) }

func (c *caseTape) add(e tape.Event) {
	c.deliver(c.at)
	e.At = c.at
	c.events = append(c.events, e)
}

// wirePlacement reads FEN's board field as the wire orders its squares.
func wirePlacement(text string) (p dgt.Placement, err error) {
	squares, err := rules.ParsePlacement(text)
	if err != nil {
		return p, err
	}
	for q, man := range squares {
		if man != rules.NoPiece {
			p[q^56], _ = dgt.PieceOfLetter(man.String()[0])
		}
	}
	return p, nil
}

func colorOfLetter(s string) (rules.Color, error) {
	switch s {
	case "w":
		return rules.White, nil
	case "b":
		return rules.Black, nil
	}
	return 0, fmt.Errorf("expected w or b, got %q", s)
}

// text is the tape as a file: what boardd replay takes.
func tapeText(t testing.TB, tp *tape.Tape) []byte {
	var b bytes.Buffer
	w, err := tape.NewWriter(&b, tp.Header)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tp.Events {
		if err := w.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
