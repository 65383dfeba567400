package broadcast

import (
	"net/netip"
	"sync"
	"time"
)

// guests bounds what one address may take: connections at a time, and new ones a second. For IPv6 a whole /64 is one
// address, since that is what one household or one phone has. This machine itself is not bounded: a
// proxy on it speaks for everybody, and has bounds of its own.
type guests struct {
	most int     // at a time
	rate float64 // new ones a second, after a burst of as many as are allowed at a time

	mu  sync.Mutex
	all map[netip.Prefix]*guest
}

type guest struct {
	inside int
	left   float64 // new connections allowed now
	at     time.Time
}

// guestsMax is how many addresses are remembered before those that matter no more are forgotten.
const guestsMax = 10000

func newGuests(most int, rate float64) *guests {
	return &guests{most: most, rate: rate, all: map[netip.Prefix]*guest{}}
}

// bounded gives what addr counts as; is is false for one without a bound.
func bounded(addr netip.Addr) (p netip.Prefix, is bool) {
	addr = addr.Unmap()
	if !addr.IsValid() || addr.IsLoopback() {
		return p, false
	}
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.WithZone("").Prefix(bits)
	return p, err == nil
}

// enter takes a place for addr; false when it has none left.
func (g *guests) enter(addr netip.Addr, now time.Time) bool {
	p, is := bounded(addr)
	if !is {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.all[p]
	if one == nil {
		if len(g.all) >= guestsMax {
			g.forget(now)
		}
		one = &guest{left: float64(g.most), at: now}
		g.all[p] = one
	}
	g.refill(one, now)
	if one.inside >= g.most || one.left < 1 {
		return false
	}
	one.inside++
	one.left--
	return true
}

func (g *guests) refill(one *guest, now time.Time) {
	one.left = min(float64(g.most), one.left+now.Sub(one.at).Seconds()*g.rate)
	one.at = now
}

// leave gives a place back.
func (g *guests) leave(addr netip.Addr) {
	p, is := bounded(addr)
	if !is {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if one := g.all[p]; one != nil && one.inside > 0 {
		one.inside--
	}
}

// forget drops those who are away and have their whole allowance back.
func (g *guests) forget(now time.Time) {
	for p, one := range g.all {
		if g.refill(one, now); one.inside == 0 && one.left >= float64(g.most) {
			delete(g.all, p)
		}
	}
}
