package clock

import "time"

// Reading is what a clock reported at one moment, told by players instead of
// by the sides of the device.
//
// Where Connected is false no clock is there and nothing else counts.
type Reading struct {
	White, Black time.Duration // as displayed: whole seconds, 0 to 9:59:59
	Running      bool          // false: stopped by the start/stop button
	ToMove       Player        // whose side of the lever is high
	Connected    bool
	BatteryLow   bool
	// A fallen flag that blocks the clock at zero.
	WhiteFlag, BlackFlag bool
	// A flag on the display; the clock may run on, as at the end of a period.
	WhiteFlagShown, BlackFlagShown bool
}

// Face is the time that one player's side shows.
func (r Reading) Face(p Player) time.Duration {
	if p == Black {
		return r.Black
	}
	return r.White
}

// Flag reports whether a player's flag has fallen and blocks the clock.
func (r Reading) Flag(p Player) bool {
	if p == Black {
		return r.BlackFlag
	}
	return r.WhiteFlag
}

// FlagShown reports whether a player's side shows a flag.
func (r Reading) FlagShown(p Player) bool {
	if p == Black {
		return r.BlackFlagShown
	}
	return r.WhiteFlagShown
}
