package dgt

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, v := range vectors() {
		t.Run(v.name, func(t *testing.T) {
			b := unhex(t, v.hex)
			got, stats := decodeAll(v.mode, b)
			if !reflect.DeepEqual(got, v.want) {
				t.Errorf("got%s\nwant%s", show(got), show(v.want))
			}
			want := v.stats
			want.Bytes = uint64(len(b))
			want.MessageBytes = stats.Bytes - want.SkippedBytes - uint64(pendingAtEnd[v.name])
			for _, m := range v.want {
				switch m.(type) {
				case *Rejected, *Unknown:
				default:
					want.Messages++
				}
			}
			if stats != want {
				t.Errorf("stats\ngot  %+v\nwant %+v", stats, want)
			}
		})
	}
}

// pendingAtEnd are the vectors that end inside a message.
var pendingAtEnd = map[string]int{"silence in a message": 4}

func TestEncode(t *testing.T) {
	for _, v := range vectors() {
		if v.oneWay {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			var got []byte
			for _, m := range v.want {
				got = AppendMessage(got, m)
			}
			if want := unhex(t, v.hex); !bytes.Equal(got, want) {
				t.Errorf("got  % x\nwant % x", got, want)
			}
		})
	}
}

// A message cut at any offset is the same message.
func TestDecodeSplit(t *testing.T) {
	for _, v := range vectors() {
		b := unhex(t, v.hex)
		want, wantStats := decodeAll(v.mode, b)
		step := 1 + len(b)/200
		for i := 0; i <= len(b); i += step {
			if got, stats := decodeAll(v.mode, b[:i], b[i:]); !reflect.DeepEqual(got, want) || stats != wantStats {
				t.Fatalf("%s split at %d: got%s\nwant%s", v.name, i, show(got), show(want))
			}
		}
		if got, stats := decodeAll(v.mode, byteWise(b)...); !reflect.DeepEqual(got, want) || stats != wantStats {
			t.Errorf("%s byte by byte: got%s\nwant%s", v.name, show(got), show(want))
		}
	}
}

func byteWise(b []byte) (chunks [][]byte) {
	for i := range b {
		chunks = append(chunks, b[i:i+1])
	}
	return chunks
}

// Each vector is decoded right after any other one has been cut short: one
// torn message costs no other.
func TestDecodeAfterTorn(t *testing.T) {
	all := vectors()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		torn, whole := all[r.IntN(len(all))], all[r.IntN(len(captured))]
		b := unhex(t, torn.hex)
		b = b[:r.IntN(min(len(b), 300))]
		before, _ := decodeAll(Single, b)
		got, _ := decodeAll(Single, b, unhex(t, whole.hex))
		if want := append(before, whole.want...); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s cut at %d, then %s: got%s\nwant%s", torn.name, len(b), whole.name, show(got), show(want))
		}
	}
}

// Whatever comes in, chunks do not matter, every byte is accounted for, and
// memory stays below the longest message.
func TestDecodeRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		b := randomLine(t, r)
		for _, mode := range []Mode{Single, Bus} {
			checkStream(t, b, mode, r)
		}
	}
}

// randomLine mixes whole vectors, noise and damage.
func randomLine(t testing.TB, r *rand.Rand) []byte {
	all := vectors()
	var b []byte
	for range 1 + r.IntN(8) {
		part := unhex(t, all[r.IntN(len(all))].hex)
		if len(part) > 0 {
			switch r.IntN(4) {
			case 0:
				part[r.IntN(len(part))] ^= 1 << r.IntN(8)
			case 1:
				i := r.IntN(len(part))
				part = append(part[:i:i], part[i+1:]...)
			}
		}
		b = append(b, part...)
	}
	for range r.IntN(10) {
		b = append(b, byte(r.Uint32()))
	}
	return b
}

