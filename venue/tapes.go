package venue

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardd/dgt/tape"
	"boardd/dgt/tape/shelf"
)

// tapes looks after the folder of a venue's tapes: it compresses those that nobody writes
// any more, throws the oldest away when they take too much, and tells once when tables
// cannot be recorded and once when that is over. Its goroutine is run; nobody waits for it.
type tapes struct {
	dir   string
	most  int64  // bytes that all tapes may take, 0 for no bound
	round string // that is played: its tapes stay
	log   zerolog.Logger
	// alert tells arbiters; cleared says that it is over.
	alert func(detail string, cleared bool)
	wake  chan struct{}

	// run's own
	told  bool            // of more than there may be
	loose map[string]bool // tapes that could not be compressed, and of which that was told

	mu      sync.Mutex
	failing map[int]error // table -> why it is not recorded
}

// tendEvery is how often the folder is looked at without a reason: open tapes grow too.
const tendEvery = 10 * time.Minute

func newTapes(dir string, most int64, round string, log zerolog.Logger, alert func(string, bool)) *tapes {
	return &tapes{dir: dir, most: most, round: round, log: log, alert: alert, wake: make(chan struct{}, 1), failing: map[int]error{}, loose: map[string]bool{}}
}

// create makes the file of a tape.
func (s *tapes) create(name string) (io.WriteCloser, string, error) {
	f, err := shelf.Create(s.dir, name)
	if err != nil {
		return nil, "", err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	return f, info.Name(), nil
}

// of is what the recorders of a table tell.
func (s *tapes) of(table int) tapeNews { return tableTapes{s, table} }

type tableTapes struct {
	*tapes
	table int
}

func (t tableTapes) failed(err error) { t.trouble(t.table, err) }
func (t tableTapes) works()           { t.fine(t.table) }
func (t tableTapes) ended()           { t.look() }

// trouble notes that a table is not recorded.
func (s *tapes) trouble(table int, err error) {
	s.mu.Lock()
	_, again := s.failing[table]
	first := len(s.failing) == 0
	s.failing[table] = err
	s.mu.Unlock()
	if again {
		return
	}
	s.log.Error().Err(err).Int("table", table).Msg("the session is no longer recorded; play goes on")
	if first {
		s.alert(fmt.Sprintf("table %d is no longer recorded: %v; play goes on", table, err), false)
	}
}

// fine notes that a table is recorded.
func (s *tapes) fine(table int) {
	s.mu.Lock()
	_, was := s.failing[table]
	delete(s.failing, table)
	over := was && len(s.failing) == 0
	s.mu.Unlock()
	if was {
		s.log.Info().Int("table", table).Msg("the session is recorded again, on a new tape")
	}
	if over {
		s.alert("all tables are recorded again", true)
	}
}

// look has the folder looked at soon.
func (s *tapes) look() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run looks after the folder until ctx ends.
func (s *tapes) run(ctx context.Context) {
	if err := shelf.Tidy(s.dir); err != nil {
		s.log.Warn().Err(err).Msg("the folder of tapes is not tidy")
	}
	ticker := time.NewTicker(tendEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		s.tend(ctx)
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-ticker.C:
		}
	}
}

// tend compresses what is finished and keeps the bound.
func (s *tapes) tend(ctx context.Context) {
	list, err := shelf.List(s.dir)
	if err != nil {
		s.log.Warn().Err(err).Msg("tapes not looked after")
		return
	}
	for _, t := range list {
		if t.Compressed || t.Recording || ctx.Err() != nil {
			continue
		}
		if err := shelf.Compress(t); err != nil && !s.loose[t.Name] {
			s.log.Warn().Err(err).Msg("tape not compressed; it is tried again")
			s.loose[t.Name] = true
		}
	}
	if s.most <= 0 {
		return
	}
	if list, err = shelf.List(s.dir); err != nil {
		s.log.Warn().Err(err).Msg("tapes not looked after")
		return
	}
	gone, over := shelf.Excess(list, s.most, s.inPlay)
	for _, t := range gone {
		if err := t.Remove(); err != nil {
			s.log.Warn().Err(err).Msg("tape not removed")
			continue
		}
		s.log.Info().Str("tape", t.Name).Int64("bytes", t.Size).Msg("the oldest tape was removed: tapes take more than tapes-max")
	}
	if over > 0 && !s.told {
		s.log.Warn().Int64("bytes", over).Msg("tapes of the round in progress take more than tapes-max; they stay")
	}
	s.told = over > 0
}

// inPlay reports whether a tape is of the round that is played.
func (s *tapes) inPlay(t shelf.Tape) bool {
	if s.round == "" {
		return false
	}
	i, err := t.Header()
	return err == nil && i.Round == s.round
}

// headerOf adds to a tape's header what the tape of one game has.
func headerOf(h tape.Header, table int, o opening) tape.Header {
	add := func(key, value string) {
		value = strings.Join(strings.Fields(value), " ") // a header is one line
		if value != "" && h.Get(key) == "" {
			h = append(h, tape.Field{Key: key, Value: value})
		}
	}
	add("table", fmt.Sprint(table))
	for _, name := range slices.Sorted(maps.Keys(tagKeys)) {
		add(tagKeys[name], o.tags[name])
	}
	return h
}

// tagKeys are the tags of a game that its tape has, by the keys of its header.
var tagKeys = map[string]string{"Event": "event", "Round": "round", "White": "white", "Black": "black"}
