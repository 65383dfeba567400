// Package cluster lets several hubs be one: they share a stream of NATS JetStream, the
// engine that brings the batches of all venues together in one order and keeps them. Any
// node takes the uplink of any venue; each follows the stream, from its beginning, and
// serves spectators from the state that it leads to. A node that is lost takes nothing
// with it.
//
// What this room is not: it does not run a NATS server, and one hub alone needs none.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/broadcast/uplink"
)

// Options are what a node is made of.
type Options struct {
	URL string // of NATS, as nats://host:4222; several by commas
	// Stream is the name of the event's stream: letters, digits, - and _. All nodes of an event
	// have the same. Default "boardd".
	Stream string
	// Replicas is how many servers of a NATS cluster keep each batch. Default 1.
	Replicas int
	Seats    map[string]uplink.Seats // by venue
	Publish  func(broadcast.Change)
	Log      zerolog.Logger
}

const (
	// keepFor is how long a stream keeps batches: longer than an event's longest round, so
	// that a node that starts late sees the games in progress whole.
	keepFor = 14 * 24 * time.Hour
	// duplicates is how long NATS knows the name of a batch that was published twice.
	duplicates = 10 * time.Minute
	askWait    = 5 * time.Second
	retryMin   = 100 * time.Millisecond
	retryMax   = 5 * time.Second
)

// Node is one hub of a cluster.
type Node struct {
	o     Options
	conn  *nats.Conn
	js    jetstream.JetStream
	state *uplink.State // only for the goroutine of Run

	mu     sync.Mutex
	stream jetstream.Stream // nil until there is one
	last   map[string]lastBatch
}

// lastBatch is the last batch of a venue in the stream.
type lastBatch struct {
	place uplink.Place
	seq   uint64 // in the stream; 0 when there is none
}

var _ uplink.Engine = (*Node)(nil)

