package venue_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/dgt/link"
	"boardd/rules"
	"boardd/venue"
	"boardd/venue/players"
)

// clockTable is one table in simulated time: an emulated board and clock, the session
// of the link, the venue's pipeline, and back. There is no port and no goroutine, only
// the bytes; beside them run the exact times by the presses.
type clockTable struct {
	t       testing.TB
	board   *emulator.Board
	session *link.Session
	table   *venue.Table
	exact   reckoning
	white   dgt.Side // White's side of the clock
	now     time.Duration
	buffer  []byte
	alerts  []broadcast.Change // about the clock

	// What the board has heard.
	sent     int           // commands to the clock, without questions for its version
	overlaps int           // of all those that came while one was in flight
	flight   dgt.Command   // the one in flight
	since    time.Duration // when it came
	said     dgt.Decoder
}

// usbWait is how long bytes wait for the host, as in a USB adapter (protocol sheet 1.4).
const usbWait = 16 * time.Millisecond

// answerTime is how long a command is in flight when nothing tells what became of it.
const answerTime = 2 * time.Second

// newClockTable opens a table whose clock stands in its remote option, and lets the
// session find out who is there.
func newClockTable(t testing.TB, control string, c emulator.Config, white dgt.Side) *clockTable {
	t.Helper()
	parsed, err := clock.Parse(control, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	k := &clockTable{t: t, white: white, exact: newReckoning(parsed.Control)}
	c.Men, c.Heard = dgt.StartPlacement(), k.heard
	c.Clock.Remote, c.Clock.Lever = true, white
	k.board = emulator.New(c)
	k.session = link.NewSession("table", link.DefaultTiming())
	k.table = venue.NewTable(venue.TableOptions{Number: 1, WhiteSide: &white, Controls: venue.Controls{parsed.Control}})
	k.pass(6 * time.Second)
	return k
}

// pass lets time go by.
func (k *clockTable) pass(d time.Duration) { k.until(k.now + d) }

func (k *clockTable) until(end time.Duration) {
	for k.now < end {
		k.now = min(k.now.Truncate(usbWait)+usbWait, end)
		k.buffer = k.board.Advance(k.now, k.buffer[:0])
		k.said.Feed(k.buffer, k.answer)
		if len(k.buffer) > 0 {
			k.obey(link.Input{Kind: link.Bytes, Data: k.buffer})
			k.table.Received(k.now, k.buffer)
		}
		k.table.Advance(k.now)
		k.take()
		if k.now >= k.session.Wake() {
			k.obey(link.Input{Kind: link.Tick})
		}
	}
}

// take passes on what the table wants and keeps what it tells of the clock.
func (k *clockTable) take() {
	for _, c := range k.table.Commands() {
		k.obey(link.Input{Kind: link.Want, Command: c.Command})
	}
	for _, c := range k.table.Take() {
		if c.Type == broadcast.TypeAlert && strings.HasPrefix(c.Code, "clock.") {
			k.alerts = append(k.alerts, c)
		}
	}
}

// obey takes a step of the session and does what it wants done.
func (k *clockTable) obey(in link.Input) {
	for _, o := range k.session.Step(k.now, in) {
		switch o.Kind {
		case link.Open:
			k.obey(link.Input{Kind: link.Opened})
			return // it was all
		case link.Write:
			k.board.Receive(o.Data)
		case link.Close, link.Dropped:
			k.t.Errorf("at %v: expected the line to hold, got output %d for %v: %v", k.now, o.Kind, o.Command, o.Err)
		case link.Changed:
		}
	}
}

func (k *clockTable) heard(at time.Duration, c dgt.Command) {
	op, is := c.ClockOp()
	if !is {
		return
	}
	if op != dgt.OpVersion {
		k.sent++
	}
	if !k.flight.IsZero() && at < k.since+answerTime {
		k.overlaps++
	}
	k.flight, k.since = c, at
}

// answer ends the flight of a command: its acknowledge, or for a set-and-run a time that
// shows what was set (protocol sheet 5.3).
func (k *clockTable) answer(m dgt.Message) {
	switch m := m.(type) {
	case *dgt.ClockAck:
		if m.Answers(k.flight) {
			k.flight = dgt.Command{}
		}
	case *dgt.ClockTime:
		left, right, run, ok := k.flight.SetAndRun()
		counted := func(set, seen time.Duration, runs bool) bool {
			return seen == set || runs && seen < set && seen >= set-2*time.Second
		}
		if ok && counted(left, m.Left.Time, run&dgt.RunLeft != 0) && counted(right, m.Right.Time, run&dgt.RunRight != 0) {
			k.flight = dgt.Command{}
		}
	}
}

func (k *clockTable) order(text string) {
	k.t.Helper()
	if err := k.table.Order(k.now, text); err != nil {
		k.t.Fatal(err)
	}
	k.take()
}

// side is where a player's time is.
func (k *clockTable) side(p clock.Player) dgt.Side {
	if p == clock.White {
		return k.white
	}
	return k.white.Other()
}

// off is how much more a player has on the device than he should. A delay of which the
// clock of the reference still has some may be in the device's time or not.
func (k *clockTable) off(p clock.Player) time.Duration {
	least, most := k.exact.at(k.now, p)
	switch d := k.board.ClockState().Time(k.side(p)); {
	case d < least:
		return d - least
	case d > most:
		return d - most
	}
	return 0
}

// start has the clock set by order and started by the arbiter's.
func (k *clockTable) start() {
	k.t.Helper()
	k.order("set-clock")
	k.pass(4 * time.Second)
	for _, p := range clock.Players {
		if off := k.off(p); off != 0 {
			k.t.Fatalf("%v's clock was set %v off; alerts %+v", p, off, k.alerts)
		}
	}
	k.order("start-clock")
	k.exact.start(k.now)
}

// press has the player to move press his clock after a while, and returns how far his
// device is off then.
func (k *clockTable) press(think time.Duration) time.Duration {
	k.pass(think)
	off := k.off(k.exact.toMove)
	k.board.Hands().Press()
	k.board.Advance(k.now, nil) // nothing leaves the line in no time
	k.exact.press(k.now)
	return off
}

// play has the player to move make ply n of a game after a while of thinking, and press.
func (k *clockTable) play(g *rules.Game, n int, think time.Duration) (off time.Duration) {
	k.pass(think)
	h := k.board.Hands()
	players.Move(h, g.PositionAt(n-1), g.Ply(n).Move)
	k.until(h.At())
	return k.press(250 * time.Millisecond)
}

// codes are the alerts about the clock, with a minus where one is over.
func (k *clockTable) codes() (codes []string) {
	for _, a := range k.alerts {
		mark := ""
		if a.Cleared {
			mark = "-"
		}
		codes = append(codes, mark+a.Code)
	}
	return codes
}

// steady is a clock path with the same lag for every reading: what varies cannot be
// told from thinking (see package plan).
func steady(seed uint64) emulator.ClockLag {
	return emulator.ClockLag{Constant: time.Duration(50+seed%5*80) * time.Millisecond}
}

func ptr[T any](v T) *T { return &v }

// reckoning is the exact time of both players, worked out apart from the code under
// test, for controls of increments, US delay and periods by moves.
type reckoning struct {
	periods [2][]clock.Period
	left    [2]time.Duration // when the last move was completed
	period  [2]int
	moves   [2]int // in the period
	toMove  clock.Player
	running bool
	since   time.Duration // when the clock of the player to move was started
}

func newReckoning(c clock.Control) reckoning {
	r := reckoning{periods: [2][]clock.Period{c.White, c.Black}}
	r.left[clock.White], r.left[clock.Black] = c.Start()
	return r
}

func (r *reckoning) start(at time.Duration) { r.running, r.since = true, at }

// stop is a pause: what has been used is used.
func (r *reckoning) stop(at time.Duration) {
	r.left[r.toMove], _ = r.at(at, r.toMove)
	r.running = false
}

func (r *reckoning) now(p clock.Player) clock.Period { return r.periods[p][r.period[p]] }

// delay is the US delay of each move of a player.
func (r *reckoning) delay(p clock.Player) time.Duration {
	if now := r.now(p); now.Kind == clock.Delay {
		return now.Bonus
	}
	return 0
}

// at is what a player has left, without and with the delay he has still to use.
func (r *reckoning) at(at time.Duration, p clock.Player) (least, most time.Duration) {
	left, delay := r.left[p], r.delay(p)
	if r.running && p == r.toMove {
		used := at - r.since
		left, delay = left-max(0, used-delay), max(0, delay-used)
	}
	return left, left + delay
}

func (r *reckoning) press(at time.Duration) {
	p := r.toMove
	r.left[p], _ = r.at(at, p)
	r.moves[p]++
	if now := r.now(p); now.Moves > 0 && r.moves[p] == now.Moves {
		r.moves[p], r.period[p] = 0, min(r.period[p]+1, len(r.periods[p])-1)
		r.left[p] += r.now(p).Base
	}
	if now := r.now(p); now.Kind == clock.Fischer {
		r.left[p] += now.Bonus
	}
	r.toMove, r.since = p.Other(), at
}

// set gives both players other times, by the arbiter's order.
func (r *reckoning) set(at, white, black time.Duration) {
	r.left = [2]time.Duration{clock.White: white, clock.Black: black}
	r.since = at
}

// longGame is a game of so many half-moves that goes on at its end: no draw in it could
// be claimed, and kings stay at home while other men can move.
func longGame(t testing.TB, seed uint64, plies int) *rules.Game {
	t.Helper()
	const tries = 100
	for try := range uint64(tries) {
		rng := rand.New(rand.NewPCG(seed, try))
		g := rules.NewGame(rules.Start())
		for g.Len() < plies && grow(g, rng) {
		}
		if g.Len() == plies {
			return g
		}
	}
	t.Fatalf("seed %d: expected a game of %d half-moves in %d tries, found none", seed, plies, tries)
	return nil
}

// grow adds a move to a game, quiet moves of other men than kings first, and reports
// whether there was one after which it goes on.
func grow(g *rules.Game, rng *rand.Rand) bool {
	p := *g.Current()
	var list rules.MoveList
	p.LegalMoves(&list)
	moves := list.Moves()
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	board := p.Placement()
	for _, last := range []bool{false, true} {
		for _, m := range moves {
			if last != (board[m.From()].Role() == rules.King || board[m.To()] != rules.NoPiece) {
				continue
			}
			n := g.Len() + 1
			if g.Push(m) != nil {
				continue
			}
			if c := g.Claims(n); c.End == rules.Playing && c.Count < 3 && c.Halfmoves < 90 {
				return true
			}
			if g.ReplaceFrom(n, nil) != nil {
				return false
			}
		}
	}
	return false
}
