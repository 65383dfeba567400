// Package reconstruct finds the game that best explains what one board has
// shown: squares that change while hands slide, bump, adjust and think again,
// presses of the clock, outages, and the board's own log.
//
// It keeps a small set of legal games, each with the cost of all that speaks
// against it, and always knows the cheapest:
//
//   - a node is a legal game; its line is that game as a candidate (node.go);
//   - a snapshot is the board between two changes; the last 64 are kept, so
//     that a game thought of late is scored as if it had been there (window.go);
//   - evidence.go says what a disagreement costs, by how long it lasts;
//   - grow.go makes candidates from men that were read, or must have moved;
//   - gap.go, search.go and log.go fill the time nobody saw;
//   - learn.go finds weak men and dead squares;
//   - publish.go turns the cheapest line into a record, and tells of changes;
//   - irregular.go and phase.go tell the arbiter what no game explains, and
//     when a game begins and ends.
//
// There is no debouncing and no match-and-commit: what looked right can be
// overtaken by a better explanation, and is then replaced by an event of its
// own. The package is pure: time is an argument, nothing is read or written, so
// a recorded session gives the same game on any machine. It knows nothing of
// bytes, ports or sides of a clock.
//
// Sources: fact sheets reconstruction.md and dgt-protocol.md sections 7 and 8.
package reconstruct
