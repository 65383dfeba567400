package check

import (
	"time"

	"boardd/clock"
)

// noHurry is how long a low battery has to last where no other reading comes: a clock
// with a delay is silent for as long as that.
const noHurry = time.Minute

// device is what is true of the clock itself, whatever the game.
type device struct {
	absent  sign // no clock is connected
	battery sign // it is low
}

// sign is a state that has to last to be believed.
type sign struct {
	held, told bool
	since      time.Duration
}

// say notes what a reading says of a state, and reports whether it said so before.
func (s *sign) say(on bool, at time.Duration) (again bool) {
	if on != s.held {
		s.held, s.since = on, at
		return false
	}
	return true
}

// news reports whether the state has lasted, and is news; then it counts as told.
func (s *sign) news(at, wait time.Duration) bool {
	if s.held == s.told || at-s.since < wait {
		return false
	}
	s.told = s.held
	return true
}

// read takes what a reading says of the device.
func (d *device) read(k *Checker, r clock.Reading) {
	wait := stands
	if again := d.absent.say(!r.Connected, k.now); again || r.Connected || !k.seen {
		wait = 0 // two readings agree; or there is no clock to be lost to a bad bit
	}
	d.absence(k, wait)
	if !r.Connected {
		return
	}
	if d.battery.say(r.BatteryLow, k.now) {
		d.power(k, 0)
	}
}

// lasts tells what has lasted though no reading came.
func (d *device) lasts(k *Checker) {
	d.absence(k, stands)
	d.power(k, noHurry)
}

// absence tells that the clock is gone, or there. After a result clocks are carried
// away: that matters when the next game begins.
func (d *device) absence(k *Checker, wait time.Duration) {
	if k.over && d.absent.held || !d.absent.news(k.now, wait) {
		return
	}
	k.doubt()
	if d.absent.told {
		k.find(clock.Finding{Code: none, Detail: "no clock is connected"})
		return
	}
	k.find(clock.Finding{Code: none, Detail: "a clock is connected again", Cleared: true})
}

func (d *device) power(k *Checker, wait time.Duration) {
	if !d.battery.news(k.now, wait) {
		return
	}
	detail := "the battery of the clock is low"
	if !d.battery.told {
		detail = "the battery of the clock is good again"
	}
	k.find(clock.Finding{Code: batteryLow, Detail: detail, Cleared: !d.battery.told})
}

// doubt forgets what only one reading has told.
func (d *device) doubt() {
	d.absent.held, d.battery.held = d.absent.told, d.battery.told
}
