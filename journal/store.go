package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyMS is how long a write waits for a stranger who has the file locked, in ms.
const busyMS = 5000

// store is the SQLite file. After a failed write it is shut, and opened anew, with
// all checks, for the next.
type store struct {
	path string
	vfs  string // SQLite's, for tests; empty: the system's files
	// pragmas are more of them, for tests.
	pragmas []string
	// readOnly is for files that are only looked at: nothing is repaired.
	readOnly bool
	notice   func(Notice) // takes what was found when it was opened
	wall     func() time.Time

	// gate keeps readers out while the file is looked at past SQLite: closing any
	// descriptor of a file drops the process's POSIX locks on it.
	gate sync.RWMutex

	db      *sql.DB
	conn    *sql.Conn
	insert  *sql.Stmt
	suspect bool // the last failure was one of the file's content
}

// processWide are settings of the library that have to be made before its first use.
var processWide = sync.OnceFunc(func() {
	// Both fail only where the system has no such thing, and the default is right then.
	// Locks of the open file, not of the process: a stranger's close does not drop them.
	_, _ = sqlite.OFDLocking(true)
	// A commit needs the data on the disk, not the file's time stamps.
	_, _ = sqlite.Fdatasync(true)
})

func (s *store) dsn(write bool) string {
	q := url.Values{}
	if s.vfs != "" {
		q.Set("vfs", s.vfs)
	}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyMS))
	if write {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", "synchronous(FULL)")
		for _, p := range s.pragmas {
			q.Add("_pragma", p)
		}
	} else {
		q.Set("mode", "ro")
	}
	u := url.URL{Scheme: "file", Path: s.path, RawQuery: q.Encode()}
	return u.String()
}

// open opens the file, sound: it finishes or begins a salvage when it has to. The
// survey tells what it holds.
func (s *store) open(ctx context.Context) (survey, error) {
	processWide()
	s.gate.Lock()
	defer s.gate.Unlock()
	if err := s.finishSalvage(); err != nil {
		return survey{}, err
	}
	v, err := s.tryOpen(ctx)
	if err == nil || !isDamage(err) || s.readOnly {
		return v, err
	}
	if err := s.salvage(ctx, err); err != nil {
		return survey{}, err
	}
	s.suspect = false
	return s.tryOpen(ctx)
}

// errDamage is wrapped by what was found wrong with the file.
var errDamage = errors.New("damaged")

func isDamage(err error) bool {
	return errors.Is(err, errDamage) || hasCode(err, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
}

// hasCode reports whether SQLite failed with one of these primary codes.
func hasCode(err error, codes ...int) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code()&0xff == c {
			return true
		}
	}
	return false
}

// isDisk reports whether a failure is one that may pass: of the disk, or of
// somebody who has the file locked.
func isDisk(err error) bool {
	return hasCode(err, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM) ||
		errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EIO) ||
		errors.Is(err, syscall.EDQUOT) || errors.Is(err, fs.ErrPermission)
}

// tryOpen opens a file that is found sound. It is looked at read-only first: a connection
// that may write empties the log into the database when it is closed, and a damaged file is
// to stay as it is.
func (s *store) tryOpen(ctx context.Context) (v survey, err error) {
	v, fresh, err := s.look()
	if err != nil {
		return v, err
	}
	if !fresh {
		reader := s
		if !s.readOnly {
			reader = &store{path: s.path, vfs: s.vfs, readOnly: true, suspect: s.suspect}
		}
		err := errors.Join(reader.connect(ctx), reader.admit(ctx, &v))
		if hasCode(err, sqlite3.SQLITE_READONLY) && !s.readOnly {
			err = nil // its making was cut: SQLite has to take back what was half done
		}
		if err != nil || !s.readOnly {
			err = errors.Join(err, reader.shut())
		}
		if err != nil || s.readOnly {
			return v, err
		}
	}
	if err := s.settle(ctx, &v, fresh); err != nil {
		return v, errors.Join(err, s.shut())
	}
	return v, nil
}

// settle opens a sound file for writing, and makes durable what is read from it.
func (s *store) settle(ctx context.Context, v *survey, fresh bool) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	if fresh {
		return syncDir(s.path)
	}
	if v.tail > 0 {
		last, err := s.lastRow(ctx)
		if err != nil {
			return err
		}
		s.notice(Notice{Kind: NoticeTailCut, Facts: int(max(v.cut, last.seq) - last.seq)})
	}
	return s.checkpoint(ctx)
}

