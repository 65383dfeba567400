package lichess

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/broadcast/pgn"
	"boardd/rules"
)

// site is a round at Lichess as the fact sheet tells (livechess-and-broadcast C.3, C.6): it
// takes a push game by game, deletes nothing, and is in trouble now and then.
type site struct {
	t     *testing.T
	rng   *rand.Rand
	games map[string]string // GameId -> moves and result
	read  map[string]*rules.Game
	order []string

	busyUntil    time.Duration // one request is under way
	last         time.Duration // start of the last
	quietUntil   time.Duration // nobody may ask: it has said 429
	outageUntil  time.Duration
	requests     int
	resets       int
	troubles     map[string]int
	withoutFault bool
}

// ask is a request at that time, and when its answer comes. lost: the push was taken but
// the answer does not come.
func (s *site) ask(now time.Duration, r Request) (a Answer, at time.Duration) {
	s.t.Helper()
	switch {
	case now < s.busyUntil:
		s.t.Fatalf("at %v: a request while another is under way till %v", now, s.busyUntil)
	case s.requests > 0 && now-s.last < time.Second:
		s.t.Fatalf("at %v: a request %v after the one before", now, now-s.last)
	case now < s.quietUntil:
		s.t.Fatalf("at %v: a request %v too early after a 429", now, s.quietUntil-now)
	}
	s.last = now
	s.requests++
	at = now + time.Duration(50+s.rng.IntN(400))*time.Millisecond
	trouble := func(name string) { s.troubles[name]++ }
	if !s.withoutFault {
		if now >= s.outageUntil && s.rng.IntN(100) == 0 {
			s.outageUntil = now + time.Duration(s.rng.IntN(300))*time.Second
		}
		switch {
		case now < s.outageUntil:
			trouble("outage")
			at = now + requestWait
			s.busyUntil = at
			return Answer{Err: errors.New("no route to host")}, at
		case s.rng.IntN(40) == 0:
			trouble("429")
			s.busyUntil, s.quietUntil = at, at+time.Minute
			return Answer{Status: 429}, at
		case s.rng.IntN(30) == 0:
			trouble("5xx")
			s.busyUntil = at
			return Answer{Status: 502, Body: []byte("<html>bad gateway</html>")}, at
		}
	}
	answer := s.take(r)
	s.busyUntil = at
	if !s.withoutFault && s.rng.IntN(30) == 0 {
		trouble("lost answer")
		at = now + requestWait
		s.busyUntil = at
		return Answer{Err: errors.New("time-out")}, at
	}
	return answer, at
}

func (s *site) take(r Request) Answer {
	s.t.Helper()
	if r.Reset {
		s.games, s.order = map[string]string{}, nil
		s.resets++
		return Answer{Status: 200, Body: []byte(`{"ok":true}`)}
	}
	type one struct {
		Tags  map[string]string `json:"tags"`
		Moves int               `json:"moves,omitempty"`
		Error string            `json:"error,omitempty"`
	}
	var said struct {
		Games []one `json:"games"`
	}
	texts := strings.Split(strings.TrimSpace(string(r.Body)), "\n\n[")
	if len(texts) > 100 {
		s.t.Fatalf("%d games in one push", len(texts))
	}
	for i, text := range texts {
		if i > 0 {
			text = "[" + text
		}
		g := s.read[text]
		if g == nil {
			var err error
			if g, err = rules.NewPGNReader(strings.NewReader(text+"\n"), "push").Next(); err != nil {
				s.t.Fatalf("a game that cannot be read: %v\n%s", err, text)
			}
			s.read[text] = g
		}
		id := g.Tags.Get("GameId")
		if id == "" || g.Tags.Get("White") == "" || g.Tags.Get("White") == "?" {
			s.t.Fatalf("a game that is not shown:\n%s", text)
		}
		o := one{Tags: map[string]string{"GameId": id}}
		if g.Tags.Get("White") == "Illegal, Ivan" {
			o.Error = "illegal move"
		} else {
			o.Moves = g.Len()
			if _, known := s.games[id]; !known {
				s.order = append(s.order, id)
			}
			s.games[id] = moves(g)
		}
		said.Games = append(said.Games, o)
	}
	data, err := json.Marshal(said)
	if err != nil {
		s.t.Fatal(err)
	}
	return Answer{Status: 200, Body: data}
}

func moves(g *rules.Game) string {
	var b strings.Builder
	for _, p := range g.Plies() {
		b.WriteString(p.SAN)
		b.WriteByte(' ')
	}
	b.WriteString(string(g.Result))
	return b.String()
}

