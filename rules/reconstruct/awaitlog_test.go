package reconstruct

import (
	"testing"
	"time"

	"boardd/rules"
)

// away plays moves that nobody sees and gives what the board's log has of them.
func (h *hand) away(moves ...string) (log []Logged) {
	h.deaf = true
	for _, san := range moves {
		m, err := h.pos.ParseSAN(san)
		if err != nil {
			h.tb.Fatal(err)
		}
		by, man := h.pos.Turn(), h.pos.PieceAt(m.From())
		h.play(san)
		log = append(log, Logged{Square: m.From()}, Logged{Square: m.To(), Piece: man}, pressOf(by, h.clock.Face(by)))
	}
	h.deaf = false
	return log
}

// burst gives the tracker what was logged as it comes behind a log: all at once.
func (h *hand) burst(log []Logged) {
	r := h.tr.clock
	for i := len(h.tr.outage.since); i > 0; i-- {
		if in := h.tr.outage.since[i-1]; in.kind == clockInput {
			r = in.r
			break
		}
	}
	for _, e := range log {
		h.now += 5 * time.Millisecond
		switch {
		case e.Press && e.By == rules.White:
			r.White, r.ToMove = e.Face, rules.Black
			h.tr.Clock(h.now, r)
		case e.Press:
			r.Black, r.ToMove = e.Face, rules.White
			h.tr.Clock(h.now, r)
		default:
			h.tr.Square(h.now, e.Square, e.Piece)
		}
		h.tr.Advance(h.now)
	}
}

// While a board sends its log play goes on; what comes behind the log all at once is as
// if it had been seen.
func TestPlayWhileTheLogIsSent(t *testing.T) {
	for _, logTells := range []bool{true, false} {
		h := idleHand(t, startFEN)
		h.dump()
		h.start()
		h.play("e4 e5")
		h.wait(2000)
		h.tr.Lost(h.now)
		log := append([]Logged{change("e7", rules.NoPiece), change("e5", rules.BlackPawn), pressOf(rules.Black, h.clock.Black)},
			h.away("Nf3", "Nc6", "Bb5")...)
		if !logTells {
			log = nil
		}
		h.tr.Back(h.now)
		h.dump()
		h.tr.AwaitLog(h.now, 2*time.Second) // it is going to be asked for
		h.tr.Clock(h.now, h.clock)
		h.tr.AwaitLog(h.now, 20*time.Second)
		before, men := h.book.String(), h.pos.Placement()
		meanwhile := h.away("a6", "Ba4", "Nf6", "O-O")
		// Castling is four changes.
		meanwhile = append(meanwhile[:len(meanwhile)-3], change("e1", rules.NoPiece), change("g1", rules.WhiteKing),
			change("h1", rules.NoPiece), change("f1", rules.WhiteRook), meanwhile[len(meanwhile)-1])
		if h.book.String() != before || !h.tr.Awaits() {
			t.Errorf("told before the log came: %q", h.book)
		}
		if !h.tr.Log(h.now, log) {
			t.Fatal("the log is not taken")
		}
		h.burst(meanwhile[:5])
		for _, e := range meanwhile[:5] {
			if !e.Press {
				men[e.Square] = e.Piece
			}
		}
		h.tr.Dump(h.now, men) // the link asks for the board now and then
		h.burst(meanwhile[5:])
		h.wait(3000)
		if h.tr.Awaits() {
			t.Error("still waiting")
		}
		if logTells {
			h.want("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O")
			h.wantNoAlert("board.lost", "board.back")
		}
		h.play("Be7")
		h.wait(2000)
		if logTells {
			h.want("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7")
		}
	}
}

