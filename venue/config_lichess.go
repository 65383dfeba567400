package venue

import (
	"regexp"

	"boardd/tomlfile"
)

// LichessConfig is the Lichess broadcast that gets the games; without Round there is none.
type LichessConfig struct {
	// Round is the id of the broadcast's round, the last 8 characters of its address.
	Round string
	// TokenFile holds a token of Lichess with the scope study:write; a relative one in a file is
	// relative to the file's folder.
	TokenFile string
	// URL is the address of Lichess, for tests.
	URL string
}

func readLichess(s *tomlfile.Section, c *LichessConfig) {
	s.Text("round", &c.Round, lichessRound)
	s.Text("token-file", &c.TokenFile, folder)
	s.Text("url", &c.URL, lichessAddress)
	if c.Round != "" {
		s.Require("token-file")
	}
	s.Done()
}

var roundID = regexp.MustCompile(`^[A-Za-z0-9]{8}$`)

func lichessRound(text string) string {
	if !roundID.MatchString(text) {
		return "the id of a broadcast's round, the last 8 letters and digits of its address"
	}
	return ""
}

var webAddress = regexp.MustCompile(`^https?://[^/?#@]+$`)

func lichessAddress(text string) string {
	if !webAddress.MatchString(text) {
		return `an address without a path, as in "https://lichess.org"`
	}
	return ""
}
