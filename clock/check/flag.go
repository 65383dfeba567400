package check

import (
	"fmt"
	"time"

	"boardd/clock"
)

// flags tells which flag has fallen first, and takes it back when that player is
// given time. 0:00 is none while another period follows.
func (k *Checker) flags() {
	if !k.run || k.over {
		return
	}
	for _, p := range clock.Players {
		if k.flag.told && k.sides[p].flagged && k.last.Face(p) > 0 {
			k.flag, k.sides[p].flagged = sign{}, false
			k.find(clock.Finding{Code: flagFallen, Player: p, HasPlayer: true, Cleared: true,
				Detail: fmt.Sprintf("%s has %s again", name(p), face(k.last.Face(p)))})
		}
	}
	if k.flag.told {
		return
	}
	p, down := k.down()
	k.flag.say(down, k.now)
	if !down || k.fresh || !k.flag.news(k.now, k.flagWait(p)) {
		return
	}
	k.sides[p].flagged = true
	how := "the clock is blocked"
	if k.last.Running {
		how = "the clock runs on"
	}
	k.find(clock.About(0, flagFallen, p, fmt.Sprintf("the flag of %s has fallen%s; %s has %s, %s",
		name(p), k.ofMoves(p), name(p.Other()), face(k.last.Face(p.Other())), how)))
}

// down is the player whose time is used up: a blocked flag, or the face that counts.
func (k *Checker) down() (clock.Player, bool) {
	for _, p := range clock.Players {
		if k.last.Face(p) == 0 && (k.last.Flag(p) || k.last.FlagShown(p) || k.last.ToMove == p) {
			return p, true
		}
	}
	return clock.White, false
}

// flagWait is how long a player's 0:00 has to stand.
func (k *Checker) flagWait(p clock.Player) time.Duration {
	switch {
	case k.follow(p) && (k.movesMade(p, 0) || !k.counted(p)):
		return periodWait
	case k.last.Flag(p):
		return 0 // the clock itself says so, at a time that follows
	}
	return stands
}

// counted reports whether a player's moves are sure to be counted.
func (k *Checker) counted(p clock.Player) bool {
	_, counted := k.required(p)
	return counted && !k.unsure && !k.late
}

// ofMoves says how many moves a player has made of those he needs.
func (k *Checker) ofMoves(p clock.Player) string {
	if n, _ := k.required(p); k.counted(p) {
		return fmt.Sprintf(" (%d presses, %d moves needed)", k.sides[p].presses, n)
	}
	return ""
}
