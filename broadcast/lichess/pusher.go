package lichess

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"boardd/broadcast"
	"boardd/broadcast/pgn"
)

// Options are what a Pusher is made of.
type Options struct {
	URL   string // default https://lichess.org
	Round string // 8 letters and digits
	Token string // with the scope study:write
	Agent string // who we are
	Event pgn.Event
	View  pgn.View // what spectators may see
	// News takes what people have to know. It must not wait.
	News   func(News)
	Client *http.Client // default: one that waits 15 s
}

// Pusher pushes the games of a view.
type Pusher struct {
	o      Options
	orders chan struct{}
	begun  time.Time

	mu     sync.Mutex
	status Status
}

// requestWait is how long an answer may take.
const requestWait = 15 * time.Second

// NewPusher makes a pusher that does nothing until Run.
func NewPusher(o Options) *Pusher {
	if o.URL == "" {
		o.URL = "https://lichess.org"
	}
	if o.Client == nil {
		// What redirects is not the address of the interface.
		o.Client = &http.Client{Timeout: requestWait, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	o.Event.Spelling = pgn.Lichess
	return &Pusher{o: o, orders: make(chan struct{}, 1), begun: time.Now()}
}

// Reset has the round emptied and pushed again.
func (p *Pusher) Reset() {
	select {
	case p.orders <- struct{}{}:
	default: // it is going to be
	}
}

// Status is how it fares, and when it was last well; zero for never.
func (p *Pusher) Status() (s Status, lastOK time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status.LastOK > 0 {
		lastOK = p.begun.Add(p.status.LastOK)
	}
	return p.status, lastOK
}

// Run pushes until ctx ends. Call it once.
func (p *Pusher) Run(ctx context.Context) error {
	m, book := NewMachine(), pgn.NewBook(p.o.Event.Round)
	answers := make(chan Answer, 1) // one request is under way at most
	var asking sync.WaitGroup
	defer asking.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch := p.o.View.Watch(ctx)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := time.Since(p.begun)
		if r, due := m.Next(now); due {
			asking.Go(func() { answers <- p.ask(ctx, r) })
		}
		p.tell(m)
		if at, ok := m.Wake(); ok {
			timer.Reset(max(0, at-now))
		} else {
			timer.Stop()
		}
		select {
		case <-ctx.Done():
			return nil
		case _, open := <-watch:
			if !open {
				return nil
			}
			if v, err := p.o.View.View(ctx); err == nil {
				book.Take(v)
				m.Games(book.Newest(&p.o.Event))
			}
		case <-p.orders:
			m.Reset()
		case a := <-answers:
			m.Answered(time.Since(p.begun), a)
		case <-timer.C:
		}
	}
}

func (p *Pusher) tell(m *Machine) {
	for _, n := range m.News() {
		p.o.News(n)
	}
	p.mu.Lock()
	p.status = m.Status()
	p.mu.Unlock()
}

// ask sends a request.
func (p *Pusher) ask(ctx context.Context, r Request) Answer {
	return Send(ctx, p.o.Client, p.o.URL, p.o.Round, p.o.Token, p.o.Agent, r)
}

// Send sends one request and gives its answer. Errors do not name the token.
func Send(ctx context.Context, client *http.Client, url, round, token, agent string, r Request) Answer {
	path := "/api/broadcast/round/" + round + "/push"
	if r.Reset {
		path = "/api/broadcast/round/" + round + "/reset"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{Err: err}
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("User-Agent", agent)
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	response, err := client.Do(request)
	if err != nil {
		return Answer{Err: err}
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, answerMax))
	if err != nil {
		return Answer{Err: fmt.Errorf("the answer was cut: %w", err)}
	}
	return Answer{Status: response.StatusCode, Body: data}
}

// Alert is how news reach arbiters and operators.
func Alert(n News) broadcast.Change {
	return broadcast.Change{Type: broadcast.TypeAlert, Code: "system.lichess", Detail: n.Detail, Cleared: n.Over}
}
