package journal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Findings are what Check found.
type Findings struct {
	Live        bool // a boardd has the file open
	Facts       int  // that can be read
	Last        uint64
	Runs        int
	Games       int
	First, Till time.Time // calendar of the first and the last fact
	Faults      []string  // in words; none: the file is sound
	More        int       // faults that are not listed
	Notes       []string  // what is worth knowing and no fault
}

// mostFaults is how many faults are listed.
const mostFaults = 20

func (f *Findings) fault(format string, args ...any) {
	if len(f.Faults) == mostFaults {
		f.More++
		return
	}
	f.Faults = append(f.Faults, fmt.Sprintf(format, args...))
}

func (f *Findings) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// Check reads a whole journal, also one that a boardd has open, and changes nothing.
// Errors: ErrNewer, ErrNotJournal, or why the file cannot be read; damage is a finding.
func Check(ctx context.Context, path string) (f Findings, err error) {
	o, err := lookAt(ctx, path)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	f.Live = o.live
	c := checker{f: &f, gaps: newGaps(), games: map[int64]*builder{}}
	// One transaction: what a boardd writes meanwhile is not seen.
	if _, err := o.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return f, err
	}
	for _, part := range []func(context.Context, *onlooker) error{c.tree, c.facts, c.beside} {
		err := part(ctx, o)
		if err != nil && (isDisk(err) || ctx.Err() != nil) {
			return f, err
		}
		if err != nil {
			f.fault("%v", err)
		}
	}
	return f, nil
}

// checker follows the facts of a journal.
type checker struct {
	f       *Findings
	missing []span // seqs that the facts leave out
	gaps    *gaps
	games   map[int64]*builder // table -> game in progress
	last    row
}

// tree has SQLite check its tree and its indexes.
func (c *checker) tree(ctx context.Context, o *onlooker) (err error) {
	rows, err := o.conn.QueryContext(ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", mostFaults))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var word string
		if err := rows.Scan(&word); err != nil {
			return err
		}
		if word != "ok" {
			c.f.fault("SQLite: %s", word)
		}
	}
	return rows.Err()
}

// facts reads every fact.
func (c *checker) facts(ctx context.Context, o *onlooker) error {
	var version int
	if err := o.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == 0 && o.pages.rows == 0 && !o.live && len(c.f.Faults) == 0 {
		c.f.note("the file is empty: the power went before it had tables")
		return nil
	}
	rows, err := o.conn.QueryContext(ctx, selectFact+" ORDER BY seq")
	if err != nil {
		return err
	}
	return eachRow(rows, func(r row) error { c.fact(r); return nil })
}

func (c *checker) fact(r row) {
	f := c.f
	if f.Facts++; f.Facts == 1 {
		f.First = time.UnixMilli(r.wall)
	}
	if r.seq > f.Last+1 {
		c.missing = append(c.missing, span{f.Last + 1, r.seq - 1})
	}
	f.Last, f.Till, c.last = r.seq, time.UnixMilli(r.wall), r
	e, err := r.entry()
	if err != nil {
		f.fault("%v", err)
		return
	}
	h, hole := c.gaps.next(&r)
	if n := len(c.missing); hole && (n == 0 || c.missing[n-1].last < h.After) {
		f.fault("%d facts of %s after seq %d are missing, yet no seq is", h.Facts, tableName(h.Table), h.After)
	}
	switch e.Fact.(type) {
	case Started:
		f.Runs++
	case Begun:
		f.Games++
		b := newBuilder(r, e)
		c.games[r.table] = b
		if b.record.Broken != "" {
			f.fault("game %d: %s", e.Game, b.record.Broken)
		}
		return
	}
	if b := c.games[r.table]; b != nil && b.record.Broken == "" {
		b.add(r, e, false)
		c.broken(b.record, hole || r.kind == (refused{}).kind())
	}
}

// broken tells of a record that has just ended early.
func (c *checker) broken(r *Record, missing bool) {
	switch {
	case r.Broken == "":
	case missing:
		c.f.note("the record of game %d ends after %d half-moves: %s", r.Game, r.Len(), r.Broken)
	default:
		c.f.fault("game %d does not fit together: %s", r.Game, r.Broken)
	}
}

// beside compares the facts with what else the file says of them.
func (c *checker) beside(ctx context.Context, o *onlooker) error {
	if c.f.Facts == 0 && len(c.f.Faults) == 0 {
		return nil // there are no tables
	}
	var known []span
	rows, err := o.conn.QueryContext(ctx, "SELECT first, last, text FROM repair ORDER BY first")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // was only read
	for rows.Next() {
		var k span
		var text string
		if err := rows.Scan(&k.first, &k.last, &text); err != nil {
			return err
		}
		known = append(known, k)
		c.f.note("seq %s: %s", k, text)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, m := range c.missing {
		if !m.within(known) {
			c.f.fault("facts are missing: seq %s", m)
		}
	}
	if o.live {
		c.f.note("boardd has the file open: pages that SQLite does not read now were not looked at")
		return nil
	}
	if o.pages.tail > 0 {
		c.f.note("a write was cut when boardd last stopped; the next start takes it off (nobody was told of it)")
	} else if c.last.kind != (Stopped{}).kind() {
		c.f.note("boardd did not stop in order")
	}
	return o.pages.fits(c.f.Last, append(known, c.missing...))
}

// within reports whether spans, in order, cover this one.
func (s span) within(list []span) bool {
	next := s.first
	for _, k := range list {
		if k.first <= next && next <= k.last {
			next = k.last + 1
		}
	}
	return next > s.last
}
