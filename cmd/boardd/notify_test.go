package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/broadcast"
	"boardd/broadcast/notify"
)

const hookSecret = "0123456789abcdef0123"

// hookConfig is a configuration with a target that takes messages, and one that is not there.
func hookConfig(t *testing.T, more string, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"hook.url": server.URL + "/s3cr3t", "hook.secret": hookSecret, "gone.url": "ntfy://127.0.0.1:1/s3cr3t?disabletls=yes",
		"boardd.toml": "[event]\nname = \"Club\"\n[[notify]]\nname = \"hook\"\nurl-file = \"hook.url\"\nsecret-file = \"hook.secret\"\n" + more,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "boardd.toml")
}

func TestNotifyTest(t *testing.T) {
	var got notify.WebhookBody
	file := hookConfig(t, "[[notify]]\nname = \"gone\"\nurl-file = \"gone.url\"\n", func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get(notify.SignatureHeader) != notify.Sign(hookSecret, r.Header.Get(notify.TimestampHeader), body) {
			t.Error("wrong signature")
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Error(err)
		}
	})
	status, stdout, stderr := cli(t, "notify", "test", "--config", file)
	if status != exitFailed || !strings.HasPrefix(stdout, "hook: taken\ngone: failed: ntfy: ") || stderr != "boardd: 1 of 2 targets did not take the message\n" || strings.Contains(stdout, "s3cr3t") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if !got.Test || got.Title != "Club" {
		t.Errorf("sent %+v", got)
	}
	if status, stdout, stderr = cli(t, "notify", "test", "--config", file, "hook"); status != exitOK || stdout != "hook: taken\n" {
		t.Errorf("hook alone: status %d\n%s%s", status, stdout, stderr)
	}
	if status, _, stderr = cli(t, "notify", "test", "--config", file, "hok"); status != exitUsage || !strings.Contains(stderr, `got "hok"`) {
		t.Errorf("hok: status %d\n%s", status, stderr)
	}
	if status, _, stderr = cli(t, "notify", "tset"); status != exitUsage || !strings.Contains(stderr, `expected test, got "tset"`) {
		t.Errorf("tset: status %d\n%s", status, stderr)
	}
}

func TestNotifyNeedsSecretsInTheirPlaces(t *testing.T) {
	for _, tt := range []struct{ more, want string }{
		{"[[notify]]\nname = \"b\"\nurl-file = \"hook.url\"\n", `notify "b": a webhook needs secret-file or secret-env`},
		{"[[notify]]\nname = \"b\"\nurl-file = \"gone.url\"\nsecret-file = \"hook.secret\"\n", `notify "b": expected the address of a webhook`},
		{"[[notify]]\nname = \"b\"\nurl-file = \"hook.secret\"\n", `notify "b": service: expected an address of shoutrrr`},
	} {
		file := hookConfig(t, tt.more, func(http.ResponseWriter, *http.Request) { t.Error("a message was sent") })
		for _, args := range [][]string{{"notify", "test", "--config", file}, {"run", "--config", file, "--data-dir", "", "--listen", "127.0.0.1:0"}} {
			if status, _, stderr := cli(t, args...); status != exitFailed || !strings.Contains(stderr, tt.want) || strings.Contains(stderr, hookSecret) {
				t.Errorf("%s: status %d, %s, want %s", args[0], status, stderr, tt.want)
			}
		}
	}
}

// What is published is told, and published all the same.
func TestTellHandsOn(t *testing.T) {
	n := notify.New(notify.Options{})
	var got []string
	publish := tell(n, func(c broadcast.Change) { got = append(got, c.Code) })
	publish(broadcast.Change{Type: broadcast.TypeAlert, Code: "system.tape"})
	if len(got) != 1 || got[0] != "system.tape" {
		t.Errorf("published %q", got)
	}
}
