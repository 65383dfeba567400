package dgt

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

func TestParseLog(t *testing.T) {
	change := func(at int, s Square, p Piece, soon bool) LogEvent {
		c := 0x40 | byte(p)
		if soon {
			c |= 0x10
		}
		return LogEvent{Kind: LogChange, Code: c, Offset: at, Square: s, Piece: p, Soon: soon}
	}
	tag := func(at int, code byte, k LogKind) LogEvent { return LogEvent{Kind: k, Code: code, Offset: at} }
	for _, c := range []struct {
		name, hex string
		want      []LogEvent
	}{
		{"empty", "", nil},
		{"fillers only", "00 7f 7f 00", nil},
		{"e2-e4", "40 34 41 24 6b", []LogEvent{change(0, 0x34, 0, false), change(2, 0x24, 1, false), tag(4, 0x6b, LogEnd)}},
		{"soon", "40 34 51 24", []LogEvent{change(0, 0x34, 0, false), change(2, 0x24, 1, true)}},
		{"clocks", "71 23 59 60 00 07", []LogEvent{
			{Kind: LogClock, Code: 0x71, Offset: 0, Side: Left, Time: time.Hour + 23*minute + 59*second},
			{Kind: LogClock, Code: 0x60, Offset: 3, Side: Right, Time: 7 * second}}},
		{"power-up", "7f 7f 7f 6a 48 00", []LogEvent{tag(3, 0x6a, LogPowerUp), change(4, 0, BlackRook, false)}},
		{"all tags", "6a 6b 6c 6d 6e 6f 7a 7b 7c 7d 7e", []LogEvent{
			tag(0, 0x6a, LogPowerUp), tag(1, 0x6b, LogEnd), tag(2, 0x6c, LogFourRows), tag(3, 0x6d, LogEmptyBoard),
			tag(4, 0x6e, LogDownloaded), tag(5, 0x6f, LogStartPosition), tag(6, 0x7a, LogStartPositionTurned),
			tag(7, 0x7b, LogStartTag), tag(8, 0x7c, LogWatchdog), tag(9, 0x7d, LogNewer), tag(10, 0x7e, LogNewer)}},
		{"newer tags", "10 20 3f 40 34", []LogEvent{
			tag(0, 0x10, LogNewer), tag(1, 0x20, LogNewer), tag(2, 0x3f, LogNewer), change(3, 0x34, 0, false)}},
		{"begins inside an entry", "05 40 34", []LogEvent{tag(0, 0x05, LogUnknown), change(1, 0x34, 0, false)}},
		{"square off the board", "41 40 34", []LogEvent{tag(0, 0x41, LogUnknown), change(1, 0x34, 0, false)}},
		{"seconds out of range", "60 00 60 00 01", []LogEvent{tag(0, 0x60, LogUnknown), {Kind: LogClock, Code: 0x60, Offset: 2, Side: Right, Time: second}}},
		{"change cut off", "40", []LogEvent{tag(0, 0x40, LogUnknown)}},
		{"clock cut off", "60 01", []LogEvent{tag(0, 0x60, LogUnknown), tag(1, 0x01, LogUnknown)}},
		{"erased cells", "ff ff 6b", []LogEvent{tag(0, 0xff, LogUnknown), tag(1, 0xff, LogUnknown), tag(2, 0x6b, LogEnd)}},
		{"after the end", "6b 40 34", []LogEvent{tag(0, 0x6b, LogEnd), change(1, 0x34, 0, false)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := unhex(t, c.hex)
			if got := ParseLog(data); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

// What the emulator writes, the parser reads.
func TestLogRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var data []byte
	var want []LogEvent
	for range 5000 {
		e := LogEvent{Offset: len(data)}
		switch r.IntN(3) {
		case 0:
			e.Kind, e.Square, e.Piece, e.Soon = LogChange, Square(r.IntN(64)), Piece(r.IntN(16)), r.IntN(2) == 0
		case 1:
			e.Kind, e.Side, e.Time = LogClock, Side(r.IntN(2)), time.Duration(r.IntN(36000))*second
		case 2:
			e.Kind = LogPowerUp + LogKind(r.IntN(int(LogNewer-LogPowerUp)))
		}
		data = AppendLog(data, e)
		e.Code = data[e.Offset]
		want = append(want, e)
		if r.IntN(4) == 0 {
			data = append(data, 0x7f)
		}
	}
	if got := ParseLog(data); !reflect.DeepEqual(got, want) {
		t.Error("the log came back otherwise")
	}
}

func TestLogText(t *testing.T) {
	for hex, want := range map[string]string{
		"51 24": "e4 P soon", "40 34": "e2 .", "70 05 00": "left 5m0s", "6a": "power-up", "7a": "start-position-turned", "3f": "newer 3f", "01": "unknown 01",
	} {
		if got := ParseLog(unhex(t, hex))[0].String(); got != want {
			t.Errorf("%s: got %q, want %q", hex, got, want)
		}
	}
}

// FuzzParseLog: nothing is lost. Written out again, the entries are the data
// without its fillers.
func FuzzParseLog(f *testing.F) {
	f.Add([]byte{0x7f, 0x7f, 0x7f, 0x6a, 0x48, 0x00, 0x40, 0x34, 0x51, 0x24, 0x71, 0x23, 0x59, 0x6b})
	f.Add([]byte{0x05, 0x10, 0x7e, 0x08, 0x01, 0x41, 0x40, 0x60, 0x00, 0x60})
	f.Fuzz(func(t *testing.T, data []byte) {
		var out []byte
		last := -1
		for _, e := range ParseLog(data) {
			if e.Offset <= last || e.Code != data[e.Offset] || e.String() == "" {
				t.Fatalf("% x: %+v after offset %d", data, e, last)
			}
			last = e.Offset
			before := len(out)
			out = AppendLog(out, e)
			if got := data[e.Offset:]; !bytes.HasPrefix(got, out[before:]) {
				t.Fatalf("% x: %v written as % x", data, e, out[before:])
			}
		}
		if got := ParseLog(out); len(got) != len(ParseLog(data)) && !bytes.ContainsAny(data, "\x00\x7f") {
			t.Fatalf("% x: %v", data, got)
		}
	})
}
