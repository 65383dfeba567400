package dgt

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// must unwraps a constructor in a table.
func must(c Command, err error) Command {
	if err != nil {
		panic(err)
	}
	return c
}

// said are commands and their bytes, used both ways (sections 3, 5, 6.2 and
// 9).
var said = []struct {
	hex  string
	cmd  Command
	text string
}{
	{"40", Reset(), "reset"},
	{"41", SendClock(), "send clock"},
	{"42", SendBoard(), "send board"},
	{"43", Update(), "update"},
	{"44", UpdateBoard(), "update board"},
	{"45", SendSerial(), "send serial"},
	{"46", SendBusAddress(), "send bus address"},
	{"47", SendTrademark(), "send trademark"},
	{"48", SendHardwareVersion(), "send hardware version"},
	{"49", SendLog(), "send log"},
	{"4a", ToBusMode(), "to bus mode"},
	{"4b", UpdateNice(), "update nice"},
	{"4c", SendBattery(), "send battery"},
	{"4d", SendVersion(), "send version"},
	{"50", SendDraughts(false), "send draughts black"},
	{"52", SendDraughts(true), "send draughts white"},
	{"55", SendLongSerial(), "send long serial"},
	{"56", SendI2CClock(), "send i2c clock"},
	{"57", UpdateI2C(), "update i2c"},
	{"58", UpdateI2CNice(), "update i2c nice"},
	{"59", SendLockState(), "send lock state"},
	{"5a", SendKeyState(), "send key state"},

	{"2b 03 03 09 00", SendClockVersion(), "clock version 2b 03 03 09 00"},
	{"2b 03 03 03 00", EndDisplay(), "clock end-display 2b 03 03 03 00"},
	{"2b 03 03 08 00", SendButton(), "clock button 2b 03 03 08 00"},
	{"2b 04 03 0b 01 00", Beep(1), "clock beep 2b 04 03 0b 01 00"},
	{"2b 0a 03 0a 01 1d 3b 00 06 03 03 00", must(SetAndRun(5399*second, 363*second, RunLeft|RunRight)),
		"clock set-and-run 2b 0a 03 0a 01 1d 3b 00 06 03 03 00"},
	{"2b 0a 03 0a 00 05 00 00 05 00 04 00", must(SetAndRun(5*minute, 5*minute, Pause)), ""},
	{"2b 0a 03 0a 01 1e 00 01 1e 00 01 00", must(SetAndRun(90*minute, 90*minute, RunLeft)), ""},
	{"2b 0a 03 0a 09 3b 3b 00 00 00 0a 00", must(SetAndRun(MaxClock, 0, RunRight|Toggle)), ""},
	{"2b 0a 03 0a 11 00 00 10 00 00 04 00", must(SetAndRun(time.Hour, 0, Pause|CountUpLeft|CountUpRight)), ""},
	{"2b 0b 03 01 5b 3f 06 6d 66 4f 00 03 00", must(Display("102345", true)), ""},
	{"2b 0b 03 01 00 06 76 00 00 00 00 01 00", must(Display("Hi", false)), ""},
	{"2b 0c 03 0c 62 6f 61 72 64 64 20 20 0f 00", must(ASCII("boardd", 15)), ""},
	{"2b 0c 03 0c 6e 71 73 74 69 6a 5a 40 00 00", must(ASCII("NQSTIJZ@", 0)), ""},
	{"2b 0f 03 0d 52 45 56 20 20 20 20 20 20 20 20 01 00", must(RevelationASCII("REV", 1)), ""},
	{"2b 0b 03 02 01 02 10 21 08 00 00 00 00", must(ShowIcons(Icons{Left: IconTime, Right: IconFischer, LeftPeriod: 5, RightPeriod: 1, RightFlag: true, Special: IconWhiteBlack})), ""},

	{"60 04 00 40 40 00", LEDsOff(), "command 60 04 00 40 40 00"},
	{"60 04 01 34 24 00", LEDs(0x34, 0x24, true), ""},
	{"60 04 00 00 3f 00", LEDs(0, 63, false), ""},

	{"87 00 00 07", BusCommand(BusSendPing, AllBoards), "bus ping to 0"},
	{"8b 00 00 0b", BusCommand(BusSendVersion, AllBoards), "bus send version to 0"},
	{"81 10 06 17", BusCommand(BusSendClock, 2054), "bus send clock to 2054"},
	{"87 08 01 10", BusCommand(BusSendPing, 1025), ""},
	{"83 08 01 0c", BusCommand(BusSendChanges, 1025), ""},
	{"84 08 01 0d", BusCommand(BusRepeatChanges, 1025), ""},
	{"82 08 01 0b", BusCommand(BusSendBoard, 1025), ""},
	{"81 08 01 0a", BusCommand(BusSendClock, 1025), ""},
	{"85 08 01 0e", BusCommand(BusSetStartGame, 1025), ""},
	{"86 08 01 0f", BusCommand(BusSendFromStart, 1025), ""},
	{"88 08 01 11", BusCommand(BusEnd, 1025), ""},
	{"89 08 01 12", BusCommand(BusReset, 1025), ""},
	{"8a 08 01 13", BusCommand(BusIgnoreNextPing, 1025), ""},
	{"8b 08 01 14", BusCommand(BusSendVersion, 1025), ""},
	{"a0 7f 7f 1e", BusCommand(BusSendConfig, MaxAddress), ""},
}

