package venue

import (
	"bytes"
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

	"github.com/rs/zerolog"

	"boardd/dgt/tape"
	"boardd/dgt/tape/shelf"
)

// However many tables a full disk hits, arbiters are told once, and once when it is over.
func TestTapesTellOfTroubleOnce(t *testing.T) {
	var told []string
	s := newTapes(t.TempDir(), 0, "", zerolog.Nop(), func(detail string, cleared bool) { told = append(told, fmt.Sprint(cleared, " ", detail)) })
	one, two := s.of(1), s.of(2)
	one.works()
	one.failed(syscall.ENOSPC)
	two.failed(syscall.ENOSPC)
	one.failed(syscall.ENOSPC) // the tape that was to follow
	two.works()
	one.works()
	one.failed(errDiskStalls)
	want := []string{"false table 1 is no longer recorded: no space left on device; play goes on", "true all tables are recorded again",
		"false table 1 is no longer recorded: the disk takes nothing any more; play goes on"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// A tape that cannot be compressed is told of once, however often it is tried.
func TestTapesThatStayAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	f, err := shelf.Create(dir, "a.tape")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), os.Mkdir(filepath.Join(dir, "a.tape.gz.tmp"), 0o700)); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s := newTapes(dir, 0, "", zerolog.New(&log), nil)
	for range 3 {
		s.tend(t.Context())
	}
	if n := strings.Count(log.String(), "not compressed"); n != 1 {
		t.Errorf("told %d times, want 1:\n%s", n, log.String())
	}
	if err := os.Remove(filepath.Join(dir, "a.tape.gz.tmp")); err != nil {
		t.Fatal(err)
	}
	s.tend(t.Context())
	if list, err := shelf.List(dir); err != nil || len(list) != 1 || !list[0].Compressed {
		t.Errorf("in the end %v, error %v", list, err)
	}
}

func TestTapesAreCompressedAndBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tapes")
	noise := strings.Builder{}
	for i := range 4000 {
		fmt.Fprintf(&noise, "%d < %016x\n", i, uint64(i+1)*0x9e3779b97f4a7c15)
	}
	begun := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for i, round := range []string{"2", "3", "2", "3", ""} {
		f, err := shelf.Create(dir, shelf.Name(begun.Add(time.Duration(i)*time.Hour), 1))
		if err != nil {
			t.Fatal(err)
		}
		w, err := tape.NewWriter(f, headerOf(nil, 1, opening{tags: map[string]string{"Round": round, "White": "A\nB"}}))
		_, text := io.WriteString(f, noise.String())
		if err := errors.Join(err, text, f.Close()); err != nil || w == nil {
			t.Fatal(err)
		}
	}
	names := func() (names []string) {
		list, err := shelf.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, tp := range list {
			if !tp.Compressed {
				t.Errorf("%s is not compressed", tp.Name)
			}
			names = append(names, tp.Name[9:11])
		}
		return names
	}
	s := newTapes(dir, 0, "3", zerolog.Nop(), nil)
	s.tend(t.Context())
	if got := names(); len(got) != 5 {
		t.Fatalf("tapes of %q, want all five", got)
	}
	list, err := shelf.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.most = shelf.Bytes(list) - 1
	s.tend(t.Context())
	if got := names(); !slices.Equal(got, []string{"11", "12", "13", "14"}) {
		t.Errorf("tapes of %q left, want the oldest gone", got)
	}
	s.most = 1
	s.tend(t.Context())
	if got := names(); !slices.Equal(got, []string{"11", "13"}) || !s.told {
		t.Errorf("tapes of %q left, want those of round 3; said %t", got, s.told)
	}
}
