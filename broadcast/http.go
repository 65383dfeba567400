package broadcast

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"boardd/broadcast/web"
)

// The page's rights: its own files and its own WebSocket, nothing else, and nobody may frame it.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Handler serves the spectators, from the public view alone:
//
//	GET /               the page and its files
//	GET /ws             the WebSocket (frame.go); ?stream=S&since=N resumes
//	GET /api/v1/state   the snapshot frame as JSON
//	GET /games.pgn      all games as PGN, UTF-8, strong ETag
//	GET /healthz        200 while the hub runs, 503 otherwise
//
// Every answer carries the security headers.
func (h *Hub) Handler() http.Handler { return h.public.handler(h.more) }

// Mount has Handler serve more, by a pattern of http.ServeMux. It must hold back itself what spectators may not see
// yet. Call it before Handler and Serve.
func (h *Hub) Mount(pattern string, handler http.Handler) {
	if h.more == nil {
		h.more = map[string]http.Handler{}
	}
	h.more[pattern] = handler
}

// LiveHandler serves the same at the same addresses from the live view, for arbiters: what it serves must not reach
// spectators.
func (h *Hub) LiveHandler() http.Handler { return h.live.handler(nil) }

func (s *Source) handler(more map[string]http.Handler) http.Handler {
	mux := http.NewServeMux()
	for pattern, handler := range more {
		mux.Handle(pattern, handler)
	}
	mux.HandleFunc("GET /ws", s.serveWS(s.upgrader()))
	mux.HandleFunc("GET /api/v1/state", s.serveState)
	mux.HandleFunc("GET /games.pgn", s.servePGN)
	mux.HandleFunc("GET /healthz", s.serveHealth)
	files(mux, web.Files())
	return secure(mux)
}

func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", contentSecurityPolicy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("X-Frame-Options", "DENY")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		next.ServeHTTP(w, r)
	})
}

func (s *Source) serveHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	// An answer from the owner goroutine is what tells that it is not stuck.
	if _, err := s.View(ctx); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Write([]byte("ok\n"))
}

func (s *Source) serveState(w http.ResponseWriter, r *http.Request) {
	v, err := s.View(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(v.JSON)
}

// files serves the embedded page. Names are fixed and the browser asks each time; an unchanged file costs it
// one 304.
func files(mux *http.ServeMux, tree fs.FS) {
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		url := "/" + name
		if name == "index.html" {
			url = "/{$}"
		}
		kind := contentTypes[path.Ext(name)]
		if kind == "" {
			return errors.New("no content type for " + name)
		}
		tag := etag(data)
		mux.HandleFunc("GET "+url, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			ServeTagged(w, r, tag, data)
		})
		return nil
	})
	if err != nil {
		panic("broadcast: embedded page: " + err.Error()) // a fault of the build, seen by every test
	}
}

// Fixed here because mime.TypeByExtension depends on the machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

func etag(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// ServeTagged writes data with an ETag, a quoted text, and answers 304 to who has it already. Lichess strips the quotes and the W/ of a tag it sends
// back (livechess-and-broadcast C.2), so both spellings count.
func ServeTagged(w http.ResponseWriter, r *http.Request, tag string, data []byte) {
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "no-cache")
	for have := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		have = strings.TrimPrefix(strings.TrimSpace(have), "W/")
		if have == "*" || strings.Trim(have, `"`) == strings.Trim(tag, `"`) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Write(data)
}

// answerWait is how long a client may take to read an answer: the games of a large hall over a poor mobile line. Who does
// not read at all holds a connection no longer.
const answerWait = 2 * time.Minute

// Server gives an http.Server with the limits a public listener needs: headers in 5 s and 16 KiB, bodies
// in 10 s (nothing here takes one), answers taken in two minutes, idle connections for one. WebSockets are
// bound by none of these once they are open: they set their own for each frame.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      answerWait,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

// Serve answers spectators on ln until ctx ends, then lets open requests finish for DrainWait. WebSockets are
// closed by Run, which the caller starts with the same ctx. It closes ln and returns nil after ctx ended.
func (h *Hub) Serve(ctx context.Context, ln net.Listener) error {
	srv := Server(h.Handler())
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.opts.DrainWait)
	defer cancel()
	if srv.Shutdown(drain) != nil {
		srv.Close()
	}
	<-failed
	return nil
}
