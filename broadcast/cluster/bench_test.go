package cluster

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/broadcast/uplink"
)

// BenchmarkNodes puts batches of one change into the stream at one node, one after the
// other as a venue does, and waits until 1, 2 and 4 nodes have published them: what a node
// more costs the others, and what a change costs each.
func BenchmarkNodes(b *testing.B) {
	for _, nodes := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d", nodes), func(b *testing.B) {
			s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: b.TempDir(), NoLog: true, NoSigs: true})
			if err != nil {
				b.Fatal(err)
			}
			s.Start()
			defer func() { s.Shutdown(); s.WaitForShutdown() }()
			if !s.ReadyForConnections(30 * time.Second) {
				b.Fatal("the NATS server does not start")
			}
			var running, published sync.WaitGroup
			ctx, cancel := context.WithCancel(b.Context())
			defer running.Wait()
			defer cancel()
			var all []*Node
			for range nodes {
				n, err := Open(Options{URL: s.ClientURL(), Seats: seats, Publish: func(broadcast.Change) { published.Done() }, Log: zerolog.Nop()})
				if err != nil {
					b.Fatal(err)
				}
				running.Go(func() { n.Run(ctx) })
				all = append(all, n)
			}
			// One after the other is the floor of a venue; it may have 16 under way.
			for i := range uint64(b.N) {
				published.Add(nodes)
				c := broadcast.Change{Type: broadcast.TypeGame, Board: 1 + int(i%64), FEN: startFEN}
				if err := all[0].Append(ctx, uplink.Batch{Venue: "east", Epoch: "a", After: i, N: i + 1, Changes: []broadcast.Change{c}}); err != nil {
					b.Fatal(err)
				}
			}
			published.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "batches/s")
			b.ReportMetric(float64(b.N*nodes)/b.Elapsed().Seconds(), "published/s")
		})
	}
}
