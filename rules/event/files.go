package event

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"boardd/rules"
	"boardd/rules/event/roster"
	"boardd/rules/event/standings"
	"boardd/rules/event/trf"
)

// LoadFiles reads the pairings and results that stages name, as files beside the
// event's; read gives the text of one. The errors name file and line; the event is as it
// was then.
func (e *Event) LoadFiles(read func(name string) ([]byte, error)) error {
	before := slices.Clone(e.Stages)
	for i := range e.Stages {
		if err := e.loadStage(&e.Stages[i], read); err != nil {
			e.Stages = before
			return err
		}
	}
	return nil
}

func (e *Event) loadStage(st *Stage, read func(string) ([]byte, error)) error {
	if st.Pairings != "" && st.System == Swiss {
		sheet, err := e.sheet(st.Pairings, read)
		if err != nil {
			return err
		}
		if err := e.Import(st.Name, sheet.rounds(st.SwissLen)); err != nil {
			return fmt.Errorf("%s: %w", st.Pairings, err)
		}
	}
	if st.Results != "" {
		sheet, err := e.sheet(st.Results, read)
		if err != nil {
			return err
		}
		if _, err := standings.New(sheet.players()); err != nil {
			return fmt.Errorf("%s: %w", st.Results, err)
		}
		st.results = sheet
	}
	return nil
}

// sheet is what a file says of the rounds, by the event's numbers of the players.
type sheet struct {
	rows   map[int][]standings.Round // by player
	boards map[[2]int]int            // round and White's number -> board, where the file has one
}

func (e *Event) sheet(name string, read func(string) ([]byte, error)) (*sheet, error) {
	text, err := read(name)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".pgn":
		list, err := roster.ReadPGN(name, text)
		if err != nil {
			return nil, err
		}
		return e.sheetOfPairings(name, list)
	case ".csv":
		list, err := roster.ReadCSV(name, text)
		if err != nil {
			return nil, err
		}
		return e.sheetOfPairings(name, list)
	}
	f, err := trf.Read(name, text)
	if err != nil {
		return nil, err
	}
	return e.sheetOfReport(name, f)
}

// find is the player of that FIDE id, or of that name however it is written.
func (e *Event) find(name, fideID string) (number int, ok bool) {
	for _, p := range e.Players {
		if fideID != "" && p.FIDEID != 0 && fmt.Sprint(p.FIDEID) == fideID {
			return p.Number, true
		}
	}
	for _, p := range e.Players {
		if name != "" && plainName(p.Name) == plainName(name) {
			return p.Number, true
		}
	}
	return 0, false
}

// plainName is a name without what programs write differently.
func plainName(name string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ',' || r == ' ' || r == '.' }), " "))
}

func (e *Event) sheetOfReport(name string, f *trf.File) (*sheet, error) {
	s := &sheet{rows: map[int][]standings.Round{}, boards: map[[2]int]int{}}
	numbers := map[int]int{} // of the file -> of the event
	for _, p := range f.Players {
		n, ok := e.find(p.Name, p.FIDEID)
		if !ok {
			return nil, fmt.Errorf("%s:%d: expected a player of the event, got %q", name, p.Line, p.Name)
		}
		if s.rows[n] != nil {
			return nil, fmt.Errorf("%s:%d: expected each player once, got %s again", name, p.Line, p.Name)
		}
		numbers[p.Number], s.rows[n] = n, []standings.Round{}
	}
	for _, p := range f.Players {
		rounds := slices.Clone(p.Rounds)
		for i := range rounds {
			if rounds[i].Opponent != 0 {
				rounds[i].Opponent = numbers[rounds[i].Opponent]
			}
		}
		s.rows[numbers[p.Number]] = rounds
	}
	return s, nil
}

