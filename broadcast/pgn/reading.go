package pgn

import (
	"time"

	"boardd/broadcast"
	"boardd/broadcast/lcc"
	"boardd/rules"
)

// reading is what the files say of both clocks. While one runs just as expected the files keep the last reading for
// readingAge, since readers that know its time count on from there; each new one would change every file every second.
type reading struct {
	known        bool
	white, black *int64 // ms at time
	running      string
	time         int64 // Unix ms
}

const (
	readingAge   = 10_000 // ms
	readingSlack = 1_500  // ms; clocks report whole seconds
)

func (r *reading) take(b *broadcast.Board, now int64) {
	next := reading{b.WhiteMS != nil || b.BlackMS != nil, b.WhiteMS, b.BlackMS, b.Running, b.TimeMS}
	// A running clock is shown as of now: some readers take it as it stands.
	next.white, next.black, next.time = run(next.white, next, broadcast.RunningWhite, now), run(next.black, next, broadcast.RunningBlack, now), max(now, next.time)
	if next.running == "" {
		next.time = b.TimeMS
	}
	if !r.known || next.known != r.known || next.running != r.running || next.time-r.time >= readingAge && next.running != "" ||
		differs(run(r.white, *r, broadcast.RunningWhite, next.time), next.white) ||
		differs(run(r.black, *r, broadcast.RunningBlack, next.time), next.black) {
		*r = next
	}
}

// run is a clock of r at now, which has counted down if it is the running one.
func run(ms *int64, r reading, side string, now int64) *int64 {
	if ms == nil || r.running != side {
		return ms
	}
	left := max(0, *ms-max(0, now-r.time))
	return &left
}

func differs(a, b *int64) bool {
	if a == nil || b == nil {
		return a != b
	}
	return max(*a-*b, *b-*a) > readingSlack
}

// tag sets WhiteClock, BlackClock and ReferenceTime (livechess-and-broadcast D.1.2).
func (r *reading) tag(tags *rules.Tags) {
	for name, ms := range map[string]*int64{"WhiteClock": r.white, "BlackClock": r.black} {
		if ms != nil {
			tags.Set(name, rules.ClockText(time.Duration(*ms)*time.Millisecond))
		}
	}
	if r.known {
		letter := map[string]string{broadcast.RunningWhite: "W", broadcast.RunningBlack: "B", "": "N"}[r.running]
		tags.Set("ReferenceTime", letter+"/"+time.UnixMilli(r.time).UTC().Format(lcc.ReferenceLayout))
	}
}

// lcc is the reading for game-M.json; nil when not both clocks are known.
func (r *reading) lcc() *lcc.Clock {
	if r.white == nil || r.black == nil {
		return nil
	}
	c := &lcc.Clock{White: int(*r.white / 1000), Black: int(*r.black / 1000), Time: r.time}
	if r.running != "" {
		white := r.running == broadcast.RunningWhite
		c.Run = &white
	}
	return c
}
