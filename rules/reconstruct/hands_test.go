package reconstruct

import (
	"testing"

	"boardd/rules"
)

// What hands do, ply by ply. Each script begins 700 ms after the last press.
func TestHands(t *testing.T) {
	const (
		castle  = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
		passant = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"
		promote = "1r5k/P7/8/8/8/8/8/4K3 w - - 0 1"
		taking  = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	)
	tests := []struct{ name, fen, script, want string }{
		{"castling, king first", castle, "-e1 +Kg1 300 -h1 +Rf1 300 press 1000", "O-O"},
		{"castling, king first with a pause", castle, "-e1 +Kg1 4000 -h1 +Rf1 300 press 1000", "O-O"},
		{"castling, rook first", castle, "-h1 +Rf1 300 -e1 +Kg1 300 press 1000", "O-O"},
		{"castling, rook first with a pause", castle, "-h1 +Rf1 4000 -e1 +Kg1 300 press 1000", "O-O"},
		{"castling, both in the air, king down first", castle, "-e1 -h1 +Kg1 +Rf1 300 press 1000", "O-O"},
		{"castling, both in the air, rook lifted first", castle, "-h1 -e1 +Rf1 +Kg1 300 press 1000", "O-O"},
		{"castling long, rook first", castle, "-a1 +Rd1 500 -e1 +Kc1 300 press 1000", "O-O-O"},
		{"castling, rook after the press", castle, "-e1 +Kg1 press 300 -h1 +Rf1 2000", "O-O"},
		{"a king's step is no castling", castle, "-e1 +Kf1 300 press 3000", "Kf1"},
		{"a rook's move is no castling", castle, "-h1 +Rf1 300 press 3000", "Rf1"},

		{"en passant, pawn first", passant, "-d7 +pd5 press 700 -e5 +Pd6 -d5 300 press 1000", "d5 exd6"},
		{"en passant, victim first", passant, "-d7 +pd5 press 700 -d5 -e5 +Pd6 300 press 1000", "d5 exd6"},
		{"en passant, victim between", passant, "-d7 +pd5 press 700 -e5 -d5 +Pd6 300 press 1000", "d5 exd6"},
		{"en passant, victim after a pause", passant, "-d7 +pd5 press 700 -e5 +Pd6 2000 -d5 300 press 1000", "d5 exd6"},
		{"en passant over the victim's square", passant, "-d7 +pd5 press 700 -e5 +Pd5 -d5 +Pd6 300 press 1000", "d5 exd6"},

		{"promotion at once", promote, "-a7 +Qa8 300 press 1000", "a8=Q"},
		{"promotion through a pawn", promote, "-a7 +Pa8 400 -a8 +Qa8 300 press 1000", "a8=Q"},
		{"promotion, pawn rests", promote, "-a7 +Pa8 3000 -a8 500 +Ra8 300 press 1000", "a8=R"},
		{"under-promotion", promote, "-a7 +Na8 300 press 1000", "a8=N"},
		{"promotion by capture, victim first", promote, "-b8 -a7 +Qb8 300 press 1000", "axb8=Q+"},
		{"promotion by capture, pawn dragged on", promote, "-a7 -b8 +Pb8 300 -b8 +Bb8 300 press 1000", "axb8=B"},
		{"promotion changed before the press", promote, "-a7 +Qa8 400 -a8 +Ra8 400 press 2000", "a8=R"},

		{"capture, victim first", taking, "-d5 -e4 +Pd5 300 press 1000", "exd5"},
		{"capture, attacker first", taking, "-e4 -d5 +Pd5 300 press 1000", "exd5"},
		{"capture, landing over the victim", taking, "-e4 +Pd5 300 press 1000", "exd5"},

		{"j'adoube", startFEN, "-g1 400 +Ng1 500 -e2 +Pe4 300 press 1000", "e4"},
		{"two adjusted at once", startFEN, "-g1 -b1 400 +Nb1 +Ng1 500 -e2 +Pe4 300 press 1000", "e4"},
		{"adjusted off the middle of its square", startFEN, "-g1 +Ng2 -g2 +Pg2 +Ng1 500 -e2 +Pe4 300 press 1500", "e4"},
		{"slid over the squares between", startFEN, "-e2 +Pe3 -e3 +Pe4 300 press 1000", "e4"},
		{"a slide that rests", startFEN, "-e2 +Pe3 1500 -e3 +Pe4 300 press 1500", "e4"},
		{"put down, thought again", startFEN, "-e2 +Pe4 1500 -e4 +Pe2 500 -d2 +Pd4 300 press 1500", "d4"},
		{"put elsewhere before the press", startFEN, "-g1 +Nf3 2000 -f3 +Nh3 300 press 8000", "Nh3"},
		{"the press before the landing", startFEN, "-e2 press +Pe4 1500", "e4"},
		{"the reply before the press", startFEN, "-e2 +Pe4 -e7 +pe5 200 press 200 press 1500", "e4 e5"},
		{"crossing hands", startFEN, "-e2 -e7 +Pe4 +pe5 200 press 200 press 1500", "e4 e5"},
		{"presses forgotten", startFEN, "-e2 +Pe4 2000 -e7 +pe5 2000 -g1 +Nf3 2000", "e4 e5 Nf3"},
		{"a press forgotten, then both", startFEN, "-e2 +Pe4 2000 -e7 +pe5 500 press press 2000 -g1 +Nf3 200 press 1000", "e4 e5 Nf3"},
		{"a man dropped out of sight meanwhile", startFEN, "-h8 -e2 +Pe4 press 1000 +rh8 -e7 +pe5 press 1500", "e4 e5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHand(t, tt.fen)
			h.do(tt.script)
			h.wait(2000)
			h.want(tt.want)
			h.wantNoAlert("move.corrected", "press.no_move", "board.position_mismatch")
		})
	}
}

