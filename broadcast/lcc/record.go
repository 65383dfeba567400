package lcc

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardd/rules"
)

// Forfeit is the value of the PGN tag Termination for a game that was won because the other player did not come.
const Forfeit = "forfeit"

// Record makes the game a record of rules. With an error, which names the ply, comes what could be read before it, with
// the result. The clocks of a live game become the tags WhiteClock, BlackClock and ReferenceTime.
func (g *Game) Record() (*rules.Game, error) {
	start, err := rules.Start(), error(nil)
	if g.Chess960 != Usual {
		start, err = rules.Chess960Start(g.Chess960)
	}
	if err != nil {
		start, err = rules.Start(), fmt.Errorf("chess960: %w", err)
	}
	r := rules.NewGame(start)
	if g.Result != nil {
		r.Result = ResultOf(*g.Result)
		if *g.Result == WhiteForfeit || *g.Result == BlackForfeit {
			r.Tags.Set("Termination", Forfeit)
		}
	}
	if g.Comment != nil {
		r.Comment = *g.Comment
	}
	for _, m := range g.Moves {
		if err != nil {
			break
		}
		move, bad := r.Current().ParseSAN(m.SAN)
		if bad != nil {
			err = fmt.Errorf("ply %d: %w", r.Len()+1, bad)
			break
		}
		ply := rules.Ply{Move: move}
		if m.Clock != nil {
			ply.Clock, ply.HasClock = time.Duration(*m.Clock)*time.Second, true
		}
		if m.Spent != nil {
			ply.Spent, ply.HasSpent = time.Duration(*m.Spent)*time.Second, true
		}
		err = r.PushPly(ply)
	}
	if c := g.Clock; g.Live && c != nil {
		letter := map[bool]string{true: "W", false: "B"}
		running := "N"
		if c.Run != nil {
			running = letter[*c.Run]
		}
		if c.White >= 0 && c.White < noClock {
			r.Tags.Set("WhiteClock", rules.ClockText(time.Duration(c.White)*time.Second))
		}
		if c.Black >= 0 && c.Black < noClock {
			r.Tags.Set("BlackClock", rules.ClockText(time.Duration(c.Black)*time.Second))
		}
		r.Tags.Set("ReferenceTime", running+"/"+time.UnixMilli(c.Time).UTC().Format(ReferenceLayout))
	}
	return r, err
}

// ReferenceLayout is the time in the PGN tag ReferenceTime, after the letter of the running clock and a stroke.
const ReferenceLayout = "2006-01-02T15:04:05.000Z07:00"

// SetRecord takes start, moves, times and result from a record. LiveChess knows no start position but the 960: ok is
// false for another, and the game is then left without moves.
func (g *Game) SetRecord(r *rules.Game) (ok bool) {
	g.Chess960, ok = StartNumber(r.Start())
	if !ok {
		g.Chess960 = Usual
	}
	g.Moves = []Move{}
	for _, ply := range r.Plies() {
		if !ok {
			break
		}
		m := Move{SAN: ply.SAN}
		if ply.HasClock {
			m.Clock = whole(ply.Clock)
		}
		if ply.HasSpent {
			m.Spent = whole(ply.Spent)
		}
		g.Moves = append(g.Moves, m)
	}
	g.Result = word(r)
	return ok
}

// word is the word for the result of r; nil while it is open.
func word(r *rules.Game) *string {
	forfeit := r.Tags.Get("Termination") == Forfeit
	text := ""
	switch r.Result {
	case rules.WhiteWins:
		if text = WhiteWin; forfeit {
			text = WhiteForfeit
		}
	case rules.BlackWins:
		if text = BlackWin; forfeit {
			text = BlackForfeit
		}
	case rules.Draw:
		text = Draw
	case rules.Unfinished:
	}
	if text == "" {
		return nil
	}
	return &text
}

// ResultOf is the result that a word of these files means; PGN's own are understood.
func ResultOf(word string) rules.Result {
	switch strings.ToUpper(word) {
	case WhiteWin, WhiteForfeit:
		return rules.WhiteWins
	case BlackWin, BlackForfeit:
		return rules.BlackWins
	case Draw:
		return rules.Draw
	}
	r, err := rules.ParseResult(word)
	if err != nil {
		return rules.Unfinished
	}
	return r
}

// whole is a time in whole seconds rounded down, nothing below zero; nil for one that no clock shows.
func whole(d time.Duration) *int {
	n := int(max(0, d) / time.Second)
	if n >= noClock {
		return nil
	}
	return &n
}

// numbers are the numbers of the start positions of Chess960.
var numbers = sync.OnceValue(func() map[rules.Position]int {
	of := map[rules.Position]int{rules.Start(): Usual}
	for n := range 960 {
		if p, err := rules.Chess960Start(n); err == nil {
			of[p] = n
		}
	}
	return of
})

// StartNumber is the number of a start position in Chess960, Usual for the usual array. ok is false for a position
// that is no start of a game.
func StartNumber(p *rules.Position) (n int, ok bool) {
	n, ok = numbers()[*p]
	return n, ok
}

// Name is a player's name as PGN has it: family name, comma, given names; "" when there is none.
func (p *Player) Name() string {
	if p == nil {
		return ""
	}
	var given []string
	for _, part := range []*string{p.FName, p.MName} {
		if part != nil && strings.TrimSpace(*part) != "" {
			given = append(given, strings.TrimSpace(*part))
		}
	}
	family := ""
	if p.LName != nil {
		family = strings.TrimSpace(*p.LName)
	}
	switch {
	case family == "":
		return strings.Join(given, " ")
	case len(given) == 0:
		return family
	}
	return family + ", " + strings.Join(given, " ")
}

// PlayerNamed is a player by his name as PGN has it. An id of 0 is not known.
func PlayerNamed(name, title, federation string, id int) *Player {
	known := func(text string) *string {
		if text = strings.TrimSpace(text); text == "" || text == "-" || text == "?" {
			return nil
		}
		return &text
	}
	family, given, _ := strings.Cut(name, ",")
	p := &Player{LName: known(family), FName: known(given), Title: known(title), Federation: known(federation)}
	if id > 0 {
		p.FideID = (*FideID)(&id)
	}
	if p.LName == nil && p.FName == nil {
		return nil
	}
	return p
}

// Tag sets the tags of a player of r; side is "White" or "Black".
func (p *Player) Tag(r *rules.Game, side string) {
	if name := p.Name(); name != "" {
		r.Tags.Set(side, name)
	}
	if p == nil {
		return
	}
	if p.Title != nil && *p.Title != "" {
		r.Tags.Set(side+"Title", *p.Title)
	}
	if p.FideID != nil && *p.FideID > 0 {
		r.Tags.Set(side+"FideId", strconv.Itoa(int(*p.FideID)))
	}
}
