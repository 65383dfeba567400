package livechess

import (
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// readLimit bounds a call in bytes; a setup has some 150.
const readLimit = 8 << 10

// byeWait is how long a client has to take its last frames.
const byeWait = time.Second

// Any page may open the socket: the programs that use the API are pages of other sites (fact sheet, A.1), and what it shows is
// what the operator opened the port for. It gives no orders to the venue.
var upgrader = websocket.Upgrader{
	HandshakeTimeout: 5 * time.Second,
	ReadBufferSize:   1024,
	WriteBufferSize:  1024,
	CheckOrigin:      func(*http.Request) bool { return true },
}

// serveSocket takes a client in. Reader and writer outlive the handler, which gives net/http's buffers back.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !websocket.IsWebSocketUpgrade(r) {
		refuse(w, http.StatusUpgradeRequired, "expected a WebSocket here; over HTTP there are eboards, tournaments, tournament/UUID, round/UUID/N and game/UUID below this address")
		return
	}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	s.opts.Log.Debug().Str("from", r.RemoteAddr).Str("origin", r.Header.Get("Origin")).Msg("a client of the LiveChess API")
	c := &client{queue: make(chan []byte, s.opts.Queue)}
	c.bye = func() { time.AfterFunc(byeWait, func() { conn.Close() }) }
	if !s.do(func(h *hall) {
		h.join(c)
		s.sockets.Go(func() { s.write(conn, c) })
		s.sockets.Go(func() { s.read(conn, c) })
	}) {
		conn.Close()
	}
}

// write sends what the hall queues until the queue is closed or the connection fails.
func (s *Server) write(conn *websocket.Conn, c *client) {
	defer conn.Close() // wakes the reader, which tells the hall
	ping := time.NewTicker(s.opts.PingEvery)
	defer ping.Stop()
	for {
		kind, data := websocket.TextMessage, []byte(nil)
		select {
		case d, more := <-c.queue:
			if data = d; !more {
				bye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "")
				conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
				return
			}
		case <-ping.C:
			kind = websocket.PingMessage
		}
		conn.SetWriteDeadline(time.Now().Add(s.opts.WriteWait))
		if conn.WriteMessage(kind, data) != nil {
			return
		}
	}
}

// read hands calls to the hall until the connection fails.
func (s *Server) read(conn *websocket.Conn, c *client) {
	defer conn.Close()
	defer s.do(func(h *hall) { h.leave(c) })
	credit := bucket{left: float64(s.opts.Calls), at: time.Now()}
	alive := func() { conn.SetReadDeadline(time.Now().Add(s.opts.PingEvery * 5 / 2)) }
	alive()
	conn.SetReadLimit(readLimit)
	conn.SetPongHandler(func(string) error { alive(); return nil })
	for {
		kind, data, err := conn.ReadMessage()
		if err != nil {
			return
		}
		alive()
		if kind != websocket.TextMessage || !credit.spend(time.Now(), s.opts.Calls, s.opts.CallsASecond) {
			why := websocket.FormatCloseMessage(websocket.ClosePolicyViolation, "expected calls as JSON text, and fewer a second")
			conn.WriteControl(websocket.CloseMessage, why, time.Now().Add(time.Second))
			return
		}
		if !s.do(func(h *hall) { h.call(s.opts.Now(), c, data) }) {
			return
		}
	}
}
