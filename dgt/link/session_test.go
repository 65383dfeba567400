package link

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
)

const ms = time.Millisecond

// world runs a Session in simulated time against a board made of functions.
type world struct {
	t       *testing.T
	s       *Session
	now     time.Duration
	board   *fakeBoard
	pending []arrival

	open     bool
	openErr  error // what opening says
	log      []string
	writes   []time.Duration
	statuses []Status
	statusAt []time.Duration
	dropped  []dgt.Command
	opens    []time.Duration
}

type arrival struct {
	at   time.Duration
	data []byte
}

// fakeBoard answers single-board commands; fields switch parts of it off.
type fakeBoard struct {
	dead      bool
	serial    string
	old       bool // knows neither long serial, trademark nor battery
	clock     bool
	placement dgt.Placement
	mode      byte
	latency   time.Duration
	split     bool // answers arrive byte by byte
}

func newFakeBoard() *fakeBoard {
	return &fakeBoard{serial: "12345", clock: true, placement: dgt.StartPlacement(), latency: 10 * ms}
}

func (b *fakeBoard) answer(p []byte) (out []byte) {
	if b.dead {
		return nil
	}
	switch p[0] {
	case 0x40, 0x43, 0x44, 0x4b:
		b.mode = p[0]
	case 0x41:
		out = []byte{0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 8}
		if !b.clock {
			out = []byte{0x8d, 0, 0x0a, 0, 0, 0, 0, 0, 0, 0x20}
		}
	case 0x42:
		out = dumpOf(b.placement)
	case 0x45:
		out = append([]byte{0x91, 0, 8}, b.serial...)
	case 0x4d:
		out = []byte{0x93, 0, 5, 1, 2}
	case 0x47:
		if !b.old {
			out = append([]byte{0x92, 0, 3 + 9}, "our board"...)
		}
	case 0x4c:
		if !b.old {
			out = []byte{0xa0, 0, 0x0c, 88, 0, 0, 0, 0, 0, 0, 0, 2}
		}
	case 0x55:
		if !b.old {
			out = append([]byte{0xa2, 0, 0x0d}, "0000012345"...)
		}
	case 0x2b:
		if b.clock && (b.mode == 0x4b || b.mode == 0x43) {
			out = ackOf(p[3])
		}
	}
	return out
}

func ackOf(op byte) []byte { return []byte{0x8d, 0, 0x0a, 0x0a, 0x10, op, 0x0a, 0x20, 0, 0} }

func dumpOf(p dgt.Placement) []byte {
	return dgt.AppendMessage(nil, &dgt.BoardDump{Placement: p})
}

func newWorld(t *testing.T) *world {
	return &world{t: t, s: NewSession("/dev/ttyACM0", DefaultTiming()), board: newFakeBoard()}
}

// step gives one input and does what comes of it.
func (w *world) step(in Input) {
	outputs := w.s.Step(w.now, in)
	// Outputs are valid until the next Step, which an Open leads to.
	for _, o := range append([]Output(nil), outputs...) {
		switch o.Kind {
		case Write:
			if !w.open {
				w.t.Fatalf("%v: write % x without a port", w.now, o.Data)
			}
			if n := len(w.writes); n > 0 && w.now-w.writes[n-1] < 100*ms {
				w.t.Errorf("%v: write % x only %v after the last", w.now, o.Data, w.now-w.writes[n-1])
			}
			w.writes = append(w.writes, w.now)
			w.note("> %x", o.Data)
			a, at := w.board.answer(o.Data), w.now+w.board.latency
			if !w.board.split && a != nil {
				w.pending = append(w.pending, arrival{at, a})
			}
			for i := range a {
				if w.board.split {
					w.pending = append(w.pending, arrival{at + time.Duration(i)*ms, a[i : i+1]})
				}
			}
		case Close:
			if !w.open {
				w.t.Fatalf("%v: close without a port", w.now)
			}
			w.open, w.pending = false, nil
			w.note("close")
		case Changed:
			w.statuses, w.statusAt = append(w.statuses, o.Status), append(w.statusAt, w.now)
			w.note("%v", o.Status.State)
		case Dropped:
			w.dropped = append(w.dropped, o.Command)
			w.note("dropped %v", o.Command)
		case Open:
			if w.open {
				w.t.Fatalf("%v: open twice", w.now)
			}
			w.opens = append(w.opens, w.now)
			if w.openErr != nil {
				w.note("open fails")
				w.step(Input{Kind: Failed, Err: w.openErr})
				continue
			}
			w.open = true
			w.note("open")
			w.step(Input{Kind: Opened})
		}
	}
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf("%d ", w.now/ms)+fmt.Sprintf(format, args...))
}

