package lcc

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Move is a move with its times, in whole seconds. In a file it is one text: "Nf3", "Nf3 1852", "Nf3 +26" or
// "Nf3 1852+26".
type Move struct {
	SAN string
	// Clock is the mover's clock after the move, increment included; nil when it is not known. LiveChess leaves out
	// both times of a move that it has guessed.
	Clock *int
	// Spent is the time used for the move; nil when it was not measured.
	Spent *int
}

// noClock is more than any chess clock shows; a number from there on is a negative time wrapped round, or no time.
const noClock = int(10 * time.Hour / time.Second)

// ParseMove reads the text of a move. A time that no chess clock shows is left out.
func ParseMove(text string) (Move, error) {
	fields := strings.Fields(text)
	if len(fields) < 1 || len(fields) > 2 {
		return Move{}, fmt.Errorf(`expected a move with its times, as in "Nf3 1852+26", got %.60q`, text)
	}
	m := Move{SAN: fields[0]}
	if len(fields) == 1 {
		return m, nil
	}
	clock, spent, has := strings.Cut(fields[1], "+")
	var err error
	if clock != "" || !has {
		m.Clock, err = seconds(clock)
	}
	if has && err == nil {
		m.Spent, err = seconds(spent)
	}
	if err != nil {
		return Move{}, fmt.Errorf("move %.60q: %w", text, err)
	}
	return m, nil
}

func seconds(text string) (*int, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return nil, fmt.Errorf(`expected whole seconds, as in "1852", "+26" or "1852+26", got %.40q`, text)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n >= noClock {
		return nil, nil
	}
	return &n, nil
}

// String is the text that ParseMove reads.
func (m Move) String() string {
	text := m.SAN
	if m.Clock != nil || m.Spent != nil {
		text += " "
	}
	if m.Clock != nil {
		text += strconv.Itoa(*m.Clock)
	}
	if m.Spent != nil {
		text += "+" + strconv.Itoa(*m.Spent)
	}
	return text
}

// MarshalText is String.
func (m Move) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads a move; faults are those of ParseMove.
func (m *Move) UnmarshalJSON(data []byte) (err error) {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("moves: expected a text, got %.40s", data)
	}
	*m, err = ParseMove(text)
	return err
}
