package broadcast

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/rules"

	"github.com/gorilla/websocket"
)

func get(t *testing.T, url string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestOrigin(t *testing.T) {
	_, srv := running(t, Options{Origins: []string{"https://club.example"}})
	host := strings.TrimPrefix(srv.URL, "http://")
	for _, tc := range []struct {
		name, origin string
		want         int
	}{
		{"own page", "http://" + host, 101},
		{"own page behind a proxy with TLS", "https://" + host, 101},
		{"no browser", "", 101},
		{"allowed page", "https://club.example", 101},
		{"allowed host over plain http", "http://club.example", 403},
		{"foreign page", "https://evil.example", 403},
		{"own host as a part of another", "http://" + host + ".evil.example", 403},
		{"own host, another port", "http://127.0.0.1:1", 403},
		{"sandboxed page", "null", 403},
		{"a file", "file://", 403},
		{"an extension", "chrome-extension://" + host, 403},
		{"no URL", "http://[", 403},
	} {
		for _, cookie := range []string{"", "session=1"} {
			header := http.Header{}
			if tc.origin != "" {
				header.Set("Origin", tc.origin)
			}
			if cookie != "" {
				header.Set("Cookie", cookie)
			}
			conn, res, err := websocket.DefaultDialer.Dial("ws://"+host+"/ws", header)
			if res == nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			if res.StatusCode != tc.want {
				t.Errorf("%s: expected %d, got %d", tc.name, tc.want, res.StatusCode)
			}
			if conn != nil {
				conn.Close()
			}
		}
	}
}

func TestAnyOriginWhenAllowed(t *testing.T) {
	h := NewHub(Options{Origins: []string{"*"}})
	r := httptest.NewRequest("GET", "/ws", nil)
	r.Header.Set("Origin", "https://anywhere.example")
	if !h.public.originAllowed(r) {
		t.Error("expected any origin to be allowed")
	}
	r.Header.Add("Origin", "https://twice.example")
	if h.public.originAllowed(r) {
		t.Error("expected two origins to be refused")
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	_, srv := running(t, Options{})
	for path, kind := range map[string]string{
		"/":             "text/html; charset=utf-8",
		"/app.js":       "text/javascript; charset=utf-8",
		"/app.css":      "text/css; charset=utf-8",
		"/pieces.svg":   "image/svg+xml",
		"/licenses.txt": "text/plain; charset=utf-8",
		"/games.pgn":    "application/x-chess-pgn; charset=utf-8",
		"/api/v1/state": "application/json; charset=utf-8",
		"/healthz":      "text/plain; charset=utf-8",
		"/nothing":      "text/plain; charset=utf-8",
	} {
		res, _ := get(t, srv.URL+path)
		want := 200
		if path == "/nothing" {
			want = 404
		}
		if res.StatusCode != want || res.Header.Get("Content-Type") != kind {
			t.Errorf("%s: got %d %q", path, res.StatusCode, res.Header.Get("Content-Type"))
		}
		csp := res.Header.Get("Content-Security-Policy")
		for _, need := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(csp, need) {
				t.Errorf("%s: expected %s in the policy, got %q", path, need, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") {
			t.Errorf("%s: the policy is not strict: %q", path, csp)
		}
		if res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: expected nosniff", path)
		}
	}
	res, err := http.Post(srv.URL+"/api/v1/state", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: expected 405, got %d", res.StatusCode)
	}
}

func TestThePageNamesNoOtherHost(t *testing.T) {
	_, srv := running(t, Options{})
	for _, path := range []string{"/", "/app.css"} {
		if _, body := get(t, srv.URL+path); strings.Contains(body, "//") {
			t.Errorf("%s names an address", path)
		}
	}
}

func TestGamesPGN(t *testing.T) {
	h, srv := running(t, Options{FlushEvery: time.Nanosecond})
	a := newHall(t, h)
	a.game(12, "White Ågård, Ø", `Black "Kid" Müller`, "Round 3.12")
	a.play(12, "e4", "e5", "Nf3")
	a.game(2, "White A", "Black B")
	h.Publish(Change{Type: TypeStatus, Board: 30, Status: LinkWaiting}) // no game there yet
	res, body := get(t, srv.URL+"/games.pgn")
	tag := res.Header.Get("ETag")
	if tag == "" || strings.HasPrefix(tag, "W/") {
		t.Errorf("expected a strong ETag, got %q", tag)
	}
	var got []*rules.Game
	for g, err := range rules.ScanPGN(strings.NewReader(body), "games.pgn") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, g)
	}
	if len(got) != 2 || got[0].Tags.Get("Board") != "2" || got[1].Tags.Get("Board") != "12" {
		t.Fatalf("expected the games of boards 2 and 12, got\n%s", body)
	}
	g := got[1]
	if g.Len() != 3 || g.Ply(3).SAN != "Nf3" || !g.Ply(3).HasClock || g.Tags.Get("White") != "Ågård, Ø" || g.Tags.Get("Black") != `"Kid" Müller` {
		t.Errorf("the game reads back differently:\n%s", body)
	}
	for _, have := range []string{tag, "W/" + tag, strings.Trim(tag, `"`), `"x", ` + tag} {
		if res, body := get(t, srv.URL+"/games.pgn", "If-None-Match", have); res.StatusCode != 304 || body != "" {
			t.Errorf("If-None-Match %s: expected 304, got %d", have, res.StatusCode)
		}
	}
	h.Publish(reading(12, time.Hour, time.Hour, RunningBlack))
	if res, _ := get(t, srv.URL+"/games.pgn", "If-None-Match", tag); res.StatusCode != 304 {
		t.Errorf("a clock reading changes no game: expected 304, got %d", res.StatusCode)
	}
	h.Publish(Change{Type: TypeReplace, Board: 12, Ply: 3, FEN: "x", Moves: []Move{{Ply: 3, SAN: "Nc3", UCI: "b1c3"}}})
	h.Publish(Change{Type: TypeResult, Board: 12, Result: "1-0"})
	h.Publish(Change{Type: TypeMove, Board: 2, Ply: 1, SAN: "Ke2", UCI: "e1e2", FEN: "x"}) // illegal
	res, body = get(t, srv.URL+"/games.pgn", "If-None-Match", tag)
	if res.StatusCode != 200 || !strings.Contains(body, "Nc3 1-0") || strings.Contains(body, "Nf3") || strings.Contains(body, "Ke2") {
		t.Errorf("got %d\n%s", res.StatusCode, body)
	}
}

