package uplink

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"boardd/broadcast"
)

// Version of the talk between a venue and a hub. The venue opens a WebSocket with its
// token in the header Authorization ("Bearer ..."), and then, one JSON object a text frame:
//
//	venue  {"type":"hello","v":1,"epoch":E}
//	hub    {"type":"have","n":N}                       the last number it has of that epoch, 0 for none
//	venue  {"type":"facts","after":N,"n":M,"changes":[Change...]}
//	hub    {"type":"ack","n":M}
//	hub    {"type":"error","error":"..."}              and it closes
//
// Numbers are those of the venue's record, and rise; every facts frame says after which it
// comes. Nothing is sent that has not been waiting for its delay.
const Version = 1

// Limits of the talk.
const (
	// frameMax bounds a frame, in bytes: a game of 600 half-moves that is replaced whole
	// takes 60 kB.
	frameMax = 1 << 20
	// factsMax is what a venue puts into a facts frame at most, in bytes, unless one moment alone
	// is more. NATS takes no more than 1 MB with what a hub adds.
	factsMax = frameMax / 2
	// window is how many facts frames may wait for their ack.
	window = 16
	// batchMax is about how many changes one facts frame has.
	batchMax = 200
)

// Batch is what a facts frame tells, with who tells it.
type Batch struct {
	Venue   string             `json:"venue"`
	Epoch   string             `json:"epoch"`
	After   uint64             `json:"after"`
	N       uint64             `json:"n"`
	Changes []broadcast.Change `json:"changes"`
}

// message is any frame.
type message struct {
	Type    string             `json:"type"`
	V       int                `json:"v,omitempty"`
	Epoch   string             `json:"epoch,omitempty"`
	After   uint64             `json:"after,omitempty"`
	N       uint64             `json:"n,omitempty"`
	Changes []broadcast.Change `json:"changes,omitempty"`
	Error   string             `json:"error,omitempty"`
}

// The types of message.
const (
	typeHello = "hello"
	typeHave  = "have"
	typeFacts = "facts"
	typeAck   = "ack"
	typeError = "error"
)

var errFrame = errors.New("expected one JSON object with a type that belongs here")

// parse reads a frame of one of these types.
func parse(data []byte, types ...string) (m message, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&m); err != nil {
		return m, fmt.Errorf("%w: %w", errFrame, err)
	}
	if dec.More() {
		return m, fmt.Errorf("%w: got more than one", errFrame)
	}
	for _, t := range types {
		if m.Type == t {
			return m, m.check()
		}
	}
	return m, fmt.Errorf("%w: expected %q, got %q", errFrame, types, clip(m.Type))
}

// check tells whether a message is complete in itself.
func (m *message) check() error {
	switch {
	case m.Type == typeHello && m.V != Version:
		return fmt.Errorf("%w: expected version %d, got %d; the older of the two has to be updated", errFrame, Version, m.V)
	case m.Type == typeHello && (m.Epoch == "" || len(m.Epoch) > 100):
		return fmt.Errorf("%w: expected an epoch of 1 to 100 bytes, got %d", errFrame, len(m.Epoch))
	case m.Type == typeFacts && m.N <= m.After:
		return fmt.Errorf("%w: expected a number above %d, got %d", errFrame, m.After, m.N)
	}
	return nil
}

func clip(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

func encode(m message) []byte {
	data, err := json.Marshal(m)
	if err != nil {
		panic("uplink: " + err.Error()) // strings, numbers and changes always encode
	}
	return data
}
