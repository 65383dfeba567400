package tape

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Gzip is what the name of a compressed tape ends with, after the name it had.
const Gzip = ".gz"

// Open opens the file of a tape, compressed or not. A tape that has been compressed
// since is found by the name it had. The error is that of the file; what is no tape
// is told by the reader of what Open returns.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if compressed, again := os.Open(path + Gzip); again == nil {
			f, err = compressed, nil
		}
	}
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(f)
	if magic, _ := r.Peek(2); string(magic) != "\x1f\x8b" {
		return &file{r, f}, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: a compressed tape: %w", f.Name(), err), f.Close())
	}
	return &file{z, f}, nil
}

// file reads a tape's text and closes the file under it.
type file struct {
	io.Reader
	f *os.File
}

func (f *file) Close() error { return f.f.Close() }

// ReadFile reads a whole tape from a file, as Open finds it.
func ReadFile(path string) (*Tape, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}
