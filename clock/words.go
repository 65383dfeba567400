package clock

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// class is what a word or sign does in a text.
type class uint8

const (
	noise class = iota
	hours
	minutes
	secs
	movesWord
	restWord
	bonusWord
	delayWord
	bronsteinWord
	thenWord
	inWord
	fromWord
	hourglassWord
	countUpWord
	plusSign
	slashSign
	pipeSign
	commaSign
	numeral
)

// vocabulary is by class: English, Polish, and what German, French, Spanish and
// Portuguese organisers write.
var vocabulary = map[class]string{
	hours:         "h hr hrs hour hours std stunde stunden godz godzina godziny godzin hora horas heure heures",
	minutes:       "' m min mins minute minutes minut minuta minuty minuten minuto minutos",
	secs:          `" s sec secs second seconds sek sekund sekunda sekundy sekunde sekunden segundo segundos seconde secondes`,
	movesWord:     "move moves mv mvs mov movs ruch ruchu ruchy ruchów ruchow posunięcie posunięć posuniec zug züge zügen coup coups movimiento movimientos jugada jugadas jogada jogadas lance lances",
	restWord:      "rest all end sd g game finish qpf ko partia partię partie remainder remaining koniec końca",
	bonusWord:     "inc incr increment increments incremento incrementos i bonus fischer",
	delayWord:     "d td delay",
	bronsteinWord: "bronstein",
	thenWord:      "then followed fb potem następnie dann luego puis",
	inWord:        "in w en",
	fromWord:      "from starting after desde od ab since start",
	hourglassWord: "hourglass klepsydra",
	countUpWord:   "upcount countup",
	plusSign:      "+ plus with and &",
	slashSign:     "/",
	pipeSign:      "|",
	commaSign:     ", ; :",
	noise:         "per each every the for of an a by first p/ p na pro je por to . one - du de für fur pour para side player jugador jogador joueur spieler do tempo blitz rapid standard classical",
}

var wordClass = func() map[string]class {
	words := map[string]class{}
	for c, list := range vocabulary {
		for w := range strings.FieldsSeq(list) {
			words[w] = c
		}
	}
	return words
}()

var (
	lexeme     = regexp.MustCompile(`\d+(?:\.\d+)?|\.\d+|[\pL]+|[^\s]`)
	polishGame = regexp.MustCompile(`^p['/ -]+`)
	twice      = regexp.MustCompile(`\b(\d{1,3})-(\d{1,3}) ?min\b`)
)

type token struct {
	class class
	text  string
	value float64
}

func tokens(text string) ([]token, error) {
	text = polishGame.ReplaceAllString(text, "g ")
	text = twice.ReplaceAllStringFunc(text, func(s string) string { // 90-90min: the same for both
		if m := twice.FindStringSubmatch(s); m[1] == m[2] {
			return m[1] + "min"
		}
		return s
	})
	var list []token
	for _, at := range lexeme.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		if word[0] >= '0' && word[0] <= '9' || len(word) > 1 && word[0] == '.' {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil || v > 1e6 {
				return nil, fmt.Errorf("expected a smaller number, got %q", word)
			}
			list = append(list, token{numeral, word, v})
			continue
		}
		c, ok := wordClass[word]
		if !ok {
			return nil, fmt.Errorf("unknown time control: %q is not understood", around(text, at[0], at[1]))
		}
		list = append(list, token{class: c, text: word})
	}
	return list, nil
}

// around is the run of letters between blanks that holds a word.
func around(text string, from, to int) string {
	from = strings.LastIndexByte(text[:from], ' ') + 1
	if blank := strings.IndexByte(text[to:], ' '); blank >= 0 {
		return text[from : to+blank]
	}
	return text[from:]
}

// reader gathers what the words say, and arranges it at the end.
type reader struct {
	list []token
	at   int

	bases []time.Duration
	moves []int
	// lone is a number after a plus that may be a base or an increment.
	lone      time.Duration
	hasLone   bool
	kind      Kind
	bonus     time.Duration
	hasBonus  bool
	from      int
	restSaid  bool
	thenSaid  bool
	movesLast bool // 120/40: the moves stand behind the minutes
	inHours   bool // 40/2: a small number behind a slash is hours (US)

	pending Kind  // the kind whose time comes next; None if it is not announced
	join    class // what stands between the last number and here
	open    string
}

// parseWords reads a time control as people write it. The second value is the
// other reading where custom has chosen one.
func parseWords(text string) ([]Period, string, error) {
	list, err := tokens(text)
	if err != nil {
		return nil, "", err
	}
	r := reader{list: list, join: commaSign}
	for r.at < len(r.list) {
		if err := r.step(); err != nil {
			return nil, "", err
		}
	}
	periods, err := r.arrange()
	return periods, r.open, err
}

func (r *reader) peek(ahead int) token {
	if r.at+ahead < len(r.list) {
		return r.list[r.at+ahead]
	}
	return token{class: noise}
}

