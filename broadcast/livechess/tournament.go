package livechess

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/broadcast"
	"boardd/rules"
)

// tournament is the games of a view as one event: its rounds are those that the games' tags name.
type tournament struct {
	opts   Options
	uuid   string
	rounds int
	boards []broadcast.Board // by table
	seats  map[int]string    // serial numbers by table
	now    time.Time
	viewMS int64 // the view's own time
}

// roundsMax bounds the number of rounds, which programs ask for one by one: a tag may say anything.
const roundsMax = 99

func newTournament(o Options, v broadcast.View, seats map[int]string, now time.Time) *tournament {
	t := &tournament{opts: o, uuid: uuidOf("tournament", o.Event, o.Place), rounds: 1, boards: v.Boards, seats: seats, now: now, viewMS: v.NowMS}
	for i := range t.boards {
		t.rounds = max(t.rounds, roundOf(&t.boards[i]))
	}
	return t
}

// roundOf is the number of a game's round: "3" and "3.12" are of round 3. What has no number is of the first.
func roundOf(b *broadcast.Board) int {
	number, _, _ := strings.Cut(b.Tags["Round"], ".")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > roundsMax {
		return 1
	}
	return n
}

// uuidOf names a thing by what it is, so that it has the same name after a restart: version 8 of RFC 9562, from a hash.
func uuidOf(words ...string) string {
	sum := sha256.Sum256([]byte("boardd\x00" + strings.Join(words, "\x00")))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	x := hex.EncodeToString(sum[:16])
	return x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]
}

// gameUUID names the game of a table in a round, whoever plays it.
func (t *tournament) gameUUID(b *broadcast.Board) string {
	return uuidOf("game", t.uuid, strconv.Itoa(roundOf(b)), strconv.Itoa(b.Board))
}

func (t *tournament) byUUID(uuid string) *broadcast.Board {
	at := slices.IndexFunc(t.boards, func(b broadcast.Board) bool { return t.gameUUID(&b) == uuid })
	if at < 0 {
		return nil
	}
	return &t.boards[at]
}

type tournamentSummary struct {
	UUID        string `json:"uuid"`
	Description string `json:"description"`
	Rounds      int    `json:"rounds"`
}

type tournamentDetail struct {
	UUID        string   `json:"uuid"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Location    string   `json:"location"`
	Country     string   `json:"country"`
	Rounds      int      `json:"rounds"`
	EBoards     []string `json:"eboards"`
}

type round struct {
	Nr       int       `json:"nr"`
	Date     *string   `json:"date"`
	Pairings []pairing `json:"pairings"`
}

type pairing struct {
	Nr     int     `json:"nr"`
	UUID   string  `json:"uuid"`
	White  player  `json:"white"`
	Black  player  `json:"black"`
	Live   bool    `json:"live"`
	Result *string `json:"result"`
}

type player struct {
	First      *string `json:"fname"`
	Middle     *string `json:"mname"`
	Last       *string `json:"lname"`
	Title      *string `json:"title"`
	Federation *string `json:"federation"`
	Gender     *string `json:"gender"`
	FIDE       *string `json:"fideid"`
}

type game struct {
	Chess960 int      `json:"chess960"`
	Result   *string  `json:"result"`
	Comment  *string  `json:"comment"`
	Clock    *Clock   `json:"clock"`
	Moves    []string `json:"moves"`
}

func (t *tournament) name() string { return cmp.Or(t.opts.Event, "boardd") }

func (t *tournament) summary() []tournamentSummary {
	return []tournamentSummary{{t.uuid, t.name(), t.rounds}}
}

// detail lists the boards in the order of pairings' numbers: that of tables, which are not numbered without holes.
func (t *tournament) detail() tournamentDetail {
	d := tournamentDetail{UUID: t.uuid, Name: t.name(), Description: t.name(), Location: t.opts.Place, Rounds: t.rounds, EBoards: []string{}}
	for i := range t.boards {
		d.EBoards = append(d.EBoards, t.seats[t.boards[i].Board])
	}
	return d
}

// round gives the pairings of a round, from 1. Of rounds before the present games nothing is known.
func (t *tournament) round(nr int) round {
	r := round{Nr: nr, Pairings: []pairing{}}
	for i := range t.boards {
		b := &t.boards[i]
		if roundOf(b) != nr {
			continue
		}
		if date, err := time.Parse("2006.01.02", b.Tags["Date"]); err == nil && r.Date == nil {
			r.Date = orNull(date.Format(time.DateOnly))
		}
		r.Pairings = append(r.Pairings, pairing{
			Nr: i + 1, UUID: t.gameUUID(b), White: playerOf(b, "White"), Black: playerOf(b, "Black"),
			// Programs look up the board of a live game.
			Live:   b.Result == string(rules.Unfinished) && b.Status != broadcast.LinkWaiting && t.seats[b.Board] != "",
			Result: resultOf(b),
		})
	}
	return r
}

// playerOf reads a name as PGN has it, "Last, First Middle".
func playerOf(b *broadcast.Board, color string) player {
	last, first, _ := strings.Cut(b.Tags[color], ",")
	return player{
		First: orNull(strings.TrimSpace(first)), Last: orNull(strings.TrimSpace(last)), Title: orNull(b.Tags[color+"Title"]),
		Federation: orNull(cmp.Or(b.Tags[color+"Federation"], b.Tags[color+"Country"])), FIDE: orNull(b.Tags[color+"FideId"]),
	}
}

// resultOf spells a result as LiveChess does; nil while there is none. A decision without a move is a forfeit.
func resultOf(b *broadcast.Board) *string {
	forfeit := len(b.Moves) == 0
	switch {
	case b.Result == string(rules.WhiteWins) && forfeit:
		return orNull("WHITEFORFAIT")
	case b.Result == string(rules.BlackWins) && forfeit:
		return orNull("BLACKFORFAIT")
	case b.Result == string(rules.WhiteWins):
		return orNull("WHITEWIN")
	case b.Result == string(rules.BlackWins):
		return orNull("BLACKWIN")
	case b.Result == string(rules.Draw):
		return orNull("DRAW")
	}
	return nil
}

func (t *tournament) game(b *broadcast.Board) game {
	g := game{Chess960: startNumber(b.StartFEN), Result: resultOf(b), Moves: make([]string, 0, len(b.Moves))}
	if b.Result == string(rules.Unfinished) {
		g.Clock = clockOf(t.now, b, t.viewMS)
	}
	for _, m := range b.Moves {
		// The clock's time in seconds; without one the move is taken for a guess, which a move that nobody saw pressed is.
		if m.ClockMS != nil {
			g.Moves = append(g.Moves, fmt.Sprintf("%s %d", m.SAN, *m.ClockMS/1000))
		} else {
			g.Moves = append(g.Moves, m.SAN)
		}
	}
	return g
}

// usual is the number of the usual array among the start positions of Chess960.
const usual = 518

// startNumber is the number of a start position; what is none counts as the usual one.
func startNumber(fen string) int {
	if fen == rules.StartFEN {
		return usual
	}
	for n := range 960 {
		if p, err := rules.Chess960Start(n); err == nil && menOf(p.FEN()) == menOf(fen) {
			return n
		}
	}
	return usual
}
