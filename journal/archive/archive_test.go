package archive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardd/journal"
	"boardd/rules"
)

// book is a journal under test; each read of the archive asks it anew.
type book struct {
	*journal.Journal
	t    *testing.T
	path string
}

func openBook(t *testing.T, path string) *book {
	t.Helper()
	j, _, err := journal.Open(path, journal.Options{Wall: func() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	b := &book{j, t, path}
	t.Cleanup(func() { j.Close(context.Background(), "the test ended") })
	return b
}

// tell puts facts into the journal and waits until they are durable.
func (b *book) tell(at time.Duration, table int, game journal.GameID, facts ...journal.Fact) uint64 {
	b.t.Helper()
	done := make(chan journal.Receipt, 1)
	err := b.Append(journal.Batch{At: at, Table: table, Game: game, Facts: facts, Done: func(r journal.Receipt, err error) {
		if err != nil {
			b.t.Error(err)
		}
		done <- r
	}})
	if err != nil {
		b.t.Fatal(err)
	}
	return (<-done).Last
}

func tags(event, round, white string) rules.Tags {
	return rules.Tags{{Name: "Event", Value: event}, {Name: "Round", Value: round}, {Name: "White", Value: white}}
}

// play begins a game and makes moves in it, one a second.
func (b *book) play(at time.Duration, table int, t rules.Tags, sans string) journal.GameID {
	b.t.Helper()
	id, g := b.NewGame(), rules.NewGame(rules.Start())
	b.tell(at, table, id, journal.Begun{FEN: rules.StartFEN, Tags: t})
	for san := range strings.FieldsSeq(sans) {
		at += time.Second
		if err := g.PushSAN(san); err != nil {
			b.t.Fatal(err)
		}
		n := g.Len()
		b.tell(at, table, id, journal.PlyOf(g, n, 0), journal.Clock{N: n, Left: time.Hour}, journal.Firm{N: n})
	}
	return id
}

func (b *book) end(at time.Duration, table int, game journal.GameID, r rules.Result) {
	b.tell(at, table, game, journal.Result{Result: r, Who: "arbiter"})
}

// words are the games that can be seen, in short.
func words(t *testing.T, a *Archive) (list []string) {
	t.Helper()
	a.read = time.Time{} // as if a second had passed
	games, err := a.Games(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		lines := strings.Split(strings.TrimSpace(string(g.PGN)), "\n")
		list = append(list, fmt.Sprintf("%s %s %d %s: %s", g.Event(), g.Round(), g.Table, g.Result, lines[len(lines)-1]))
	}
	return list
}

func same(t *testing.T, what string, a *Archive, want ...string) {
	t.Helper()
	if got := words(t, a); !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

const clk = " {[%clk 1:00:00]}"

func TestArchiveHasFinishedGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), journal.File)
	b := openBook(t, path)
	a := New(b, Options{})
	same(t, "at first", a)
	two := b.play(0, 2, tags("Open", "1.2", "Ann"), "e4")
	one := b.play(0, 1, tags("Open", "1.1", "Ben"), "d4")
	same(t, "in play", a)
	b.end(time.Minute, 2, two, rules.WhiteWins)
	first := "Open 1 2 1-0: 1. e4" + clk + " 1-0"
	same(t, "one over", a, first)
	next := b.play(2*time.Minute, 2, tags("Open", "2.2", "Cid"), "c4")
	b.end(3*time.Minute, 1, one, rules.Draw)
	b.end(3*time.Minute, 2, next, rules.BlackWins)
	all := []string{"Open 1 1 1/2-1/2: 1. d4" + clk + " 1/2-1/2", first, "Open 2 2 0-1: 1. c4" + clk + " 0-1"}
	same(t, "all over", a, all...)
	b.end(4*time.Minute, 2, two, rules.Unfinished)
	same(t, "one opened again", a, all[0], all[2])
	b.end(5*time.Minute, 2, two, rules.Draw)
	all[1] = "Open 1 2 1/2-1/2: 1. e4" + clk + " 1/2-1/2"
	same(t, "corrected when the next game was over", a, all...)
	if err := b.Close(t.Context(), "the end"); err != nil {
		t.Fatal(err)
	}
	b = openBook(t, path)
	b.play(0, 2, tags("Open", "3.2", "Dan"), "f4")
	same(t, "in the next run", New(b, Options{}), all...)
}

func TestArchiveWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), journal.File)
	b := openBook(t, path)
	const delay = 15 * time.Minute
	var now time.Duration
	late := func(b *book, released uint64) *Archive {
		return New(b, Options{Delay: delay, Now: func() time.Duration { return now }, Run: b.Run(), Released: released})
	}
	a := late(b, 0)
	one := b.play(0, 1, tags("Open", "1", "Ann"), "e4 e5")
	b.end(time.Minute, 1, one, rules.WhiteWins)
	now = time.Minute + delay - 1
	same(t, "just before", a)
	now++
	won := "Open 1 1 1-0: 1. e4" + clk + " 1... e5" + clk + " 1-0"
	same(t, "old enough", a, won)

	// What the arbiter changes now is not seen before its time either.
	now = time.Hour
	b.tell(now, 1, one, journal.Retracted{N: 2, Who: "arbiter"}, journal.Result{Result: rules.Draw, Who: "arbiter"})
	b.tell(now, 1, one, journal.Tagged{Tags: tags("Open", "1", "Another")})
	now += delay - 1
	same(t, "before the correction is old enough", a, won)
	same(t, "the same for one who reads it for the first time", late(b, 0), won)
	now++
	drawn := "Open 1 1 1/2-1/2: 1. e4" + clk + " 1/2-1/2"
	same(t, "corrected", a, drawn)

	// While it is off, nothing grows older; what had been shown stays.
	two := b.play(2*time.Hour, 2, tags("Open", "2", "Ben"), "d4")
	b.end(2*time.Hour+time.Minute, 2, two, rules.BlackWins)
	last := b.tell(2*time.Hour+6*time.Minute, 1, 0, journal.Link{Text: "out"}) // up for 5 minutes since
	if err := b.Close(t.Context(), "the end"); err != nil {
		t.Fatal(err)
	}
	b = openBook(t, path)
	lost := "Open 2 2 0-1: 1. d4" + clk + " 0-1"
	now = 10*time.Minute - 1
	a = late(b, 0)
	// The link tells of table 1, so nothing in the record of game 2 is younger than its result.
	b.tell(0, 2, two, journal.Order{Text: "pause"})
	same(t, "after a restart", a, drawn)
	same(t, "with what had been shown", late(b, last), drawn, lost)
	now++
	same(t, "in time", a, drawn, lost)
}

