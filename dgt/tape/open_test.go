package tape

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenReadsCompressedTapes(t *testing.T) {
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "a.tape"), filepath.Join(dir, "b.tape")
	if err := os.WriteFile(plain, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(packed + Gzip)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	io.WriteString(z, sample)
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{plain, packed, packed + Gzip} { // by the name it had, too
		got, err := ReadFile(path)
		if err != nil || len(got.Events) != 7 {
			t.Errorf("%s: %+v, error %v", path, got, err)
		}
	}
	whole, err := os.ReadFile(packed + Gzip)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole { // a copy that was cut short
		if err := os.WriteFile(packed, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(packed); err == nil {
			t.Errorf("%d of %d bytes were read without an error", cut, len(whole))
		} else if !strings.Contains(err.Error(), packed) {
			t.Errorf("%d bytes: %v does not name the file", cut, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none.tape")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
