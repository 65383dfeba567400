// Package lcc has the JSON files in which LiveChess Cloud and the e-PGN export of LiveChess publish an event: the
// tournament, its rounds and their games (livechess-and-broadcast, section B). It reads and writes them and turns
// their games into records of rules and back.
//
// It is pure: no goroutine, no wall clock, no I/O. Writing gives exactly the documented keys, in their order, for
// strict readers fail on others; reading takes what is seen in the wild and ignores keys it does not know.
package lcc
