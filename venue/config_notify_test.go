package venue

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestNotifyConfig(t *testing.T) {
	c, err := Parse("/etc/boardd/boardd.toml", []byte(`
[[notify]]
name = "phone"
for = "arbiters"
url-file = "phone.url"
alerts = ["clock.*", "claim.opened"]
except = ["clock.period"]
tables = [1, 2]
every = "1 min"

[[notify]]
name = "operator"
url-env = "HOOK_URL"
secret-file = "/run/secrets/hook"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []NotifyConfig{
		{Name: "phone", For: NotifyArbiters, URLFile: "/etc/boardd/phone.url", Alerts: []string{"clock.*", "claim.opened"}, Except: []string{"clock.period"},
			Tables: []int{1, 2}, Every: time.Minute},
		{Name: "operator", For: NotifyOperator, URLEnv: "HOOK_URL", SecretFile: "/run/secrets/hook", Every: 10 * time.Second},
	}
	if !reflect.DeepEqual(c.Notify, want) {
		t.Errorf("got %+v\nwant %+v", c.Notify, want)
	}
}

func TestNotifyFaults(t *testing.T) {
	const head = "[[notify]]\nname = \"a\"\n"
	for _, tt := range []struct{ text, want string }{
		{head, `notify.url-file: expected either url-file or url-env, where the address is, got neither`},
		{head + "url-file = \"x\"\nurl-env = \"X\"", `notify.url-file: expected either url-file or url-env, where the address is, got both`},
		{"[[notify]]\nurl-env = \"X\"", `notify: expected the key name, got none`},
		{head + "url-env = \"X\"\n" + head + "url-env = \"X\"", `notify.name: expected`},
		{head + "url-env = \"X\"\nfor = \"all\"", `notify.for: expected`},
		{head + "url-env = \"X\"\nalerts = [\"Clock\"]", `notify.alerts: expected the code of an alert`},
		{head + "url-env = \"X\"\nexcept = [\"[\"]", `notify.except: expected the code of an alert`},
		{head + "url-env = \"X\"\ntables = [0]", `notify.tables: expected`},
		{head + "url-env = \"X\"\nevery = \"soon\"", `notify.every: expected`},
		{head + "url-env = \"X\"\nsecret-env = \"A\"\nsecret-file = \"b\"", `notify.secret-file: expected secret-file or secret-env, got both`},
		// People paste the address itself.
		{head + "url-env = \"ntfy://ntfy.sh/s3cr3t\"", `notify.url-env: expected the name of an environment variable (and not the secret itself), got something else`},
		{head + "url-file = \"ntfy://ntfy.sh/s3cr3t\"", `notify.url-file: expected the path of a file (and not the secret itself), got something else`},
		{head + "url-env = \"X\"\nsecret-env = \"0-s3cr3t\"", `notify.secret-env: expected the name of an environment variable (and not the secret itself), got something else`},
		{head + "url = \"ntfy://ntfy.sh/s3cr3t\"", `got the unknown key "url"`},
	} {
		_, err := Parse("boardd.toml", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: got %v, want %q, and no secret", tt.text, err, tt.want)
		}
	}
}

func TestNotifyAddressAndSecret(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	t.Setenv("BOARDD_TEST_URL", "ntfy://ntfy.sh/topic")
	t.Setenv("BOARDD_TEST_SHORT", "s3cr3t")
	t.Setenv("BOARDD_TEST_EMPTY", "")
	for _, tt := range []struct {
		config        NotifyConfig
		address, want string // want: a part of the error
	}{
		{NotifyConfig{URLEnv: "BOARDD_TEST_URL"}, "ntfy://ntfy.sh/topic", ""},
		{NotifyConfig{URLEnv: "BOARDD_TEST_EMPTY"}, "", "BOARDD_TEST_EMPTY, which is not set or empty"},
		{NotifyConfig{URLFile: write("one", "ntfy://ntfy.sh/topic\n")}, "ntfy://ntfy.sh/topic", ""},
		{NotifyConfig{URLFile: write("two", "ntfy://ntfy.sh/s3cr3t\nx\n")}, "", "expected one line with an address"},
		{NotifyConfig{URLFile: write("none", "\n")}, "", "expected one line with an address"},
		{NotifyConfig{URLFile: filepath.Join(folder, "missing")}, "", "no such file"},
	} {
		got, err := tt.config.Address()
		if got != tt.address || (err != nil) != (tt.want != "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cr3t")) {
			t.Errorf("%+v: got %q, %v; want %q, %q", tt.config, got, err, tt.address, tt.want)
		}
	}
	for _, tt := range []struct {
		config       NotifyConfig
		secret, want string
	}{
		{NotifyConfig{}, "", ""},
		{NotifyConfig{SecretEnv: "BOARDD_TEST_SHORT"}, "", "expected at least 20 characters, got 6"},
		{NotifyConfig{SecretFile: write("secret", "0123456789abcdef0123\n")}, "0123456789abcdef0123", ""},
		{NotifyConfig{SecretFile: write("short", "s3cr3t\n")}, "", "at least 20 characters"},
	} {
		got, err := tt.config.Secret()
		if got != tt.secret || (err != nil) != (tt.want != "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cr3t")) {
			t.Errorf("%+v: got %q, %v; want %q, %q", tt.config, got, err, tt.secret, tt.want)
		}
	}
}