func checkStream(t testing.TB, b []byte, mode Mode, r *rand.Rand) {
	t.Helper()
	want, wantStats := decodeAll(mode, b)
	d := Decoder{Mode: mode}
	var c collector
	for rest := b; len(rest) > 0; {
		n := 1 + r.IntN(min(len(rest), 80))
		d.Feed(rest[:n], c.emit)
		rest = rest[n:]
	}
	if !reflect.DeepEqual(c.got, want) || d.Stats() != wantStats {
		t.Fatalf("% x: chunks change the messages: got%s\nwant%s", b, show(c.got), show(want))
	}

	if st := d.Stats(); st.Bytes != st.MessageBytes+st.SkippedBytes+uint64(d.Pending()) {
		t.Fatalf("% x: bytes unaccounted for: %+v, pending %d", b, st, d.Pending())
	}
	if d.Pending() > maxLen || cap(d.buf) > 4*maxLen {
		t.Fatalf("decoder holds %d of %d bytes", d.Pending(), cap(d.buf))
	}

	// decode(encode(m)) is m.
	for _, m := range want {
		line := AppendMessage(nil, m)
		if len(line) == 0 && bearsMakersName(m.ID(), payloadOf(m)) {
			continue
		}
		got, _ := decodeAll(mode, line)
		if ct, ok := m.(*ClockTime); ok && *ct == (ClockTime{}) && got == nil {
			continue // zero without a turn bit cannot be told from the artefact
		}
		if ct, ok := m.(*BusClockTime); ok && ct.ClockTime == (ClockTime{}) && got == nil {
			continue
		}
		if !reflect.DeepEqual(got, []Message{m}) {
			t.Fatalf("% x -> got%s\nwant%s", line, show(got), show([]Message{m}))
		}
	}
}

func payloadOf(m Message) []byte {
	switch m := m.(type) {
	case *Trademark:
		return m.Text
	case *BusOther:
		return m.Data
	case *Rejected:
		return m.Data
	}
	return nil
}

func TestDecodeReset(t *testing.T) {
	var d Decoder
	var c collector
	d.Feed(unhex(t, "8e 00 05 34"), c.emit)
	if d.Pending() != 4 {
		t.Errorf("pending %d", d.Pending())
	}
	d.Reset()
	d.Feed(unhex(t, "00 8e 00 05 24 01"), c.emit)
	if want := []Message{upd("e4", "P")}; !reflect.DeepEqual(c.got, want) {
		t.Errorf("got%s", show(c.got))
	}
	if s := d.Stats(); s.SkippedBytes != 5 || s.Resyncs != 0 {
		t.Errorf("stats %+v", s)
	}
	if got := d.AppendSkipped(nil); !bytes.Equal(got, unhex(t, "8e 00 05 34 00")) {
		t.Errorf("skipped % x", got)
	}
}

func TestDecodeSkippedRing(t *testing.T) {
	var d Decoder
	var want []byte
	for i := range 1000 {
		b := byte(i % 0x80)
		d.Feed([]byte{b}, func(Message) { t.Error("a message") })
		want = append(want, b)
		if got := d.AppendSkipped(nil); !bytes.Equal(got, want[max(0, len(want)-keptBytes):]) {
			t.Fatalf("after %d bytes: % x", i+1, got)
		}
	}
}

// The mode may change between two bytes of the line.
func TestDecodeModeChange(t *testing.T) {
	var d Decoder
	var c collector
	d.Feed(unhex(t, "86 00 43 "+startHex), c.emit)
	d.Mode = Bus
	d.Feed(unhex(t, "86 00 09 08 01 40 34 6b 77"), c.emit)
	d.Mode = Single
	d.Feed(unhex(t, "86 00 43 "+startHex), c.emit)
	want := []Message{&BoardDump{StartPlacement()}, &BusFromStart{1025, []byte{0x40, 0x34, 0x6b}}, &BoardDump{StartPlacement()}}
	if !reflect.DeepEqual(c.got, want) {
		t.Errorf("got%s", show(c.got))
	}
}

func TestDecodeAllocs(t *testing.T) {
	for _, v := range vectors() {
		b := unhex(t, v.hex)
		d := Decoder{Mode: v.mode}
		n := 0
		emit := func(Message) { n++ }
		d.Feed(b, emit)
		if a := testing.AllocsPerRun(20, func() { d.Feed(b, emit) }); a != 0 {
			t.Errorf("%s: %v allocations", v.name, a)
		}
	}
}

