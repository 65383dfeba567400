package venue

import "boardd/tomlfile"

// PGNConfig says where the games go as files, and how.
type PGNConfig struct {
	// Folder has a folder for each event; "" for none. A relative one in a file is relative to the file's folder.
	Folder string
	// Layout is both, games (a file a game) or combined (a file a round).
	Layout string
	// TimeControl is how tags TimeControl are written: pgn, lichess or livechess.
	TimeControl string
}

func readPGN(s *tomlfile.Section, c *PGNConfig) {
	s.Text("folder", &c.Folder, folder)
	s.Text("layout", &c.Layout, tomlfile.OneOf("both", "games", "combined"))
	s.Text("time-control", &c.TimeControl, tomlfile.OneOf("pgn", "lichess", "livechess"))
	s.Done()
}
