// Package event is the regulations that a tournament is played under, as its
// organiser writes them in event.toml: edition of the Laws, which draws exist,
// default time, stages with their time controls, players, rounds, penalties.
//
// It says what is to be played, and with which times; it rules on nothing that
// happens on a board. It reads no files: text comes in, and what else the text
// names is asked for through a function. Nothing is half-loaded: a file with a
// fault gives no event, but all its faults with their places.
package event
