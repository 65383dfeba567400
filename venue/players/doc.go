// Package players is people at an emulated board: they set it up, play a given
// game on it with human thinking times, press the clock, show the result with the
// kings, and set up again.
//
// What this room is not: it chooses no moves, and what it knows of the game never
// reaches the pipeline but through the board's own bytes.
package players
