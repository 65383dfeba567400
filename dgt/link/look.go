package link

import "context"

// Look opens one port, asks who is there and closes it again: what "boardd boards" needs. It ends at the first answer,
// whatever it is; the error tells what to do. A port that does not answer takes some four seconds.
func Look(ctx context.Context, c Config) (Identity, error) {
	ctx, cancel := context.WithCancel(ctx)
	events := make(chan Event, 64)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		New(c).Run(ctx, events)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	for {
		select {
		case e := <-events:
			if e.Kind == StatusChanged {
				return e.Status.Identity, e.Status.Err
			}
		case <-ctx.Done():
			return Identity{}, ctx.Err()
		}
	}
}