func TestHealth(t *testing.T) {
	h := NewHub(Options{})
	before := httptest.NewServer(h.Handler())
	defer before.Close()
	for _, path := range []string{"/healthz", "/api/v1/state", "/games.pgn", "/ws"} {
		if res, _ := get(t, before.URL+path); res.StatusCode != 503 {
			t.Errorf("%s before Run: expected 503, got %d", path, res.StatusCode)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Run(ctx)
	}()
	<-h.public.started
	if res, body := get(t, before.URL+"/healthz"); res.StatusCode != 200 || body != "ok\n" {
		t.Errorf("expected 200 ok, got %d %q", res.StatusCode, body)
	}
	cancel()
	<-ended
	if res, _ := get(t, before.URL+"/healthz"); res.StatusCode != 503 {
		t.Errorf("after the end: expected 503, got %d", res.StatusCode)
	}
}

// TestLimits shows that each limit of a connection bites.
func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(conn *websocket.Conn) error
		code int
	}{
		{"a message that is no request", func(c *websocket.Conn) error { return c.WriteMessage(websocket.TextMessage, []byte(`{"type":"move"}`)) }, websocket.ClosePolicyViolation},
		{"a request in binary", func(c *websocket.Conn) error {
			return c.WriteMessage(websocket.BinaryMessage, []byte(`{"type":"resume"}`))
		}, websocket.ClosePolicyViolation},
		{"a long message", func(c *websocket.Conn) error {
			return c.WriteMessage(websocket.TextMessage, []byte(`{"type":"resume","stream":"`+strings.Repeat("x", readLimit)+`"}`))
		}, websocket.CloseMessageTooBig},
		{"a long message that packs small", func(c *websocket.Conn) error {
			c.EnableWriteCompression(true)
			return c.WriteMessage(websocket.TextMessage, []byte(`{"type":"resume","stream":"`+strings.Repeat("x", 100*readLimit)+`"}`))
		}, websocket.ClosePolicyViolation},
		{"too many requests", func(c *websocket.Conn) (err error) {
			for range creditsBurst + 5 {
				err = errors.Join(err, c.WriteMessage(websocket.TextMessage, []byte(`{"type":"resume"}`)))
			}
			return err
		}, websocket.ClosePolicyViolation},
		{"too many pings", func(c *websocket.Conn) (err error) {
			for range creditsBurst + 5 {
				err = errors.Join(err, c.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)))
			}
			return err
		}, websocket.ClosePolicyViolation},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, srv := running(t, Options{})
			dialer := websocket.Dialer{EnableCompression: strings.Contains(tc.name, "packs")}
			conn, _, err := dialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http")+"/ws", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			tc.do(conn) // an error is a connection closed already
			conn.SetReadDeadline(time.Now().Add(10 * time.Second))
			for err == nil {
				_, _, err = conn.ReadMessage()
			}
			var net net.Error
			if errors.As(err, &net) && net.Timeout() {
				t.Fatal("expected the connection to be closed")
			}
			if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) && closed.Code != tc.code {
				t.Errorf("expected close code %d, got %v", tc.code, err)
			}
		})
	}
}

