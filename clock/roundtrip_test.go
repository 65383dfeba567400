package clock_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/clock"
)

// anyControl draws a control that an organiser could mean.
func anyControl(r *rand.Rand) clock.Control {
	switch r.IntN(12) {
	case 0:
		return clock.Control{Form: clock.Unlimited}
	case 1:
		return clock.Control{Form: clock.Unknown}
	case 2:
		p := []clock.Period{{Moves: 1 + r.IntN(60), Base: time.Duration(1+r.IntN(90)) * 24 * time.Hour}}
		return clock.Control{Form: clock.Correspondence, White: p, Black: p, DoubleAfter: r.IntN(3) * 20}
	}
	c := clock.Control{White: anySide(r), Odds: clock.Odds(r.IntN(3))}
	c.Black = c.White
	if r.IntN(2) == 0 {
		c.Black = anySide(r)
	}
	return c
}

func anySide(r *rand.Rand) []clock.Period {
	side := make([]clock.Period, 1+r.IntN(4))
	for i := range side {
		p := clock.Period{Base: time.Duration(60+r.IntN(10000)) * time.Second, Kind: clock.Kind(r.IntN(8))}
		if r.IntN(2) == 0 {
			p.Moves = 1 + r.IntN(60)
		}
		switch p.Kind {
		case clock.Fischer, clock.Bronstein, clock.Delay:
			p.Bonus = time.Duration(1+r.IntN(90)) * time.Second
			p.From = r.IntN(2) * r.IntN(70)
		case clock.ByoYomi, clock.Canadian:
			p.Bonus = time.Duration(1+r.IntN(600)) * time.Second
			p.Count = 1 + r.IntN(25)
		case clock.None, clock.Hourglass, clock.CountUp:
		}
		side[i] = p
	}
	return side
}

func TestParseOfCanonicalIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for range 20000 {
		c := anyControl(r)
		text := c.Canonical()
		got, err := clock.Parse(text, clock.Canonical)
		if err != nil || !got.Control.Equal(c) || got.Ambiguous {
			t.Fatalf("%s: %+v, error %v; want %+v", text, got, err, c)
		}
		// What PGN can say comes back from a tag, but for a bonus from a later move.
		// Nor does 40/120, which may be minutes.
		if tag := c.PGN(); tag == text && (c.Form != clock.Timed || c.White[0].Base > 3*time.Minute) {
			back, err := clock.Parse(tag, clock.PGN)
			if err != nil || !back.Control.Equal(c) {
				t.Fatalf("PGN %s: %+v, error %v; want %+v", tag, back, err, c)
			}
		}
	}
}

// FuzzParse: no text crashes the parser, and whatever it takes has a canonical
// form that means the same.
func FuzzParse(f *testing.F) {
	for _, s := range spellings {
		f.Add(s.text, uint8(0))
	}
	for _, s := range sheet {
		f.Add(s.text, uint8(0))
		f.Add(s.text, uint8(1))
	}
	for _, text := range []string{"90/30/30", "W300-B240=B", "40/5400+30:1800+", "5400/40+30", "3600+15/300c", "10/50d20", "1 ½ ½", "::::", "+", "1h1h1"} {
		for context := range uint8(3) {
			f.Add(text, context)
		}
	}
	f.Fuzz(func(t *testing.T, text string, context uint8) {
		parsed, err := clock.Parse(text, clock.Context(context%3))
		if err != nil {
			return
		}
		c := parsed.Control
		again, err := clock.Parse(c.Canonical(), clock.Canonical)
		if err != nil || !again.Control.Equal(c) {
			t.Fatalf("%q is %s, which reads as %s, error %v", text, c, again.Control, err)
		}
		for _, text := range []string{c.Lichess(), c.LiveChess()} {
			if text == "" {
				continue
			}
			if back, err := clock.Parse(text, clock.People); err != nil || !back.Control.Equal(c) {
				t.Fatalf("%s: %q reads as %s, error %v", c, text, back.Control, err)
			}
		}
		for _, m := range clock.Models {
			_ = c.ByHand(m)
		}
		_, _ = c.Start()
		_, _ = c.PGN(), c.Class()
	})
}
