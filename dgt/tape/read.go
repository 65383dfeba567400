package tape

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// MaxLine is the longest line a reader takes, in bytes. The longest message of
// a board, 16383 bytes, is 32766 digits.
const MaxLine = 1 << 20

// ErrSyntax is wrapped by every error about a tape's content. The error's text
// begins with "name:line: ".
var ErrSyntax = errors.New("bad tape")

// Read reads a whole tape; name is for error messages. The error wraps
// ErrSyntax or is r's own.
func Read(r io.Reader, name string) (*Tape, error) {
	s, err := NewScanner(r, name)
	if err != nil {
		return nil, err
	}
	t := &Tape{}
	for s.Scan() {
		t.Events = append(t.Events, s.Event())
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	t.Start, t.Header, t.Torn = s.Start(), s.Header(), s.Torn()
	return t, nil
}

// Scanner reads a tape one event at a time.
type Scanner struct {
	r      *bufio.Reader
	name   string
	line   int
	start  time.Time
	header Header
	event  Event
	ready  bool // event was read ahead, to get past the header
	last   time.Duration
	torn   bool
	err    error
}

// NewScanner reads the first line and the header.
func NewScanner(r io.Reader, name string) (*Scanner, error) {
	s := &Scanner{r: bufio.NewReaderSize(r, 4096), name: name}
	first, _, err := s.readLine()
	if err != nil && err != io.EOF {
		return nil, err
	}
	if first != Magic {
		return nil, s.syntax("%q as the first line", first, Magic)
	}
	s.ready = s.next(true)
	if s.err != nil {
		return nil, s.err
	}
	return s, nil
}

// Scan goes to the next event. It returns false at the end and on an error.
func (s *Scanner) Scan() bool {
	if s.ready {
		s.ready = false
		return true
	}
	return s.next(false)
}

// Event returns the current event. Its Data is not used again.
func (s *Scanner) Event() Event { return s.event }

// Header returns the header lines.
func (s *Scanner) Header() Header { return s.header }

// Start returns the start time, zero if the header has none.
func (s *Scanner) Start() time.Time { return s.start }

// Torn reports whether the last line had no end and made no sense: the
// recorder was killed while writing it.
func (s *Scanner) Torn() bool { return s.torn }

// Err returns the error that ended the scan, nil at the end of the tape.
func (s *Scanner) Err() error { return s.err }

func (s *Scanner) next(inHeader bool) bool {
	for s.err == nil {
		line, whole, err := s.readLine()
		if err == io.EOF {
			return false
		}
		if err != nil {
			s.err = err
			return false
		}
		switch {
		case line == "":
		case line[0] == '#':
			if !inHeader {
				continue
			}
			if err := s.field(line); err != nil && !whole {
				s.torn = true
				return false
			} else {
				s.err = err
			}
		default:
			e, err := s.parse(line)
			if err == nil {
				s.event, s.last = e, e.At
				return true
			}
			if !whole {
				s.torn = true
				return false
			}
			s.err = err
		}
	}
	return false
}

// readLine returns the next line without its end; whole is false if the file
// ended before the line did.
func (s *Scanner) readLine() (line string, whole bool, err error) {
	s.line++
	var long []byte
	for {
		part, err := s.r.ReadSlice('\n')
		if len(long)+len(part) > MaxLine {
			return "", false, s.syntax("a line of at most %d bytes", "a longer one", MaxLine)
		}
		switch {
		case err == bufio.ErrBufferFull:
			long = append(long, part...)
			continue
		case err != nil && err != io.EOF:
			return "", false, fmt.Errorf("%s:%d: %w", s.name, s.line, err)
		case err == io.EOF && len(long)+len(part) == 0:
			return "", false, io.EOF
		}
		if long != nil {
			part = append(long, part...)
		}
		whole := err == nil
		part = bytes.TrimSuffix(part, []byte("\n"))
		part = bytes.TrimSuffix(part, []byte("\r"))
		if bytes.IndexByte(part, '\r') >= 0 {
			return "", false, s.syntax("a line without carriage returns", string(part))
		}
		return string(part), whole, nil
	}
}

func (s *Scanner) field(line string) error {
	key, value, ok := strings.Cut(strings.TrimPrefix(line, "#"), ":")
	f := Field{strings.TrimSpace(key), strings.TrimSpace(value)}
	if !ok || f.Key == "" {
		return nil // a comment
	}
	if f.Key == "start" {
		t, err := time.Parse(time.RFC3339Nano, f.Value)
		if err != nil {
			return s.syntax("a start like 2026-11-30T10:00:00Z", f.Value)
		}
		s.start = t
	}
	s.header = append(s.header, f)
	return nil
}

func (s *Scanner) parse(line string) (Event, error) {
	e := Event{Line: s.line}
	at, rest, _ := strings.Cut(line, " ")
	ms, err := strconv.ParseUint(at, 10, 64)
	if err != nil || ms > math.MaxInt64/uint64(time.Millisecond) {
		return e, s.syntax("milliseconds since the start", at)
	}
	e.At = time.Duration(ms) * time.Millisecond
	if e.At < s.last {
		return e, s.syntax("a time of at least %d", at, s.last.Milliseconds())
	}
	mark, payload, _ := strings.Cut(rest, " ")
	if len(mark) != 1 {
		return e, s.syntax("one of < > ! @ after the time", mark)
	}
	e.Kind = Kind(mark[0])
	payload = strings.TrimSpace(payload)
	switch e.Kind {
	case Received, Sent:
		e.Data, err = hex.DecodeString(payload)
		if err != nil || len(e.Data) == 0 {
			return e, s.syntax("pairs of hex digits", payload)
		}
	case Link:
		if payload != LinkDown && payload != LinkUp {
			return e, s.syntax("down or up", payload)
		}
		e.Text = payload
	case Order:
		if payload == "" {
			return e, s.syntax("an order", payload)
		}
		e.Text = payload
	default:
		return e, s.syntax("one of < > ! @ after the time", mark)
	}
	return e, nil
}

// syntax makes an error of the form "name:line: expected X, got Y".
func (s *Scanner) syntax(expected, got string, args ...any) error {
	const most = 40
	if len(got) > most {
		got = got[:most] + "..."
	}
	return fmt.Errorf("%s:%d: expected %s, got %q (%w)", s.name, s.line, fmt.Sprintf(expected, args...), got, ErrSyntax)
}