// A clean game without a clock lives on rest alone.
func TestNoClock(t *testing.T) {
	h := idleHand(t, startFEN)
	h.noClk = true
	h.dump()
	h.tr.Clock(0, Reading{})
	h.wait(1000)
	h.wantAlert("clock.none")
	h.step = 250 * 1e6
	for _, san := range []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O", "Nxe4"} {
		h.play(san)
		h.wait(3500)
	}
	h.want("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4")
	h.wantNoAlert("clock.none")
	if len(h.book.clocks) != 0 {
		t.Errorf("clocks %v without a clock", h.book.clocks)
	}
}

func TestTakeback(t *testing.T) {
	tests := []struct{ name, before, script, want string }{
		{"one ply after the press", "e4 e5 Nf3", "1500 -f3 +Ng1 800 press 1500 -b1 +Nc3 300 press 1500", "e4 e5 Nc3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHand(t, startFEN)
			h.play(tt.before)
			h.wait(1000)
			h.want(tt.before)
			h.do(tt.script)
			h.wait(3000)
			h.want(tt.want)
			if h.book.taken == 0 {
				t.Error("nothing was retracted")
			}
			h.wantAlert("move.takeback")
			h.wantNoAlert("move.takeback")
		})
	}
}

// Both took back, unpressed: that the record waits is honest, since they may
// have gone there and back in two moves, but it must not wait for ever.
func TestRecordGoesOnAfterTakeback(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5 Nf3 Nc6")
	h.do("1500 -c6 +nb8 700 -f3 +Ng1 1500 -d2 +Pd4 300 press 1500")
	h.pos = after(t, startFEN, "e4 e5 d4")
	h.play("exd4 Qxd4 Nc6 Qa4 Bc5 Nf3 Nf6")
	h.wait(7000)
	if h.book.top().pos.Placement() != h.pos.Placement() {
		t.Errorf("record stops at %q", h.book)
	}
}

// Presses right after the landings belong to their plies.
func TestQuickPresses(t *testing.T) {
	for _, rest := range []int{20, 50, 100, 150} {
		h := newHand(t, startFEN)
		for _, m := range []struct{ from, to string }{{"e2", "e4"}, {"e7", "e5"}} {
			man := h.board[sq(m.from)]
			h.set(sq(m.from), rules.NoPiece)
			h.wait(100)
			h.set(sq(m.to), man)
			h.wait(rest)
			h.press()
		}
		h.wait(3000)
		h.want("e4 e5")
		h.wantNoAlert()
		if len(h.book.clocks) != 2 {
			t.Errorf("%d ms: clocks %v", rest, h.book.clocks)
		}
	}
}