func hear(chunks ...[]byte) ([]Command, CommandStats) {
	var d CommandDecoder
	var got []Command
	for _, c := range chunks {
		d.Feed(c, func(c Command) { got = append(got, c) })
	}
	return got, d.Stats()
}

func TestCommands(t *testing.T) {
	for _, c := range said {
		b := unhex(t, c.hex)
		if got := c.cmd.AppendTo([]byte{7}); !bytes.Equal(got[1:], b) || got[0] != 7 || c.cmd.Len() != len(b) {
			t.Errorf("%s: sent as % x", c.hex, got[1:])
		}
		for i := range b {
			if got, _ := hear(b[:i], b[i:]); !reflect.DeepEqual(got, []Command{c.cmd}) {
				t.Errorf("%s split at %d: heard as %v", c.hex, i, got)
			}
		}
		if c.text != "" && c.cmd.String() != c.text {
			t.Errorf("%s: got %q", c.hex, c.cmd)
		}
		if c.cmd.Code() != b[0] || c.cmd.IsZero() {
			t.Errorf("%s: code %02x", c.hex, c.cmd.Code())
		}
	}
}

func TestCommandZero(t *testing.T) {
	var c Command
	if !c.IsZero() || c.Sendable() || c.Len() != 0 || len(c.AppendTo(nil)) != 0 || c.String() != "no command" {
		t.Errorf("the zero command is %v", c)
	}
}

