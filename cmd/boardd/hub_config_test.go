package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/broadcast/uplink"
)

const goodHub = `
listen = ":9000"
title = "City Open"
[public]
delay = "15 min"
[nats]
url = "nats://nats.example:4222"
stream = "city"
replicas = 3
[[venue]]
name = "east hall"
token-file = "east"
tables = [1, 40]
[[venue]]
name = "west hall"
token-file = "west"
tables = [1, 24]
as = 41
`

func hubFiles(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"hub.toml": text, "east": "0123456789abcdefghij\n", "west": "0123456789abcdefghik", "short": "hello"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "hub.toml")
}

func TestLoadHub(t *testing.T) {
	c, err := loadHub(hubFiles(t, goodHub))
	if err != nil {
		t.Fatal(err)
	}
	if c.listen != ":9000" || c.title != "City Open" || c.delay != 15*time.Minute || c.nats != "nats://nats.example:4222" || c.stream != "city" || c.replicas != 3 {
		t.Errorf("%+v", c)
	}
	if c.seats["west hall"] != (uplink.Seats{First: 1, Last: 24, As: 41}) || c.seats["east hall"].As != 1 || c.tokens["east hall"] != "0123456789abcdefghij" {
		t.Errorf("seats %v, tokens %v", c.seats, c.tokens)
	}
}

func TestHubFaults(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"no venue", goodHub[strings.Index(goodHub, "[[venue]]"):], "", "at least one [[venue]]"},
		{"a delay", "15 min", "soon", `a time from "0 s" to "24 h"`},
		{"an address", ":9000", "9000", `host:port, as in ":8080"`},
		{"the address of NATS", "nats://nats.example:4222", "http://x", "the address of a NATS server"},
		{"a stream", `"city"`, `"city open"`, "1 to 60 letters"},
		{"boards of two venues", "as = 41", "as = 40", "board 40, which is of east hall"},
		{"tables the wrong way round", "[1, 24]", "[24, 1]", "the first and the last table"},
		{"the same name", `"west hall"`, `"east hall"`, "east hall"},
		{"a token that can be guessed", `token-file = "west"`, `token-file = "short"`, "at least 20 characters"},
		{"no token", `token-file = "west"`, `token-file = "none"`, "venue west hall: token"},
		{"the same token", `token-file = "west"`, `token-file = "east"`, "expected a token each"},
		{"a key nobody knows", "title", "titel", "titel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(goodHub, tt.old) {
				t.Fatalf("%q is not in the file", tt.old)
			}
			_, err := loadHub(hubFiles(t, strings.Replace(goodHub, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := loadHub(filepath.Join(t.TempDir(), "none.toml")); err == nil {
		t.Error("a file that is not there is no error")
	}
}
