package livechess

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// bucket is how many calls somebody may still make; it fills with time.
type bucket struct {
	left float64
	at   time.Time
}

// spend takes one; false when there is none.
func (b *bucket) spend(now time.Time, most, aSecond int) bool {
	b.left = min(float64(most), b.left+now.Sub(b.at).Seconds()*float64(aSecond))
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// bucketsOf are the buckets of addresses.
type bucketsOf struct {
	mu            sync.Mutex
	most, aSecond int
	by            map[netip.Addr]*bucket
}

// bucketsMax bounds the addresses that are remembered.
const bucketsMax = 4096

func newBuckets(most, aSecond int) bucketsOf {
	return bucketsOf{most: most, aSecond: aSecond, by: map[netip.Addr]*bucket{}}
}

func (b *bucketsOf) spend(now time.Time, from netip.Addr) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.by[from]
	if k == nil {
		if len(b.by) >= bucketsMax {
			clear(b.by) // a flood from everywhere: each has a full bucket again, which is no more than a new one gets
		}
		k = &bucket{left: float64(b.most), at: now}
		b.by[from] = k
	}
	return k.spend(now, b.most, b.aSecond)
}

// who is whose a connection is: its address, or for IPv6 the /64 that one subscriber has.
func who(remote string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	addr := at.Addr().Unmap().WithZone("")
	if addr.Is4() {
		return addr
	}
	prefix, err := addr.Prefix(64)
	if err != nil {
		return netip.Addr{}
	}
	return prefix.Addr()
}

// door lets connections in: so many in all, and so many from one address. One too many is closed at once.
type door struct {
	net.Listener
	most, each int

	mu     sync.Mutex
	inside map[netip.Addr]int
	total  int
}

func newDoor(ln net.Listener, most, each int) *door {
	return &door{Listener: ln, most: most, each: each, inside: map[netip.Addr]int{}}
}

func (d *door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := who(conn.RemoteAddr().String())
		if d.enter(from) {
			return &guest{Conn: conn, leave: sync.OnceFunc(func() { d.leave(from) })}, nil
		}
		conn.Close()
	}
}

func (d *door) enter(from netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.total >= d.most || d.inside[from] >= d.each {
		return false
	}
	d.total++
	d.inside[from]++
	return true
}

func (d *door) leave(from netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total--
	if d.inside[from]--; d.inside[from] == 0 {
		delete(d.inside, from)
	}
}

// guest is a connection that gives its place back when it is closed.
type guest struct {
	net.Conn
	leave func()
}

func (g *guest) Close() error {
	g.leave()
	return g.Conn.Close()
}
