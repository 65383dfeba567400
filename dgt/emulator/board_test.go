package emulator

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
)

func TestModes(t *testing.T) {
	// What arrives in each mode when a man moves and the clock is pressed.
	cases := []struct {
		name      string
		enter     []dgt.Command
		men, time bool
	}{
		{"power-up is bus mode", nil, false, false},
		{"idle", []dgt.Command{dgt.Reset()}, false, false},
		{"update", []dgt.Command{dgt.Update()}, true, true},
		{"update board", []dgt.Command{dgt.UpdateBoard()}, true, false},
		{"update nice", []dgt.Command{dgt.UpdateNice()}, true, true},
		{"exclusive", []dgt.Command{dgt.UpdateNice(), dgt.UpdateBoard()}, true, false},
		{"sticky over questions", []dgt.Command{dgt.UpdateBoard(), dgt.SendVersion(), dgt.SendBoard()}, true, false},
		{"back to idle", []dgt.Command{dgt.UpdateNice(), dgt.Reset()}, false, false},
		{"back to bus", []dgt.Command{dgt.UpdateNice(), dgt.ToBusMode()}, false, false},
		{"bus command ends single mode", []dgt.Command{dgt.UpdateNice(), dgt.BusCommand(dgt.BusSendPing, 0)}, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, start(1))
			r.send(c.enter...)
			r.run(time.Second)
			r.take()
			r.do(act(t, "button run", "move e2e4", "press", "wait 3s"))
			got := r.take()
			if n := len(updates(got)); n > 0 != c.men {
				t.Errorf("expected field updates: %v, got %d", c.men, n)
			}
			if n := len(all[*dgt.ClockTime](got)); n > 0 != c.time {
				t.Errorf("expected clock times: %v, got %d", c.time, n)
			}
		})
	}
}

func TestUpdateRepeatsTheTime(t *testing.T) {
	r := newRig(t, start(1))
	r.send(dgt.Update())
	r.run(5050 * time.Millisecond)
	if n := len(all[*dgt.ClockTime](r.take())); n != 5 {
		t.Errorf("expected 5 times in 5 s from a clock that stands, got %d", n)
	}
	r.send(dgt.UpdateNice())
	r.run(5 * time.Second)
	if n := len(all[*dgt.ClockTime](r.take())); n != 0 {
		t.Errorf("update nice: expected no time from a clock that stands, got %d", n)
	}
}

func TestAnswers(t *testing.T) {
	battery := &dgt.Battery{Percent: 88, Discharging: true}
	c := start(1)
	c.Identity = Identity{Serial: 1025, LongSerial: "0000001025", Firmware: dgt.Version{Major: 1, Minor: 2}, Battery: battery}
	cases := []struct {
		ask  dgt.Command
		want string // hex as the wire carries it
	}{
		{dgt.SendSerial(), "\x91\x00\x0801025"},
		{dgt.SendLongSerial(), "\xa2\x00\x0d0000001025"},
		{dgt.SendBusAddress(), "\x90\x00\x05\x08\x01"},
		{dgt.SendVersion(), "\x93\x00\x05\x01\x02"},
		{dgt.SendHardwareVersion(), "\x96\x00\x05\x01\x00"},
		{dgt.SendBattery(), "\xa0\x00\x0c\x58\x7f\x7f\x00\x00\x00\x00\x00\x02"},
		{dgt.SendClock(), "\x8d\x00\x0a\x20\x03\x02\x20\x03\x02\x08"},
		{dgt.SendBoard(), "\x86\x00\x43\x08\x09\x0a\x0c\x0b\x0a\x09\x08" + strings.Repeat("\x07", 8) +
			strings.Repeat("\x00", 32) + strings.Repeat("\x01", 8) + "\x02\x03\x04\x06\x05\x04\x03\x02"},
		{dgt.Reset(), ""},
		{dgt.ToBusMode(), ""},
	}
	for _, c2 := range cases {
		t.Run(c2.ask.String(), func(t *testing.T) {
			r := newRig(t, c)
			r.run(300 * time.Millisecond)
			r.send(c2.ask)
			if string(r.raw) != c2.want {
				t.Errorf("expected % x, got % x", c2.want, r.raw)
			}
		})
	}
	c.Identity.Battery = nil
	r := newRig(t, c)
	if r.send(dgt.SendBattery()); len(r.raw) > 0 {
		t.Errorf("expected no answer from a board without a battery, got % x", r.raw)
	}
}

