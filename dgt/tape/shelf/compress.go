package shelf

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"boardd/dgt/tape"
)

// unfinished is what the name of a file ends with while a tape is compressed into it.
const unfinished = ".tmp"

// Compress replaces the file of a tape by a compressed one, which is whole on the disk
// before the other goes. It leaves alone what is compressed already and what is being
// written. After an error the tape is as it was.
func Compress(t Tape) error {
	if t.Compressed || locked(t.Path) {
		return nil
	}
	if err := compress(t.Path); err != nil {
		return fmt.Errorf("compress %s: %w", t.Name, err)
	}
	return os.Remove(t.Path)
}

func compress(path string) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close() // only read
	info, err := in.Stat()
	if err != nil {
		return err
	}
	name := path + tape.Gzip + unfinished
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(name)
		}
	}()
	err = errors.Join(squeeze(out, in), out.Sync(), out.Close())
	if err != nil {
		return err
	}
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	if err := os.Rename(name, path+tape.Gzip); err != nil {
		return err
	}
	return syncFolder(path)
}

func squeeze(out io.Writer, in io.Reader) error {
	w := bufio.NewWriterSize(out, 64<<10)
	z := gzip.NewWriter(w)
	_, err := io.Copy(z, in)
	return errors.Join(err, z.Close(), w.Flush())
}

// syncFolder makes the names in the folder of a file durable.
func syncFolder(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Tidy removes what a crash left: compressed files that were not finished, and tapes
// whose compressed file was. Only one program at a time compresses in a folder.
func Tidy(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(path, ending+tape.Gzip+unfinished) {
			err = errors.Join(err, os.Remove(path))
			continue
		}
		if plain, is := strings.CutSuffix(path, tape.Gzip); is && strings.HasSuffix(plain, ending) {
			if _, missing := os.Lstat(plain); missing == nil {
				err = errors.Join(err, os.Remove(plain))
			}
		}
	}
	return err
}
