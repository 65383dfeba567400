// Package rules is the room for the laws of chess over a game record: the
// pieces and squares, positions and their legal moves, the identity of
// positions (Laws 9.2.3), the ends of a game, the record of a game, and its
// forms as text (FEN, SAN, UCI, PGN).
//
// Castling is that of Chess960 throughout: a right to castle is the square of
// the rook that still has it, and a castling move is stored as "king takes own
// rook". Standard chess is the case with the king on e1/e8 and the rooks in
// the corners.
//
// The package is pure: no clock on the wall, no goroutine, no I/O but readers
// and writers given to it. It knows nothing of boards, wires or ports.
package rules