// text is a game of a board as it is pushed.
func text(board int, white string, g *rules.Game) pgn.Text {
	c := g.Clone()
	c.Tags = rules.Tags{{Name: "Event", Value: "Open"}, {Name: "Round", Value: fmt.Sprintf("3.%d", board)}, {Name: "White", Value: white}, {Name: "Black", Value: "Young, Ben"},
		{Name: "GameId", Value: fmt.Sprintf("open-3-%d", board)}}
	return pgn.Text{Name: fmt.Sprintf("board %d", board), PGN: rules.AppendPGN(nil, c), Plies: c.Len()}
}

// Three hours of a round of 64 boards, with time-outs, errors, answers that do not come,
// outages of minutes and "too many requests". At the end Lichess has what was played; there
// was never more than one request under way, none within a second of the one before, and
// none within a minute of a 429.
func TestThreeHours(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	s := &site{t: t, rng: rng, games: map[string]string{}, read: map[string]*rules.Game{}, troubles: map[string]int{}}
	m := NewMachine()
	games := make([]*rules.Game, 64)
	texts := make([]pgn.Text, 64)
	for i := range games {
		games[i] = rules.NewGame(rules.Start())
		texts[i] = text(i+1, fmt.Sprintf("Player, %d", i+1), games[i])
	}
	m.Games(slices.Clone(texts))
	var answer Answer
	answerAt := time.Duration(-1)
	told, cleared := 0, 0
	step := func(now time.Duration) {
		if answerAt >= 0 && now >= answerAt {
			m.Answered(now, answer)
			answerAt = -1
		}
		if r, due := m.Next(now); due {
			answer, answerAt = s.ask(now, r)
		}
		for _, n := range m.News() {
			if n.Over {
				cleared++
			} else {
				told++
			}
		}
	}
	now, round, least := time.Duration(0), 3*time.Hour, 5
	if testing.Short() {
		round, least = 20*time.Minute, 1
	}
	for ; now < round; now += 100 * time.Millisecond {
		if rng.IntN(14) == 0 { // a half-move somewhere, now and then a correction or a result
			i := rng.IntN(64)
			g := games[i]
			if g.Result == rules.Unfinished && g.Len() < 240 {
				if g.Len() > 2 && rng.IntN(50) == 0 {
					if err := g.ReplaceFrom(g.Len(), nil); err != nil {
						t.Fatal(err)
					}
				}
				var list rules.MoveList
				g.Current().LegalMoves(&list)
				if list.Len() > 0 {
					if err := g.Push(list.At(rng.IntN(list.Len()))); err != nil {
						t.Fatal(err)
					}
				}
				if list.Len() == 0 || g.Len() > 80 && rng.IntN(60) == 0 {
					g.Result = rules.Draw
				}
				texts[i] = text(i+1, fmt.Sprintf("Player, %d", i+1), g)
				m.Games(slices.Clone(texts))
			}
		}
		step(now)
	}
	s.withoutFault = true
	for end := now + 5*time.Minute; now < end; now += 100 * time.Millisecond {
		step(now)
	}
	for i, g := range games {
		if got, want := s.games[fmt.Sprintf("open-3-%d", i+1)], moves(g); got != want {
			t.Errorf("board %d\n got %s\nwant %s", i+1, got, want)
		}
	}
	if len(s.games) != 64 || s.troubles["429"] < least || s.troubles["5xx"] < least || s.troubles["outage"] < least || s.troubles["lost answer"] < least {
		t.Errorf("%d games, troubles %v", len(s.games), s.troubles)
	}
	if st := m.Status(); st.Error != "" || len(st.Refused) > 0 || st.Games != 64 || told == 0 || cleared == 0 || told < cleared {
		t.Errorf("status %+v, %d told, %d cleared", st, told, cleared)
	}
	t.Logf("%d requests, troubles %v, %d told", s.requests, s.troubles, told)
}

// drive runs a machine against a site without faults for so long.
func drive(t *testing.T, m *Machine, s *site, now, d time.Duration) time.Duration {
	t.Helper()
	var answer Answer
	at := time.Duration(-1)
	for end := now + d; now < end || at >= 0; now += 50 * time.Millisecond {
		if at >= 0 && now >= at {
			m.Answered(now, answer)
			at = -1
		}
		if r, due := m.Next(now); due {
			answer, at = s.ask(now, r)
		}
	}
	return now
}

func newSite(t *testing.T) *site {
	return &site{t: t, rng: rand.New(rand.NewPCG(1, 1)), games: map[string]string{}, read: map[string]*rules.Game{}, troubles: map[string]int{}, withoutFault: true}
}

