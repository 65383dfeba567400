package dgt

import "testing"

func TestSquare(t *testing.T) {
	for s, want := range map[Square]string{0: "a8", 7: "h8", 0x34: "e2", 56: "a1", 63: "h1", 64: "??", 255: "??"} {
		if s.String() != want {
			t.Errorf("%d: got %v, want %s", s, s, want)
		}
	}
	for s := range Square(Squares) {
		if s.Turned().Turned() != s || s.Turned() == s || !s.Turned().Valid() {
			t.Errorf("%v turned is %v", s, s.Turned())
		}
	}
}

func TestPiece(t *testing.T) {
	for p := range Piece(16) {
		if got, ok := PieceOfLetter(p.Letter()); !ok || got != p || !p.Valid() {
			t.Errorf("%d: letter %v gives %d", p, p, got)
		}
	}
	if _, ok := PieceOfLetter('?'); ok || Piece(16).Valid() || Piece(16).String() != "?" {
		t.Error("16 is no piece")
	}
	for p, want := range map[Piece][2]bool{Empty: {}, WhitePawn: {true}, BlackQueen: {true}, ResultDraw: {false, true}, ResultBlack: {false, true}, 16: {}} {
		if p.IsMan() != want[0] || p.IsResult() != want[1] {
			t.Errorf("%v: man %v, result %v", p, p.IsMan(), p.IsResult())
		}
	}
}

func TestPlacement(t *testing.T) {
	p := StartPlacement()
	if want := "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"; p.String() != want {
		t.Errorf("got %v", p)
	}
	// King and queen look exchanged: it is a rotation, not a flip.
	if want := "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr"; p.Turned().String() != want {
		t.Errorf("got %v", p.Turned())
	}
	p[0], p[27] = Empty, ResultWhite
	if want := "1nbqkbnr/pppppppp/8/3Y4/8/8/PPPPPPPP/RNBQKBNR"; p.String() != want {
		t.Errorf("got %v", p)
	}
}

func TestSide(t *testing.T) {
	if Left.Other() != Right || Right.Other() != Left || Left.String() != "left" || Right.String() != "right" {
		t.Error("sides are mixed up")
	}
}