// look looks at the pages before SQLite does; fresh says that there is no journal yet.
func (s *store) look() (v survey, fresh bool, err error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) && !s.readOnly {
		return v, true, os.MkdirAll(filepath.Dir(s.path), 0o755)
	}
	if err != nil {
		return v, false, err
	}
	if !info.Mode().IsRegular() {
		return v, false, fmt.Errorf("%w: expected a file, got a %s", ErrNotJournal, info.Mode().Type())
	}
	p, err := openPages(s.path)
	if err != nil {
		return v, false, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	fresh = info.Size() == 0 && len(p.wal.frames) == 0
	whose := p.whose()
	if fresh || errors.Is(whose, ErrNewer) {
		return v, fresh, whose
	}
	if v, err = p.survey(); err != nil {
		return v, false, err
	}
	if errors.Is(whose, ErrNotJournal) && v.rows > 0 {
		whose = fmt.Errorf("%w: its header is that of another program, yet it holds facts", errDamage)
	}
	return v, false, whose
}

// whose refuses what is a sound file, but not ours to write.
func (p *pageFiles) whose() error {
	header := make([]byte, 100)
	page := make([]byte, p.pageSize)
	if p.overflow(page, 1) {
		copy(header, page)
	}
	version, id := int(be32(header[60:])), be32(header[68:])
	switch {
	case string(header[:16]) != "SQLite format 3\x00":
		return nil // damaged, or empty
	case id != 0 && id != applicationID:
		return fmt.Errorf("%w: expected application_id %#x, got %#x", ErrNotJournal, applicationID, id)
	case id == applicationID && version > len(steps):
		return fmt.Errorf("%w: expected schema version %d at most, got %d", ErrNewer, len(steps), version)
	}
	return nil
}

func (s *store) connect(ctx context.Context) (err error) {
	if s.db, err = sql.Open("sqlite", s.dsn(!s.readOnly)); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return err
	}
	if s.readOnly {
		return nil
	}
	if err := migrate(ctx, s.conn, steps); err != nil {
		return err
	}
	s.insert, err = s.conn.PrepareContext(ctx, insertFact)
	return err
}

// admit compares what SQLite reads with what the pages hold.
func (s *store) admit(ctx context.Context, v *survey) error {
	if s.conn == nil {
		return nil
	}
	var version int
	if err := s.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == 0 && v.rows == 0 {
		return nil // the power went before it had tables
	}
	last, err := s.lastRow(ctx)
	if err != nil {
		return err
	}
	known, err := s.repairs(ctx)
	if err != nil {
		return err
	}
	if err := v.fits(last.seq, known); err != nil {
		return fmt.Errorf("%w: %w", errDamage, err)
	}
	if last.seq > 0 && last.kind != (Stopped{}).kind() || s.suspect || v.tail > 0 {
		return s.quickCheck(ctx)
	}
	return nil
}

// checkpoint moves the log into the database and empties it: what was read from the
// log is durable then, even if the sync that should have made it so had failed.
func (s *store) checkpoint(ctx context.Context) error {
	var busy, pages, moved int
	if err := s.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return errBusy
	}
	return nil
}

// errBusy: a stranger (sqlite3, a backup) reads the file for very long.
var errBusy = fmt.Errorf("another program keeps the file in use: %w", syscall.EBUSY)

// quickCheck has SQLite walk the whole tree.
func (s *store) quickCheck(ctx context.Context) error {
	var word string
	if err := s.conn.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&word); err != nil {
		return err
	}
	if word != "ok" {
		return fmt.Errorf("%w: %s", errDamage, word)
	}
	return nil
}

// lastRow is the row with the highest seq; zero when there is none.
func (s *store) lastRow(ctx context.Context) (row, error) {
	var r row
	rows, err := s.conn.QueryContext(ctx, selectFact+" ORDER BY seq DESC LIMIT 1")
	if err != nil {
		return r, err
	}
	err = eachRow(rows, func(found row) error { r = found; return nil })
	return r, err
}

func (s *store) repairs(ctx context.Context) (list []span, err error) {
	rows, err := s.conn.QueryContext(ctx, "SELECT first, last FROM repair ORDER BY first")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var k span
		if err := rows.Scan(&k.first, &k.last); err != nil {
			return nil, err
		}
		if k.first < 1 || k.last < k.first || k.last > 1<<40 {
			return nil, fmt.Errorf("%w: a repair of seq %s", errDamage, k)
		}
		list = append(list, k)
	}
	return list, rows.Err()
}