func TestTooManyClients(t *testing.T) {
	_, srv := running(t, Options{MaxClients: 2})
	first := dial(t, srv, "")
	dial(t, srv, "")
	if res, _ := get(t, srv.URL+"/ws"); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("expected 503 with Retry-After, got %d", res.StatusCode)
	}
	first.Close()
	awaitPlace(t, srv)
}

func TestResumeOverTheAddressAndByMessage(t *testing.T) {
	h, srv := running(t, Options{Stream: "s", FlushEvery: time.Nanosecond})
	for _, text := range []string{"a", "b", "c"} {
		h.Publish(status(1, text))
	}
	if _, err := h.public.View(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ query, want string }{
		{"?stream=s&since=1", "changes"}, {"?stream=s&since=0", "changes"}, {"?stream=t&since=1", "snapshot"},
		{"?since=1", "snapshot"}, {"?stream=s", "snapshot"}, {"?stream=s&since=x", "snapshot"}, {"?stream=s&since=4", "snapshot"},
	} {
		conn := dial(t, srv, tc.query)
		read(t, conn)
		e := read(t, conn)
		if e.Type != tc.want || e.Seq != 3 || tc.query == "?stream=s&since=1" && (len(e.Changes) != 2 || e.Changes[0].Text != "b") {
			t.Errorf("%s: expected %s, got %+v", tc.query, tc.want, e)
		}
		if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"resume","stream":"s","since":2}`)); err != nil {
			t.Fatal(err)
		}
		if e := read(t, conn); e.Type != "changes" || len(e.Changes) != 1 || e.Changes[0].Text != "c" {
			t.Errorf("resume by message: got %+v", e)
		}
		conn.Close()
	}
}

// A reader that is dead delays nobody and is gone after WriteWait.
func TestDeadReaderDelaysNobody(t *testing.T) {
	h, srv := running(t, Options{FlushEvery: time.Nanosecond, Queue: 8, SendBuffer: 4096, WriteWait: 300 * time.Millisecond, MaxClients: 3})
	dead, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	dead.(*net.TCPConn).SetReadBuffer(4096)
	io.WriteString(dead, "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	alive := []*websocket.Conn{dial(t, srv, ""), dial(t, srv, "")}
	for _, conn := range alive {
		read(t, conn)
		read(t, conn)
	}
	text := strings.Repeat("x", 2000)
	for i := range 300 {
		h.Publish(status(1, text))
		for _, conn := range alive {
			if e := read(t, conn); e.Seq != uint64(i+1) {
				t.Fatalf("expected change %d, got %d", i+1, e.Seq)
			}
		}
	}
	awaitPlace(t, srv)
}

// awaitPlace waits until a full hub has a place again.
func awaitPlace(t *testing.T, srv *httptest.Server) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if res, _ := get(t, srv.URL+"/ws"); res.StatusCode != 503 {
			return // 400: there is a place, but this is no WebSocket handshake
		}
	}
	t.Fatal("the place of a dead connection was not given back")
}

func TestDrainSaysGoodbye(t *testing.T) {
	h := NewHub(Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var ends sync.WaitGroup
	ends.Go(func() { h.Run(ctx) })
	ends.Go(func() {
		if err := h.Serve(ctx, ln); err != nil {
			t.Error(err)
		}
	})
	<-h.public.started
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+ln.Addr().String()+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	read(t, conn)
	cancel()
	for err == nil {
		_, _, err = conn.ReadMessage()
	}
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("expected going away, got %v", err)
	}
	ends.Wait()
}

func FuzzRequest(f *testing.F) {
	for _, s := range []string{`{"type":"resume"}`, `{"type":"resume","stream":"s","since":18446744073709551615}`, `{"type":"resume","since":-1}`,
		`{"type":"resume"}{}`, `{"type":"move"}`, `[]`, ``, `{"type":"resume","x":1}`, "\xff", `{"type":"resume","since":1e3}`,
		`{"type":"subscribe","boards":[1,2],"rounds":["3"]}`, `{"type":"subscribe"}`, `{"type":"subscribe","boards":[0]}`, `{"type":"subscribe","since":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := parseRequest(data)
		if err != nil && !errors.Is(err, errRequest) {
			t.Errorf("expected errRequest, got %v", err)
		}
		if err != nil && (req.Since != nil || req.Stream != "" || req.subscribes) {
			t.Errorf("expected nothing beside an error, got %+v", req)
		}
		// Whatever was asked, the answer is a frame that follows.
		s := newStream(Options{History: 4, Stream: "s"})
		for i := range 6 {
			s.take(status(1, string(rune('a'+i))))
		}
		s.flush(time.Unix(1, 0), 1000)
		c := &client{queue: make(chan *frame, 1)}
		s.seat(c, want{})
		s.answer(c, req, 1000)
		if fr := <-c.queue; !strings.Contains(string(fr.data), `"seq":6`) {
			t.Errorf("got %s", fr.data)
		}
	})
}

