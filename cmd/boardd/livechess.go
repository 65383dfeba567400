package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"boardd/broadcast"
	"boardd/broadcast/livechess"
	"boardd/venue"
)

// liveChessAPI is the API of LiveChess with the address it has; the zero value is none.
type liveChessAPI struct {
	server *livechess.Server
	ln     net.Listener
}

// newLiveChess opens the API of LiveChess where the configuration wants it. The error is that of listening.
func newLiveChess(p *process, config venue.Config, hub *broadcast.Hub) (liveChessAPI, error) {
	c := config.LiveChess
	if c.Listen == "" {
		return liveChessAPI{}, nil
	}
	ln, err := listen(c.Listen, "livechess.listen")
	if err != nil {
		return liveChessAPI{}, fmt.Errorf("for programs that speak to LiveChess (livechess.listen): %w", err)
	}
	o := livechess.Options{Public: c.ShowsPublic(), Event: config.Event.Name, Place: config.Event.Site, Serials: map[int]string{}, Log: p.log}
	games := hub.Live()
	if o.Public {
		games, o.Delayed = hub.Public(), config.Delay > 0
	}
	for _, t := range config.Tables {
		o.Serials[t.Number] = t.Board
	}
	p.log.Info().Stringer("address", ln.Addr()).Bool("public", o.Public).Msg("the API of LiveChess is served")
	return liveChessAPI{livechess.New(games, o), ln}, nil
}

// sense is what the venue tells of its boards, nil when nobody wants to know.
func (a liveChessAPI) sense() func(livechess.Seat) {
	if a.server == nil {
		return nil
	}
	return a.server.Sense
}

// beside has the API served while something else runs.
func (a liveChessAPI) beside(run service) service {
	if a.server == nil {
		return run
	}
	return func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		served := make(chan error, 1)
		go func() {
			err := a.server.Serve(ctx, a.ln)
			cancel()
			served <- err
		}()
		err := run(ctx)
		cancel()
		return errors.Join(err, <-served)
	}
}

// close gives the address back before anything has been served.
func (a liveChessAPI) close() {
	if a.ln != nil {
		a.ln.Close()
	}
}
