package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"boardd/venue"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRunFlagsOverTheConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hall.toml")
	text := "listen = \":1\"\ndata-dir = \"/from/file\"\n[serial]\nports = [\"/dev/ttyS0\"]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, args            string
		listen, dataDir, port string
	}{
		{"defaults", "", ":8080", "boardd-data", ""},
		{"file", "--config " + file, ":1", "/from/file", "/dev/ttyS0"},
		{"flags", "--config " + file + " --listen :2 --data-dir /d --port board --port /dev/ttyS0", ":2", "/d", "/dev/ttyS0 " + here + "/board"},
		{"no recordings", "--data-dir=", ":8080", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f runFlags
			c := newRunCommandWith(&process{}, &f)
			if err := c.ParseFlags(strings.Fields(tt.args)); err != nil {
				t.Fatal(err)
			}
			config, _, err := f.settings(c)
			if err != nil {
				t.Fatal(err)
			}
			if config.Listen != tt.listen || config.DataDir != tt.dataDir || strings.Join(config.Serial.Ports, " ") != tt.port {
				t.Errorf("listen %q, data %q, ports %q; want %q, %q, %q", config.Listen, config.DataDir, config.Serial.Ports, tt.listen, tt.dataDir, tt.port)
			}
		})
	}
}

// The ports of tables may be opened too.
func TestRuleNamesThePortsOfTables(t *testing.T) {
	c := venue.DefaultConfig()
	c.Serial.Ports = []string{"/dev/a"}
	c.Tables = []venue.TableConfig{{Number: 1, Port: "/dev/b"}, {Number: 2, Port: "/dev/a"}}
	if got, want := c.Rule().Ports, []string{"/dev/a", "/dev/b"}; !slices.Equal(got, want) {
		t.Errorf("ports %v, want %v", got, want)
	}
	if len(c.Serial.Ports) != 1 {
		t.Errorf("the configuration itself was changed: %v", c.Serial.Ports)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &watched{found: make(chan struct{}), want: "The games are at http://127.0.0.1:"}
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"run", "--listen", "127.0.0.1:0", "--port", "none", "--data-dir", t.TempDir(), "--log-level", "error"},
			&process{stdin: strings.NewReader(""), stdout: out, stderr: out})
	}()
	<-out.found
	cancel()
	if status := <-done; status != exitOK {
		t.Errorf("status %d:\n%s", status, out.text.String())
	}
}

func TestPageURLs(t *testing.T) {
	for _, tt := range []struct{ addr, want string }{
		{"127.0.0.1:8080", `^http://127\.0\.0\.1:8080/$`},
		{"[::1]:80", `^http://\[::1\]:80/$`},
		{":8080", `^http://localhost:8080/( http://\S+:8080/)*$`},
	} {
		addr, err := net.ResolveTCPAddr("tcp", tt.addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(pageURLs(addr), " "); !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s: %s, want %s", tt.addr, got, tt.want)
		}
	}
}
