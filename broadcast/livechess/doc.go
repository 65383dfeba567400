// Package livechess answers the programs that organisers already have for DGT LiveChess: it speaks that program's
// local API, a WebSocket and HTTP GET under /api/v1.0, usually on port 1982.
//
//	venue -> Sense(Seat) ----\
//	hub's view -> Games ------> [hall, one goroutine] -> queue a client -> WebSocket
//	                                             \----> eboards, tournaments, rounds, games over HTTP
//
// A live server shows each man lifted and set down, as the sensors see it; a public one shows the public view of the hub
// and nothing else, so that whoever reads it knows no more than any spectator.
//
// hall is pure: time is an argument, and the same calls and sightings give the same bytes. The goroutine of Run owns it.
// A client that does not read is skipped to the newest state and keeps nobody waiting.
//
// What this package is not: it sets no clocks, changes no game of the venue, and is not LiveChess's own page. What a client
// sets up is a reckoning for that client alone.
//
// Source: fact sheet livechess-and-broadcast.md, sections A and B.4.
package livechess
