package emulator

import (
	"math"
	"time"

	"boardd/dgt"
)

// readRadius is how far, in squares, a man may stand from the centre of a
// square and still be read there. Above one half, so a man on the edge of two
// squares reads on both and one on a corner of four on none.
const readRadius = 0.55

// A point on the board in squares: the corner of a8 is (0,0), x grows towards
// the h-file, y towards the first rank. Points outside 0..8 are off the board.
type point struct{ x, y float64 }

func centre(s dgt.Square) point {
	return point{float64(s%8) + 0.5, float64(s/8) + 0.5}
}

func (p point) onBoard() bool { return p.x >= 0 && p.x <= 8 && p.y >= 0 && p.y <= 8 }

func (p point) distance(q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }

func (p point) towards(q point, share float64) point {
	return point{p.x + (q.x-p.x)*share, p.y + (q.y-p.y)*share}
}

// motion is one stretch of a man's path. It begins where the one before ended.
type motion struct {
	start, end time.Duration
	to         point
	air        bool // above the board: reads nowhere
	hold       bool // stays in the air after end, in somebody's hand
}

// man is one piece with the path it is going to take.
type man struct {
	piece dgt.Piece
	rest  point
	held  bool
	path  []motion // in order of time, never overlapping
}

// settle forgets the motions that are over at t.
func (m *man) settle(t time.Duration) {
	for len(m.path) > 0 && m.path[0].end <= t {
		m.rest, m.held = m.path[0].to, m.path[0].hold
		m.path = m.path[1:]
	}
}

// at returns where the man is at t and whether it touches the board there. t
// must not be before the last settle.
func (m *man) at(t time.Duration) (p point, down bool) {
	m.settle(t)
	if len(m.path) == 0 || t < m.path[0].start {
		return m.rest, !m.held
	}
	step := &m.path[0]
	if step.air {
		return m.rest, false // where exactly does not matter up there
	}
	share := float64(t-step.start) / float64(step.end-step.start)
	share *= share * (3 - 2*share) // hands speed up and slow down
	return m.rest.towards(step.to, share), true
}

// goal returns where the man will be after all its motions.
func (m *man) goal() (p point, held bool) {
	if n := len(m.path); n > 0 {
		return m.path[n-1].to, m.path[n-1].hold
	}
	return m.rest, m.held
}

// free returns when the man's last motion ends.
func (m *man) free() time.Duration {
	if n := len(m.path); n > 0 {
		return m.path[n-1].end
	}
	return 0
}

// men is everything on the board or in a hand.
type men []*man

// read returns what the sensor of a square sees at t: the nearest man that
// touches the board within the reading radius.
func (all men) read(s dgt.Square, t time.Duration) dgt.Piece {
	c, best, piece := centre(s), readRadius, dgt.Empty
	for _, m := range all {
		p, down := m.at(t)
		if !down || math.Abs(p.x-c.x) >= best || math.Abs(p.y-c.y) >= best {
			continue // most men are far away; a soak reads millions of squares
		}
		if d := p.distance(c); d < best {
			best, piece = d, m.piece
		}
	}
	return piece
}

// on returns the man that will stand on a square when all motions are over,
// nil if none will.
func (all men) on(s dgt.Square) *man {
	c, best := centre(s), readRadius
	var found *man
	for _, m := range all {
		p, held := m.goal()
		if held {
			continue
		}
		if d := p.distance(c); d < best {
			best, found = d, m
		}
	}
	return found
}

// swept returns the men without those that lie off the board for good.
func (all men) swept(t time.Duration) men {
	kept := all[:0]
	for _, m := range all {
		if m.settle(t); len(m.path) > 0 || m.held || m.rest.onBoard() {
			kept = append(kept, m)
		}
	}
	clear(all[len(kept):])
	return kept
}

// goals is the placement when all motions are over.
func (all men) goals() (p dgt.Placement) {
	for s := range p {
		if m := all.on(dgt.Square(s)); m != nil {
			p[s] = m.piece
		}
	}
	return p
}