// Who asks and does not read what is answered is let go after a while; a WebSocket, which is bound by none of the
// limits of a request, is not.
func TestWhoDoesNotReadIsLetGo(t *testing.T) {
	h, hub := running(t, Options{})
	hub.Close()
	srv := Server(h.Handler())
	if srv.WriteTimeout <= 0 {
		t.Fatal("answers may take for ever")
	}
	const wait = 200 * time.Millisecond
	srv.WriteTimeout, srv.ReadTimeout = wait, wait
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go srv.Serve(ln)
	defer srv.Close()
	ws, _, err := websocket.DefaultDialer.Dial("ws://"+ln.Addr().String()+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()

	deaf, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	begun := time.Now()
	deaf.SetWriteDeadline(begun.Add(20 * time.Second))
	ask := []byte(strings.Repeat("GET /app.js HTTP/1.1\r\nHost: x\r\n\r\n", 100))
	for err == nil {
		_, err = deaf.Write(ask)
	}
	if late := net.Error(nil); errors.As(err, &late) && late.Timeout() {
		t.Errorf("a client that reads nothing still has its connection after %v", time.Since(begun))
	}
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"resume"}`)); err != nil {
		t.Fatal(err)
	}
	ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	for range 3 { // hello, and a snapshot twice
		if _, _, err := ws.ReadMessage(); err != nil {
			t.Fatalf("the WebSocket %v after its request: %v", time.Since(begun), err)
		}
	}
}