func TestSetAndRun(t *testing.T) {
	for _, c := range []struct {
		left, right time.Duration
		run         Run
		wantL       time.Duration
		err         string
	}{
		{left: 1, wantL: second},
		{left: 1500 * time.Millisecond, wantL: 2 * second},
		{left: MaxClock, wantL: MaxClock},
		{left: -1, err: "dgt: set and run: expected a left time of 0 to 9h59m59s, got -1ns"},
		{right: 10 * time.Hour, err: "dgt: set and run: expected a right time of 0 to 9h59m59s, got 10h0m0s"},
		{right: MaxClock + 1, err: "dgt: set and run: expected a right time of 0 to 9h59m59s, got 9h59m59.000000001s"},
		{run: 0x40, err: "dgt: set and run: expected run bits within 3f, got 40"},
	} {
		cmd, err := SetAndRun(c.left, c.right, c.run)
		if c.err != "" {
			if err == nil || err.Error() != c.err || !cmd.IsZero() {
				t.Errorf("%v %v: got %v, %v", c.left, c.right, cmd, err)
			}
			continue
		}
		if l, _, _, ok := cmd.SetAndRun(); err != nil || !ok || l != c.wantL {
			t.Errorf("%v: got %v, %v, %v", c.left, l, ok, err)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		l, rt, run := time.Duration(r.IntN(36000))*second, time.Duration(r.IntN(36000))*second, Run(r.IntN(64))
		cmd := must(SetAndRun(l, rt, run))
		if gl, gr, grun, ok := cmd.SetAndRun(); !ok || gl != l || gr != rt || grun != run {
			t.Fatalf("%v %v %02x came back as %v %v %02x", l, rt, run, gl, gr, grun)
		}
	}
	for _, hex := range []string{"2b 0a 03 0a 0b 00 00 00 00 00 04 00", "2b 0a 03 0a 00 3c 00 00 00 00 04 00", "2b 0a 03 0a 00 00 00 00 00 00 10 00", "2b 04 03 0a 00 00", "41"} {
		got, _ := hear(unhex(t, hex))
		if _, _, _, ok := got[0].SetAndRun(); ok {
			t.Errorf("%s: taken for a set and run", hex)
		}
	}
}

func TestBeepLimits(t *testing.T) {
	for n, want := range map[int]byte{-1: 1, 0: 1, 1: 1, 63: 63, 64: 63, 1 << 30: 63} {
		if got := Beep(n).ClockArgs(nil); !bytes.Equal(got, []byte{want}) {
			t.Errorf("%d: got % x", n, got)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		make func() (Command, error)
		want string
	}{
		{func() (Command, error) { return Display("1234567", false) }, `dgt: display: expected at most 6 characters, got 7 in "1234567"`},
		{func() (Command, error) { return Display("max", false) }, `dgt: display: no seven-segment form of 'm' in "max"`},
		{func() (Command, error) { return ASCII("123456789", 0) }, `dgt: ascii: expected at most 8 characters, got 9 in "123456789"`},
		{func() (Command, error) { return ASCII("é", 0) }, `dgt: ascii: expected printable ASCII, got "é"`},
		{func() (Command, error) { return ASCII("a", 16) }, `dgt: ascii: expected a beep of 0 to 15, got 16`},
		{func() (Command, error) { return RevelationASCII("a", -1) }, `dgt: revelation-ascii: expected a beep of 0 to 15, got -1`},
		{func() (Command, error) { return ShowIcons(Icons{LeftPeriod: 6}) }, `dgt: icons: expected periods of 0 to 5, got 6 and 0`},
		{func() (Command, error) { return ShowIcons(Icons{Left: 0x4e}) }, `dgt: icons: expected a combination that can be sent, got 4e`},
	} {
		if cmd, err := c.make(); err == nil || err.Error() != c.want || !cmd.IsZero() {
			t.Errorf("got %v, %v\nwant %s", cmd, err, c.want)
		}
	}
	if text, ok := must(ASCII("Set OK", 0)).Text(); !ok || text != "set OK  " {
		t.Errorf("got %q, %v", text, ok)
	}
	if _, ok := Beep(1).Text(); ok {
		t.Error("a beep has no text")
	}
}

func TestBusCommandRefuses(t *testing.T) {
	for _, c := range []Command{
		BusCommand(0x4e, 1), BusCommand(0, 1), BusCommand(0x8e, 1), BusCommand(0xa1, 1), BusCommand(BusSendPing, MaxAddress+1),
	} {
		if !c.IsZero() {
			t.Errorf("made %v", c)
		}
	}
	if op, to, ok := BusCommand(BusSendFromStart, 10917).Bus(); !ok || op != BusSendFromStart || to != 10917 {
		t.Errorf("got %v to %d, %v", op, to, ok)
	}
	if s := BusOp(0xff).String(); s != "op ff" {
		t.Errorf("got %q", s)
	}
}

// What else hosts say on the line, and how a board's ear takes it.
func TestCommandDecoderRough(t *testing.T) {
	for _, c := range []struct {
		name, hex string
		want      []Command
		skipped   uint64
		badSum    uint64
	}{
		{"LiveChess detection", "40 40 40 47 46 4a 8b 00 00 0b", []Command{Reset(), Reset(), Reset(), SendTrademark(), SendBusAddress(), ToBusMode(),
			BusCommand(BusSendVersion, AllBoards)}, 0, 0},
		{"probe of another system", "df 0d 12 03 00 00 00 00 00 00 00 00 00 01 00 03 02 30 00 42", []Command{SendBoard()}, 19, 0},
		{"stray zeros after a frame", "2b 0a 03 0a 01 1d 3b 00 06 03 03 00 00 00 41", []Command{must(SetAndRun(5399*second, 363*second, 3)), SendClock()}, 2, 0},
		{"randomise ping", "92 2a 2a 66", []Command{BusCommand(BusRandomPing, 0x2a<<7|0x2a)}, 0, 0},
		{"wrong checksum", "87 08 01 11 41", []Command{SendClock()}, 4, 1},
		{"bus command cut off", "87 08 87 08 01 10", []Command{BusCommand(BusSendPing, 1025)}, 2, 0},
		{"frame cut off by a bus command", "2b 0a 03 0a 87 08 01 10", []Command{BusCommand(BusSendPing, 1025)}, 4, 0},
		{"noise", "00 0d 0a 20 7f 41", []Command{SendClock()}, 5, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.hex)
			for _, chunks := range [][][]byte{{b}, byteWise(b)} {
				got, stats := hear(chunks...)
				if !reflect.DeepEqual(got, c.want) {
					t.Errorf("got %v\nwant %v", got, c.want)
				}
				if want := (CommandStats{uint64(len(b)), uint64(len(c.want)), c.skipped, c.badSum}); stats != want {
					t.Errorf("got %+v\nwant %+v", stats, want)
				}
			}
		})
	}
}

