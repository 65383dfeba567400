package lcc

import (
	"strconv"
	"strings"

	"boardd/rules"
)

// Tag sets the tags of r that index.json and tournament.json know of game number game in round number round, both
// from 1; either file may be nil.
func Tag(r *rules.Game, t *Tournament, in *Round, round, game int) {
	set := func(name string, value *string) {
		if value != nil && *value != "" {
			r.Tags.Set(name, *value)
		}
	}
	if t != nil {
		set("Event", &t.Name)
		set("Site", t.Location)
		set("TimeControl", t.TimeControl)
	}
	r.Tags.Set("Round", strconv.Itoa(round)+"."+strconv.Itoa(game))
	r.Tags.Set("Board", strconv.Itoa(game))
	if in == nil {
		return
	}
	if in.Date != nil {
		r.Tags.Set("Date", strings.ReplaceAll(*in.Date, "-", "."))
	}
	if game < 1 || game > len(in.Pairings) {
		return
	}
	p := in.Pairings[game-1]
	p.White.Tag(r, "White")
	p.Black.Tag(r, "Black")
	if r.Result == rules.Unfinished { // the round often knows it first
		r.Result = ResultOf(p.Result)
	}
}
