package notify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Sender takes a message to where a target reads it, until ctx ends. It is called by one goroutine at a time. Its
// errors hold no secret of the address.
type Sender interface {
	Send(ctx context.Context, title string, m Message) error
}

// WaitError is a failure with how long the other side asked to be left alone.
type WaitError struct {
	Err  error
	Wait time.Duration
}

func (e *WaitError) Error() string { return fmt.Sprintf("%v; asked to wait %s", e.Err, e.Wait) }
func (e *WaitError) Unwrap() error { return e.Err }

func waitOf(err error) time.Duration {
	var wait *WaitError
	if errors.As(err, &wait) {
		return wait.Wait
	}
	return 0
}

// Text is a message for people: a line for each note, and how many more there were.
func (m *Message) Text() string {
	if m.Test {
		return "This is a test of boardd's notifications. Nothing has happened."
	}
	lines := make([]string, 0, len(m.Notes)+1)
	for i := range m.Notes {
		lines = append(lines, m.Notes[i].Line())
	}
	switch {
	case m.More > 0 && len(lines) > 0:
		lines = append(lines, fmt.Sprintf("and %d more", m.More))
	case m.More > 0:
		lines = append(lines, fmt.Sprintf("%d alerts", m.More))
	}
	return strings.Join(lines, "\n")
}
