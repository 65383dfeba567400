package plan

import (
	"time"

	"boardd/clock"
)

// lag measures how long the way of a reading takes. A face that was set to a whole
// second while it runs changes exactly a second later; when that is told, is known.
type lag struct {
	at     time.Duration // when the running face was set
	face   time.Duration // to what
	of     clock.Player
	open   bool
	known  bool
	values time.Duration // the running mean of the samples
}

// lagMax is the longest lag that is believed (protocol sheet 4.5).
const lagMax = time.Second

// sent notes a command that has set a running face.
func (l *lag) sent(at time.Duration, c Command) {
	if c.Kind != SetAndRun {
		return
	}
	l.open = c.Run != Stands
	l.at, l.of, l.face = at, clock.White, c.White
	if c.Run == RunsBlack {
		l.of, l.face = clock.Black, c.Black
	}
}

// heard measures by a reading, if it is the first change since.
func (l *lag) heard(at time.Duration, r clock.Reading) {
	if !l.open || !r.Running || r.ToMove != l.of || r.Face(l.of) >= l.face {
		return
	}
	l.open = false
	sample := at - l.at - time.Second
	if r.Face(l.of) != l.face-time.Second || sample < 0 || sample > lagMax {
		return
	}
	if !l.known {
		l.known, l.values = true, sample
		return
	}
	l.values += (sample - l.values) / 8
}

// estimate is the mean lag, none before it has been measured.
func (l *lag) estimate() time.Duration { return l.values }
