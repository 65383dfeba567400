package venue

import (
	"time"

	"boardd/clock"
)

// watcher is what looks at a clock that people have set.
type watcher interface {
	Promise(at time.Duration, c *clock.Control)
	NewGame(at time.Duration)
	Result(at time.Duration)
	Outage(at time.Duration, up bool)
	Moved(at time.Duration, by clock.Player)
	Advance(at time.Duration)
	Reading(at time.Duration, r clock.Reading)
	Take() []clock.Finding
}

// unwatched looks at nothing.
type unwatched struct{}

func watch(*clock.Control) watcher { return unwatched{} }

func (unwatched) Promise(time.Duration, *clock.Control) {}
func (unwatched) NewGame(time.Duration)                 {}
func (unwatched) Result(time.Duration)                  {}
func (unwatched) Outage(time.Duration, bool)            {}
func (unwatched) Moved(time.Duration, clock.Player)     {}
func (unwatched) Advance(time.Duration)                 {}
func (unwatched) Reading(time.Duration, clock.Reading)  {}
func (unwatched) Take() []clock.Finding                 { return nil }