// A modem program's letters are commands to a board, the harmful ones too, and
// "+G" swallows 71 bytes as it does on a real one (section 1.6).
func TestCommandDecoderModemLetters(t *testing.T) {
	got, _ := hear([]byte("ATINSQ"))
	var codes []byte
	for _, c := range got {
		codes = append(codes, c.Code())
	}
	if string(codes) != "ATINSQ" {
		t.Errorf("heard %q", codes)
	}
	for i, want := range []bool{true, false, true, false, false, false} {
		if got[i].Sendable() != want {
			t.Errorf("%v: sendable %v", got[i], !want)
		}
	}
	got, stats := hear(append([]byte("+G"), bytes.Repeat([]byte("A"), 72)...))
	if len(got) != 2 || got[0].Code() != 0x2b || got[0].Sendable() || got[1] != SendClock() || stats.SkippedBytes != 0 {
		t.Errorf("got %v, %+v", got, stats)
	}
	got, _ = hear(unhex(t, "63 07 8e 87 b0 18 b6 f4 00 5a"))
	if len(got) != 2 || got[0].Code() != 0x63 || got[0].Sendable() || got[1] != SendKeyState() {
		t.Errorf("got %v", got)
	}
}

func TestCommandDecoderReset(t *testing.T) {
	var d CommandDecoder
	n := 0
	d.Feed([]byte{0x2b, 0x0a}, func(Command) { n++ })
	if d.Pending() != 2 {
		t.Errorf("pending %d", d.Pending())
	}
	d.Reset()
	d.Feed([]byte{0x41}, func(Command) { n++ })
	if n != 1 || d.Pending() != 0 || d.Stats().SkippedBytes != 2 {
		t.Errorf("%d commands, %+v", n, d.Stats())
	}
}

func TestCommandAllocs(t *testing.T) {
	var d CommandDecoder
	var line []byte
	for _, c := range said {
		line = c.cmd.AppendTo(line)
	}
	n := 0
	emit := func(c Command) { n++ }
	if a := testing.AllocsPerRun(20, func() { d.Feed(line, emit) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
	buf := make([]byte, 0, 64)
	if a := testing.AllocsPerRun(20, func() { c, _ := SetAndRun(minute, minute, Pause); buf = c.AppendTo(buf[:0]) }); a != 0 {
		t.Errorf("%v allocations to make and send one", a)
	}
}

func FuzzCommandDecoder(f *testing.F) {
	for _, c := range said {
		f.Add(unhex(f, c.hex), uint64(1))
	}
	f.Add([]byte("ATINSQ+GAAAA"), uint64(2))
	f.Add(unhex(f, "63 07 be f5 ae dd a9 5f 00 60 02 00 00 2c 05 01 02 03 04 05"), uint64(3))
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		want, wantStats := hear(b)
		var d CommandDecoder
		var got []Command
		for rest := b; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			d.Feed(rest[:n], func(c Command) { got = append(got, c) })
			rest = rest[n:]
		}
		if !reflect.DeepEqual(got, want) || d.Stats() != wantStats {
			t.Fatalf("% x: chunks change the commands: %v, %v", b, got, want)
		}
		for _, c := range want {
			checkHarmless(t, c)
			line := c.AppendTo(nil)
			if c.Sendable() != (len(line) > 0) || len(line) != c.Len() {
				t.Fatalf("%v: sendable %v, % x", c, c.Sendable(), line)
			}
			if again, _ := hear(line); len(line) > 0 && !reflect.DeepEqual(again, []Command{c}) {
				t.Fatalf("%v came back as %v", c, again)
			}
			c.SetAndRun()
			c.Text()
			c.ClockArgs(nil)
			_ = c.String()
		}
	})
}