const insertFact = `INSERT INTO fact VALUES (?, ?, ?, ?, nullif(?, 0), ?, nullif(?, 0), ?, nullif(?, 0), ?,
 nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), ?)`

const selectFact = `SELECT seq, run, at_ms, wall_ms, ifnull(tbl, 0), nth, ifnull(game, 0), kind, ifnull(ply, 0), ifnull(n, 0),
 ifnull(who, ''), ifnull(origin, ''), ifnull(step, ''), ifnull(code, ''), ifnull(text, ''), ifnull(fen, ''), sum FROM fact`

// eachRow gives every row and closes the rows.
func eachRow(rows *sql.Rows, yield func(row) error) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.seq, &r.run, &r.at, &r.wall, &r.table, &r.nth, &r.game, &r.kind, &r.ply, &r.n,
			&r.who, &r.from, &r.step, &r.code, &r.text, &r.fen, &r.sum); err != nil {
			return err
		}
		if err := yield(r); err != nil {
			return err
		}
	}
	return rows.Err()
}

// write makes rows durable, all or none. It opens the file first when it is shut.
func (s *store) write(ctx context.Context, rows []row) error {
	if s.conn == nil {
		if _, err := s.open(ctx); err != nil {
			return err
		}
		var err error
		if rows, err = s.notYet(ctx, rows); err != nil {
			return errors.Join(err, s.shut())
		}
	}
	err := s.commit(ctx, rows)
	if err == nil {
		return nil
	}
	s.suspect = s.suspect || isDamage(err)
	_, _ = s.conn.ExecContext(ctx, "ROLLBACK") // fails when the failure ended it already
	return errors.Join(err, s.shut())
}

func (s *store) commit(ctx context.Context, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	if _, err := s.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for i := range rows {
		if err := s.add(ctx, &rows[i]); err != nil {
			return fmt.Errorf("seq %d: %w", rows[i].seq, err)
		}
	}
	_, err := s.conn.ExecContext(ctx, "COMMIT")
	return err
}

func (s *store) add(ctx context.Context, r *row) error {
	var n any
	if r.n != 0 || countsZero[r.kind] {
		n = r.n
	}
	_, err := s.insert.ExecContext(ctx, int64(r.seq), r.run, r.at, r.wall, r.table, int64(r.nth), r.game, r.kind, r.ply, n,
		r.who, r.from, r.step, r.code, r.text, r.fen, r.sum)
	return err
}

// countsZero are the kinds whose number says something when it is 0.
var countsZero = map[string]bool{Clock{}.kind(): true, Released{}.kind(): true}

// notYet leaves out the rows that an earlier write, which failed late, had put
// into the file after all. open has made those durable.
func (s *store) notYet(ctx context.Context, rows []row) ([]row, error) {
	last, err := s.lastRow(ctx)
	if err != nil {
		return nil, err
	}
	for len(rows) > 0 && rows[0].seq < last.seq {
		rows = rows[1:] // a write is whole or not at all, so the last row speaks for all
	}
	if len(rows) > 0 && rows[0].seq == last.seq {
		if rows[0].sum != last.sum {
			return nil, fmt.Errorf("seq %d: somebody else wrote a fact there (kind %s)", last.seq, last.kind)
		}
		rows = rows[1:]
	}
	if len(rows) > 0 && rows[0].seq > last.seq+1 {
		lost := span{last.seq + 1, rows[0].seq - 1}
		return rows, s.addRepair(ctx, rows[0].wall, lost, "lost from the file while boardd ran")
	}
	return rows, nil
}

func (s *store) addRepair(ctx context.Context, wall int64, lost span, text string) error {
	_, err := s.conn.ExecContext(ctx, "INSERT INTO repair VALUES (?, ?, ?, ?)", wall, int64(lost.first), int64(lost.last), text)
	return err
}

// shut closes the file; the last of all closes the log too.
func (s *store) shut() error {
	var err error
	if s.insert != nil {
		err = errors.Join(err, s.insert.Close())
	}
	if s.conn != nil {
		err = errors.Join(err, s.conn.Close())
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	s.insert, s.conn, s.db = nil, nil, nil
	return err
}

// syncDir makes the names in the folder of a file durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func be32(b []byte) uint32 {
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}
