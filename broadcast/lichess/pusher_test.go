package lichess

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"boardd/broadcast"
	"boardd/broadcast/pgn"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// oneBoard is a view of one board that does not change.
type oneBoard struct{ board broadcast.Board }

func (o oneBoard) View(context.Context) (broadcast.View, error) {
	return broadcast.View{Seq: 1, NowMS: 1, Boards: []broadcast.Board{o.board}}, nil
}

func (o oneBoard) Watch(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	c <- struct{}{}
	context.AfterFunc(ctx, func() { close(c) })
	return c
}

// The pusher sends what the view shows to the address of the round, as Lichess wants it,
// follows no redirection with the token, and resets by order.
func TestPusher(t *testing.T) {
	type asked struct {
		path, body string
		header     http.Header
	}
	requests := make(chan asked, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		requests <- asked{r.Method + " " + r.URL.Path, string(data), r.Header}
		switch {
		case strings.HasSuffix(r.URL.Path, "/reset"):
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		default:
			json.NewEncoder(w).Encode(map[string]any{"games": []any{map[string]any{"moves": 2}}})
		}
	}))
	defer server.Close()
	b := broadcast.NewBoard(4)
	for _, c := range []broadcast.Change{
		{Type: broadcast.TypeGame, Board: 4, FEN: b.StartFEN, Tags: map[string]string{"White": "Novak, Anna", "Black": "Young, Ben", "Round": "3", "TimeControl": "180+2"}},
		{Type: broadcast.TypeMove, Board: 4, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{Type: broadcast.TypeMove, Board: 4, Ply: 2, SAN: "e5", UCI: "e7e5", FEN: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"},
	} {
		if err := b.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	news := make(chan News, 10)
	p := NewPusher(Options{URL: server.URL, Round: "AbCd1234", Token: "lip_secret", Agent: "boardd/test", View: oneBoard{b},
		Event: pgn.Event{ID: "open", Name: "Open", Round: "3"}, News: func(n News) { news <- n }})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	got := <-requests
	if got.path != "POST /api/broadcast/round/AbCd1234/push" || got.header.Get("Authorization") != "Bearer lip_secret" || got.header.Get("User-Agent") != "boardd/test" ||
		got.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%s %v", got.path, got.header)
	}
	for _, want := range []string{`[White "Novak, Anna"]`, `[Round "3.4"]`, `[GameId "`, `[TimeControl "3 min + 2 sec"]`, "1. e4 e5 *"} {
		if !strings.Contains(got.body, want) {
			t.Errorf("no %s in\n%s", want, got.body)
		}
	}
	p.Reset()
	if got := <-requests; got.path != "POST /api/broadcast/round/AbCd1234/reset" || got.body != "" {
		t.Errorf("%s %q", got.path, got.body)
	}
	if n := <-news; n.Over || !strings.Contains(n.Detail, "status 302") || strings.Contains(n.Detail, "secret") {
		t.Errorf("news %+v", n)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if st, last := p.Status(); last.IsZero() || time.Since(last) > time.Minute || st.Games != 1 {
		t.Errorf("status %+v, last well %v", st, last)
	}
	server.Client().CloseIdleConnections()
	p.o.Client.CloseIdleConnections()
}
