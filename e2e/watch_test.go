//go:build e2e

package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// What the documented messages look like to somebody who knows nothing else.
type change struct {
	Seq    int    `json:"seq"`
	Type   string `json:"type"`
	Board  int    `json:"board"`
	Ply    int    `json:"ply"`
	SAN    string `json:"san"`
	Status string `json:"status"`
	Result string `json:"result"`
}

type boardState struct {
	Board  int               `json:"board"`
	Tags   map[string]string `json:"tags"`
	Moves  []struct{ SAN string }
	FEN    string `json:"fen"`
	Status string `json:"status"`
	Result string `json:"result"`

	WhiteMS *int64 `json:"white_ms"`
}

// viewer is a WebSocket client that keeps what it saw and insists on numbers
// without a hole.
type viewer struct {
	t      *testing.T
	frames chan []byte
	seq    int
	boards map[int]boardState // of the snapshot
	seen   []change
	at     int // seen up to here by until and then
}

func watch(t *testing.T, page string) *viewer {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(page, "http")+"ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{t: t, frames: make(chan []byte, 256), seq: -1, boards: map[int]boardState{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(v.frames)
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				return
			}
			v.frames <- data
		}
	}()
	t.Cleanup(func() {
		conn.Close()
		for range v.frames {
		}
		<-ended
	})
	return v
}

// until waits for a change like the one wanted, which may have come before.
func (v *viewer) until(what string, like func(change) bool) {
	v.t.Helper()
	v.at = 0
	v.then(what, like)
}

// then waits for a change after the one waited for last.
func (v *viewer) then(what string, like func(change) bool) {
	v.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		for v.at < len(v.seen) {
			v.at++
			if like(v.seen[v.at-1]) {
				return
			}
		}
		select {
		case data, more := <-v.frames:
			if !more {
				v.t.Fatalf("the stream ended before %s; seen %+v", what, v.seen)
			}
			v.take(data)
		case <-timeout.C:
			v.t.Fatalf("%s did not come; seen %+v", what, v.seen)
		}
	}
}

func (v *viewer) take(data []byte) {
	v.t.Helper()
	var f struct {
		Type    string
		Seq     int
		Boards  []boardState
		Changes []change
	}
	if err := json.Unmarshal(data, &f); err != nil {
		v.t.Fatalf("frame %s: %v", data, err)
	}
	switch f.Type {
	case "snapshot":
		for _, b := range f.Boards {
			v.boards[b.Board] = b
			// What the snapshot tells at once counts as seen.
			v.seen = append(v.seen, change{Type: "status", Board: b.Board, Status: b.Status})
			if b.WhiteMS != nil {
				v.seen = append(v.seen, change{Type: "clock", Board: b.Board})
			}
			for i, m := range b.Moves {
				v.seen = append(v.seen, change{Type: "move", Board: b.Board, Ply: i + 1, SAN: m.SAN})
			}
		}
		v.seq = f.Seq
	case "changes":
		for _, c := range f.Changes {
			if v.seq >= 0 && c.Seq != v.seq+1 {
				v.t.Fatalf("change %d after %d", c.Seq, v.seq)
			}
			v.seq = c.Seq
			v.seen = append(v.seen, c)
			if c.Type == "alert" {
				v.t.Errorf("a spectator was sent an alert: %s", data)
			}
		}
	}
}

func (v *viewer) move(board, ply int, san string) {
	v.t.Helper()
	v.until(san, func(c change) bool { return c.Type == "move" && c.Board == board && c.Ply == ply && c.SAN == san })
}

func (v *viewer) status(board int, status string) {
	v.t.Helper()
	v.until("board "+status, func(c change) bool { return c.Type == "status" && c.Board == board && c.Status == status })
}

// ready waits until the board has that status and has been read after it: the
// clock is what boardd asks for last. Hands that are faster than people play unseen moves.
func (v *viewer) ready(board int, status string) {
	v.t.Helper()
	v.status(board, status)
	v.then("the clock", func(c change) bool { return c.Type == "clock" && c.Board == board })
}

// get fetches a page of the server.
func get(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, error %v", url, answer.StatusCode, err)
	}
	return string(text)
}
