package tape

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const ms = time.Millisecond

const sample = `boardd-tape 1
# start: 2026-11-30T10:00:00Z
# fen: 8/8/8/8/8/8/8/K1k5 w - - 0 1
# only a comment
# note: with: a colon
0 > 40
105 < 930005

# note: not a header any more
105 < 0102
9000 ! down
18000 ! up
20000 @ result 1-0
21000 @ end
`

func TestRead(t *testing.T) {
	for name, text := range map[string]string{
		"as written":      sample,
		"without last LF": strings.TrimSuffix(sample, "\n"),
		"with CR LF":      strings.ReplaceAll(sample, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(iotest.OneByteReader(strings.NewReader(text)), "x.tape")
			if err != nil {
				t.Fatal(err)
			}
			want := &Tape{
				Start: time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC),
				Header: Header{
					{"start", "2026-11-30T10:00:00Z"},
					{"fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1"},
					{"note", "with: a colon"},
				},
				Events: []Event{
					{0, Sent, []byte{0x40}, "", 6},
					{105 * ms, Received, []byte{0x93, 0x00, 0x05}, "", 7},
					{105 * ms, Received, []byte{0x01, 0x02}, "", 10},
					{9000 * ms, Link, nil, "down", 11},
					{18000 * ms, Link, nil, "up", 12},
					{20000 * ms, Order, nil, "result 1-0", 13},
					{21000 * ms, Order, nil, "end", 14},
				},
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if got.Header.Get("note") != "with: a colon" || got.Header.Get("tc") != "" {
				t.Errorf("Get: %q, %q", got.Header.Get("note"), got.Header.Get("tc"))
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty file", "", `x.tape:1: expected "boardd-tape 1" as the first line, got ""`},
		{"other version", "boardd-tape 2\n", `x.tape:1: expected "boardd-tape 1" as the first line, got "boardd-tape 2"`},
		{"start", Magic + "\n# start: yesterday\n", `x.tape:2: expected a start like 2026-11-30T10:00:00Z, got "yesterday"`},
		{"no time", Magic + "\nx < 40\n", `x.tape:2: expected milliseconds since the start, got "x"`},
		{"negative time", Magic + "\n-1 < 40\n", `x.tape:2: expected milliseconds since the start, got "-1"`},
		{"huge time", Magic + "\n9223372036855 < 40\n", `x.tape:2: expected milliseconds since the start, got "9223372036855"`},
		{"time decreases", Magic + "\n5 < 40\n4 < 40\n", `x.tape:3: expected a time of at least 5, got "4"`},
		{"mark", Magic + "\n5 = 40\n", `x.tape:2: expected one of < > ! @ after the time, got "="`},
		{"no mark", Magic + "\n5\n", `x.tape:2: expected one of < > ! @ after the time, got ""`},
		{"odd digits", Magic + "\n5 < 400\n", `x.tape:2: expected pairs of hex digits, got "400"`},
		{"no digits", Magic + "\n5 <\n", `x.tape:2: expected pairs of hex digits, got ""`},
		{"link", Magic + "\n5 ! sideways\n", `x.tape:2: expected down or up, got "sideways"`},
		{"no order", Magic + "\n5 @ \n", `x.tape:2: expected an order, got ""`},
		{"carriage return", Magic + "\n5 @ a\rb\n", `x.tape:2: expected a line without carriage returns, got "5 @ a\rb"`},
		{"long line", Magic + "\n5 @ " + strings.Repeat("a", MaxLine) + "\n", `x.tape:2: expected a line of at most 1048576 bytes, got "a longer one"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "x.tape")
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.Is(err, ErrSyntax) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// A recorder that is killed leaves at most its last line unfinished.
func TestReadTorn(t *testing.T) {
	for cut := len(Magic) + 1; cut < len(sample); cut++ {
		got, err := Read(strings.NewReader(sample[:cut]), "x.tape")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if n := strings.Count(sample[:cut], "\n"); got.Torn && len(got.Events) > n {
			t.Errorf("cut at %d: %d events of %d lines", cut, len(got.Events), n)
		}
	}
	got, err := Read(strings.NewReader(Magic+"\n5 < 40\n7 < 8e0"), "x.tape")
	if err != nil || !got.Torn || len(got.Events) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestReadReaderError(t *testing.T) {
	broken := errors.New("broken")
	r := iotest.DataErrReader(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(sample))))
	if _, err := Read(r, "x.tape"); !errors.Is(err, iotest.ErrTimeout) || errors.Is(err, ErrSyntax) {
		t.Errorf("got %v", err)
	}
	if _, err := Read(iotest.ErrReader(broken), "x.tape"); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{
		StartField(time.Date(2026, 11, 30, 11, 0, 0, 0, time.FixedZone("", 3600))),
		{"tc", "90+30"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		w.Bytes(0, Sent, []byte{0x4b}),
		w.Bytes(1999*time.Microsecond, Received, []byte{0x8e, 0x00}),
		w.Bytes(2*ms, Received, nil),
		w.Link(50*ms, false),
		w.Link(40*ms, true), // a clock that went back
		w.Comment("seen by nobody"),
		w.Order(60*ms, " result 1-0 "),
		w.Event(Event{At: 70 * ms, Kind: Link, Text: LinkDown, Line: 9}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	want := `boardd-tape 1
# start: 2026-11-30T10:00:00Z
# tc: 90+30
0 > 4b
1 < 8e00
50 ! down
50 ! up
# seen by nobody
60 @ result 1-0
70 ! down
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, h := range []Header{{{"a:b", "c"}}, {{"", "c"}}, {{" a", "c"}}, {{"a", "b\n0 @ end"}}} {
		if _, err := NewWriter(new(bytes.Buffer), h); err == nil {
			t.Errorf("header %q was written", h)
		}
	}
	var out bytes.Buffer
	w, _ := NewWriter(&out, nil)
	for name, err := range map[string]error{
		"way":       w.Bytes(0, Link, []byte{1}),
		"order":     w.Order(0, "  "),
		"two lines": w.Order(0, "result 1-0\n0 @ end"),
		"comment":   w.Comment("a\nb"),
		"kind":      w.Event(Event{Kind: '?'}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := w.Order(0, "end"); err != nil {
		t.Errorf("a refused event must not stick: %v", err)
	}
	if want := Magic + "\n0 @ end\n"; out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

// failing fails at the n-th write.
type failing struct {
	bytes.Buffer
	n     int
	short bool
}

func (f *failing) Write(p []byte) (int, error) {
	f.n--
	switch {
	case f.n > 0:
		return f.Buffer.Write(p)
	case f.short:
		return f.Buffer.Write(p[:len(p)/2])
	}
	return 0, os.ErrDeadlineExceeded
}

func TestWriteErrorSticks(t *testing.T) {
	for _, short := range []bool{false, true} {
		for n := 1; n <= 3; n++ {
			f := &failing{n: n, short: short}
			w, err := NewWriter(f, nil)
			for at := ms; err == nil && at < 5*ms; at += ms {
				err = w.Link(at, true)
			}
			if err == nil {
				t.Fatalf("fail at %d: no error", n)
			}
			if w == nil {
				continue
			}
			f.n = 100
			before := f.Len()
			if err2 := w.Order(0, "end"); err2 == nil || f.Len() != before {
				t.Errorf("fail at %d: the tape went on after a hole", n)
			}
			if got, err := Read(bytes.NewReader(f.Bytes()), "x"); err != nil || len(got.Events) != n-2 {
				t.Errorf("fail at %d: the rest is unreadable: %v, %v", n, got, err)
			}
		}
	}
}

func TestWriteLongData(t *testing.T) {
	var out bytes.Buffer
	w, _ := NewWriter(&out, nil)
	data := bytes.Repeat([]byte{0x11}, MaxLine)
	if err := w.Bytes(0, Received, data); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&out, "x")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, e := range got.Events {
		all = append(all, e.Data...)
	}
	if !bytes.Equal(all, data) {
		t.Error("data changed")
	}
}

func TestWriteAllocs(t *testing.T) {
	w, _ := NewWriter(discard{}, nil)
	data := []byte{0x8e, 0x00, 0x05, 0x34, 0x00}
	if n := testing.AllocsPerRun(100, func() { w.Bytes(0, Received, data) }); n != 0 {
		t.Errorf("%v allocations an event", n)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// Every tape of the shared material reads and comes out of the writer with the
// same events.
func TestSharedTapes(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared(t), "*", "*", "*.tape"))
	more, _ := filepath.Glob(filepath.Join(shared(t), "captures", "*.tape"))
	files = append(files, more...)
	if len(files) == 0 {
		t.Skip("no tapes in the shared folder")
	}
	for i, name := range files {
		if testing.Short() && i%10 != 0 {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Read(f, name)
		f.Close()
		if err != nil {
			t.Error(err)
			continue
		}
		roundTrip(t, a)
	}
}

func roundTrip(t *testing.T, a *Tape) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, a.Header)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range a.Events {
		if err := w.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	b, err := Read(&out, "again")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(bare(a), bare(b)) {
		t.Errorf("events changed:\n%+v\n%+v", a, b)
	}
}

// bare drops what a writer does not keep.
func bare(t *Tape) Tape {
	b := Tape{Start: t.Start.UTC(), Header: t.Header}
	for _, e := range t.Events {
		e.Line = 0
		b.Events = append(b.Events, e)
	}
	return b
}

// shared finds the read-only material beside the repository.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BOARDD_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		for _, d := range []string{filepath.Join(dir, "shared"), filepath.Join(dir, "..", "shared")} {
			if _, err := os.Stat(filepath.Join(d, "facts")); err == nil {
				return d
			}
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no shared folder: set BOARDD_SHARED to run this test")
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(Magic + "\n5 < 40\n7 < 8e0"))
	f.Add([]byte(Magic + "\r\n# start: 2026-11-30T10:00:00.5+02:00\r\n"))
	f.Add([]byte(Magic + "\n0 @ \xff\n\n#x\n0 > AbcD"))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := Read(bytes.NewReader(text), "x")
		if err != nil {
			return
		}
		roundTrip(t, a)
	})
}
