package rules

import (
	"errors"
	"testing"
)

func TestSAN(t *testing.T) {
	for _, c := range []struct{ fen, uci, san string }{
		{StartFEN, "g1f3", "Nf3"},
		{kiwipete, "e1g1", "O-O"},
		{kiwipete, "e1c1", "O-O-O"},
		{kiwipete, "e5g6", "Nxg6"},
		{kiwipete, "d5e6", "dxe6"},
		{"8/P7/8/8/8/8/k7/7K w - - 0 1", "a7a8q", "a8=Q+"},
		{"1n6/P7/8/8/8/8/k7/7K w - - 0 1", "a7b8n", "axb8=N"},
		{"6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "a1a8", "Ra8#"},
		{"4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1d1", "Rad1"},
		{"4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3", "R1a3"},
		{"8/8/8/k7/4Q2Q/8/8/1K5Q w - - 0 1", "h4e1", "Qh4e1+"},
		{"4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "g1f3", "Nf3"}, // the other knight is pinned
		{"4k3/8/8/8/4n3/8/3N4/4K1N1 w - - 0 1", "g1f3", "Ngf3"},
		{"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "d4e3", "dxe3"},
		{"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", "c1b1", "O-O-O"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
	} {
		p := mustFEN(t, c.fen)
		m, err := p.ParseUCI(c.uci)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s %s: %s, want %s", c.fen, c.uci, got, c.san)
		}
		if got := p.UCI(m); got != c.uci {
			t.Errorf("%s: %s is written %s", c.fen, c.uci, got)
		}
	}
}

// TestReadSAN: what people and programs write for one and the same move.
func TestReadSAN(t *testing.T) {
	const (
		pawns  = "1n2k3/P6p/8/3pP3/8/8/8/4K3 w - d6 0 1"
		knight = "4k3/8/8/8/4p3/2N5/8/4K1N1 w - - 0 1"
		rooks  = "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1"
	)
	for _, c := range []struct {
		fen, san string
		texts    []string
	}{
		{kiwipete, "O-O", []string{"0-0", "o-o", "O-O+", "OO", "O-O!?", "e1g1", "e1h1"}},
		{kiwipete, "O-O-O", []string{"0-0-0", "o-o-o", "0-0-0#", "e1c1", "e1a1"}},
		{kiwipete, "Nxg6", []string{"Ng6", "N:g6", "Nexg6", "N5g6", "Ne5g6", "Ne5xg6+", "Ne5-g6", "e5g6", "♘xg6", "♞g6!"}},
		{pawns, "a8=Q", []string{"a8Q", "a8(Q)", "a8/Q", "a8=q", "a7a8q", "a7-a8=Q", "Pa8=Q", "a8=Q??"}},
		{pawns, "axb8=N", []string{"ab8N", "axb8N", "a7xb8=N", "ab8=N", "a7b8n"}},
		{pawns, "exd6", []string{"ed6", "ed", "e5xd6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5d6"}},
		{knight, "Nxe4", []string{"Ncxe4", "N3xe4", "Nc3e4", "Ne4"}},
		{rooks, "Rad1", []string{"Ra1d1", "Ra1-d1", "Rad1+", "a1d1"}},
		{StartFEN, "e4", []string{"e2e4", "e2-e4", "Pe4", "Pe2-e4", "e4+", "♙e4"}},
	} {
		p := mustFEN(t, c.fen)
		want, err := p.ParseStrictSAN(c.san)
		if c.san == "exd6" || c.san == "a8=Q" || c.san == "axb8=N" || c.san == "Nxe4" {
			want, err = p.ParseSAN(c.san) // the sign of check is tested elsewhere
		}
		if err != nil {
			t.Error(err)
			continue
		}
		for _, text := range c.texts {
			switch got, err := p.ParseSAN(text); {
			case text == "ed" || text == "exd6 e.p.": // no square, or two words
				if err == nil {
					t.Errorf("%s: %q is read as %s", c.fen, text, got)
				}
			case err != nil || got != want:
				t.Errorf("%s: %q is read as %s, %v, want %s", c.fen, text, got, err, want)
			}
			if text != c.san {
				if _, err := p.ParseStrictSAN(text); err == nil {
					t.Errorf("%s: %q passes as strict", c.fen, text)
				}
			}
		}
	}
}

func TestReadSANErrors(t *testing.T) {
	for _, c := range []struct {
		fen, text string
		want      error // nil: not even a move
	}{
		{StartFEN, "", nil},
		{StartFEN, "+", nil},
		{StartFEN, "Nf", nil},
		{StartFEN, "Ni3", nil},
		{StartFEN, "Nf9", nil},
		{StartFEN, "--", nil},
		{StartFEN, "Z0", nil},
		{StartFEN, "Nf3e5g4", nil},
		{StartFEN, "e4e", nil},
		{StartFEN, "\x00\xff", nil},
		{StartFEN, "e5", ErrIllegalMove},
		{StartFEN, "O-O", ErrIllegalMove},
		{StartFEN, "Nxf3", ErrIllegalMove}, // nothing to take
		{StartFEN, "Nbf3", ErrIllegalMove},
		{StartFEN, "e4=Q", ErrIllegalMove},
		{"8/P7/8/8/8/8/k7/7K w - - 0 1", "a8", ErrIllegalMove}, // what does it become?
		{"8/P7/8/8/8/8/k7/7K w - - 0 1", "a8=K", nil},
		{"4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rd1", ErrAmbiguousMove},
		{"8/8/8/k7/4Q2Q/8/8/1K5Q w - - 0 1", "Qhe1", ErrAmbiguousMove},
		{"4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "Nf3", ErrIllegalMove}, // pinned
	} {
		p := mustFEN(t, c.fen)
		m, err := p.ParseSAN(c.text)
		switch {
		case err == nil:
			t.Errorf("%s: %q is read as %s", c.fen, c.text, m)
		case c.want != nil && !errors.Is(err, c.want), c.want == nil && (errors.Is(err, ErrIllegalMove) || errors.Is(err, ErrAmbiguousMove)):
			t.Errorf("%s: %q: %v, want %v", c.fen, c.text, err, c.want)
		}
	}
}

func TestReadUCIErrors(t *testing.T) {
	p := Start()
	for _, text := range []string{"", "e2", "e2e9", "e2e4q", "e2e4Q", "e2e5", "e7e5", "e2e4qq", "0000", "e1g1"} {
		if m, err := p.ParseUCI(text); err == nil {
			t.Errorf("%q is read as %s", text, m)
		}
	}
	p = mustFEN(t, "4k3/8/8/8/8/8/8/4K2R w - - 0 1") // no right
	if m, err := p.ParseUCI("e1g1"); err == nil {
		t.Errorf("castling without a right is read as %s", m)
	}
	p = mustFEN(t, "4k3/8/8/8/8/8/8/5KR1 w G - 0 1") // Chess960: f1g1 is castling, no king's move
	if m, err := p.ParseUCI("f1g1"); err != nil || !p.IsCastling(m) {
		t.Errorf("f1g1 is %s, %v", m, err)
	}
}

func FuzzSAN(f *testing.F) {
	for _, text := range []string{"Nf3", "exd5", "O-O", "0-0-0", "e8=Q+", "e8(Q)", "Qh4e1", "♘xg6", "e2e4", "--", "N\xff"} {
		f.Add(kiwipete, text)
		f.Add("8/P7/8/8/8/8/k7/7K w - - 0 1", text)
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := ParseFEN(fen)
		if err != nil {
			p = Start()
		}
		m, err := p.ParseSAN(text)
		if err != nil {
			return
		}
		if !p.IsLegal(m) {
			t.Fatalf("%s: %q is read as %s, which is not legal", fen, text, m)
		}
		if again, err := p.ParseStrictSAN(p.SAN(m)); err != nil || again != m {
			t.Fatalf("%s: %s is written %s, read as %s, %v", fen, m, p.SAN(m), again, err)
		}
	})
}
