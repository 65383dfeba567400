// Package archive gives the finished games of a journal: of this round and of those
// before, of this run of the daemon and of earlier ones, as PGN. What happens later
// changes no game that is finished, unless somebody corrects that game.
//
// With a delay it shows nothing that spectators may not see yet: a game is there once its
// moves and its result are old enough, and a result that was corrected a moment ago is
// still the one before.
package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"boardd/journal"
	"boardd/rules"
)

// Source is what the archive reads; a *journal.Journal is one.
type Source interface {
	Records(ctx context.Context, yield func(*journal.Record) error) error
	Game(context.Context, journal.GameID) (*journal.Record, error)
	Since(ctx context.Context, seq uint64, yield func(journal.Entry) error) error
	Tail(ctx context.Context, n int) ([]journal.Entry, error)
}

// Options say what may be seen. The zero value is everything.
type Options struct {
	// Delay is how old a fact must be. The daemon's own time counts: that during which it
	// was not running does not, since nobody knows how long that was.
	Delay time.Duration
	// Now is the session time of this run, and Run its number.
	Now func() time.Duration
	Run int
	// Released is up to which fact the public has seen everything before this run.
	Released uint64
}

// Game is a finished game.
type Game struct {
	ID     journal.GameID
	Table  int
	Tags   rules.Tags
	Begun  time.Time // by the calendar, which may be wrong
	Result rules.Result
	PGN    []byte // with an empty line behind it
}

// Event is the name of the event, "" when it has none.
func (g *Game) Event() string { return g.Tags.Get("Event") }

// Round is the round without the table: "3" of "3.12"; "" when it has none.
func (g *Game) Round() string { return RoundOf(g.Tags) }

// RoundOf is the round that tags name, without the table.
func RoundOf(tags rules.Tags) string {
	round, _, _ := strings.Cut(tags.Get("Round"), ".")
	return round
}

// refreshEvery is how often the journal is asked what is new at the utmost.
const refreshEvery = time.Second

// Archive keeps what it has read of a Source. Safe for concurrent use.
type Archive struct {
	source  Source
	options Options

	mu    sync.Mutex
	read  time.Time // when the source was last asked
	seq   uint64    // up to which it was
	games map[journal.GameID]*filed
	ends  map[int]time.Duration // run -> session time it has reached
}

// filed is a game with the facts that decide what may be seen of it.
type filed struct {
	game  Game   // as it stands, if it has had a result
	facts []fact // of its record, in order; when all are old, the last one
	had   bool   // a result, perhaps taken back since
	was   Game   // as it stood after fact wasAt
	wasAt uint64
}

// fact is when something was told.
type fact struct {
	seq    uint64
	run    int
	at     time.Duration
	result rules.Result // after it
}

// New is an archive that has read nothing yet.
func New(s Source, o Options) *Archive {
	return &Archive{source: s, options: o, games: map[journal.GameID]*filed{}, ends: map[int]time.Duration{}}
}

// Games are the finished games that may be seen now, by rounds in the order in which they
// began, and in a round by table. The error is the source's.
func (a *Archive) Games(ctx context.Context) ([]Game, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	// Whoever asks first and goes away leaves what was read to the next.
	if err := a.refresh(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	var list []Game
	for _, f := range a.games {
		g, ok, err := a.visible(ctx, f)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, g)
		}
	}
	Sort(list)
	return list, nil
}

// Sort puts games in the order of Archive.Games.
func Sort(list []Game) {
	type round struct{ event, round string }
	first := map[round]journal.GameID{}
	of := func(g *Game) round { return round{g.Event(), g.Round()} }
	for i := range list {
		g := &list[i]
		if id, known := first[of(g)]; !known || g.ID < id {
			first[of(g)] = g.ID
		}
	}
	slices.SortFunc(list, func(a, b Game) int {
		return cmp.Or(cmp.Compare(first[of(&a)], first[of(&b)]), cmp.Compare(a.Table, b.Table), cmp.Compare(a.ID, b.ID))
	})
}