// run lets time pass to the given moment.
func (w *world) run(until time.Duration) {
	for steps := 0; ; steps++ {
		if steps > 100000 {
			w.t.Fatalf("%v: the session spins: Wake %v", w.now, w.s.Wake())
		}
		next, i := w.s.Wake(), -1
		for j, a := range w.pending {
			if a.at <= next {
				next, i = a.at, j
			}
		}
		if next > until {
			w.now = until
			return
		}
		w.now = max(w.now, next)
		if i >= 0 {
			a := w.pending[i]
			w.pending = append(w.pending[:i], w.pending[i+1:]...)
			w.step(Input{Kind: Bytes, Data: a.data})
			continue
		}
		w.step(Input{Kind: Tick})
	}
}

func (w *world) pass(d time.Duration) { w.run(w.now + d) }

func (w *world) bytes(p ...byte) { w.step(Input{Kind: Bytes, Data: p}) }

// up brings the board up and clears the record.
func (w *world) up() {
	w.t.Helper()
	w.pass(2 * time.Second)
	if w.state() != Up || len(w.s.script) != 0 {
		w.t.Fatalf("the board did not come up: %v", w.log)
	}
	w.clear()
}

func (w *world) clear() { w.log, w.statuses, w.statusAt, w.opens = nil, nil, nil, nil }

func (w *world) state() State { return w.s.Status().State }

// sent lists what was written, without times.
func (w *world) sent() (codes []string) {
	for _, l := range w.log {
		if _, p, ok := strings.Cut(l, " > "); ok {
			codes = append(codes, p)
		}
	}
	return codes
}

func (w *world) count(code string) (n int) {
	for _, c := range w.sent() {
		if c == code {
			n++
		}
	}
	return n
}

