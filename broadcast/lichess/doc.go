// Package lichess pushes the games of a round to a Lichess broadcast
// (livechess-and-broadcast C.3 to C.6).
//
//	public view -> Pusher -> Machine (pure: what to send when) -> HTTP -> Machine
//
// Each push has the whole state of the round, so it does not matter which of them were
// lost. One request is under way at a time, and none begins less than a second after the
// one before; after "too many requests" nothing is sent for a minute.
//
// Lichess deletes nothing: a move that was corrected stays there as a side line until an
// operator has the round reset and pushed again.
//
// What this package is not: it creates no broadcasts and no rounds, and holds nothing back
// itself: it sees what spectators may see.
package lichess
