package lichess

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"boardd/broadcast/pgn"
)

// Times of the talk (livechess-and-broadcast C.3).
const (
	pace      = time.Second // between the starts of two requests
	tooMany   = time.Minute // without a request after the answer 429
	again     = time.Minute // after which everything is pushed again
	retryMin  = 2 * time.Second
	retryMax  = time.Minute
	gamesMax  = 100 // in one push
	answerMax = 1 << 20
)

// Request is what to send: a push, or the reset of the round.
type Request struct {
	Reset bool
	Body  []byte // PGN
	games []pgn.Text
}

// Answer is what came of a request.
type Answer struct {
	Status int // of HTTP; 0 when there was no answer
	Body   []byte
	Err    error // why there was none
}

// News is something people have to know, or that it is over.
type News struct {
	Detail string
	Over   bool
}

// Status is how the pushing fares, for operators.
type Status struct {
	LastOK  time.Duration // of the machine's time; 0 for never
	Games   int           // in the last push that was taken
	Error   string        // why nothing is taken, empty when all is well
	Refused []string      // games that Lichess does not take, and why
	// Stopped: nothing is sent until an operator resets or starts anew.
	Stopped bool
}

// Machine decides what to send when. It is pure: time is an argument and must not go
// back. Not safe for concurrent use.
type Machine struct {
	games []pgn.Text
	dirty []bool // by chunk of gamesMax games: it has changed since it was taken

	busy    bool
	request Request
	chunk   int // of the request

	reset     bool          // wanted
	started   time.Duration // when the last request began
	any       bool          // there was one
	notBefore time.Duration
	backoff   time.Duration
	pushed    time.Duration // when all chunks were pushed last

	status  Status
	refused map[string]string // by game
	told    string            // the trouble that was told, empty for none
	news    []News
}

// NewMachine is a machine that has no games yet.
func NewMachine() *Machine { return &Machine{backoff: retryMin, refused: map[string]string{}} }

// Games gives the games of the round as they are now.
func (m *Machine) Games(games []pgn.Text) {
	chunks := (len(games) + gamesMax - 1) / gamesMax
	for len(m.dirty) < chunks {
		m.dirty = append(m.dirty, false)
	}
	for i := range chunks {
		if !slices.EqualFunc(part(games, i), part(m.games, i), func(a, b pgn.Text) bool { return bytes.Equal(a.PGN, b.PGN) }) {
			m.dirty[i] = true
		}
	}
	m.games = games
}

// part is a chunk of the games.
func part(games []pgn.Text, chunk int) []pgn.Text {
	return games[min(len(games), chunk*gamesMax):min(len(games), (chunk+1)*gamesMax)]
}

// Reset has the round emptied and all games pushed again, by word of an operator. It starts
// a machine that had stopped, too.
func (m *Machine) Reset() {
	m.reset, m.status.Stopped = true, false
	m.notBefore = 0
	m.all()
}

func (m *Machine) all() {
	for i := range m.dirty {
		m.dirty[i] = true
	}
}

// Next is the request that is due now, if any. Answered has to follow.
func (m *Machine) Next(now time.Duration) (Request, bool) {
	if m.busy || m.status.Stopped || now < m.notBefore || m.any && now < m.started+pace {
		return Request{}, false
	}
	if m.any && now >= m.pushed+again {
		m.pushed = now
		m.all() // somebody may have emptied the round, or a game may have been lost there
	}
	switch chunk := slices.Index(m.dirty, true); {
	case m.reset:
		m.request = Request{Reset: true}
	case chunk >= 0 && len(part(m.games, chunk)) > 0:
		games := part(m.games, chunk)
		m.request, m.chunk = Request{games: games, Body: body(games)}, chunk
		m.dirty[chunk] = false
	default:
		return Request{}, false
	}
	m.busy, m.any, m.started = true, true, now
	return m.request, true
}

// body puts a blank line between games.
func body(games []pgn.Text) []byte {
	var b []byte
	for _, g := range games {
		b = append(append(b, bytes.TrimSpace(g.PGN)...), "\n\n"...)
	}
	return b
}