func TestMasked(t *testing.T) {
	got, _ := decodeAll(Single, unhex(t, "8e 00 05 34 51 8e 00 05 74 01 8d 00 0a 00 5a 00 00 00 00 08"))
	for i, want := range []FieldUpdate{{0x34, 1}, {0x34, 1}} {
		if u, ok := got[i].(*Rejected).Masked(); !ok || u != want {
			t.Errorf("got %v, %v", u, ok)
		}
	}
	if _, ok := got[2].(*Rejected).Masked(); ok {
		t.Error("a clock message is no field update")
	}
}

func TestAppendMessageTrademark(t *testing.T) {
	for _, text := range []string{"DGT Projects - v1", "a Digital Game Technology board", "\xc4gt with the eighth bit"} {
		for _, m := range []Message{
			&Trademark{[]byte(text)}, &BusOther{IDBusTrademark, 1, []byte(text)},
			&Unknown{IDTrademark, []byte(text)}, &Rejected{IDTrademark, 0, []byte(text)}, &Unknown{IDTrademark & 0x7f, []byte(text)},
		} {
			if got := AppendMessage([]byte{1}, m); !bytes.Equal(got, []byte{1}) {
				t.Errorf("%T %q went out as %q", m, text, got)
			}
		}
	}
}

func TestAppendMessageLimits(t *testing.T) {
	long := bytes.Repeat([]byte{0xff}, 20000)
	for _, m := range []Message{&EELog{long}, &BusChanges{1, false, long}, &Unknown{0xf1, long}} {
		got, stats := decodeAll(Single, AppendMessage(nil, m))
		if len(got) != 1 || stats.Bytes != maxLen || stats.SkippedBytes != 0 {
			t.Errorf("%T: %d messages, %+v", m, len(got), stats)
		}
	}
	for _, c := range []struct{ give, want ClockTime }{
		{ClockTime{Left: ClockFace{Time: 11 * 3600 * second}, Right: ClockFace{Time: -second}, Running: true},
			ClockTime{Left: ClockFace{Time: MaxClock}, Running: true}},
		{ClockTime{Left: ClockFace{Time: 1999 * second / 1000}, Running: true}, ClockTime{Left: ClockFace{Time: second}, Running: true}},
	} {
		got, _ := decodeAll(Single, AppendMessage(nil, &c.give))
		if !reflect.DeepEqual(got, []Message{&c.want}) {
			t.Errorf("got%s", show(got))
		}
	}
}

func TestTrademarkField(t *testing.T) {
	m := &Trademark{[]byte("boardd emulator\r\nsoftware version: 4.00, build: 260101\r\nhardware version: 1.00, serial no: 0000012345\r\n")}
	for name, want := range map[string]string{"software version": "4.00", "Serial No": "0000012345", "build": "260101", "colour": ""} {
		if got := m.Field(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if want := "boardd emulator; software version: 4.00, build: 260101; hardware version: 1.00, serial no: 0000012345"; m.String() != want {
		t.Errorf("got %q", m.String())
	}
}

func FuzzDecoder(f *testing.F) {
	for _, v := range vectors() {
		if b := unhex(f, v.hex); len(b) < 200 {
			f.Add(b, v.mode == Bus, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, bus bool, seed uint64) {
		mode := Single
		if bus {
			mode = Bus
		}
		checkStream(t, b, mode, rand.New(rand.NewPCG(seed, 0)))
	})
}

// BenchmarkDecode reports ns and allocations per message over a mix as of a
// game: two updates and two clock reports.
func BenchmarkDecode(b *testing.B) {
	line := unhex(b, "8e 00 05 34 00 8d 00 0a 20 03 02 20 02 59 09 8e 00 05 24 01 8d 00 0a 20 03 02 20 03 01 13")
	benchmarkLine(b, line, 4)
}

func BenchmarkDecodeDump(b *testing.B) {
	benchmarkLine(b, unhex(b, "86 00 43 "+startHex), 1)
}

func benchmarkLine(b *testing.B, line []byte, messages int) {
	var d Decoder
	n := 0
	emit := func(Message) { n++ }
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		d.Feed(line, emit)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(messages), "ns/message")
	if n != messages*b.N {
		b.Fatalf("%d messages", n)
	}
}
