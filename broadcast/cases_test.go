package broadcast

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules"
)

type streamCase struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Input struct {
		Clients    int      `json:"clients"`
		Slow       int      `json:"slow"`
		Messages   int      `json:"messages"`
		Published  []string `json:"published"`
		Then       []string `json:"then"`
		Correction struct {
			FromPly int      `json:"from_ply"`
			Moves   []string `json:"moves"`
		} `json:"correction"`
		DelayS int      `json:"delay_s"`
		Events [][2]any `json:"events"`
		Event  string   `json:"event"`
	} `json:"input"`
	Expected struct {
		Receives       []string       `json:"client_receives"`
		OthersReceived int            `json:"others_received"`
		MaxBlockMS     int            `json:"max_publish_block_ms"`
		Mainline       []string       `json:"mainline"`
		Messages       []string       `json:"messages"`
		VisibleAt      map[string]any `json:"visible_at"`
		Result         string         `json:"pgn_result"`
	} `json:"expected"`
}

// streamCases are those of the shared folder, which is no part of the repository.
func streamCases(t *testing.T) []streamCase {
	t.Helper()
	dir := os.Getenv("BOARDD_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(dir, "cases", "cases.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no shared folder: set BOARDD_SHARED to run this test")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []streamCase
	for s := bufio.NewScanner(f); s.Scan(); {
		var c struct{ Kind string }
		if json.Unmarshal(s.Bytes(), &c) != nil || c.Kind != "stream" {
			continue
		}
		var sc streamCase
		if err := json.Unmarshal(s.Bytes(), &sc); err != nil {
			t.Fatalf("%v in %s", err, s.Bytes())
		}
		cases = append(cases, sc)
	}
	return cases
}

func TestStreamCases(t *testing.T) {
	tests := map[string]func(*testing.T, streamCase){
		"BC-135": caseJoinBetween, "BC-136": caseSlow, "BC-137": caseCorrection, "BC-139": caseDelay, "BC-142": caseResult,
	}
	for _, c := range streamCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			test := tests[c.ID]
			if test == nil {
				t.Fatal("a case without a test")
			}
			test(t, c)
		})
	}
}

// A move between the page's snapshot and its socket is not lost.
func caseJoinBetween(t *testing.T, c streamCase) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		a := newHall(t, h)
		a.game(1, "White A", "Black B")
		for range 3 {
			a.play(1, "Nf3", "Nf6", "Ng1", "Ng8")
		}
		a.play(1, "Nf3", "Nf6", "Ng1") // 15 half-moves
		time.Sleep(time.Second)
		v, err := h.Public().View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var page envelopeOf
		if err := json.Unmarshal(v.JSON, &page); err != nil || len(page.Boards[0].Moves) != 15 {
			t.Fatalf("the page: %v, %s", err, v.JSON)
		}
		a.play(1, "Ng8")
		time.Sleep(time.Second)
		// The socket comes with the numbers of the page.
		f := &follower{t: t, stream: page.Stream, seq: page.Seq, boards: map[int]Board{1: page.Boards[0]}}
		f.join(h, 10)
		f.read(-1)
		var got []string
		for _, s := range f.sent {
			got = append(got, "ply "+strconv.Itoa(s.Ply))
		}
		if !slices.Equal(got, c.Expected.Receives) {
			t.Errorf("expected %v, got %v", c.Expected.Receives, got)
		}
		f.same(h)
	})
}

// A client that does not read costs the others nothing.
func caseSlow(t *testing.T, c streamCase) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		var quick []*follower
		for range c.Input.Clients - c.Input.Slow {
			quick = append(quick, follow(t, h, 32))
		}
		slow := follow(t, h, 32)
		for i := range c.Input.Messages {
			before := time.Now()
			h.Publish(status(1, strconv.Itoa(i)))
			if took := time.Since(before); took > time.Duration(c.Expected.MaxBlockMS)*time.Millisecond {
				t.Fatalf("publishing took %v", took)
			}
			if i%100 == 99 {
				time.Sleep(100 * time.Millisecond)
				for _, f := range quick {
					f.read(-1)
				}
			}
		}
		time.Sleep(time.Second)
		for _, f := range quick {
			f.read(-1)
			if len(f.sent) != c.Expected.OthersReceived {
				t.Fatalf("expected %d, got %d", c.Expected.OthersReceived, len(f.sent))
			}
		}
		slow.read(-1)
		time.Sleep(2 * time.Second)
		slow.read(-1)
		if slow.same(h); slices.Index(slow.frames, "snapshot") == len(slow.frames)-1 {
			t.Errorf("expected a fresh snapshot for the slow one, got %v", slow.frames)
		}
	})
}