// broken is a journal that cannot be read for a while.
type broken struct {
	Source
	err error
}

func (b *broken) Tail(ctx context.Context, n int) ([]journal.Entry, error) {
	if b.err != nil {
		return nil, b.err
	}
	return b.Source.Tail(ctx, n)
}

func TestArchiveTellsOfTheDisk(t *testing.T) {
	b := openBook(t, filepath.Join(t.TempDir(), journal.File))
	b.end(0, 1, b.play(0, 1, tags("Open", "1", "Ann"), "e4"), rules.Draw)
	source := &broken{b, syscall.EIO}
	a := New(source, Options{})
	if _, err := a.Games(t.Context()); !errors.Is(err, syscall.EIO) {
		t.Errorf("got %v", err)
	}
	w := httptest.NewRecorder()
	Handler(a).ServeHTTP(w, httptest.NewRequest("GET", "/archive/", nil))
	if w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "input/output") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	source.err = nil
	gone, cancel := context.WithCancel(t.Context())
	cancel() // somebody who does not wait
	if games, err := a.Games(gone); err != nil || len(games) != 1 {
		t.Errorf("when it is over: %d games, error %v", len(games), err)
	}
}

func TestHandler(t *testing.T) {
	b := openBook(t, filepath.Join(t.TempDir(), journal.File))
	for i, g := range []rules.Tags{tags("Čačak", "1.1", "Ann"), tags("Čačak", "1.2", "Bén"), tags("Open & Co", "1.1", "Cid"), tags("", "", "Dan")} {
		b.end(time.Minute, i+1, b.play(0, i+1, g, "e4"), rules.WhiteWins)
	}
	h := Handler(New(b, Options{}))
	get := func(path, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	const line = `"date":"","begun":"2026-11-30T10:00:00Z","result":"1-0"}`
	want := `{"rounds":[{"event":"Čačak","round":"1","pgn":"round-1.pgn?event=%C4%8Ca%C4%8Dak","games":[{"game":1,"table":1,"white":"Ann","black":"",` + line +
		`,{"game":2,"table":2,"white":"Bén","black":"",` + line + `]},{"event":"Open \u0026 Co","round":"1","pgn":"round-1.pgn?event=Open+%26+Co","games":[{"game":3,"table":3,"white":"Cid","black":"",` + line +
		`]},{"event":"","round":"","pgn":"round-.pgn?event=","games":[{"game":4,"table":4,"white":"Dan","black":"",` + line + `]}]}` + "\n"
	index := get("/archive/", "")
	if index.Code != 200 || index.Body.String() != want || index.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%d %s\n%s\nwant\n%s", index.Code, index.Header(), index.Body, want)
	}
	for _, tt := range []struct {
		path   string
		status int
		games  string // White of each
	}{
		{"round-1.pgn", 200, "Cid"}, {"round-1.pgn?event=%C4%8Ca%C4%8Dak", 200, "Ann Bén"}, {"round-1.pgn?event=Open+%26+Co", 200, "Cid"}, {"round-.pgn?event=", 200, "Dan"}, {"round-.pgn", 200, "Dan"},
		{"round-2.pgn", 404, `no finished game of round "2" can be seen; /archive/ lists the rounds`}, {"round-1.pgn?event=x", 404, `no finished game of round "1" of "x" can be seen`},
		{"games.pgn", 404, `expected round-R.pgn`}, {"round-1.txt", 404, `expected round-R.pgn`},
	} {
		w := get("/archive/"+tt.path, "")
		if w.Code != tt.status {
			t.Errorf("%s: %d %s", tt.path, w.Code, w.Body)
			continue
		}
		if tt.status != 200 {
			if !strings.HasPrefix(w.Body.String(), tt.games) {
				t.Errorf("%s: %s", tt.path, w.Body)
			}
			continue
		}
		var names []string
		for part := range strings.SplitSeq(w.Body.String(), `[White "`) {
			if name, _, is := strings.Cut(part, `"`); is && !strings.HasPrefix(part, "[Event") {
				names = append(names, name)
			}
		}
		if got := strings.Join(names, " "); got != tt.games || w.Header().Get("Content-Type") != "application/x-chess-pgn; charset=utf-8" {
			t.Errorf("%s: games of %q, want %q; %v", tt.path, got, tt.games, w.Header())
		}
		tag := w.Header().Get("ETag")
		for _, have := range []string{tag, "W/" + tag, strings.Trim(tag, `"`), `"x", ` + tag, "*"} {
			if again := get("/archive/"+tt.path, have); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
				t.Errorf("%s with %s: %d", tt.path, have, again.Code)
			}
		}
		if again := get("/archive/"+tt.path, `"other"`); again.Code != 200 {
			t.Errorf("%s with another tag: %d", tt.path, again.Code)
		}
	}
}
