package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/broadcast/lichess"
	"boardd/venue"
)

func TestAskLichess(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("lip_0123456789abcdefghij\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		status  int
		body    string
		request lichess.Request
		said    string
		err     string
	}{
		{"a push without games", 400, `{"error":"no games"}`, lichess.Request{}, "Round and token are right.", ""},
		{"taken", 200, `{"games":[]}`, lichess.Request{}, "Round and token are right.", ""},
		{"a reset", 200, `{"ok":true}`, lichess.Request{Reset: true}, "The round is empty", ""},
		{"a wrong token", 401, `{"error":"no"}`, lichess.Request{}, "", "the token is not accepted"},
		{"no such round", 404, `{"error":"no"}`, lichess.Request{}, "", "round AbCd1234 is not known"},
		{"a page of somebody else", 200, "<html>sign in</html>", lichess.Request{}, "", "got something else with status 200"},
		{"trouble", 503, "", lichess.Request{}, "", "got 503"},
	}
	for _, tt := range tests {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			w.Write([]byte(tt.body))
		}))
		c := venue.Config{Lichess: venue.LichessConfig{Round: "AbCd1234", TokenFile: token, URL: server.URL}}
		said, err := askLichess(t.Context(), c, tt.request)
		server.Close()
		if !strings.Contains(said, tt.said) || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q, error %v", tt.name, said, err)
		}
		if err != nil && strings.Contains(err.Error(), "lip_") {
			t.Errorf("%s: the error names the token: %v", tt.name, err)
		}
	}
	if _, err := askLichess(t.Context(), venue.Config{}, lichess.Request{}); err == nil {
		t.Error("no broadcast is no error")
	}
}
