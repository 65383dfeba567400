package pgn

import (
	"context"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// View is where the games come from, as broadcast.Source.
type View interface {
	View(ctx context.Context) (broadcast.View, error)
	Watch(ctx context.Context) <-chan struct{}
}

// Publisher keeps the files of an event up to date with a view, at most once every second.
type Publisher struct {
	event  Event
	view   View
	book   *Book   // Run only, once it has begun
	folder *Folder // of the writer; nil: HTTP only
	log    zerolog.Logger
	every  time.Duration
	tree   atomic.Pointer[Tree]
}

// NewPublisher makes a publisher; folder may be nil. What stands in the folder from before is taken up.
func NewPublisher(event Event, view View, folder *Folder, log zerolog.Logger) *Publisher {
	p := &Publisher{event: event, view: view, book: NewBook(event.Round), folder: folder, log: log, every: time.Second}
	if folder != nil {
		if err := folder.Load(p.book); err != nil {
			log.Warn().Err(err).Str("folder", folder.path).Msg("games of an earlier run that cannot be read are not shown")
		}
	}
	tree := p.book.Tree(&p.event, nil)
	p.tree.Store(&tree)
	return p
}

// Run follows the view until ctx ends or the view does, then writes what has changed last and returns.
func (p *Publisher) Run(ctx context.Context) {
	fresh := make(chan struct{}, 1) // Run owns it: a token when there is a new tree
	var writer sync.WaitGroup
	if p.folder != nil {
		writer.Go(func() { p.writeAll(fresh) })
	}
	defer writer.Wait()
	defer close(fresh)
	take := func(ctx context.Context) {
		v, err := p.view.View(ctx)
		if err != nil {
			return // it has not begun, or has ended
		}
		p.book.Take(v)
		tree := p.book.Tree(&p.event, *p.tree.Load())
		p.tree.Store(&tree)
		select {
		case fresh <- struct{}{}:
		default: // the writer will take this one
		}
	}
	defer func() { // what happened since the last second
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.every)
		defer cancel()
		take(last)
	}()
	for range p.view.Watch(ctx) {
		take(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(p.every):
		}
	}
}

// writeAll writes each newest tree. A failure is told of once, until it is over.
func (p *Publisher) writeAll(fresh <-chan struct{}) {
	failing := false
	try := func() {
		err := p.folder.Write(*p.tree.Load())
		switch {
		case err != nil && !failing:
			p.log.Error().Err(err).Str("folder", p.folder.path).Msg("the games cannot be written; free the disk or correct the rights: boardd tries again by itself")
		case err == nil && failing:
			p.log.Info().Str("folder", p.folder.path).Msg("the games are written again")
		}
		failing = err != nil
	}
	for {
		var again <-chan time.Time
		if failing {
			again = time.After(retryEvery)
		}
		select {
		case _, open := <-fresh:
			try()
			if !open {
				return
			}
		case <-again:
			try()
		}
	}
}

// retryEvery is how long a folder that could not be written is left alone when nothing happens on the boards.
const retryEvery = 10 * time.Second

// Handler serves the files by their path in the tree below prefix ("/pgn/"): games.pgn of the newest round,
// round-3/games.pgn, round-3/game-12.pgn and .json, round-3/index.json, tournament.json. Each has a strong ETag; who
// has it already gets 304 (livechess-and-broadcast C.2).
func (p *Publisher) Handler(prefix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, prefix)
		file, ok := (*p.tree.Load())[name]
		if !ok {
			http.Error(w, "no such file: games are at "+prefix+"games.pgn and "+prefix+"round-N/games.pgn", http.StatusNotFound)
			return
		}
		kind := "application/json; charset=utf-8"
		if path.Ext(name) == ".pgn" {
			// Without a charset, readers take text for Latin-1.
			kind = "application/x-chess-pgn; charset=utf-8"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		broadcast.ServeTagged(w, r, file.Tag, file.Data)
	})
}