func (w *world) expect(want ...string) {
	w.t.Helper()
	got := strings.Join(w.log, "\n")
	if got != strings.Join(want, "\n") {
		w.t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func (w *world) fail(kind error) { w.step(Input{Kind: Broken, Err: &PortError{Kind: kind}}) }

func TestGreeting(t *testing.T) {
	w := newWorld(t)
	w.run(1500 * ms)
	w.expect("0 open", "0 > 40", "100 > 4d", "200 > 45", "300 > 55", "400 > 47", "500 > 4c", "510 up",
		"600 > 42", "700 > 4b", "800 > 41", "900 > 2b03030900", "910 up")
	id := w.statuses[len(w.statuses)-1].Identity
	want := Identity{
		Serial: "12345", LongSerial: "0000012345", Version: dgt.Version{Major: 1, Minor: 2}, Trademark: "our board",
		HasBattery: true, Battery: id.Battery, HasClock: true, Clock: dgt.ClockVersion{Main: 2},
	}
	if id != want || id.Battery.Percent != 88 {
		t.Errorf("identity %+v", id)
	}
	if s := id.String(); s != "Bluetooth board, version 1.02, serial 12345, battery 88 %, clock 2.0" {
		t.Errorf("in words: %q", s)
	}
}

// An old board keeps silent to three questions; that costs time, not the board.
func TestGreetingOfAnOldBoard(t *testing.T) {
	w := newWorld(t)
	w.board.old, w.board.clock = true, false
	w.run(3100 * ms)
	w.expect("0 open", "0 > 40", "100 > 4d", "200 > 45", "300 > 55", "800 > 47", "1300 > 4c", "1800 up",
		"1800 > 42", "1900 > 4b", "2000 > 41", "2100 > 2b03030900", "3010 > 42")
}

func TestProbeRetriesThenGivesUpAndComesBack(t *testing.T) {
	w := newWorld(t)
	w.board.dead = true
	w.run(4300 * ms)
	w.expect("0 open", "0 > 40", "100 > 4d", "1100 > 4d", "2100 > 4d", "3100 > 4d", "4100 close", "4100 refused")
	if err := w.statuses[0].Err; !errors.Is(err, ErrNoBoard) || !strings.Contains(err.Error(), "/dev/ttyACM0") {
		t.Errorf("error %v", err)
	}
	// It is told once, however often it is tried ...
	w.run(2 * time.Minute)
	if len(w.statuses) != 1 {
		t.Errorf("told %d times", len(w.statuses))
	}
	// ... and the board is found when it comes.
	w.board.dead = false
	w.pass(10 * time.Second)
	if w.state() != Up {
		t.Errorf("state %v", w.state())
	}
}

// A board in the middle of reporting, or pouring out its log, answers late.
func TestProbeWaitsBehindALog(t *testing.T) {
	w := newWorld(t)
	w.board.dead = true
	w.run(150 * ms)
	log := dgt.AppendMessage(nil, &dgt.EELog{Data: make([]byte, 0x1f00)})
	for len(log) > 0 { // 8.3 s at the speed of the line
		n := min(96, len(log))
		w.bytes(log[:n]...)
		log = log[n:]
		w.pass(100 * ms)
	}
	w.bytes(0x93, 0, 5, 1, 2)
	if w.count("4d") != 1 {
		t.Errorf("asked again while the answer waited: %v", w.log)
	}
	w.board.dead = false
	w.pass(3 * time.Second)
	if w.state() != Up {
		t.Errorf("state %v: %v", w.state(), w.log)
	}
}

func TestBackoffDoublesAndStartsAnewAfterSuccess(t *testing.T) {
	w := newWorld(t)
	w.openErr = openError("/dev/ttyACM0", errNoEntry)
	w.run(16 * time.Second)
	var got []int64
	for _, at := range w.opens {
		got = append(got, at.Milliseconds())
	}
	if s := fmt.Sprint(got); s != "[0 250 750 1750 3750 7750 11750 15750]" {
		t.Errorf("opened at %v", s)
	}
	if len(w.statuses) != 1 || w.state() != Down {
		t.Errorf("told %v", w.statuses)
	}
	w.openErr = nil
	w.run(22 * time.Second)
	if w.state() != Up {
		t.Fatalf("state %v", w.state())
	}
	w.clear()
	w.openErr = openError("/dev/ttyACM0", errNoEntry)
	at := w.now
	w.fail(ErrGone)
	w.pass(800 * ms)
	if len(w.opens) != 2 || w.opens[0] != at+250*ms || w.opens[1] != at+750*ms {
		t.Errorf("pulled at %v, opened at %v", at, w.opens)
	}
}

func TestAppearedShortensTheWait(t *testing.T) {
	w := newWorld(t)
	w.openErr = openError("/dev/ttyACM0", errNoEntry)
	w.run(8 * time.Second) // in the 4 s wait until 11.75 s
	w.openErr = nil
	w.step(Input{Kind: Appeared})
	w.pass(250 * ms)
	if !w.open {
		t.Error("not opened within the shortest wait")
	}
}

func TestReasonsOfARefusalAreToldOnceEach(t *testing.T) {
	w := newWorld(t)
	for _, cause := range []error{errBusy, errBusy, errDenied, errDenied, errNoEntry} {
		w.openErr = openError("/dev/ttyACM0", cause)
		n := len(w.opens)
		for len(w.opens) == n {
			w.pass(50 * ms)
		}
	}
	var got []string
	for _, s := range w.statuses {
		got = append(got, s.State.String())
	}
	if s := strings.Join(got, " "); s != "refused refused down" {
		t.Errorf("told %q", s)
	}
}

func TestReopenedPortIsAlwaysGivenModeAndDump(t *testing.T) {
	w := newWorld(t)
	w.up()
	w.fail(ErrGone)
	w.board.mode = 0 // a board comes back in bus mode
	w.run(w.now + 2*time.Second)
	got := strings.Join(w.sent(), " ")
	// What the board told before is not asked again, so that it is back sooner.
	if !strings.HasPrefix(got, "40 4d 45 42 4b 41 2b03030900") {
		t.Errorf("sent %s", got)
	}
	if w.board.mode != 0x4b {
		t.Errorf("mode %02x", w.board.mode)
	}
	if w.statuses[0].State != Down || w.statuses[1].State != Up || w.statuses[1].Identity.LongSerial != "0000012345" {
		t.Errorf("told %+v", w.statuses)
	}
	if back := w.statusAt[1] - w.statusAt[0]; back > time.Second {
		t.Errorf("back after %v", back)
	}
}

func TestAnotherBoardOnAReopenedPortIsAskedEverything(t *testing.T) {
	w := newWorld(t)
	w.up()
	w.fail(ErrGone)
	w.board.serial = "54321"
	w.pass(2 * time.Second)
	if w.count("55") != 1 || w.s.Status().Identity.Serial != "54321" {
		t.Errorf("%v %+v", w.log, w.s.Status())
	}
}

func TestWatchdog(t *testing.T) {
	for name, split := range map[string]bool{"a silent board that answers stays up": false, "and if its answers come in pieces": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.board.split = split
			w.up()
			w.pass(5 * time.Minute)
			if w.state() != Up || len(w.statuses) != 0 || len(w.opens) != 0 {
				t.Errorf("told %v", w.statuses)
			}
			if n := w.count("45"); n < 60 || n > 110 {
				t.Errorf("asked %d times in 5 minutes", n)
			}
			// Its mode is renewed, in case it came back from a power cut behind an adapter.
			if n := w.count("4b"); n < 15 || n > 31 {
				t.Errorf("mode set %d times in 5 minutes", n)
			}
		})
	}
	t.Run("a talking board is not asked", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		for range 20 {
			w.bytes(0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 9)
			w.pass(time.Second)
		}
		if n := w.count("45"); n != 0 {
			t.Errorf("asked %d times", n)
		}
	})
	t.Run("a dead board is lost after 5 s", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.bytes(0x8e, 0, 5, 52, 0)
		since := w.now
		w.board.dead = true
		w.pass(6 * time.Second)
		if w.state() != Lost || !errors.Is(w.statuses[0].Err, ErrSilent) {
			t.Fatalf("told %v: %v", w.statuses, w.log)
		}
		if after := w.statusAt[0] - since; after < 5*time.Second || after > 5500*ms {
			t.Errorf("lost after %v", after)
		}
		if w.count("45") < 2 {
			t.Errorf("asked only %d times", w.count("45"))
		}
		// Lost stays told once, and the board is found again.
		w.pass(time.Minute)
		if len(w.statuses) != 1 {
			t.Errorf("told %v", w.statuses)
		}
		w.board.dead = false
		w.pass(9 * time.Second)
		if w.state() != Up {
			t.Errorf("state %v", w.state())
		}
	})
	t.Run("a process that stood still does not blame the board", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.now += 30 * time.Second // SIGSTOP, or a suspended laptop
		w.step(Input{Kind: Tick})
		w.pass(30 * time.Second)
		if w.state() != Up || len(w.statuses) != 0 {
			t.Errorf("told %v", w.statuses)
		}
	})
	t.Run("a board without a serial number is asked for its version", func(t *testing.T) {
		w := newWorld(t)
		w.board.serial = ""
		w.pass(3 * time.Second)
		w.s.identity.Serial = ""
		w.clear()
		w.pass(4 * time.Second)
		if w.count("4d") == 0 {
			t.Errorf("%v", w.log)
		}
	})
	t.Run("a running clock that fell silent brings mode and dump back", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.pass(10 * time.Second)
		w.bytes(0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 9)
		w.board.mode = 0 // the board was switched off and on behind its adapter
		w.clear()
		w.pass(5 * time.Second)
		if w.board.mode != 0x4b || w.count("42") == 0 {
			t.Errorf("%v", w.log)
		}
	})
}

