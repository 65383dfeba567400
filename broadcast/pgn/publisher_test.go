package pgn

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/rules"
)

func TestFolderWritesOnlyWhatChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "open")
	e := Event{ID: "open"}
	book := NewBook("")
	for _, c := range []struct {
		layout Layout
		want   []string
	}{
		{Both, []string{"round-1/game-1.json", "round-1/game-1.pgn", "round-1/game-2.json", "round-1/game-2.pgn", "round-1/games.pgn", "round-1/index.json", "tournament.json"}},
		{Games, []string{"round-1/game-1.json", "round-1/game-1.pgn", "round-1/game-2.json", "round-1/game-2.pgn", "round-1/index.json", "tournament.json"}},
		{Combined, []string{"round-1/game-1.json", "round-1/game-2.json", "round-1/games.pgn", "round-1/index.json", "tournament.json"}},
	} {
		var wrote []string
		f := NewFolder(dir, c.layout)
		f.write = func(path string, data []byte) error {
			name, _ := filepath.Rel(dir, path)
			wrote = append(wrote, filepath.ToSlash(name))
			return writeFile(path, data)
		}
		one, two := board(t, 1, 1, "", "e4", "*", "White A"), board(t, 2, 1, "", "d4", "*", "White C")
		book.Take(view(one, two))
		tree := book.Tree(&e, nil)
		if err := f.Write(tree); err != nil || !slices.Equal(wrote, c.want) {
			t.Errorf("%s: %v, wrote %q", c.layout, err, wrote)
		}
		for _, path := range c.want {
			if data, err := os.ReadFile(filepath.Join(dir, path)); err != nil || !bytes.Equal(data, tree[path].Data) {
				t.Errorf("%s: %v", path, err)
			}
		}
		wrote = nil
		book.Take(view(one, board(t, 2, 1, "", "d4 d5", "*", "White C")))
		if err := f.Write(book.Tree(&e, tree)); err != nil || slices.Contains(wrote, "round-1/game-1.pgn") || !slices.Contains(wrote, "round-1/game-2.json") || slices.Contains(wrote, "tournament.json") {
			t.Errorf("%s: %v, wrote %q after a move", c.layout, err, wrote)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*", ".boardd-*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

func TestFolderErrors(t *testing.T) {
	dir := t.TempDir()
	f := NewFolder(dir, Both)
	tree := Tree{}
	b := builder{tree: tree}
	for _, path := range []string{"round-1/game-1.pgn", "round-1/game-2.pgn", "tournament.json"} {
		b.add(path, []byte(path))
	}
	if err := os.WriteFile(filepath.Join(dir, "round-1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(tree); err == nil || !strings.Contains(err.Error(), "round-1") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "tournament.json")); err != nil {
		t.Errorf("what can be written is not: %v", err)
	}
	os.Remove(filepath.Join(dir, "round-1"))
	if err := f.Write(tree); err != nil {
		t.Errorf("not tried again: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "round-1", "game-2.pgn")); err != nil {
		t.Error(err)
	}
}

func TestLoadPassesOverWhatIsNotOurs(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"round-1/game-1.pgn":      "[Round \"1.1\"]\n[Board \"1\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n",
		"round-1/game-2.pgn":      "[Round \"7.2\"]\n[Board \"2\"]\n\n1. e4 1-0\n",
		"round-1/game-3.pgn":      "[Board \"x\"]\n\n1. e4 1-0\n",
		"round-1/game-4.pgn":      "[Round \"1.4\"]\n[Board \"4\"]\n\n1. e5 1-0\n",
		"round-1/notes.pgn":       "1. e4 *",
		"round-1/.boardd-123.tmp": "1. e",
		"other/game-9.pgn":        "[Round \"1.9\"]\n[Board \"9\"]\n\n1. e4 1-0\n",
	} {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	book := NewBook("")
	err := NewFolder(dir, Both).Load(book)
	for _, want := range []string{"game-2.pgn: expected a game that boardd wrote for this folder", "game-3.pgn", "game-4.pgn"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q in %v", want, err)
		}
	}
	if got := gamesOf(t, book.Tree(&Event{}, nil)); !slices.Equal(got, []string{"round-1/game-1 1 1-0"}) {
		t.Errorf("got %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "round-1", ".boardd-123.tmp")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the half written file is still there: %v", err)
	}
	if err := NewFolder(filepath.Join(dir, "none"), Both).Load(book); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// hub stands for broadcast.Source.
type hub struct {
	now  atomic.Pointer[broadcast.View]
	news chan struct{}
}

func (h *hub) View(context.Context) (broadcast.View, error) { return *h.now.Load(), nil }
func (h *hub) Watch(context.Context) <-chan struct{}        { return h.news }

func (h *hub) set(boards ...broadcast.Board) {
	v := view(boards...)
	h.now.Store(&v)
}

func (h *hub) show(boards ...broadcast.Board) {
	synctest.Wait() // the publisher reads the view only when it has a token
	h.set(boards...)
	select {
	case h.news <- struct{}{}:
	default:
	}
}

func TestPublisher(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h := &hub{news: make(chan struct{}, 1)}
		var log bytes.Buffer
		folder := NewFolder(dir, Both)
		var writes atomic.Int32 // of the game
		var full atomic.Bool
		folder.write = func(path string, data []byte) error {
			if full.Load() {
				return errors.New("no space left on device")
			}
			if filepath.Base(path) == "game-1.pgn" {
				writes.Add(1)
			}
			return writeFile(path, data)
		}
		p := NewPublisher(Event{ID: "open"}, h, folder, zerolog.New(&log))
		done := make(chan struct{})
		go func() { p.Run(t.Context()); close(done) }()
		moves := strings.Fields("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7")
		for n := range moves { // five a second
			h.show(board(t, 1, 1, "", strings.Join(moves[:n+1], " "), "*", "White A"))
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		if n := writes.Load(); n < 4 || n > 6 {
			t.Errorf("the file was written %d times in four seconds", n)
		}
		file := filepath.Join(dir, "round-1", "game-1.pgn")
		if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "Nbd7 *") {
			t.Errorf("%v\n%s", err, data)
		}

		full.Store(true)
		for _, result := range []string{"1-0", "0-1", "1/2-1/2"} {
			h.show(board(t, 1, 1, "", "e4", result, "White A"))
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if n := strings.Count(log.String(), "cannot be written"); n != 1 {
			t.Errorf("told %d times of a full disk:\n%s", n, log.String())
		}
		if got := string((*p.tree.Load())["games.pgn"].Data); !strings.Contains(got, "1/2-1/2") {
			t.Error("HTTP waits for the disk")
		}
		full.Store(false)
		time.Sleep(retryEvery + time.Second)
		synctest.Wait()
		if data, _ := os.ReadFile(file); !strings.Contains(string(data), "1. e4 1/2-1/2") || strings.Count(log.String(), "written again") != 1 {
			t.Errorf("not written when there is room again:\n%s\n%s", data, log.String())
		}

		h.show(board(t, 1, 1, "", "d4", "*", "White A"))
		h.set(board(t, 1, 1, "", "d4 d5", "*", "White A"))
		close(h.news)
		<-done
		if data, _ := os.ReadFile(file); !strings.Contains(string(data), "d4 d5") {
			t.Errorf("what happened last is not written:\n%s", data)
		}
	})
}

func TestHandler(t *testing.T) {
	h := &hub{}
	p := NewPublisher(Event{ID: "open"}, h, nil, zerolog.Nop())
	get := func(path, have string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		if have != "" {
			r.Header.Set("If-None-Match", have)
		}
		w := httptest.NewRecorder()
		p.Handler("/pgn/").ServeHTTP(w, r)
		return w
	}
	if w := get("/pgn/games.pgn", ""); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("before the first game: %d %s", w.Code, w.Body)
	}
	p.book.Take(view(board(t, 12, 1, "", "e4", "*", "White Müller", "Round 3")))
	tree := p.book.Tree(&p.event, nil)
	p.tree.Store(&tree)
	for path, kind := range map[string]string{
		"/pgn/games.pgn": "application/x-chess-pgn; charset=utf-8", "/pgn/round-3/games.pgn": "application/x-chess-pgn; charset=utf-8",
		"/pgn/round-3/game-12.pgn": "application/x-chess-pgn; charset=utf-8", "/pgn/round-3/game-12.json": "application/json; charset=utf-8",
		"/pgn/round-3/index.json": "application/json; charset=utf-8", "/pgn/tournament.json": "application/json; charset=utf-8",
	} {
		w := get(path, "")
		tag := w.Header().Get("ETag")
		if w.Code != 200 || w.Header().Get("Content-Type") != kind || len(tag) < 10 || tag[0] != '"' {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		for _, have := range []string{tag, "W/" + tag, strings.Trim(tag, `"`)} {
			if again := get(path, have); again.Code != 304 || again.Body.Len() != 0 {
				t.Errorf("%s: %d for %s", path, again.Code, have)
			}
		}
		if other := get(path, `"x"`); other.Code != 200 {
			t.Errorf("%s: %d for another tag", path, other.Code)
		}
	}
	for _, path := range []string{"/pgn/", "/pgn/round-4/games.pgn", "/pgn/../pgn_test.go", "/pgn/round-3"} {
		if w := get(path, ""); w.Code != 404 || !strings.Contains(w.Body.String(), "/pgn/games.pgn") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestDelay: with the hub itself, no file tells of a move, a clock or a result before its time.
func TestDelay(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := broadcast.NewHub(broadcast.Options{Delay: 15 * time.Minute})
		var running sync.WaitGroup
		running.Go(func() { h.Run(ctx) })
		p := NewPublisher(Event{ID: "open"}, h.Public(), NewFolder(dir, Both), zerolog.Nop())
		running.Go(func() { p.Run(ctx) })
		h.Publish(broadcast.Change{Type: broadcast.TypeGame, Board: 1, FEN: rules.StartFEN, Tags: map[string]string{"White": "Ann"}})
		h.Publish(broadcast.Change{Type: broadcast.TypeMove, Board: 1, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"})
		h.Publish(broadcast.Change{Type: broadcast.TypeClock, Board: 1, WhiteMS: ms(5_400_000), BlackMS: ms(5_300_000), Running: broadcast.RunningBlack})
		time.Sleep(time.Minute)
		h.Publish(broadcast.Change{Type: broadcast.TypeResult, Board: 1, Result: "1-0"})
		read := func() string {
			synctest.Wait()
			data, err := os.ReadFile(filepath.Join(dir, "round-1", "game-1.pgn"))
			if err != nil {
				t.Fatal(err)
			}
			if http := (*p.tree.Load())["games.pgn"].Data; !bytes.Equal(http, data) {
				t.Errorf("over HTTP:\n%s\nin the folder:\n%s", http, data)
			}
			return string(data)
		}
		time.Sleep(14*time.Minute - 2*time.Second)
		if got := read(); !strings.Contains(got, "Ann") || strings.Contains(got, "e4") || strings.Contains(got, "Clock") {
			t.Errorf("before its time:\n%s", got)
		}
		time.Sleep(4 * time.Second)
		if got := read(); !strings.HasSuffix(got, "1. e4 *\n\n") || !strings.Contains(got, `[WhiteClock "1:30:00"]`) {
			t.Errorf("after fifteen minutes:\n%s", got)
		}
		time.Sleep(56 * time.Second)
		if got := read(); strings.Contains(got, `Result "1-0"`) {
			t.Errorf("the result is early:\n%s", got)
		}
		time.Sleep(4 * time.Second)
		if got := read(); !strings.HasSuffix(got, "1. e4 1-0\n\n") {
			t.Errorf("after sixteen minutes:\n%s", got)
		}
		cancel()
		running.Wait()
	})
}

// BenchmarkTree: what a second costs in a hall of 64 boards where one has moved.
func BenchmarkTree(b *testing.B) {
	var boards []broadcast.Board
	for n := 1; n <= 64; n++ {
		boards = append(boards, board(b, n, 1, "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 20), "*", "White A", "Black B"))
	}
	book := NewBook("")
	e := Event{ID: "open"}
	book.Take(view(boards...))
	tree := book.Tree(&e, nil)
	for b.Loop() {
		boards[7].Moves = slices.Clone(boards[7].Moves)
		book.Take(view(boards...))
		tree = book.Tree(&e, tree)
	}
}
