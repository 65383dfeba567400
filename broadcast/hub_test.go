package broadcast

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running gives a hub that runs until the test ends, and its server.
func running(t testing.TB, opts Options) (*Hub, *httptest.Server) {
	t.Helper()
	h := NewHub(opts)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Run(ctx)
	}()
	<-h.public.started
	srv := httptest.NewUnstartedServer(h.Handler())
	srv.Config = Server(h.Handler())
	srv.Start()
	t.Cleanup(func() {
		cancel()
		<-ended
		srv.Close()
	})
	return h, srv
}

// envelopeOf is any frame as a client reads it.
type envelopeOf struct {
	Type    string   `json:"type"`
	V       int      `json:"v"`
	Stream  string   `json:"stream"`
	Title   string   `json:"title"`
	Seq     uint64   `json:"seq"`
	NowMS   int64    `json:"now_ms"`
	Boards  []Board  `json:"boards"`
	Changes []Change `json:"changes"`
}

func dial(t testing.TB, srv *httptest.Server, query string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http")+"/ws"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func read(t testing.TB, conn *websocket.Conn) envelopeOf {
	t.Helper()
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	_, data, err := conn.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	checkFrame(t, data)
	var e envelopeOf
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return e
}

func TestSnapshotThenChanges(t *testing.T) {
	h, srv := running(t, Options{Title: "Open"})
	h.Publish(Change{Type: TypeGame, Board: 2, FEN: startFEN, Tags: map[string]string{"White": "Ågård"}})
	conn := dial(t, srv, "")
	if e := read(t, conn); e.Type != "hello" || e.V != 1 || e.Stream == "" || e.Title != "Open" {
		t.Fatalf("expected hello, got %+v", e)
	}
	e := read(t, conn)
	if e.Type != "snapshot" {
		t.Fatalf("expected a snapshot, got %+v", e)
	}
	after := "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	h.Publish(Change{Type: TypeAlert, Board: 2, Code: "board.extra_piece"})
	h.Publish(Change{Type: TypeMove, Board: 2, AtMS: 7, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: after, ClockMS: MS(time.Minute)})
	for seq := e.Seq; seq < 2; {
		e = read(t, conn)
		if e.Type != "changes" {
			t.Fatalf("expected changes, got %+v", e)
		}
		for _, c := range e.Changes {
			if seq++; c.Seq != seq {
				t.Fatalf("expected change %d, got %+v", seq, c)
			}
			if c.Type == TypeAlert {
				t.Fatal("an alert reached a spectator")
			}
		}
	}
	v, err := h.public.View(t.Context())
	if err != nil || len(v.Boards) != 1 || v.Boards[0].FEN != after || *v.Boards[0].Moves[0].ClockMS != 60000 {
		t.Fatalf("got %+v, %v", v, err)
	}
}
