// Package emulator is a DGT board with a clock that exists only in software
// and speaks the serial protocol on a pseudo terminal.
//
// It is physically honest: men are points that move on continuous paths, the
// sensors are read one after the other in about 200-250 ms a round, and
// everything the board reports (men on two squares, replaced victims, ghosts,
// skipped squares) follows from that and is not made up.
//
// The clock is a DGT 3000 or an XL: it runs a [Programme] of its own, or in its
// remote option does what it is told over the board, and answers as late and as
// badly as [Faults] say. What a clock does that no source tells is said where it
// is done.
//
// [Board] is the pure core: time is an argument, the seed decides every random
// choice, the same calls give the same bytes. [Hands] moves the men. [Device]
// runs a Board on a pty in real time.
//
// The emulator knows no chess rules: a hand may put any man anywhere. Squares
// are numbered as the protocol does, 0 = a8 to 63 = h1, always as the players
// see them; a board that is turned round renumbers them on the wire.
package emulator