// Open makes a node. It goes on trying to reach NATS, now and whenever it is lost.
func Open(o Options) (*Node, error) {
	if o.Stream == "" {
		o.Stream = "boardd"
	}
	conn, err := nats.Connect(o.URL, nats.Name("boardd hub"), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(retryMin), nats.ReconnectJitter(retryMin, retryMin),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { o.Log.Warn().Err(err).Msg("no connection to NATS") }),
		nats.ReconnectHandler(func(*nats.Conn) { o.Log.Info().Msg("connected to NATS again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { o.Log.Debug().Err(err).Msg("NATS") }))
	if err != nil {
		return nil, fmt.Errorf("NATS at %s: %w", o.URL, err)
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(askWait))
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("NATS at %s: %w", o.URL, err)
	}
	return &Node{o: o, conn: conn, js: js, state: uplink.NewState(o.Seats), last: map[string]lastBatch{}}, nil
}

// subject is where the batches of a venue go. Names of venues may hold anything.
func (n *Node) subject(venue string) string { return fmt.Sprintf("%s.%x", n.o.Stream, venue) }

// shared is the stream, made when there is none.
func (n *Node) shared(ctx context.Context) (jetstream.Stream, error) {
	n.mu.Lock()
	stream := n.stream
	n.mu.Unlock()
	if stream != nil {
		return stream, nil
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	stream, err := n.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: n.o.Stream, Subjects: []string{n.o.Stream + ".>"}, Storage: jetstream.FileStorage,
		MaxAge: keepFor, Duplicates: duplicates, Replicas: max(1, n.o.Replicas),
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", n.o.Stream, err)
	}
	n.mu.Lock()
	n.stream = stream
	n.mu.Unlock()
	return stream, nil
}

// Place is how far the stream has come with a venue, whichever node took it.
func (n *Node) Place(ctx context.Context, venue string) (uplink.Place, error) {
	last, err := n.look(ctx, venue)
	return last.place, err
}

// look asks the stream for the last batch of a venue.
func (n *Node) look(ctx context.Context, venue string) (last lastBatch, err error) {
	stream, err := n.shared(ctx)
	if err != nil {
		return last, err
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	msg, err := stream.GetLastMsgForSubject(ctx, n.subject(venue))
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
	case err != nil:
		return last, fmt.Errorf("stream %s: %w", n.o.Stream, err)
	default:
		var b uplink.Batch
		if err := json.Unmarshal(msg.Data, &b); err != nil {
			return last, fmt.Errorf("stream %s: batch %d: %w", n.o.Stream, msg.Sequence, err)
		}
		last = lastBatch{uplink.Place{Epoch: b.Epoch, N: b.N}, msg.Sequence}
	}
	n.mu.Lock()
	n.last[venue] = last
	n.mu.Unlock()
	return last, nil
}

// Append puts a batch into the stream, behind the one of that venue that it follows and
// no other: two nodes that took the same venue cannot mix.
func (n *Node) Append(ctx context.Context, b uplink.Batch) error {
	if err := uplink.Mine(n.o.Seats, b); err != nil {
		return err
	}
	n.mu.Lock()
	last, known := n.last[b.Venue]
	n.mu.Unlock()
	if !known {
		var err error
		if last, err = n.look(ctx, b.Venue); err != nil {
			return err
		}
	}
	if err := follows(last.place, b); err != nil {
		return err
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	ack, err := n.js.Publish(ctx, n.subject(b.Venue), data, jetstream.WithExpectLastSequencePerSubject(last.seq),
		jetstream.WithMsgID(fmt.Sprintf("%s %s %d", b.Venue, b.Epoch, b.N)))
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil {
		delete(n.last, b.Venue) // another node may have written, or this one, with the answer lost
		return fmt.Errorf("stream %s: %w", n.o.Stream, err)
	}
	n.last[b.Venue] = lastBatch{uplink.Place{Epoch: b.Epoch, N: b.N}, ack.Sequence}
	if ack.Duplicate {
		return uplink.ErrKnown
	}
	return nil
}

// follows reports whether a batch comes next.
func follows(p uplink.Place, b uplink.Batch) error {
	if p.Epoch != b.Epoch {
		p = uplink.Place{}
	}
	switch {
	case b.N <= p.N:
		return uplink.ErrKnown
	case b.After != p.N:
		return fmt.Errorf("%w: expected what follows number %d, got what follows %d", uplink.ErrGap, p.N, b.After)
	}
	return nil
}

// Run follows the stream until ctx ends, then closes the connection. Call it once.
func (n *Node) Run(ctx context.Context) error {
	defer n.conn.Close()
	retry, told := retryMin, false
	for seq := uint64(1); ; {
		next, err := n.follow(ctx, seq)
		if ctx.Err() != nil {
			return nil
		}
		if next > seq {
			retry, told = retryMin, false
		}
		seq = next
		if !told {
			n.o.Log.Warn().Err(err).Msg("the stream cannot be followed; it will be tried again")
			told = true
		}
		wait := time.NewTimer(retry)
		select {
		case <-ctx.Done():
			wait.Stop()
			return nil
		case <-wait.C:
		}
		retry = min(2*retry, retryMax)
	}
}

// follow takes batches from a place in the stream on, and returns the place of the next.
func (n *Node) follow(ctx context.Context, seq uint64) (next uint64, err error) {
	stream, err := n.shared(ctx)
	if err != nil {
		return seq, err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: seq})
	if err != nil {
		return seq, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return seq, err
	}
	stop := context.AfterFunc(ctx, messages.Stop)
	defer stop()
	defer messages.Stop()
	for {
		msg, err := messages.Next()
		if err != nil {
			return seq, err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return seq, err
		}
		n.take(msg.Data(), meta.Sequence.Stream, meta.Timestamp)
		seq = meta.Sequence.Stream + 1
	}
}

// take publishes what a batch tells. at is when the stream got it, the same for all nodes.
func (n *Node) take(data []byte, seq uint64, at time.Time) {
	log := n.o.Log.With().Uint64("batch", seq).Logger()
	var b uplink.Batch
	if err := json.Unmarshal(data, &b); err != nil {
		log.Error().Err(err).Msg("a batch of the stream cannot be read")
		return
	}
	changes, faults, err := n.state.Take(b, at.UnixMilli())
	switch {
	case errors.Is(err, uplink.ErrKnown):
		return
	case errors.Is(err, uplink.ErrGap):
		// The stream keeps batches for two weeks: this venue's began before.
		n.state.Skip(b.Venue, uplink.Place{Epoch: b.Epoch, N: b.After})
		changes, faults, err = n.state.Take(b, at.UnixMilli())
	}
	if err != nil {
		log.Error().Err(err).Str("venue", b.Venue).Msg("a batch of the stream is not taken")
		return
	}
	for _, fault := range faults {
		log.Error().Err(fault).Str("venue", b.Venue).Msg("change does not fit the game as it is known here")
	}
	for _, c := range changes {
		n.o.Publish(c)
	}
}
