package livechess

import (
	"net/http"
	"strconv"
)

// root is where the API lives.
const root = "/api/v1.0"

// handler serves the API:
//
//	GET /api/v1.0                  the WebSocket
//	GET /api/v1.0/eboards          all boards
//	GET /api/v1.0/tournaments      the event
//	GET /api/v1.0/tournament/UUID  ... with its rounds and boards
//	GET /api/v1.0/round/UUID/N     the pairings of a round, the first is 0
//	GET /api/v1.0/game/UUID        the moves of a pairing
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root, s.serveSocket)
	mux.HandleFunc("GET "+root+"/{$}", s.serveSocket)
	mux.HandleFunc("GET "+root+"/eboards", func(w http.ResponseWriter, r *http.Request) {
		var boards []eboard
		if !s.do(func(h *hall) { boards = h.eboards(nil) }) {
			refuse(w, http.StatusServiceUnavailable, "the server is ending")
			return
		}
		write(w, boards)
	})
	mux.HandleFunc("GET "+root+"/tournaments", s.ofTournament(func(t *tournament, _ *http.Request) any { return t.summary() }))
	mux.HandleFunc("GET "+root+"/tournament/{uuid}", s.ofTournament(func(t *tournament, r *http.Request) any {
		if r.PathValue("uuid") != t.uuid {
			return nil
		}
		return t.detail()
	}))
	mux.HandleFunc("GET "+root+"/round/{uuid}/{n}", s.ofTournament(func(t *tournament, r *http.Request) any {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || r.PathValue("uuid") != t.uuid || n < 0 || n >= t.rounds {
			return nil
		}
		return t.round(n + 1)
	}))
	mux.HandleFunc("GET "+root+"/game/{uuid}", s.ofTournament(func(t *tournament, r *http.Request) any {
		g := t.byUUID(r.PathValue("uuid"))
		if g == nil {
			return nil
		}
		return t.game(g)
	}))
	return s.limited(mux)
}

// limited lets any page read the answers, and nobody ask too often.
func (s *Server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Access-Control-Allow-Origin", "*")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Cache-Control", "no-store")
		if r.Method == http.MethodOptions { // browsers ask before a page of the net may read a machine of the house
			head.Set("Access-Control-Allow-Methods", "GET")
			head.Set("Access-Control-Allow-Headers", "*")
			head.Set("Access-Control-Allow-Private-Network", "true")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !s.requests.spend(s.opts.Now(), who(r.RemoteAddr)) {
			head.Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, "expected fewer requests a second from one address")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ofTournament answers from the games as they are now; nil is nothing that is known.
func (s *Server) ofTournament(answer func(*tournament, *http.Request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := s.games.View(r.Context())
		if err != nil {
			refuse(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		var seats map[int]string
		if !s.do(func(h *hall) { seats = h.seated() }) {
			refuse(w, http.StatusServiceUnavailable, "the server is ending")
			return
		}
		if found := answer(newTournament(s.opts, v, seats, s.opts.Now()), r); found != nil {
			write(w, found)
			return
		}
		refuse(w, http.StatusNotFound, "not known: expected a uuid from tournaments or round, and a round from 0 on")
	}
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(pretty(encode(v)))
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(pretty(encode(fault{why})))
}
