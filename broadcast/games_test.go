package broadcast

import (
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

// hall publishes the games of a hall the way venue does, for tests that need a lively page.
type hall struct {
	tb   testing.TB
	hub  *Hub
	seat map[int]*rules.Game
	// settle, if set, waits until the hub has dealt with a change.
	settle func()
}

func newHall(tb testing.TB, h *Hub) *hall { return &hall{tb: tb, hub: h, seat: map[int]*rules.Game{}} }

func (a *hall) publish(c Change) {
	a.hub.Publish(c)
	if a.settle != nil {
		a.settle()
	}
}

// game starts a game; tags are "Name value" strings.
func (a *hall) game(board int, tags ...string) {
	a.tb.Helper()
	g := rules.NewGame(rules.Start())
	a.seat[board] = g
	m := map[string]string{}
	for _, t := range tags {
		name, value, _ := strings.Cut(t, " ")
		m[name] = value
	}
	a.publish(Change{Type: TypeStatus, Board: board, Status: LinkLive})
	a.publish(Change{Type: TypeGame, Board: board, FEN: g.Start().FEN(), Tags: m})
}

// play adds moves in SAN; each takes the mover's clock down from 90 minutes by a little.
func (a *hall) play(board int, san ...string) {
	a.tb.Helper()
	g := a.seat[board]
	for _, s := range san {
		before := *g.Current()
		if err := g.PushSAN(s); err != nil {
			a.tb.Fatalf("board %d: %v", board, err)
		}
		n := g.Len()
		p := g.Ply(n)
		left := 90*time.Minute - time.Duration(n*n%97+n*11)*time.Second
		g.SetClock(n, left)
		a.publish(Change{Type: TypeMove, Board: board, AtMS: int64(n) * 1000, Ply: n, SAN: p.SAN,
			UCI: before.UCI(p.Move), FEN: g.Current().FEN(), ClockMS: MS(left)})
	}
}

// clocks shows both clocks as of the last two plies, the side to move running.
func (a *hall) clocks(board int) {
	g := a.seat[board]
	side := map[rules.Color]time.Duration{rules.White: 90 * time.Minute, rules.Black: 90 * time.Minute}
	for n := 1; n <= g.Len(); n++ {
		side[g.PositionAt(n-1).Turn()] = g.Ply(n).Clock
	}
	a.publish(Change{Type: TypeClock, Board: board, WhiteMS: MS(side[rules.White]), BlackMS: MS(side[rules.Black]),
		Running: g.Current().Turn().String()})
}

// fill seats eight games of different length, one finished, one with a lost board, with long names among them.
func (a *hall) fill() {
	games := []struct{ white, black, moves string }{
		{"Morphy, Paul", "Duke Karl / Count Isouard", "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"},
		{"Anderssen, Adolf", "Kieseritzky, Lionel", "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6"},
		{"Thorvaldsdóttir-Brynjólfsson, Guðrún Sigríður", "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Nbd7 e3 Be7 Nf3 O-O"},
		{"Capablanca, José Raúl", "Tartakower, Savielly", "d4 e6 Nf3 f5 c4 Nf6 Bg5 Be7 Nc3 O-O e3 b6 Bd3 Bb7 O-O Qe8 Qe2 Ne4 Bxe7 Nxc3 bxc3 Qxe7"},
		{"Menchik, Vera", "Graf, Sonja", "e4 e6 d4 d5 Nc3 Nf6 e5 Nfd7 f4 c5"},
		{"Li Wei", "Ho", "c4 g6"},
		{"Gaprindashvili, Nona", "Servaty, Rudolf", "e4 c5 Nf3 g6 d4 cxd4 Nxd4 Bg7 c4 Nc6 Be3 Qb6 Nb5"},
		{"Polgár, Judit", "Andersson, Ulf", ""},
	}
	for i, g := range games {
		n := i + 1
		tags := []string{"Event Open Championship of the City", "Round 3." + string(rune('0'+n)), "White " + g.white, "Black " + g.black, "WhiteElo 2" + string(rune('0'+n)) + "41", "BlackElo 2514"}
		if n%2 == 1 {
			tags = append(tags, "WhiteTitle GM")
		}
		if n%3 == 0 {
			tags = append(tags, "BlackTitle WFM")
		}
		a.game(n, tags...)
		a.play(n, strings.Fields(g.moves)...)
		if g.moves != "" {
			a.clocks(n)
		}
	}
	a.publish(Change{Type: TypeResult, Board: 1, Result: "1-0"})
	a.publish(Change{Type: TypeStatus, Board: 4, Status: LinkLost, Text: "cable of board 4"})
	a.publish(Change{Type: TypeClock, Board: 5, WhiteMS: MS(22 * time.Second), BlackMS: MS(11 * time.Minute), Running: RunningWhite})
	a.publish(Change{Type: TypeResult, Board: 7, Result: "1/2-1/2"})
}
