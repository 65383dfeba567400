package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// The headers of a webhook's request.
const (
	// TimestampHeader is the time of sending, in Unix seconds.
	TimestampHeader = "X-Boardd-Timestamp"
	// SignatureHeader is what [Sign] gives.
	SignatureHeader = "X-Boardd-Signature"
)

// WebhookLines is the Lines of a webhook: a program reads all of them.
const WebhookLines = queueMax

// Sign is "sha256=" and, in hexadecimal, the HMAC-SHA256 of timestamp, a dot and the body. Who receives it should
// refuse timestamps that are minutes old, so that nobody can send an old request again.
func Sign(secret, timestamp string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	io.WriteString(h, timestamp+".")
	h.Write(body)
	return "sha256=" + hex.EncodeToString(h.Sum(nil))
}

// WebhookBody is the JSON that a webhook posts.
type WebhookBody struct {
	Version int    `json:"version"` // 1
	Title   string `json:"title"`
	Text    string `json:"text"` // for people
	Notes   []Note `json:"notes"`
	More    int    `json:"more,omitempty"` // notes that are not among Notes
	Test    bool   `json:"test,omitempty"`
}

// Webhook posts messages to a program, signed with a secret that both know.
type Webhook struct {
	address *url.URL
	secret  string
	client  http.Client
	now     func() time.Time
}

// NewWebhook takes an http or https address.
func NewWebhook(address, secret string) (*Webhook, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("webhook: expected an address that begins with https:// or http://")
	}
	if secret == "" {
		return nil, fmt.Errorf("webhook: expected the secret that signs the requests, got none")
	}
	w := &Webhook{address: u, secret: secret, now: time.Now}
	w.client.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true} // a message an hour
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return w, nil
}

// Send posts one message. Any answer but 2xx is an error.
func (w *Webhook) Send(ctx context.Context, title string, m Message) error {
	notes := m.Notes
	if notes == nil {
		notes = []Note{}
	}
	body, err := json.Marshal(WebhookBody{Version: 1, Title: title, Text: m.Text(), Notes: notes, More: m.More, Test: m.Test})
	if err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.address.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook: %w", withoutSecrets(err, w.address))
	}
	stamp := strconv.FormatInt(w.now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "boardd")
	r.Header.Set(TimestampHeader, stamp)
	r.Header.Set(SignatureHeader, Sign(w.secret, stamp, body))
	answer, err := w.client.Do(r)
	if err != nil {
		return fmt.Errorf("webhook: %w", withoutSecrets(err, w.address))
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 == 2 {
		return nil
	}
	err = fmt.Errorf("webhook: expected an answer 2xx, got %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	if s, bad := strconv.Atoi(answer.Header.Get("Retry-After")); bad == nil && s > 0 {
		return &WaitError{err, time.Duration(min(s, int(staleAfter/time.Second))) * time.Second}
	}
	return err
}
