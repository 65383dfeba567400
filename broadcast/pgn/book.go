package pgn

import (
	"maps"
	"slices"
	"strings"

	"boardd/broadcast"
	"boardd/rules"
)

// Book has the games of every round that the boards have shown: those in play and, since a board forgets a game
// when the next begins, those that are over. Not safe for concurrent use.
type Book struct {
	event  string                  // its round
	rounds map[Round]map[int]*game // by board
	parts  map[int]*game           // the game that each board shows
}

// game is one in the book.
type game struct {
	round  Round
	number int              // of the board
	count  int              // Board.Game; 0 for one that was read from the folder
	seen   *broadcast.Board // that record was made of; nil for one that was read from the folder
	record *rules.Game
	cut    bool // the game went on from a position that no legal move leads to
	// firstMove is when the first move was seen, in the view's Unix ms; 0 before, and when it is not known.
	firstMove int64
	reading   reading
}

// NewBook is a book without games; round is [Event].Round.
func NewBook(round string) *Book {
	return &Book{event: round, rounds: map[Round]map[int]*game{}, parts: map[int]*game{}}
}

// Keep puts a game that was over before this run into the book; its tags Round and Board say where, unless round has
// a part of its own. A place that is taken stays as it is.
func (b *Book) Keep(round Round, board int, record *rules.Game, firstMove int64) {
	if board < 1 || record == nil || b.rounds[round][board] != nil {
		return
	}
	b.put(&game{round: round, number: board, record: record, firstMove: firstMove})
}

func (b *Book) put(g *game) {
	if b.rounds[g.round] == nil {
		b.rounds[g.round] = map[int]*game{}
	}
	b.rounds[g.round][g.number] = g
}

// Take brings the book up to date with a view.
func (b *Book) Take(v broadcast.View) {
	for i := range v.Boards {
		if board := &v.Boards[i]; board.Board > 0 && shown(board) {
			b.take(board, v.NowMS)
		}
	}
}

// shown tells whether a board has a game: who plays is known, or what.
func shown(board *broadcast.Board) bool {
	return len(board.Moves) > 0 || board.Tags["White"] != "" || board.Tags["Black"] != "" || board.Result != string(rules.Unfinished)
}

func (b *Book) take(board *broadcast.Board, now int64) {
	round := roundOf(board.Tags["Round"], board.Board, b.event)
	g := b.parts[board.Board]
	if g != nil && g.round.Name != round.Name && b.rounds[g.round][g.number] == g && g.count == board.Game {
		delete(b.rounds[g.round], g.number) // it is of another round by word of an operator
		g = nil
	}
	if g == nil || g.count != board.Game {
		if g = b.place(round, board); g == nil {
			return
		}
	}
	b.parts[board.Board] = g
	g.take(board, now)
}

// place finds the game of a board in a round, or makes it. It is nil while nothing of the next game has been played
// at a place where one is over: most often the men are only put back.
func (b *Book) place(round Round, board *broadcast.Board) *game {
	for ; ; round.Part++ {
		old := b.rounds[round][board.Board]
		if old == nil || old.empty() || old.falseStart() && old.compare(board) == another {
			g := &game{round: round, number: board.Board, count: board.Game}
			b.put(g)
			return g
		}
		switch old.compare(board) {
		case same:
			old.count = board.Game
			return old
		case goesOn:
			old.count, old.cut = board.Game, true
			return old
		case open:
			return nil
		case another:
		}
	}
}

// empty tells a game that has not begun.
func (g *game) empty() bool { return g.record.Len() == 0 && g.record.Result == rules.Unfinished }

// falseStart tells a game without a result of which nothing is lost when the next one begins.
func (g *game) falseStart() bool {
	return g.count > 0 && g.record.Result == rules.Unfinished && g.record.Len() < 10
}

type likeness int

const (
	another likeness = iota
	same
	goesOn // the same after something that no legal move explains
	open   // it may be either; time will tell
)

// compare tells whether what the board shows is the game, which has moves and of which the board, or this run of
// boardd, has begun another since.
func (g *game) compare(board *broadcast.Board) likeness {
	next := board.Record()
	over := g.record.Result != rules.Unfinished
	if !over && *next.Start() != *g.record.Start() && plies(next.Start()) > plies(g.record.Start()) {
		return goesOn
	}
	if next.Len() == 0 && next.Result == rules.Unfinished {
		return open
	}
	if g.count > 0 || *next.Start() != *g.record.Start() {
		return another
	}
	// The game was read from the folder.
	common, n := 0, min(g.record.Len(), next.Len())
	for common < n && g.record.Plies()[common].Move == next.Plies()[common].Move {
		common++
	}
	switch {
	case 2*common >= g.record.Len(), common == n && !over:
		return same
	case common == n:
		return open
	}
	return another
}

// plies counts the half-moves before a position by its move number.
func plies(p *rules.Position) int {
	n := 2 * p.FullmoveNumber()
	if p.Turn() == rules.Black {
		n++
	}
	return n
}

func (g *game) take(board *broadcast.Board, now int64) {
	if g.firstMove == 0 && len(board.Moves) > 0 {
		g.firstMove = now
	}
	if len(board.Moves) == 0 && !g.cut {
		g.firstMove = 0
	}
	g.reading.take(board, now)
	if g.cut { // what can be shown is what was legal, and the result
		g.record.Result, g.record.Tags = board.Record().Result, board.Record().Tags
		return
	}
	if g.seen == nil || !alike(g.seen, board) {
		seen := *board
		g.record, g.seen = board.Record(), &seen
	}
}

// alike tells whether both are the same record. A board's moves are only ever appended to or copied, so there is no
// need to look at each.
func alike(a, b *broadcast.Board) bool {
	return a.Result == b.Result && a.StartFEN == b.StartFEN && len(a.Moves) == len(b.Moves) &&
		(len(a.Moves) == 0 || &a.Moves[0] == &b.Moves[0]) && maps.Equal(a.Tags, b.Tags)
}

// live tells whether a game is being played.
func (g *game) live() bool { return g.record.Result == rules.Unfinished && g.record.Len() > 0 }

// Rounds are the rounds in order: by number, then by name, then by part.
func (b *Book) Rounds() []Round {
	var rounds []Round
	for round, games := range b.rounds {
		if len(games) > 0 {
			rounds = append(rounds, round)
		}
	}
	slices.SortFunc(rounds, func(x, y Round) int {
		if nx, ny := (Round{x.Name, 1}).number(), (Round{y.Name, 1}).number(); nx != ny {
			return nx - ny
		}
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		return x.Part - y.Part
	})
	return rounds
}

// games are those of a round by board.
func (b *Book) games(round Round) []*game {
	var games []*game
	for _, g := range b.rounds[round] {
		games = append(games, g)
	}
	slices.SortFunc(games, func(x, y *game) int { return x.number - y.number })
	return games
}