// A game that is refused is told once, by name, and the others are taken; it clears when it
// is taken. A reset empties the round, and all is pushed again.
func TestRefusedGameAndReset(t *testing.T) {
	s, m := newSite(t), NewMachine()
	g := rules.NewGame(rules.Start())
	if err := g.PushSAN("e4"); err != nil {
		t.Fatal(err)
	}
	good, bad := text(1, "Novak, Anna", g), text(2, "Illegal, Ivan", g)
	m.Games([]pgn.Text{good, bad})
	now := drive(t, m, s, 0, 3*time.Minute)
	if n := m.News(); len(n) != 1 || n[0].Over || !strings.Contains(n[0].Detail, "board 2: illegal move") {
		t.Errorf("news %+v", n)
	}
	if s.games["open-3-1"] != "e4 *" || len(s.games) != 1 || len(m.Status().Refused) != 1 {
		t.Errorf("games %v, status %+v", s.games, m.Status())
	}
	m.Games([]pgn.Text{good, text(2, "Ivanov, Ivan", g)})
	now = drive(t, m, s, now, 5*time.Second)
	if n := m.News(); len(n) != 1 || !n[0].Over {
		t.Errorf("news %+v", n)
	}
	s.games["stale"] = "x"
	m.Reset()
	drive(t, m, s, now, 5*time.Second)
	if diff := cmp.Diff(map[string]string{"open-3-1": "e4 *", "open-3-2": "e4 *"}, s.games); diff != "" || s.resets != 1 {
		t.Errorf("%d resets (-want +got):\n%s", s.resets, diff)
	}
}

// More than a hundred games take more than one push.
func TestManyGames(t *testing.T) {
	s, m := newSite(t), NewMachine()
	var texts []pgn.Text
	for i := range 230 {
		texts = append(texts, text(i+1, "Novak, Anna", rules.NewGame(rules.Start())))
	}
	m.Games(texts)
	drive(t, m, s, 0, 10*time.Second)
	if len(s.games) != 230 || s.requests != 3 {
		t.Errorf("%d games in %d requests, want 230 in 3", len(s.games), s.requests)
	}
}

// What would be refused for ever ends the pushing, with one word about it; a reset begins
// again.
func TestStops(t *testing.T) {
	for status, want := range map[int]string{401: "token", 403: "token", 404: "no such round"} {
		m := NewMachine()
		m.Games([]pgn.Text{text(1, "Novak, Anna", rules.NewGame(rules.Start()))})
		if _, due := m.Next(0); !due {
			t.Fatal("nothing to send")
		}
		m.Answered(time.Second, Answer{Status: status})
		if n := m.News(); len(n) != 1 || !strings.Contains(n[0].Detail, want) {
			t.Errorf("%d: news %+v", status, n)
		}
		if _, due := m.Next(24 * time.Hour); due || !m.Status().Stopped {
			t.Errorf("%d: it goes on", status)
		}
		if _, ok := m.Wake(); ok {
			t.Errorf("%d: it wakes for nothing", status)
		}
		m.Reset()
		if r, due := m.Next(24 * time.Hour); !due || !r.Reset {
			t.Errorf("%d: the reset does not begin anew", status)
		}
	}
}

// Answers of any kind do no harm, and what is wrong with them is said.
func TestOddAnswers(t *testing.T) {
	for _, body := range []string{"", "<html>", "{}", `{"games":[]}`, `{"games":[{"moves":1},{"moves":2}]}`, `{"games":"x"}`, "\xff\xfe", strings.Repeat("x", 5000)} {
		m := NewMachine()
		m.Games([]pgn.Text{text(1, "Novak, Anna", rules.NewGame(rules.Start()))})
		m.Next(0)
		m.Answered(time.Second, Answer{Status: 200, Body: []byte(body)})
		if st := m.Status(); st.Error == "" || len(st.Error) > 400 {
			t.Errorf("%.20q: status %+v", body, st)
		}
		if at, ok := m.Wake(); !ok || at < 3*time.Second-time.Millisecond || at > 5*time.Second {
			t.Errorf("%.20q: tried again at %v", body, at)
		}
	}
	m := NewMachine()
	m.Answered(0, Answer{Status: 200}) // nobody asked
	if m.Status().LastOK != 0 {
		t.Error("an answer to nothing counts")
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(200, []byte(`{"games":[{"tags":{},"moves":3}]}`))
	f.Add(400, []byte(`{"error":"bad"}`))
	f.Add(500, []byte("x"))
	f.Fuzz(func(t *testing.T, status int, data []byte) {
		m := NewMachine()
		m.Games([]pgn.Text{{Name: "a", PGN: []byte("[White \"a\"]\n\n*\n"), Plies: 3}})
		m.Next(0)
		m.Answered(time.Second, Answer{Status: status, Body: data})
		at, ok := m.Wake()
		if st := m.Status(); !ok && !st.Stopped {
			t.Fatalf("it sleeps for ever: %+v", st)
		} else if ok && at > 5*time.Minute {
			t.Fatalf("it wakes at %v", at)
		}
	})
}
