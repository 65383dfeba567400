package reconstruct

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
)

func change(q string, p rules.Piece) Logged { return Logged{Square: sq(q), Piece: p} }

func pressOf(c rules.Color, face time.Duration) Logged { return Logged{Press: true, By: c, Face: face} }

// turnedLog is the same log as a board writes it that stands the other way round.
func turnedLog(l []Logged) (u []Logged) {
	for _, e := range l {
		e.Square = 63 - e.Square
		u = append(u, e)
	}
	return u
}

func TestMissed(t *testing.T) {
	then := after(t, startFEN, "e4")
	now := after(t, startFEN, "e4 e5")
	e4 := []Logged{change("e2", rules.NoPiece), change("e4", rules.WhitePawn)}
	e5 := []Logged{change("e7", rules.NoPiece), change("e5", rules.BlackPawn)}
	tests := []struct {
		name    string
		entries []Logged
		want    int // entries missed; -1: the log does not tell
	}{
		{"empty", nil, -1},
		{"only what was seen", e4, -1}, // it does not lead to the board that came back
		{"seen and missed", slices.Concat(e4, e5), 2},
		{"with presses", slices.Concat(e4, []Logged{pressOf(rules.White, time.Minute)}, e5, []Logged{pressOf(rules.Black, time.Minute)}), 4},
		{"older entries before", slices.Concat(e5, e4, e4, e5), 2},
		{"begins in the middle of what was seen", slices.Concat(e4[1:], e5), 2},
		{"what was seen is not in it", e5, -1},
		{"goes on after the board was read", slices.Concat(e4, e5, []Logged{change("a2", rules.NoPiece)}), 2},
		{"leads elsewhere", slices.Concat(e4, []Logged{change("d7", rules.NoPiece), change("d5", rules.BlackPawn)}), -1},
		{"leads there by a way round", slices.Concat(e4, []Logged{change("a2", rules.NoPiece), change("a2", rules.WhitePawn)}, e5), 4},
	}
	for _, tt := range tests {
		for _, turned := range []bool{false, true} {
			name := tt.name
			entries, recent, board := tt.entries, e4, now.Placement()
			if turned {
				name += ", board turned"
				s := sense(&board).turned()
				entries, recent, board = turnedLog(entries), turnedLog(recent), s.placement()
			}
			t.Run(name, func(t *testing.T) {
				o := &outage{recent: recent, since: []input{{kind: dumpInput, board: board}}}
				o.window[0].sense = sense(then.Board())
				got, ok := o.missed(entries, turned)
				if ok != (tt.want >= 0) || ok && len(got) != tt.want {
					t.Errorf("%d entries, %v", len(got), ok)
				}
			})
		}
	}
	o := &outage{recent: e4}
	if _, ok := o.missed(slices.Concat(e4, e5), false); ok {
		t.Error("told of a board that has not been read")
	}
}

// Whatever the log says, the inputs made of it lie within the outage, in
// order, none lost, each press with its face and lever.
func TestSchedule(t *testing.T) {
	e5 := []Logged{change("e7", rules.NoPiece), change("e5", rules.BlackPawn)}
	nf3 := []Logged{change("g1", rules.NoPiece), {Square: sq("f3"), Piece: rules.WhiteKnight, Soon: true}}
	clock := Reading{White: 600 * time.Second, Black: 600 * time.Second, Running: true, Connected: true, ToMove: rules.Black}
	many := []Logged{}
	for range 200 {
		many = append(many, e5...)
	}
	tests := []struct {
		name    string
		entries []Logged
	}{
		{"nothing", nil},
		{"one ply", e5},
		{"one ply pressed", slices.Concat(e5, []Logged{pressOf(rules.Black, 595*time.Second)})},
		{"two plies", slices.Concat(e5, []Logged{pressOf(rules.Black, 595*time.Second)}, nf3, []Logged{pressOf(rules.White, 598*time.Second)})},
		{"faces that do not fit the time", slices.Concat(e5, []Logged{pressOf(rules.Black, 0)}, nf3, []Logged{pressOf(rules.White, 9*time.Hour)})},
		{"more than fits", many},
	}
	for _, tt := range tests {
		for _, back := range []ms{10000, 10001, 10500, 30000, 5_000_000} {
			in := schedule(tt.entries, clock, 10000, back, 0, 0)
			if len(in) != len(tt.entries) {
				t.Fatalf("%s: %d inputs of %d entries", tt.name, len(in), len(tt.entries))
			}
			last := time.Duration(0)
			for i, x := range in {
				if x.at < last || x.at.Milliseconds() >= max(back, 10001) || x.at.Milliseconds() < 9999 {
					t.Errorf("%s, back at %d: input %d at %v after %v", tt.name, back, i, x.at, last)
				}
				last = x.at
				e := tt.entries[i]
				switch {
				case !e.Press && (x.kind != squareInput || x.q != e.Square || x.p != e.Piece):
					t.Errorf("%s: %+v became %+v", tt.name, e, x)
				case e.Press && (x.kind != clockInput || x.r.Face(e.By) != e.Face || x.r.ToMove != e.By.Other() || !x.r.Running):
					t.Errorf("%s: %+v became %+v", tt.name, e, x.r)
				}
			}
		}
	}
	// A press stands where the clock puts it: Black used 5 s.
	in := schedule(slices.Concat(e5, []Logged{pressOf(rules.Black, 595*time.Second)}), clock, 10000, 60000, 0, 0)
	if at := in[2].at; at != 15*time.Second {
		t.Errorf("press at %v", at)
	}
}

