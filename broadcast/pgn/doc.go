// Package pgn writes a venue's games as files: the e-PGN folder of LiveChess (livechess-and-broadcast B.6), which
// upload programs watch, and the same files over HTTP.
//
//	hub's public view -> [Book: the games of each round, those over too] -> [Tree: files] -> folder, HTTP
//
// Book and Tree are pure: time is an argument. [Publisher] runs them; one goroutine of it follows the view, another
// writes the folder, so that a slow disk delays neither the hub nor HTTP. Whatever delay the view has, the files have.
//
// What this package is not: it reads no files of others (rules and broadcast/lcc do), and only its own folder.
package pgn
