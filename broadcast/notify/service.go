package notify

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/nicholas-fedor/shoutrrr/pkg/router"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"
)

// titled are the services that show a title of its own; elsewhere it is the first line of the text.
var titled = []string{"bark", "gotify", "join", "ntfy", "pushbullet", "pushover", "smtp"}

// Service sends messages through one of the services that shoutrrr knows, by an address in shoutrrr's form.
type Service struct {
	address *url.URL
	scheme  string
	running chan struct{} // holds a token while a call of the library runs; it takes no context
	// service is of whoever holds the token; nil until the address has been taken. It is kept, because each one has
	// connections of its own.
	service types.Service
}

// NewService looks at the address, and calls nobody.
func NewService(address string) (*Service, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return nil, errors.New("service: expected an address of shoutrrr, as in ntfy://ntfy.sh/TOPIC")
	}
	scheme, _, _ := strings.Cut(strings.ToLower(u.Scheme), "+")
	if _, err := (&router.ServiceRouter{}).NewService(scheme); err != nil || scheme == "logger" {
		return nil, fmt.Errorf("service: expected one of %s, got %q", strings.Join(Services(), ", "), scheme)
	}
	return &Service{address: u, scheme: scheme, running: make(chan struct{}, 1)}, nil
}

// Services are the schemes of addresses that NewService takes.
func Services() []string {
	all := (&router.ServiceRouter{}).ListServices()
	all = slices.DeleteFunc(all, func(s string) bool { return s == "logger" }) // it would write into our log
	slices.Sort(all)
	return all
}

// Send sends one message. When ctx ends it leaves the library alone with it; until that returns, further calls fail.
func (s *Service) Send(ctx context.Context, title string, m Message) error {
	select {
	case s.running <- struct{}{}:
	default:
		return fmt.Errorf("%s: the last message is still on its way", s.scheme)
	}
	result := make(chan error, 1)
	go func() {
		defer func() { <-s.running }()
		result <- s.send(title, m.Text())
	}()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return fmt.Errorf("%s: no answer in time", s.scheme)
	}
}

func (s *Service) send(title, text string) (err error) {
	defer func() { // of a library with many authors
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: the library failed: %w", s.scheme, withoutSecrets(fmt.Errorf("%v", fault), s.address))
		}
	}()
	if s.service == nil {
		service, err := (&router.ServiceRouter{}).Locate(s.address.String()) // some log in here
		if err != nil {
			return fmt.Errorf("%s: the address: %w", s.scheme, withoutSecrets(err, s.address))
		}
		s.service = service
	}
	params := types.Params{}
	if slices.Contains(titled, s.scheme) {
		params.SetTitle(title)
	} else {
		text = title + "\n" + text
	}
	if err := s.service.Send(text, &params); err != nil {
		return fmt.Errorf("%s: %w", s.scheme, withoutSecrets(err, s.address))
	}
	return nil
}
