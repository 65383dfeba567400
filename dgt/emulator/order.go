package emulator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boardd/dgt"
)

// Orders lists what Device.Order understands, one line each, for a help text.
const Orders = `move e2e4        carry a man to another square; what stands there is captured
move e7e8q       the same, and change it for a queen
move e5d6 x d5   the same, and take off the man on d5 (en passant)
castle e1g1 h1f1 king, then rook
slide a1f1       push a man along the board
lift e2          take a man into the hand
place e4 [P]     put the man in the hand down, or a new one
remove e4        take a man off the board
bump e4          shove a man and put it right
setup FEN        set up the placement of a FEN ("start" for the initial array)
press [left|right]  push the lever of the side to move, or of that side
button run       press back, plus, run (start/stop), minus or ok
clock out|in     pull the clock's plug, put it in
option remote|own   set the clock to option 23 or 25, or back to its programme
adjust 1:30:00 1:29:00   change both times of a standing clock, left and right
battery low|ok   say what the clock's battery sign shows
fail set-and-run refused 3   refuse (or: busy) the next 3 commands of a kind
fault lose-ack 0.2   switch a fault on or, with 0, off; "fault off" ends all:
                 ` + FaultNames + `
blind e4, mend e4   break and repair a sensor
log              send the log unasked
wait 1.5s        do nothing
unplug, replug   pull the cable, put it back
`

// Order carries out one typed order, see Orders, and returns when it is done.
func (d *Device) Order(ctx context.Context, line string) error {
	switch strings.TrimSpace(line) {
	case "unplug":
		return d.Unplug(ctx)
	case "replug":
		return d.Replug(ctx)
	}
	act, err := ParseOrder(line)
	if err != nil {
		return err
	}
	return d.Do(ctx, act)
}

// ParseOrder reads one order as in Orders, without the cable ones. An error
// says what was expected and what came.
func ParseOrder(line string) (func(*Hands), error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, fmt.Errorf("order: expected a word, got nothing")
	}
	p := orderParser{name: words[0], args: words[1:]}
	act := p.parse()
	if p.err == nil && len(p.args) > 0 {
		p.expected("nothing more", p.args[0])
	}
	if p.err != nil {
		return nil, p.err
	}
	return act, nil
}

type orderParser struct {
	name string
	args []string
	err  error
}

func (p *orderParser) parse() func(*Hands) {
	switch p.name {
	case "move":
		from, to, letter := p.move()
		var extras []Extra
		if len(p.args) > 0 && p.args[0] == "x" {
			p.next()
			extras = append(extras, Taking(p.square()))
		}
		return func(h *Hands) {
			if m := h.man(from); m != nil && letter != 0 {
				extras = append(extras, Into(colouredAs(m.piece, letter)))
			}
			h.Play(from, to, extras...)
		}
	case "castle":
		kingFrom, kingTo, _ := p.move()
		rookFrom, rookTo, _ := p.move()
		return func(h *Hands) { h.Play(kingFrom, kingTo, Rook(rookFrom, rookTo)) }
	case "slide":
		from, to, _ := p.move()
		return func(h *Hands) { h.Slide(from, to) }
	case "lift":
		s := p.square()
		return func(h *Hands) { h.Lift(s) }
	case "remove":
		s := p.square()
		return func(h *Hands) { h.Remove(s) }
	case "bump":
		s := p.square()
		return func(h *Hands) { h.Bump(s, 0.3, -0.2) }
	case "place":
		s := p.square()
		if len(p.args) == 0 {
			return func(h *Hands) { h.Place(s) }
		}
		word := p.next()
		piece, ok := dgt.PieceOfLetter(word[0])
		if len(word) != 1 || !ok || piece == dgt.Empty {
			p.expected("a piece letter (PNBRQK, small for black)", word)
		}
		return func(h *Hands) { h.Put(s, piece) }
	case "setup":
		placement := dgt.StartPlacement()
		if word := p.next(); word != "start" {
			p.args = nil // the rest of a FEN is not on the board
			var err error
			if placement, err = ParsePlacement(word); err != nil && p.err == nil {
				p.err = fmt.Errorf("order setup: %w", err)
			}
		}
		return func(h *Hands) { h.SetUp(placement) }
	case "blind", "mend":
		s := p.square()
		return func(h *Hands) { h.board.Blind(s, p.name == "blind") }
	case "log":
		return func(h *Hands) { h.board.SendLog() }
	case "wait":
		word := p.next()
		d, err := time.ParseDuration(word)
		if err != nil || d < 0 {
			p.expected("a duration such as 1.5s", word)
		}
		return func(h *Hands) { h.Wait(d) }
	}
	if act := p.parseClock(); act != nil || p.err != nil {
		return act
	}
	p.err = fmt.Errorf("order: expected one of the known orders, got %q", p.name)
	return nil
}

