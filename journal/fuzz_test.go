package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever the bytes of a database and its log are, looking through their pages ends, gives
// each seq once and in order, and gives only rows whose checksum fits.
func FuzzPages(f *testing.F) {
	path := filepath.Join(f.TempDir(), File)
	j := open(f, path, Options{})
	j.play(f, 7, "e4", "e5")
	j.durable(f, Batch{Table: 3, Facts: []Fact{Alert{Code: "move.illegal", Step: Raised, Detail: string(bytes.Repeat([]byte("x"), 900))}}})
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		f.Fatal(err)
	}
	j.close(f)
	db, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(db, []byte{})
	f.Add(db, log)
	f.Add(db[:5000], log)
	f.Add([]byte{}, log)
	f.Add(db, log[:len(log)-100])
	f.Fuzz(func(t *testing.T, db, log []byte) {
		wal, err := scanWAL(bytes.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		p := &pageFiles{main: bytes.NewReader(db), log: bytes.NewReader(log), size: int64(len(db)), wal: wal}
		p.index()
		v, err := p.survey()
		if err != nil {
			t.Fatal(err)
		}
		n, last := 0, uint64(0)
		err = p.each(func(r row) error {
			if n++; n > 1 && r.seq <= last {
				t.Errorf("seq %d after %d", r.seq, last)
			}
			if last = r.seq; r.sum != r.checksum() {
				t.Errorf("seq %d: checksum %d, expected %d", r.seq, r.sum, r.checksum())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n < v.rows && !wal.damaged {
			t.Errorf("%d facts are salvaged, the survey counts %d", n, v.rows)
		}
	})
}

// Tags that are read are written, and read again, the same.
func FuzzTags(f *testing.F) {
	f.Add("")
	f.Add(`{}`)
	f.Add(`{"White":"O'Neil \"Tim\"","Black":"é\n"}`)
	f.Add(`{"White":1}`)
	f.Add(`{"White":"a"`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		tags, err := tagsOf(text)
		if err != nil {
			return
		}
		again, err := tagsOf(tagsText(tags))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tags, again); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}
