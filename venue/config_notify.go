package venue

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"boardd/tomlfile"
)

// NotifyConfig is somebody who is told of alerts. Addresses and secrets are in files or in the environment: the
// configuration itself is kept in the journal.
type NotifyConfig struct {
	Name string
	// For is NotifyArbiters, or NotifyOperator, who is told of nothing but machines.
	For string
	// URLFile or URLEnv, one of them, is the file or the environment variable with the address. A relative file is
	// relative to the configuration's folder.
	URLFile, URLEnv string
	// SecretFile or SecretEnv is where the secret is that signs the requests of a webhook.
	SecretFile, SecretEnv string
	// Alerts are patterns of codes, as in clock.*, empty for all; Except are those that are not told.
	Alerts, Except []string
	// Tables are table numbers; empty for all.
	Tables []int
	// Every is the least time between two messages.
	Every time.Duration
}

// Values of NotifyConfig.For.
const (
	NotifyArbiters = "arbiters"
	NotifyOperator = "operator"
)

func readNotify(rows []*tomlfile.Section, into *[]NotifyConfig) {
	names := map[string]bool{}
	for _, row := range rows {
		c, every := NotifyConfig{For: NotifyOperator, Every: 10 * time.Second}, ""
		row.Text("name", &c.Name, tomlfile.ShortLine)
		row.Require("name")
		row.Once("name", c.Name, names)
		row.Text("for", &c.For, tomlfile.OneOf(NotifyArbiters, NotifyOperator))
		row.Text("url-file", &c.URLFile, nothingWrong)
		row.Text("url-env", &c.URLEnv, nothingWrong)
		if row.Has("url-file") == row.Has("url-env") {
			row.Bad("url-file", "either url-file or url-env, where the address is", map[bool]string{true: "both", false: "neither"}[row.Has("url-file")])
		}
		row.Text("secret-file", &c.SecretFile, nothingWrong)
		row.Text("secret-env", &c.SecretEnv, nothingWrong)
		if row.Has("secret-file") && row.Has("secret-env") {
			row.Bad("secret-file", "secret-file or secret-env", "both")
		}
		noSecret(row, "url-file", c.URLFile, pathName)
		noSecret(row, "url-env", c.URLEnv, variableName)
		noSecret(row, "secret-file", c.SecretFile, pathName)
		noSecret(row, "secret-env", c.SecretEnv, variableName)
		row.Texts("alerts", &c.Alerts, codePattern)
		row.Texts("except", &c.Except, codePattern)
		row.Integers("tables", &c.Tables, 1, maxTableNumber)
		if row.Text("every", &every, publicDelay); every != "" {
			c.Every, _ = ParseDelay(every) // publicDelay has looked at it
		}
		row.Done()
		*into = append(*into, c)
	}
}

func (c *NotifyConfig) besides(file string) {
	c.URLFile, c.SecretFile = besides(file, c.URLFile), besides(file, c.SecretFile)
}

var codeText = regexp.MustCompile(`^[a-z_.*]{1,60}$`)

func codePattern(text string) string {
	if _, err := path.Match(text, ""); err != nil || !codeText.MatchString(text) {
		return `the code of an alert, or a pattern with *, as in "clock.*"`
	}
	return ""
}

// noSecret checks where a secret is. Who wrote the secret itself there does not want to see it in a log: the fault does
// not show what came.
func noSecret(row *tomlfile.Section, key, text string, ok tomlfile.Check) {
	if expected := ok(text); row.Has(key) && row.IsText(key) && expected != "" {
		row.Bad(key, expected+" (and not the secret itself)", "something else")
	}
}

func nothingWrong(string) string { return "" }

func pathName(text string) string {
	if text == "" || tomlfile.HasControl(text) || strings.Contains(text, "://") {
		return "the path of a file"
	}
	return ""
}

var variableText = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

func variableName(text string) string {
	if !variableText.MatchString(text) {
		return "the name of an environment variable"
	}
	return ""
}

// Address is the address of the configuration's file or environment variable. Its errors do not show it.
func (c *NotifyConfig) Address() (string, error) {
	if c.URLEnv != "" {
		return secretOf("url-env", c.URLEnv)
	}
	text, err := os.ReadFile(c.URLFile)
	if err != nil {
		return "", fmt.Errorf("url-file: %w", err)
	}
	address := strings.TrimSpace(string(text))
	if address == "" || strings.ContainsAny(address, " \t\r\n") {
		return "", fmt.Errorf("url-file: %s: expected one line with an address without blanks", c.URLFile)
	}
	return address, nil
}

// Secret is the secret of the configuration's file or environment variable; "" for none.
func (c *NotifyConfig) Secret() (string, error) {
	switch {
	case c.SecretEnv != "":
		secret, err := secretOf("secret-env", c.SecretEnv)
		if err == nil && len(secret) < minToken {
			return "", fmt.Errorf("secret-env: %s: expected at least %d characters, got %d", c.SecretEnv, minToken, len(secret))
		}
		return secret, err
	case c.SecretFile != "":
		return ReadToken(c.SecretFile)
	}
	return "", nil
}

func secretOf(key, variable string) (string, error) {
	value := strings.TrimSpace(os.Getenv(variable))
	if value == "" {
		return "", fmt.Errorf("%s: expected the environment variable %s, which is not set or empty", key, variable)
	}
	return value, nil
}
