package reconstruct

import (
	"testing"
	"time"

	"boardd/rules"
)

// rest lets the tracker look once a tenth of a second until at.
func rest(tr *Tracker, from, to time.Duration) {
	for at := from; at <= to; at += 100 * time.Millisecond {
		tr.Advance(at)
	}
}

func kinds(events []Event, k Kind) (found []Event) {
	for _, e := range events {
		if e.Kind == k {
			found = append(found, e)
		}
	}
	return found
}

// An array of Chess960 that stands on the board is the start, from either side.
func TestStartFromTheArraySeen(t *testing.T) {
	start, err := rules.Chess960Start(17)
	if err != nil {
		t.Fatal(err)
	}
	for _, turned := range []bool{false, true} {
		tr := New(rules.Start())
		s := sense(start.Board())
		if turned {
			s = s.turned()
		}
		tr.Dump(0, s.placement())
		rest(tr, 0, 3*time.Second)
		e := kinds(tr.Take(), NewGame)
		if len(e) != 1 || *e[0].Start != start {
			t.Fatalf("turned %v: new games %v, want one from %s", turned, e, start.FEN())
		}
		if tr.phase != playing || tr.turned != turned {
			t.Errorf("turned %v: phase %d, turned %v", turned, tr.phase, tr.turned)
		}
	}
}

// A game that ended by word of the arbiter goes on when he takes the word back.
func TestReopen(t *testing.T) {
	tr := New(rules.Start())
	start := rules.Start()
	tr.Dump(0, start.Placement())
	tr.Advance(time.Second)
	play := func(at time.Duration, from, to rules.Square, p rules.Piece) {
		tr.Square(at, from, rules.NoPiece)
		tr.Square(at+200*time.Millisecond, to, p)
		rest(tr, at, at+5*time.Second)
	}
	play(2*time.Second, 12, 28, rules.WhitePawn) // e2-e4
	tr.Result(8*time.Second, rules.Draw)
	play(9*time.Second, 52, 36, rules.BlackPawn) // analysis: no play
	play(15*time.Second, 36, 52, rules.BlackPawn)
	if n := len(kinds(tr.Take(), Move)); n != 1 {
		t.Fatalf("%d plies before and after the result, want 1", n)
	}
	tr.Result(21*time.Second, rules.Unfinished)
	play(22*time.Second, 50, 34, rules.BlackPawn) // c7-c5
	e := tr.Take()
	if r := kinds(e, Result); len(r) != 1 || r[0].Result != rules.Unfinished {
		t.Errorf("results %v, want one *", r)
	}
	if m := kinds(e, Move); len(m) != 1 || m[0].Ply != 2 {
		t.Errorf("plies %v, want the second", m)
	}
}

// A result piece counts when it stays where nothing should stand; a man's code
// that was damaged into one does not.
func TestResultPiece(t *testing.T) {
	for _, c := range []struct {
		square rules.Square
		want   int
	}{{27, 1}, {3, 0}} { // d4, and d1 where the queen stands
		tr := New(rules.Start())
		start := rules.Start()
		tr.Dump(0, start.Placement())
		tr.Advance(time.Second)
		tr.Sign(2*time.Second, c.square, rules.BlackWins)
		rest(tr, 2*time.Second, 6*time.Second)
		if r := kinds(tr.Take(), Result); len(r) != c.want || c.want == 1 && r[0].Result != rules.BlackWins {
			t.Errorf("square %s: results %v, want %d", c.square, r, c.want)
		}
	}
}

// A man that drops out of sight for long is told of, once, and changes nothing.
func TestMissingPiece(t *testing.T) {
	tr := New(rules.Start())
	start := rules.Start()
	tr.Dump(0, start.Placement())
	tr.Square(time.Second, 1, rules.NoPiece) // b1
	rest(tr, time.Second, 30*time.Second)
	tr.Square(31*time.Second, 1, rules.WhiteKnight)
	rest(tr, 31*time.Second, 35*time.Second)
	e := tr.Take()
	if a := kinds(e, Alert); len(a) != 1 || a[0].Code != "board.missing_piece" {
		t.Errorf("alerts %v, want one board.missing_piece", a)
	}
	if m := kinds(e, Move); len(m) != 0 {
		t.Errorf("plies %v, want none", m)
	}
}

// A queen laid on the board delays no ply and is told of once.
func TestQueenLaidOnTheBoard(t *testing.T) {
	tr := New(rules.Start())
	start := rules.Start()
	tr.Dump(0, start.Placement())
	tr.Square(time.Second, 40, rules.BlackQueen) // a6
	rest(tr, time.Second, 20*time.Second)
	tr.Square(20*time.Second, 12, rules.NoPiece)
	tr.Square(20*time.Second+200*time.Millisecond, 28, rules.WhitePawn) // e2-e4
	rest(tr, 20*time.Second+300*time.Millisecond, 24*time.Second)
	e := tr.Take()
	if m := kinds(e, Move); len(m) != 1 {
		t.Errorf("plies %v, want e4", m)
	}
	if a := kinds(e, Alert); len(a) != 1 || a[0].Code != "board.extra_piece" {
		t.Errorf("alerts %v, want one board.extra_piece", a)
	}
}
