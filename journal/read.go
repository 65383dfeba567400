package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrNoGame: no game has that id.
var ErrNoGame = errors.New("no such game")

// reader reads facts; what it gives is durable.
type reader struct{ db querier }

type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// entries gives what a query of selectFact finds. A row whose checksum does not fit is
// an error.
func (r reader) entries(ctx context.Context, yield func(row, Entry) error, where string, args ...any) error {
	rows, err := r.db.QueryContext(ctx, selectFact+" "+where, args...)
	if err != nil {
		return err
	}
	return eachRow(rows, func(found row) error {
		e, err := found.entry()
		if err != nil {
			return fmt.Errorf("%w: %w", errDamage, err)
		}
		return yield(found, e)
	})
}

// game reads one record.
func (r reader) game(ctx context.Context, id GameID) (*Record, error) {
	var first, table int64
	err := r.db.QueryRowContext(ctx, "SELECT seq, ifnull(tbl, 0) FROM fact WHERE kind = 'game' AND game = ?", int64(id)).Scan(&first, &table)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("game %d: %w", id, ErrNoGame)
	}
	if err != nil {
		return nil, err
	}
	var next sql.NullInt64
	if err := r.db.QueryRowContext(ctx, "SELECT min(seq) FROM fact WHERE kind = 'game' AND ifnull(tbl, 0) = ? AND seq > ?", table, first).Scan(&next); err != nil {
		return nil, err
	}
	end := int64(1) << 62
	if next.Valid {
		end = next.Int64
	}
	var b *builder
	err = r.entries(ctx, func(found row, e Entry) error {
		if b == nil {
			b = newBuilder(found, e)
		} else {
			b.add(found, e, false)
		}
		return nil
	}, "WHERE seq >= ? AND seq < ? AND ifnull(tbl, 0) = ? ORDER BY seq", first, end, table)
	if err != nil {
		return nil, err
	}
	err = r.entries(ctx, func(found row, e Entry) error { b.add(found, e, true); return nil },
		"WHERE kind IN ('result', 'claim', 'ruling', 'tags') AND game = ? AND seq >= ? ORDER BY seq", int64(id), end)
	return b.record, err
}

// latest reads the last game of every table, in one go.
func (r reader) latest(ctx context.Context) ([]*Record, error) {
	var records []*Record
	builders := map[int64]*builder{}
	err := r.entries(ctx, func(found row, e Entry) error {
		if b := builders[found.table]; b != nil {
			b.add(found, e, false)
			return nil
		}
		b := newBuilder(found, e)
		builders[found.table] = b
		records = append(records, b.record)
		return nil
	}, `JOIN (SELECT tbl AS t, max(seq) AS begun FROM fact WHERE kind = 'game' GROUP BY tbl) ON tbl IS t
WHERE seq >= begun AND seq >= (SELECT min(b) FROM (SELECT max(seq) AS b FROM fact WHERE kind = 'game' GROUP BY tbl)) ORDER BY seq`)
	return records, err
}

// read lends a connection of its own to f, while the file is not looked at otherwise.
func (s *store) read(ctx context.Context, f func(reader) error) (err error) {
	processWide()
	s.gate.RLock()
	defer s.gate.RUnlock()
	db, err := sql.Open("sqlite", s.dsn(false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	return f(reader{db})
}

// Game reads the record of a game: what is durable of it. The error is ErrNoGame, or
// the disk's.
func (j *Journal) Game(ctx context.Context, id GameID) (rec *Record, err error) {
	err = j.store.read(ctx, func(r reader) error {
		rec, err = r.game(ctx, id)
		return err
	})
	return rec, err
}

// GameLine is a line of the list of games.
type GameLine struct {
	Game  GameID
	Table int
	Begun Entry // its fact is a Begun
}

// Games lists all games in the order in which they began.
func (j *Journal) Games(ctx context.Context) (list []GameLine, err error) {
	err = j.store.read(ctx, func(r reader) error {
		return r.entries(ctx, func(_ row, e Entry) error {
			list = append(list, GameLine{e.Game, e.Table, e})
			return nil
		}, "WHERE kind = 'game' ORDER BY seq")
	})
	return list, err
}

// records gives every game in one go, when the next one of its table begins or at the
// end. One about which something was decided later comes again then, whole.
func (r reader) records(ctx context.Context, yield func(*Record) error) error {
	builders, given, again := map[int64]*builder{}, map[GameID]bool{}, map[GameID]bool{}
	give := func(b *builder) error {
		given[b.record.Game] = true
		return yield(b.record)
	}
	err := r.entries(ctx, func(found row, e Entry) error {
		b := builders[found.table]
		if _, begins := e.Fact.(Begun); begins {
			builders[found.table] = newBuilder(found, e)
			if b != nil {
				return give(b)
			}
			return nil
		}
		if given[e.Game] {
			again[e.Game] = true
		}
		if b != nil {
			b.add(found, e, false)
		}
		return nil
	}, "ORDER BY seq")
	if err != nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(builders)) {
		if err := give(builders[table]); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(again)) {
		record, err := r.game(ctx, id)
		if err == nil {
			err = yield(record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Records gives the record of each game, as it is durable, in one go, until yield returns
// an error, which is returned. A game about which something was decided when the next one
// at its table had begun comes twice, and the second time whole. Until it returns, the log
// of the database grows: yield must not wait for people.
func (j *Journal) Records(ctx context.Context, yield func(*Record) error) error {
	return j.store.read(ctx, func(r reader) error { return r.records(ctx, yield) })
}

// Records gives the same of a journal by its path, also of one that a boardd has open, and
// changes nothing. Of a damaged one it gives what SQLite reads, and then an error.
func Records(ctx context.Context, path string, yield func(*Record) error) (err error) {
	o, err := lookAt(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	if err := (reader{o.conn}).records(ctx, yield); err != nil || o.live {
		return err
	}
	return o.admit(ctx, &o.pages)
}

// Since gives durable facts after a seq, in order, until yield returns an error, which is
// returned. Until it returns, the log of the database grows: yield must not wait for people.
func (j *Journal) Since(ctx context.Context, seq uint64, yield func(Entry) error) error {
	return j.store.read(ctx, func(r reader) error {
		return r.entries(ctx, func(_ row, e Entry) error { return yield(e) }, "WHERE seq > ? ORDER BY seq", int64(seq))
	})
}

// Tail gives the last n durable facts, in order.
func (j *Journal) Tail(ctx context.Context, n int) (list []Entry, err error) {
	err = j.store.read(ctx, func(r reader) error {
		return r.entries(ctx, func(_ row, e Entry) error { list = append(list, e); return nil },
			"WHERE seq > (SELECT ifnull(max(seq), 0) FROM fact) - ? ORDER BY seq", n)
	})
	return list, err
}
