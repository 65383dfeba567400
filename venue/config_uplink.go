package venue

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"boardd/tomlfile"
)

// UplinkConfig is the hub elsewhere that gets the games; without Hubs there is none.
type UplinkConfig struct {
	// Hubs is the hub's address, as wss://hub.example/uplink, or those of the nodes of one hub,
	// of which any will do.
	Hubs []string
	// TokenFile holds the token that the hub knows this venue by; a relative one in a file
	// is relative to the file's folder.
	TokenFile string
	// Trusted lets the games go to the hub at once: the hub keeps the delay then.
	Trusted bool
}

func readUplink(s *tomlfile.Section, c *UplinkConfig) {
	if one := ""; s.IsText("hub") {
		if s.Text("hub", &one, hubAddress); one != "" {
			c.Hubs = []string{one}
		}
	} else {
		s.Texts("hub", &c.Hubs, hubAddress)
	}
	s.Text("token-file", &c.TokenFile, folder)
	s.Flag("trusted", &c.Trusted)
	if len(c.Hubs) > 0 {
		s.Require("token-file")
	}
	s.Done()
}

func hubAddress(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "ws" && u.Scheme != "wss" || u.Host == "" || u.User != nil {
		return `the address of a hub, as in "wss://hub.example/uplink"`
	}
	return ""
}

// minToken is how long a token must be: one of 20 letters and digits cannot be guessed.
const minToken = 20

// ReadToken reads the secret in a file: its only line.
func ReadToken(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < minToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("token: %s: expected one line of at least %d characters without blanks, got %d (make one with: openssl rand -hex 20)", file, minToken, len(token))
	}
	return token, nil
}

// besides makes a path in a file relative to the file's folder.
func besides(file, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(file), path)
}
