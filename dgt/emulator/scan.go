package emulator

import (
	"time"

	"boardd/dgt"
)

// scan is the round in which the sensors are read, one square after the other
// in the order of the wire.
type scan struct {
	period  time.Duration
	start   time.Duration // of this round
	square  int           // to be read next
	changed bool          // something was seen in this round

	// Positions that were noted in the log and are not searched for again
	// until more than two men have left.
	noted   dgt.LogKind // LogUnknown if none
	notedAs dgt.Placement
}

func (s *scan) next() time.Duration {
	return s.start + s.period*time.Duration(s.square)/dgt.Squares
}

// read is what a sensor reads now, by wire square.
func (b *Board) read(s dgt.Square) dgt.Piece {
	if b.dead&(1<<s) != 0 {
		return dgt.Empty
	}
	return b.men.read(b.wire(s), b.now)
}

func (b *Board) scanSquare() {
	if b.unplugged && b.config.BusPowered {
		b.scan.start += b.scan.period
		return
	}
	s := dgt.Square(b.scan.square)
	if p := b.read(s); p != b.seen[s] {
		b.seen[s] = p
		b.scan.changed = true
		b.log.change(b.now, s, p)
		if b.mode.updates() {
			b.send(&dgt.FieldUpdate{Square: s, Piece: p})
		}
	}
	if b.scan.square++; b.scan.square < dgt.Squares {
		return
	}
	if b.scan.changed {
		b.notePosition()
		b.men = b.men.swept(b.now)
	}
	b.scan.start += b.scan.period
	b.scan.square, b.scan.changed = 0, false
}

// notePosition writes a tag when one of the positions the board knows by heart
// has just come up.
func (b *Board) notePosition() {
	missing, men := 0, 0
	for s, p := range b.seen {
		if q := b.scan.notedAs[s]; q != dgt.Empty && q != p {
			missing++
		}
		if p != dgt.Empty {
			men++
		}
	}
	if b.scan.noted != dgt.LogUnknown && b.scan.noted != dgt.LogEmptyBoard && missing <= 2 {
		return
	}
	start := dgt.StartPlacement()
	tag := dgt.LogUnknown
	switch {
	case b.seen == start:
		tag = dgt.LogStartPosition
	case b.seen == start.Turned():
		tag = dgt.LogStartPositionTurned
	case men == 0:
		tag = dgt.LogEmptyBoard
	case fourRows(&b.seen):
		tag = dgt.LogFourRows
	}
	if tag != dgt.LogUnknown && tag != b.scan.noted {
		b.log.tag(b.now, tag)
	}
	b.scan.noted, b.scan.notedAs = tag, b.seen
}

// fourRows reports whether figures and pawns stand as before a game of
// Chess960, whatever the order of the figures.
func fourRows(p *dgt.Placement) bool {
	pawn := func(s int) bool { return p[s] == dgt.WhitePawn || p[s] == dgt.BlackPawn }
	for i := range 8 {
		for _, figure := range [2]int{i, 56 + i} {
			if p[figure] == dgt.Empty || pawn(figure) {
				return false
			}
		}
		if !pawn(8+i) || !pawn(48+i) {
			return false
		}
	}
	return true
}