func TestSelfDescriptionIsOurOwn(t *testing.T) {
	r := newRig(t, start(1))
	r.send(dgt.SendTrademark())
	r.run(time.Second)
	text := strings.ToLower(string(r.raw))
	if !strings.Contains(text, "boardd emulator") {
		t.Fatalf("expected our own text, got %q", text)
	}
	for _, mark := range []string{"dgt", "digital game", "projects", "(c)", "copyright"} {
		if strings.Contains(text, mark) {
			t.Errorf("expected nothing of the maker's in the text, found %q in %q", mark, text)
		}
	}
}

func TestHarmfulCommandsAreHeardAndNotObeyed(t *testing.T) {
	var codes []byte
	c := start(1)
	c.Heard = func(_ time.Duration, c dgt.Command) { codes = append(codes, c.Code()) }
	r := newRig(t, c)
	r.b.Receive([]byte{0x40, 0x4e, 0x51, 0x53, 0x54})
	r.run(time.Second)
	if want := []byte{0x40, 0x4e, 0x51, 0x53, 0x54}; !bytes.Equal(codes, want) || len(r.raw) > 0 {
		t.Errorf("expected % x heard and no answer, got % x and % x", want, codes, r.raw)
	}
}

func TestLineIsPaced(t *testing.T) {
	r := newRig(t, start(1))
	r.run(time.Second)
	r.b.Receive([]byte{0x40, 0x42})
	begin := r.b.Now()
	if out := r.b.Advance(begin+byteTime-1, nil); len(out) != 0 {
		t.Errorf("expected nothing before a byte can have left, got % x", out)
	}
	if out := r.b.Advance(begin+byteTime, nil); len(out) != 1 {
		t.Errorf("expected one byte after one byte's time, got % x", out)
	}
	if out := r.b.Advance(begin+67*byteTime, nil); len(out) != 66 {
		t.Errorf("expected the dump to take 67 bytes' time, got %d of the other 66", len(out))
	}
}

func TestQuietMove(t *testing.T) {
	r := newRig(t, start(3))
	r.send(dgt.UpdateNice())
	r.do(act(t, "move e2e4"))
	if got, want := updates(r.take()), []string{"e2 .", "e4 P"}; !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
}

func TestTurnedBoard(t *testing.T) {
	c := start(3)
	c.Turned = true
	r := newRig(t, c)
	r.send(dgt.SendBoard(), dgt.UpdateNice())
	dump := last[*dgt.BoardDump](t, r.take())
	if dump.Placement != dgt.StartPlacement().Turned() {
		t.Errorf("expected the array from the other side, got %v", dump.Placement)
	}
	r.do(act(t, "move e2e4"))
	// From the raw capture: real e2-e4 reads d7-d5.
	if got, want := updates(r.take()), []string{"d7 .", "d5 P"}; !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
	if got := r.b.Seen(); got != r.b.Placement() {
		t.Errorf("expected the board to have seen %v, got %v", r.b.Placement(), got)
	}
}

// TestWhatTheBoardReports plays at random for many seeds and checks what must
// hold whatever the hands do.
func TestWhatTheBoardReports(t *testing.T) {
	for seed := range uint64(60) {
		c := start(seed)
		c.Turned = seed%3 == 0
		c.Manner = Manner{Haste: []float64{0, 0.5, 3}[seed%3], Slides: 0.4, Drags: 0.4}
		r := newRig(t, c)
		r.send(dgt.Reset(), dgt.UpdateNice(), dgt.SendBoard())
		view := last[*dgt.BoardDump](t, r.take()).Placement

		rng := rand.New(rand.NewPCG(seed, 99))
		for range 30 {
			r.do(func(h *Hands) { anything(h, rng) })
		}
		for _, h := range r.take() {
			u, ok := h.m.(*dgt.FieldUpdate)
			if !ok {
				continue
			}
			if view[u.Square] == u.Piece {
				t.Fatalf("seed %d: update %v changes nothing", seed, u)
			}
			view[u.Square] = u.Piece
		}
		r.send(dgt.SendBoard())
		dump := last[*dgt.BoardDump](t, r.take()).Placement
		if dump != view {
			t.Fatalf("seed %d: the updates add up to\n%v, the dump is\n%v", seed, view, dump)
		}
		if got := r.b.Seen(); got != r.b.Placement() {
			t.Fatalf("seed %d: the men stand\n%v, the board says\n%v", seed, r.b.Placement(), got)
		}
		r.b.Receive([]byte{0x49})
		r.run(10 * time.Second)
		if got := replay(last[*dgt.EELog](t, r.take()).Parse()); got != dump {
			t.Fatalf("seed %d: the log adds up to\n%v, the dump is\n%v", seed, got, dump)
		}
	}
}

