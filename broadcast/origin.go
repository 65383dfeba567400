package broadcast

import (
	"net/http"
	"net/url"
	"strings"
)

// originAllowed decides which pages may open the WebSocket. A browser always sends Origin with it, so that another
// site's page cannot read a hall's hub through a visitor; a program that is no browser sends none and is
// let in, since the stream is public and nothing can be done through it.
func (s *Source) originAllowed(r *http.Request) bool {
	origins := r.Header["Origin"]
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	for _, o := range s.opts.Origins {
		if o == "*" || strings.EqualFold(o, origins[0]) {
			return true
		}
	}
	u, err := url.Parse(origins[0])
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
}
