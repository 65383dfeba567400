package pairing

import (
	"fmt"
	"slices"

	"boardd/clock"
	"boardd/rules"
)

// PlayOff is a play-off under way: a state machine that is fed with results,
// lots, choices and rulings. What is wanted next is its [PlayOff.Wants].
type PlayOff struct {
	rungs []Rung
	last  Last

	field   []string // still tied, in play-off numbering
	rung    int      // len(rungs) when the ladder is at its end
	flipped bool     // this rung is played with the colours reversed
	rounds  []Round  // of this rung, by number in the field
	played  []Played
	points  map[string]int // half points in this rung

	wants   Want
	chooser string // who may choose his colour
	drawn   []Lots
	ruling  Ruling
	winner  string
}

// Want is what a play-off waits for.
type Want uint8

// The wants.
const (
	WantResults Want = iota // of the games that are due
	WantLots                // for the colours of the next game, or for the title
	WantChoice              // the first drawn has to choose his colour
	WantRuling              // the chief arbiter has to decide
	WantNothing             // there is a champion
)

var wantNames = [...]string{"results", "lots", "a choice of colour", "the chief arbiter's decision", "nothing more"}

// String is the want in words.
func (w Want) String() string {
	if int(w) < len(wantNames) {
		return wantNames[w]
	}
	return fmt.Sprintf("want %d", uint8(w))
}

// Due is a game to be played now.
type Due struct {
	Rung         string
	White, Black string
	Control      clock.Control
}

// Played is a game of the play-off with its result.
type Played struct {
	Due
	Result rules.Result
}

// Ruling is how the chief arbiter has ended a play-off.
type Ruling struct{ Champion, By, Why string }

// NewPlayOff starts a play-off between players who are tied, in the order of
// their play-off numbers.
func NewPlayOff(rungs []Rung, last Last, players []string) (*PlayOff, error) {
	if err := checkLadder(rungs, players); err != nil {
		return nil, err
	}
	p := &PlayOff{rungs: slices.Clone(rungs), last: last, field: slices.Clone(players)}
	p.begin(nil)
	return p, nil
}

// Wants is what has to come next.
func (p *PlayOff) Wants() Want { return p.wants }

// Champion is the winner, once there is one.
func (p *PlayOff) Champion() (name string, ok bool) { return p.winner, p.winner != "" }

// Tied are the players who may still win, in play-off numbering.
func (p *PlayOff) Tied() []string { return slices.Clone(p.field) }

// Played are the games so far.
func (p *PlayOff) Played() []Played { return slices.Clone(p.played) }

// Lots are the drawings so far, with their seeds.
func (p *PlayOff) Lots() []Lots { return slices.Clone(p.drawn) }

// Ruling is the chief arbiter's, the zero value when there was none.
func (p *PlayOff) Ruling() Ruling { return p.ruling }

// Chooser is the player who has to choose his colour, or "".
func (p *PlayOff) Chooser() string { return p.chooser }

// Due are the games of the round that is to be played, as far as their results
// are missing.
func (p *PlayOff) Due() []Due {
	if p.wants != WantResults {
		return nil
	}
	r := p.rungs[p.rung]
	var due []Due
	for _, g := range p.rounds[0] {
		if !g.Bye() {
			due = append(due, Due{Rung: r.Name, White: p.field[g.White-1], Black: p.field[g.Black-1], Control: r.Control})
		}
	}
	return due
}

// Record takes the result of a game that is due.
func (p *PlayOff) Record(white, black string, result rules.Result) error {
	if p.wants != WantResults {
		return fmt.Errorf("expected %v, got the result of %s - %s", p.wants, white, black)
	}
	at := slices.IndexFunc(p.Due(), func(d Due) bool { return d.White == white && d.Black == black })
	if at < 0 {
		return fmt.Errorf("expected the result of a game that is due, %v, got %s - %s", p.Due(), white, black)
	}
	gained, ok := map[rules.Result]int{rules.WhiteWins: 2, rules.Draw: 1, rules.BlackWins: 0}[result]
	if !ok {
		return fmt.Errorf("expected 1-0, 0-1 or 1/2-1/2 for %s - %s, got %q", white, black, result)
	}
	game := Played{Due: p.Due()[at], Result: result}
	p.played = append(p.played, game)
	p.rounds[0] = slices.DeleteFunc(slices.Clone(p.rounds[0]), func(g Game) bool {
		return !g.Bye() && p.field[g.White-1] == white && p.field[g.Black-1] == black
	})
	p.points[white] += gained
	p.points[black] += 2 - gained
	if p.rungs[p.rung].Format == SuddenDeath {
		p.afterSuddenDeath(game)
		return nil
	}
	if len(p.Due()) == 0 {
		p.rounds = p.rounds[1:]
	}
	if len(p.rounds) == 0 {
		p.afterTournament()
	}
	return nil
}

