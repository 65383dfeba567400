package livechess

import (
	"encoding/json"
	"strings"
	"testing"

	"boardd/rules"
)

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"call":"eboards"}`, `{"id":1,"call":"sources","param":null}`, listen, setup,
		`{"id":4,"call":"unsubscribe","param":{"id":1}}`,
		`{"id":7,"call":"call","param":{"method":"setup","id":1,"param":{"flip":true}}}`,
		`{"id":7,"call":"call","param":{"method":"flip","id":1,"param":{"fen":false}}}`,
		`{"id":1e400}`, `{"id":-0}`, "", "\xff", "[", `{"id":0,"call":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseRequest(data)
		if !json.Valid(r.id) || r.id[0] == '"' {
			t.Errorf("the id of an answer is %s", r.id)
		}
		switch {
		case err != nil:
			if err.Error() == "" || len(err.Error()) > 400 {
				t.Errorf("message of %d bytes: %v", len(err.Error()), err)
			}
		case r.kind >= askSubscribe && !json.Valid(r.feed.text):
			t.Errorf("the id of the feed is %s", r.feed.text)
		case r.kind == askSubscribe && strings.Contains(r.serial, "\xff"):
			t.Errorf("serial %q", r.serial)
		}
		// A hall takes whatever a client sends.
		s := newStage(t, Options{})
		c := s.client()
		s.show("48096", rules.StartFEN)
		s.call(c, listen)
		s.take(c)
		s.call(c, string(data))
		for _, frame := range s.take(c) {
			if !json.Valid([]byte(frame)) {
				t.Errorf("not JSON: %s", frame)
			}
		}
	})
}
