package journal

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// harm is what befalls a file.
type harm struct {
	name string
	log  bool // it befalls the write-ahead log
	do   func(b []byte, rng *rand.Rand) []byte
}

var harms = []harm{
	{"a bit", false, flipBits(1)},
	{"bits", false, flipBits(20)},
	{"a page of zeros", false, overwrite(func(p []byte, _ *rand.Rand) { clear(p) })},
	{"a page of garbage", false, overwrite(func(p []byte, rng *rand.Rand) {
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
	})},
	{"a sector of zeros", false, overwrite(func(p []byte, rng *rand.Rand) { o := 512 * rng.IntN(len(p)/512); clear(p[o : o+512]) })},
	{"two pages changed over", false, func(b []byte, rng *rand.Rand) []byte {
		i, j := 4096*rng.IntN(len(b)/4096), 4096*rng.IntN(len(b)/4096)
		p := bytes.Clone(b[i : i+4096])
		copy(b[i:], b[j:j+4096])
		copy(b[j:], p)
		return b
	}},
	{"cut short", false, func(b []byte, rng *rand.Rand) []byte { return b[:rng.IntN(len(b))] }},
	{"a header of garbage", false, func(b []byte, rng *rand.Rand) []byte {
		for i := range 100 {
			b[i] = byte(rng.Uint32())
		}
		return b
	}},
	{"bits of the log", true, flipBits(3)},
	{"a page of the log", true, func(b []byte, rng *rand.Rand) []byte {
		o := 32 + 4120*rng.IntN(max(1, len(b)/4120))
		clear(b[o:min(len(b), o+4120)])
		return b
	}},
	{"the log's header", true, func(b []byte, _ *rand.Rand) []byte { clear(b[:32]); return b }},
}

func flipBits(n int) func([]byte, *rand.Rand) []byte {
	return func(b []byte, rng *rand.Rand) []byte {
		for range n {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		return b
	}
}

func overwrite(page func([]byte, *rand.Rand)) func([]byte, *rand.Rand) []byte {
	return func(b []byte, rng *rand.Rand) []byte {
		o := 4096 * rng.IntN(len(b)/4096)
		page(b[o:o+4096], rng)
		return b
	}
}

// rowsAPage is about how many facts stand on one page.
const rowsAPage = 45

// worn is a journal as a kill leaves it, with most of the facts in the database and some
// in the log, and the facts.
func worn(t *testing.T) (files map[string][]byte, told []row) {
	t.Helper()
	d := newSimDisk(t)
	path := filepath.Join(t.TempDir(), File)
	session(t, d, path, Options{})
	j := open(t, path, Options{})
	j.play(t, 4, "e4", "e5", "Nf3")
	told = allRows(t, j.store)
	files = map[string][]byte{}
	for _, name := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	j.close(t)
	if len(files["-wal"]) == 0 || len(files[""]) < 4*4096 {
		t.Fatalf("a database of %d and a log of %d bytes: expected some of both", len(files[""]), len(files["-wal"]))
	}
	return files, told
}

// Of 100 damaged files each is opened, none makes the journal panic or tell what never
// was; where facts are missing people are told, the file is set aside byte for byte, and the
// journal goes on with a new one.
func TestDamage(t *testing.T) {
	files, told := worn(t)
	for seed := range uint64(110) {
		if testing.Short() && seed%5 > 0 {
			continue // of each harm some
		}
		h := harms[seed%uint64(len(harms))]
		t.Run(fmt.Sprintf("%d %s", seed, h.name), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 5))
			path := filepath.Join(t.TempDir(), File)
			damaged := map[string][]byte{}
			for name, b := range files {
				b = bytes.Clone(b)
				if h.log == (name == "-wal") {
					b = h.do(b, rng)
				}
				damaged[name] = b
				if err := os.WriteFile(path+name, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			j := open(t, path, Options{})
			rows := allRows(t, j.store)
			byPlace := map[uint64]row{}
			for _, r := range told {
				byPlace[r.seq] = r
			}
			kept := 0
			for _, r := range rows {
				was, is := byPlace[r.seq]
				switch {
				case is && r == was:
					kept++
				case r.kind == (Started{}).kind(): // of this start, on a number that nobody has any more
				default:
					t.Errorf("seq %d reads %+v, told was %+v", r.seq, r, was)
				}
			}
			var notice *Notice
			for _, n := range j.told() {
				notice = &n
			}
			switch {
			case kept == len(told) && notice == nil:
				// The harm fell where nothing stands.
			case notice == nil:
				t.Errorf("%d of %d facts are left and nobody was told", kept, len(told))
			case notice.Kind == NoticeTailCut:
				if !h.log {
					t.Errorf("taken for a power cut: %s", notice)
				}
			case notice.Kind == NoticeDamaged:
				aside := notice.Damage.Aside
				for name, b := range damaged {
					if got, err := os.ReadFile(aside + name); err != nil || !bytes.Equal(got, b) {
						t.Errorf("set aside as %s%s: %d bytes, error %v; the damaged file had %d", aside, name, len(got), err, len(b))
					}
				}
				if notice.Damage.Kept != kept {
					t.Errorf("told %d facts were kept, %d were: %s", notice.Damage.Kept, kept, notice)
				}
			default:
				t.Errorf("notice %s", notice)
			}
			if !h.log && h.name != "cut short" && kept < len(told)-2*rowsAPage {
				t.Errorf("only %d of %d facts were kept", kept, len(told))
			}
			// It goes on, and the next start finds nothing amiss.
			j.play(t, 9, "d4")
			n := len(allRows(t, j.store))
			j.close(t)
			again := open(t, path, Options{})
			if got := len(allRows(t, again.store)); got < n+1 || len(again.told()) != 0 {
				t.Errorf("the next start has %d facts of %d, notices %v", got, n, again.told())
			}
			if err := again.Close(context.Background(), "done"); err != nil {
				t.Error(err)
			}
		})
	}
}