// Draw draws the lots that are wanted, with a seed that is kept.
func (p *PlayOff) Draw(seed string) (Lots, error) {
	if p.wants != WantLots {
		return Lots{}, fmt.Errorf("expected %v, got lots", p.wants)
	}
	lots, err := DrawLots(seed, p.field)
	if err != nil {
		return Lots{}, err
	}
	p.drawn = append(p.drawn, lots)
	switch {
	case p.rung == len(p.rungs):
		p.crown(lots.Order[0])
	case p.rungs[p.rung].Colours == ByChoice:
		p.chooser, p.wants = lots.Order[0], WantChoice
	default:
		p.seat(lots.Order[0])
	}
	return lots, nil
}

// Choose takes the colour that the first drawn wants to have.
func (p *PlayOff) Choose(player string, colour clock.Player) error {
	if p.wants != WantChoice || player != p.chooser {
		return fmt.Errorf("expected %v%s, got one by %s", p.wants, by(p.chooser), player)
	}
	white := player
	if colour == clock.Black {
		white = p.other(player)
	}
	p.seat(white)
	return nil
}

func by(player string) string {
	if player == "" {
		return ""
	}
	return " by " + player
}

// Decide takes the chief arbiter's decision, when it is his to take.
func (p *PlayOff) Decide(r Ruling) error {
	switch {
	case p.wants != WantRuling:
		return fmt.Errorf("expected %v, got a decision for %s", p.wants, r.Champion)
	case !slices.Contains(p.field, r.Champion):
		return fmt.Errorf("expected one of %q as champion, got %q", p.field, r.Champion)
	case r.By == "":
		return fmt.Errorf("expected the name of the arbiter who decides for %s, got none", r.Champion)
	}
	p.ruling = r
	p.crown(r.Champion)
	return nil
}

func (p *PlayOff) other(player string) string {
	if p.field[0] == player {
		return p.field[1]
	}
	return p.field[0]
}

// seat makes the game of sudden death in which that player has White.
func (p *PlayOff) seat(white string) {
	n := slices.Index(p.field, white) + 1
	p.chooser, p.wants = "", WantResults
	p.rounds = []Round{{{White: n, Black: 3 - n}}}
}

func (p *PlayOff) crown(name string) {
	p.winner, p.wants, p.rounds = name, WantNothing, nil
}

func (p *PlayOff) afterSuddenDeath(g Played) {
	winner := ""
	switch odds := g.Control.Odds; {
	case g.Result == rules.WhiteWins, g.Result == rules.Draw && odds == clock.WhiteWinsDraws:
		winner = g.White
	case g.Result == rules.BlackWins, g.Result == rules.Draw && odds == clock.BlackWinsDraws:
		winner = g.Black
	}
	if winner != "" {
		p.crown(winner)
		return
	}
	p.nextSingle(g.Black) // who had Black has White now, unless lots say otherwise
}

// afterTournament leaves the players with most points in.
func (p *PlayOff) afterTournament() {
	best := 0
	for _, name := range p.field {
		best = max(best, p.points[name])
	}
	before := p.field
	p.field = nil
	for _, name := range before {
		if p.points[name] == best {
			p.field = append(p.field, name)
		}
	}
	p.rung++
	p.begin(before)
}

// begin sets up the rung that is next for the field; before is the field of the
// rung before, nil at the start.
func (p *PlayOff) begin(before []string) {
	p.points, p.rounds = map[string]int{}, nil
	switch {
	case len(p.field) == 1:
		p.crown(p.field[0])
		return
	case p.rung == len(p.rungs):
		p.wants = map[Last]Want{AskArbiter: WantRuling, AskLots: WantLots}[p.last]
		return
	}
	r := p.rungs[p.rung]
	// A flip is against the rung before, whatever that one's colours were.
	p.flipped = r.Colours == Reverse && slices.Equal(p.field, before) && !p.flipped
	if r.Format == SuddenDeath {
		if len(p.field) > 2 {
			p.wants = WantRuling // no regulations say how three play sudden death
			return
		}
		first := p.field[0]
		if p.flipped {
			first = p.field[1]
		}
		p.nextSingle(first)
		return
	}
	p.wants = WantResults
	p.rounds = Meetings(r.Format, len(p.field))
	if p.flipped {
		p.rounds = Reversed(p.rounds)
	}
}

// nextSingle comes before each game of sudden death.
func (p *PlayOff) nextSingle(white string) {
	if c := p.rungs[p.rung].Colours; c == ByLot || c == ByChoice {
		p.wants, p.rounds = WantLots, nil
		return
	}
	p.seat(white)
}

// Meetings are the rounds of a tournament between n players who are tied.
func Meetings(f Format, n int) []Round {
	rounds, err := RoundRobin(n)
	if f == DoubleTournament || n == 2 {
		rounds, err = DoubleRoundRobin(n, false)
	}
	if err != nil {
		return nil // less than two are not tied
	}
	return rounds
}