func (r *reader) step() error {
	t := r.list[r.at]
	r.at++
	switch t.class {
	case numeral:
		err := r.number(t)
		r.join = noise
		return err
	case bonusWord:
		r.pending = Fischer
	case delayWord:
		r.pending = Delay
		r.retell(Delay)
	case bronsteinWord:
		r.pending = Bronstein
		r.retell(Bronstein)
	case restWord:
		r.restSaid = true
		r.thenSaid = r.thenSaid || len(r.bases) > 1 // 75 min + 15 min QPF
		r.join = restWord
	case thenWord:
		r.thenSaid = true
		r.join = thenWord
	case hourglassWord:
		if r.kind != None {
			return fmt.Errorf("expected one kind of time control, got %q too", t.text)
		}
		r.kind = Hourglass
	case countUpWord:
		if r.kind != None {
			return fmt.Errorf("expected one kind of time control, got %q too", t.text)
		}
		r.kind = CountUp
	case plusSign:
		if r.join != fromWord && r.join != restWord && r.join != thenWord || t.text == "+" {
			r.join = plusSign
		}
	case commaSign, pipeSign, fromWord:
		r.join = t.class
	case slashSign:
		if r.join == noise {
			r.join = slashSign
		}
	case inWord:
		if r.join == noise {
			r.join = inWord
		}
	case noise, hours, minutes, secs, movesWord:
	}
	return nil
}

// retell corrects the kind of a bonus that was named before its kind was.
func (r *reader) retell(k Kind) {
	if r.hasBonus && r.kind == Fischer {
		r.kind, r.pending = k, None
	}
}

func (r *reader) number(t token) error {
	unit := r.peek(0)
	switch unit.class {
	case hours:
		r.at++
		d := scale(t.value, time.Hour)
		if m := r.peek(0); m.class == numeral && m.value < 60 && r.peek(1).class != secs && r.peek(1).class != movesWord {
			r.at++
			d += scale(m.value, time.Minute)
			if r.peek(0).class == minutes {
				r.at++
			}
		}
		return r.base(d)
	case minutes:
		r.at++
		if r.pending != None {
			return r.extra(scale(t.value, time.Minute))
		}
		return r.base(scale(t.value, time.Minute))
	case secs:
		r.at++
		if len(r.bases) == 0 && r.pending == None {
			if perMove := r.peek(0).class == slashSign || r.peek(0).class == noise; t.value < 60 || perMove && r.peek(1).class == movesWord {
				return fmt.Errorf("expected the main time before %q", t.text+unit.text)
			}
			return r.base(scale(t.value, time.Second))
		}
		if r.join == noise && r.pending == None {
			return fmt.Errorf("expected %q between %v and %q", "+", r.last(), t.text+unit.text)
		}
		return r.extra(scale(t.value, time.Second))
	case movesWord:
		r.at++
		return r.move(t)
	default:
		return r.bare(t)
	}
}

// bare is a number without a unit: what stands around it tells.
func (r *reader) bare(t token) error {
	pair := r.peek(0).class == slashSign && r.peek(1).class == numeral
	switch {
	case r.join == fromWord:
		return r.move(t)
	case r.pending != None:
		return r.extra(scale(t.value, time.Second))
	case r.peek(0).class == inWord:
		return r.move(t)
	case pair:
		next := r.peek(1)
		known := r.peek(2).class
		switch {
		case known == minutes || known == hours:
			r.at++
			return r.move(t)
		case known == movesWord, t.value > next.value && next.value > 2:
			r.at += 2
			r.movesLast = true
			if err := r.base(r.bareBase(t.value)); err != nil {
				return err
			}
			return r.move(next)
		}
		r.at += 2
		if err := r.move(t); err != nil {
			return err
		}
		r.inHours = r.inHours || next.value <= 2
		return r.base(r.bareBase(next.value))
	case r.join == slashSign && len(r.moves) < len(r.bases): // 90'/40
		return r.move(t)
	case r.join == pipeSign:
		return r.extra(scale(t.value, time.Second))
	case r.join == plusSign && len(r.bases) > 0 && r.peek(0).class != restWord:
		switch {
		case !r.hasLone:
		case r.movesLast && !r.hasBonus && len(r.moves) == len(r.bases): // 90/40 + 30 + 30
			if err := r.base(r.bareBase(r.lone.Seconds())); err != nil {
				return err
			}
		default:
			return fmt.Errorf("expected one number after the times, got %q too", t.text)
		}
		r.lone, r.hasLone = time.Duration(t.value)*time.Second, true
		return nil
	case r.join == noise && len(r.bases) == 1 && len(r.list) == 2: // 5 3
		r.open = fmt.Sprintf("%v/%d (moves, then minutes)", r.list[0].text, int(t.value)*60)
		return r.extra(scale(t.value, time.Second))
	case r.join == noise:
		return fmt.Errorf("expected a unit or a sign before %q", t.text)
	}
	return r.base(r.bareBase(t.value))
}

