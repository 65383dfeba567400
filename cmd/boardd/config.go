package main

import (
	"errors"
	"io/fs"

	"boardd/venue"
)

// configPlaces are where a configuration is looked for when --config names none.
var configPlaces = []string{"boardd.toml", "/etc/boardd/boardd.toml"}

// loadConfig reads the file that --config names. Without the flag it reads the
// first of places that exists; with none there, the defaults hold. The second
// value is the file that was read, empty for none.
func loadConfig(flag string, places []string) (venue.Config, string, error) {
	if flag != "" {
		c, err := venue.Load(flag)
		return c, flag, err
	}
	for _, place := range places {
		c, err := venue.Load(place)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return c, place, err
	}
	return venue.DefaultConfig(), "", nil
}
