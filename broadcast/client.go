package broadcast

import (
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
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
	slot    uint64      // owner only
	conn    *websocket.Conn
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
		if !s.door.enter() {
			w.Header().Set("Retry-After", "5")
			http.Error(w, "too many clients", http.StatusServiceUnavailable)
			return
		}
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			s.door.leave()
			return // Upgrade has answered
		}
		if socket, ok := conn.NetConn().(interface{ SetWriteBuffer(int) error }); ok {
			socket.SetWriteBuffer(s.opts.SendBuffer) // an optimisation; a failure changes nothing else
		}
		c := &client{conn: conn, queue: make(chan *frame, s.opts.Queue)}
		q := r.URL.Query()
		first := parseQuery(q.Get("stream"), q.Get("since"))
		if !s.door.start(func() { s.write(c) }, func() { s.read(c, first) }) {
			s.door.leave()
			conn.Close()
		}
	}
}

// write sends what the owner queues, until the queue is closed or the connection fails.
func (s *Source) write(c *client) {
	defer c.conn.Close()
	for f := range c.queue {
		c.conn.SetWriteDeadline(time.Now().Add(s.opts.WriteWait))
		// Compressing a short frame makes it longer for some and slower for all.
		c.conn.EnableWriteCompression(len(f.data) > 256)
		if c.conn.WritePreparedMessage(f.msg) != nil {
			c.conn.Close() // wakes the reader, which tells the owner
			for range c.queue {
			}
			return
		}
	}
}

// read joins the client, takes requests until the connection fails, then tells the owner.
func (s *Source) read(c *client, first request) {
	defer s.door.leave()
	select {
	case s.joins <- ask{c, first}:
	case <-s.done:
		close(c.queue) // the owner never had it
		return
	}
	defer func() {
		select {
		case s.leaves <- c:
		case <-s.done:
		}
	}()
	wait := s.opts.PingEvery * 5 / 2
	credit := credits{left: creditsBurst, at: time.Now()}
	alive := func() { c.conn.SetReadDeadline(time.Now().Add(wait)) }
	alive()
	c.conn.SetReadLimit(readLimit)
	pong := c.conn.PingHandler()
	control := func(next func(string) error) func(string) error {
		return func(data string) error {
			if !credit.spend(time.Now()) {
				c.refuse()
				return errCredits
			}
			alive()
			return next(data)
		}
	}
	c.conn.SetPingHandler(control(pong))
	c.conn.SetPongHandler(control(func(string) error { return nil }))
	for {
		kind, r, err := c.conn.NextReader()
		if err != nil {
			return
		}
		// The connection's own limit counts compressed bytes.
		data, err := io.ReadAll(io.LimitReader(r, readLimit+1))
		if err != nil {
			return
		}
		req, err := parseRequest(data)
		if err != nil || kind != websocket.TextMessage || len(data) > readLimit || !credit.spend(time.Now()) {
			c.refuse()
			return
		}
		alive()
		select {
		case s.asks <- ask{c, req}:
		case <-s.done:
			return
		}
	}
}

// refuse closes the connection of a client that does not keep to the protocol.
func (c *client) refuse() {
	why := websocket.FormatCloseMessage(websocket.ClosePolicyViolation, "expected a resume request now and then")
	c.conn.WriteControl(websocket.CloseMessage, why, time.Now().Add(time.Second))
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
