package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// onlooker reads a journal and changes nothing: the file of a boardd that runs through
// SQLite, which keeps the two apart; any other from a copy, so that SQLite leaves nothing
// beside it.
type onlooker struct {
	*store
	live   bool
	pages  survey // not of a live one, whose pages change while they are looked at
	remove func() error
}

// lookAt opens a journal for looking. Errors: ErrNewer, ErrNotJournal, or why it cannot
// be read; a damaged one is opened all the same.
func lookAt(ctx context.Context, path string) (*onlooker, error) {
	processWide()
	if err := regular(path); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path) // the name of a file in a URI begins with a slash
	if err == nil {
		path, err = realPath(path)
	}
	if err != nil {
		return nil, err
	}
	o := &onlooker{store: &store{path: path, readOnly: true, wall: time.Now}, remove: func() error { return nil }}
	if o.live, err = inUse(path); err == nil && !o.live {
		err = o.copy()
	}
	if err == nil {
		err = o.connect(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

// copy has the onlooker read a copy, unless a boardd starts meanwhile.
func (o *onlooker) copy() error {
	copied, remove, err := copyAside(o.path)
	if err != nil {
		return err
	}
	if o.live, err = inUse(o.path); err != nil || o.live {
		return errors.Join(err, remove())
	}
	o.path, o.remove = copied, remove
	v, _, err := o.look()
	o.pages = v
	if isDamage(err) {
		return nil // whoever looks finds out
	}
	return err
}

func (o *onlooker) close() error { return errors.Join(o.shut(), o.remove()) }

// regular refuses what is not a file.
func regular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: expected a file, got a folder; a journal is %s", path, filepath.Join(path, File))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: expected a file, got a %s", path, info.Mode().Type())
	}
	return nil
}

// inUse reports whether a boardd has the journal open.
func inUse(path string) (bool, error) {
	f, err := os.Open(path + ".lock")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, f.Close()
	}
	return false, errors.Join(err, f.Close())
}
