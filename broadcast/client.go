package broadcast

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gorilla/websocket"
)

// This file is all that knows gorilla's connections.

const (
	// readLimit bounds a client message in bytes, after decompression; a request needs less than 100.
	readLimit = 1024
	// A client may send a burst of this many messages (pings and pongs included), and creditsASecond from
	// then on.
	creditsBurst   = 20
	creditsASecond = 2
)

// client is one connection as the owner goroutine sees it: a queue, and whether it fell behind.
type client struct {
	queue   chan *frame // closed by the owner
	lagging bool        // owner only
	slot    uint64      // owner only, set before a writer sees it
	// audience is owner only.
	audience *audience
	conn     *websocket.Conn
	outbox
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
	}
}

// writeBuffers are shared: a connection needs one only while a frame leaves.
var writeBuffers sync.Pool

func (s *Source) upgrader() *websocket.Upgrader {
	return &websocket.Upgrader{
		HandshakeTimeout:  5 * time.Second,
		ReadBufferSize:    512, // requests are short; this is held by each connection
		WriteBufferSize:   4096,
		WriteBufferPool:   &writeBuffers,
		CheckOrigin:       s.originAllowed,
		EnableCompression: true, // costs once a frame, not once a client
	}
}

// serveWS takes a spectator in. Reader and writer outlive the handler, which gives net/http's buffers back.
func (s *Source) serveWS(up *websocket.Upgrader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-s.started:
		default:
			http.Error(w, ErrNotRunning.Error(), http.StatusServiceUnavailable)
			return
		}
		first, err := parseQuery(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		from := address(r)
		if !s.guests.enter(from, time.Now()) {
			w.Header().Set("Retry-After", "5")
			http.Error(w, "too many connections from your address", http.StatusTooManyRequests)
			return
		}
		if !s.door.enter() {
			s.guests.leave(from)
			w.Header().Set("Retry-After", "5")
			http.Error(w, "too many clients", http.StatusServiceUnavailable)
			return
		}
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			s.out(from)
			return // Upgrade has answered
		}
		if socket, ok := conn.NetConn().(interface{ SetWriteBuffer(int) error }); ok {
			socket.SetWriteBuffer(s.opts.SendBuffer) // an optimisation; a failure changes nothing else
		}
		c := &client{conn: conn, queue: make(chan *frame, s.opts.Queue)}
		c.packs = packs(r)
		if socket, ok := conn.NetConn().(syscall.Conn); ok {
			c.raw, _ = socket.SyscallConn() // nil with an error: slower, no more
		}
		v := &visitor{s: s, c: c, from: from, credit: credits{left: creditsBurst, at: time.Now()}}
		v.prepare()
		// Joined here and not in the visitor's own goroutine, whose stack stays small that way.
		select {
		case s.joins <- ask{c, first}:
		case <-s.done:
			s.out(from)
			conn.Close()
			return
		}
		if !s.door.start(v.stay) {
			v.leave()
		}
	}
}

// out gives the place of a connection back.
func (s *Source) out(from netip.Addr) {
	s.guests.leave(from)
	s.door.leave()
}

// address is where a request comes from; the zero value when that is no address.
func address(r *http.Request) netip.Addr {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return from.Addr()
}

// packs tells whether the upgrader agrees with a client to compress messages: whenever it offers to.
func packs(r *http.Request) bool {
	for _, offers := range r.Header["Sec-Websocket-Extensions"] {
		for offer := range strings.SplitSeq(offers, ",") {
			name, _, _ := strings.Cut(offer, ";")
			if strings.TrimSpace(name) == "permessage-deflate" {
				return true
			}
		}
	}
	return false
}

// visitor is what is heard of a client.
type visitor struct {
	s      *Source
	c      *client
	from   netip.Addr
	credit credits
}

// prepare has the connection answer as the protocol of WebSockets wants it, within limits.
func (v *visitor) prepare() {
	conn := v.c.conn
	conn.SetReadLimit(readLimit)
	conn.SetPongHandler(func(string) error { return v.heard() })
	conn.SetPingHandler(func(data string) error {
		if err := v.heard(); err != nil {
			return err
		}
		v.c.control(newFrame(websocket.PongMessage, []byte(data)))
		return nil
	})
	conn.SetCloseHandler(func(code int, _ string) error {
		v.c.control(newFrame(websocket.CloseMessage, websocket.FormatCloseMessage(code, "")))
		return nil
	})
	v.alive()
}

func (v *visitor) alive() { v.c.conn.SetReadDeadline(time.Now().Add(v.s.opts.PingEvery * 5 / 2)) }

// heard counts a message.
func (v *visitor) heard() error {
	if !v.credit.spend(time.Now()) {
		v.c.refuse()
		return errCredits
	}
	v.alive()
	return nil
}

// stay takes requests until the connection fails. While it waits it needs little stack, and there are
// thousands of it: what needs more is done by others.
func (v *visitor) stay() {
	for {
		kind, r, err := v.c.conn.NextReader()
		if err != nil || v.asked(kind, r) != nil {
			break
		}
	}
	v.leave() // not deferred: that alone made the stack twice as large
}

func (v *visitor) leave() {
	v.c.close()
	select {
	case v.s.leaves <- v.c:
	case <-v.s.done:
	}
	v.s.out(v.from)
}

// asked hands a message on. An error ends the visit.
//
//go:noinline
func (v *visitor) asked(kind int, r io.Reader) error {
	// The connection's own limit counts compressed bytes.
	data, err := io.ReadAll(io.LimitReader(r, readLimit+1))
	if err != nil {
		return err
	}
	req, err := parseRequest(data)
	if err == nil && (kind != websocket.TextMessage || len(data) > readLimit) {
		err = errRequest
	}
	if err != nil {
		v.c.refuse()
		return err
	}
	if err := v.heard(); err != nil {
		return err
	}
	select {
	case v.s.asks <- ask{v.c, req}:
		return nil
	case <-v.s.done:
		return ErrNotRunning
	}
}

// refuse closes the connection of a client that does not keep to the protocol.
func (c *client) refuse() {
	why := websocket.FormatCloseMessage(websocket.ClosePolicyViolation, "expected a resume request now and then")
	c.last(newFrame(websocket.CloseMessage, why))
	c.conn.Close()
}

var errCredits = errors.New("too many messages from a client")

// credits is a bucket of messages that refills with time.
type credits struct {
	left float64
	at   time.Time
}

func (k *credits) spend(now time.Time) bool {
	k.left = min(creditsBurst, k.left+now.Sub(k.at).Seconds()*creditsASecond)
	k.at = now
	if k.left < 1 {
		return false
	}
	k.left--
	return true
}

var _ interface{ SetWriteBuffer(int) error } = (*net.TCPConn)(nil)