// Behind an adapter another board can come without the port ever going away.
func TestExchangedBoard(t *testing.T) {
	w := newWorld(t)
	w.up()
	w.board.serial, w.board.mode = "54321", 0
	w.pass(8 * time.Second)
	if len(w.statuses) < 2 || w.statuses[0].State != Lost || w.statuses[1].State != Up || w.statuses[1].Identity.Serial != "54321" {
		t.Fatalf("told %+v", w.statuses)
	}
	if w.board.mode != 0x4b || w.count("42") == 0 {
		t.Errorf("the new board got no mode or dump: %v", w.log)
	}
	// One number hurt on the way is no other board.
	w.clear()
	w.bytes(append([]byte{0x91, 0, 8}, "54329"...)...)
	w.pass(10 * time.Second)
	if len(w.statuses) != 0 {
		t.Errorf("told %+v", w.statuses)
	}
}

func TestDumps(t *testing.T) {
	settled := func(t *testing.T) *world {
		w := newWorld(t)
		w.up()
		w.pass(2 * time.Second)
		w.clear()
		return w
	}
	t.Run("not for each update, once after quiet", func(t *testing.T) {
		w := settled(t)
		p := dgt.StartPlacement()
		for i := range 10 { // a move a second
			sq := dgt.Square(48 + i%8)
			w.board.placement[sq] ^= 1
			p[sq] = w.board.placement[sq]
			w.bytes(0x8e, 0, 5, byte(sq), byte(p[sq]))
			w.pass(time.Second)
		}
		if n := w.count("42"); n != 0 {
			t.Errorf("%d dumps while men move", n)
		}
		w.pass(3 * time.Second)
		if n := w.count("42"); n != 1 {
			t.Errorf("%d dumps after quiet: %v", n, w.log)
		}
		w.pass(30 * time.Second)
		if n := w.count("42"); n != 1 {
			t.Errorf("%d dumps although nothing changed", n)
		}
	})
	t.Run("an audit now and then", func(t *testing.T) {
		w := settled(t)
		w.pass(10 * time.Minute)
		if n := w.count("42"); n < 9 || n > 11 {
			t.Errorf("%d dumps in 10 minutes", n)
		}
	})
	t.Run("a surprise is confirmed", func(t *testing.T) {
		w := settled(t)
		w.pass(3 * time.Second)
		w.clear()
		w.board.placement[52] = dgt.Empty // its update was lost
		w.bytes(0x8e, 0, 5, 36, 1)
		w.board.placement[36] = dgt.WhitePawn
		at := w.now
		w.pass(5 * time.Second)
		var dumps []time.Duration
		for i, l := range w.log {
			if strings.HasSuffix(l, "> 42") {
				dumps = append(dumps, 0)
				fmt.Sscanf(w.log[i], "%d", &dumps[len(dumps)-1])
			}
		}
		if len(dumps) != 2 || dumps[0]*ms < at+3*time.Second || dumps[1]-dumps[0] < 300 || dumps[1]-dumps[0] > 450 {
			t.Errorf("dumps at %v after %v: %v", dumps, at, w.log)
		}
	})
	t.Run("men in motion do not make it ask for ever", func(t *testing.T) {
		w := settled(t)
		for i := range 100 {
			w.board.placement[20] = dgt.Piece(i % 12) // no dump equals the one before
			w.bytes(dumpOf(w.board.placement)...)
			w.pass(20 * ms)
		}
		w.pass(2 * time.Second)
		if n := w.count("42"); n > 8 {
			t.Errorf("%d dumps", n)
		}
	})
	for _, c := range []struct {
		name  string
		bytes []byte
	}{
		{"noise", []byte{0x11, 0x22}},
		{"a message cut off by the next", []byte{0x8e, 0, 0x8e, 0, 5, 52, 0}},
		{"an impossible length", []byte{0x8e, 0, 2}},
		{"a square off the board", []byte{0x8e, 0, 5, 0x40, 0}},
		{"a piece that is none", []byte{0x8e, 0, 5, 52, 0x10}},
		{"a message without an end", []byte{0x8e, 0, 5, 52}},
	} {
		t.Run("soon after "+c.name, func(t *testing.T) {
			w := settled(t)
			w.bytes(c.bytes...)
			w.pass(time.Second)
			if n := w.count("42"); n == 0 || n > 2 { // the second confirms a surprise
				t.Errorf("%d dumps within a second: %v", n, w.log)
			}
		})
	}
	t.Run("a noisy line is not filled with them", func(t *testing.T) {
		w := settled(t)
		for range 100 {
			w.bytes(0x11)
			w.pass(100 * ms)
		}
		if n := w.count("42"); n < 3 || n > 6 {
			t.Errorf("%d dumps in 10 s of noise", n)
		}
	})
	t.Run("one that stays away is asked for again", func(t *testing.T) {
		w := settled(t)
		w.board.dead = true
		w.bytes(0x11)
		w.pass(1500 * ms)
		w.board.dead = false
		w.pass(4 * time.Second)
		if n := w.count("42"); n < 2 {
			t.Errorf("%v", w.log)
		}
	})
}

