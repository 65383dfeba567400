package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"boardd/broadcast"
)

// listen opens an address. The error says what a person can do; setting is what he
// changes for another one, as in "--listen" or "arbiter-listen".
func listen(addr, setting string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		return ln, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s: another program listens there already (another boardd?); stop it, or choose another port with %s: %w", addr, setting, syscall.EADDRINUSE)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen on %s: this user may not; ports from 1024 on are free for everyone; choose one with %s: %w", addr, setting, syscall.EACCES)
	}
	return nil, fmt.Errorf("listen on %s: %w", addr, err)
}

// pageURLs are the addresses of the page, the one for this machine first, then
// those for others in the network.
func pageURLs(addr net.Addr) []string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return nil
	}
	url := func(host string) string {
		return fmt.Sprintf("http://%s/", net.JoinHostPort(host, fmt.Sprint(tcp.Port)))
	}
	if ip := tcp.AddrPort().Addr().Unmap(); ip.IsValid() && !ip.IsUnspecified() {
		return []string{url(ip.String())}
	}
	urls := []string{url("localhost")}
	if host, err := os.Hostname(); err == nil && host != "" && host != "localhost" {
		urls = append(urls, url(host))
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return urls
	}
	for _, a := range addresses {
		prefix, err := netip.ParsePrefix(a.String())
		if ip := prefix.Addr(); err == nil && ip.Is4() && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			urls = append(urls, url(ip.String()))
		}
	}
	return urls
}

// service is something that runs until its context ends.
type service func(context.Context) error

// serveUntilDone runs a hub with its web server, and beside it what publishes to
// it; ready is called once the page can be opened. When ctx ends, or either fails,
// the publisher ends first, so that what it has to say last still reaches the
// spectators.
func serveUntilDone(ctx context.Context, hub *broadcast.Hub, ln net.Listener, ready func(), publisher service) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	hubCtx, endHub := context.WithCancel(context.WithoutCancel(ctx))
	defer endHub()

	var running sync.WaitGroup
	var served error
	running.Go(func() { hub.Run(hubCtx) })
	running.Go(func() {
		if served = hub.Serve(hubCtx, ln); served != nil {
			cancel()
		}
	})
	for _, err := hub.Public().View(ctx); errors.Is(err, broadcast.ErrNotRunning) && ctx.Err() == nil; _, err = hub.Public().View(ctx) {
		time.Sleep(time.Millisecond) // the hub has no word for it; it takes less than one
	}
	ready()
	err := publisher(ctx)
	endHub()
	running.Wait()
	return errors.Join(err, served)
}
