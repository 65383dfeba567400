package shelf

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"boardd/dgt/tape"
)

// Info is what a tape says of itself.
type Info struct {
	Table        int // 0 when it does not say
	Round        string
	White, Black string
	Serial       string        // of the board
	Start        time.Time     // of the session: the tape's time 0; zero when it does not say
	First, Last  time.Duration // of its events, since Start, in ms
	Events       int
	Torn         bool // the last line was cut off by a crash
}

// Begun is when the tape's first event was, by the calendar of the machine.
func (i Info) Begun() time.Time {
	if i.Start.IsZero() {
		return i.Start
	}
	return i.Start.Add(i.First)
}

// Length is the time from the first to the last event.
func (i Info) Length() time.Duration { return i.Last - i.First }

// State is "recording", "compressed" or "plain".
func (t Tape) State() string {
	switch {
	case t.Recording:
		return "recording"
	case t.Compressed:
		return "compressed"
	}
	return "plain"
}

// Header reads what a tape says before its first event.
func (t Tape) Header() (Info, error) {
	var i Info
	err := t.scan(func(s *tape.Scanner) error {
		i = infoOf(s.Start(), s.Header())
		return nil
	})
	return i, err
}

// Info reads the whole tape. What could be read stands in it in spite of an error.
func (t Tape) Info() (Info, error) {
	var i Info
	err := t.scan(func(s *tape.Scanner) error {
		i = infoOf(s.Start(), s.Header())
		for s.Scan() {
			at := s.Event().At
			if i.Events == 0 {
				i.First = at
			}
			i.Events, i.Last = i.Events+1, at
		}
		i.Torn = s.Torn()
		return s.Err()
	})
	return i, err
}

func (t Tape) scan(f func(*tape.Scanner) error) (err error) {
	r, err := tape.Open(t.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s, err := tape.NewScanner(r, t.Name)
	if err != nil {
		return err
	}
	return f(s)
}

func infoOf(start time.Time, h tape.Header) Info {
	i := Info{Round: h.Get("round"), White: h.Get("white"), Black: h.Get("black"), Serial: h.Get("serial"), Start: start}
	table := h.Get("table")
	if table == "" {
		table = strings.TrimPrefix(h.Get("note"), "table ") // tapes of boardd before it had the key
	}
	if n, err := strconv.Atoi(table); err == nil && n > 0 {
		i.Table = n
	}
	return i
}
