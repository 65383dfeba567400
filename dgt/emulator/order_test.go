package emulator

import (
	"strings"
	"testing"

	"boardd/dgt"
)

func TestOrders(t *testing.T) {
	const castling = "8/8/8/8/8/8/8/R3K2R"
	cases := []struct {
		men, order, want string
	}{
		{"8/8/8/8/8/8/4P3/8", "move e2e4", "8/8/8/8/4P3/8/8/8"},
		{"8/8/8/8/8/8/4P3/8", "move e2 e4", "8/8/8/8/4P3/8/8/8"},
		{"8/8/8/3p4/4P3/8/8/8", "move e4d5", "8/8/8/3P4/8/8/8/8"},
		{"8/8/8/3pP3/8/8/8/8", "move e5d6 x d5", "8/8/3P4/8/8/8/8/8"},
		{"8/4P3/8/8/8/8/8/8", "move e7e8q", "4Q3/8/8/8/8/8/8/8"},
		{"8/8/8/8/8/8/4p3/8", "move e2e1N", "8/8/8/8/8/8/8/4n3"},
		{"3r4/4P3/8/8/8/8/8/8", "move e7d8n", "3N4/8/8/8/8/8/8/8"},
		{castling, "castle e1g1 h1f1", "8/8/8/8/8/8/8/R4RK1"},
		{castling, "castle e1c1 a1d1", "8/8/8/8/8/8/8/2KR3R"},
		{"8/8/8/8/8/8/8/1RK5", "castle c1 c1 b1 d1", "8/8/8/8/8/8/8/2KR4"},
		{"8/8/8/8/8/8/8/5KR1", "castle f1g1 g1f1", "8/8/8/8/8/8/8/5RK1"},
		{castling, "slide a1c1", "8/8/8/8/8/8/8/2R1K2R"},
		{castling, "bump a1", castling},
		{castling, "remove a1", "8/8/8/8/8/8/8/4K2R"},
		{"8/8/8/8/8/8/8/8", "place e4 q", "8/8/8/8/4q3/8/8/8"},
		{"8/8/8/8/8/8/8/8", "setup 8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5"},
		{"8/8/8/8/8/8/8/8", "setup start", dgt.StartPlacement().String()},
	}
	for _, c := range cases {
		for seed := range uint64(8) {
			r := newRig(t, Config{Seed: seed, Men: placement(t, c.men), Manner: Manner{Slides: 0.3, Drags: 0.3}})
			r.do(act(t, c.order))
			if got := r.b.Seen().String(); got != c.want {
				t.Errorf("seed %d: %s on %s: expected %s, got %s", seed, c.order, c.men, c.want, got)
			}
		}
	}
}

func TestOrdersRefused(t *testing.T) {
	cases := []struct{ order, want string }{
		{"", "expected a word"},
		{"jump e2e4", `known orders, got "jump"`},
		{"move", "expected"},
		{"move e2", "two squares"},
		{"move e2e9", `two squares such as e2e4, got "e2e9"`},
		{"move e2e4z", "two squares"},
		{"move e2e4 please", `nothing more, got "please"`},
		{"move e5d6 x", "another word"},
		{"lift i1", "a square such as e4"},
		{"place e4 Pawn", "a piece letter"},
		{"place e4 .", "a piece letter"},
		{"setup 8/8", "expected 8 ranks, got 2"},
		{"setup 8/8/8/8/8/8/8/9", "got '9'"},
		{"setup 8/8/8/8/8/8/8/7", "expected 8 squares, got 7"},
		{"press up", "left or right"},
		{"button", "another word"},
		{"clock", "another word"},
		{"wait soon", "a duration"},
		{"option 23", `remote or own, got "23"`},
		{"battery", "another word"},
		{"adjust 1:00:00", "another word"},
		{"adjust 5:00 10:00:00", `a time up to 9:59:59 such as 1:30:00 or 5:00, got "10:00:00"`},
		{"adjust 5:60 5:00", "a time up to 9:59:59"},
		{"adjust 5 5", "a time up to 9:59:59"},
		{"fault", "another word"},
		{"fault rust 1", `order fault: expected one of lose-byte`},
		{"fault busy 2", `order fault busy: expected a share from 0 to 1, got "2"`},
		{"fault busy NaN", "a share from 0 to 1"},
		{"fault late-ack soon", "a duration such as 3s"},
		{"fail", "another word"},
		{"fail set-and-run maybe", `busy or refused, got "maybe"`},
		{"fail beep busy 0", "how many times"},
	}
	for _, c := range cases {
		if _, err := ParseOrder(c.order); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: expected an error with %q, got %v", c.order, c.want, err)
		}
	}
}

func FuzzOrder(f *testing.F) {
	for _, line := range strings.Split(Orders, "\n") {
		f.Add(line)
	}
	f.Add("move e7e8q")
	f.Add("setup 8/8/8/8/8/8/8/K1k5 w - - 0 1")
	f.Add("place e4 P")
	f.Fuzz(func(t *testing.T, line string) {
		act, err := ParseOrder(line)
		if (act == nil) == (err == nil) {
			t.Fatalf("expected either an act or an error, got %v", err)
		}
		if err != nil {
			return
		}
		b := New(Config{Men: dgt.StartPlacement()})
		h := b.Hands()
		act(h)
		b.Advance(min(h.At(), 1<<36), nil)
	})
}

// FuzzReceive lets a board hear anything at all.
func FuzzReceive(f *testing.F) {
	for _, s := range []string{
		"\x40\x4d", "\x4b\x42\x41", "\x49", "\x2b\x03\x03\x09\x00", "\x43\x2b\x0a\x03\x0a\x01\x1d\x3b\x00\x06\x03\x01\x00",
		"\x87\x00\x00\x07", "\x88\x00\x00\x08", "\x2b\x0a\x03\x0a\xff", "\x60\x04\x00\x40\x40\x00", "\x47\x46\x48\x4a\x4c\x55",
		"\x82\x08\x01\x0b\x83\x08\x01\x0c\x84\x08\x01\x0d\x86\x08\x01\x0f\x8d\x08\x01\x16",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := start(1)
		c.Identity.Serial = 1025
		c.Clock.Remote = true
		b := New(c)
		b.Hands().Play(52, 36)
		var out []byte
		for i := 0; i < len(data); i += 5 {
			b.Receive(data[i:min(i+5, len(data))])
			out = b.Advance(b.Now()+50e6, out)
		}
		// Whatever was said, what comes back is well formed, and the board
		// still obeys.
		b.Receive(make([]byte, 300)) // ends a frame that was cut
		b.Receive([]byte{0x40})
		out = b.Advance(b.line.free+2e9, out)
		var d dgt.Decoder
		d.Feed(out, func(dgt.Message) {})
		if st := d.Stats(); st.OutOfRange > 0 {
			t.Fatalf("expected only sound messages, got %+v", st)
		}
		if b.mode != modeIdle {
			t.Fatalf("expected idle mode after a reset, got %d", b.mode)
		}
	})
}
