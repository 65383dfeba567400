package rules

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func moves(t testing.TB, p *Position, texts string) (list []Move) {
	t.Helper()
	now := *p
	for _, text := range strings.Fields(texts) {
		m, err := now.ParseSAN(text)
		if err != nil {
			t.Fatal(err)
		}
		list, now = append(list, m), now.Play(m)
	}
	return list
}

func sans(g *Game) string {
	var all []string
	for _, p := range g.Plies() {
		all = append(all, p.SAN)
	}
	return strings.Join(all, " ")
}

func TestGame(t *testing.T) {
	g := play(t, "", "e4 e5 Nf3 Nc6 Bb5 a6")
	for n := range 6 {
		g.SetClock(n+1, time.Duration(90-n)*time.Minute)
	}
	g.MakeFirm(4, 10*time.Second)
	g.MakeFirm(2, 11*time.Second) // already firm: its time stays
	if got := g.FirmPlies(); got != 4 {
		t.Errorf("%d plies firm, want 4", got)
	}
	if p := g.Ply(2); !p.Firm || p.FirmAt != 10*time.Second {
		t.Errorf("ply 2 firm at %v", p.FirmAt)
	}

	before, at4 := g.PositionAt(5), g.PositionAt(4)
	fen := before.FEN()
	if err := g.ReplaceFrom(4, moves(t, g.PositionAt(3), "Nc6 Bc4 Bc5 O-O")); err != nil {
		t.Fatal(err)
	}
	if got := sans(g); got != "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O" {
		t.Errorf("after the replacement: %s", got)
	}
	if p := g.Ply(4); !p.HasClock || !p.Firm {
		t.Error("ply 4 stays the same move, but its times are gone")
	}
	if p := g.Ply(5); p.HasClock || p.Firm {
		t.Error("ply 5 is another move, but has the old times")
	}
	if before.FEN() != fen || *at4 != *g.PositionAt(4) {
		t.Error("a position given out before has changed")
	}

	err := g.ReplaceFrom(2, []Move{NewMove(E8, E1, NoRole)})
	if !errors.Is(err, ErrIllegalMove) || g.Len() != 7 || g.Current().FEN() != "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4" {
		t.Errorf("an illegal replacement: %v, %s", err, sans(g))
	}
	for _, n := range []int{-1, 0, 9} {
		if err := g.ReplaceFrom(n, nil); err == nil {
			t.Errorf("replaced from ply %d of 7", n)
		}
	}
	if err := g.ReplaceFrom(0, moves(t, g.Start(), "e4")); err == nil {
		t.Error("replaced from ply 0")
	}
	if err := g.ReplaceFrom(8, moves(t, g.Current(), "d6")); err != nil || g.Len() != 8 {
		t.Errorf("adding by replacing: %v", err)
	}
	clone := g.Clone()
	if err := g.ReplaceFrom(2, nil); err != nil || sans(g) != "e4" || g.Len() != 1 {
		t.Errorf("taken back: %v, %s", err, sans(g))
	}
	g.SetClock(1, 0)
	if err := g.PushSAN("c5"); err != nil || clone.Len() != 8 || clone.Ply(2).SAN != "e5" || clone.Ply(1).Clock == 0 {
		t.Errorf("the clone follows the game: %s", sans(clone))
	}
	if err := g.Push(NewMove(E1, E8, NoRole)); !errors.Is(err, ErrIllegalMove) || !strings.Contains(err.Error(), "ply 3") {
		t.Errorf("an illegal move: %v", err)
	}
	g.SetClock(0, 1)
	g.SetClock(3, 1) // no such plies: no effect, no panic
	g.MakeFirm(99, 0)
	if g.FirmPlies() != 2 {
		t.Errorf("%d plies firm, want 2", g.FirmPlies())
	}
}

func TestTags(t *testing.T) {
	var tags Tags
	tags.Set("White", "A")
	tags.Set("Black", "B")
	tags.Set("White", "C")
	tags.Delete("Black")
	tags.Delete("Event")
	if len(tags) != 1 || tags.Get("White") != "C" || tags.Get("Black") != "" {
		t.Errorf("%v", tags)
	}
}

func TestResult(t *testing.T) {
	for text, want := range map[string]Result{"1-0": WhiteWins, "0-1": BlackWins, "1/2-1/2": Draw, "½-½": Draw, "1–0": WhiteWins, "*": Unfinished} {
		if got, err := ParseResult(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "2-0", "draw", "0-0"} {
		if got, err := ParseResult(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
	if Win(White) != WhiteWins || Win(Black) != BlackWins {
		t.Error("the wrong side wins")
	}
}
