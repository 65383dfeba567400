// Package uplink takes the games of a venue to a hub elsewhere. A venue sits behind a
// router, so it calls out: one WebSocket, with a token. The venue's record is numbered, so
// after an outage of either side it goes on where the hub is, and the hub takes every
// number once: nothing is lost, doubled or reordered.
//
//	Log (the venue's public record) -> Sender -> WebSocket -> Gate -> Center -> broadcast.Hub
//
// A Center merges the boards of several venues into one event by board number, and keeps
// what it knows on the disk.
//
// What this room is not: it does not know journals, nor what may be public when: a Log
// gives only what may leave. Pages, PGN and WebSockets of the hub are those of package
// broadcast.
package uplink
