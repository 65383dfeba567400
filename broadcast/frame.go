package broadcast

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"sync"

	"github.com/gorilla/websocket"
)

// ProtocolVersion is told in the first frame. It changes when a client written for the older one would
// misread something.
const ProtocolVersion = 1

// Frames from the server, one JSON object a WebSocket text frame, told apart by "type":
//
//	{"type":"hello","v":1,"stream":"9f0c…","title":"…"}                         first, once
//	{"type":"snapshot","seq":N,"now_ms":T,"stream":"9f0c…","boards":[Board…]}   all boards after change N
//	{"type":"changes","seq":N,"now_ms":T,"changes":[Change…]}                   changes up to N, without a hole
//	{"type":"tick","seq":N,"now_ms":T}                                          nothing happened; N is still the last
//
// now_ms is the hub's clock when the frame was made (Unix ms, never stepped): the difference to a change's
// time_ms is its age. A changes frame continues from the last number the client has; a client that sees
// a number it did not expect asks for a resume.
//
// Frames from a client, all optional; anything else closes the connection:
//
//	{"type":"resume","stream":"9f0c…","since":N}     what came after N; a snapshot if that is not possible
//	{"type":"resume"}                                a snapshot
//	{"type":"subscribe","boards":[1,2],"rounds":["3"]}   only these from now on, and a snapshot of them; without
//	                                                 either, all again
//
// Who follows some boards only is sent their changes alone; the numbers of the others' are missing, and a frame's seq
// says how far it leads all the same.

// frame is one message encoded once for every client.
type frame struct {
	data  []byte // the message
	plain []byte // as it goes over the wire
	pack  func() []byte
}

// packFrom is the size in bytes from which a message is compressed for those who take that: a shorter one gets longer for
// some and slower for all.
const packFrom = 256

// newFrame makes a frame of a kind of message, which is its opcode (RFC 6455, 5.2).
func newFrame(kind int, data []byte) *frame {
	plain := wireFrame(byte(kind), data)
	f := &frame{data: plain[len(plain)-len(data):], plain: plain}
	f.pack = sync.OnceValue(func() []byte {
		if kind != websocket.TextMessage || len(data) <= packFrom {
			return plain
		}
		return wireFrame(byte(kind)|packedBit, deflated(data))
	})
	return f
}

// wire is the frame for a client that takes compressed messages, or one that does not.
func (f *frame) wire(packs bool) []byte {
	if packs {
		return f.pack()
	}
	return f.plain
}

const (
	finalBit  = 0x80 // the message is one frame
	packedBit = 0x40 // permessage-deflate (RFC 7692, 6)
)

func wireFrame(first byte, payload []byte) []byte {
	b := make([]byte, 0, len(payload)+10)
	b = append(b, finalBit|first)
	switch n := len(payload); {
	case n < 126:
		b = append(b, byte(n))
	case n <= math.MaxUint16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	return append(b, payload...)
}

var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic("broadcast: " + err.Error()) // the level is a constant
	}
	return w
}}

// deflated is a message without context before it, and without the four bytes at its end (RFC 7692, 7.2.1).
func deflated(data []byte) []byte {
	var b bytes.Buffer
	w, _ := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&b)
	w.Write(data) // to memory: no error
	w.Flush()
	return b.Bytes()[:b.Len()-4]
}

func helloFrame(stream, title string) *frame {
	data, err := json.Marshal(struct {
		Type   string `json:"type"`
		V      int    `json:"v"`
		Stream string `json:"stream"`
		Title  string `json:"title,omitempty"`
	}{"hello", ProtocolVersion, stream, title})
	if err != nil {
		panic("broadcast: " + err.Error()) // two strings and a number always encode
	}
	return newFrame(websocket.TextMessage, data)
}

// snapshotJSON names the stream, so that who fetched it by HTTP can go on from there.
func snapshotJSON(stream string, seq uint64, nowMS int64, boards [][]byte) []byte {
	return envelope("snapshot", seq, nowMS, `"stream":`+quote(stream)+`,"boards"`, boards)
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic("broadcast: " + err.Error()) // text always encodes
	}
	return string(data)
}

func changesFrame(seq uint64, nowMS int64, changes [][]byte) *frame {
	return newFrame(websocket.TextMessage, envelope("changes", seq, nowMS, `"changes"`, changes))
}

func tickFrame(seq uint64, nowMS int64) *frame {
	return newFrame(websocket.TextMessage, envelope("tick", seq, nowMS, "", nil))
}

// envelope joins parts that are encoded already; encoding them again for each frame would cost more
// than everything else the hub does.
//
// key is the list's, encoded.
func envelope(kind string, seq uint64, nowMS int64, key string, parts [][]byte) []byte {
	size := 80
	for _, p := range parts {
		size += len(p) + 1
	}
	b := make([]byte, 0, size)
	b = append(b, `{"type":"`...)
	b = append(b, kind...)
	b = append(b, `","seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, `,"now_ms":`...)
	b = strconv.AppendInt(b, nowMS, 10)
	if key != "" {
		b = append(b, ',')
		b = append(b, key...)
		b = append(b, `:[`...)
		b = append(b, bytes.Join(parts, []byte(","))...)
		b = append(b, ']')
	}
	return append(b, '}')
}

// request is what a client may ask.
type request struct {
	Stream     string  // empty: no resume asked, a snapshot
	Since      *uint64 // the last number the client has
	subscribes bool    // to want from now on
	want       want
}

var errRequest = errors.New(`expected {"type":"resume","stream":…,"since":N} or {"type":"subscribe","boards":[…],"rounds":[…]}`)

// parseRequest reads one client message.
func parseRequest(data []byte) (request, error) {
	var m struct {
		Type   string   `json:"type"`
		Stream string   `json:"stream"`
		Since  *uint64  `json:"since"`
		Boards []int    `json:"boards"`
		Rounds []string `json:"rounds"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return request{}, fmt.Errorf("%w: %w", errRequest, err)
	}
	if dec.More() {
		return request{}, fmt.Errorf("%w: got more than one object", errRequest)
	}
	switch {
	case m.Type == "resume" && m.Boards == nil && m.Rounds == nil:
		return request{Stream: m.Stream, Since: m.Since}, nil
	case m.Type == "subscribe" && m.Stream == "" && m.Since == nil:
		w, err := newWant(m.Boards, m.Rounds)
		if err != nil {
			return request{}, fmt.Errorf("%w: %w", errRequest, err)
		}
		return request{subscribes: true, want: w}, nil
	}
	return request{}, fmt.Errorf("%w: got type %q with other fields", errRequest, m.Type)
}

// parseQuery reads the same from the address, ?stream=…&since=N&boards=1,2&rounds=3; a number to resume from that
// cannot be read asks for a snapshot, since a stale bookmark must not keep anyone out.
func parseQuery(q url.Values) (request, error) {
	w, err := parseWant(q.Get("boards"), q.Get("rounds"))
	if err != nil {
		return request{}, err
	}
	req := request{want: w}
	if n, err := strconv.ParseUint(q.Get("since"), 10, 64); err == nil {
		req.Stream, req.Since = q.Get("stream"), &n
	}
	return req, nil
}
