package livechess

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// kind is what a client asks for.
type kind uint8

const (
	askEBoards kind = iota
	askSources
	askSubscribe
	askUnsubscribe
	askSetup
	askFlip
)

// request is one call of a client.
type request struct {
	kind kind
	id   json.RawMessage // a JSON number, as it came

	feed   feedID // of subscribe, unsubscribe, setup and flip
	serial string // of subscribe
	fen    string // of setup
	flip   bool   // of flip
}

// feedID names a feed of one socket.
type feedID struct {
	text  json.RawMessage // as it came: it is sent back so
	value float64
}

// idLimit is how long a number may be: 2^64 has 20 digits.
const idLimit = 24

// parseRequest reads a call. Keys that the API does not have are passed over, as browsers' programs send some. The id is set
// with an error too, so that it can be answered: 0 where none could be read.
func parseRequest(data []byte) (request, error) {
	r := request{id: json.RawMessage("0")}
	var raw struct {
		ID    json.RawMessage `json:"id"`
		Call  json.RawMessage `json:"call"`
		Param json.RawMessage `json:"param"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return r, fmt.Errorf("expected a JSON object with call, id and param, got %s", reason(err))
	}
	if _, err := number("id", raw.ID); err != nil {
		return r, err
	}
	r.id = raw.ID
	call, err := text("call", raw.Call)
	if err != nil {
		return r, err
	}
	switch call {
	case "eboards":
		r.kind = askEBoards
	case "sources":
		r.kind = askSources
	case "subscribe":
		err = r.subscribe(raw.Param)
	case "unsubscribe":
		r.kind = askUnsubscribe
		var p struct {
			ID json.RawMessage `json:"id"`
		}
		if err = object("param", raw.Param, &p); err == nil {
			err = r.of("param.id", p.ID)
		}
	case "call":
		err = r.method(raw.Param)
	default:
		err = fmt.Errorf("unknown call %s: expected eboards, sources, subscribe, unsubscribe or call", quote(call))
	}
	return r, err
}

func (r *request) subscribe(param json.RawMessage) error {
	r.kind = askSubscribe
	var p struct {
		Feed  json.RawMessage `json:"feed"`
		ID    json.RawMessage `json:"id"`
		Param json.RawMessage `json:"param"`
	}
	if err := object("param", param, &p); err != nil {
		return err
	}
	feed, err := text("param.feed", p.Feed)
	if err != nil {
		return err
	}
	if feed != "eboardevent" {
		return fmt.Errorf("unknown feed %s: expected eboardevent", quote(feed))
	}
	if err := r.of("param.id", p.ID); err != nil {
		return err
	}
	var inner struct {
		Serial json.RawMessage `json:"serialnr"`
	}
	if err := object("param.param", p.Param, &inner); err != nil {
		return err
	}
	r.serial, err = text("param.param.serialnr", inner.Serial)
	return err
}

// method reads setup and flip. One client asks for a flip by the name of setup, another has the flag under the key fen; both
// mean flip (fact sheet, A.3).
func (r *request) method(param json.RawMessage) error {
	var p struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Param  json.RawMessage `json:"param"`
	}
	if err := object("param", param, &p); err != nil {
		return err
	}
	if err := r.of("param.id", p.ID); err != nil {
		return err
	}
	method, err := text("param.method", p.Method)
	if err != nil {
		return err
	}
	if method != "setup" && method != "flip" {
		return fmt.Errorf("unknown method %s: expected setup or flip", quote(method))
	}
	var inner struct {
		FEN  json.RawMessage `json:"fen"`
		Flip json.RawMessage `json:"flip"`
	}
	if err := object("param.param", p.Param, &inner); err != nil {
		return err
	}
	for _, flag := range []json.RawMessage{inner.Flip, inner.FEN} {
		set, isFlag := boolean(flag)
		if isFlag && (method == "flip" || len(inner.FEN) == 0 || inner.FEN[0] != '"') {
			r.kind, r.flip = askFlip, set
			return nil
		}
	}
	if method == "flip" {
		return errors.New("param.param.flip: expected true or false")
	}
	r.kind = askSetup
	r.fen, err = text("param.param.fen", inner.FEN)
	return err
}

func (r *request) of(where string, id json.RawMessage) (err error) {
	value, err := number(where, id)
	r.feed = feedID{id, value}
	return err
}

func object(where string, data json.RawMessage, into any) error {
	if len(data) == 0 || data[0] != '{' {
		return fmt.Errorf("%s: expected an object, got %s", where, show(data))
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %s", where, reason(err)) // the whole has been read before: only what is not an object is left
	}
	return nil
}

func number(where string, data json.RawMessage) (float64, error) {
	value, err := strconv.ParseFloat(string(data), 64)
	if err != nil || !json.Valid(data) || len(data) > idLimit || value < 0 {
		return 0, fmt.Errorf("%s: expected a number from 0 on, got %s", where, show(data))
	}
	return value, nil
}

func text(where string, data json.RawMessage) (string, error) {
	var s string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &s) != nil {
		return "", fmt.Errorf("%s: expected a text, got %s", where, show(data))
	}
	return s, nil
}

func boolean(data json.RawMessage) (value, is bool) {
	return bytes.Equal(data, []byte("true")), bytes.Equal(data, []byte("true")) || bytes.Equal(data, []byte("false"))
}

// show tells what came, cut to what fits a message.
func show(data json.RawMessage) string {
	const limit = 60
	switch {
	case len(data) == 0:
		return "none"
	case len(data) > limit:
		return string(bytes.ToValidUTF8(data[:limit], nil)) + "..."
	}
	return string(data)
}

func quote(s string) string { return show(json.RawMessage(strconv.Quote(s))) }

func reason(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("%v at byte %d", syntax, syntax.Offset)
	}
	return "something else"
}
