package clock

import "time"

// Finding is one thing about a clock that an arbiter has to know, or the news
// that such a thing is over.
type Finding struct {
	At        time.Duration // session time
	Code      string        // a stable alert name, as "clock.flag"
	Player    Player        // whom it is about, if HasPlayer
	HasPlayer bool
	Detail    string // in words: what was expected and what was seen
	Cleared   bool   // the fault is over
}

// About is a finding about one player.
func About(at time.Duration, code string, p Player, detail string) Finding {
	return Finding{At: at, Code: code, Player: p, HasPlayer: true, Detail: detail}
}
