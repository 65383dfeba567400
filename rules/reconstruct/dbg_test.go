package reconstruct

import (
	"fmt"
	"testing"
)

func TestDbgTakeback(t *testing.T) {
	for _, pause := range []string{"150", "700", "1500"} {
		h := newHand(t, startFEN)
		h.play("e4 e5 Nf3 Nc6")
		h.do("1500 -c6 +nb8 " + pause + " -f3 +Ng1 1500 -d2 +Pd4 300 press 1500")
		h.pos = after(t, startFEN, "e4 e5 d4")
		for _, s := range []string{"exd4", "Qxd4", "Nc6", "Qa4", "Bc5", "Nf3", "Nf6", "Bg5", "h6", "Bh4", "g5", "Bg3"} {
			h.play(s)
			h.wait(3000)
		}
		fmt.Println(pause, h.book.String(), h.book.alerts)
		h.tr.Finish(h.now)
		h.collect()
		fmt.Println(pause, h.book.String(), h.book.alerts)
	}
}
func TestDbgFast(t *testing.T) {
	for _, d := range []int{20, 50, 100, 150} {
		h := newHand(t, startFEN)
		h.wait(1000)
		for i := 0; i < 2; i++ {
			for _, s := range [][2]string{{"e2", "e4"}, {"e7", "e5"}, {"e4", "e2"}, {"e5", "e7"}}[2*i : 2*i+2] {
				if i == 1 {
					break
				}
				p := h.board[sq(s[0])]
				h.set(sq(s[0]), 0)
				h.wait(100)
				h.set(sq(s[1]), p)
				h.wait(d)
				h.press()
			}
		}
		h.wait(3000)
		fmt.Println(d, h.book.String(), h.book.alerts, h.book.clocks)
	}
}
func TestDbgRetract(t *testing.T) {
	h := newHand(t, startFEN)
	h.do("-b1 +Nc3 3000 -c3 +Na3 300 press 6000")
	fmt.Println(h.book.String(), h.book.alerts)
	h.do("-e7 +pe5 200 press 1500")
	fmt.Println(h.book.String(), h.book.alerts)
	h.do("-e2 +Pe4 200 press 1500")
	fmt.Println(h.book.String(), h.book.alerts)
}