func TestClock(t *testing.T) {
	const version = "2b03030900"
	t.Run("asked every 2 s for ever while there is none", func(t *testing.T) {
		w := newWorld(t)
		w.board.clock = false
		w.up()
		w.pass(time.Minute)
		if n := w.count(version); n < 27 || n > 31 {
			t.Errorf("asked %d times in a minute", n)
		}
		w.board.clock = true
		w.pass(2100 * ms)
		if id := w.s.Status().Identity; !id.HasClock || id.Clock.Main != 2 {
			t.Errorf("identity %+v", id)
		}
		w.clear()
		w.pass(time.Minute)
		if n := w.count(version); n != 0 {
			t.Errorf("asked %d times although it answered", n)
		}
	})
	t.Run("pulled and put back", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.board.clock = false
		w.bytes(0x8d, 0, 0x0a, 0, 0, 0, 0, 0, 0, 0x20)
		if len(w.statuses) != 1 || w.statuses[0].Identity.HasClock {
			t.Errorf("told %+v", w.statuses)
		}
		w.pass(7 * time.Second)
		if n := w.count(version); n != 3 {
			t.Errorf("asked %d times in 7 s", n)
		}
		w.board.clock = true
		w.bytes(0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 8) // it is back: ask at once
		w.pass(2500 * ms)
		if !w.s.Status().Identity.HasClock {
			t.Errorf("%v", w.log)
		}
	})
	t.Run("ready after it was switched on", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.bytes(0x8d, 0, 0x0a, 0x0a, 0x10, 1, 0x2a, 0, 0, 0)
		w.pass(300 * ms)
		if n := w.count(version); n != 1 {
			t.Errorf("asked %d times: %v", n, w.log)
		}
	})
	t.Run("times but no version: seldom", func(t *testing.T) {
		w := newWorld(t)
		w.board.clock = false
		w.up()
		w.bytes(0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 9)
		w.pass(2 * time.Minute)
		if n := w.count(version); n < 4 || n > 8 {
			t.Errorf("asked %d times in 2 minutes", n)
		}
	})
	t.Run("a missing clock does not hold up the board", func(t *testing.T) {
		w := newWorld(t)
		w.board.clock = false
		w.up()
		w.pass(10 * time.Second)
		w.clear()
		w.bytes(0x11)
		w.pass(time.Second)
		if w.count("42") != 1 {
			t.Errorf("no dump while the clock's answer is owed: %v", w.log)
		}
	})
}

