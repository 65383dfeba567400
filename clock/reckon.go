package clock

import "time"

// Start is what each side's clock shows before the first move: the base, and
// with it the increment for move 1 (fact sheet 3.4). A delay or a Bronstein
// time does not belong to the base and is not in it.
func (c Control) Start() (white, black time.Duration) {
	return startOf(c.White), startOf(c.Black)
}

func startOf(periods []Period) time.Duration {
	if len(periods) == 0 {
		return 0
	}
	p := periods[0]
	if p.Kind == Fischer && p.From <= 1 {
		return p.Base + p.Bonus
	}
	return p.Base
}

// Class is the FIDE class of a control.
type Class string

// The classes (Laws A.1 and B.1; fact sheet 1). The empty one is for controls
// that the formula does not cover.
const (
	Blitz               Class = "blitz"    // at most 10 minutes
	Rapid               Class = "rapid"    // more than 10 and less than 60 minutes
	Standard            Class = "standard" // 60 minutes and more
	CorrespondenceClass Class = "correspondence"
	NoClass             Class = ""
)

// Class applies the formula of the Laws, base + 60 x extra time, to the side
// that has more time. A period counts when one of the first 60 moves is in it.
func (c Control) Class() Class {
	if c.Form == Correspondence {
		return CorrespondenceClass
	}
	white, ok := sixtyMoves(c.White)
	black, alsoOK := sixtyMoves(c.Black)
	if c.Form != Timed || !ok || !alsoOK {
		return NoClass
	}
	switch total := max(white, black); {
	case total <= 10*time.Minute:
		return Blitz
	case total < time.Hour:
		return Rapid
	}
	return Standard
}

// sixtyMoves is the time a side has for its first 60 moves.
func sixtyMoves(periods []Period) (total time.Duration, ok bool) {
	const all = 60
	if len(periods) == 0 {
		return 0, false
	}
	for i, first := 0, 1; first <= all; i++ {
		p := periods[min(i, len(periods)-1)] // the last repeats
		switch p.Kind {
		case ByoYomi, Canadian, Hourglass, CountUp:
			return 0, false
		case None, Fischer, Bronstein, Delay:
		}
		total += p.Base
		last := all
		if p.Moves > 0 {
			last = min(first+p.Moves-1, all)
		} else if i < len(periods)-1 {
			continue // until its time is used up: it takes no move for itself
		}
		if from := max(first, p.From); from <= last {
			total += time.Duration(last-from+1) * p.Bonus
		}
		first = last + 1
	}
	return total, true
}
