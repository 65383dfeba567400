package dgt

import "testing"

// Every ack decodes to what was encoded, whatever its four bytes.
func TestClockAckRoundTrip(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			want := ClockAck{[4]byte{byte(a), byte(b), byte(b ^ a), byte(255 - a)}}
			var got ClockAck
			var ct ClockTime
			if kind := decodeClock(appendClockAck(nil, &want), &ct, &got); kind != readAck || got != want {
				t.Fatalf("% x came back as % x (%v)", want.Ack, got.Ack, kind)
			}
		}
	}
}

func TestClockAckReading(t *testing.T) {
	for _, c := range []struct {
		ack     [4]byte
		text    string
		ok      bool
		unasked bool
		op      ClockOp
		report  ClockReport
	}{
		{[4]byte{0x10, 0x0a, 0, 0}, "ack set-and-run ok", true, false, OpSetAndRun, 0},
		{[4]byte{0x40, 0x0a, 0, 0}, "ack set-and-run refused", false, false, OpSetAndRun, 0},
		{[4]byte{0x20, 0, 0, 0}, "ack none busy", false, false, OpNone, 0},
		{[4]byte{0x77, 0x0b, 0, 0}, "ack beep error 77", false, false, OpBeep, 0},
		{[4]byte{0x10, 0x0f, 0, 0}, "ack op 0f ok", true, false, 0x0f, 0},
		{[4]byte{0x10, 0x09, 0x1e, 0}, "ack version 1.14", true, false, OpVersion, 0},
		{[4]byte{0x40, 0x09, 0x1e, 0}, "ack version refused", false, false, OpVersion, 0},
		{[4]byte{0x10, 0x81, 0, 0}, "clock ready 10 81 00 00", true, true, 0, ReportReady},
		{[4]byte{0x10, 0x88, 0x05, 0x31}, "clock button back", true, true, 0, ReportButton},
		{[4]byte{0x10, 0x8a, 0, 25}, "clock mode 10 8a 00 19", true, true, 0, ReportMode},
		{[4]byte{0x10, 0x90, 0, 0}, "clock not-in-mode 10 90 00 00", true, true, 0, ReportNotInMode},
		{[4]byte{0x10, 0xff, 0, 0}, "clock report ff 10 ff 00 00", true, true, 0, 0xff},
	} {
		a := &ClockAck{c.ack}
		if a.String() != c.text || a.OK() != c.ok || a.Unsolicited() != c.unasked {
			t.Errorf("% x: got %q, ok %v, unsolicited %v", c.ack, a, a.OK(), a.Unsolicited())
		}
		if op, ok := a.Op(); ok == c.unasked || ok && op != c.op {
			t.Errorf("% x: op %v, %v", c.ack, op, ok)
		}
		if r, ok := a.Report(); ok != c.unasked || ok && r != c.report {
			t.Errorf("% x: report %v, %v", c.ack, r, ok)
		}
		if opt, ok := a.Mode(); ok != (c.report == ReportMode) || ok && opt != 25 {
			t.Errorf("% x: mode %v, %v", c.ack, opt, ok)
		}
	}
}

func TestClockAckAnswers(t *testing.T) {
	set, err := SetAndRun(minute, minute, Pause)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ack  [4]byte
		cmd  Command
		want bool
	}{
		{[4]byte{0x10, 0x0a}, set, true},
		{[4]byte{0x40, 0x0a}, set, true},
		{[4]byte{0x20, 0x00}, set, true}, // busy, and the clock did not say for what
		{[4]byte{0x10, 0x00}, set, false},
		{[4]byte{0x10, 0x03}, set, false},
		{[4]byte{0x10, 0x8a}, set, false}, // looks like 0a without its eighth bit
		{[4]byte{0x10, 0x81}, SendClockVersion(), false},
		{[4]byte{0x10, 0x09}, SendClockVersion(), true},
		{[4]byte{0x10, 0x09}, SendVersion(), false},
		{[4]byte{0x10, 0x09}, Command{}, false},
	} {
		if got := (&ClockAck{c.ack}).Answers(c.cmd); got != c.want {
			t.Errorf("% x answers %v: got %v", c.ack, c.cmd, got)
		}
	}
}

// All pairs of ack2 and ack3 one program lists (section 4.4).
func TestClockAckButtons(t *testing.T) {
	for _, c := range []struct {
		ack2, ack3 byte
		button     Button
		also       Button
	}{
		{5, 49, ButtonBack, ButtonBack}, {33, 52, ButtonMinus, ButtonMinus}, {17, 51, ButtonRun, ButtonRun},
		{9, 50, ButtonPlus, ButtonPlus}, {65, 53, ButtonOK, ButtonOK},
		{37, 52, ButtonMinus, ButtonBack}, {21, 51, ButtonRun, ButtonBack}, {13, 50, ButtonPlus, ButtonBack}, {69, 53, ButtonOK, ButtonBack},
		{49, 51, ButtonRun, ButtonMinus}, {41, 50, ButtonPlus, ButtonMinus}, {97, 53, ButtonOK, ButtonMinus},
		{25, 50, ButtonPlus, ButtonRun}, {81, 53, ButtonOK, ButtonRun}, {73, 53, ButtonOK, ButtonPlus},
	} {
		b, held, ok := (&ClockAck{[4]byte{0x10, 0x88, c.ack2, c.ack3}}).Button()
		if !ok || b != c.button || !held.Has(b) || !held.Has(c.also) {
			t.Errorf("%d-%d: got %v, held %02x, %v", c.ack2, c.ack3, b, uint8(held), ok)
		}
	}
	if b, held, ok := (&ClockAck{[4]byte{0x10, 0x88, 0, 0x31}}).Button(); !ok || b != ButtonBack || held.Has(ButtonBack) {
		t.Error("a button without the held bits is a button")
	}
	if b, _, ok := (&ClockAck{[4]byte{0x10, 0x88, 0, 0x36}}).Button(); !ok || b != ButtonNone {
		t.Error("an unknown button code is no button")
	}
	if _, _, ok := (&ClockAck{[4]byte{0x10, 0x08, 0, 0x31}}).Button(); ok {
		t.Error("the answer to the button command is no button")
	}
}

func TestClockVersion(t *testing.T) {
	for ack, want := range map[[4]byte]string{{0x10, 9, 0x1e}: "1.14", {0x10, 9, 0x20}: "2.0", {0x10, 9, 0x12}: "1.2"} {
		if v, ok := (&ClockAck{ack}).Version(); !ok || v.String() != want {
			t.Errorf("% x: got %v, %v", ack, v, ok)
		}
	}
	for _, ack := range [][4]byte{{0x40, 9, 0x20}, {0x10, 1, 0x20}, {0x10, 0x89, 0x20}} {
		if v, ok := (&ClockAck{ack}).Version(); ok {
			t.Errorf("% x: got %v", ack, v)
		}
	}
}