// A log that never comes holds nothing back for longer than asked, and what came
// meanwhile is not lost; nor is it when something else ends the wait.
func TestNoLogComes(t *testing.T) {
	endings := map[string]func(h *hand){
		"time": func(h *hand) { h.wait(6000) },
		"lost": func(h *hand) {
			h.wait(1000)
			h.tr.Lost(h.now)
			h.tr.Back(h.now)
			h.dump()
			h.tr.Clock(h.now, h.clock)
			h.wait(3000)
		},
		"result":   func(h *hand) { h.wait(1000); h.tr.Result(h.now, rules.Draw) },
		"finished": func(h *hand) { h.wait(1000); h.tr.Finish(h.now) },
	}
	for name, end := range endings {
		t.Run(name, func(t *testing.T) {
			h := idleHand(t, startFEN)
			h.dump()
			h.start()
			h.play("e4 e5")
			h.wait(2000)
			h.tr.Lost(h.now)
			h.away("Nf3")
			h.tr.Back(h.now)
			h.dump()
			h.tr.Clock(h.now, h.clock)
			h.tr.AwaitLog(h.now, 5*time.Second)
			h.play("Nc6")
			end(h)
			h.want("e4 e5 Nf3 Nc6")
			if h.tr.Awaits() {
				t.Error("still waiting")
			}
		})
	}
}

// A man that is on its way when the log ends stands on no square for long.
func TestHandOnItsWayBehindTheLog(t *testing.T) {
	h := idleHand(t, startFEN)
	h.dump()
	h.start()
	h.play("e4 e5")
	h.wait(2000)
	h.tr.Lost(h.now)
	log := append([]Logged{change("e7", rules.NoPiece), change("e5", rules.BlackPawn), pressOf(rules.Black, h.clock.Black)},
		h.away("Nf3", "Nc6", "Bb5")...)
	h.tr.Back(h.now)
	h.dump()
	h.tr.AwaitLog(h.now, 20*time.Second)
	h.tr.Clock(h.now, h.clock)
	meanwhile := h.away("a6")
	if !h.tr.Log(h.now, log) {
		t.Fatal("the log is not taken")
	}
	h.burst(append(meanwhile, change("b5", rules.NoPiece), change("c4", rules.WhiteBishop)))
	h.board[sq("b5")], h.board[sq("c4")] = rules.NoPiece, rules.WhiteBishop
	h.wait(200)
	h.set(sq("c4"), rules.NoPiece)
	h.set(sq("e2"), rules.WhiteBishop)
	h.wait(700)
	h.press()
	h.wait(2000)
	h.want("e4 e5 Nf3 Nc6 Bb5 a6 Be2")
	if h.book.taken > 0 {
		t.Errorf("%d plies were taken back", h.book.taken)
	}
}

// What happens after a board was read and before it was told to tell of changes is in its
// log only; what happens after that is there too, and was seen.
func TestChangesBetweenBoardAndLog(t *testing.T) {
	for _, pressed := range []bool{false, true} {
		h := idleHand(t, startFEN)
		h.dump()
		h.start()
		h.play("e4 e5")
		h.wait(2000)
		h.tr.Lost(h.now)
		log := append([]Logged{change("e7", rules.NoPiece), change("e5", rules.BlackPawn), pressOf(rules.Black, h.clock.Black)},
			h.away("Nf3", "Nc6", "Bb5", "a6")...)
		h.tr.Back(h.now)
		h.dump()
		h.tr.AwaitLog(h.now, 20*time.Second)
		capture := h.away("Bxc6") // b5 and c6, which nobody saw
		capture = []Logged{change("b5", rules.NoPiece), change("c6", rules.WhiteBishop), capture[len(capture)-1]}
		log = append(log, capture[:2]...)
		meanwhile := []Logged{capture[2]} // the clock tells of it behind the log
		if pressed {
			log = append(log, capture[2])
		}
		h.wait(100)
		h.set(sq("d7"), rules.NoPiece) // this was seen, and is in the log
		log = append(log, change("d7", rules.NoPiece))
		h.tr.Log(h.now, log)
		h.burst(append(meanwhile, change("c6", rules.BlackPawn)))
		h.set(sq("c6"), rules.BlackPawn)
		m, err := h.pos.ParseSAN("dxc6")
		if err != nil {
			t.Fatal(err)
		}
		h.pos = h.pos.Play(m)
		h.wait(700)
		h.press()
		h.wait(2500)
		h.want("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6")
	}
}