// What was published and is put elsewhere unpressed is withdrawn by an event of its own.
func TestRetract(t *testing.T) {
	h := newHand(t, startFEN)
	h.do("-b1 +Nc3 3000")
	h.want("Nc3")
	h.do("-c3 +Na3 300 press 12000")
	h.want("Na3")
	if h.book.taken != 1 || h.book.moved != 2 {
		t.Errorf("%d moves and %d retracts", h.book.moved, h.book.taken)
	}
	h.wantNoAlert("move.corrected") // the press had made it firm
}

func TestPressesGoToTheirPlies(t *testing.T) {
	h := newHand(t, startFEN)
	h.inc = 0
	want := map[int]int{}
	for i, san := range []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"} {
		by := h.pos.Turn()
		h.wait(1000 * (i + 1))
		h.play(san)
		want[i+1] = int(h.clock.Face(by).Seconds())
	}
	h.wait(1000)
	if len(h.book.clocks) != len(want) {
		t.Errorf("clocks %v", h.book.clocks)
	}
	for ply, s := range want {
		if got := int(h.book.clocks[ply].Seconds()); got != s {
			t.Errorf("ply %d: clock %d s, want %d", ply, got, s)
		}
	}
	if h.book.firm != 6 {
		t.Errorf("firm up to %d", h.book.firm)
	}
	// The face belongs to the press, not to a reading after it.
	h.do("700 -b5 +Ba4 press")
	face := h.clock.White
	h.wait(5000)
	if h.book.clocks[7] != face {
		t.Errorf("ply 7: clock %v, want %v", h.book.clocks[7], face)
	}
	h.want("e4 e5 Nf3 Nc6 Bb5 a6 Ba4")
}

// Two presses between two reports: the first has no face, and none is made up.
func TestTwoPressesBetweenReports(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.wait(1000)
	h.do("-g1 +Nf3")
	h.wait(1200)
	h.do("-b8 +nc6")
	h.clock.Black -= 2e9
	h.tr.Clock(h.now, h.clock)
	h.wait(1500)
	h.want("e4 e5 Nf3 Nc6")
	if _, ok := h.book.clocks[3]; ok {
		t.Error("a face was made up for ply 3")
	}
	if h.book.clocks[4] != h.clock.Black {
		t.Errorf("ply 4: clock %v, want %v", h.book.clocks[4], h.clock.Black)
	}
}

func TestPressWithoutMove(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.wait(2000)
	h.press()
	h.wait(3000)
	h.want("e4 e5")
	h.wantAlert("press.no_move")
}

// An illegal move that stands, and on which play goes on, begins a segment.
func TestSegment(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.do("800 -f1 +Bc5 300 press 2500") // through its own pawn it may; to c5 no bishop of f1 goes
	h.wantAlert("move.illegal")
	h.want("e4 e5")
	h.do("-g8 +nf6 300 press 1000 -b1 +Nc3 300 press 1000 -b8 +nc6 300 press 1000 -d2 +Pd3 300 press 3000")
	h.want("e4 e5 | Nf6 Nc3 Nc6 d3")
	h.wantNoAlert("move.illegal")
}

func TestIllegalPutRight(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.do("800 -f1 +Bc5 300 press 2500")
	h.wantAlert("move.illegal")
	h.do("-c5 +Bf1 500 press 1000 -f1 +Bc4 300 press 1000")
	h.play("") // nothing
	h.do("700 -b8 +nc6 300 press 2500")
	h.want("e4 e5 Bc4 Nc6")
}

func TestPromotionIncomplete(t *testing.T) {
	h := newHand(t, "7k/P7/8/8/8/8/8/4K3 w - - 0 1")
	h.do("-a7 +Pa8 500 press 3000")
	h.wantAlert("move.promotion_incomplete")
	h.wantNoAlert("move.promotion_incomplete", "board.position_mismatch")
}

