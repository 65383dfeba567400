package broadcast

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// cable is a listener that can be pulled: all connections end, new ones are dropped at once.
type cable struct {
	net.Listener
	mu    sync.Mutex
	out   bool
	conns []net.Conn
}

func (c *cable) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		out := c.out
		if !out {
			c.conns = append(c.conns, conn)
		}
		c.mu.Unlock()
		if !out {
			return conn, nil
		}
		conn.Close()
	}
}

func (c *cable) pull(out bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = out
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

// see waits until the page makes the expression true.
func see(t *testing.T, ctx context.Context, what, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(50*time.Millisecond))); err != nil {
		t.Fatalf("expected the page to show %s: %v", what, err)
	}
}

func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPage(t *testing.T) {
	ctx := browser(t)
	h := NewHub(Options{Title: "Open"})
	hubCtx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Run(hubCtx)
	}()
	<-h.public.started
	var mu sync.Mutex
	var joins []string
	handler := h.Handler()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws" {
			mu.Lock()
			joins = append(joins, r.URL.RawQuery)
			mu.Unlock()
		}
		handler.ServeHTTP(w, r)
	}))
	line := &cable{Listener: srv.Listener}
	srv.Listener = line
	srv.Start()
	t.Cleanup(func() {
		end()
		<-ended
		srv.Close()
	})

	home, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	listening, deaf := context.WithCancel(ctx)
	defer deaf()
	var strangers []string
	if err := chromedp.Listen(listening, func(ev any) {
		if ev, ok := ev.(*network.EventRequestWillBeSent); ok {
			if u, err := url.Parse(ev.Request.URL); err != nil || u.Host != home.Host {
				mu.Lock()
				strangers = append(strangers, ev.Request.URL)
				mu.Unlock()
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(listening)

	a := newHall(t, h)
	a.game(1, "White Morphy, Paul", "Black Anderssen, Adolf")
	a.game(2, "White A", "Black B")
	if err := chromedp.Do(ctx, chromedp.Navigate(srv.URL)); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, "two boards", `document.querySelectorAll(".card").length === 2 && document.querySelector(".state.live") !== null`)

	// A move appears, its squares marked, for eyes and for a screen reader.
	a.play(1, "e4")
	see(t, ctx, "1. e4", `document.querySelector(".card .last")?.textContent === "1. e4"`)
	if label := value[string](t, ctx, `document.querySelector(".card").getAttribute("aria-label")`); label != "Board 1: Morphy, Paul against Anderssen, Adolf, last move 1. e4, Black to move" {
		t.Errorf("label: %q", label)
	}
	if n := value[int](t, ctx, `document.querySelectorAll(".card:first-child .mark:not([hidden])").length`); n != 2 {
		t.Errorf("expected two marked squares, got %d", n)
	}

	// Clocks count by themselves.
	h.Publish(reading(1, time.Minute, 90*time.Second, RunningWhite))
	see(t, ctx, "White's clock counting", `document.querySelector(".card:first-child .clock.running")?.textContent === "0:58"`)
	if black := value[string](t, ctx, `document.querySelector(".card:first-child .clock")?.textContent`); black != "1:30" {
		t.Errorf("Black's clock: %q", black)
	}

	// A click makes a board large; its moves have clocks.
	a.play(1, "e5", "Nf3")
	if err := chromedp.Do(ctx, chromedp.Click(".card"), chromedp.WaitVisible(".detail")); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, "three moves", `[...document.querySelectorAll(".detail .san")].map(e => e.textContent).join() === "e4,e5,Nf3"`)
	see(t, ctx, "their clocks", `document.querySelector(".detail .used")?.textContent === "1:29:48"`)
	if hash := value[string](t, ctx, "location.hash"); hash != "#board=1" {
		t.Errorf("expected a deep link, got %q", hash)
	}

	// A replaced move leaves no trace.
	h.Publish(Change{Type: TypeReplace, Board: 1, Ply: 3, FEN: "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2",
		Moves: []Move{{Ply: 3, SAN: "Nc3", UCI: "b1c3"}}})
	see(t, ctx, "the replacement", `[...document.querySelectorAll(".detail .san")].map(e => e.textContent).join() === "e4,e5,Nc3"`)
	if trace := value[bool](t, ctx, `document.documentElement.outerHTML.includes("Nf3")`); trace {
		t.Error("the replaced move is still in the page")
	}

	// Keys look back and forth and out.
	pieces := func() string {
		return value[string](t, ctx, `[...document.querySelectorAll(".detail .piece")].map(e => e.style.transform + e.className).sort().join()`)
	}
	live := pieces()
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowLeft)); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, "the move before", `document.querySelector(".detail .move.on .san")?.textContent === "e5"`)
	if pieces() == live {
		t.Error("the position did not change")
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.End)); err != nil {
		t.Fatal(err)
	}
	if pieces() != live {
		t.Error("End did not come back to the live position")
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, "all boards", `!document.querySelector(".grid").hidden && document.querySelector(".detail").hidden`)

	// A lost board, and back.
	h.Publish(Change{Type: TypeStatus, Board: 2, Status: LinkLost})
	see(t, ctx, "the board as lost", `document.querySelector(".card.is-lost .badge.lost")?.textContent === "Board lost"`)
	h.Publish(Change{Type: TypeStatus, Board: 2, Status: LinkBack})
	see(t, ctx, "the board as back", `document.querySelector(".badge.back") !== null && document.querySelector(".is-lost") === null`)

	// The line is cut; what happened meanwhile arrives by resuming, without a reload.
	value[bool](t, ctx, `globalThis.sameDocument = true`)
	line.pull(true)
	see(t, ctx, "that it reconnects", `document.querySelector(".state.off") !== null`)
	a.play(2, "d4", "d5", "c4")
	h.Publish(Change{Type: TypeResult, Board: 2, Result: "1/2-1/2"})
	line.pull(false)
	see(t, ctx, "what it missed", `document.querySelector(".state.live") !== null && document.querySelectorAll(".last")[1]?.textContent === "2. c4" &&
		document.querySelectorAll(".card")[1].querySelector(".badge.result")?.textContent === "½–½" && sameDocument`)
	mu.Lock()
	if last := joins[len(joins)-1]; !strings.Contains(last, "since=") {
		t.Errorf("expected the page to resume, it asked %q", last)
	}
	if len(strangers) > 0 {
		t.Errorf("requests left the host: %v", strangers)
	}
	mu.Unlock()

	// A deep link opens its board; an unknown one says so.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(srv.URL+"/#board=2")); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, "board 2", `document.querySelector(".detail h2")?.textContent === "Board 2" && !document.querySelector(".detail").hidden`)
	value[string](t, ctx, `location.hash = "#board=77"`)
	see(t, ctx, "that there is no board 77", `document.querySelector(".note")?.textContent.includes("no board 77") && !document.querySelector(".grid").hidden`)

	deaf()
	for m, err := range messages {
		if err != nil {
			break
		}
		// The cut line is told as failed connections.
		if slices.Contains([]chromedp.ConsoleType{"error", "warning", chromedp.ConsoleException}, m.Type) && !strings.Contains(m.Text, "WebSocket connection") {
			t.Errorf("console: %s %s", m.Type, m.Text)
		}
	}
}