// A correction replaces: no variation is left.
func caseCorrection(t *testing.T, c streamCase) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 100)
		a := newHall(t, h)
		a.game(1, "White A", "Black B")
		a.play(1, c.Input.Published...)
		time.Sleep(time.Second)
		f.read(-1)
		f.sent = nil
		g := a.seat[1]
		from := c.Input.Correction.FromPly
		if err := g.ReplaceFrom(from, nil); err != nil {
			t.Fatal(err)
		}
		change := Change{Type: TypeReplace, Board: 1, Ply: from}
		for _, san := range c.Input.Correction.Moves {
			if err := g.PushSAN(san); err != nil {
				t.Fatal(err)
			}
			n := g.Len()
			change.Moves = append(change.Moves, Move{Ply: n, SAN: san, UCI: g.PositionAt(n - 1).UCI(g.Ply(n).Move)})
		}
		change.FEN = g.Current().FEN()
		h.Publish(change)
		time.Sleep(time.Second)
		f.read(-1)
		var got []string
		for _, s := range f.sent {
			got = append(got, s.Type+"@"+strconv.Itoa(s.Ply))
		}
		if !slices.Equal(got, c.Expected.Messages) {
			t.Errorf("expected %v, got %v", c.Expected.Messages, got)
		}
		a.play(1, c.Input.Then...)
		time.Sleep(time.Second)
		f.read(-1)
		f.same(h)
		v, err := h.Public().View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		text, _ := h.public.pgn.of(v)
		var moves []string
		for read, err := range rules.ScanPGN(strings.NewReader(string(text)), "games.pgn") {
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= read.Len(); n++ {
				moves = append(moves, read.Ply(n).SAN)
			}
		}
		if !slices.Equal(moves, c.Expected.Mainline) || strings.Contains(string(text), "(") {
			t.Errorf("expected %v, got\n%s", c.Expected.Mainline, text)
		}
	})
}

// Moves, clocks and result have the same delay.
func caseDelay(t *testing.T, c streamCase) {
	bubble(t, Options{Delay: time.Duration(c.Input.DelayS) * time.Second}, func(t *testing.T, h *Hub) {
		start := time.Now()
		a := newHall(t, h)
		a.game(1, "White A", "Black B")
		for _, e := range c.Input.Events {
			time.Sleep(time.Until(start.Add(time.Duration(e[0].(float64)) * time.Second)))
			words := strings.Fields(e[1].(string))
			if words[0] == "result" {
				h.Publish(Change{Type: TypeResult, Board: 1, Result: words[1]})
				continue
			}
			a.play(1, words[0])
		}
		var moments []int
		for text := range c.Expected.VisibleAt {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			moments = append(moments, n)
		}
		slices.Sort(moments)
		for _, at := range moments {
			time.Sleep(time.Until(start.Add(time.Duration(at)*time.Second + 60*time.Millisecond))) // frames are 50 ms apart
			synctest.Wait()
			b := boards(t, h.Public())[1]
			if want, is := c.Expected.VisibleAt[strconv.Itoa(at)].(string); is {
				if b.Result != want {
					t.Errorf("at %d s: expected the result %s, got %s", at, want, b.Result)
				}
				continue
			}
			want, _ := c.Expected.VisibleAt[strconv.Itoa(at)].([]any)
			for i, m := range b.Moves {
				if i < len(want) && m.SAN != want[i] || m.ClockMS == nil {
					t.Errorf("at %d s: move %d is %+v", at, i+1, m)
				}
			}
			if len(b.Moves) != len(want) || b.WhiteMS != nil {
				t.Errorf("at %d s: expected %v, got %+v", at, want, b)
			}
		}
	})
}

// A result is in the feed, in the PGN, and stops the clocks, in one step.
func caseResult(t *testing.T, c streamCase) {
	bubble(t, Options{}, func(t *testing.T, h *Hub) {
		f := follow(t, h, 100)
		a := newHall(t, h)
		a.game(1, "White A", "Black B")
		a.play(1, "e4")
		a.clocks(1)
		time.Sleep(time.Second)
		result := c.Input.Event[strings.LastIndex(c.Input.Event, " ")+1:]
		h.Publish(Change{Type: TypeResult, Board: 1, Result: result})
		time.Sleep(time.Second)
		f.read(-1)
		f.same(h)
		if b := f.boards[1]; b.Running != "" || b.WhiteMS == nil || b.Result != c.Expected.Result {
			t.Errorf("got %+v", b)
		}
		v, err := h.Public().View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := h.public.pgn.of(v); !strings.Contains(string(text), `[Result "`+c.Expected.Result+`"]`) {
			t.Errorf("got\n%s", text)
		}
	})
}
