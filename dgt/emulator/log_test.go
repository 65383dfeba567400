package emulator

import (
	"slices"
	"testing"
	"time"

	"boardd/dgt"
)

// logOf reads the board's log the way a host does and leaves fillers out.
func logOf(t *testing.T, r *rig) []dgt.LogEvent {
	t.Helper()
	r.send(dgt.SendLog())
	r.run(10 * time.Second)
	return last[*dgt.EELog](t, r.take()).Parse()
}

func texts(events []dgt.LogEvent) (text []string) {
	for _, e := range events {
		text = append(text, e.String())
	}
	return text
}

func TestLog(t *testing.T) {
	r := newRig(t, start(4))
	r.run(time.Second)
	r.do(act(t, "button run", "wait 2.5s", "move e2e4", "press", "wait 4s", "move e7e5", "press", "wait 2s"))
	events := logOf(t, r)
	if events[0].Kind != dgt.LogPowerUp {
		t.Fatalf("expected power-up first, got %v", events[0])
	}
	if got := replay(events[1:33]); got != dgt.StartPlacement() {
		t.Errorf("expected one change a man after power-up, got %v", got)
	}
	var halted []time.Duration
	rest := texts(events[33:])
	for i, e := range events[33:] {
		if e.Kind == dgt.LogClock {
			halted = append(halted, e.Time)
			rest[i] = e.Side.String()
		}
	}
	if want := []string{"start-position", "e2 .", "e4 P", "left", "e7 .", "e5 p", "right", "end"}; !slices.Equal(rest, want) {
		t.Errorf("expected %v, got %v", want, rest)
	}
	// 3:02 less the time on the move, plus 2.
	for _, h := range halted {
		if h < 178*time.Second || h > 182*time.Second {
			t.Errorf("expected the time of the halted side with its increment, got %v", h)
		}
	}
	if again := texts(logOf(t, r)); again[len(again)-2] != "downloaded" {
		t.Errorf("expected reading the log to leave a tag, got %v", again[len(again)-3:])
	}
}

func TestSoonBit(t *testing.T) {
	var e eeprom
	for i, at := range []time.Duration{0, 100, 349, 599, 2000} {
		e.change(at*time.Millisecond, dgt.Square(i), dgt.WhiteRook)
	}
	var soon []bool
	for _, ev := range dgt.ParseLog(e.tags) {
		soon = append(soon, ev.Soon)
	}
	if want := []bool{false, true, true, false, false}; !slices.Equal(soon, want) {
		t.Errorf("expected %v, got %v", want, soon)
	}
}

func TestFlickerOverwrites(t *testing.T) {
	var e eeprom
	s := dgt.Square(5)
	e.change(0, s, dgt.WhiteKing)
	e.add(time.Second, dgt.LogEvent{Kind: dgt.LogClock, Time: time.Minute})
	for i := range time.Duration(9) {
		p := dgt.Empty
		if i%2 == 1 {
			p = dgt.WhiteKing
		}
		e.change(2*time.Second+i*300*time.Millisecond, s, p)
	}
	if n := len(dgt.ParseLog(e.tags)); n != 3 {
		t.Errorf("expected flicker to leave one change, got %d entries: %v", n-2, texts(dgt.ParseLog(e.tags)))
	}
	if got := replay(dgt.ParseLog(e.tags))[s]; got != dgt.Empty {
		t.Errorf("expected the last state to be kept, got %v", got)
	}
	e.change(6*time.Second, s, dgt.BlackQueen)
	if n := len(dgt.ParseLog(e.tags)); n != 4 {
		t.Errorf("expected another man to add an entry, got %d", n)
	}
}

func TestLogIsCyclic(t *testing.T) {
	var e eeprom
	e.tag(0, dgt.LogPowerUp)
	for i := range 5000 {
		e.add(time.Duration(i)*time.Second, dgt.LogEvent{Kind: dgt.LogClock, Time: time.Duration(i) * time.Second})
		e.change(time.Duration(i)*time.Second, dgt.Square(i%64), dgt.WhiteRook)
	}
	dump := e.dump()
	if len(dump) != logSize || dump[logSize-1] != 0x6b {
		t.Fatalf("expected %d bytes that end with EOF, got %d", logSize, len(dump))
	}
	events := dgt.ParseLog(dump)
	if n := len(events); n < 3100 {
		t.Errorf("expected a full log, got %d entries", n)
	}
	for _, ev := range events {
		if ev.Kind == dgt.LogUnknown || ev.Kind == dgt.LogPowerUp {
			t.Fatalf("expected whole and recent entries only, got %v", ev)
		}
	}
	if end := events[len(events)-2]; end.Square != dgt.Square(4999%64) {
		t.Errorf("expected the newest entry last, got %v", end)
	}
}

func TestPositionTags(t *testing.T) {
	count := func(c Config, orders ...string) (tags []string) {
		t.Helper()
		r := newRig(t, c)
		r.run(time.Second)
		for _, o := range orders {
			r.do(act(t, o))
		}
		for _, e := range logOf(t, r) {
			switch e.Kind {
			case dgt.LogChange, dgt.LogPowerUp, dgt.LogEnd, dgt.LogClock:
			default:
				tags = append(tags, e.Kind.String())
			}
		}
		return tags
	}
	expect := func(name string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: expected %v, got %v", name, want, got)
		}
	}
	turned := start(1)
	turned.Turned = true
	expect("turned", count(turned), "start-position-turned")
	expect("hysteresis", count(start(1), "move e2e4", "move e4e2"), "start-position")
	expect("searched again", count(start(1), "move e2e4", "move d2d4", "move c2c4", "setup start"), "start-position", "start-position")
	expect("empty", count(Config{}, "place e4 P", "remove e4"), "empty-board", "empty-board")
	c960 := Config{Men: placement(t, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN")}
	expect("four rows", count(c960), "four-rows")
}
