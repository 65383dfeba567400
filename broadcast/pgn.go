package broadcast

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"boardd/rules"
)

// pgnCache keeps the text of each game, and of all of them, until something in it changes: pollers ask every
// few seconds, and clock readings in between change nothing in a game's text.
type pgnCache struct {
	mu     sync.Mutex
	games  map[int]pgnText
	all    []byte
	tag    string
	newest uint64 // the newest change in all
	made   bool
}

type pgnText struct {
	version uint64
	text    []byte
}

// of gives the games of v and their ETag. Boards without players and moves have no game yet.
func (p *pgnCache) of(v View) (data []byte, tag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var newest uint64
	for i := range v.Boards {
		newest = max(newest, v.Boards[i].version)
	}
	// An older view than the one kept can come when two requests cross; the newer text is right for both.
	if p.made && newest <= p.newest {
		return p.all, p.tag
	}
	if p.games == nil {
		p.games = map[int]pgnText{}
	}
	p.all = []byte{}
	for i := range v.Boards {
		b := &v.Boards[i]
		if len(b.Tags) == 0 && len(b.Moves) == 0 {
			continue
		}
		game := p.games[b.Board]
		if game.text == nil || game.version != b.version {
			game = pgnText{b.version, rules.AppendPGN(nil, b.Record())}
			p.games[b.Board] = game
		}
		p.all = append(p.all, game.text...)
	}
	p.tag, p.newest, p.made = etag(p.all), newest, true
	return p.all, p.tag
}

// Record is the game of b as rules keeps it, with the tags of b. A start or a move that rules does not accept ends it there: the legal
// part and the result are still worth showing.
func (b *Board) Record() *rules.Game {
	start, err := rules.ParseFEN(b.StartFEN)
	legal := err == nil
	if !legal {
		start = rules.Start()
	}
	g := rules.NewGame(start)
	for name, value := range b.Tags {
		g.Tags.Set(name, value) // AppendPGN puts them in order
	}
	if g.Tags.Get("Board") == "" {
		g.Tags.Set("Board", strconv.Itoa(b.Board))
	}
	g.Result = rules.Result(b.Result)
	for _, m := range b.Moves {
		if !legal {
			break
		}
		move, err := g.Current().ParseUCI(m.UCI)
		if err != nil {
			break
		}
		ply := rules.Ply{Move: move}
		if m.ClockMS != nil {
			ply.Clock, ply.HasClock = time.Duration(*m.ClockMS)*time.Millisecond, true
		}
		if g.PushPly(ply) != nil {
			break
		}
	}
	return g
}

func (s *Source) servePGN(w http.ResponseWriter, r *http.Request) {
	v, err := s.View(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	data, tag := s.pgn.of(v)
	// Without a charset, readers take text for Latin-1 (livechess-and-broadcast C.2).
	w.Header().Set("Content-Type", "application/x-chess-pgn; charset=utf-8")
	w.Header().Set("Content-Disposition", `inline; filename="games.pgn"`)
	ServeTagged(w, r, tag, data)
}
