// Package dgt speaks the serial protocol of DGT electronic boards and clocks:
// a streaming Decoder for what a board sends, a Command for everything a host
// may say, both also in the other direction for the emulator, and a parser for
// the board's EEPROM log.
//
// It is a pure codec. It opens no port, reads no clock, starts no goroutine
// and keeps no session; package dgt/link does that. It knows no chess either:
// squares are numbered as on the wire, the clock has a left and a right side,
// and which player sits where is for the venue to say.
//
// Bytes that make no sense are skipped and counted, and values out of range
// reach the caller as *Rejected. Nothing is guessed or repaired here.
//
// The boot-loader command and the three that rewrite the board's scan set in
// EEPROM (4e, 51, 53, 54) have no constructor, and no Command will write them.
// AppendMessage writes no trademark answer that carries the maker's name.
//
// Section numbers in comments refer to the project's protocol fact sheet.
package dgt
