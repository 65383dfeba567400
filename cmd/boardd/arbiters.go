package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"syscall"

	"boardd/broadcast"
	"boardd/broadcast/arbiter"
	"boardd/venue"
)

// withArbiters has a hall answer its arbiters while it runs. An empty address leaves
// them out; the error is that of listening.
func withArbiters(p *process, addr string, hall *venue.Venue, hub *broadcast.Hub) (service, error) {
	if addr == "" {
		return hall.Run, nil
	}
	ln, err := listen(addr, "arbiter-listen")
	if errors.Is(err, syscall.EADDRINUSE) && addr == venue.DefaultConfig().ArbiterListen {
		// Nobody asked for it: the games matter more.
		p.log.Warn().Err(err).Msg("arbiters are not served; name an address with arbiter-listen")
		return hall.Run, nil
	}
	if err != nil {
		return nil, fmt.Errorf("for arbiters (arbiter-listen): %w", err)
	}
	p.log.Info().Stringer("address", ln.Addr()).Msg("arbiters are served")
	return func(ctx context.Context) error {
		server := broadcast.Server(arbiter.Handler(hall, hub.LiveHandler()))
		served := make(chan error, 1)
		go func() { served <- server.Serve(ln) }()
		err := hall.Run(ctx)
		server.Close()
		if serving := <-served; !errors.Is(serving, http.ErrServerClosed) {
			err = errors.Join(err, serving)
		}
		return err
	}, nil
}
