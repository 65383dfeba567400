package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNothing: no fact can be read.
var ErrNothing = errors.New("no fact can be read")

// Salvage writes what can be read of a journal to a new file, which boardd and sqlite3
// open, and leaves the old one as it is. Of one that a boardd has open it takes what
// SQLite reads. Errors: ErrNotJournal, ErrNewer, ErrNothing, that the new file is there already, or the disk's.
func Salvage(ctx context.Context, from, to string) (d *Damage, err error) {
	o, err := lookAt(ctx, from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	if to, err = filepath.Abs(to); err != nil { // SQLite takes no other
		return nil, err
	}
	for _, log := range logs {
		if _, err := os.Lstat(to + log); !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(fmt.Errorf("%s: expected a name that nothing has", to+log), err)
		}
	}
	d = &Damage{Why: "it could not be read when the file was salvaged by hand"}
	made := &store{path: to + salvageSuffix, wall: o.wall}
	if err := made.create(ctx, o.readable(ctx), d); err != nil {
		return nil, err
	}
	if d.Kept == 0 {
		return nil, errors.Join(ErrNothing, made.discard())
	}
	if err := os.Rename(made.path, to); err != nil {
		return nil, err
	}
	return d, syncDir(to)
}

// readable gives every row that can be read.
func (o *onlooker) readable(ctx context.Context) func(func(row) error) error {
	if o.live {
		return func(yield func(row) error) error { return o.each(ctx, Filter{}, yield) }
	}
	return func(yield func(row) error) (err error) {
		if err := o.shut(); err != nil {
			return err
		}
		p, err := openPages(o.path)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, p.close()) }()
		return p.each(yield)
	}
}
