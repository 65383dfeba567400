package emulator

import (
	"fmt"
	"testing"
	"time"

	"boardd/dgt"
)

// rig is a host on the other end of a board's line, in simulated time.
type rig struct {
	t       *testing.T
	b       *Board
	decoder dgt.Decoder
	got     []heard
	raw     []byte
}

// heard is a message with the time at which its last byte arrived.
type heard struct {
	at time.Duration
	m  dgt.Message
}

func newRig(t *testing.T, c Config) *rig {
	t.Helper()
	return &rig{t: t, b: New(c)}
}

// run lets time pass in steps that have nothing to do with the messages.
func (r *rig) run(d time.Duration) {
	r.t.Helper()
	const step = 7 * time.Millisecond
	for end := r.b.Now() + d; r.b.Now() < end; {
		out := r.b.Advance(min(r.b.Now()+step, end), nil)
		r.raw = append(r.raw, out...)
		r.decoder.Feed(out, func(m dgt.Message) { r.got = append(r.got, heard{r.b.Now(), keep(m)}) })
	}
}

// keep copies a message that the decoder owns.
func keep(m dgt.Message) dgt.Message {
	switch m := m.(type) {
	case *dgt.BoardDump:
		c := *m
		return &c
	case *dgt.FieldUpdate:
		c := *m
		return &c
	case *dgt.ClockTime:
		c := *m
		return &c
	case *dgt.ClockAck:
		c := *m
		return &c
	case *dgt.EELog:
		return &dgt.EELog{Data: append([]byte(nil), m.Data...)}
	case *dgt.BusClockTime:
		c := *m
		return &c
	case *dgt.BusBoardDump:
		c := *m
		return &c
	case *dgt.BusChanges:
		c := *m
		c.Data = append([]byte(nil), m.Data...)
		return &c
	case *dgt.BusFromStart:
		c := *m
		c.Data = append([]byte(nil), m.Data...)
		return &c
	}
	// What is left is compared by its text and its id only.
	return &dgt.Unknown{Code: m.ID(), Data: fmt.Append(nil, m)}
}

// send says commands, 100 ms apart, as a host should.
func (r *rig) send(commands ...dgt.Command) {
	r.t.Helper()
	for _, c := range commands {
		r.b.Receive(c.AppendTo(nil))
		r.run(100 * time.Millisecond)
	}
}

// do hands out hands and waits until they are done and all scans have passed.
func (r *rig) do(act func(h *Hands)) {
	r.t.Helper()
	h := r.b.Hands()
	act(h)
	if h.Err() != nil {
		r.t.Fatalf("hands: %v", h.Err())
	}
	r.run(h.At() - r.b.Now() + 600*time.Millisecond)
}

// take returns what has been heard and forgets it.
func (r *rig) take() []heard {
	got := r.got
	r.got = nil
	return got
}

// updates returns the field updates among messages, as "e2 .", "e4 P".
func updates(got []heard) (text []string) {
	for _, h := range got {
		if u, ok := h.m.(*dgt.FieldUpdate); ok {
			text = append(text, u.String())
		}
	}
	return text
}

// last returns the last message of a type.
func last[M dgt.Message](t *testing.T, got []heard) M {
	t.Helper()
	for i := len(got) - 1; i >= 0; i-- {
		if m, ok := got[i].m.(M); ok {
			return m
		}
	}
	var none M
	t.Fatalf("expected a %T among %d messages, found none", none, len(got))
	return none
}

func all[M dgt.Message](got []heard) (of []M) {
	for _, h := range got {
		if m, ok := h.m.(M); ok {
			of = append(of, m)
		}
	}
	return of
}

func sq(t *testing.T, name string) dgt.Square {
	t.Helper()
	s, ok := squareOf(name)
	if !ok {
		t.Fatalf("no square %q", name)
	}
	return s
}

// act parses orders into what hands do.
func act(t *testing.T, orders ...string) func(*Hands) {
	t.Helper()
	var acts []func(*Hands)
	for _, o := range orders {
		a, err := ParseOrder(o)
		if err != nil {
			t.Fatal(err)
		}
		acts = append(acts, a)
	}
	return func(h *Hands) {
		for _, a := range acts {
			a(h)
		}
	}
}

func start(seed uint64) Config {
	return Config{Seed: seed, Men: dgt.StartPlacement(), Clock: Fischer(3*time.Minute, 2*time.Second, dgt.Left)}
}
