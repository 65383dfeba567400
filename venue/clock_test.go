package venue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/dgt/tape"
	"boardd/venue"
)

// clockTable is a table's pipeline and an emulated board on one line, in simulated
// time, and the true clocks by the presses.
type clockTable struct {
	t      testing.TB
	board  *emulator.Board
	play   *venue.Playback
	truth  *clock.Count
	white  dgt.Side
	now    time.Duration
	line   []sentAt // on its way to the board
	alerts []broadcast.Change
	sent   int
	open   dgt.ClockOp // of the command whose answer is owed
	since  time.Duration
	last   dgt.Decoder
}

type sentAt struct {
	at   time.Duration
	data []byte
}

// wireTime is the way of a command to the board.
const wireTime = 15 * time.Millisecond

func newClockTable(t testing.TB, control string, c emulator.Config, white dgt.Side) *clockTable {
	t.Helper()
	parsed, err := clock.Parse(control, clock.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := clock.NewCount(parsed.Control)
	if err != nil {
		t.Fatal(err)
	}
	play, err := venue.NewPlayback(nil, venue.TableOptions{Number: 1, WhiteSide: &white, Controls: venue.Controls{parsed.Control}})
	if err != nil {
		t.Fatal(err)
	}
	c.Men = dgt.StartPlacement()
	c.Clock.Remote, c.Clock.Lever = true, white
	k := &clockTable{t: t, board: emulator.New(c), play: play, truth: truth, white: white}
	for _, command := range []dgt.Command{dgt.Reset(), dgt.UpdateNice(), dgt.SendBoard(), dgt.SendClock(), dgt.SendClockVersion()} {
		k.board.Receive(command.AppendTo(nil))
		k.pass(600 * time.Millisecond)
	}
	return k
}

// pass lets time go by for board and table.
func (k *clockTable) pass(d time.Duration) {
	k.t.Helper()
	const step = 10 * time.Millisecond
	for end := k.now + d; k.now < end; {
		k.now = min(k.now+step, end)
		for len(k.line) > 0 && k.line[0].at <= k.now {
			k.board.Receive(k.line[0].data)
			k.line = k.line[1:]
		}
		out := k.board.Advance(k.now, nil)
		k.last.Feed(out, func(m dgt.Message) {
			if a, is := m.(*dgt.ClockAck); is && !a.Unsolicited() {
				k.open = dgt.OpNone
			}
		})
		if len(out) > 0 {
			k.event(tape.Event{At: k.now, Kind: tape.Received, Data: out})
		} else if k.now%(50*time.Millisecond) < step {
			k.play.Table.Advance(k.now)
			k.take()
		}
	}
}

func (k *clockTable) event(e tape.Event) {
	k.t.Helper()
	if err := k.play.Play(e); err != nil {
		k.t.Fatal(err)
	}
	k.take()
}

func (k *clockTable) order(text string) {
	k.t.Helper()
	k.event(tape.Event{At: k.now, Kind: tape.Order, Text: text})
}

func (k *clockTable) take() {
	for _, c := range k.play.Table.Take() {
		if c.Type == broadcast.TypeAlert && strings.HasPrefix(c.Code, "clock.") {
			k.alerts = append(k.alerts, c)
		}
	}
	for _, c := range k.play.Table.Commands() {
		op, is := c.ClockOp()
		if !is {
			continue
		}
		if k.open == op && k.now-k.since < 2*time.Second-50*time.Millisecond && !k.set() {
			k.t.Errorf("at %v: %v while the one of %v is not answered", k.now, c, k.since)
		}
		k.open, k.since = op, k.now
		k.sent++
		k.line = append(k.line, sentAt{k.now + wireTime, c.AppendTo(nil)})
	}
}

// set reports whether the last command has been carried out, so that readings answer
// for it.
func (k *clockTable) set() bool { return len(k.line) == 0 }

// face is what a player's side of the device truly has.
func (k *clockTable) face(p clock.Player) time.Duration {
	s := k.board.ClockState()
	if (p == clock.White) == (k.white == dgt.Left) {
		return s.Left
	}
	return s.Right
}

// press has the player to move press his clock, and returns how far his device is
// from the truth then.
func (k *clockTable) press(think time.Duration) time.Duration {
	k.t.Helper()
	k.pass(think)
	mover := k.truth.ToMove()
	off := k.face(mover) - k.truth.Face(k.now, mover)
	h := k.board.Hands()
	h.Press()
	k.truth.Press(k.now)
	k.pass(10 * time.Millisecond)
	return off
}

// start has the clock set by order and started by the arbiter's.
func (k *clockTable) start() {
	k.t.Helper()
	k.order("set-clock")
	k.pass(4 * time.Second)
	for _, p := range clock.Players {
		if got, want := k.face(p), k.truth.Face(k.now, p); got != want {
			k.t.Fatalf("%v's clock was set to %v, want %v; alerts %+v", p, got, want, k.alerts)
		}
	}
	k.order("start-clock")
	k.truth.Run(k.now, clock.White)
}

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

// Each control of the four model regulations is set, started, switched by the lever,
// incremented and flagged on the emulated clock, White on either side, on both models
// and on a board turned round.
func TestRegulationsRunOnRemoteClocks(t *testing.T) {
	controls := []string{"7200+30", "5400+30", "1500+10", "900+10", "300+2", "W240+10-B300+10", "W300-B240", "W450+10-B900+10"}
	if testing.Short() {
		controls = controls[4:6]
	}
	for i, control := range controls {
		for side, white := range []dgt.Side{dgt.Left, dgt.Right} {
			for model, version := range map[string]dgt.ClockVersion{"XL": emulator.ClockXL, "3000": emulator.Clock3000} {
				t.Run(fmt.Sprintf("%s/white %d/%s", control, side, model), func(t *testing.T) {
					seed := uint64(i*4 + side)
					k := newClockTable(t, control, emulator.Config{Seed: seed, Lag: ptr(steady(seed)), Turned: white == dgt.Right,
						Clock: emulator.ClockSetting{Version: version}}, white)
					k.start()
					rng := rand.New(rand.NewPCG(1, seed))
					for ply := range 40 {
						if off := k.press(1500*time.Millisecond + time.Duration(rng.ExpFloat64()*float64(3*time.Second))); off.Abs() >= time.Second {
							t.Fatalf("ply %d: the clock is %v off", ply+1, off)
						}
					}
					if len(k.alerts) > 0 {
						t.Errorf("alerts without a cause: %+v", k.alerts)
					}
					mover := k.truth.ToMove()
					k.pass(k.truth.Left(k.now, mover) + 3*time.Second)
					if got := k.codes(); !slices.Equal(got, []string{"clock.flag"}) || k.alerts[0].Detail != mover.String()[:1] {
						t.Errorf("alerts %+v, want the fall of %v's flag", k.alerts, mover)
					}
				})
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }

// Sixty-four tables of 300 plies with lost, late, repeated and refused answers: every
// clock is right within a second at every press, and nothing is told without a cause.
func TestSoakOfSixtyFourTables(t *testing.T) {
	plies, step := 300, 1
	if testing.Short() { // one table of each fault
		plies, step = 20, 9
	}
	controls := []string{"7200+30", "5400+30", "1500+10", "900+10", "300+2", "W240+10-B300+10", "40/5400+30:1800+30", "5400+5d"}
	faults := map[string]emulator.Faults{
		"good":     {},
		"lost":     {LoseAck: 0.05},
		"late":     {LateAck: 600 * time.Millisecond},
		"repeated": {RepeatAck: 0.2},
		"zero":     {ZeroTime: 0.2},
		"busy":     {Busy: 0.03},
		"deaf":     {LoseCommand: 0.03},
		"other":    {BadAck: 0.05},
	}
	for table := 0; table < 64; table += step {
		names := []string{"good", "lost", "late", "repeated", "zero", "busy", "deaf", "other"}
		name, control, seed := names[table%8], controls[table/8], uint64(table)
		white := dgt.Side(table % 2)
		t.Run(fmt.Sprintf("%d/%s/%s", table, control, name), func(t *testing.T) {
			t.Parallel()
			k := newClockTable(t, control, emulator.Config{Seed: seed, Lag: ptr(steady(seed))}, white)
			k.start()
			k.board.SetFaults(faults[name])
			rng := rand.New(rand.NewPCG(2, seed))
			worst := time.Duration(0)
			for ply := range plies {
				left := k.truth.Left(k.now, k.truth.ToMove())
				if left < 12*time.Second {
					break
				}
				// Two seconds and a half: a lost command is told again within two.
				think := min(time.Duration(rng.ExpFloat64()*float64(left)/40), left/4) + 3*time.Second
				off := k.press(think).Abs()
				worst = max(worst, off)
				if off >= time.Second {
					t.Fatalf("ply %d: the clock is %v off; alerts %+v", ply+1, off, k.alerts)
				}
			}
			for _, a := range k.alerts {
				if a.Code != "clock.period" {
					t.Errorf("alert without a cause: %+v", a)
				}
			}
			t.Logf("worst %v, %d commands", worst, k.sent)
		})
	}
}

// A fault that lasts is told once, and once that it is over.
func TestLastingClockFaultsAreToldOnce(t *testing.T) {
	for _, tt := range []struct {
		name         string
		break_, mend func(*emulator.Board)
		want         []string
	}{
		{"battery", func(b *emulator.Board) { b.SetClockBattery(true) }, func(b *emulator.Board) { b.SetClockBattery(false) },
			[]string{"clock.battery_low", "-clock.battery_low"}},
		{"deaf clock", func(b *emulator.Board) { b.SetFaults(emulator.Faults{LoseCommand: 1}) }, func(b *emulator.Board) { b.SetFaults(emulator.Faults{}) },
			[]string{"clock.set_failed", "-clock.set_failed"}},
		{"option changed by hand", func(b *emulator.Board) { b.SetRemote(false) }, nil, []string{"clock.refused"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newClockTable(t, "900+10", emulator.Config{Seed: 5, Lag: ptr(steady(5))}, dgt.Left)
			k.start()
			for range 4 {
				k.press(5 * time.Second)
			}
			tt.break_(k.board)
			for range 6 {
				k.press(12 * time.Second)
			}
			if tt.mend != nil {
				tt.mend(k.board)
				for range 4 {
					k.press(12 * time.Second)
				}
			}
			if got := k.codes(); !slices.Equal(got, tt.want) {
				t.Errorf("alerts %q, want %q: %+v", got, tt.want, k.alerts)
			}
		})
	}
}