func TestOrders(t *testing.T) {
	beep := dgt.Beep(1)
	t.Run("in order, one clock command at a time", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.board.clock = false // the acknowledges come by hand
		for range 3 {
			w.step(Input{Kind: Want, Command: beep})
		}
		w.step(Input{Kind: Want, Command: dgt.SendBoard()})
		w.pass(500 * ms)
		if got := strings.Join(w.sent(), " "); got != "2b04030b0100" {
			t.Fatalf("sent %s before the acknowledge", got)
		}
		w.bytes(0x8d, 0, 0x0a, 0x0a, 0x10, 8, 0x2a, 5, 0x31, 0) // a button is no acknowledge
		w.bytes(ackOf(0x0c)...)                                 // nor is that of another command
		w.pass(500 * ms)
		if len(w.sent()) != 1 {
			t.Fatalf("released too early: %v", w.log)
		}
		w.bytes(ackOf(0x0b)...)
		w.pass(100 * ms)
		if len(w.sent()) != 2 {
			t.Fatalf("not released: %v", w.log)
		}
		w.pass(2 * time.Second) // no acknowledge: the time-out releases the third
		w.bytes(ackOf(0x0b)...)
		w.pass(200 * ms)
		if got := strings.Join(w.sent(), " "); got != "2b04030b0100 2b04030b0100 2b04030b0100 42" {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("times on the clock stand in for a lost acknowledge", func(t *testing.T) {
		set, err := dgt.SetAndRun(5*time.Minute, 4*time.Minute, dgt.RunLeft|dgt.Toggle)
		if err != nil {
			t.Fatal(err)
		}
		face := func(left, right time.Duration) dgt.ClockTime {
			return dgt.ClockTime{Left: dgt.ClockFace{Time: left}, Right: dgt.ClockFace{Time: right}, Running: true, TurnHint: dgt.TurnLeft}
		}
		for _, c := range []struct {
			name     string
			before   time.Duration // left, before the command
			then     dgt.ClockTime
			released bool
		}{
			{"as set", time.Minute, face(5*time.Minute, 4*time.Minute), true},
			{"a second later", time.Minute, face(5*time.Minute-time.Second, 4*time.Minute), true},
			{"only one side", time.Minute, face(5*time.Minute, 3*time.Minute), false},
			{"the side that stands has counted", time.Minute, face(5*time.Minute, 4*time.Minute-time.Second), false},
			{"more than was set", time.Minute, face(5*time.Minute+time.Second, 4*time.Minute), false},
			{"shown before it was sent", 5 * time.Minute, face(5*time.Minute, 4*time.Minute), false},
			{"no clock", time.Minute, dgt.ClockTime{NoClock: true}, false},
		} {
			w := newWorld(t)
			w.up()
			w.board.clock = false // nothing acknowledges
			was := face(c.before, 4*time.Minute)
			w.bytes(dgt.AppendMessage(nil, &was)...)
			w.pass(200 * ms)
			w.clear()
			w.step(Input{Kind: Want, Command: set})
			w.step(Input{Kind: Want, Command: beep})
			w.pass(100 * ms)
			w.bytes(dgt.AppendMessage(nil, &c.then)...)
			w.pass(300 * ms)
			if n := w.count("2b04030b0100"); n != 0 {
				t.Errorf("%s: the next command went while the acknowledge may still come", c.name)
			}
			w.pass(300 * ms)
			if n := w.count("2b04030b0100"); n > 0 != c.released {
				t.Errorf("%s: released %t, want %t: %v", c.name, n > 0, c.released, w.log)
			}
		}
	})
	t.Run("the log only when wanted", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.pass(10 * time.Minute)
		if w.count("49") != 0 {
			t.Fatal("asked for unasked")
		}
		w.step(Input{Kind: Want, Command: dgt.SendLog()})
		w.pass(200 * ms)
		if w.count("49") != 1 {
			t.Fatalf("%v", w.sent())
		}
		// While it pours in nothing else is asked of the board, and the board is not lost.
		w.clear()
		log := dgt.AppendMessage(nil, &dgt.EELog{Data: make([]byte, 0x1f00)})
		for len(log) > 0 {
			n := min(96, len(log))
			w.bytes(log[:n]...)
			log = log[n:]
			w.pass(100 * ms)
		}
		if n := w.count("42") + w.count("45"); n > 1 || w.state() != Up {
			t.Errorf("sent %v, state %v", w.sent(), w.state())
		}
	})
	t.Run("a board without a log is not lost for it", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.step(Input{Kind: Want, Command: dgt.SendLog()})
		w.pass(time.Minute)
		if w.state() != Up || len(w.statuses) != 0 {
			t.Errorf("told %v", w.statuses)
		}
	})
	t.Run("not kept over an outage", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		w.board.clock = false
		w.step(Input{Kind: Want, Command: beep})
		w.step(Input{Kind: Want, Command: beep})
		w.pass(100 * ms)
		w.fail(ErrGone)
		if len(w.dropped) != 1 {
			t.Errorf("dropped %v", w.dropped)
		}
		w.step(Input{Kind: Want, Command: beep}) // while down
		if len(w.dropped) != 2 {
			t.Errorf("taken while down")
		}
		n := w.count("2b04030b0100")
		w.pass(10 * time.Second)
		if w.state() != Up || w.count("2b04030b0100") != n {
			t.Errorf("sent after the outage: %v", w.log)
		}
	})
	t.Run("bounded", func(t *testing.T) {
		w := newWorld(t)
		w.up()
		for range 100 {
			w.step(Input{Kind: Want, Command: dgt.SendClock()})
		}
		if len(w.dropped) < 100-ordersMax-1 {
			t.Errorf("only %d dropped", len(w.dropped))
		}
	})
	t.Run("the mode is not the owner's", func(t *testing.T) {
		for _, c := range []dgt.Command{{}, dgt.Reset(), dgt.Update(), dgt.UpdateBoard(), dgt.UpdateNice(), dgt.ToBusMode(), dgt.UpdateI2C(), dgt.UpdateI2CNice()} {
			if err := Allowed(c); !errors.Is(err, ErrOwnedByLink) {
				t.Errorf("%v: %v", c, err)
			}
		}
		for _, c := range []dgt.Command{dgt.SendBoard(), dgt.SendLog(), dgt.Beep(1), dgt.SendBattery(), dgt.LEDsOff()} {
			if err := Allowed(c); err != nil {
				t.Errorf("%v: %v", c, err)
			}
		}
	})
}

