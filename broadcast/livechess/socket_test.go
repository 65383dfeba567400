package livechess

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"boardd/broadcast"
	"boardd/rules"
)

// serving gives a hub and a server of its games that run until the test ends, and the server's host:port.
func serving(t *testing.T, o Options) (*Server, *broadcast.Hub, string) {
	t.Helper()
	hub := broadcast.NewHub(broadcast.Options{})
	games := hub.Live()
	if o.Public {
		games = hub.Public()
	}
	s := New(games, o)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	hubCtx, endHub := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	hubEnded, ended := make(chan struct{}), make(chan error, 1)
	go func() { defer close(hubEnded); hub.Run(hubCtx) }()
	go func() { ended <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		endHub()
		<-hubEnded
	})
	return s, hub, ln.Addr().String()
}

// peer is a client of the protocol, written from the fact sheet.
type peer struct {
	t    *testing.T
	conn *websocket.Conn
}

func dial(t *testing.T, host string) *peer {
	t.Helper()
	head := http.Header{"Origin": {"https://www.chess.com"}}
	dialer := websocket.Dialer{EnableCompression: true, HandshakeTimeout: 5 * time.Second}
	conn, res, err := dialer.Dial("ws://"+host+"/api/v1.0", head)
	if err != nil {
		t.Fatal(err)
	}
	if ext := res.Header.Get("Sec-WebSocket-Extensions"); ext != "" {
		t.Errorf("extensions %q, want none", ext)
	}
	t.Cleanup(func() { conn.Close() })
	return &peer{t, conn}
}

func (p *peer) send(text string) {
	p.t.Helper()
	if err := p.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// frame reads one frame, whose keys have to be the four of the envelope.
func (p *peer) frame() (response, id string, param json.RawMessage) {
	p.t.Helper()
	p.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, data, err := p.conn.ReadMessage()
	if err != nil {
		p.t.Fatal(err)
	}
	if keys := keysOf(p.t, data); !slices.Equal(keys, []string{"id", "param", "response", "time"}) {
		p.t.Errorf("keys %q of %s", keys, data)
	}
	var m struct {
		Response string
		ID       json.RawMessage
		Param    json.RawMessage
		Time     json.RawMessage
	}
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatal(err)
	}
	if ms, err := strconv.ParseInt(string(m.Time), 10, 64); err != nil || ms < 1e12 || ms > 1e13 {
		p.t.Errorf("time %s is not in ms", m.Time)
	}
	return m.Response, string(m.ID), m.Param
}

// want reads a frame of that response and id.
func (p *peer) want(response, id string) json.RawMessage {
	p.t.Helper()
	r, got, param := p.frame()
	if r != response || got != id {
		p.t.Fatalf("got %s %s %s, want %s %s", r, got, param, response, id)
	}
	return param
}

// keys compares the keys of an object, in any order.
func (p *peer) keys(data json.RawMessage, want string) {
	p.t.Helper()
	words := strings.Fields(want)
	slices.Sort(words)
	if got := keysOf(p.t, data); !slices.Equal(got, words) {
		p.t.Errorf("keys %q, want %q: %s", got, words, data)
	}
}

const eboardKeys = "serialnr source state battery comment board flipped clock"

