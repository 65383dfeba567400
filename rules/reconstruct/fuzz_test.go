package reconstruct

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"boardd/rules"
)

// linesBound is how many lines may be left after an input: prune's bound, and
// one that each side's judged press may anchor afterwards.
const linesBound = maxLines + 2

// fuzzStarts are the positions a random session may begin from.
var fuzzStarts = []string{
	startFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
	"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",    // stalemate
	"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", // mate
}

// session is a random stream of what a table can be told, made from bytes.
type session struct {
	data  []byte
	tr    *Tracker
	book  *book
	now   time.Duration
	board rules.Placement // what stands there, in the board's frame
	clock Reading
	log   []Logged // the board's own, since the last loss of the line
	deaf  bool
	calls int // outages so far: their searches are what costs time
	all   []Event
}

func (s *session) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

// jumps are the times that pass between two inputs.
var jumps = [16]time.Duration{0, 0, time.Millisecond, 20e6, 50e6, 100e6, 150e6, 250e6, 400e6, 700e6, 1e9, 2e9, 3e9, 12e9, 20 * 60e9, 5 * 3600e9}

var jumpOften = [4]time.Duration{50e6, 150e6, 400e6, 1200e6}

func (s *session) pass(b byte) {
	if b < 192 {
		s.now += jumpOften[b&3]
	} else {
		s.now += jumps[b&15]
	}
}

func (s *session) set(q rules.Square, p rules.Piece) {
	s.board[q] = p
	s.log = append(s.log, Logged{Square: q, Piece: p, Soon: s.now%3 == 0})
	if !s.deaf {
		s.tr.Square(s.now, q, p)
	}
}

func (s *session) press() {
	by := s.clock.ToMove
	s.clock.ToMove = by.Other()
	s.log = append(s.log, Logged{Press: true, By: by, Face: s.clock.Face(by)})
	if !s.deaf {
		s.tr.Clock(s.now, s.clock)
	}
}

// move brings a man of some likely line where it may go: streams of squares
// alone hardly ever make a game.
func (s *session) move(which, pick byte) {
	lines := s.tr.lines
	if len(lines) == 0 {
		return
	}
	n := s.tr.best
	if which&7 == 0 {
		n = lines[int(which>>3)%len(lines)]
	}
	var l rules.MoveList
	if n.pos.LegalMoves(&l); l.Len() == 0 {
		return
	}
	m := l.At(int(pick) % l.Len())
	next := n.pos.Play(m)
	before, after := n.pos.Board(), next.Board()
	for _, landing := range []bool{false, true} {
		for q := range rules.Square(64) {
			if before[q] == after[q] || (after[q] != rules.NoPiece) != landing {
				continue
			}
			f := q
			if s.tr.turned {
				f = 63 - q
			}
			s.set(f, after[q])
			s.now += time.Duration(which&3) * 90e6
		}
	}
}

