package uplink

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// Log is the record of a venue as far as it may leave.
type Log interface {
	// Epoch names the record: the numbers of another one mean nothing.
	Epoch(ctx context.Context) (string, error)
	// After gives what follows number n and may leave now, in order, about as many changes as
	// asked for at most; nothing when there is no more yet. 0 begins with the games in progress.
	After(ctx context.Context, n uint64, most int) ([]Numbered, error)
	// Watch holds a token when After may give more. It is closed when ctx ends.
	Watch(ctx context.Context) <-chan struct{}
}

// Numbered are changes with their number in the record.
type Numbered struct {
	N       uint64
	Changes []broadcast.Change
}

// SenderOptions are what a Sender is made of.
type SenderOptions struct {
	URLs   []string // ws:// or wss:// of the hub's /uplink; of several, the next one is tried after a failure
	Token  string   // of this venue
	Record Log
	Log    zerolog.Logger
	Dialer *websocket.Dialer // nil: the usual one
	// RetryMin and RetryMax are how long to wait after a failure, doubling. Default 1 s and
	// 30 s.
	RetryMin, RetryMax time.Duration
}

// Status is how the uplink fares, for operators.
type Status struct {
	Connected bool      `json:"connected"`
	Since     time.Time `json:"since"`           // of that
	Acked     uint64    `json:"acked"`           // the last number the hub has taken
	Error     string    `json:"error,omitempty"` // why it is not connected
}

// Sender streams a venue's record to a hub.
type Sender struct {
	o SenderOptions

	next   int // of URLs; only for the goroutine of Run
	mu     sync.Mutex
	status Status
}

// NewSender makes a sender that does nothing until Run.
func NewSender(o SenderOptions) *Sender {
	if o.RetryMin <= 0 {
		o.RetryMin = time.Second
	}
	if o.RetryMax <= 0 {
		o.RetryMax = 30 * time.Second
	}
	if o.Dialer == nil {
		o.Dialer = &websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: helloWait}
	}
	return &Sender{o: o}
}

// Status is how it fares now.
func (s *Sender) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *Sender) note(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}

// Run keeps the hub up to date until ctx ends.
func (s *Sender) Run(ctx context.Context) error {
	retry := s.o.RetryMin
	for {
		hub := s.o.URLs[s.next%len(s.o.URLs)]
		begun, acked := time.Now(), s.Status().Acked
		connected, err := s.session(ctx, hub)
		s.next++
		if ctx.Err() != nil {
			return nil
		}
		if was := s.Status(); was.Connected || was.Error != err.Error() {
			s.o.Log.Warn().Err(err).Str("hub", hub).Msg("no connection to the hub; it will be tried again")
		}
		s.note(func(st *Status) {
			if st.Connected || st.Since.IsZero() {
				st.Since = time.Now()
			}
			st.Connected, st.Error = false, err.Error()
		})
		// A hub that refuses what it is sent is not asked again and again at once.
		if connected && (s.Status().Acked != acked || time.Since(begun) > s.o.RetryMax) {
			retry = s.o.RetryMin
		}
		// Not all venues at once, when a hub comes back.
		wait := time.NewTimer(retry/2 + time.Duration(rand.Int64N(int64(retry))))
		select {
		case <-ctx.Done():
			wait.Stop()
			return nil
		case <-wait.C:
		}
		retry = min(2*retry, s.o.RetryMax)
	}
}

// session is one connection. connected says that the hub has answered.
func (s *Sender) session(ctx context.Context, hub string) (connected bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	epoch, err := s.o.Record.Epoch(ctx)
	if err != nil {
		return false, fmt.Errorf("the venue's record: %w", err)
	}
	header := http.Header{"Authorization": {"Bearer " + s.o.Token}}
	conn, answer, err := s.o.Dialer.DialContext(ctx, hub, header)
	if err != nil {
		if answer != nil && answer.StatusCode == http.StatusUnauthorized {
			return false, fmt.Errorf("the hub does not know the token of this venue: %w", err)
		}
		return false, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()

	conn.SetReadLimit(frameMax)
	write := func(kind int, data []byte) error {
		conn.SetWriteDeadline(time.Now().Add(writeWait))
		return conn.WriteMessage(kind, data)
	}
	conn.SetReadDeadline(time.Now().Add(helloWait))
	if err := write(websocket.TextMessage, encode(message{Type: typeHello, V: Version, Epoch: epoch})); err != nil {
		return false, err
	}
	have, err := hear(conn, typeHave)
	if err != nil {
		return false, err
	}
	s.note(func(st *Status) { *st = Status{Connected: true, Since: time.Now(), Acked: have.N} })
	s.o.Log.Info().Str("hub", hub).Uint64("from", have.N).Msg("connected to the hub")

	acks, broken := make(chan uint64, window), make(chan error, 1)
	var reading sync.WaitGroup
	reading.Go(func() { broken <- listen(conn, acks) })
	defer reading.Wait()
	defer conn.Close()
	return true, s.stream(ctx, have.N, write, acks, broken)
}

// stream sends what follows number sent.
func (s *Sender) stream(ctx context.Context, sent uint64, write func(int, []byte) error, acks <-chan uint64, broken <-chan error) error {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	more := s.o.Record.Watch(ctx)
	flying, dry := 0, false
	for {
		if flying < window && !dry {
			list, err := s.o.Record.After(ctx, sent, batchMax)
			if err != nil {
				return fmt.Errorf("the venue's record: %w", err)
			}
			if dry = len(list) == 0; !dry {
				data, last := factsFrame(sent, list)
				if err := write(websocket.TextMessage, data); err != nil {
					return err
				}
				sent, flying = last, flying+1
				continue
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-broken:
			return err
		case n := <-acks:
			flying--
			s.note(func(st *Status) { st.Acked = n })
		case _, open := <-more:
			if !open {
				return errors.New("the venue's record has ended")
			}
			dry = false
		case <-ping.C:
			if err := write(websocket.PingMessage, nil); err != nil {
				return err
			}
		}
	}
}

// factsFrame is as much of what follows number after as one frame may hold, up to number last.
func factsFrame(after uint64, list []Numbered) (data []byte, last uint64) {
	for {
		m := message{Type: typeFacts, After: after, N: list[len(list)-1].N}
		for _, one := range list {
			m.Changes = append(m.Changes, one.Changes...)
		}
		data = encode(m)
		if len(data) <= factsMax || len(list) == 1 {
			return data, m.N
		}
		list = list[:len(list)/2]
	}
}

// listen takes the hub's answers until the connection fails.
func listen(conn *websocket.Conn, acks chan<- uint64) error {
	alive := func() { conn.SetReadDeadline(time.Now().Add(deadAfter)) }
	conn.SetPongHandler(func(string) error { alive(); return nil })
	for {
		alive()
		m, err := hear(conn, typeAck)
		if err != nil {
			return err
		}
		select {
		case acks <- m.N: // there is room for as many as are owed
		default:
			return errors.New("the hub acknowledges what was never sent")
		}
	}
}

// hear reads a frame of that type; the hub's error is an error.
func hear(conn *websocket.Conn, kind string) (message, error) {
	_, data, err := conn.ReadMessage()
	if err != nil {
		return message{}, err
	}
	m, err := parse(data, kind, typeError)
	if err == nil && m.Type == typeError {
		err = fmt.Errorf("the hub says: %s", m.Error)
	}
	return m, err
}