// Each call and each error over a real socket, key sets compared exactly.
func TestScriptedSession(t *testing.T) {
	s, _, host := serving(t, Options{})
	seat := Seat{Table: 1, Serial: "48096", Port: "/dev/ttyUSB0", Here: true, Men: menIn(t, rules.StartFEN), Seen: true, Whole: true}
	seat.Clock.Connected, seat.Clock.White, seat.Clock.Black = true, 90*time.Minute, 90*time.Minute
	s.Sense(seat)
	p := dial(t, host)

	p.send(`{"id":1,"call":"eboards"}`)
	var boards []json.RawMessage
	if err := json.Unmarshal(p.want("call", "1"), &boards); err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, error %v", len(boards), err)
	}
	p.keys(boards[0], eboardKeys)
	var b struct{ Clock json.RawMessage }
	if err := json.Unmarshal(boards[0], &b); err != nil {
		t.Fatal(err)
	}
	p.keys(b.Clock, "white black run time")

	p.send("{\n \"id\" : 2,\n \"call\" : \"sources\"\n}\n")
	var sources []json.RawMessage
	if err := json.Unmarshal(p.want("call", "2"), &sources); err != nil || len(sources) != 1 {
		t.Fatalf("%d sources, error %v", len(sources), err)
	}
	p.keys(sources[0], "type device name present active status")

	p.send(`{"id":3,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"48096"}}}`)
	if param := p.want("call", "3"); string(param) != "null" {
		t.Errorf("answer to subscribe: %s", param)
	}
	p.keys(p.want("feed", "1"), "serialnr flipped board clock")

	lift := seat
	lift.Whole, lift.Men[sq("e2")] = false, 0
	s.Sense(lift)
	p.keys(p.want("feed", "1"), "serialnr flipped board")
	s.Sense(seat)
	p.keys(p.want("feed", "1"), "serialnr flipped board")

	p.send(`{"id":4,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"` + rules.StartFEN + `"}}}`)
	if param := p.want("call", "4"); string(param) != "null" {
		t.Errorf("answer to setup: %s", param)
	}
	p.keys(p.want("feed", "1"), "serialnr flipped board start san match")
	s.Sense(lift)
	p.keys(p.want("feed", "1"), "serialnr flipped board")
	drop := lift
	drop.Men[sq("e4")] = rules.WhitePawn
	s.Sense(drop)
	p.keys(p.want("feed", "1"), "serialnr flipped board")
	moved := p.want("feed", "1") // as soon as it rests
	p.keys(moved, "serialnr flipped board start san match")
	if !strings.Contains(string(moved), `"san":["e4"],"match":true`) {
		t.Errorf("after e4: %s", moved)
	}

	tick := drop
	tick.Clock.Running = true
	s.Sense(tick)
	p.keys(p.want("feed", "1"), "serialnr flipped clock")

	p.send(`{"id":5,"call":"call","param":{"id":1,"method":"flip","param":{"flip":true}}}`)
	p.want("call", "5")
	p.keys(p.want("feed", "1"), "serialnr flipped")

	for _, bad := range []string{`{"id":6,"call":"reboot"}`, `{"id":6,"call":"unsubscribe","param":{"id":9}}`,
		`{"id":6,"call":"subscribe","param":{"feed":"eboardevent","id":9,"param":{"serialnr":"99"}}}`} {
		p.send(bad)
		p.keys(p.want("error", "6"), "message")
	}
	p.send(`{`)
	p.keys(p.want("error", "0"), "message")

	p.send(`{"id":7,"call":"unsubscribe","param":{"id":1}}`)
	if param := p.want("call", "7"); string(param) != "null" {
		t.Errorf("answer to unsubscribe: %s", param)
	}
	s.Sense(seat)
	p.send(`{"id":8,"call":"eboards"}`)
	p.want("call", "8") // and nothing before it
}

func menIn(t *testing.T, fen string) rules.Placement {
	t.Helper()
	men, err := rules.ParsePlacement(menOf(fen))
	if err != nil {
		t.Fatal(err)
	}
	return men
}

// ask gets a page of the API.
func ask(t *testing.T, host, path string) (status int, head http.Header, body []byte) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	res, err := client.Get("http://" + host + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err = io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, body
}

