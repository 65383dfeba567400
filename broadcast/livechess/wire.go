package livechess

import (
	"encoding/json"
	"time"
)

// The objects of the API. Strict clients fail on a key that they do not know, so each has exactly these (fact sheet,
// A.2 to A.5).

// States of an EBoard.
const (
	stateActive        = "ACTIVE"
	stateDelayed       = "DELAYED"       // what is shown lags behind the board
	stateNotResponding = "NOTRESPONDING" // the line is lost
)

type eboard struct {
	Serial  string  `json:"serialnr"`
	Source  *string `json:"source"`
	State   *string `json:"state"`
	Battery *string `json:"battery"`
	Comment *string `json:"comment"`
	Board   *string `json:"board"`
	Flipped bool    `json:"flipped"`
	Clock   *Clock  `json:"clock"`
}

// Clock is a reading of both clocks.
type Clock struct {
	// White and Black are whole seconds.
	White int `json:"white"`
	Black int `json:"black"`
	// Run is whose clock runs: true White's, false Black's, nil neither.
	Run *bool `json:"run"`
	// Time is when the reading was taken, in Unix ms.
	Time int64 `json:"time"`
}

// newClock makes a reading of what both sides showed at a time.
func newClock(white, black time.Duration, run *bool, at time.Time) *Clock {
	return &Clock{White: int(white / time.Second), Black: int(black / time.Second), Run: run, Time: at.UnixMilli()}
}

// sameRun reports whether both tell of the same clock running.
func (c *Clock) sameRun(d *Clock) bool {
	if c == nil || d == nil {
		return c == d
	}
	if c.Run == nil || d.Run == nil {
		return c.Run == d.Run
	}
	return *c.Run == *d.Run
}

// sameTimes reports whether both show the same.
func (c *Clock) sameTimes(d *Clock) bool {
	if c == nil || d == nil {
		return c == d
	}
	return c.White == d.White && c.Black == d.Black
}

type source struct {
	Type    string  `json:"type"`
	Device  string  `json:"device"`
	Name    *string `json:"name"`
	Present bool    `json:"present"`
	Active  bool    `json:"active"`
	Status  *string `json:"status"`
}

// event is the param of an eboardevent. What is left out has not changed.
type event struct {
	Serial  string          `json:"serialnr"`
	Flipped bool            `json:"flipped"`
	Board   *string         `json:"board,omitempty"`
	Clock   json.RawMessage `json:"clock,omitempty"` // an object or null
	Start   string          `json:"start,omitempty"`
	SAN     []string        `json:"san,omitzero"` // the whole list; empty is not left out
	Match   *bool           `json:"match,omitempty"`
}

// message is what every frame of the server is.
type message struct {
	Response string          `json:"response"` // call, feed or error
	ID       json.RawMessage `json:"id"`       // of the call, or of the feed; as the client wrote it
	Param    any             `json:"param"`
	Time     int64           `json:"time"` // Unix ms
}

type fault struct {
	Message string `json:"message"`
}

// encode gives the JSON of one of the objects above, which always have one.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("livechess: " + err.Error())
	}
	return data
}

func frame(now time.Time, response string, id json.RawMessage, param any) []byte {
	return encode(message{response, id, param, now.UnixMilli()})
}

// orNull is a text, or null where there is none.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// pretty writes compact JSON the way LiveChess does, with a space on both sides of each colon: scripts look for that.
func pretty(compact []byte) []byte {
	var out []byte
	depth, quoted := 0, false
	line := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, ' ', ' ')
		}
	}
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		switch {
		case quoted && c == '\\':
			out = append(out, c, compact[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
			out = append(out, c)
		case quoted:
			out = append(out, c)
		case c == ':':
			out = append(out, " : "...)
		case c == ',':
			out = append(out, c)
			line()
		case (c == '{' || c == '[') && (compact[i+1] == '}' || compact[i+1] == ']'):
			out = append(out, c, ' ', compact[i+1])
			i++
		case c == '{' || c == '[':
			out = append(out, c)
			depth++
			line()
		case c == '}' || c == ']':
			depth--
			line()
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '\n')
}
