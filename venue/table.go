package venue

import (
	"time"

	"boardd/broadcast"
	"boardd/clock"
	"boardd/dgt"
	"boardd/journal"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// Table is the pipeline of one table as a pure state machine: bytes of the
// board in, changes of the game out. Time is an argument, so a tape replays to
// the same changes on any machine. Not safe for concurrent use.
type Table struct {
	number  int
	decoder dgt.Decoder
	sight   sight
	at      time.Duration // of the chunk being decoded

	tracker  *reconstruct.Tracker
	game     *rules.Game
	segments []segment // what was played on after something no legal move explains
	side     whiteSide
	unknown  bool // a code that is no piece has been told of
	clock    reconstruct.Reading
	showed   *reconstruct.Reading // the clock as last published in this game
	keeper   timekeeper
	referee  referee
	touched  int // the first half-move that changed and has not been judged, 0 for none

	changes   []broadcast.Change
	facts     []journal.Fact // for the journal
	commands  []Command      // for the clock
	away      bool           // nobody has seen the board since the line was lost
	awaySince time.Duration  // the line has been down
	unseen    time.Duration  // ... and before this table was made
	before    int            // half-moves of the record that were played before this tracker began
	sights    sights
	emit      func(dgt.Message)

	unsure   bool           // the board came back as the record has it; the clock tells the rest
	unproven bool           // plies at the end of the record that was taken up are not firm
	tookUp   bool           // the game goes on from a record
	deaf     bool           // the line is busy with the board's log: what is heard is old
	behind   *clock.Reading // the last reading meanwhile
}

// whiteSide is which side of the clock is White's. Only the table knows: the
// device speaks of left and right.
type whiteSide struct {
	side  dgt.Side
	known bool // told, or seen when White's clock was started
}

// TableOptions is what is known of a table before its board speaks.
type TableOptions struct {
	Number    int             // of the table, from 1
	Start     *rules.Position // nil: the usual array
	WhiteSide *dgt.Side       // White's side of the clock; nil: found when the first clock starts
	Controls  Controls        // what the time control may be; none: nobody said

	// OnClock is what a DGT 3000 that boardd sets shows before the game, up to 8 characters.
	OnClock string
	// sights has every man lifted and set down noted.
	sights bool
	// kept is the game to go on with, nil for a new one.
	kept        *kept
	Regulations Regulations // of the event; the zero value is the Laws alone
}

// NewTable is a table that waits for its board.
func NewTable(o TableOptions) *Table {
	start := rules.Start()
	if o.Start != nil {
		start = *o.Start
	}
	t := &Table{number: o.Number, tracker: reconstruct.New(start), game: rules.NewGame(start), keeper: newTimekeeper(o.Controls, o.OnClock),
		referee: referee{regulations: o.Regulations}}
	if o.WhiteSide != nil {
		t.side = whiteSide{*o.WhiteSide, true}
	}
	if o.kept != nil {
		t.takeUp(o.kept)
	}
	t.sights.wanted = o.sights
	t.emit = t.message // bound once: a method value made per call would allocate
	return t
}

// Game is the record as published. It is the table's own: read it only.
func (t *Table) Game() *rules.Game { return t.game }

// Received takes bytes from the board.
func (t *Table) Received(at time.Duration, chunk []byte) {
	t.at = at
	t.decoder.Feed(chunk, t.emit)
	t.Advance(at)
}

// Advance lets time pass.
func (t *Table) Advance(at time.Duration) {
	t.at = at
	t.tracker.Advance(at)
	if t.deaf && !t.tracker.Awaits() {
		t.hears()
	}
	t.keeper.advance(at)
	t.collect()
	t.look(false)
}

// Finish ends the session: what is likeliest now is the game.
func (t *Table) Finish(at time.Duration) {
	t.tracker.Finish(at)
	t.collect()
}

// Take returns the changes since the last call.
func (t *Table) Take() []broadcast.Change {
	c := t.changes
	t.changes = nil
	return c
}

func (t *Table) message(m dgt.Message) {
	t.sight.take(m)
	switch m := m.(type) {
	case *dgt.Rejected:
		if m.Reason == dgt.BadPiece && !t.unknown {
			t.unknown = true
			t.changes = append(t.changes, broadcast.Change{Type: broadcast.TypeAlert, Board: t.number, AtMS: t.at.Milliseconds(),
				Code: "protocol.unknown_piece", Detail: m.String()})
		}
	case *dgt.FieldUpdate:
		if r, ok := resultPieces[m.Piece]; ok {
			t.tracker.Sign(t.at, square(m.Square), r)
			break
		}
		t.tracker.Square(t.at, square(m.Square), piece(m.Piece))
		t.look(false)
	case *dgt.BoardDump:
		var p rules.Placement
		for i, c := range m.Placement {
			p[square(dgt.Square(i))] = piece(c)
		}
		t.tracker.Dump(t.at, p)
		t.look(true)
		t.askForLog()
	case *dgt.ClockTime:
		t.clockTime(m)
		t.look(false)
	case *dgt.ClockAck:
		t.keeper.answered(t.at, m)
	case *dgt.EELog:
		t.log(m.Parse())
	}
}

// log hands the board's own log to the tracker, from its last power-up on:
// before that it tells of nothing that is still on the board.
func (t *Table) log(events []dgt.LogEvent) {
	t.learnSide(events)
	var entries []reconstruct.Logged
	for _, e := range events {
		switch e.Kind {
		case dgt.LogPowerUp:
			entries = entries[:0]
		case dgt.LogChange:
			entries = append(entries, reconstruct.Logged{Square: square(e.Square), Piece: piece(e.Piece), Soon: e.Soon})
		case dgt.LogClock:
			by := rules.Black
			if e.Side == t.side.side {
				by = rules.White
			}
			entries = append(entries, reconstruct.Logged{Press: true, By: by, Face: e.Time})
		}
	}
	t.tracker.Log(t.at, entries)
}

// learnSide finds in a log which side of the clock is White's, where nobody knows: the one
// that was pressed first after the start position, if White began.
func (t *Table) learnSide(events []dgt.LogEvent) {
	if t.side.known || t.game.Len() > 0 || t.game.Start().Turn() != rules.White {
		return
	}
	begun := false
	for _, e := range events {
		switch e.Kind {
		case dgt.LogStartPosition, dgt.LogStartPositionTurned:
			begun, t.side.known = true, false
		case dgt.LogClock:
			if begun && !t.side.known {
				t.side = whiteSide{e.Side, true}
			}
		}
	}
	if t.side.known {
		t.fact(t.sideFact())
	}
}

// square turns the wire's numbering (0 = a8) into the game's (0 = a1).
func square(q dgt.Square) rules.Square { return rules.Square(q ^ 56) }

var pieces = [16]rules.Piece{
	dgt.WhitePawn: rules.WhitePawn, dgt.WhiteRook: rules.WhiteRook, dgt.WhiteKnight: rules.WhiteKnight,
	dgt.WhiteBishop: rules.WhiteBishop, dgt.WhiteKing: rules.WhiteKing, dgt.WhiteQueen: rules.WhiteQueen,
	dgt.BlackPawn: rules.BlackPawn, dgt.BlackRook: rules.BlackRook, dgt.BlackKnight: rules.BlackKnight,
	dgt.BlackBishop: rules.BlackBishop, dgt.BlackKing: rules.BlackKing, dgt.BlackQueen: rules.BlackQueen,
}

// resultPieces are the men that stand for a result.
var resultPieces = map[dgt.Piece]rules.Result{dgt.ResultDraw: rules.Draw, dgt.ResultWhite: rules.WhiteWins, dgt.ResultBlack: rules.BlackWins}

// piece is the man of a wire code; the result pieces are no men.
func piece(c dgt.Piece) rules.Piece { return pieces[c&15] }

func (t *Table) clockTime(m *dgt.ClockTime) {
	if !t.side.known && !m.NoClock && t.game.Len() == 0 && !t.behindBoard() {
		t.side.side = m.LeverHigh // before the first move it is White's lever that is up
		if t.side.known = m.Running; t.side.known {
			t.fact(t.sideFact())
		}
	}
	if !t.side.known && t.game.Len() == 0 && t.behindBoard() {
		return // nobody knows yet whose time is whose
	}
	r := t.readingOf(m)
	t.thereAndBack(r)
	if t.deaf { // it is old, and waited behind the log
		t.behind = &r
	} else {
		r = t.keeper.hear(t.at, r)
	}
	t.clock = reconstruct.Reading{White: r.White, Black: r.Black, Running: r.Running, Connected: r.Connected, ToMove: colorOf(r.ToMove)}
	t.tracker.Clock(t.at, t.clock)
}

// readingOf tells by players what the device tells by sides.
func (t *Table) readingOf(m *dgt.ClockTime) clock.Reading {
	white, black := m.Face(t.side.side), m.Face(t.side.side.Other())
	return clock.Reading{
		White: white.Time, Black: black.Time, Running: m.Running, ToMove: t.player(m.LeverHigh),
		Connected: !m.NoClock, BatteryLow: m.BatteryLow,
		WhiteFlag: white.Flag, BlackFlag: black.Flag, WhiteFlagShown: white.FlagShown, BlackFlagShown: black.FlagShown,
	}
}

// Link notes that the line to the board went down or came back.
func (t *Table) Link(at time.Duration, up bool) {
	status := broadcast.LinkLost
	if up {
		status = broadcast.LinkBack
		t.tracker.Back(at)
	} else {
		t.decoder.Reset()
		t.tracker.Lost(at)
		t.away, t.awaySince = true, at
		t.sights.last.seen = false // another board may come
	}
	t.keeper.link(at, up)
	if !up {
		t.referee.befell(at, t.game.Len(), "board.lost", "the board did not answer")
	}
	t.changes = append(t.changes, broadcast.Change{Type: broadcast.TypeStatus, Board: t.number, AtMS: at.Milliseconds(), Status: status})
	t.collect()
}

// Result enters the game's result by word of a person.
func (t *Table) Result(at time.Duration, r rules.Result) {
	t.tracker.Result(at, r)
	t.collect()
}

// NewGame begins a game from that position.
func (t *Table) NewGame(at time.Duration, start rules.Position) {
	t.tracker.NewGame(at, start)
	t.collect()
}

// Restart is a daemon that stopped and came back, its record kept.
func (t *Table) Restart(at time.Duration) { t.Link(at, false) }

// Placement is the board as the sensors read it now, in the game's frame.
func (t *Table) Placement() rules.Placement { return t.tracker.Placement() }

func (t *Table) newGame(start rules.Position) {
	t.game, t.segments, t.showed, t.before = rules.NewGame(start), nil, nil, 0
	t.referee.newGame()
}

// touch notes that the record is another one from that half-move on.
func (t *Table) touch(ply int) {
	if t.touched == 0 || ply < t.touched {
		t.touched = ply
	}
}

// ClockSide notes by order which side of the clock is White's. A clock that
// boardd has set for a game not begun is set anew.
func (t *Table) ClockSide(at time.Duration, s dgt.Side) {
	turned := t.side.side != s
	t.side = whiteSide{s, true}
	t.fact(t.sideFact())
	if turned {
		t.keeper.turned(at)
	}
}

// segment is play from a placement that no legal move leads to: the game that
// begins there after so many half-moves of the record.
type segment struct {
	after int
	game  *rules.Game
}

// part is the game that half-move ply (from 1) of the record belongs to, and
// how many half-moves came before that game.
func (t *Table) part(ply int) (g *rules.Game, before int) {
	g = t.game
	for _, s := range t.segments {
		if ply <= s.after {
			break
		}
		g, before = s.game, s.after
	}
	return g, before
}

// Record is the record as published: the game, and after each completed illegal move that stood the game that
// went on from there. They are the table's own: read them only.
func (t *Table) Record() []*rules.Game {
	r := []*rules.Game{t.game}
	for _, s := range t.segments {
		r = append(r, s.game)
	}
	return r
}

// collect turns the tracker's events into the record and its changes.
func (t *Table) collect() {
	var news []broadcast.Change
	for _, e := range t.tracker.Take() {
		e.Ply += t.before
		news = append(news, t.change(e)...)
	}
	t.changes = append(t.changes, join(news)...)
	if from := t.touched; from > 0 {
		t.touched = 0
		t.judge(from)
	}
	t.timekeeping()
	t.showClock()
}

// join makes one replacement of plies taken back and the plies put in their
// place at once, so that nobody is shown the hole between them. Alerts between
// them follow it.
func join(news []broadcast.Change) (joined []broadcast.Change) {
	for i := 0; i < len(news); i++ {
		c := news[i]
		if c.Type != broadcast.TypeRetract {
			joined = append(joined, c)
			continue
		}
		var alerts []broadcast.Change
		for ; i+1 < len(news); i++ {
			next := news[i+1]
			if next.Type == broadcast.TypeAlert {
				alerts = append(alerts, next)
				continue
			}
			if next.Type != broadcast.TypeMove || next.Ply != c.Ply+len(c.Moves) {
				break
			}
			c.Type, c.FEN = broadcast.TypeReplace, next.FEN
			c.Moves = append(c.Moves, broadcast.Move{Ply: next.Ply, SAN: next.SAN, UCI: next.UCI, AtMS: next.AtMS})
		}
		joined = append(append(joined, c), alerts...)
	}
	return joined
}

// showClock publishes the clocks when they read otherwise than before. After
// the result they stay as they were: what is set then is for the next game.
func (t *Table) showClock() {
	r := t.clock
	if !r.Connected || t.game.Result != rules.Unfinished || t.showed != nil && r == *t.showed {
		return
	}
	t.showed = &r
	c := broadcast.Change{Type: broadcast.TypeClock, Board: t.number, AtMS: t.at.Milliseconds(), WhiteMS: broadcast.MS(r.White), BlackMS: broadcast.MS(r.Black)}
	if r.Running {
		c.Running = r.ToMove.String()
	}
	t.changes = append(t.changes, c)
}

func (t *Table) change(e reconstruct.Event) []broadcast.Change {
	c := broadcast.Change{Board: t.number, AtMS: e.At.Milliseconds(), Ply: e.Ply}
	g, before := t.part(e.Ply)
	switch e.Kind {
	case reconstruct.Move:
		if err := g.PushPly(rules.Ply{Move: e.Moves[0], At: e.At, OrderUnknown: e.OrderUnknown}); err != nil {
			panic(err) // the tracker's games are legal by construction
		}
		c.Type, c.SAN, c.UCI = broadcast.TypeMove, g.Ply(e.Ply-before).SAN, g.PositionAt(e.Ply-before-1).UCI(e.Moves[0])
		c.FEN = g.Current().FEN()
		t.record(e, g, before)
		t.touch(e.Ply)
		t.keeper.moved(e.At)
	case reconstruct.Retract:
		for k := len(t.segments) - 1; k >= 0 && (t.segments[k].after >= e.Ply || t.segments[k].after == e.Ply-1 && !e.Segment); k-- {
			t.segments = t.segments[:k]
		}
		g, before = t.part(e.Ply)
		if err := g.ReplaceFrom(e.Ply-before, nil); err != nil {
			panic(err)
		}
		t.record(e, g, before)
		t.touch(e.Ply)
		c.Type, c.FEN = broadcast.TypeRetract, g.Current().FEN()
	case reconstruct.Segment:
		t.segments = append(t.segments, segment{e.Ply, rules.NewGame(*e.Start)})
		t.record(e, g, before)
		return nil
	case reconstruct.Clock:
		g.SetClock(e.Ply-before, e.Clock)
		t.record(e, g, before)
		c.Type, c.ClockMS = broadcast.TypeClock, broadcast.MS(e.Clock)
	case reconstruct.Firm:
		g.MakeFirm(e.Ply-before, e.At)
		t.record(e, g, before)
		return nil
	case reconstruct.Alert:
		c.Type, c.Code, c.Detail = broadcast.TypeAlert, e.Code, e.Detail
		t.referee.befell(e.At, t.game.Len(), e.Code, e.Detail)
		if kind, is := irregularities[e.Code]; is {
			return t.irregular(c, kind)
		}
	case reconstruct.Result:
		c = t.ended(e.At, e.Result)
	case reconstruct.NewGame:
		t.record(e, g, before)
		if t.newGame(*e.Start); t.side.known {
			t.fact(t.sideFact())
		}
		t.keeper.newGame(e.At)
		c.Type, c.FEN, c.Ply = broadcast.TypeGame, e.Start.FEN(), 0
	default:
		return nil
	}
	return []broadcast.Change{c}
}
