// Package link finds the serial ports boards hang on and keeps one session
// with each board alive.
//
// It has four parts, from the outside in:
//
//   - Finder decides which ports may be opened at all. A port nobody listed and
//     no rule allowed is never opened and never written to.
//   - Fleet runs one Link per port and remembers, by serial number, which port a
//     board is on, so that a board which comes back elsewhere keeps its table.
//   - Link is the edge: one goroutine that owns a descriptor for reading,
//     writing and closing, with a deadline round each write.
//   - Session is the pure machine inside a Link: Step(now, input) gives outputs
//     and touches neither clock nor port.
//
// A Link hands up the raw bytes it saw, with their times, exactly as a tape
// holds them; the table's pipeline decodes them. The decoder inside a Session
// serves the session alone: who answers, what is still owed, when to ask again.
//
// What this room is not: it knows no chess, no colours and no table. Left and
// right are the clock's own sides, squares are those of the wire. Boards that
// share one line in bus mode are not handled here, because one single-board
// command would wake all of them.
//
// Sources: DGT protocol facts sections 1, 3, 8.2 to 8.6 and 10. Linux only.
package link
