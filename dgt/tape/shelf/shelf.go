// Package shelf keeps the folder of recorded sessions: what their files are called,
// which of them are being written, and how they are compressed and thrown away.
//
// A tape is NAME.tape, where NAME begins with the UTC time at which it was begun, so
// names sort by age (as the machine's calendar had it). Once nobody writes it, it may
// become NAME.tape.gz. Its name is NAME.tape all its life. A file that is being
// written is locked (flock), so several programs may look after one folder.
package shelf

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"boardd/dgt/tape"
)

const ending = ".tape"

// Tape is one recorded session in its folder.
type Tape struct {
	Name       string // NAME.tape, compressed or not
	Path       string // of the file
	Size       int64  // of the file, in bytes
	Compressed bool
	Recording  bool // a program writes it
}

// Name is what a tape of a table that begins then is called, if the name is free.
func Name(begun time.Time, table int) string {
	return fmt.Sprintf("%s-table-%03d%s", begun.UTC().Format("20060102T150405Z"), table, ending)
}

// Create makes the file of a new tape, and the folder. The file has the name, or
// where there is such a tape already that name with a number. It is locked until it
// is closed.
func Create(dir, name string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(name, ending)
	for i := 1; ; i++ {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path + tape.Gzip); errors.Is(err, fs.ErrNotExist) || i >= 1000 {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err == nil {
				return f, lock(f)
			}
			if !errors.Is(err, fs.ErrExist) || i >= 1000 {
				return nil, err
			}
		}
		name = fmt.Sprintf("%s-%d%s", base, i+1, ending)
	}
}

// lock marks a file as being written. A file system that knows no locks costs the
// mark only.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.Join(fmt.Errorf("%s: another program writes it", f.Name()), f.Close())
	}
	return nil
}

// locked reports whether a program writes the file.
func locked(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// List gives the tapes of a folder, oldest first by their names. A folder that is not
// there has none. Where a tape is there compressed and not, because a crash came between,
// the compressed one counts.
func List(dir string) ([]Tape, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	byName := map[string]Tape{}
	for _, e := range entries {
		name, compressed := strings.CutSuffix(e.Name(), tape.Gzip)
		if !strings.HasSuffix(name, ending) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since
		}
		if err != nil {
			return nil, err
		}
		if byName[name].Compressed {
			continue
		}
		t := Tape{Name: name, Path: filepath.Join(dir, e.Name()), Size: info.Size(), Compressed: compressed}
		t.Recording = !compressed && locked(t.Path)
		byName[name] = t
	}
	tapes := make([]Tape, 0, len(byName))
	for _, t := range byName {
		tapes = append(tapes, t)
	}
	slices.SortFunc(tapes, func(a, b Tape) int { return compareNames(a.Name, b.Name) })
	return tapes, nil
}

// compareNames orders by time, then by table, then by the number behind it.
func compareNames(a, b string) int {
	begunA, _, _ := strings.Cut(a, "-")
	begunB, _, _ := strings.Cut(b, "-")
	return cmp.Or(cmp.Compare(begunA, begunB), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Begun is the time in a tape's name; ok is false when it has none.
func (t Tape) Begun() (begun time.Time, ok bool) {
	text, _, _ := strings.Cut(t.Name, "-")
	begun, err := time.Parse("20060102T150405Z", text)
	return begun, err == nil
}

// Bytes is how much tapes take together.
func Bytes(tapes []Tape) (sum int64) {
	for _, t := range tapes {
		sum += t.Size
	}
	return sum
}

// Excess are the tapes, oldest first, that have to go so that the rest takes most bytes
// at the utmost. What is being written stays, and what keep says; over is what is then
// still too much.
func Excess(tapes []Tape, most int64, keep func(Tape) bool) (gone []Tape, over int64) {
	over = Bytes(tapes) - most
	for _, t := range tapes {
		if over <= 0 {
			return gone, 0
		}
		if t.Recording || keep != nil && keep(t) {
			continue
		}
		gone = append(gone, t)
		over -= t.Size
	}
	return gone, max(over, 0)
}

// Remove throws a tape away, in either form. One that is being written stays.
func (t Tape) Remove() error {
	plain := strings.TrimSuffix(t.Path, tape.Gzip)
	if locked(plain) {
		return fmt.Errorf("%s: it is being recorded", t.Name)
	}
	err := os.Remove(t.Path)
	if other := os.Remove(plain); t.Compressed && !errors.Is(other, fs.ErrNotExist) {
		err = errors.Join(err, other)
	}
	return err
}