// Answered takes the answer to the request under way.
func (m *Machine) Answered(now time.Duration, a Answer) {
	if !m.busy {
		return
	}
	m.busy = false
	failed := func(why string) {
		if !m.request.Reset {
			m.dirty[m.chunk] = true
		}
		m.notBefore = now + m.backoff
		m.backoff = min(2*m.backoff, retryMax)
		m.trouble(why)
	}
	switch {
	case a.Err != nil:
		failed("no answer: " + a.Err.Error())
	case a.Status == http.StatusTooManyRequests:
		failed("too many requests; nothing is sent for a minute")
		m.notBefore = now + tooMany
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden:
		m.stop("Lichess does not accept the token (it needs the scope study:write, and its owner must be a contributor of the broadcast)")
	case a.Status == http.StatusNotFound:
		m.stop("Lichess knows no such round")
	case a.Status >= 200 && a.Status < 300 && m.request.Reset:
		m.reset, m.backoff = false, retryMin
		clear(m.refused)
		m.all()
		m.well(now)
	case a.Status >= 200 && a.Status < 300:
		if err := m.judge(a.Body); err != nil {
			failed(err.Error())
			return
		}
		m.backoff = retryMin
		m.status.Games = len(m.games)
		m.well(now)
	default:
		failed(fmt.Sprintf("status %d: %s", a.Status, said(a.Body)))
	}
}

// judge looks what became of each game of a push.
func (m *Machine) judge(data []byte) error {
	var answer struct {
		Games []struct {
			Moves int    `json:"moves"`
			Error string `json:"error"`
		} `json:"games"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return fmt.Errorf("expected an answer with games, got %q", clip(string(data)))
	}
	if len(answer.Games) != len(m.request.games) {
		return fmt.Errorf("expected an answer for %d games, got %d", len(m.request.games), len(answer.Games))
	}
	for i, g := range answer.Games {
		sent := m.request.games[i]
		switch {
		case g.Error != "":
			m.refused[sent.Name] = clip(g.Error)
		case g.Moves < sent.Plies:
			m.refused[sent.Name] = fmt.Sprintf("only %d of %d half-moves were taken", g.Moves, sent.Plies)
		default:
			delete(m.refused, sent.Name)
		}
	}
	return nil
}

// well notes a request that was taken. Games that are refused are trouble all the same.
func (m *Machine) well(now time.Duration) {
	m.status.LastOK, m.status.Error = now, ""
	m.status.Refused = nil
	for name, why := range m.refused {
		m.status.Refused = append(m.status.Refused, name+": "+why)
	}
	slices.Sort(m.status.Refused)
	if len(m.status.Refused) > 0 {
		m.tell("Lichess refuses " + strings.Join(m.status.Refused, "; "))
		return
	}
	if m.told != "" {
		m.told = ""
		m.news = append(m.news, News{Detail: "Lichess takes all games again", Over: true})
	}
}

func (m *Machine) trouble(why string) {
	m.status.Error = why
	m.tell("Lichess takes nothing: " + why)
}

// tell says each trouble once.
func (m *Machine) tell(trouble string) {
	if trouble != m.told {
		m.told = trouble
		m.news = append(m.news, News{Detail: trouble})
	}
}

// stop ends the pushing until an operator acts: the same would be refused for ever.
func (m *Machine) stop(why string) {
	m.status.Stopped = true
	m.trouble(why + "; nothing is sent any more until boardd lichess reset, or a restart")
}

// Wake is when Next may have something, if nothing else happens; never while it waits for
// an answer or for games.
func (m *Machine) Wake() (at time.Duration, ok bool) {
	if m.busy || m.status.Stopped || !m.any && len(m.games) == 0 && !m.reset {
		return 0, false
	}
	at = max(m.notBefore, m.started+pace)
	if !m.any {
		at = m.notBefore
	}
	if !m.reset && !slices.Contains(m.dirty, true) {
		at = max(at, m.pushed+again)
	}
	return at, true
}

// News is what was found out since the last call.
func (m *Machine) News() []News {
	n := m.news
	m.news = nil
	return n
}

// Status is how it fares.
func (m *Machine) Status() Status { return m.status }

// said is the error in an answer.
func said(data []byte) string {
	var answer struct{ Error json.RawMessage }
	if json.Unmarshal(data, &answer) == nil && len(answer.Error) > 0 {
		return clip(strings.Trim(string(answer.Error), `"`))
	}
	return clip(strings.TrimSpace(string(data)))
}

func clip(text string) string {
	const most = 200
	if text = strings.ToValidUTF8(text, "?"); len(text) > most {
		return text[:most] + "..."
	}
	return text
}