func (r *reader) bareBase(v float64) time.Duration {
	switch {
	case r.inHours && v <= 2:
		return scale(v, time.Hour)
	case v > mostMinutes:
		return scale(v, time.Second)
	}
	return scale(v, time.Minute)
}

// scale keeps whole seconds; what is far too long is left to check.
func scale(v float64, unit time.Duration) time.Duration {
	s := math.Min(v*unit.Seconds(), 1e8)
	return time.Duration(math.Round(s)) * time.Second
}

func (r *reader) last() time.Duration { return r.bases[len(r.bases)-1] }

func (r *reader) base(d time.Duration) error {
	r.pending = None
	r.bases = append(r.bases, d)
	return nil
}

func (r *reader) move(t token) error {
	n := int(t.value)
	if float64(n) != t.value || n < 1 || n > maxMoves {
		return fmt.Errorf("expected 1 to %d moves, got %q", maxMoves, t.text)
	}
	// "after 40 moves" tells a period, "from move 41" when the bonus begins.
	if r.join == fromWord && !r.isAfter() {
		if r.from != 0 {
			return fmt.Errorf("expected one move from which extra time is given, got %q too", t.text)
		}
		r.from = n
		return nil
	}
	r.moves = append(r.moves, n)
	return nil
}

// isAfter tells whether the number just read stands behind "after".
func (r *reader) isAfter() bool {
	for i := r.at - 2; i >= 0 && r.at-i < 5; i-- {
		if r.list[i].class == fromWord {
			return r.list[i].text == "after"
		}
	}
	return false
}

func (r *reader) extra(d time.Duration) error {
	if r.hasBonus {
		return fmt.Errorf("expected one extra time, got %v and %v", r.bonus, d)
	}
	if r.kind == Hourglass || r.kind == CountUp {
		return fmt.Errorf("expected no extra time with %q, got %v", r.kind, d)
	}
	r.kind, r.bonus, r.hasBonus = max(r.pending, Fischer), d, true
	r.pending = None
	return nil
}

// arrange makes periods of what was gathered.
func (r *reader) arrange() ([]Period, error) {
	if err := r.placeLone(); err != nil {
		return nil, err
	}
	n := len(r.bases)
	switch {
	case n == 0:
		return nil, fmt.Errorf("expected the main time, got extra time or moves only")
	case r.pending != None && !r.hasBonus:
		return nil, fmt.Errorf("expected the extra time in seconds, got none")
	case n > 1 && len(r.moves) == 0 && !r.thenSaid:
		s, bonus := seconds, r.bases[1]
		if bonus >= time.Minute {
			bonus /= 60
		}
		return nil, &Error{Reason: "the structure is open", Readings: []string{
			fmt.Sprintf("%s:%s (one after the other)", s(r.bases[0]), s(r.bases[1])),
			fmt.Sprintf("%s+%s (the second is seconds)", s(r.bases[0]), s(bonus))}}
	case len(r.moves) != 0 && len(r.moves) != n-1 && len(r.moves) != n:
		return nil, fmt.Errorf("expected moves for %d of %d periods, got them for %d", n-1, n, len(r.moves))
	case (r.kind == Hourglass || r.kind == CountUp) && n > 1:
		return nil, fmt.Errorf("expected one time with %q, got %d", r.kind, n)
	}
	periods := make([]Period, n)
	first := 1 // move of the game with which the period begins
	for i := range periods {
		p := Period{Base: r.bases[i], Kind: r.kind, Bonus: r.bonus}
		if i < len(r.moves) {
			p.Moves = r.moves[i]
		}
		switch {
		case r.hasBonus && r.bonus == 0: // "+0" is how some say that there is none
			p.Kind = None
		case r.from <= first:
		case p.Moves > 0 && r.from >= first+p.Moves:
			p.Kind, p.Bonus = None, 0
		case r.hasBonus:
			p.From = r.from
		}
		first += p.Moves
		periods[i] = p
	}
	return periods, nil
}

// placeLone decides what "+ 15" is.
func (r *reader) placeLone() error {
	if !r.hasLone {
		return nil
	}
	asBase := time.Duration(r.lone.Seconds()) * time.Minute
	switch {
	case r.hasBonus, len(r.moves) == len(r.bases) && r.movesLast:
		return r.base(asBase)
	case len(r.moves) == 0, len(r.moves) < len(r.bases), r.restSaid:
		return r.extra(r.lone)
	}
	m, b := r.moves[0], seconds(r.bases[0])
	return &Error{Reason: "whether the last number is minutes or an increment is open", Readings: []string{
		fmt.Sprintf("%d/%s+%s", m, b, seconds(r.lone)), fmt.Sprintf("%d/%s:%s", m, b, seconds(asBase))}}
}