// refresh reads what is new.
func (a *Archive) refresh(ctx context.Context) error {
	if now := time.Now(); now.Sub(a.read) < refreshEvery {
		return nil
	}
	if a.seq == 0 {
		return a.readAll(ctx)
	}
	changed := map[journal.GameID]bool{}
	seq := a.seq
	if err := a.source.Since(ctx, seq, func(e journal.Entry) error {
		seq = e.Seq
		a.note(e)
		_, isResult := e.Fact.(journal.Result)
		if f := a.games[e.Game]; isResult || f != nil && f.had {
			changed[e.Game] = true
		}
		return nil
	}); err != nil {
		return err
	}
	for id := range changed {
		record, err := a.source.Game(ctx, id)
		if err != nil {
			return err
		}
		a.games[id] = a.file(record)
	}
	a.seq, a.read = seq, time.Now()
	return nil
}

// readAll reads all games. What is told meanwhile is read again.
func (a *Archive) readAll(ctx context.Context) error {
	tail, err := a.source.Tail(ctx, 1)
	if err != nil || len(tail) == 0 {
		return err
	}
	if err := a.source.Records(ctx, func(r *journal.Record) error {
		a.games[r.Game] = a.file(r)
		return nil
	}); err != nil {
		return err
	}
	a.seq, a.read = tail[0].Seq, time.Now()
	return nil
}

// note keeps how far a run has come.
func (a *Archive) note(e journal.Entry) { a.ends[e.Run] = max(a.ends[e.Run], e.At) }

func (a *Archive) file(r *journal.Record) *filed {
	f := &filed{}
	result := rules.Unfinished
	for _, e := range r.Entries {
		a.note(e)
		if e.Game != r.Game {
			continue
		}
		switch told := e.Fact.(type) {
		case journal.Result:
			result, f.had = told.Result, true
		case journal.Begun, journal.Tagged, journal.Ply, journal.Retracted, journal.Clock, journal.Setup:
		default:
			continue
		}
		f.facts = append(f.facts, fact{e.Seq, e.Run, e.At, result})
	}
	if !f.had {
		f.facts = nil // it is read again when it has a result
		return f
	}
	f.game = GameOf(r)
	return f
}

// GameOf is a record as a game of the archive.
func GameOf(r *journal.Record) Game {
	g := r.Main()
	return Game{ID: r.Game, Table: r.Table, Tags: slices.Clone(g.Tags), Begun: r.Begun.Wall, Result: r.Result, PGN: rules.AppendPGN(nil, g)}
}

// visible is the game as it may be seen, if it may.
func (a *Archive) visible(ctx context.Context, f *filed) (g Game, ok bool, err error) {
	n := len(f.facts) - 1
	for n >= 0 && !a.old(f.facts[n]) {
		n--
	}
	if n < 0 || f.facts[n].result == rules.Unfinished {
		return g, false, nil
	}
	if n == len(f.facts)-1 {
		f.facts = f.facts[n:] // what is old stays so
		return f.game, true, nil
	}
	if seq := f.facts[n].seq; f.wasAt != seq {
		record, err := a.source.Game(ctx, f.game.ID)
		if err != nil {
			return g, false, err
		}
		was := record.Upto(seq)
		if was == nil {
			return g, false, nil
		}
		f.was, f.wasAt = GameOf(was), seq
	}
	return f.was, true, nil
}

// old reports whether a fact is old enough to be seen.
func (a *Archive) old(f fact) bool {
	if a.options.Delay <= 0 || f.seq <= a.options.Released {
		return true
	}
	age := a.options.Now()
	if f.run == a.options.Run {
		return age-f.at >= a.options.Delay
	}
	age += a.ends[f.run] - f.at
	for run, end := range a.ends {
		if run > f.run && run < a.options.Run {
			age += end
		}
	}
	return age >= a.options.Delay
}
