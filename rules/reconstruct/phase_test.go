package reconstruct

import (
	"fmt"
	"testing"
	"time"

	"boardd/rules"
)

// The players' sign: kings on e4 and d5 White has won, on d4 and e5 Black, on
// one light and one dark square a draw, whichever king came first.
func TestKingsSign(t *testing.T) {
	results := map[string]rules.Result{"d5e4": rules.WhiteWins, "e4d5": rules.WhiteWins, "d4e5": rules.BlackWins, "e5d4": rules.BlackWins}
	squares := []string{"d4", "e4", "d5", "e5"}
	for _, w := range squares {
		for _, b := range squares {
			if w == b {
				continue
			}
			want := rules.Draw
			if r, ok := results[w+b]; ok {
				want = r
			}
			for _, first := range []string{"white", "black"} {
				t.Run(fmt.Sprintf("K%s k%s %s first", w, b, first), func(t *testing.T) {
					h := newHand(t, startFEN)
					h.play("d4 d5 c4 e5 Nc3 exd4 cxd5")
					h.wait(1500)
					h.clock.Running = false
					h.tr.Clock(h.now, h.clock)
					clear := ""
					for _, q := range squares {
						if h.board[sq(q)] != rules.NoPiece {
							clear += " -" + q
						}
					}
					white, black := " -e1 300 +K"+w, " -e8 300 +k"+b
					if first == "black" {
						white, black = black, white
					}
					h.do(clear + white + " 1000" + black + " 4000")
					if h.book.result != want {
						t.Errorf("result %s, want %s", h.book.result, want)
					}
					h.wantAlert("result.kings")
					h.want("d4 d5 c4 e5 Nc3 exd4 cxd5")
				})
			}
		}
	}
}

// A king that stands in the centre alone, or passes over it, is no sign.
func TestNoKingsSign(t *testing.T) {
	h := newHand(t, "8/8/8/4k3/8/4K3/8/7R w - - 0 1")
	h.do("-h1 +Rh4 press 900 -e5 +kd5 press 900 -e3 +Kd3 press 4000 -d5 +ke5 press 900 -d3 +Ke3 press 4000")
	if h.book.result != rules.Unfinished {
		t.Errorf("result %s", h.book.result)
	}
	h.want("Rh4 Kd5 Kd3 Ke5 Ke3")
}

// The first step to the centre may be a legal move: it is withdrawn.
func TestKingsSignWithdrawsTheKingsWay(t *testing.T) {
	h := newHand(t, "8/8/4k3/7p/7P/3K4/8/8 w - - 0 1")
	h.wait(2000)
	h.do("-d3 +Kd4 3500 -e6 +ke5 4000")
	h.want("")
	if h.book.result != rules.BlackWins {
		t.Errorf("result %s", h.book.result)
	}
}

func TestOrientation(t *testing.T) {
	h := idleHand(t, startFEN)
	h.turned = true
	h.dump()
	h.start()
	h.wantAlert("board.rotated")
	h.play("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4")
	h.wait(2000)
	h.want("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4")
	h.wantNoAlert("board.rotated")
	if h.tr.Placement() != h.board {
		t.Errorf("placement %v in the wrong frame", h.tr.Placement())
	}
}

func TestNotReady(t *testing.T) {
	h := idleHand(t, startFEN)
	d8 := h.board[sq("d8")]
	h.board[sq("d8")] = rules.NoPiece
	h.dump()
	h.wait(1500)
	h.wantNoAlert()
	h.wait(1500)
	h.wantAlert("board.not_ready")
	h.set(sq("d8"), d8)
	h.start()
	h.play("e4 e5")
	h.wait(1000)
	h.want("e4 e5")
	h.wantNoAlert("board.not_ready")
}

func TestNoNewsOfAnEmptyBoard(t *testing.T) {
	h := idleHand(t, startFEN)
	h.tr.Dump(0, rules.Placement{})
	h.wait(10000)
	h.wantNoAlert()
}

func TestNewGameAfterResult(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5 Nf3")
	h.wait(1000)
	h.tr.Result(h.now, rules.Draw)
	h.collect()
	h.want("e4 e5 Nf3")
	if h.book.result != rules.Draw {
		t.Errorf("result %s", h.book.result)
	}
	// Analysis is no play.
	h.do("-g8 +nf6 2000 -d2 +Pd4 3000")
	h.want("e4 e5 Nf3")
	h.clock = Reading{White: time.Hour, Black: time.Hour, Connected: true}
	h.tr.Clock(h.now, h.clock)
	h.do("-f6 +ng8 -d4 +Pd2 -f3 +Ng1 -e4 +Pe2 -e5 +pe7 3000")
	h.want("e4 e5 Nf3") // nothing is told before something is played
	h.pos = rules.Start()
	h.start()
	h.play("c4 c5")
	h.wait(1000)
	h.want("c4 c5")
	if h.book.games != 1 || h.book.result != rules.Unfinished {
		t.Errorf("%d new games, result %s", h.book.games, h.book.result)
	}
}

func TestNewGameByOrder(t *testing.T) {
	h := newHand(t, startFEN)
	h.play("e4 e5")
	h.wait(1000)
	h.tr.Result(h.now, rules.Draw)
	start := rules.Start()
	h.board = start.Placement()
	h.dump()
	h.wait(3000)
	h.tr.NewGame(h.now, start)
	h.collect()
	h.pos = rules.Start()
	h.play("d4 d5")
	h.wait(1000)
	h.want("d4 d5")
	if h.book.games != 1 {
		t.Errorf("told of %d new games, want 1", h.book.games)
	}
	fen := "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
	h.tr.NewGame(h.now, position(t, fen))
	h.pos = position(t, fen)
	h.board = h.pos.Placement()
	h.dump()
	h.wait(1000)
	h.play("a8=Q+ Kd7")
	h.wait(1000)
	h.want("a8=Q+ Kd7")
}

func TestMateEndsTheGame(t *testing.T) {
	for _, pressed := range []bool{true, false} {
		h := newHand(t, startFEN)
		h.play("f3 e5 g4")
		h.wait(700)
		h.do("-d8 +qh4")
		if pressed {
			h.press()
		}
		h.wait(4000)
		h.want("f3 e5 g4 Qh4#")
		if h.book.result != rules.BlackWins {
			t.Errorf("pressed %v: result %s", pressed, h.book.result)
		}
		h.wantAlert("game.over")
		h.wantNoAlert("game.over")
	}
}

func TestStalemateEndsTheGame(t *testing.T) {
	h := newHand(t, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
	h.play("Qf7")
	h.wait(4000)
	if h.want("Qf7"); h.book.result != rules.Draw {
		t.Errorf("result %s", h.book.result)
	}
}

func TestChess960(t *testing.T) {
	h := newHand(t, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1")
	h.play("f4 f5 Nf3 Nf6 g3 g6 b3 b6")
	h.wait(1000)
	h.want("f4 f5 Nf3 Nf6 g3 g6 b3 b6")

	// The king goes one step, or not at all, or takes the rook's square.
	h = newHand(t, "4k3/8/8/8/8/8/8/2R2K1R w HC - 0 1")
	h.play("O-O")
	h.wait(1000)
	h.want("O-O")
	h = newHand(t, "4k3/8/8/8/8/8/8/R1K4R w HA - 0 1")
	h.play("O-O-O")
	h.wait(4000)
	h.want("O-O-O")
	h = newHand(t, "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1")
	h.play("O-O")
	h.wait(1000)
	h.want("O-O")
}
