package event

import "boardd/tomlfile"

// tieRule allows the names of tie rules.
func tieRule(text string) string { return tomlfile.ShortLine(text) }