func TestMismatchAtRest(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.do("1000 -h2 +Ph5 4000")
	h.wantAlert("board.position_mismatch")
	h.want("e4 e5")
	h.do("-h5 +Ph2 1000")
	h.play("Nf3 Nc6")
	h.wait(1000)
	h.want("e4 e5 Nf3 Nc6")
}

// A queen laid ready on an empty square is no move.
func TestExtraPiece(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.do("1000 +Qa5 4000")
	h.wantAlert("board.extra_piece")
	h.wantNoAlert("board.extra_piece")
	h.do("-a5")
	h.play("Nf3 Nc6")
	h.wait(1000)
	h.want("e4 e5 Nf3 Nc6")
}

func TestWeakManIsLearnt(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	a1 := sq("a1")
	h.wait(1000)
	h.do("-a1 2000 +Ra1 1000")
	if !h.tr.best.line.weak.Has(a1) {
		t.Fatal("the rook on a1 dropped out and came back: not known as weak")
	}
	// The mark goes with the man, and play goes on while he is out of sight.
	h.do("-a1")
	h.play("Nf3 Nc6 Bc4 Bc5")
	h.wait(1000)
	h.want("e4 e5 Nf3 Nc6 Bc4 Bc5")
	h.do("+Ra1")
	h.play("a4 a5 Ra3 h6")
	h.wait(1000)
	h.want("e4 e5 Nf3 Nc6 Bc4 Bc5 a4 a5 Ra3 h6")
	if w := h.tr.best.line.weak; !w.Has(sq("a3")) || w.Has(a1) {
		t.Errorf("the rook is on a3, weak are %x", uint64(w))
	}
	h.wantNoAlert()
}

// A man adjusted in passing is not weak.
func TestAdjustedManIsNotWeak(t *testing.T) {
	h := newHand(t, startFEN)
	h.do("-a1 +Ra1 1000")
	if h.tr.best.line.weak != 0 {
		t.Errorf("weak are %x", uint64(h.tr.best.line.weak))
	}
}

func TestDeadSquareIsLearnt(t *testing.T) {
	h := idleHand(t, "4k3/pp6/8/8/8/8/2P4P/N3K3 w - - 0 1")
	b3 := sq("b3")
	h.dead = b3.Bit()
	h.dump()
	h.start()
	h.play("Nb3 a6 h3 b6") // the knight has no other move
	h.wait(12000)
	h.want("Nb3 a6 h3 b6")
	h.wantAlert("board.square_dead")
	if h.tr.dead != b3.Bit() {
		t.Errorf("dead are %x", uint64(h.tr.dead))
	}
	// It reads after all.
	h.dead = 0
	h.do("+Nb3 500")
	if h.tr.dead != 0 {
		t.Errorf("b3 reads, dead are %x", uint64(h.tr.dead))
	}
	h.wantNoAlert("board.square_dead")
	h.play("Nd4 a5")
	h.wait(1000)
	h.want("Nb3 a6 h3 b6 Nd4 a5")
}

// A knight that vanishes may have gone to three squares: nothing is claimed
// until it shows where it was.
func TestDeadSquareOfTwo(t *testing.T) {
	h := idleHand(t, startFEN)
	h.dead = sq("f3").Bit()
	h.dump()
	h.start()
	h.play("e4 e5 Nf3 Nc6 Bb5 a6")
	h.wait(12000)
	if h.book.moved > 2 {
		t.Errorf("claimed %q", h.book)
	}
	h.play("Ba4 Nf6 Nxe5 Nxe5")
	h.wait(2000)
	h.want("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 Nxe5 Nxe5")
}

// A square that is dead from the first array on: the game can be followed all the same.
func TestDeadSquareInTheArray(t *testing.T) {
	h := idleHand(t, startFEN)
	h.dead = sq("a8").Bit()
	h.dump()
	h.start()
	h.wait(3000)
	h.play("e4 e5 Nf3 Nc6")
	h.wait(2000)
	h.want("e4 e5 Nf3 Nc6")
}

func TestPlacement(t *testing.T) {
	h := newHand(t, startFEN)
	h.do("-e2")
	start := rules.Start()
	p := start.Placement()
	p[sq("e2")] = rules.NoPiece
	if h.tr.Placement() != p {
		t.Error("placement is not what the sensors read")
	}
}
