package notify

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeNtfy notes what is published.
func fakeNtfy(t *testing.T, h http.HandlerFunc) (address string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "ntfy://user:s3cr3t-word@", 1) + "/s3cr3t-topic?disabletls=yes"
}

func TestServiceSends(t *testing.T) {
	var title, path, body string
	asked := 0
	s, err := NewService(fakeNtfy(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		title, path, body = r.Header.Get("Title"), r.URL.Path, string(text)
		asked++
		io.WriteString(w, "{}")
	}))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Send(t.Context(), "Club", Message{Notes: []Note{raised(3, "clock.flag")}, More: 2}); err != nil {
			t.Fatal(err)
		}
	}
	if want := "12:00:00 table 3: clock.flag: what happened\nand 2 more"; title != "Club" || path != "/s3cr3t-topic" || body != want || asked != 2 {
		t.Errorf("%d times; title %q, path %q, got %q, want %q", asked, title, path, body, want)
	}
}

func TestServiceErrorsTellNoSecret(t *testing.T) {
	refused := fakeNtfy(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"code":40301,"error":"forbidden: s3cr3t-topic for s3cr3t-word"}`)
	})
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	host := strings.TrimPrefix(closed.URL, "http://")
	for _, address := range []string{
		refused,
		"ntfy://user:s3cr3t-word@" + host + "/s3cr3t-topic?disabletls=yes",
		"gotify://" + host + "/As3cr3t12345678?disabletls=yes",
		"smtp://user:s3cr3t-word@" + host + "/?from=a@b.example&to=s3cr3t@b.example",
		"telegram://s3cr3t@telegram?chats=s3cr3t",
		"discord://s3cr3t@",
		"matrix://user:s3cr3t-word@" + host + "/?disableTLS=yes&rooms=s3cr3t",
		"generic+http://" + host + "/s3cr3t?key=s3cr3t",
		"ntfy://ntfy.example/s3cr3t?s3cr3t=s3cr3t",
	} {
		s, err := NewService(address)
		if err == nil {
			err = s.Send(t.Context(), "Club", Message{Test: true})
		}
		if err == nil || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: got %v, want an error without secrets", address, err)
		}
	}
}

func TestNewServiceRefuses(t *testing.T) {
	for _, address := range []string{"", "s3cr3t", "s3cr3tservice://x", "logger://", "ntfy://a\x7fs3cr3t"} {
		if _, err := NewService(address); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	if all := Services(); slices.Contains(all, "logger") || !slices.Contains(all, "ntfy") || !slices.Contains(all, "telegram") || !slices.Contains(all, "smtp") {
		t.Errorf("services: %v", all)
	}
}

// A library's call that hangs is left alone, and no second one is begun beside it.
func TestServiceThatHangs(t *testing.T) {
	asked, release := make(chan struct{}, 2), make(chan struct{})
	s, err := NewService(fakeNtfy(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-release
		io.WriteString(w, "{}")
	}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if err := s.Send(ctx, "Club", Message{Test: true}); err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("got %v", err)
	}
	if err := s.Send(t.Context(), "Club", Message{Test: true}); err == nil || !strings.Contains(err.Error(), "still on its way") {
		t.Errorf("got %v", err)
	}
	close(release)
	s.running <- struct{}{} // the call has ended
	if len(asked) != 0 {
		t.Error("a second call was begun")
	}
}

func FuzzWithoutSecrets(f *testing.F) {
	f.Add("ntfy://user:word@ntfy.example/topic?key=value", "cannot reach ")
	f.Add("telegram://110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw@telegram?chats=@hall", "Post ")
	f.Add("pushover://shoutrrr:tttt@uuuuu/?devices=a%20b%2Cc", "")
	f.Fuzz(func(t *testing.T, address, before string) {
		u, err := url.Parse(address)
		if err != nil || u.User == nil {
			return
		}
		password, _ := u.User.Password()
		if len(password) < secretMin || strings.Contains("(the address)***", password) || strings.Contains(before, password) || strings.ContainsAny(password, " \t\n*().") {
			return
		}
		for _, text := range []string{address, password, url.QueryEscape(password)} {
			if got := withoutSecrets(&wrapped{before + text}, u).Error(); strings.Contains(got, password) {
				t.Errorf("%q tells %q", got, password)
			}
		}
	})
}

type wrapped struct{ text string }

func (e *wrapped) Error() string { return e.text }

var _ Sender = (*Service)(nil)
var _ Sender = (*Webhook)(nil)

func TestTestTellsWhatCameBack(t *testing.T) {
	s, err := NewService(fakeNtfy(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "{}") }))
	if err != nil {
		t.Fatal(err)
	}
	bad := webhook(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	var got []string
	begun := time.Now()
	Test(t.Context(), "Club", []Target{{Name: "a", Sender: s}, {Name: "b", Sender: bad}}, func(name string, err error) {
		if err != nil {
			name += ": " + err.Error()
		}
		got = append(got, name)
	})
	if want := []string{"a", "b: webhook: expected an answer 2xx, got 410 Gone"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q (after %s)", got, want, time.Since(begun))
	}
}
