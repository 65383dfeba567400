package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// naiveRights is a second reading of Laws 9.2, 9.3 and 9.6 that shares nothing
// with the record's own count: positions are texts, moves come from the naive
// generator, captures and pawn moves are seen on the board.
type naiveRights struct {
	count, quiet int
	third, fifty []string // moves
	moves        int
}

// identity is Laws 9.2.3 as a text: men, side to move, rooks that may castle, and
// an en-passant capture where one is legal.
func identity(p *Position, last string, before *Position) string {
	var b strings.Builder
	for s := Square(0); s < 64; s++ {
		b.WriteByte(p.PieceAt(s).Letter())
	}
	fmt.Fprint(&b, p.Turn(), uint64(p.CastlingRooks()))
	if before == nil {
		return b.String() + p.EnPassant().String() // the start: as its FEN says
	}
	from, _ := ParseSquare(last[:2])
	to, _ := ParseSquare(last[2:4])
	if before.PieceAt(from).Role() == Pawn && (from.Rank()-to.Rank() == 2 || to.Rank()-from.Rank() == 2) {
		n := naiveFrom(p)
		n.ep = [2]int{to.File(), (from.Rank() + to.Rank()) / 2}
		passed := MakeSquare(n.ep[0], n.ep[1]).String()
		for _, m := range n.moves() {
			if f, _ := ParseSquare(m[:2]); m[2:4] == passed && p.PieceAt(f).Role() == Pawn {
				return b.String() + passed
			}
		}
	}
	return b.String() + "-"
}

func naiveClaims(g *Game) []naiveRights {
	all := make([]naiveRights, 0, g.Len()+1)
	seen := map[string]int{}
	quiet := g.Start().HalfmoveClock()
	for n := 0; n <= g.Len(); n++ {
		p := g.PositionAt(n)
		var id string
		if n == 0 {
			id = identity(p, "", nil)
		} else {
			before, m := g.PositionAt(n-1), g.Ply(n).Move
			id = identity(p, m.String(), before)
			if men(p) != men(before) || before.PieceAt(m.From()).Role() == Pawn {
				quiet = 0
			} else {
				quiet++
			}
		}
		seen[id]++
		r := naiveRights{count: seen[id], quiet: quiet}
		for _, text := range naiveFrom(p).moves() {
			r.moves++
			m := moveFrom(text)
			after := p.Play(m)
			if seen[identity(&after, text, p)] >= 2 {
				r.third = append(r.third, text)
			}
			if quiet >= 99 && men(&after) == men(p) && p.PieceAt(m.From()).Role() != Pawn {
				r.fifty = append(r.fifty, text)
			}
		}
		all = append(all, r)
	}
	return all
}

func men(p *Position) (n int) {
	for s := Square(0); s < 64; s++ {
		if p.PieceAt(s) != NoPiece {
			n++
		}
	}
	return n
}

func moveFrom(text string) Move {
	from, _ := ParseSquare(text[:2])
	to, _ := ParseSquare(text[2:4])
	promotion := NoRole
	if len(text) == 5 {
		promotion, _ = roleFromLetter(text[4] - 'a' + 'A')
	}
	return NewMove(from, to, promotion)
}

func texts(moves []Move) []string {
	var list []string
	for _, m := range moves {
		list = append(list, m.String())
	}
	slices.Sort(list)
	return list
}

// checkAgainstNaive compares every ply of a game and returns how many plies differ.
func checkAgainstNaive(t *testing.T, name string, g *Game) {
	t.Helper()
	for n, want := range naiveClaims(g) {
		got := g.Claims(n)
		goesOn := want.moves > 0
		if got.Count != want.count || got.Threefold != (want.count >= 3) || got.Fivefold != (want.count >= 5) ||
			got.Halfmoves != want.quiet || got.Fifty != (want.quiet >= 100 && goesOn) || got.SeventyFive != (want.quiet >= 150 && goesOn) ||
			!slices.Equal(texts(got.ThreefoldNext), want.third) || !slices.Equal(texts(got.FiftyNext), want.fifty) {
			t.Errorf("%s ply %d: %+v\nnaive: %+v", name, n, got, want)
		}
	}
}

// claimPlies are the plies for which a right holds.
func claimPlies(g *Game, holds func(*Claims) bool) []int {
	plies := []int{}
	for n := 0; n <= g.Len(); n++ {
		if c := g.Claims(n); holds(&c) {
			plies = append(plies, n)
		}
	}
	return plies
}

