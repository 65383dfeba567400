// Package correspondence reckons with the time and the points of games that
// last for months: no clock is set, each player has days of reflection in an
// account (the Golden Knights regulations, fact sheet 1 and 5.4).
//
// It is pure: days are arguments. When post was sent and received is for the
// players and the director to say.
package correspondence