// An outage over which several plies went by, once the log is read, is as if it had been seen.
func TestLogFillsOutage(t *testing.T) {
	for _, turned := range []bool{false, true} {
		h := idleHand(t, startFEN)
		h.turned = turned
		h.dump()
		h.start()
		h.play("e4 e5")
		h.wait(2000)
		h.tr.Lost(h.now)
		h.deaf = true
		log := []Logged{change("e7", rules.NoPiece), change("e5", rules.BlackPawn), pressOf(rules.Black, h.clock.Black)}
		for _, san := range []string{"Nf3", "Nc6", "Nc3", "Nf6", "Bb5", "a6"} {
			m, err := h.pos.ParseSAN(san)
			if err != nil {
				t.Fatal(err)
			}
			by, man := h.pos.Turn(), h.pos.PieceAt(m.From())
			h.play(san)
			face := h.clock.Face(by)
			log = append(log, Logged{Square: m.From()}, Logged{Square: m.To(), Piece: man}, pressOf(by, face))
		}
		h.wait(3000)
		h.deaf = false
		h.tr.Back(h.now)
		h.dump()
		h.tr.Clock(h.now, h.clock)
		h.wait(200)
		if turned {
			log = turnedLog(log)
		}
		if !h.tr.Log(h.now, log) {
			t.Fatalf("turned %v: the log told nothing", turned)
		}
		h.wait(3000)
		h.want("e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 a6")
		h.wantNoAlert("board.lost", "board.back", "board.rotated", "record.gap")
		if len(h.book.clocks) != 8 {
			t.Errorf("clocks of %d plies, want 8: %v", len(h.book.clocks), h.book.clocks)
		}
		h.play("O-O")
		h.wait(2000)
		h.want("e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 a6 O-O")
		if h.tr.Log(h.now, log) {
			t.Error("the log is taken a second time")
		}
	}
}

// A man who is set down and taken before the next entry is not in the log; who pressed
// with him in the hand had set him down where the square was emptied.
func TestRestored(t *testing.T) {
	pawn, knight, bishop, queen := rules.WhitePawn, rules.WhiteKnight, rules.BlackBishop, rules.WhiteQueen
	none := rules.NoPiece
	tests := []struct {
		name, fen string
		log, want []Logged
	}{
		{"a pawn that is taken at once", "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
			[]Logged{change("d2", none), change("d4", none), pressOf(rules.White, 1), change("c5", none), change("d4", rules.BlackPawn), pressOf(rules.Black, 1)},
			[]Logged{change("d2", none), change("d4", pawn), change("d4", none), pressOf(rules.White, 1), change("c5", none), change("d4", rules.BlackPawn), pressOf(rules.Black, 1)}},
		{"a capture that is answered at once", "rn1qkbnr/ppp2ppp/3p4/4P3/4P1b1/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4",
			[]Logged{change("g4", none), change("f3", none), pressOf(rules.Black, 1), change("d1", none), change("f3", queen), pressOf(rules.White, 1)},
			[]Logged{change("g4", none), change("f3", bishop), change("f3", none), pressOf(rules.Black, 1), change("d1", none), change("f3", queen), pressOf(rules.White, 1)}},
		{"an ordinary ply", startFEN,
			[]Logged{change("g1", none), change("f3", knight), pressOf(rules.White, 1)},
			[]Logged{change("g1", none), change("f3", knight), pressOf(rules.White, 1)}},
		{"an ordinary capture", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
			[]Logged{change("d5", none), change("e4", none), change("d5", pawn), pressOf(rules.White, 1)},
			[]Logged{change("d5", none), change("e4", none), change("d5", pawn), pressOf(rules.White, 1)}},
		{"a promotion, the pawn taken off last", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
			[]Logged{change("a8", queen), change("a7", none), pressOf(rules.White, 1)},
			[]Logged{change("a8", queen), change("a7", none), pressOf(rules.White, 1)}},
		{"en passant, the victim taken off last", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
			[]Logged{change("e5", none), change("d6", pawn), change("d5", none), pressOf(rules.White, 1)},
			[]Logged{change("e5", none), change("d6", pawn), change("d5", none), pressOf(rules.White, 1)}},
		{"a press without a move", startFEN, []Logged{pressOf(rules.White, 1)}, []Logged{pressOf(rules.White, 1)}},
	}
	for _, tt := range tests {
		for _, turned := range []bool{false, true} {
			start := position(t, tt.fen)
			men := start.Placement()
			then := sense(&men)
			log, want := slices.Clone(tt.log), slices.Clone(tt.want)
			if turned {
				log, want = turnedLog(log), turnedLog(want)
			}
			if got := restored(log, then, turned); !slices.Equal(got, want) {
				t.Errorf("%s, turned %v:\n got %v\nwant %v", tt.name, turned, got, want)
			}
		}
	}
}
