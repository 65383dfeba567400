package arbiter_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"boardd/broadcast/arbiter"
	"boardd/rules"
)

// hall has one table, 3, where a position has come three times.
type hall struct {
	t      *testing.T
	orders []arbiter.Order
	err    error // of the next question
}

func (h *hall) Claims(table int) (arbiter.Claims, error) {
	if table != 3 {
		return arbiter.Claims{}, fmt.Errorf("%w: expected 3, got %d", arbiter.ErrNoTable, table)
	}
	g := rules.NewGame(rules.Start())
	for san := range strings.FieldsSeq("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8") {
		if err := g.PushSAN(san); err != nil {
			h.t.Fatal(err)
		}
	}
	claim := &rules.Claim{ClaimRequest: rules.ClaimRequest{By: rules.White, Ply: 8}}
	e := g.Evidence(claim, rules.Surroundings{})
	e.White, e.Black = "Novak <b>", "Young"
	return arbiter.Claims{Ply: 8, ToMove: "white", Threefold: true, ThreefoldNext: []string{}, FiftyNext: []string{}, Evidence: []rules.Evidence{e}}, h.err
}

func (h *hall) Obey(table int, o arbiter.Order) error {
	if table != 3 {
		return arbiter.ErrNoTable
	}
	if o.Text == "sing" {
		return fmt.Errorf("%w: order: expected one that is known, got %q", arbiter.ErrNotPossible, o.Text)
	}
	h.orders = append(h.orders, o)
	return h.err
}

// live stands for the games without delay.
var live = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "live %s", r.URL.Path) })

func TestHandler(t *testing.T) {
	const asJSON = "application/json"
	for _, tt := range []struct {
		name, method, path, body string
		header                   map[string]string
		status                   int
		has                      string
	}{
		{"claims", "GET", "/api/v1/games/3/claims", "", nil, 200, `"threefold":true`},
		{"the games, live", "GET", "/games.pgn", "", nil, 200, "live /games.pgn"},
		{"the page, live", "GET", "/", "", nil, 200, "live /"},
		{"evidence in it", "GET", "/api/v1/games/3/claims", "", nil, 200, `"occurrences":[{"ply":0`},
		{"sheet", "GET", "/games/3/claims", "", nil, 200, "Novak &lt;b&gt;"},
		{"sheet by number", "GET", "/games/3/claims?n=1", "", nil, 200, "Young"},
		{"sheet that is not there", "GET", "/games/3/claims?n=2", "", nil, 400, `n: expected 1 to 1, got "2"`},
		{"no such table", "GET", "/api/v1/games/4/claims", "", nil, 404, "no such table: expected 3, got 4"},
		{"no number", "GET", "/api/v1/games/x/claims", "", nil, 404, `expected the number of a table, got "x"`},
		{"order", "POST", "/api/v1/games/3/orders", `{"order":"ruling incorrect","who":"arbiter Novak"}`, map[string]string{"Content-Type": asJSON}, 204, ""},
		{"order not understood", "POST", "/api/v1/games/3/orders", `{"order":"sing"}`, map[string]string{"Content-Type": asJSON}, 409, `expected one that is known, got "sing"`},
		{"order of a form", "POST", "/api/v1/games/3/orders", `{"order":"result 1-0"}`, map[string]string{"Content-Type": "text/plain"}, 415, "expected Content-Type application/json"},
		{"order of nothing", "POST", "/api/v1/games/3/orders", `{}`, map[string]string{"Content-Type": asJSON}, 400, "expected one line of text each"},
		{"order with a line break", "POST", "/api/v1/games/3/orders", `{"order":"result 1-0\nend"}`, map[string]string{"Content-Type": asJSON}, 400, "expected one line of text each"},
		{"order that is no JSON", "POST", "/api/v1/games/3/orders", `result 1-0`, map[string]string{"Content-Type": asJSON}, 400, `expected {"order"`},
		{"order without an end", "POST", "/api/v1/games/3/orders", `{"order":"` + strings.Repeat("x", 9000), map[string]string{"Content-Type": asJSON}, 400, `expected {"order"`},
		{"a page of another site", "GET", "/api/v1/games/3/claims", "", map[string]string{"Origin": "https://evil.example"}, 403, "expected a page of"},
		{"a name of another's", "GET", "/api/v1/games/3/claims", "", map[string]string{"Host": "evil.example"}, 403, "expected this machine's address or name"},
		{"this machine by name", "GET", "/api/v1/games/3/claims", "", map[string]string{"Host": "localhost:8081"}, 200, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &hall{t: t}
			r := httptest.NewRequest(tt.method, "http://127.0.0.1:8081"+tt.path, strings.NewReader(tt.body))
			for name, value := range tt.header {
				if name == "Host" {
					r.Host = value
				}
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			arbiter.Handler(h, live).ServeHTTP(w, r)
			body, err := io.ReadAll(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if w.Code != tt.status || !strings.Contains(string(body), tt.has) {
				t.Errorf("%d %s\nwant %d with %q", w.Code, body, tt.status, tt.has)
			}
			if w.Header().Get("Cache-Control") != "no-store" {
				t.Error("an answer that may be kept")
			}
			if want := tt.status == http.StatusNoContent; (len(h.orders) == 1) != want {
				t.Errorf("orders %q", h.orders)
			} else if o := (arbiter.Order{Text: "ruling incorrect by arbiter Novak", Who: "arbiter Novak", From: "192.0.2.1:1234"}); want && h.orders[0] != o {
				t.Errorf("order %q", h.orders[0])
			}
		})
	}
}

// Whoever does not say who he is has at least an address.
func TestOrderWithoutAName(t *testing.T) {
	h := &hall{t: t}
	r := httptest.NewRequest("POST", "http://127.0.0.1:8081/api/v1/games/3/orders", strings.NewReader(`{"order":"pause"}`))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = "[fe80::1]:4711"
	arbiter.Handler(h, live).ServeHTTP(httptest.NewRecorder(), r)
	if want := []arbiter.Order{{Text: "pause", Who: "arbiter", From: "[fe80::1]:4711"}}; !slices.Equal(h.orders, want) {
		t.Errorf("got %q, want %q", h.orders, want)
	}
}

func TestHallThatCannotAnswer(t *testing.T) {
	h := &hall{t: t, err: errors.New("the venue has ended")}
	w := httptest.NewRecorder()
	arbiter.Handler(h, live).ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/api/v1/games/3/claims", nil))
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "has ended") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Scripts read the names.
func TestClaimsAsJSON(t *testing.T) {
	text, err := json.Marshal(arbiter.Claims{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"ply":0,"to_move":"","threefold":false,"fifty":false,"over":false,"threefold_next":null,"fifty_next":null,"open":false,"evidence":null}`
	if string(text) != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}
