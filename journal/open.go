package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// File is the journal's name in the folder of a venue's data.
const File = "journal.sqlite"

// Recovered is what the journal knew when it was opened.
type Recovered struct {
	Before string // how the last run ended: First, Clean or Unclean
	// LastAt and LastWall are when the last fact was told: session time of the last run, and
	// calendar.
	LastAt   time.Duration
	LastWall time.Time
	LastSeq  uint64
	// Games are the last games of the tables, finished or not, in the order in which they began.
	Games []*Record
	// InForce are the last documents in force, by What.
	InForce map[string]InForce
	// Boards are the boards that were last at the tables.
	Boards map[int]BoardSeen
	// Alerts are those that were raised and not cleared; an acknowledged one stands
	// with its raising.
	Alerts []Entry
	// Claims are those without a ruling or a withdrawal.
	Claims []Entry
	// Released is up to which seq the public had been shown the record.
	Released uint64
}

// Open opens the journal, or begins one. Where the disk does not let it be written it is
// opened all the same, as long as it can be read or there is none: facts then wait in
// memory, and Notify is told. Errors: ErrNewer, ErrNotJournal, ErrInUse, or why it can
// neither be written nor read.
func Open(path string, o Options) (*Journal, *Recovered, error) {
	o = o.withDefaults()
	var one sync.Mutex
	o.Notify = func(tell func(Notice)) func(Notice) {
		return func(n Notice) { one.Lock(); defer one.Unlock(); tell(n) }
	}(o.Notify)
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if path, err = realPath(path); err != nil {
		return nil, nil, err
	}
	unlock, err := lock(path)
	if err != nil {
		return nil, nil, err
	}
	ctx := context.Background()
	s := &store{path: path, vfs: o.vfs, pragmas: o.pragmas, notice: o.Notify, wall: o.Wall}
	found := &Recovered{}
	v, err := s.open(ctx)
	if err == nil {
		err = found.read(ctx, reader{s.conn})
	}
	if err != nil && isDamage(err) {
		v, err = s.again(ctx, found) // a fault that only showed when the rows were read
	}
	if err != nil {
		if !isDisk(err) {
			return nil, nil, errors.Join(fmt.Errorf("journal %s: %w", path, err), s.shut(), unlock())
		}
		why := errors.Join(err, s.shut())
		if v, err = readCopy(ctx, path, o, found); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("journal %s: it cannot be written (%w) nor read: %w", path, why, err), unlock())
		}
	}
	j := start(s, v, o)
	j.store, j.unlock = s, unlock
	j.mu.Lock()
	defer j.mu.Unlock()
	j.game = GameID(v.game)
	r := row{run: j.run, at: 0, wall: o.Wall().UnixMilli(), kind: Started{}.kind()}
	Started{Version: o.Version, Before: found.Before}.put(&r)
	return j, found, j.push(waiting{rows: []row{r}, bytes: rowMemory})
}

// again opens the file after reading it has shown that it is damaged.
func (s *store) again(ctx context.Context, found *Recovered) (survey, error) {
	s.suspect = true
	if err := s.shut(); err != nil {
		return survey{}, err
	}
	v, err := s.open(ctx)
	if err != nil {
		return v, err
	}
	return v, found.read(ctx, reader{s.conn})
}

// realPath follows a link, so that names beside the file are beside the file.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return real, err
}

// lock keeps other daemons away. Where the disk takes no file there is nothing to
// keep them away from.
func lock(path string) (unlock func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil && !isDisk(err) {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if isDisk(err) || errors.Is(err, fs.ErrNotExist) {
		return func() error { return nil }, nil
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f.Close, nil
}

// readCopy reads a journal that cannot be written from a copy of it.
func readCopy(ctx context.Context, path string, o Options, found *Recovered) (v survey, err error) {
	copied, remove, err := copyAside(path)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if copied == "" {
		*found = Recovered{Before: First}
		return v, nil
	}
	s := &store{path: copied, notice: func(Notice) {}, wall: o.Wall} // it is told when the file itself is opened
	if v, err = s.open(ctx); err != nil {
		return v, errors.Join(err, s.shut())
	}
	return v, errors.Join(found.read(ctx, reader{s.conn}), s.shut())
}

// copyAside copies a database with its log to a folder of its own; the name is
// empty when there is none.
func copyAside(path string) (copied string, remove func() error, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", func() error { return nil }, nil
	}
	dir, err := os.MkdirTemp("", "boardd-journal-")
	if err != nil {
		return "", nil, err
	}
	copied = filepath.Join(dir, File)
	for _, log := range []string{"", "-wal"} {
		if err := copyFile(copied+log, path+log); err != nil && !(log != "" && errors.Is(err, fs.ErrNotExist)) {
			return "", nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	return copied, func() error { return os.RemoveAll(dir) }, nil
}

func copyFile(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // was only read
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// read fills in what the journal knows.
func (k *Recovered) read(ctx context.Context, r reader) error {
	*k = Recovered{Before: First, InForce: map[string]InForce{}, Boards: map[int]BoardSeen{}}
	err := r.entries(ctx, func(_ row, e Entry) error {
		k.LastSeq, k.LastAt, k.LastWall, k.Before = e.Seq, e.At, e.Wall, Unclean
		if _, stopped := e.Fact.(Stopped); stopped {
			k.Before = Clean
		}
		return nil
	}, "ORDER BY seq DESC LIMIT 1")
	if err != nil || k.LastSeq == 0 {
		return err
	}
	if k.Games, err = r.latest(ctx); err != nil {
		return err
	}
	open := newOpenMatters()
	err = r.entries(ctx, func(_ row, e Entry) error {
		switch f := e.Fact.(type) {
		case InForce:
			k.InForce[f.What] = f
		case BoardSeen:
			k.Boards[e.Table] = f
		default:
			open.add(e)
		}
		return nil
	}, `WHERE kind IN ('in_force', 'board', 'alert', 'claim', 'ruling') ORDER BY seq`)
	if err != nil {
		return err
	}
	k.Alerts, k.Claims = open.list()
	return r.entries(ctx, func(_ row, e Entry) error {
		k.Released = e.Fact.(Released).Upto // of that kind
		return nil
	}, "WHERE kind = 'public' ORDER BY seq DESC LIMIT 1")
}
