package notify

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const secret = "0123456789abcdef0123"

func webhook(t *testing.T, h http.HandlerFunc) *Webhook {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	w, err := NewWebhook(server.URL+"/hooks/s3cr3t-path?key=s3cr3t-key", secret)
	if err != nil {
		t.Fatal(err)
	}
	w.now = func() time.Time { return time.Unix(1796126400, 0) }
	return w
}

func TestSign(t *testing.T) {
	// printf '1796126400.{}' | openssl dgst -sha256 -hmac 0123456789abcdef0123
	const want = "sha256=b883f774e897b0eadc28762b8eae89495386c59a235b060a8f7cd35a7ea9c374"
	if got := Sign(secret, "1796126400", []byte("{}")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWebhookIsSignedJSON(t *testing.T) {
	var got WebhookBody
	w := webhook(t, func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if stamp := r.Header.Get(TimestampHeader); stamp != "1796126400" || r.Header.Get(SignatureHeader) != Sign(secret, stamp, body) {
			t.Errorf("timestamp %q, signature %q", stamp, r.Header.Get(SignatureHeader))
		}
		if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s, %s", r.Method, r.Header.Get("Content-Type"))
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Error(err)
		}
	})
	n := raised(3, "clock.flag")
	n.ID, n.Ply = "x-1", 7
	if err := w.Send(t.Context(), "Club", Message{Notes: []Note{n}, More: 12}); err != nil {
		t.Fatal(err)
	}
	if got.Version != 1 || got.Title != "Club" || got.More != 12 || got.Test || len(got.Notes) != 1 || got.Notes[0] != n ||
		got.Text != "12:00:00 table 3: clock.flag: what happened (move 4)\nand 12 more" {
		t.Errorf("got %+v", got)
	}
}

func TestWebhookFailures(t *testing.T) {
	for _, tt := range []struct {
		status int
		after  string
		wait   time.Duration
		want   string
	}{
		{http.StatusOK, "", 0, ""},
		{http.StatusNoContent, "", 0, ""},
		{http.StatusFound, "", 0, "got 302 Found"}, // a redirect is not followed: the body is for one reader
		{http.StatusForbidden, "", 0, "got 403 Forbidden"},
		{http.StatusTooManyRequests, "90", 90 * time.Second, "got 429 Too Many Requests"},
		{http.StatusServiceUnavailable, "99999999", time.Hour, "got 503 Service Unavailable"},
		{http.StatusServiceUnavailable, "Tue", 0, "got 503 Service Unavailable"},
	} {
		asked := 0
		w := webhook(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			w.Header().Set("Location", "/elsewhere")
			if tt.after != "" {
				w.Header().Set("Retry-After", tt.after)
			}
			w.WriteHeader(tt.status)
		})
		err := w.Send(t.Context(), "Club", Message{Test: true})
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) || asked != 1 {
			t.Errorf("%d: %v after %d requests, want %q", tt.status, err, asked, tt.want)
		}
		if got := waitOf(err); got != tt.wait {
			t.Errorf("%d, %q: wait %s, want %s", tt.status, tt.after, got, tt.wait)
		}
	}
}

func TestWebhookErrorsTellNoSecret(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	w, err := NewWebhook(address+"/hooks/s3cr3t-path?key=s3cr3t-key", secret)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Send(t.Context(), "Club", Message{Test: true})
	if err == nil || strings.Contains(err.Error(), "s3cr3t") || !strings.Contains(err.Error(), "refused") {
		t.Errorf("got %v, want that the connection was refused, and no address", err)
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		if strings.Contains(inner.Error(), "s3cr3t") {
			t.Errorf("an inner error tells: %v", inner)
		}
	}
}

func TestNewWebhookRefuses(t *testing.T) {
	for _, tt := range []struct{ address, secret string }{
		{"", secret}, {"ftp://s3cr3t.example/", secret}, {"https://", secret}, {"https://a\x7fs3cr3t", secret}, {"https://s3cr3t.example/", ""},
	} {
		if _, err := NewWebhook(tt.address, tt.secret); err == nil || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: got %v, want an error without the address", tt.address, err)
		}
	}
}
