package shelf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardd/dgt/tape"
)

var begun = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

const text = `boardd-tape 1
# start: 2026-11-30T10:00:00Z
# serial: 12345
# table: 7
# round: 3
# white: Novak, Anna
# black: Young, Ben
5000 < 8e0005340c
5005 < 8e0005140c
65000 @ end
`

// write puts a finished tape on the shelf.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	f, err := Create(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(f, text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, dir string) (tapes []Tape, words []string) {
	t.Helper()
	tapes, err := List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tp := range tapes {
		words = append(words, tp.Name+" "+tp.State())
	}
	return tapes, words
}

func TestCreateNeverOverwrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "tapes")
	name := Name(begun, 7)
	for i := range 11 {
		write(t, dir, name, text)
		if i == 1 { // a compressed tape keeps its name
			tapes, _ := list(t, dir)
			if err := Compress(tapes[1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, dir, Name(begun.Add(-time.Second), 12), text)
	_, got := list(t, dir)
	want := []string{"20261130T095959Z-table-012.tape plain", "20261130T100000Z-table-007.tape plain", "20261130T100000Z-table-007-2.tape compressed"}
	for i := 3; i <= 11; i++ {
		want = append(want, fmt.Sprintf("20261130T100000Z-table-007-%d.tape plain", i))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(blocked, name); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a folder that is a file: %v", err)
	}
}

func TestWhatIsBeingRecordedStays(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(dir, Name(begun, 1))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, text)
	tapes, words := list(t, dir)
	if want := []string{Name(begun, 1) + " recording"}; !slices.Equal(words, want) {
		t.Fatalf("got %q, want %q", words, want)
	}
	if err := Compress(tapes[0]); err != nil {
		t.Error(err)
	}
	if err := tapes[0].Remove(); err == nil || !strings.Contains(err.Error(), "is being recorded") {
		t.Errorf("removed: %v", err)
	}
	if gone, over := Excess(tapes, 0, nil); len(gone) != 0 || over != tapes[0].Size {
		t.Errorf("to go: %v, over %d", gone, over)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, words := list(t, dir); !slices.Equal(words, []string{Name(begun, 1) + " plain"}) {
		t.Errorf("after the end %q", words)
	}
}

func TestCompressKeepsWhatIsOnIt(t *testing.T) {
	dir := t.TempDir()
	long := text
	for i := range 5000 {
		long += fmt.Sprintf("%d < 8e0005340c\n", 70000+i)
	}
	write(t, dir, Name(begun, 7), long)
	before, _ := list(t, dir)
	want, err := before[0].Info()
	if err != nil {
		t.Fatal(err)
	}
	if err := Compress(before[0]); err != nil {
		t.Fatal(err)
	}
	after, words := list(t, dir)
	if !slices.Equal(words, []string{Name(begun, 7) + " compressed"}) || after[0].Size > before[0].Size/4 {
		t.Errorf("%q of %d bytes, was %d", words, after[0].Size, before[0].Size)
	}
	got, err := after[0].Info()
	if err != nil || got != want {
		t.Errorf("error %v\ngot  %+v\nwant %+v", err, got, want)
	}
	if got.Table != 7 || got.Round != "3" || got.White != "Novak, Anna" || got.Black != "Young, Ben" || got.Serial != "12345" || got.Events != 5003 ||
		!got.Begun().Equal(begun.Add(5*time.Second)) || got.Length() != 69999*time.Millisecond {
		t.Errorf("%+v", got)
	}
	if header, err := after[0].Header(); err != nil || header.Round != "3" || header.Events != 0 {
		t.Errorf("header %+v, error %v", header, err)
	}
	if err := after[0].Remove(); err != nil {
		t.Error(err)
	}
	if _, words := list(t, dir); len(words) != 0 {
		t.Errorf("left: %q", words)
	}
}

// A crash at any point of compressing leaves the tape, and no second one after Tidy.
func TestTidyAfterACrash(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, Name(begun, 1), text)
	write(t, dir, Name(begun, 2), text)
	tapes, _ := list(t, dir)
	for _, name := range []string{tapes[0].Path + tape.Gzip + unfinished} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := compress(tapes[1].Path); err != nil { // and then the crash
		t.Fatal(err)
	}
	want := []string{Name(begun, 1) + " plain", Name(begun, 2) + " compressed"}
	if _, words := list(t, dir); !slices.Equal(words, want) {
		t.Errorf("before: %q, want %q", words, want)
	}
	if err := Tidy(dir); err != nil {
		t.Fatal(err)
	}
	if _, words := list(t, dir); !slices.Equal(words, want) {
		t.Errorf("after: %q, want %q", words, want)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%d files, error %v, want 2", len(files), err)
	}
	if err := Tidy(filepath.Join(dir, "none")); err != nil {
		t.Errorf("no folder: %v", err)
	}
}

// A tape that cannot be compressed is as it was.
func TestCompressFails(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, Name(begun, 1), text)
	tapes, _ := list(t, dir)
	if err := os.Mkdir(tapes[0].Path+tape.Gzip+unfinished, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Compress(tapes[0]); err == nil || !strings.Contains(err.Error(), tapes[0].Name) {
		t.Errorf("got %v", err)
	}
	if got, err := os.ReadFile(tapes[0].Path); err != nil || string(got) != text {
		t.Errorf("the tape is %q, error %v", got, err)
	}
}

func TestExcess(t *testing.T) {
	tapes := []Tape{{Name: "a", Size: 10}, {Name: "b", Size: 20, Recording: true}, {Name: "c", Size: 30}, {Name: "d", Size: 40}}
	names := func(tapes []Tape) (s string) {
		for _, t := range tapes {
			s += t.Name
		}
		return s
	}
	keepC := func(t Tape) bool { return t.Name == "c" }
	for _, tt := range []struct {
		most int64
		keep func(Tape) bool
		gone string
		over int64
	}{{100, nil, "", 0}, {99, nil, "a", 0}, {90, nil, "a", 0}, {89, nil, "ac", 0}, {0, nil, "acd", 20}, {50, keepC, "ad", 0}, {49, keepC, "ad", 1}} {
		gone, over := Excess(tapes, tt.most, tt.keep)
		if names(gone) != tt.gone || over != tt.over {
			t.Errorf("at most %d: %q go, %d over, want %q and %d", tt.most, names(gone), over, tt.gone, tt.over)
		}
	}
}

func TestInfoOfADamagedTape(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, Name(begun, 1), text+"65001 < zz\n")
	write(t, dir, Name(begun, 2), text+"65001 < 8e0")
	write(t, dir, Name(begun, 3), "# note: table 3\n")
	tapes, _ := list(t, dir)
	if i, err := tapes[0].Info(); !errors.Is(err, tape.ErrSyntax) || i.Events != 3 {
		t.Errorf("%+v, error %v", i, err)
	}
	if i, err := tapes[1].Info(); err != nil || !i.Torn || i.Events != 3 {
		t.Errorf("%+v, error %v", i, err)
	}
	if _, err := tapes[2].Info(); !errors.Is(err, tape.ErrSyntax) {
		t.Errorf("error %v", err)
	}
}