func TestStuckPort(t *testing.T) {
	w := newWorld(t)
	w.up()
	w.fail(ErrStuck)
	if w.state() != Lost {
		t.Errorf("state %v after a write that did not end", w.state())
	}
	w.pass(2 * time.Second)
	if w.state() != Up {
		t.Errorf("state %v", w.state())
	}
}

func TestBytesAreTakenWithoutAllocation(t *testing.T) {
	w := newWorld(t)
	w.up()
	update, tick := []byte{0x8e, 0, 5, 52, 1}, []byte{0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 9}
	n := testing.AllocsPerRun(1000, func() {
		w.now += ms
		w.s.Step(w.now, Input{Kind: Bytes, Data: update})
		w.s.Step(w.now, Input{Kind: Bytes, Data: tick})
		w.s.Wake()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPatient(t *testing.T) {
	p, d := DefaultTiming().Patient(), DefaultTiming()
	if p.Answer != 2*d.Answer || p.Silence != 2*d.Silence || p.Lost != 2*d.Lost || p.Quiet != 2*d.Quiet {
		t.Errorf("%+v", p)
	}
	if p.Gap != d.Gap || p.BackoffMax != d.BackoffMax || p.ClockRetry != d.ClockRetry {
		t.Errorf("%+v", p)
	}
}

// The same inputs at the same times give the same outputs, whatever the bytes: no panic, no spin, and never two writes
// within the gap (the world watches).
func FuzzSession(f *testing.F) {
	f.Add([]byte{0x93, 0, 5, 1, 2}, uint8(10))
	f.Add([]byte{0x8f, 0x3e, 3, 0x40, 0x91, 0, 8, 0x31, 0x32, 0x33, 0x34, 0x36}, uint8(200))
	f.Add([]byte{0x8e, 0, 5, 0x40, 0x10, 0x8d, 0, 0x0a, 0, 0, 0, 0, 0, 0, 0x20}, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, pace uint8) {
		if len(data) > 2000 {
			t.Skip()
		}
		play := func() []string {
			w := newWorld(t)
			w.run(1200 * ms)
			for i, b := range data {
				if !w.open {
					w.pass(5 * time.Second)
				}
				if b == 0xff {
					w.step(Input{Kind: Want, Command: dgt.Beep(i%60 + 1)})
				} else {
					w.step(Input{Kind: Bytes, Data: data[i : i+1]})
				}
				w.pass(time.Duration(pace) * time.Duration(b%7) * ms)
			}
			w.pass(30 * time.Second)
			if w.state() == Refused {
				t.Errorf("a board that answers was refused: %v", w.log)
			}
			return w.log
		}
		a, b := play(), play()
		if strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Error("two runs differ")
		}
	})
}