// The tournament side, asked as the client does that looks after an event: each object has just the keys that its types have.
func TestTournamentOverHTTP(t *testing.T) {
	s, hub, host := serving(t, Options{Event: "Town open", Place: "Town"})
	s.Sense(Seat{Table: 7, Serial: "48096", Port: "/dev/ttyACM0", Here: true, Men: menIn(t, rules.StartFEN), Seen: true, Whole: true})
	white, black := int64(5_437_900), int64(5_400_000)
	g := rules.NewGame(rules.Start())
	hub.Publish(broadcast.Change{Type: broadcast.TypeGame, Board: 7, FEN: rules.StartFEN,
		Tags: map[string]string{"White": "Novak, Anna", "Black": "Young", "WhiteFideId": "123", "BlackTitle": "IM", "Round": "2.7", "Date": "2026.12.01"}})
	hub.Publish(broadcast.Change{Type: broadcast.TypeStatus, Board: 7, Status: broadcast.LinkLive})
	for i, san := range []string{"e4", "e5"} {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
		c := broadcast.Change{Type: broadcast.TypeMove, Board: 7, Ply: i + 1, SAN: san, FEN: g.Current().FEN()}
		if i == 0 {
			c.ClockMS = &white
		}
		hub.Publish(c)
	}
	hub.Publish(broadcast.Change{Type: broadcast.TypeClock, Board: 7, WhiteMS: &white, BlackMS: &black, Running: broadcast.RunningWhite})
	for v, _ := hub.Live().View(t.Context()); len(v.Boards) == 0 || v.Boards[0].WhiteMS == nil; v, _ = hub.Live().View(t.Context()) {
		time.Sleep(time.Millisecond) // the hub tells nobody that it has taken a change in
	}

	p := &peer{t: t}
	one := func(path string, into any) json.RawMessage {
		t.Helper()
		status, head, body := ask(t, host, "/api/v1.0"+path)
		if status != 200 || head.Get("Access-Control-Allow-Origin") != "*" || head.Get("Content-Type") != "application/json; charset=utf-8" {
			t.Fatalf("%s: %d, %v: %s", path, status, head, body)
		}
		if err := json.Unmarshal(body, into); err != nil {
			t.Fatalf("%s: %v: %s", path, err, body)
		}
		return body
	}
	var list []json.RawMessage
	var summary struct {
		UUID   string
		Rounds int
	}
	one("/tournaments", &list)
	p.keys(list[0], "uuid description rounds")
	if err := json.Unmarshal(list[0], &summary); err != nil || summary.Rounds != 2 {
		t.Fatalf("summary %s, error %v", list[0], err)
	}
	var detail struct{ EBoards []string }
	p.keys(one("/tournament/"+summary.UUID, &detail), "uuid name description location country rounds eboards")
	if !slices.Equal(detail.EBoards, []string{"48096"}) {
		t.Errorf("boards %q", detail.EBoards)
	}
	type pairingSeen struct {
		Nr           int
		UUID         string
		White, Black json.RawMessage
		Live         bool
		Result       *string
	}
	var rounds [2]struct {
		Nr       int
		Date     *string
		Pairings []json.RawMessage
	}
	for n := range rounds {
		p.keys(one(fmt.Sprintf("/round/%s/%d", summary.UUID, n), &rounds[n]), "nr date pairings")
	}
	if len(rounds[0].Pairings) != 0 || len(rounds[1].Pairings) != 1 || rounds[1].Nr != 2 || *rounds[1].Date != "2026-12-01" {
		t.Fatalf("rounds %+v", rounds)
	}
	p.keys(rounds[1].Pairings[0], "nr uuid white black live result")
	var pair pairingSeen
	if err := json.Unmarshal(rounds[1].Pairings[0], &pair); err != nil {
		t.Fatal(err)
	}
	if pair.Nr != 1 || !pair.Live || pair.Result != nil {
		t.Errorf("pairing %s", rounds[1].Pairings[0])
	}
	p.keys(pair.White, "fname mname lname title federation gender fideid")
	if got, want := compact(t, pair.White), `{"fname":"Anna","mname":null,"lname":"Novak","title":null,"federation":null,"gender":null,"fideid":"123"}`; got != want {
		t.Errorf("White is %s, want %s", got, want)
	}
	if got, want := compact(t, pair.Black), `{"fname":null,"mname":null,"lname":"Young","title":"IM","federation":null,"gender":null,"fideid":null}`; got != want {
		t.Errorf("Black is %s, want %s", got, want)
	}
	var game struct {
		Chess960 int
		Clock    *Clock
		Moves    []string
	}
	p.keys(one("/game/"+pair.UUID, &game), "chess960 result comment clock moves")
	if game.Chess960 != 518 || game.Clock == nil || game.Clock.White != 5437 || !*game.Clock.Run || !slices.Equal(game.Moves, []string{"e4 5437", "e5"}) {
		t.Errorf("game %+v", game)
	}
	one("/eboards", &list)
	p.keys(list[0], eboardKeys)

	for path, want := range map[string]int{"/tournament/x": 404, "/round/" + summary.UUID + "/2": 404, "/round/" + summary.UUID + "/-1": 404,
		"/round/x/0": 404, "/game/x": 404, "/nothing": 404, "": 426} {
		if status, _, body := ask(t, host, "/api/v1.0"+path); status != want {
			t.Errorf("%s: %d %s, want %d", path, status, body, want)
		}
	}
}

