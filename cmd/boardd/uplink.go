package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"boardd/broadcast"
	"boardd/broadcast/uplink"
	"boardd/journal"
	"boardd/venue"
)

// newUplink makes the service that sends the games to the hub of the configuration; one
// that does nothing when there is none.
func newUplink(p *process, config venue.Config, j *journal.Journal, found *journal.Recovered, hub *broadcast.Hub, session func() time.Duration) (service, error) {
	if len(config.Uplink.Hubs) == 0 {
		return func(ctx context.Context) error { <-ctx.Done(); return nil }, nil
	}
	token, err := venue.ReadToken(config.Uplink.TokenFile)
	if err != nil {
		return nil, err
	}
	delay := config.Delay
	if config.Uplink.Trusted {
		delay = 0
	}
	record := venue.NewOutgoing(j, found, delay, session, hub.Live().Watch)
	return uplink.NewSender(uplink.SenderOptions{URLs: config.Uplink.Hubs, Token: token, Record: record, Log: p.log}).Run, nil
}

// beside runs a second service as long as the first one runs.
func beside(first, second service) service {
	return func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		var other error
		running.Go(func() { other = second(ctx) })
		err := first(ctx)
		cancel()
		running.Wait()
		return errors.Join(err, other)
	}
}
