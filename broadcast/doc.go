// Package broadcast shows the venue's games to people: it keeps what is known of each board,
// numbers every change, and hands snapshot and changes to any number of browsers.
//
//	venue -> Publish(Change) -> live:   [owner goroutine: coalesce, number, apply, encode once] -> queue a client -> WebSocket
//	                        |                                    \-> history ring (resume)   \-> /api/v1/state, /games.pgn
//	                        \-> public: [delay queue] -> [the same]
//
// There are two views ([Source]): live for arbiters, public for everybody else, which is the live one as it was
// Options.Delay ago, without alerts and claims, with numbers of its own. One goroutine owns each. It never waits for a client: a client that cannot keep up has
// its queue skipped and starts again from a fresh snapshot, and nobody else notices.
//
// What this package is not: it knows no ports, no boards' wire bytes and no laws of chess. It trusts the
// positions and moves that venue gives it, and it only refuses changes that do not fit the game it
// holds (a ply number that would leave a hole). Alerts and claims are for arbiters and never reach a spectator.
//
// The protocol a client speaks is described at [Change] (the facts), frame.go (the envelopes) and
// [Hub.Handler] (the addresses).
package broadcast
