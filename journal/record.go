package journal

import (
	"fmt"
	"time"

	"boardd/rules"
)

// Record is a game as the journal has it.
type Record struct {
	Game  GameID
	Table int
	Begun Entry
	// Parts are the game and, after each Setup, the game that went on from there; the
	// plies of a part follow those of the parts before it.
	Parts []Part
	// Result is Unfinished until somebody said otherwise.
	Result rules.Result
	// Broken says why the record ends before the facts do: facts of the table are missing,
	// or do not fit. Plies, clocks and firmness after that are not in Parts; the result, which
	// stands for itself, is the last that was told. Empty: the record is whole.
	Broken string
	// Entries are all facts of the table since the game began that belong to it or to no
	// game, and what was decided about it later, in order.
	Entries []Entry
}

// Part is a stretch of play without an illegal move.
type Part struct {
	Before int // half-moves of the record before it
	Game   *rules.Game
}

// Main is the game from its beginning.
func (r *Record) Main() *rules.Game { return r.Parts[0].Game }

// Len is the number of half-moves.
func (r *Record) Len() int {
	last := r.Parts[len(r.Parts)-1]
	return last.Before + last.Game.Len()
}

// builder makes a Record of entries that come in order.
type builder struct {
	record *Record
	gaps   *gaps
}

// newBuilder begins a record with the row of a Begun.
func newBuilder(r row, e Entry) *builder {
	b := &builder{gaps: newGaps(), record: newRecord(e)}
	b.gaps.last[r.table] = r.nth - 1
	b.gaps.next(&r)
	return b
}

// newRecord begins a record with a Begun.
func newRecord(e Entry) *Record {
	begun, _ := e.Fact.(Begun) // the queries give no other
	start, err := rules.ParseFEN(begun.FEN)
	if err != nil {
		start = rules.Start()
	}
	g := rules.NewGame(start)
	g.Tags = append(rules.Tags(nil), begun.Tags...)
	r := &Record{Game: e.Game, Table: e.Table, Begun: e, Parts: []Part{{0, g}}, Result: rules.Unfinished, Entries: []Entry{e}}
	if err != nil {
		r.breaks("seq %d: start of the game: %v", e.Seq, err)
	}
	return r
}

// add takes the next fact of the table, or a later one about the game.
func (b *builder) add(r row, e Entry, late bool) {
	rec := b.record
	if !late {
		if h, missing := b.gaps.next(&r); missing {
			rec.breaks("%d facts of %s after seq %d are missing", h.Facts, tableName(h.Table), h.After)
		}
		if lost, is := e.Fact.(refused); is {
			rec.breaks("%d facts of %s before seq %d were not taken, because the disk took nothing", lost.facts, tableName(e.Table), e.Seq)
		}
	}
	if e.Game != rec.Game && e.Game != 0 {
		return
	}
	rec.take(e)
}

// Upto is the record as it was when fact seq was the last one told; nil for one that is
// broken, whose entries do not tell what is missing.
func (r *Record) Upto(seq uint64) *Record {
	if r.Broken != "" {
		return nil
	}
	was := newRecord(r.Begun)
	for _, e := range r.Entries[1:] {
		if e.Seq <= seq {
			was.take(e)
		}
	}
	return was
}

// take takes the next entry.
func (r *Record) take(e Entry) {
	r.Entries = append(r.Entries, e)
	if e.Game != r.Game {
		return
	}
	switch f := e.Fact.(type) {
	case Result:
		r.Result = f.Result
		r.Main().Result = f.Result
	case Tagged:
		r.Main().Tags = append(rules.Tags(nil), f.Tags...)
	default:
		if r.Broken != "" {
			return
		}
		if err := r.play(e); err != nil {
			r.breaks("seq %d: %v", e.Seq, err)
		}
	}
}

// breaks ends the record; the first reason stands.
func (r *Record) breaks(format string, args ...any) {
	if r.Broken == "" {
		r.Broken = fmt.Sprintf(format, args...)
	}
}

// part is the one that half-move n of the record belongs to: the last that begins
// before it.
func (r *Record) part(n int) *Part {
	for i := len(r.Parts) - 1; i > 0; i-- {
		if p := &r.Parts[i]; n > p.Before {
			return p
		}
	}
	return &r.Parts[0]
}

// play puts a fact about the moves into the record.
func (r *Record) play(e Entry) error {
	switch f := e.Fact.(type) {
	case Ply:
		return r.ply(e.At, f)
	case Retracted:
		return r.retract(f)
	case Setup:
		start, err := rules.ParseFEN(f.FEN)
		if err != nil {
			return fmt.Errorf("setup after half-move %d: %w", f.After, err)
		}
		if f.After != r.Len() {
			return fmt.Errorf("setup: expected it after half-move %d, got %d", r.Len(), f.After)
		}
		r.Parts = append(r.Parts, Part{f.After, rules.NewGame(start)})
	case Clock:
		p := r.part(f.N)
		p.Game.SetClock(f.N-p.Before, f.Left)
	case Firm:
		for i := range r.Parts {
			if p := &r.Parts[i]; f.N > p.Before {
				p.Game.MakeFirm(f.N-p.Before, e.At)
			}
		}
	}
	return nil
}

func (r *Record) ply(at time.Duration, f Ply) error {
	if f.N != r.Len()+1 {
		return fmt.Errorf("expected half-move %d, got %d", r.Len()+1, f.N)
	}
	p := &r.Parts[len(r.Parts)-1]
	move, err := p.Game.Current().ParseUCI(f.UCI)
	if err != nil {
		return err
	}
	if err := p.Game.PushPly(rules.Ply{Move: move, At: at, OrderUnknown: f.OrderUnknown}); err != nil {
		return err
	}
	if fen := p.Game.Current().FEN(); fen != f.FEN {
		return fmt.Errorf("half-move %d: expected %s after it, got %s", f.N, f.FEN, fen)
	}
	return nil
}

func (r *Record) retract(f Retracted) error {
	if f.N < 1 || f.N > r.Len()+1 {
		return fmt.Errorf("retract: expected half-move 1 to %d, got %d", r.Len()+1, f.N)
	}
	for k := len(r.Parts) - 1; k > 0; k-- {
		if before := r.Parts[k].Before; before < f.N-1 || before == f.N-1 && f.KeepSetup {
			break
		}
		r.Parts = r.Parts[:k]
	}
	p := &r.Parts[len(r.Parts)-1]
	return p.Game.ReplaceFrom(f.N-p.Before, nil)
}
