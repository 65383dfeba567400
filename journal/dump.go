package journal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Line is a fact as it stands in the table fact: the columns have the same names there.
type Line struct {
	Seq    uint64 `json:"seq"`
	Run    int64  `json:"run"`
	AtMS   int64  `json:"at_ms"`   // of the session of that run
	WallMS int64  `json:"wall_ms"` // Unix time
	UTC    string `json:"utc"`     // the same for people
	Table  int64  `json:"tbl,omitempty"`
	Nth    uint64 `json:"nth"`
	Game   int64  `json:"game,omitempty"`
	Kind   string `json:"kind"`
	Ply    int64  `json:"ply,omitempty"`
	N      *int64 `json:"n,omitempty"`
	Who    string `json:"who,omitempty"`
	Origin string `json:"origin,omitempty"`
	Step   string `json:"step,omitempty"`
	Code   string `json:"code,omitempty"`
	Text   string `json:"text,omitempty"`
	FEN    string `json:"fen,omitempty"`
}

func (r *row) line() Line {
	l := Line{
		Seq: r.seq, Run: r.run, AtMS: r.at, WallMS: r.wall, UTC: time.UnixMilli(r.wall).UTC().Format("2006-01-02T15:04:05.000Z"),
		Table: r.table, Nth: r.nth, Game: r.game, Kind: r.kind, Ply: r.ply,
		Who: r.who, Origin: r.from, Step: r.step, Code: r.code, Text: r.text, FEN: r.fen,
	}
	if r.n != 0 || countsZero[r.kind] {
		l.N = &r.n
	}
	return l
}

// Filter picks facts.
type Filter struct {
	Table *int   // nil: all; 0: the venue itself
	Game  GameID // 0: all
	Since uint64 // only facts after this seq
}

// chunkRows is how many facts are read in one go from a file that may be in use: while it
// is read its log grows, so people who read on are not waited for.
const chunkRows = 1000

// Dump gives the facts of a journal in order, also of one that a boardd has open, and
// changes nothing. Of a damaged one it gives what SQLite reads, each fact true by its
// checksum, and then an error.
func Dump(ctx context.Context, path string, only Filter, yield func(Line) error) (err error) {
	o, err := lookAt(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	if err := o.each(ctx, only, func(r row) error { return yield(r.line()) }); err != nil || o.live {
		return err
	}
	return o.admit(ctx, &o.pages)
}

// each gives rows, without a transaction that lasts.
func (o *onlooker) each(ctx context.Context, only Filter, yield func(row) error) error {
	table := -1
	if only.Table != nil {
		table = *only.Table
	}
	for since := only.Since; ; {
		var chunk []row
		err := reader{o.conn}.entries(ctx, func(r row, _ Entry) error { chunk = append(chunk, r); return nil },
			"WHERE seq > ?1 AND (?2 < 0 OR ifnull(tbl, 0) = ?2) AND (?3 = 0 OR game = ?3) ORDER BY seq LIMIT ?4",
			int64(min(since, 1<<62)), table, int64(only.Game), chunkRows)
		for _, r := range chunk {
			if err := yield(r); err != nil {
				return err
			}
			since = r.seq
		}
		if err != nil {
			return fmt.Errorf("after seq %d: %w", since, err)
		}
		if len(chunk) < chunkRows {
			return nil
		}
	}
}