func onBoard3(c *Claims) bool { return c.Threefold }

// TestClaimsTakenBack: a replaced ply withdraws what it had made claimable, a
// refused replacement leaves the counts alone, and a clone counts for itself.
func TestClaimsTakenBack(t *testing.T) {
	g := play(t, "", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
	if c := g.Claims(8); !c.Threefold || c.Count != 3 || c.Turn != White {
		t.Fatalf("%+v", c)
	}
	clone := g.Clone()
	if err := g.ReplaceFrom(7, []Move{NewMove(E1, E8, NoRole)}); err == nil {
		t.Fatal("an illegal move replaced a ply")
	}
	if c := g.Claims(8); c.Count != 3 || g.Claims(4).Count != 2 {
		t.Errorf("after a refused replacement: %+v", c)
	}
	if err := g.ReplaceFrom(8, moves(t, g.PositionAt(7), "Nd5 Nf3")); err != nil {
		t.Fatal(err)
	}
	if got := claimPlies(g, onBoard3); len(got) != 0 {
		t.Errorf("threefold at %v after the replacement", got)
	}
	if err := g.ReplaceFrom(3, moves(t, g.PositionAt(2), "Ng1 Ng8")); err != nil {
		t.Fatal(err)
	}
	if c := g.Claims(4); c.Count != 2 || len(g.counts.traces) != 5 || len(g.counts.latest) != 4 {
		t.Errorf("%+v, %d traces, %d kinds of position", c, len(g.counts.traces), len(g.counts.latest))
	}
	if c := clone.Claims(8); c.Count != 3 || !slices.Equal(clone.OccurrencesOf(8), []int{0, 4, 8}) {
		t.Errorf("the clone: %+v", c)
	}
	checkAgainstNaive(t, "replaced", g)
	checkAgainstNaive(t, "clone", clone)
}

// TestClaimsInThePast: a question about an earlier ply is answered as of then.
func TestClaimsInThePast(t *testing.T) {
	g := play(t, "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 6))
	for n, want := range map[int]int{0: 1, 3: 1, 4: 2, 8: 3, 9: 3, 16: 5, 24: 7} {
		if got := g.Claims(n); got.Count != want {
			t.Errorf("ply %d: %d times, want %d", n, got.Count, want)
		}
	}
	m := moves(t, g.PositionAt(7), "Ng8")[0]
	if got := g.OccurrencesAfter(7, m); !slices.Equal(got, []int{0, 4}) {
		t.Errorf("before 4...Ng8 the position has stood after plies %v", got)
	}
}

// TestClaimsBounds: gaps and a start in mid-game make counts lower bounds.
func TestClaimsBounds(t *testing.T) {
	gap := func(fen, moves string, unknown ...int) *Game {
		g := play(t, fen, moves)
		plies := slices.Clone(g.Plies())
		for _, n := range unknown {
			plies[n-1].OrderUnknown = true
		}
		if err := g.ReplacePlies(1, plies); err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		name           string
		g              *Game
		count          int
		atLeast        bool
		quiet          int
		quietAtLeast   bool
		threefoldCount int
	}{
		{"no gap", gap("", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"), 3, false, 8, false, 1},
		{"an occurrence at the end of a gap was seen", gap("", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 3, 4), 3, true, 8, false, 1},
		{"an occurrence within a gap was not", gap("", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 3, 4, 5, 6), 2, true, 8, false, 0},
		{"a gap before the last pawn move does not matter", gap("", "Nf3 Nf6 Ng1 Ng8 e4 e5", 1, 2, 3, 4), 1, false, 0, false, 0},
		{"a pawn move within a gap", gap("", "e4 Nf6 Nf3 Ng8", 1, 2, 3), 1, true, 1, true, 0},
		{"a capture as the last ply of a gap", gap("", "e4 d5 exd5 Nf6", 2, 3), 1, true, 1, true, 0},
		{"the record begins in mid-game", gap("4k3/8/8/8/8/4P3/8/4K3 w - - 3 40", "Kd2 Kd7 Ke1 Ke8"), 2, true, 7, false, 0},
	} {
		got := c.g.Claims(c.g.Len())
		if got.Count != c.count || got.CountAtLeast != c.atLeast ||
			got.Halfmoves != c.quiet || got.HalfmovesAtLeast != c.quietAtLeast {
			t.Errorf("%s: %+v", c.name, got)
		}
		if n := len(claimPlies(c.g, onBoard3)); n != c.threefoldCount {
			t.Errorf("%s: threefold on %d plies, want %d", c.name, n, c.threefoldCount)
		}
	}
}

// TestKeyAfterQuiet: the short way to a key is the long way's.
func TestKeyAfterQuiet(t *testing.T) {
	quiet := 0
	for _, fen := range []string{StartFEN, kiwipete, "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
		"8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "8/1p6/8/2PpP3/1K6/8/8/7k w - d6 0 1", "4k3/8/8/2Q2R2/8/B3N3/8/4K3 w - - 0 1"} {
		p := mustFEN(t, fen)
		var l MoveList
		p.LegalMoves(&l)
		for _, m := range l.Moves() {
			if !p.isQuiet(m) {
				continue
			}
			quiet++
			if next := p.Play(m); p.keyAfterQuiet(m) != next.Key() {
				t.Errorf("%s %s: another key", fen, m)
			}
		}
	}
	if quiet < 80 {
		t.Errorf("%d quiet moves only", quiet)
	}
}

// BenchmarkPushAndClaims adds a ply to a long game and works out all rights, the
// kings and knights going to and fro: the heaviest case. The figure must not grow
// with the length of the game.
func BenchmarkPushAndClaims(b *testing.B) {
	for _, c := range []struct {
		name, fen string
		dance     []string
		plies     []int
	}{
		{"start", StartFEN, []string{"Nf3", "Nf6", "Ng1", "Ng8"}, []int{60, 300, 3000}},
		{"middlegame", kiwipete, []string{"Kd1", "Kd8", "Ke1", "Ke8"}, []int{60, 300, 3000}},
		{"locked", "8/8/1k6/p1p1p1p1/PpPpPpPp/1P1P1P1P/1K6/3B4 w - - 0 1", []string{"Kc2", "Kc6", "Kb2", "Kb6"}, []int{300}},
	} {
		for _, plies := range c.plies {
			b.Run(fmt.Sprintf("%s/ply %d", c.name, plies), func(b *testing.B) {
				g := NewGame(mustFEN(b, c.fen))
				for g.Len() < plies-1 {
					if err := g.PushSAN(c.dance[g.Len()%4]); err != nil {
						b.Fatal(err)
					}
				}
				m, err := g.Current().ParseSAN(c.dance[(plies-1)%4])
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if err := g.Push(m); err != nil {
						b.Fatal(err)
					}
					g.Claims(plies)
					g.counts.pop(g.Current().key) // take it back in place
					g.plies, g.positions = g.plies[:plies-1], g.positions[:plies]
				}
			})
		}
	}
}

// FuzzClaims plays by the bytes given, takes back now and then, and compares every
// right with the naive reading.
func FuzzClaims(f *testing.F) {
	f.Add("", []byte("\x01\x02\x01\x02\x01\x02\x01\x02\xff\x03"))
	f.Add("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 90 60", []byte("\x00\x00\x01\x01\x00\x00\x01\x01\x00\x00\x01\x01"))
	f.Add("4k1n1/8/8/8/3p4/8/2P5/4K1N1 w - - 0 1", []byte("\x05\x01\x01\x02\x02\xfe\x01\x01\x01"))
	f.Add("8/8/8/8/4k3/8/3K4/5r2 w - - 98 119", []byte("\x01\x01\x01\x01\x01\x01"))
	f.Fuzz(func(t *testing.T, fen string, script []byte) {
		start := Start()
		if fen != "" {
			p, err := ParseFEN(fen)
			if err != nil {
				return
			}
			start = p
		}
		g := NewGame(start)
		for _, b := range script[:min(len(script), 60)] {
			if b >= 0xf0 { // take back up to 16 plies
				if err := g.ReplaceFrom(max(1, g.Len()-int(b&15)), nil); err != nil {
					t.Fatal(err)
				}
				continue
			}
			var l MoveList
			g.Current().LegalMoves(&l)
			if l.Len() == 0 {
				break
			}
			if err := g.Push(l.At(int(b) % l.Len())); err != nil {
				t.Fatal(err)
			}
		}
		checkAgainstNaive(t, fen, g)
		for n := 0; n <= g.Len(); n++ {
			if miss, ok := g.NearMiss(n); ok && (len(miss.Looks) < 3 || miss.Count >= 3 || len(miss.Differ) == 0 || g.Explain(miss) == "") {
				t.Errorf("ply %d: %+v", n, miss)
			}
		}
	})
}
