package check

import (
	"fmt"
	"time"

	"boardd/clock"
)

// next are the bases that a player may get next: one, or any of those to come where
// nobody knows how many came before. The last period repeats if it has a number of
// moves.
func (k *Checker) next(p clock.Player) (bases []time.Duration) {
	all := k.periods(p)
	if len(all) == 0 {
		return nil
	}
	for i := k.sides[p].period + 1; i < len(all) && (len(bases) == 0 || k.unsure); i++ {
		bases = append(bases, all[i].Base)
	}
	if last := all[len(all)-1]; len(bases) == 0 && last.Moves > 0 {
		bases = append(bases, last.Base)
	}
	return bases
}

// follow reports whether a player has another period to come, as far as is known.
func (k *Checker) follow(p clock.Player) bool { return len(k.next(p)) > 0 }

// bases are the ways in which periods may have begun between two readings: none; on
// both clocks, which get it at once when the time of one is used up; or on the clock
// of a player who has made his moves (fact sheet 3.5).
func (k *Checker) bases(a shown, rise [2]time.Duration, presses [2]int, most time.Duration) [][2]time.Duration {
	ways := [][2]time.Duration{{}}
	zero := min(a.White, a.Black) <= most
	if k.control == nil {
		// Nobody knows the control: a jump of both by as much tells.
		const least = time.Minute // less is a penalty, or a mend
		if zero && min(rise[clock.White], rise[clock.Black]) >= least-most {
			for _, base := range rise {
				ways = append(ways, [2]time.Duration{base, base})
			}
		}
		return ways
	}
	white, black := k.next(clock.White), k.next(clock.Black)
	if zero || k.movesMade(clock.White, presses[clock.White]) && k.movesMade(clock.Black, presses[clock.Black]) {
		for _, w := range white {
			for _, b := range black {
				ways = append(ways, [2]time.Duration{w, b})
			}
		}
	}
	for _, p := range clock.Players {
		if a.Face(p) > most && (presses[p] == 0 || !k.movesMade(p, presses[p])) {
			continue
		}
		for _, base := range k.next(p) {
			var way [2]time.Duration
			way[p] = base
			ways = append(ways, way)
		}
	}
	return ways
}

// movesMade reports whether a player may have made the moves of his period, with so
// many more. One press may have been missed.
func (k *Checker) movesMade(p clock.Player, more int) bool {
	n, counted := k.required(p)
	return counted && (k.unsure || k.sides[p].presses+more >= n-1)
}

// required is how many moves of the game a player has made at the end of his period;
// counted is false where it has no number of moves.
func (k *Checker) required(p clock.Player) (n int, counted bool) {
	all := k.periods(p)
	for i := 0; i <= k.sides[p].period && len(all) > 0; i++ {
		period := all[min(i, len(all)-1)]
		n, counted = n+period.Moves, period.Moves > 0
	}
	return n, counted
}

// begin notes and tells the periods that have begun.
func (k *Checker) begin(s step) {
	for _, p := range clock.Players {
		if s.base[p] == 0 {
			continue
		}
		side, all := &k.sides[p], k.periods(p)
		side.period++
		for side.period < len(all)-1 && all[side.period].Base != s.base[p] {
			side.period++
		}
	}
	white, black := s.base[clock.White], s.base[clock.Black]
	tell := func(p clock.Player, base time.Duration) {
		k.find(clock.About(0, newPeriod, p, fmt.Sprintf("%s has completed the period: %s more, now %s", name(p), face(base), face(k.last.Face(p)))))
	}
	switch {
	case white > 0 && black > 0:
		k.find(clock.Finding{Code: newPeriod, Detail: "the next period has begun for both: " + faces(k.last.Reading)})
	case white > 0:
		tell(clock.White, white)
	case black > 0:
		tell(clock.Black, black)
	default:
		return
	}
	k.flag = sign{}
}

// passOver notes the periods that have begun while readings were missed.
func (k *Checker) passOver(a, b shown) {
	for _, p := range clock.Players {
		for _, base := range k.next(p) {
			// Increments alone do not make up so much in the time of an outage.
			const sure = 5 * time.Minute
			if base >= sure && b.Face(p)-a.Face(p) > base/2 {
				k.sides[p].period++
				break
			}
		}
	}
}