// anything does something to the men, legal or not, that leaves each square
// with at most one man.
func anything(h *Hands, rng *rand.Rand) {
	now := h.board.Placement()
	var men, empty []dgt.Square
	for s, p := range now {
		if p == dgt.Empty {
			empty = append(empty, dgt.Square(s))
		} else {
			men = append(men, dgt.Square(s))
		}
	}
	if len(men) < 4 {
		h.SetUp(dgt.StartPlacement())
		return
	}
	one := func(of []dgt.Square) dgt.Square { return of[rng.IntN(len(of))] }
	a, b := one(men), one(men)
	for b == a {
		b = one(men)
	}
	e, e2 := one(empty), one(empty)
	switch rng.IntN(12) {
	case 0, 1, 2:
		h.Play(a, e)
	case 3, 4:
		h.Play(a, b)
	case 5:
		h.Capture(a, b, CaptureWay(rng.IntN(3)))
	case 6:
		h.Play(a, e, Taking(b))
	case 7:
		if e != e2 {
			h.Castle(a, e, b, e2, CastleWay(rng.IntN(3)))
		}
	case 8:
		h.Promote(a, e, dgt.WhiteQueen, PromoteWay(rng.IntN(3)))
	case 9:
		h.Bump(a, rng.Float64()-0.5, rng.Float64()-0.5)
	case 10:
		h.Both(func(h *Hands) { h.Move(a, e) }, func(h *Hands) { h.Wait(100 * time.Millisecond); h.Adjust(b) })
	case 11:
		h.Lift(a)
		h.Wait(time.Second)
		h.Place(e)
	}
}

// replay returns what a log says stands where in the end.
func replay(events []dgt.LogEvent) (p dgt.Placement) {
	for _, e := range events {
		if e.Kind == dgt.LogChange {
			p[e.Square] = e.Piece
		}
	}
	return p
}

func TestSameSeedSameBytes(t *testing.T) {
	play := func(seed uint64, step time.Duration) []byte {
		b := New(start(seed))
		b.Receive([]byte{0x4b})
		h := b.Hands()
		h.StartStop()
		for _, m := range [][2]dgt.Square{{52, 36}, {12, 28}, {62, 45}, {1, 18}} {
			h.Play(m[0], m[1])
			h.Press()
			h.Wait(2 * time.Second)
		}
		var out []byte
		for now := time.Duration(0); now < 30*time.Second; now += step {
			out = b.Advance(now, out)
		}
		return out
	}
	a := play(7, 16*time.Millisecond)
	if len(a) < 100 || !bytes.Equal(a, play(7, 16*time.Millisecond)) {
		t.Error("expected the same bytes from the same seed")
	}
	if b := play(7, time.Millisecond); !bytes.Equal(a, b[:len(a)]) {
		t.Error("expected the same bytes however time is cut")
	}
	if bytes.Equal(a, play(8, 16*time.Millisecond)) {
		t.Error("expected other bytes from another seed")
	}
}