func compact(t *testing.T, data json.RawMessage) string {
	t.Helper()
	var out strings.Builder
	for _, line := range strings.Split(string(data), "\n") {
		out.WriteString(strings.TrimSpace(line))
	}
	return strings.ReplaceAll(out.String(), `" : `, `":`)
}

// Scripts look for the spaces round the colon.
func TestPretty(t *testing.T) {
	got := string(pretty([]byte(`[{"a":"x:\"{,","b":[],"c":{"d":null}}]`)))
	want := "[\n  {\n    \"a\" : \"x:\\\"{,\",\n    \"b\" : [ ],\n    \"c\" : {\n      \"d\" : null\n    }\n  }\n]\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLimitsOfConnectionsAndCalls(t *testing.T) {
	_, _, host := serving(t, Options{MaxConnsEach: 2, Calls: 5, CallsASecond: 1})
	a, _ := dial(t, host), dial(t, host)
	if conn, _, err := websocket.DefaultDialer.Dial("ws://"+host+"/api/v1.0", nil); err == nil {
		conn.Close()
		t.Error("a third connection of one address was let in")
	}
	for id := range 7 {
		a.send(fmt.Sprintf(`{"id":%d,"call":"eboards"}`, id))
	}
	for {
		a.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, _, err := a.conn.ReadMessage()
		if err == nil {
			continue
		}
		if !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
			t.Errorf("a client that asks too often: %v", err)
		}
		break
	}
	_, _, host = serving(t, Options{})
	long := dial(t, host)
	long.send(`{"id":1,"call":"` + strings.Repeat("x", readLimit) + `"}`)
	long.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, _, err := long.conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
		t.Errorf("a call that is too long: %v", err)
	}
}

func TestWho(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:1": "192.0.2.7", "[::ffff:192.0.2.7]:1": "192.0.2.7", "[2001:db8:1:2:3:4:5:6]:1": "2001:db8:1:2::", "[fe80::1%eth0]:1": "fe80::",
	} {
		if got := who(remote).String(); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}

// A client that never reads keeps neither the others waiting nor the server from ending.
func TestADeadReaderDelaysNobody(t *testing.T) {
	s, _, host := serving(t, Options{Queue: 8})
	seat := Seat{Table: 1, Serial: "48096", Port: "/dev/ttyUSB0", Here: true, Men: menIn(t, rules.StartFEN), Seen: true, Whole: true}
	s.Sense(seat)
	dead, quick := dial(t, host), dial(t, host)
	for _, p := range []*peer{dead, quick} {
		p.send(listen)
		p.want("call", "2")
		p.want("feed", "1")
	}
	lift := seat
	lift.Whole, lift.Men[sq("g1")] = false, 0
	for i := range 2000 {
		if i%2 == 0 {
			s.Sense(lift)
		} else {
			s.Sense(seat)
		}
		quick.want("feed", "1")
	}
}

// get asks the handler itself, with no network between.
func get(s *Server, path string) string {
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return fmt.Sprint(w.Code, w.Header(), w.Body)
}

func newContext() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}
