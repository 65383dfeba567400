package tape

import (
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Writer records a tape. Every event is one call of the underlying Write, so a
// crash can tear only the last line. It is not safe for concurrent use.
//
// The first error of the underlying writer sticks: the tape ends there, and
// every later call returns it. An event that cannot be written as a line is
// refused with an error that does not stick.
type Writer struct {
	w    io.Writer
	buf  []byte
	last int64 // ms
	err  error
}

// NewWriter writes the first line and the header. For the start time use a
// field as made by StartField.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	t := &Writer{w: w}
	t.buf = append(t.buf, Magic...)
	t.buf = append(t.buf, '\n')
	for _, f := range h {
		if strings.ContainsAny(f.Key, ":\r\n") || strings.TrimSpace(f.Key) != f.Key || f.Key == "" {
			return nil, fmt.Errorf("tape: expected a header key without colons and line ends, got %q", f.Key)
		}
		if err := oneLine("header value", f.Value); err != nil {
			return nil, err
		}
		t.buf = append(append(append(append(append(t.buf, "# "...), f.Key...), ": "...), f.Value...), '\n')
	}
	if err := t.flush(); err != nil {
		return nil, err
	}
	return t, nil
}

// StartField returns the header field for a start time, in UTC.
func StartField(t time.Time) Field {
	return Field{"start", t.UTC().Format(time.RFC3339Nano)}
}

// Bytes records data that went one way, which is Received or Sent. No bytes
// are no event.
func (t *Writer) Bytes(at time.Duration, way Kind, data []byte) error {
	if way != Received && way != Sent {
		return fmt.Errorf("tape: expected received or sent, got %v", way)
	}
	if len(data) == 0 {
		return t.err
	}
	const most = (MaxLine - 64) / 2 // a line must stay below what a reader takes
	for ; len(data) > most; data = data[most:] {
		if err := t.bytes(at, way, data[:most]); err != nil {
			return err
		}
	}
	return t.bytes(at, way, data)
}

func (t *Writer) bytes(at time.Duration, way Kind, data []byte) error {
	t.begin(at, way)
	t.buf = hex.AppendEncode(t.buf, data)
	t.buf = append(t.buf, '\n')
	return t.flush()
}

// Link records that the link went up or down.
func (t *Writer) Link(at time.Duration, up bool) error {
	text := LinkDown
	if up {
		text = LinkUp
	}
	return t.text(at, Link, text)
}

// Order records an order, such as "result 1-0". Spaces around it are lost.
func (t *Writer) Order(at time.Duration, text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return fmt.Errorf("tape: expected an order, got none")
	}
	if err := oneLine("order", text); err != nil {
		return err
	}
	return t.text(at, Order, text)
}

// Event records e as a reader gave it, without its line number.
func (t *Writer) Event(e Event) error {
	switch e.Kind {
	case Received, Sent:
		return t.Bytes(e.At, e.Kind, e.Data)
	case Link:
		return t.Link(e.At, e.Text == LinkUp)
	case Order:
		return t.Order(e.At, e.Text)
	}
	return fmt.Errorf("tape: expected a known kind of event, got %q", byte(e.Kind))
}

// Comment records a line that readers pass over.
func (t *Writer) Comment(text string) error {
	if err := oneLine("comment", text); err != nil {
		return err
	}
	t.buf = append(append(append(t.buf[:0], "# "...), text...), '\n')
	return t.flush()
}

func (t *Writer) text(at time.Duration, k Kind, text string) error {
	t.begin(at, k)
	t.buf = append(append(t.buf, text...), '\n')
	return t.flush()
}

// begin starts a line. Times on a tape never decrease, so one that is behind
// the last is brought up to it; the order of events is what counts.
func (t *Writer) begin(at time.Duration, k Kind) {
	t.last = max(t.last, at.Milliseconds())
	t.buf = strconv.AppendInt(t.buf[:0], t.last, 10)
	t.buf = append(t.buf, ' ', byte(k), ' ')
}

func (t *Writer) flush() error {
	if t.err != nil {
		return t.err
	}
	n, err := t.w.Write(t.buf)
	if err == nil && n < len(t.buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		t.err = fmt.Errorf("tape: write: %w", err)
	}
	return t.err
}

func oneLine(what, s string) error {
	if strings.ContainsAny(s, "\r\n") {
		return fmt.Errorf("tape: expected a %s of one line, got %q", what, s)
	}
	if len(s) > MaxLine/2 {
		return fmt.Errorf("tape: expected a %s of at most %d bytes, got %d", what, MaxLine/2, len(s))
	}
	return nil
}
