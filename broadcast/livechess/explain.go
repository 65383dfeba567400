package livechess

import (
	"time"

	"boardd/broadcast"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// explanation is the game that a client set up, as far as it is known. It is the client's alone.
type explanation interface {
	// told gives the position it began from in FEN, its moves since, and whether the men stand as after them.
	told() (start string, san []string, match bool)
}

// tracked explains what the sensors see from the position that was set up, with a tracker of its own.
type tracked struct {
	tracker *reconstruct.Tracker
	start   string // as the client wrote it, while it is the client's
	game    *rules.Game
	before  int  // half-moves of it that the venue's record had when the tracker began
	cut     bool // no legal move leads on: what follows has no place in a list of moves
	settled time.Duration
}

// rest is how long after the last sighting a tracker may still learn from time that passes.
const rest = 15 * time.Second

// track begins a tracked game; at is the hall's time.
func track(at time.Duration, fen string, start rules.Position, b *board) *tracked {
	e := &tracked{tracker: reconstruct.New(start), start: fen, game: rules.NewGame(start), settled: at + rest}
	if b.hasClock {
		e.tracker.Clock(at, b.reading)
	}
	if b.seen {
		e.tracker.Dump(at, b.men)
	}
	if !b.here {
		e.tracker.Lost(at)
	}
	e.collect()
	return e
}

// trackOn begins a game that starts where the venue's own did, with the moves that the venue has of it.
func trackOn(at time.Duration, fen string, played *rules.Game, b *board) *tracked {
	n := played.Len()
	tracker, _ := reconstruct.Resume(reconstruct.Resumed{Firm: *played.Current(), Last: reconstruct.LandingOf(played.PositionAt(n-1), played.Ply(n).Move), Clock: b.reading})
	e := &tracked{tracker: tracker, start: fen, game: played, before: n, settled: at + rest}
	if b.here {
		e.tracker.Back(at)
		e.tracker.Dump(at, b.men)
	}
	e.collect()
	return e
}

// recorded is the venue's game at a board when it started from there, has been played in, and can be told in moves; else nil.
func recorded(g *broadcast.Board, start *rules.Position) *rules.Game {
	if len(g.Moves) == 0 {
		return nil
	}
	p, err := rules.ParseFEN(g.StartFEN)
	if err != nil || p.Key() != start.Key() {
		return nil
	}
	game := rules.NewGame(p)
	for _, m := range g.Moves {
		if game.PushSAN(m.SAN) != nil {
			return nil
		}
	}
	return game
}

// sense takes what changed at the board from one sighting to the next.
func (e *tracked) sense(at time.Duration, was, now *board, whole bool) {
	switch {
	case was.here && !now.here:
		e.tracker.Lost(at)
	case !was.here && now.here:
		e.tracker.Back(at)
	}
	if now.hasClock && now.reading != was.reading {
		e.tracker.Clock(at, now.reading)
	}
	if now.seen && now.here && (whole || now.men != was.men) {
		e.tracker.Dump(at, now.men)
	}
	e.settled = at + rest
	e.collect()
}

// advance lets time pass.
func (e *tracked) advance(at time.Duration) {
	if at <= e.settled {
		e.tracker.Advance(at)
		e.collect()
	}
}

func (e *tracked) collect() {
	for _, v := range e.tracker.Take() {
		v.Ply += e.before
		switch v.Kind {
		case reconstruct.Move:
			if !e.cut && v.Ply == e.game.Len()+1 && e.game.Push(v.Moves...) != nil {
				e.cut = true
			}
		case reconstruct.Segment:
			e.cut = true
		case reconstruct.Retract:
			if v.Ply <= e.game.Len() {
				e.game.ReplaceFrom(v.Ply, nil) // never fails: it only takes back
				e.cut = false
			} else if v.Ply == e.game.Len()+1 && !v.Segment {
				e.cut = false
			}
		case reconstruct.NewGame:
			e.start, e.game, e.before, e.cut = v.Start.FEN(), rules.NewGame(*v.Start), 0, false
		}
	}
}

func (e *tracked) told() (string, []string, bool) {
	return e.start, sans(e.game, 0), e.tracker.Placement() == e.game.Current().Placement()
}

// sans are the moves of a game after so many half-moves.
func sans(g *rules.Game, after int) []string {
	list := make([]string, 0, g.Len()-after)
	for n := after + 1; n <= g.Len(); n++ {
		list = append(list, g.Ply(n).SAN)
	}
	return list
}

// followed explains nothing itself: it is the record of the public view from the position that was set up on.
type followed struct {
	start string // as the client wrote it
	from  rules.Position
	ply   int // of the record where that position stands, -1 while it does not
	san   []string
	match bool
}

func follow(fen string, from rules.Position, b *broadcast.Board) *followed {
	f := &followed{start: fen, from: from, ply: -1}
	f.see(b)
	return f
}

// see takes the record as it is now.
func (f *followed) see(b *broadcast.Board) {
	f.san, f.match = []string{}, false
	start, err := rules.ParseFEN(b.StartFEN)
	if err != nil {
		return
	}
	g := rules.NewGame(start)
	for _, m := range b.Moves {
		if g.PushSAN(m.SAN) != nil {
			break // play after an illegal move: the legal part is what can be listed
		}
	}
	if f.ply > g.Len() || f.ply >= 0 && g.PositionAt(f.ply).Key() != f.from.Key() {
		f.ply = -1
	}
	for n := g.Len(); n >= 0 && f.ply < 0; n-- {
		if g.PositionAt(n).Key() == f.from.Key() {
			f.ply = n
		}
	}
	if f.ply >= 0 {
		f.san = sans(g, f.ply)
		f.match = menOf(b.FEN) == menOf(g.Current().FEN())
	} else {
		f.match = menOf(b.FEN) == menOf(f.from.FEN())
	}
}

func (f *followed) told() (string, []string, bool) { return f.start, f.san, f.match }