func (p *orderParser) expected(what, got string) {
	if p.err == nil {
		p.err = fmt.Errorf("order %s: expected %s, got %q", p.name, what, got)
	}
}

// next takes the next word; where there is none it is "".
func (p *orderParser) next() string {
	if len(p.args) == 0 {
		p.expected("another word", "")
		return ""
	}
	word := p.args[0]
	p.args = p.args[1:]
	return word
}

func (p *orderParser) square() dgt.Square {
	word := p.next()
	s, ok := squareOf(word)
	if !ok {
		p.expected("a square such as e4", word)
	}
	return s
}

// move reads e2e4 or e7e8q, or both squares as words of their own.
func (p *orderParser) move() (from, to dgt.Square, promotion byte) {
	word := p.next()
	if len(word) == 2 && len(p.args) > 0 {
		word += p.next()
	}
	ok := false
	if len(word) == 5 && strings.IndexByte("nbrqkNBRQK", word[4]) >= 0 {
		promotion = word[4]
		word = word[:4]
	}
	if len(word) == 4 {
		var ok2 bool
		from, ok = squareOf(word[:2])
		to, ok2 = squareOf(word[2:])
		ok = ok && ok2
	}
	if !ok {
		p.expected("two squares such as e2e4", word)
	}
	return from, to, promotion
}

func oneOf[T any](p *orderParser, known map[string]T, names string) T {
	word := p.next()
	v, ok := known[word]
	if !ok {
		p.expected(names, word)
	}
	return v
}

// squareOf reads a square as the players name it.
func squareOf(name string) (dgt.Square, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, false
	}
	return dgt.Square('8'-name[1])*8 + dgt.Square(name[0]-'a'), true
}

// colouredAs is the man with the given letter in the colour of another man.
func colouredAs(m dgt.Piece, letter byte) dgt.Piece {
	word := string(letter)
	if m < dgt.BlackPawn {
		word = strings.ToUpper(word)
	} else {
		word = strings.ToLower(word)
	}
	p, _ := dgt.PieceOfLetter(word[0])
	return p
}

// ParsePlacement reads the first field of a FEN. It asks for eight ranks of
// eight squares and for known letters, no more: the emulator knows no rules.
func ParsePlacement(field string) (p dgt.Placement, err error) {
	ranks := strings.Split(field, "/")
	if len(ranks) != 8 {
		return p, fmt.Errorf("placement: expected 8 ranks, got %d in %q", len(ranks), field)
	}
	for y, rank := range ranks {
		x := 0
		for _, c := range []byte(rank) {
			m, ok := dgt.PieceOfLetter(c)
			switch {
			case c >= '1' && c <= '8':
				x += int(c - '0')
				continue
			case !ok || !m.IsMan():
				return p, fmt.Errorf("placement: expected a piece letter or 1-8, got %q in rank %q", c, rank)
			case x < 8:
				p[8*y+x] = m
			}
			x++
		}
		if x != 8 {
			return p, fmt.Errorf("placement: expected 8 squares, got %d in rank %q", x, rank)
		}
	}
	return p, nil
}
