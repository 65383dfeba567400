package notify

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var addressText = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*:(//|%2[Ff])[^\s"'<>]*`)

// withoutSecrets is an error whose text has nothing of an address but its scheme and the name of a server. The errors
// of HTTP clients quote the address, and so do those of libraries around them; the chain is cut, so that nobody
// prints what is below.
func withoutSecrets(err error, address *url.URL) error {
	text := err.Error()
	var inHTTP *url.Error
	if errors.As(err, &inHTTP) {
		text = inHTTP.Err.Error()
	}
	text = addressText.ReplaceAllString(text, "(the address)")
	for _, secret := range secretsOf(address) {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return errors.New(oneLine(text))
}

// secretMin is how long a part of an address is that could be a secret. Shorter ones are words like "to" that would
// tear texts apart.
const secretMin = 4

// secretsOf are the parts of an address that may be secrets, in every spelling, the longest first.
func secretsOf(u *url.URL) []string {
	var parts []string
	add := func(s string) {
		for _, s := range []string{s, url.QueryEscape(s), url.PathEscape(s)} {
			if len(s) >= secretMin {
				parts = append(parts, s)
			}
		}
	}
	if u.User != nil {
		password, _ := u.User.Password()
		add(u.User.Username())
		add(password)
		add(u.User.String())
	}
	if host := u.Hostname(); !strings.ContainsAny(host, ".:") && host != "localhost" && host != u.Scheme {
		add(host) // some services have a token in this place
	}
	add(u.Fragment)
	add(u.RawQuery)
	for _, path := range []string{u.Path, u.EscapedPath()} {
		for part := range strings.SplitSeq(path, "/") {
			add(part)
		}
	}
	for _, values := range u.Query() {
		for _, v := range values {
			add(v)
			for part := range strings.SplitSeq(v, ",") {
				add(part)
			}
		}
	}
	if u.Opaque != "" {
		add(u.Opaque)
	}
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(parts)
}