func (s *session) step() {
	op := s.byte()
	s.pass(s.byte())
	switch {
	case op < 90:
		s.move(s.byte(), s.byte())
		if op&1 == 0 {
			s.now += 300e6
			s.press()
		}
	case op < 110:
		s.set(rules.Square(s.byte()&63), rules.NoPiece)
	case op < 130:
		s.set(rules.Square(s.byte()&63), allMen[int(s.byte())%len(allMen)])
	case op < 150: // a man that stands somewhere is carried elsewhere
		from, to := rules.Square(s.byte()&63), rules.Square(s.byte()&63)
		man := s.board[from]
		s.set(from, rules.NoPiece)
		s.now += 200e6
		s.set(to, man)
	case op < 170:
		s.press()
	case op < 180:
		s.clock.Running = op&1 == 0
		s.tr.Clock(s.now, s.clock)
	case op < 186: // a clock may say anything
		b := s.byte()
		s.clock = Reading{
			White: time.Duration(int8(s.byte())) * time.Duration(b) * 97e6, Black: time.Duration(s.byte()) * time.Second,
			Running: b&1 != 0, Connected: b&6 != 0, ToMove: rules.Color(b >> 3 & 1),
		}
		s.tr.Clock(s.now, s.clock)
	case op < 190:
		s.clock.Connected = !s.clock.Connected
		s.tr.Clock(s.now, s.clock)
	case op < 200:
		if !s.deaf {
			s.tr.Dump(s.now, s.board)
		}
	case op < 205: // set up again, this way round or the other
		start := rules.Start()
		s.board = start.Placement()
		if op&1 != 0 {
			b := sense(&s.board)
			b = b.turned()
			s.board = b.placement()
		}
		s.tr.Dump(s.now, s.board)
	case op < 208:
		for q := range s.board {
			if b := s.byte(); b < 128 {
				s.board[q] = append([]rules.Piece{0}, allMen...)[int(b)%13]
			}
		}
		s.tr.Dump(s.now, s.board)
	case op < 216:
		if s.calls++; s.calls <= 3 {
			s.tr.Lost(s.now)
			s.deaf, s.log = true, nil
		}
	case op < 224:
		s.deaf = false
		s.tr.Back(s.now)
		if op&1 == 0 {
			s.tr.Dump(s.now, s.board)
			s.tr.Clock(s.now, s.clock)
		}
	case op < 225:
		s.tr.AwaitLog(s.now, time.Duration(s.byte())*100*time.Millisecond)
	case op < 230:
		log := s.log
		if op&1 == 0 && len(s.tr.recent) > 0 { // the board has more than was seen
			log = append(append([]Logged(nil), s.tr.recent[:len(s.tr.recent)]...), log...)
			if o := s.tr.outage; o != nil {
				log = append(append([]Logged(nil), o.recent...), s.log...)
			}
		}
		s.tr.Log(s.now, log)
	case op < 232:
		var log []Logged
		for range s.byte() & 31 {
			b := s.byte()
			log = append(log, Logged{Press: b&3 == 0, Square: rules.Square(b >> 2), Piece: allMen[b%12], By: rules.Color(b >> 3 & 1), Face: time.Duration(b) * time.Minute, Soon: b&1 == 0})
		}
		s.tr.Log(s.now, log)
	case op < 234:
		s.tr.Result(s.now, []rules.Result{rules.WhiteWins, rules.Draw, rules.BlackWins, rules.Unfinished}[s.byte()&3])
	case op < 238:
		p, _ := rules.ParseFEN(fuzzStarts[int(s.byte())%len(fuzzStarts)])
		s.tr.NewGame(s.now, p)
		if op&1 == 0 {
			s.board = p.Placement()
			s.tr.Dump(s.now, s.board)
		}
	case op < 241: // the result sign
		b := s.byte()
		centre := []rules.Square{27, 28, 35, 36}
		s.set(centre[b&3], rules.WhiteKing)
		s.set(centre[b>>2&3], rules.BlackKing)
		s.now += time.Duration(b>>4) * 400e6
	case op < 242:
		s.tr.Finish(s.now)
	default:
		s.pass(s.byte())
	}
	s.tr.Advance(s.now)
}

// check holds what must be true after each input.
func (s *session) check() error {
	t := s.tr
	for _, e := range t.Take() {
		s.all = append(s.all, e)
		if err := s.book.apply(e); err != nil {
			return fmt.Errorf("at %v: %w", s.now, err)
		}
	}
	if err := s.book.agrees(t); err != nil {
		return fmt.Errorf("at %v: %w", s.now, err)
	}
	if n := len(t.lines); n > linesBound {
		return fmt.Errorf("at %v: %d lines", s.now, n)
	}
	if t.phase == playing && (t.best == nil || t.best.line == nil || len(t.lines) == 0) {
		return fmt.Errorf("at %v: play without a line", s.now)
	}
	for i, n := range t.lines {
		if n.line == nil {
			return fmt.Errorf("at %v: line %d is closed", s.now, i)
		}
		if c := n.line.total(); c != c {
			return fmt.Errorf("at %v: line %d costs %v", s.now, i, c)
		}
		if i > 0 && t.lines[i-1].depth > n.depth {
			return fmt.Errorf("at %v: line %d comes before its parent", s.now, i)
		}
	}
	if o := t.outage; o != nil && len(o.since) > maxSince {
		return errors.New("what came after the outage is kept without bound")
	}
	if len(t.recent) > recentLen {
		return fmt.Errorf("%d changes kept", len(t.recent))
	}
	return nil
}

// runSession plays the bytes and returns all events.
func runSession(data []byte, inputs int) (*session, error) {
	s := &session{data: data}
	start, err := rules.ParseFEN(fuzzStarts[int(s.byte()&15)%len(fuzzStarts)])
	if err != nil {
		return s, err
	}
	s.tr, s.book = New(start), newBook(start)
	s.clock = Reading{White: time.Hour, Black: time.Hour, Connected: true, ToMove: start.Turn()}
	s.board = start.Placement()
	s.tr.Dump(0, s.board)
	s.tr.Clock(0, s.clock)
	s.clock.Running = true
	s.tr.Clock(1e9, s.clock)
	s.now = 1e9
	for i := 0; i < inputs && len(s.data) > 0; i++ {
		s.step()
		if err := s.check(); err != nil {
			return s, fmt.Errorf("input %d: %w", i, err)
		}
	}
	s.tr.Finish(s.now)
	return s, s.check()
}

