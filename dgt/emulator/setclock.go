package emulator

// SetClock sets the clock by hand, as between two games: times, increments, option
// and lever. It stands afterwards. Which clock it is, and whether it is plugged in,
// stays as it was.
func (b *Board) SetClock(s ClockSetting) {
	c := newClock(s)
	c.plugged, c.version, c.asOf = b.clock.plugged, b.clock.version, b.clock.asOf
	b.clock = c
	b.clockSays()
}
