package livechess

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// stage is a hall with time of its own, and what its clients were sent.
type stage struct {
	t    testing.TB
	h    *hall
	now  time.Time
	said [][]byte // every frame, in order
	seat Seat
}

func newStage(t testing.TB, o Options) *stage {
	t.Helper()
	o.fill()
	now := time.UnixMilli(1790000000000)
	return &stage{t: t, h: newHall(o, now), now: now}
}

func (s *stage) client() *client {
	c := &client{queue: make(chan []byte, s.h.opts.Queue)}
	s.h.join(c)
	return c
}

// pass lets time pass beat by beat.
func (s *stage) pass(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(beat)
		s.h.beat(s.now)
	}
}

// put changes what stands on one square; 0 lifts.
func (s *stage) put(square rules.Square, p rules.Piece) {
	s.seat.Men[square] = p
	s.seat.Whole = false
	s.h.sense(s.now, s.seat)
}

// show seats a board with men as in a FEN.
func (s *stage) show(serial, fen string) {
	men, err := rules.ParsePlacement(menOf(fen))
	if err != nil {
		s.t.Fatal(err)
	}
	s.seat = Seat{Table: 1, Serial: serial, Port: "/dev/ttyACM0", Here: true, Men: men, Seen: true, Whole: true}
	s.h.sense(s.now, s.seat)
}

// take gives what waits for a client.
func (s *stage) take(c *client) (frames []string) {
	for len(c.queue) > 0 {
		data := <-c.queue
		s.said = append(s.said, data)
		frames = append(frames, string(data))
	}
	return frames
}