// fuzzInputs keeps one session short: with the fuzzer's counters it is ten times slower.
const fuzzInputs = 80

// FuzzTracker: whatever a table is told, the tracker does not panic, keeps
// within its bounds, publishes a legal game by events that fit one another, and
// tells the same when told the same.
func FuzzTracker(f *testing.F) {
	for _, seed := range seedSessions() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := runSession(data, fuzzInputs)
		if err != nil {
			t.Fatalf("%v\nrecord %s", err, a.book)
		}
		b, err := runSession(data, fuzzInputs)
		if err != nil {
			t.Fatal("only the second time:", err)
		}
		if !reflect.DeepEqual(a.all, b.all) {
			t.Fatal("the same session told twice gives other events")
		}
	})
}

// seedSessions are sessions with something of everything.
func seedSessions() [][]byte {
	seeds := [][]byte{{}, {0}}
	game := []byte{0}
	for i := range byte(60) {
		game = append(game, 2*(i%40), 1, 1, i*37)
	}
	seeds = append(seeds, game)
	with := func(parts ...[]byte) {
		s := append([]byte(nil), game[:41]...)
		for _, p := range parts {
			s = append(s, p...)
		}
		seeds = append(seeds, append(s, game[41:]...))
	}
	with([]byte{210, 2}, game[1:17], []byte{220, 2, 255, 2, 3})        // an outage
	with([]byte{210, 2}, game[1:9], []byte{220, 2, 224, 1, 250, 3, 3}) // ... and the board's log
	with([]byte{240, 3, 0xf6, 255, 3, 3, 201, 3, 255, 203, 203})       // kings, then the array
	with([]byte{140, 2, 5, 34, 160, 2}, []byte{250, 203, 203})         // a bishop where it cannot go, pressed
	with([]byte{232, 2, 1, 236, 2, 3})                                 // a result, a new game
	with([]byte{184, 1, 77, 200, 3, 250, 207, 206, 184, 1, 0, 0, 0})   // nonsense of the clock, hours
	with([]byte{203, 3, 250, 203, 203}, []byte{201, 3}, game[1:21])    // turned
	for start := byte(1); start < 7; start++ {
		seeds = append(seeds, append([]byte{start}, game[1:]...))
	}
	return seeds
}

// noise is bytes that look random and are the same each time.
func noise(n int, x uint32) []byte {
	data := make([]byte, n)
	for i := range data {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		data[i] = byte(x >> 8)
	}
	return data
}

func TestNoise(t *testing.T) {
	for seed := uint32(1); seed <= 8; seed++ {
		if s, err := runSession(noise(2000, seed*7919), 1<<30); err != nil {
			t.Errorf("seed %d: %v\nrecord %s", seed, err, s.book)
		}
	}
}

// In one long game among noise what the tracker holds grows no faster than the record.
func TestNoiseDoesNotPileUp(t *testing.T) {
	data := noise(1500, 12345)
	for i := 0; i < len(data); i += 3 {
		data[i] %= 172 // moves, men lifted, put and carried, presses
		data[i+1] &= 127
	}
	data[0] = 0
	s := &session{data: data, board: rules.Placement{}}
	start := rules.Start()
	s.tr, s.book, s.board = New(start), newBook(start), start.Placement()
	s.clock = Reading{White: time.Hour, Black: time.Hour, Connected: true, Running: true}
	s.tr.Dump(0, s.board)
	s.tr.Clock(0, s.clock)
	for len(s.data) > 0 {
		if s.data[0] >= 172 {
			s.data[0] %= 172
		}
		s.step()
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
	}
	nodes := 0
	var count func(n *node)
	count = func(n *node) {
		nodes++
		for _, c := range n.children {
			count(c)
		}
	}
	count(s.tr.root)
	t.Logf("%d events, record of %d plies, %d nodes", len(s.all), s.tr.record.tip.ply, nodes)
	if nodes > 5000 { // of 320 bytes: 1.6 MB
		t.Errorf("%d nodes after a record of %d plies", nodes, s.tr.record.tip.ply)
	}
}
