// Package arbiter serves the arbiters of a venue, live: what is known of draw claims,
// the sheet with the evidence, and orders. Nothing of it is for spectators (Laws
// 6.12.2, 12.6), so it has an address of its own, which only arbiters should reach.
package arbiter

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"

	"boardd/broadcast/evidence"
	"boardd/rules"
)

// Claims is what is known of draw claims at one table at this moment.
type Claims struct {
	Ply       int    `json:"ply"`     // half-moves of the record
	ToMove    string `json:"to_move"` // who alone may claim
	Threefold bool   `json:"threefold"`
	Fifty     bool   `json:"fifty"`
	Over      bool   `json:"over"` // the game has ended by itself
	// Next are the moves that would make a claim right if they are written and declared.
	ThreefoldNext []string `json:"threefold_next"`
	FiftyNext     []string `json:"fifty_next"`
	// Open says that the last of Evidence is about a claim that waits for a ruling.
	Open bool `json:"open"`
	// Evidence is that of each claim made in this game, and where none is open of those
	// that could be made as the position stands.
	Evidence []rules.Evidence `json:"evidence"`
}

// Hall is a venue as arbiters see it.
type Hall interface {
	// Claims and Obey fail with an error that wraps ErrNoTable or ErrNotPossible, or
	// with another one while the hall cannot answer.
	Claims(table int) (Claims, error)
	Obey(table int, o Order) error
}

// Order is what a person has a table do.
type Order struct {
	Text string // in the words of a tape
	Who  string // role and name, by his own word: "arbiter" when he gives none
	From string // the address he asks from
}

// Why a hall does not do as it is asked.
var (
	ErrNoTable     = errors.New("no such table")
	ErrNotPossible = errors.New("not possible")
)

// orderMax is how long an order may be, in bytes; the longest holds a FEN.
const orderMax = 4096

// Handler serves
//
//	GET  /api/v1/games/{id}/claims   Claims as JSON
//	GET  /games/{id}/claims          the sheet of the last evidence, or of ?n=, from 1
//	POST /api/v1/games/{id}/orders   {"order": "ruling incorrect", "who": "arbiter Novak"}
//
// and everything else from live, which shows the games without delay.
//
// id is the number of the table whose game in progress it is. Orders are in the words
// of a tape. A wrong question is answered with what was expected, as text: 400, 403
// for one that another site's page asks, 404 no such table, 409 not possible now.
func Handler(h Hall, live http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/games/{id}/claims", func(w http.ResponseWriter, r *http.Request) {
		if claims, ok := ask(w, r, h); ok {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			json.NewEncoder(w).Encode(claims)
		}
	})
	mux.HandleFunc("GET /games/{id}/claims", func(w http.ResponseWriter, r *http.Request) { sheet(w, r, h) })
	mux.HandleFunc("POST /api/v1/games/{id}/orders", func(w http.ResponseWriter, r *http.Request) { order(w, r, h) })
	mux.Handle("/", live)
	return own(mux)
}

// own answers only those who ask for this machine by its address or name, and no page
// of another site: whoever reaches the address is taken for an arbiter.
func own(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cache-Control", "no-store")
		if !ourName(r.Host) {
			http.Error(w, fmt.Sprintf("expected this machine's address or name, got %q", r.Host), http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
				http.Error(w, fmt.Sprintf("expected a page of %s, got one of %q", r.Host, origin), http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// ourName keeps out names that somebody else's name server gives this machine.
func ourName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return true
	}
	own, err := os.Hostname()
	own = strings.ToLower(own)
	return err == nil && own != "" && (name == own || name == own+".local")
}

func table(w http.ResponseWriter, r *http.Request) (n int, ok bool) {
	n, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || n < 1 {
		http.Error(w, fmt.Sprintf("expected the number of a table, got %q", r.PathValue("id")), http.StatusNotFound)
		return 0, false
	}
	return n, true
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusServiceUnavailable
	switch {
	case errors.Is(err, ErrNoTable):
		status = http.StatusNotFound
	case errors.Is(err, ErrNotPossible):
		status = http.StatusConflict
	}
	http.Error(w, err.Error(), status)
}

func ask(w http.ResponseWriter, r *http.Request, h Hall) (claims Claims, ok bool) {
	n, ok := table(w, r)
	if !ok {
		return claims, false
	}
	claims, err := h.Claims(n)
	if err != nil {
		fail(w, err)
		return claims, false
	}
	return claims, true
}

func sheet(w http.ResponseWriter, r *http.Request, h Hall) {
	claims, ok := ask(w, r, h)
	if !ok {
		return
	}
	total := len(claims.Evidence)
	if total == 0 {
		http.Error(w, "no claim has been made in this game, and none could be made now", http.StatusNotFound)
		return
	}
	n := total
	if text := r.FormValue("n"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 || n > total {
			http.Error(w, fmt.Sprintf("n: expected 1 to %d, got %q", total, text), http.StatusBadRequest)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	evidence.WriteHTML(w, claims.Evidence[n-1])
}

// wish is the body of an order.
type wish struct {
	Order string `json:"order"`
	Who   string `json:"who"`
}

func order(w http.ResponseWriter, r *http.Request, h Hall) {
	n, ok := table(w, r)
	if !ok {
		return
	}
	// A form of another site cannot send this type.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, fmt.Sprintf("expected Content-Type application/json, got %q", r.Header.Get("Content-Type")), http.StatusUnsupportedMediaType)
		return
	}
	var body wish
	d := json.NewDecoder(io.LimitReader(r.Body, orderMax))
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		http.Error(w, `expected {"order": "...", "who": "..."}: `+err.Error(), http.StatusBadRequest)
		return
	}
	if strings.ContainsFunc(body.Order+body.Who, func(c rune) bool { return c < ' ' || c == 0x7f }) || body.Order == "" {
		http.Error(w, "order, who: expected one line of text each", http.StatusBadRequest)
		return
	}
	o := Order{Text: body.Order, Who: cmp.Or(strings.TrimSpace(body.Who), "arbiter"), From: r.RemoteAddr}
	if verb, _, _ := strings.Cut(o.Text, " "); body.Who != "" && (verb == "claim" || verb == "ruling") {
		o.Text += " by " + body.Who
	}
	if err := h.Obey(n, o); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