func (e *Event) sheetOfPairings(name string, list []roster.Pairing) (*sheet, error) {
	s := &sheet{rows: map[int][]standings.Round{}, boards: map[[2]int]int{}}
	for _, p := range list {
		fault := func(expected, got string) error {
			return fmt.Errorf("%s:%d: expected %s, got %q", name, p.Line, expected, got)
		}
		white, ok := e.find(p.White.Name, p.White.FIDEID)
		if !ok {
			return nil, fault("a player of the event as White", p.White.Name)
		}
		black, ok := e.find(p.Black.Name, p.Black.FIDEID)
		if !ok {
			return nil, fault("a player of the event as Black", p.Black.Name)
		}
		first, second := outcomes(p)
		for _, half := range []struct {
			player int
			round  standings.Round
		}{{white, standings.Round{Opponent: black, Outcome: first}}, {black, standings.Round{Opponent: white, Black: true, Outcome: second}}} {
			row := s.rows[half.player]
			for len(row) < p.Round {
				row = append(row, standings.Round{})
			}
			if row[p.Round-1].Opponent != 0 {
				return nil, fault(fmt.Sprintf("each player once in round %d", p.Round), e.Players[half.player-1].Name)
			}
			row[p.Round-1] = half.round
			s.rows[half.player] = row
		}
		s.boards[[2]int{p.Round, white}] = p.Board
	}
	return s, nil
}

func outcomes(p roster.Pairing) (white, black standings.Outcome) {
	switch {
	case p.ByForfeit && p.Result == rules.WhiteWins:
		return standings.ForfeitWin, standings.ForfeitLoss
	case p.ByForfeit && p.Result == rules.BlackWins:
		return standings.ForfeitLoss, standings.ForfeitWin
	case p.ByForfeit:
		return standings.ForfeitLoss, standings.ForfeitLoss
	case p.Result == rules.WhiteWins:
		return standings.Win, standings.Loss
	case p.Result == rules.BlackWins:
		return standings.Loss, standings.Win
	case p.Result == rules.Draw:
		return standings.Draw, standings.Draw
	}
	return standings.Absent, standings.Absent
}

func (s *sheet) players() []standings.Player {
	var list []standings.Player
	for number, rounds := range s.rows {
		list = append(list, standings.Player{Number: number, Rounds: rounds})
	}
	slices.SortFunc(list, func(a, b standings.Player) int { return a.Number - b.Number })
	return list
}

// rounds are the pairings, at the boards of the file. A report has none (fact sheet 6.1):
// games are put in order by the points of both players before the round, then by number.
func (s *sheet) rounds(most int) []Round {
	var rounds []Round
	score := map[int]standings.Value{}
	for n := 1; n <= most; n++ {
		r := Round{Number: n}
		for _, p := range s.players() {
			if n > len(p.Rounds) {
				continue
			}
			switch half := p.Rounds[n-1]; {
			case half.Opponent != 0 && !half.Black:
				r.Games = append(r.Games, Game{White: Seat{Player: p.Number}, Black: Seat{Player: half.Opponent}, Board: s.boards[[2]int{n, p.Number}]})
			case half.Opponent == 0 && half.Outcome.Points() > 0:
				r.Games = append(r.Games, Game{White: Seat{Player: p.Number}, Bye: true})
			}
		}
		slices.SortStableFunc(r.Games, func(a, b Game) int {
			of := func(g Game) (highest, total standings.Value, least int) {
				x, y := score[g.White.Player], score[g.Black.Player]
				return max(x, y), x + y, min(g.White.Player, g.Black.Player)
			}
			ah, at, al := of(a)
			bh, bt, bl := of(b)
			if a.Bye != b.Bye {
				return map[bool]int{true: 1, false: -1}[a.Bye]
			}
			return cmp.Or(cmp.Compare(bh, ah), cmp.Compare(bt, at), cmp.Compare(al, bl))
		})
		for i := range r.Games {
			if g := &r.Games[i]; !g.Bye && g.Board == 0 {
				g.Board = i + 1
			}
		}
		for _, p := range s.players() {
			if n <= len(p.Rounds) {
				score[p.Number] += p.Rounds[n-1].Outcome.Points()
			}
		}
		if len(r.Games) > 0 {
			rounds = append(rounds, r)
		}
	}
	return rounds
}

// ErrNoResults is a stage whose results nobody has named.
var ErrNoResults = errors.New("the event names no file with results of this stage")

// Standings are the places of a stage by the results that have been loaded, after
// withdrawals; rules are those the stage names.
func (e *Event) Standings(st *Stage) (rows []standings.Row, rules []standings.Rule, err error) {
	if st.results == nil {
		return nil, nil, ErrNoResults
	}
	for _, name := range st.Ties {
		r, err := standings.Parse(name)
		if err != nil {
			return nil, nil, err
		}
		rules = append(rules, r)
	}
	t, err := standings.New(st.results.players())
	if err != nil {
		return nil, nil, err
	}
	for _, number := range e.Withdrawn {
		t.Annul(number, e.ResultsStand)
	}
	return t.Standings(rules), rules, nil
}
