package livechess

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/rules"
)

// lists are the lists of moves that a client was told, with their start where it is another than the one set up.
func lists(t *testing.T, frames []string) (told []string) {
	t.Helper()
	for _, f := range frames {
		var m struct{ Param event }
		if err := json.Unmarshal([]byte(f), &m); err != nil {
			t.Fatal(err)
		}
		if m.Param.SAN == nil {
			continue
		}
		line := strings.Join(m.Param.SAN, " ")
		if m.Param.Start != rules.StartFEN {
			line = menOf(m.Param.Start) + ": " + line
		}
		if !*m.Param.Match {
			line += " (not yet)"
		}
		told = append(told, line)
	}
	return told
}

// What a set-up game makes of what happens on a board, each told once.
func TestSetUpGames(t *testing.T) {
	lift := func(s *stage, squares ...string) {
		for _, q := range squares {
			s.put(sq(q), 0)
			s.pass(400 * time.Millisecond)
		}
	}
	set := func(s *stage, q string, p rules.Piece) {
		s.put(sq(q), p)
		s.pass(3 * time.Second)
	}
	for _, tt := range []struct {
		name string
		play func(*stage)
		want string
	}{
		{"a move and its answer", func(s *stage) {
			lift(s, "e2")
			set(s, "e4", rules.WhitePawn)
			lift(s, "e7")
			set(s, "e5", rules.BlackPawn)
		}, "e4, e4 e5"},
		{"a man put down, and put elsewhere before long", func(s *stage) {
			lift(s, "e2")
			s.put(sq("e3"), rules.WhitePawn)
			s.pass(time.Second)
			lift(s, "e3")
			set(s, "e4", rules.WhitePawn)
		}, "e4"},
		{"a move that stood, and was then another", func(s *stage) {
			lift(s, "e2")
			set(s, "e3", rules.WhitePawn)
			lift(s, "e3")
			set(s, "e4", rules.WhitePawn)
			lift(s, "e7")
			set(s, "e5", rules.BlackPawn)
			lift(s, "g1")
			set(s, "f3", rules.WhiteKnight)
			lift(s, "b8")
			set(s, "c6", rules.BlackKnight)
		}, "e3, e4 e5 Nf3, e4 e5 Nf3 Nc6"},
		{"a man slid over squares", func(s *stage) {
			lift(s, "e2")
			s.put(sq("e3"), rules.WhitePawn)
			s.now = s.now.Add(80 * time.Millisecond)
			s.put(sq("e3"), 0)
			set(s, "e4", rules.WhitePawn)
		}, "e4"},
		{"a capture, the taken man first", func(s *stage) {
			lift(s, "e2")
			set(s, "e4", rules.WhitePawn)
			lift(s, "d7")
			set(s, "d5", rules.BlackPawn)
			lift(s, "d5", "e4")
			set(s, "d5", rules.WhitePawn)
		}, "e4, e4 d5, e4 d5 exd5"},
		{"a line that is out while a move is made", func(s *stage) {
			s.seat.Here, s.seat.Whole = false, false
			s.h.sense(s.now, s.seat)
			s.pass(5 * time.Second)
			s.seat.Here = true
			s.h.sense(s.now, s.seat)
			s.seat.Men[sq("e2")], s.seat.Men[sq("e4")], s.seat.Whole = 0, rules.WhitePawn, true
			s.h.sense(s.now, s.seat)
			s.pass(5 * time.Second)
		}, "e4"},
		{"what no legal move explains", func(s *stage) {
			lift(s, "e2")
			set(s, "e5", rules.WhitePawn)
			s.pass(20 * time.Second)
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStage(t, Options{Queue: 1000})
			c := s.client()
			s.show("48096", rules.StartFEN)
			s.call(c, listen)
			s.call(c, setup)
			s.take(c)
			s.pass(time.Second)
			tt.play(s)
			if got := strings.Join(lists(t, s.take(c)), ", "); got != tt.want {
				t.Errorf("told %q, want %q", got, tt.want)
			}
		})
	}
}

// A client that comes in mid-game and sets up where the venue's game began is told the venue's moves, also when the venue has
// not told the last one yet.
func TestSetUpWhereTheVenuesGameBegan(t *testing.T) {
	for _, played := range []string{"e4 e5 Nf3", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"} {
		s := newStage(t, Options{Queue: 1000})
		c := s.client()
		s.pass(time.Minute)
		g := rules.NewGame(rules.Start())
		var b broadcast.Board
		b.Board, b.StartFEN = 1, rules.StartFEN
		words := strings.Fields(played)
		for i, san := range words {
			if err := g.PushSAN(san); err != nil {
				t.Fatal(err)
			}
			if i < len(words)-1 { // the venue has not told the last
				b.Moves = append(b.Moves, broadcast.Move{Ply: i + 1, SAN: san})
			}
		}
		s.show("48096", g.Current().FEN())
		s.h.record = func() []broadcast.Board { return []broadcast.Board{b} }
		s.call(c, listen)
		s.call(c, setup)
		first := strings.Join(words[:len(words)-1], " ") + " (not yet)"
		s.pass(10 * time.Second)
		s.put(sq("a7"), 0)
		s.pass(time.Second)
		s.put(sq("a7"), rules.BlackPawn)
		s.pass(10 * time.Second)
		if got, want := strings.Join(lists(t, s.take(c)[2:]), ", "), first+", "+played; got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
