package uplink

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"
)

// Times of a connection, on both sides.
const (
	helloWait = 10 * time.Second
	pingEvery = 20 * time.Second
	deadAfter = 50 * time.Second // without a sign
	writeWait = 10 * time.Second
)

// Gate lets venues in at a hub. Use NewGate.
type Gate struct {
	engine Engine
	tokens map[string][sha256.Size]byte // by venue
	log    zerolog.Logger
	up     websocket.Upgrader

	mu     sync.Mutex
	links  map[string]*websocket.Conn // the connection of each venue
	closed bool
	open   sync.WaitGroup
}

// NewGate makes a gate; tokens are secrets by venue.
func NewGate(e Engine, tokens map[string]string, log zerolog.Logger) *Gate {
	g := &Gate{engine: e, tokens: map[string][sha256.Size]byte{}, log: log, links: map[string]*websocket.Conn{}}
	for venue, token := range tokens {
		g.tokens[venue] = sha256.Sum256([]byte(token))
	}
	// Venues are programs; a page of another site can send no Authorization header.
	g.up = websocket.Upgrader{HandshakeTimeout: helloWait, CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == "" }}
	return g
}

// venueOf finds whose token a request has.
func (g *Gate) venueOf(r *http.Request) (string, bool) {
	token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	sum := sha256.Sum256([]byte(token))
	found := ""
	for venue, want := range g.tokens { // all of them: time tells nothing
		if subtle.ConstantTimeCompare(sum[:], want[:]) == 1 {
			found = venue
		}
	}
	return found, is && found != ""
}

// ServeHTTP takes the WebSocket of a venue: 401 without its token.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	venue, ok := g.venueOf(r)
	if !ok {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "expected the token of a venue in the header Authorization", http.StatusUnauthorized)
		return
	}
	conn, err := g.up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	if !g.enter(venue, conn) {
		conn.Close()
		return
	}
	defer g.leave(venue, conn)
	log := g.log.With().Str("venue", venue).Str("from", r.RemoteAddr).Logger()
	log.Info().Msg("venue connected")
	// The request's context ends with the handler, the connection's with its fault.
	err = g.serve(r.Context(), conn, venue)
	log.Info().Err(err).Msg("venue gone")
}

// enter makes conn the venue's connection; one it had before is dead or a mistake.
func (g *Gate) enter(venue string, conn *websocket.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	if old := g.links[venue]; old != nil {
		old.Close()
	}
	g.links[venue] = conn
	g.open.Add(1)
	return true
}

func (g *Gate) leave(venue string, conn *websocket.Conn) {
	conn.Close()
	g.mu.Lock()
	if g.links[venue] == conn {
		delete(g.links, venue)
	}
	g.mu.Unlock()
	g.open.Done()
}

// Connected are the venues that are connected now.
func (g *Gate) Connected() map[string]bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := map[string]bool{}
	for venue := range g.tokens {
		all[venue] = g.links[venue] != nil
	}
	return all
}

// Close sends all venues away and waits for their connections to end.
func (g *Gate) Close() {
	g.mu.Lock()
	g.closed = true
	for _, conn := range g.links {
		conn.Close()
	}
	g.mu.Unlock()
	g.open.Wait()
}

// serve talks with a venue until something is wrong.
func (g *Gate) serve(ctx context.Context, conn *websocket.Conn, venue string) error {
	conn.SetReadLimit(frameMax)
	conn.SetReadDeadline(time.Now().Add(helloWait))
	alive := func() { conn.SetReadDeadline(time.Now().Add(deadAfter)) }
	ping := conn.PingHandler()
	conn.SetPingHandler(func(data string) error { alive(); return ping(data) })
	say := func(m message) error {
		conn.SetWriteDeadline(time.Now().Add(writeWait))
		return conn.WriteMessage(websocket.TextMessage, encode(m))
	}
	refuse := func(err error) error {
		return errors.Join(err, say(message{Type: typeError, Error: err.Error()}))
	}
	_, data, err := conn.ReadMessage()
	if err != nil {
		return err
	}
	hello, err := parse(data, typeHello)
	if err != nil {
		return refuse(err)
	}
	place, err := g.engine.Place(ctx, venue)
	if err != nil {
		return refuse(err)
	}
	have := place.N
	if place.Epoch != hello.Epoch {
		have = 0
	}
	if err := say(message{Type: typeHave, N: have}); err != nil {
		return err
	}
	for {
		alive()
		_, data, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		m, err := parse(data, typeFacts)
		if err != nil {
			return refuse(err)
		}
		err = g.engine.Append(ctx, Batch{Venue: venue, Epoch: hello.Epoch, After: m.After, N: m.N, Changes: m.Changes})
		if err != nil && !errors.Is(err, ErrKnown) {
			return refuse(err)
		}
		if err := say(message{Type: typeAck, N: m.N}); err != nil {
			return err
		}
	}
}