func TestFaults(t *testing.T) {
	c := start(1)
	c.Faults = Faults{LoseByte: 0.02, Noise: 0.02}
	r := newRig(t, c)
	r.send(dgt.UpdateNice())
	for range 40 {
		r.do(act(t, "move e2e4"))
		r.do(act(t, "move e4e2"))
	}
	st := r.decoder.Stats()
	if st.Messages < 100 || st.SkippedBytes == 0 {
		t.Errorf("expected a line that mostly works and sometimes does not, got %+v", st)
	}
	r.b.SetFaults(Faults{})
	r.b.Unplug() // drops what is queued
	r.b.Replug()
	r.send(dgt.Reset(), dgt.SendVersion())
	before := r.decoder.Stats().SkippedBytes
	r.send(dgt.SendBoard(), dgt.UpdateNice())
	r.do(act(t, "move e2e4"))
	if after := r.decoder.Stats().SkippedBytes; after != before {
		t.Errorf("expected no more trouble, got %d bad bytes", after-before)
	}
}

func TestUnaskedLogBlocksTheLine(t *testing.T) {
	r := newRig(t, start(1))
	r.send(dgt.UpdateNice())
	r.take()
	r.b.SendLog()
	r.do(act(t, "move e2e4"))
	if got := r.take(); len(got) != 0 {
		t.Errorf("expected nothing before the log is through, got %v", got)
	}
	r.run(9 * time.Second)
	got := r.take()
	if len(last[*dgt.EELog](t, got).Data) != logSize {
		t.Errorf("expected the whole area of %d bytes", logSize)
	}
	if u := updates(got); !slices.Equal(u, []string{"e2 .", "e4 P"}) {
		t.Errorf("expected the move after the log, got %v", u)
	}
}

func TestCableOut(t *testing.T) {
	for _, busPowered := range []bool{false, true} {
		c := start(1)
		c.BusPowered = busPowered
		r := newRig(t, c)
		r.send(dgt.UpdateNice())
		r.b.Unplug()
		r.b.Receive([]byte{0x42})
		r.do(act(t, "move e2e4"))
		r.do(act(t, "move e7e5"))
		if got := r.take(); len(got) > 0 {
			t.Fatalf("expected silence without a cable, got %v", got)
		}
		r.b.Replug()
		r.do(act(t, "move g1f3"))
		if got := r.take(); len(got) > 0 {
			t.Fatalf("expected bus mode after the cable is back, got %v", got)
		}
		r.send(dgt.SendBoard())
		if got := last[*dgt.BoardDump](t, r.take()).Placement; got != r.b.Placement() {
			t.Errorf("bus powered %v: expected %v, got %v", busPowered, r.b.Placement(), got)
		}
		r.send(dgt.SendLog())
		r.run(10 * time.Second)
		logged, ups := false, 0
		events := last[*dgt.EELog](t, r.take()).Parse()
		for _, e := range events {
			if e.Kind == dgt.LogChange && e.Piece == dgt.Empty && e.Square == sq(t, "e7") {
				logged = true
			}
			if e.Kind == dgt.LogPowerUp {
				ups++
			}
		}
		if logged == busPowered {
			t.Errorf("bus powered %v: expected the log to know of the outage: %v, got %v", busPowered, !busPowered, logged)
		}
		if want := map[bool]int{false: 1, true: 2}[busPowered]; ups != want {
			t.Errorf("bus powered %v: expected %d power-ups in the log, got %d", busPowered, want, ups)
		}
		if got := replay(events); !busPowered && got != r.b.Placement() {
			t.Errorf("expected the log to add up to %v, got %v", r.b.Placement(), got)
		}
	}
}

func TestBlindSquare(t *testing.T) {
	r := newRig(t, start(1))
	r.send(dgt.UpdateNice())
	r.do(act(t, "blind e4"))
	r.do(act(t, "move e2e4"))
	r.do(act(t, "mend e4"))
	if got, want := updates(r.take()), []string{"e2 .", "e4 P"}; !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
}

func BenchmarkAdvance(b *testing.B) {
	// One scan round of a board on which somebody always moves a man.
	board := New(start(1))
	board.Receive([]byte{0x4b})
	board.Hands().StartStop()
	out, now := []byte(nil), time.Duration(0)
	from, to := dgt.Square(62), dgt.Square(45)
	b.ReportAllocs()
	for b.Loop() {
		if board.Busy() <= board.Now() {
			board.Hands().Move(from, to)
			from, to = to, from
		}
		now += 225 * time.Millisecond
		out = board.Advance(now, out[:0])
	}
	b.ReportMetric(float64(b.Elapsed())/float64(now)*100, "%CPU/board")
}
