package event

import "boardd/rules/event/standings"

// tieRule checks the name of what decides between players with equal points.
func tieRule(text string) string { return oneOf(standings.Names())(text) }