// want compares what a client was sent, times set to 0, with frames written down.
func (s *stage) want(c *client, want ...string) {
	s.t.Helper()
	got := s.take(c)
	for i, frame := range got {
		got[i] = strings.ReplaceAll(frame, fmt.Sprintf(`"time":%d}`, s.now.UnixMilli()), `"time":NOW}`)
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (s *stage) call(c *client, text string) { s.h.call(s.now, c, []byte(text)) }

const (
	setup  = `{"id":3,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"` + rules.StartFEN + `"}}}`
	listen = `{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"48096"}}}`
	start  = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
)

// What the page of lichess.org does, and what it is told (fact sheet, A.6 and A.8).
func TestASessionOfLichess(t *testing.T) {
	s := newStage(t, Options{})
	c := s.client()
	s.show("48096", rules.StartFEN)
	s.call(c, `{"id":1,"call":"eboards"}`)
	s.want(c, `{"response":"call","id":1,"param":[{"serialnr":"48096","source":"ttyACM0","state":"ACTIVE","battery":null,"comment":"table 1","board":"`+start+`","flipped":false,"clock":null}],"time":NOW}`)
	s.call(c, listen)
	s.want(c, `{"response":"call","id":2,"param":null,"time":NOW}`,
		`{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+start+`","clock":null},"time":NOW}`)

	// Before setup every lift and every drop is a message with the board alone.
	s.put(sq("g1"), 0)
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R"},"time":NOW}`)
	s.put(sq("g1"), rules.WhiteKnight)
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+start+`"},"time":NOW}`)
	s.pass(10 * time.Second)
	s.want(c)

	s.call(c, setup)
	s.want(c, `{"response":"call","id":3,"param":null,"time":NOW}`,
		`{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+start+`","start":"`+rules.StartFEN+`","san":[],"match":true},"time":NOW}`)

	s.put(sq("e2"), 0)
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"},"time":NOW}`)
	s.pass(time.Second)
	s.want(c)
	s.put(sq("e4"), rules.WhitePawn)
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"},"time":NOW}`)
	s.pass(600 * time.Millisecond)
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR","start":"`+rules.StartFEN+`","san":["e4"],"match":true},"time":NOW}`)
	s.pass(30 * time.Second)
	s.want(c) // nothing is told twice

	s.call(c, `{"id":4,"call":"unsubscribe","param":{"id":1}}`)
	s.want(c, `{"response":"call","id":4,"param":null,"time":NOW}`)
	s.put(sq("e7"), 0)
	s.want(c)
	if n := len(s.h.boards["48096"].feeds); n != 0 || s.h.games != 0 {
		t.Errorf("%d feeds and %d games are left", n, s.h.games)
	}
}

// A position that does not stand on the board waits for the men.
func TestSetupThatDoesNotFitTheBoard(t *testing.T) {
	s := newStage(t, Options{})
	c := s.client()
	s.show("48096", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")
	s.call(c, listen)
	s.call(c, setup)
	s.take(c)
	s.pass(5 * time.Second)
	s.want(c)
	s.put(sq("e4"), 0)
	s.put(sq("e2"), rules.WhitePawn)
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"},"time":NOW}`,
		`{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+start+`","start":"`+rules.StartFEN+`","san":[],"match":true},"time":NOW}`)
}

// Castling, rook and king one after the other, is one move told once.
func TestCastlingIsToldOnce(t *testing.T) {
	const fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
	s := newStage(t, Options{})
	c := s.client()
	s.show("48096", fen)
	s.call(c, listen)
	s.call(c, strings.Replace(setup, rules.StartFEN, fen, 1))
	s.take(c)
	for _, step := range []struct {
		square rules.Square
		piece  rules.Piece
	}{{sq("e1"), 0}, {sq("g1"), rules.WhiteKing}, {sq("h1"), 0}, {sq("f1"), rules.WhiteRook}} {
		s.put(step.square, step.piece)
		s.pass(400 * time.Millisecond)
	}
	s.pass(2 * time.Second)
	lists := 0
	for _, f := range s.take(c) {
		if strings.Contains(f, `"san"`) {
			lists++
			if !strings.Contains(f, `"san":["O-O"],"match":true`) {
				t.Errorf("got %s", f)
			}
		}
	}
	if lists != 1 {
		t.Errorf("%d lists of moves, want 1", lists)
	}
}

func TestFlipIsTheClientsOwn(t *testing.T) {
	s := newStage(t, Options{})
	c, d := s.client(), s.client()
	s.show("48096", rules.StartFEN)
	s.call(c, listen)
	s.call(d, listen)
	s.take(c)
	s.take(d)
	for _, flip := range []string{
		`{"method":"flip","id":1,"param":{"flip":true}}`,
		`{"method":"setup","id":1,"param":{"flip":true}}`,                               // one client's mistake
		`{"method":"flip","id":1,"param":{"fen":true}}`,                                 // another's
		`{"method":"setup","id":1,"param":{"fen":true}}`,                                // both
		`{"method":"flip","id":1,"param":{"fen":"` + rules.StartFEN + `","flip":true}}`, // what belongs to the other method is passed over
	} {
		s.call(c, `{"id":7,"call":"call","param":`+flip+`}`)
		s.want(c, `{"response":"call","id":7,"param":null,"time":NOW}`, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":true},"time":NOW}`)
		s.call(c, `{"id":8,"call":"call","param":`+strings.ReplaceAll(flip, "true", "false")+`}`)
		s.want(c, `{"response":"call","id":8,"param":null,"time":NOW}`, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false},"time":NOW}`)
	}
	s.call(c, `{"id":7,"call":"call","param":{"method":"flip","id":1,"param":{"flip":true}}}`)
	s.call(c, `{"id":9,"call":"eboards"}`)
	if got := s.take(c); !strings.Contains(got[len(got)-1], `"flipped":true`) {
		t.Errorf("eboards: %s", got)
	}
	s.want(d)
	s.call(d, `{"id":9,"call":"eboards"}`)
	if got := s.take(d); !strings.Contains(got[0], `"flipped":false`) {
		t.Errorf("another client's eboards: %s", got)
	}
}

func TestErrors(t *testing.T) {
	s := newStage(t, Options{MaxFeeds: 1, MaxGames: 1})
	other := s.client()
	c := s.client()
	s.show("48096", rules.StartFEN)
	s.call(other, listen)
	s.call(other, setup)
	s.call(c, listen)
	s.take(c)
	for _, tt := range []struct{ call, id, message string }{
		{`{`, "0", "expected a JSON object with call, id and param, got unexpected end of JSON input at byte 1"},
		{``, "0", "expected a JSON object with call, id and param, got unexpected end of JSON input at byte 0"},
		{`[1]`, "0", "expected a JSON object with call, id and param, got something else"},
		{`{"call":"eboards"}`, "0", "id: expected a number from 0 on, got none"},
		{`{"id":"1","call":"eboards"}`, "0", `id: expected a number from 0 on, got "1"`},
		{`{"id":-1,"call":"eboards"}`, "0", "id: expected a number from 0 on, got -1"},
		{`{"id":1e999,"call":"eboards"}`, "0", "id: expected a number from 0 on, got 1e999"},
		{`{"id":null,"call":"eboards"}`, "0", "id: expected a number from 0 on, got null"},
		{`{"id":5}`, "5", "call: expected a text, got none"},
		{`{"id":5.5,"call":"reboot"}`, "5.5", `unknown call "reboot": expected eboards, sources, subscribe, unsubscribe or call`},
		{`{"id":5,"call":"subscribe"}`, "5", "param: expected an object, got none"},
		{`{"id":5,"call":"subscribe","param":{"id":1}}`, "5", "param.feed: expected a text, got none"},
		{`{"id":5,"call":"subscribe","param":{"feed":"games","id":1}}`, "5", `unknown feed "games": expected eboardevent`},
		{`{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":"x"}}`, "5", `param.id: expected a number from 0 on, got "x"`},
		{`{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":2,"param":null}}`, "5", "param.param: expected an object, got null"},
		{`{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":2,"param":{}}}`, "5", "param.param.serialnr: expected a text, got none"},
		{`{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":2,"param":{"serialnr":"99"}}}`, "5", `unknown board "99": expected a serialnr that eboards lists`},
		{`{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":2,"param":{"serialnr":"48096"}}}`, "5", "too many feeds on this socket: expected at most 1; unsubscribe from some"},
		{`{"id":5,"call":"unsubscribe","param":{"id":2}}`, "5", "unknown feed 2: expected the id of a feed subscribed to on this socket"},
		{`{"id":5,"call":"unsubscribe"}`, "5", "param: expected an object, got none"},
		{`{"id":5,"call":"call","param":{"id":2,"method":"flip","param":{"flip":true}}}`, "5", "unknown feed 2: expected the id of a feed subscribed to on this socket"},
		{`{"id":5,"call":"call","param":{"id":1,"method":"take"}}`, "5", `unknown method "take": expected setup or flip`},
		{`{"id":5,"call":"call","param":{"id":1}}`, "5", "param.method: expected a text, got none"},
		{`{"id":5,"call":"call","param":{"id":1,"method":"flip","param":{"flip":"yes"}}}`, "5", "param.param.flip: expected true or false"},
		{`{"id":5,"call":"call","param":{"id":1,"method":"setup","param":{}}}`, "5", "param.param.fen: expected a text, got none"},
		{`{"id":5,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"` + rules.StartFEN + `"}}}`, "5", "too many games are set up at this server: expected fewer; unsubscribe from some, or try later"},
	} {
		s.call(c, tt.call)
		message, _ := json.Marshal(tt.message)
		s.want(c, `{"response":"error","id":`+tt.id+`,"param":{"message":`+string(message)+`},"time":NOW}`)
	}
	// A position that cannot be.
	s.call(c, strings.Replace(setup, rules.StartFEN, "8/8/8/8/8/8/8/8 w - - 0 1", 1))
	if got := s.take(c); len(got) != 1 || !strings.HasPrefix(got[0], `{"response":"error","id":3,"param":{"message":"setup: `) {
		t.Errorf("got %s", got)
	}
}

// One client cannot take the games of all.
func TestGamesOfOneClientAreBounded(t *testing.T) {
	s := newStage(t, Options{MaxGames: 3, MaxGamesEach: 2})
	c, other := s.client(), s.client()
	s.show("48096", rules.StartFEN)
	setUp := func(c *client, feed string) bool {
		s.call(c, strings.Replace(listen, `"id":1`, `"id":`+feed, 1))
		s.call(c, strings.Replace(setup, `"id":1`, `"id":`+feed, 1))
		return !strings.Contains(strings.Join(s.take(c), ""), "too many games")
	}
	for i, want := range []bool{true, true, false} {
		if got := setUp(c, fmt.Sprint(i+1)); got != want {
			t.Errorf("game %d set up: %v, want %v", i+1, got, want)
		}
	}
	if !setUp(c, "2") { // anew in place of its own
		t.Error("a game was not set up anew")
	}
	if !setUp(other, "1") {
		t.Error("another client found no room")
	}
}

// ids come back as they were written, whatever JSON number that was.
func TestNumbersComeBackAsTheyCame(t *testing.T) {
	s := newStage(t, Options{})
	c := s.client()
	s.show("48096", rules.StartFEN)
	for _, id := range []string{"0", "7", "7.0", "1e2", "9007199254740993"} {
		s.call(c, `{"id":`+id+`,"call":"subscribe","param":{"feed":"eboardevent","id":`+id+`,"param":{"serialnr":"48096","board":true,"clock":true}}}`+"\n")
		for _, frame := range s.take(c) {
			if !strings.Contains(frame, `"id":`+id+`,`) {
				t.Errorf("id %s: %s", id, frame)
			}
		}
	}
	if n := len(c.feeds); n != 4 { // 7 and 7.0 are one number
		t.Errorf("%d feeds, want 4", n)
	}
}

func TestClockIsToldOncePerSecondUnlessItChanges(t *testing.T) {
	s := newStage(t, Options{})
	c := s.client()
	s.show("48096", rules.StartFEN)
	s.call(c, listen)
	s.take(c)
	tick := func(white, black time.Duration, running bool, turn rules.Color) {
		s.seat.Clock = reconstruct.Reading{White: white, Black: black, Running: running, ToMove: turn, Connected: true}
		s.seat.Whole = false
		s.h.sense(s.now, s.seat)
	}
	told := func(want string) {
		t.Helper()
		got := []string{}
		for _, f := range s.take(c) {
			var m struct{ Param struct{ Clock *Clock } }
			if err := json.Unmarshal([]byte(f), &m); err != nil {
				t.Fatal(err)
			}
			k := m.Param.Clock
			run := "-"
			if k.Run != nil {
				run = fmt.Sprint(*k.Run)
			}
			got = append(got, fmt.Sprintf("%d %d %s", k.White, k.Black, run))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("told %q, want %q", s, want)
		}
	}
	const minute = time.Minute
	tick(5*minute, 5*minute, false, rules.White)
	told("300 300 -")
	tick(5*minute, 5*minute, true, rules.White)
	told("300 300 true")
	s.now = s.now.Add(900 * time.Millisecond)
	tick(5*minute-time.Second, 5*minute, true, rules.White)
	told("") // not a second yet
	s.pass(beat)
	told("299 300 true")
	tick(5*minute-time.Second, 5*minute, true, rules.Black) // a press
	told("299 300 false")
	s.pass(10 * time.Second)
	told("") // nothing new
	s.seat.Clock = reconstruct.Reading{}
	s.h.sense(s.now, s.seat)
	if got := s.take(c); len(got) != 1 || !strings.Contains(got[0], `"clock":null`) {
		t.Errorf("without a clock: %s", got)
	}
}

func TestActiveBoardsComeFirst(t *testing.T) {
	s := newStage(t, Options{})
	for i, seat := range []Seat{
		{Table: 1, Serial: "1", Port: "/dev/a"},
		{Table: 3, Serial: "3", Port: "/dev/c", Here: true},
		{Table: 2, Serial: "2", Port: "/dev/b", Here: true},
	} {
		s.h.sense(s.now.Add(time.Duration(i)), seat)
	}
	var got []string
	for _, b := range s.h.eboards(nil) {
		got = append(got, fmt.Sprintf("%s %s", b.Serial, *b.State))
		if (b.Source != nil) != (*b.State == stateActive) || b.Board != nil {
			t.Errorf("board %s: source %v, board %v", b.Serial, b.Source, b.Board)
		}
	}
	if want := []string{"2 ACTIVE", "3 ACTIVE", "1 NOTRESPONDING"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A client that does not read misses what it does not read, gets the newest state when it reads again, and is let go when it
// goes on asking.
func TestSlowClient(t *testing.T) {
	s := newStage(t, Options{Queue: 4})
	slow, quick := s.client(), s.client()
	s.show("48096", rules.StartFEN)
	for _, c := range []*client{slow, quick} {
		s.call(c, listen)
		s.take(c)
		s.call(c, setup)
		s.take(c)
	}
	for range 10 {
		s.put(sq("g1"), 0)
		s.put(sq("g1"), rules.WhiteKnight)
		if n := len(s.take(quick)); n != 2 {
			t.Fatalf("the quick client got %d frames, want 2", n)
		}
	}
	if n := len(s.take(slow)); n != 4 {
		t.Errorf("%d frames waited for the slow client, want 4", n)
	}
	s.put(sq("e2"), 0)
	s.put(sq("e4"), rules.WhitePawn)
	s.pass(time.Second)
	got := s.take(slow)
	if len(got) == 0 || !strings.Contains(got[len(got)-1], `"board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"`) || !strings.Contains(got[len(got)-1], `"san":["e4"],"match":true`) {
		t.Errorf("after its rest the slow client got %s", got)
	}
	for range 5 {
		s.call(slow, `{"id":1,"call":"eboards"}`)
	}
	if !slow.gone || slices.Contains(s.h.clients, slow) {
		t.Error("a client that reads no answers was not let go")
	}
	if n := len(s.h.boards["48096"].feeds); n != 1 || s.h.games != 1 {
		t.Errorf("%d feeds and %d games are left, want the quick client's", n, s.h.games)
	}
}

// Whatever clients ask and boards show, the same session gives the same bytes.
func TestTheSameSessionSeenTwiceIsEqual(t *testing.T) {
	play := func() []byte {
		s := newStage(t, Options{})
		c, d := s.client(), s.client()
		s.show("48096", rules.StartFEN)
		for _, call := range []string{`{"id":1,"call":"eboards"}`, listen, `{"id":1,"call":"sources","param":null}`, setup} {
			s.call(c, call)
			s.call(d, call)
		}
		g := rules.NewGame(rules.Start())
		for _, san := range strings.Fields("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O Nc3 d6 Bg5 h6 Bxf6 Qxf6") {
			before := g.Current().Placement()
			if err := g.PushSAN(san); err != nil {
				t.Fatal(err)
			}
			after := g.Current().Placement()
			for q := range before {
				if before[q] != 0 && before[q] != after[q] {
					s.put(rules.Square(q), 0)
					s.pass(300 * time.Millisecond)
				}
			}
			for q := range after {
				if after[q] != 0 && before[q] != after[q] {
					s.put(rules.Square(q), after[q])
					s.pass(300 * time.Millisecond)
				}
			}
			s.pass(2 * time.Second)
			s.take(c)
			s.take(d)
		}
		var last struct{ Param event }
		for _, f := range s.said {
			if bytes.Contains(f, []byte(`"san"`)) {
				if err := json.Unmarshal(f, &last); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := strings.Join(last.Param.SAN, " "), strings.Join(sans(g, 0), " "); got != want {
			t.Errorf("the moves are %s, want %s", got, want)
		}
		return bytes.Join(s.said, []byte("\n"))
	}
	if first, second := play(), play(); !bytes.Equal(first, second) {
		t.Errorf("two runs differ:\n%s\n\n%s", first, second)
	}
}

// A public server shows the view's positions, from any position of the game that is set up on.
func TestPublicBoardsAreTheView(t *testing.T) {
	s := newStage(t, Options{Public: true, Delayed: true, Serials: map[int]string{2: "48096"}})
	c := s.client()
	g := rules.NewGame(rules.Start())
	white, black := int64(300_000), int64(299_999)
	b := broadcast.Board{Board: 2, StartFEN: rules.StartFEN, FEN: rules.StartFEN, Status: broadcast.LinkLive, Result: "*"}
	b.WhiteMS, b.BlackMS, b.Running, b.TimeMS = &white, &black, broadcast.RunningBlack, 5000
	waiting := broadcast.Board{Board: 1, StartFEN: rules.StartFEN, FEN: rules.StartFEN, Status: broadcast.LinkWaiting, Result: "*"}
	view := func(sans ...string) {
		for _, san := range sans {
			if err := g.PushSAN(san); err != nil {
				t.Fatal(err)
			}
			b.Moves = append(slices.Clone(b.Moves), broadcast.Move{Ply: g.Len(), SAN: san})
		}
		b.FEN = g.Current().FEN()
		s.h.show(s.now, broadcast.View{NowMS: 7000, Boards: []broadcast.Board{waiting, b}})
	}
	view()
	s.call(c, `{"id":1,"call":"eboards"}`)
	at := s.now.UnixMilli() - 2000
	s.want(c, `{"response":"call","id":1,"param":[`+
		`{"serialnr":"48096","source":null,"state":"DELAYED","battery":null,"comment":"table 2","board":"`+start+`","flipped":false,"clock":{"white":300,"black":299,"run":false,"time":`+fmt.Sprint(at)+`}},`+
		`{"serialnr":"1","source":null,"state":null,"battery":null,"comment":"table 1","board":"`+start+`","flipped":false,"clock":null}],"time":NOW}`)
	s.call(c, `{"id":1,"call":"sources"}`)
	s.want(c, `{"response":"call","id":1,"param":[],"time":NOW}`)
	s.call(c, listen)
	s.take(c)
	view("e4")
	e4 := "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+e4+`"},"time":NOW}`)
	fen := g.Current().FEN()
	s.call(c, strings.Replace(setup, rules.StartFEN, fen, 1))
	s.want(c, `{"response":"call","id":3,"param":null,"time":NOW}`,
		`{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+e4+`","start":"`+fen+`","san":[],"match":true},"time":NOW}`)
	view("e5", "Nf3")
	s.want(c, `{"response":"feed","id":1,"param":{"serialnr":"48096","flipped":false,"board":"`+menOf(b.FEN)+`","start":"`+fen+`","san":["e5","Nf3"],"match":true},"time":NOW}`)
	view()
	s.want(c)
	// A position that never stood: nothing can be said of it.
	s.call(c, setup)
	s.take(c)
	s.call(c, strings.Replace(setup, rules.StartFEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1))
	if got := s.take(c); len(got) != 2 || !strings.Contains(got[1], `"san":[],"match":false`) {
		t.Errorf("got %s", got)
	}
}

// sq is the square of that name.
func sq(name string) rules.Square { return rules.Square(int(name[1]-'1')*8 + int(name[0]-'a')) }

// keysOf gives the keys of a JSON object, sorted.
func keysOf(t *testing.T, data []byte) []string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return slices.Sorted(maps.Keys(m))
}

// What one beat and one sighting cost with as many games set up as a hall allows.
func BenchmarkHallFull(b *testing.B) {
	s := newStage(b, Options{})
	s.show("48096", rules.StartFEN)
	clients := []*client{}
	for i := 0; i < s.h.opts.MaxGames; i++ {
		c := s.client()
		s.call(c, listen)
		s.call(c, setup)
		s.take(c)
		clients = append(clients, c)
	}
	for b.Loop() {
		s.put(sq("g1"), 0)
		s.pass(beat)
		s.put(sq("g1"), rules.WhiteKnight)
		s.pass(beat)
		for _, c := range clients {
			for len(c.queue) > 0 {
				<-c.queue
			}
		}
	}
}
