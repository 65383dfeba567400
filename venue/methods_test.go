package venue_test

import (
	"time"

	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/rules"
)

// The three ways other programs follow a board, written for the benchmark only,
// each as its fact sheet describes it (reconstruction.md: A, B and C). All of them look
// at the 64 squares as they read now; none keeps a second explanation.

// method is a tracker to compare with.
type method interface {
	board(at time.Duration, p *rules.Placement) // the squares changed
	press(at time.Duration)                     // the clock was pressed
	pass(at time.Duration)                      // time goes on
	moves() []rules.Move
}

// line is a game as a method has it: the positions it went through.
type line struct {
	positions []rules.Position
	played    []rules.Move
	list      rules.MoveList
}

func newLine(start rules.Position) line { return line{positions: []rules.Position{start}} }

func (l *line) moves() []rules.Move { return l.played }

func (l *line) last() *rules.Position { return &l.positions[len(l.positions)-1] }

func (l *line) push(m rules.Move) {
	l.positions = append(l.positions, l.last().Play(m))
	l.played = append(l.played, m)
}

func (l *line) cut(plies int) {
	l.positions, l.played = l.positions[:plies+1], l.played[:plies]
}

// childWith is the legal move after which the men stand like that.
func (l *line) childWith(from *rules.Position, p *rules.Placement) (rules.Move, bool) {
	from.LegalMoves(&l.list)
	for _, m := range l.list.Moves() {
		if to := p[m.To()]; to == rules.NoPiece && !from.IsCastling(m) {
			continue // something must stand on its target
		}
		if next := from.Play(m); *next.Board() == *p {
			return m, true
		}
	}
	return rules.NullMove, false
}

// methodA takes what equals a legal child at once and for good.
type methodA struct{ line }

func (a *methodA) board(_ time.Duration, p *rules.Placement) {
	if m, ok := a.childWith(a.last(), p); ok {
		a.push(m)
	}
}

func (a *methodA) press(time.Duration) {}
func (a *methodA) pass(time.Duration)  {}

// methodB waits until the board has been quiet, exchanges the last move for
// another of the same man's side where that fits (a slide), and goes back to any
// position of the game that stands on the board.
type methodB struct {
	line
	quiet   time.Duration
	since   time.Duration
	now     rules.Placement
	pending bool
}

func (b *methodB) board(at time.Duration, p *rules.Placement) {
	b.since, b.now, b.pending = at, *p, true
}

func (b *methodB) press(time.Duration) {}

func (b *methodB) pass(at time.Duration) {
	if !b.pending || at-b.since < b.quiet {
		return
	}
	b.pending = false
	n := len(b.played)
	if *b.last().Board() == b.now {
		return
	}
	if m, ok := b.childWith(b.last(), &b.now); ok {
		b.push(m)
		return
	}
	if n > 0 {
		if m, ok := b.childWith(&b.positions[n-1], &b.now); ok {
			b.cut(n - 1)
			b.push(m)
			return
		}
	}
	for k := n - 1; k >= 0; k-- {
		if *b.positions[k].Board() == b.now {
			b.cut(k)
			return
		}
	}
}

// methodC holds one or two plies that fit as tentative, and commits them when
// they have stood for a second or at a press.
type methodC struct {
	line
	tentative []rules.Move
	since     time.Duration
	reply     rules.MoveList
}

func (c *methodC) board(at time.Duration, p *rules.Placement) {
	from := c.last()
	if *from.Board() == *p {
		c.tentative = c.tentative[:0]
		return
	}
	if m, ok := c.childWith(from, p); ok {
		c.tentative, c.since = append(c.tentative[:0], m), at
		return
	}
	from.LegalMoves(&c.reply)
	for _, m := range c.reply.Moves() {
		next := from.Play(m)
		if r, ok := c.childWith(&next, p); ok {
			c.tentative, c.since = append(c.tentative[:0], m, r), at
			return
		}
	}
}

func (c *methodC) press(time.Duration) { c.commit() }

func (c *methodC) pass(at time.Duration) {
	if len(c.tentative) > 0 && at-c.since >= time.Second {
		c.commit()
	}
}

func (c *methodC) commit() {
	for _, m := range c.tentative {
		c.push(m)
	}
	c.tentative = c.tentative[:0]
}

// driveMethod plays a tape to a method until the given time: it is told which way the
// board stands and when the game is over, which no table is. It returns the
// game in UCI and how many messages came.
func driveMethod(make func(start rules.Position) method, tp *tape.Tape, until time.Duration) (uci []string, events int, err error) {
	start := rules.Start()
	if fen := tp.Header.Get("fen"); fen != "" {
		if start, err = rules.ParseFEN(fen); err != nil {
			return nil, 0, err
		}
	}
	m := make(start)
	var d dgt.Decoder
	var board rules.Placement
	var now time.Duration
	var lever dgt.Side
	turned, seen, levered := false, false, false
	square := func(s dgt.Square) rules.Square {
		if turned {
			s = s.Turned()
		}
		return rules.Square(s ^ 56)
	}
	for _, e := range tp.Events {
		if e.At > until {
			break
		}
		for now += 50 * time.Millisecond; now < e.At; now += 50 * time.Millisecond {
			m.pass(now)
			if now < e.At-2*time.Second {
				now = e.At - 2*time.Second // nothing changes after that long
			}
		}
		now = e.At
		m.pass(now)
		if e.Kind == tape.Link && e.Text == tape.LinkDown {
			d.Reset()
		}
		if e.Kind != tape.Received {
			continue
		}
		d.Feed(e.Data, func(msg dgt.Message) {
			events++
			switch msg := msg.(type) {
			case *dgt.FieldUpdate:
				board[square(msg.Square)] = menOfWire[msg.Piece&15]
				m.board(now, &board)
			case *dgt.BoardDump:
				fill := func() {
					for i, p := range msg.Placement {
						board[square(dgt.Square(i))] = menOfWire[p&15]
					}
				}
				fill()
				if !seen && board != *start.Board() {
					turned = true
					if fill(); board != *start.Board() {
						turned = false
						fill()
					}
				}
				seen = true
				m.board(now, &board)
			case *dgt.ClockTime:
				if msg.Running && levered && lever != msg.LeverHigh {
					m.press(now)
				}
				lever, levered = msg.LeverHigh, !msg.NoClock
			}
		})
	}
	m.pass(until + 2*time.Second)
	p := start
	for _, mv := range m.moves() {
		uci = append(uci, p.UCI(mv))
		p = p.Play(mv)
	}
	return uci, events, nil
}

var menOfWire = [16]rules.Piece{
	dgt.WhitePawn: rules.WhitePawn, dgt.WhiteRook: rules.WhiteRook, dgt.WhiteKnight: rules.WhiteKnight,
	dgt.WhiteBishop: rules.WhiteBishop, dgt.WhiteKing: rules.WhiteKing, dgt.WhiteQueen: rules.WhiteQueen,
	dgt.BlackPawn: rules.BlackPawn, dgt.BlackRook: rules.BlackRook, dgt.BlackKnight: rules.BlackKnight,
	dgt.BlackBishop: rules.BlackBishop, dgt.BlackKing: rules.BlackKing, dgt.BlackQueen: rules.BlackQueen,
}
