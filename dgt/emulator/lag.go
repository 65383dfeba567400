package emulator

import (
	"math/rand/v2"
	"time"
)

// ClockLag is what the way between the clock and the board costs. The zero value
// is a way without any delay.
type ClockLag struct {
	// Constant is in every reading of the clock.
	Constant time.Duration
	// Jitter is the width of what varies on top of that, evenly spread.
	Jitter time.Duration
	// Stragglers is the share of readings that take longer still, up to Longest.
	Stragglers float64
	Longest    time.Duration
	// Command is how long a command takes from the board to the clock.
	Command time.Duration
}

// usualLag is the lag of a board as in life (fact sheet 1.1: up to a second). How
// long commands take is unknown; they take no time.
func usualLag(rng *rand.Rand) ClockLag {
	return ClockLag{
		Constant: 50*time.Millisecond + time.Duration(rng.Int64N(int64(400*time.Millisecond))),
		Jitter:   200 * time.Millisecond, Stragglers: 0.03, Longest: time.Second,
	}
}

// upTo is a random part of d, which may be zero.
func upTo(rng *rand.Rand, d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return time.Duration(rng.Int64N(int64(d)))
}

// lag is how long the clock takes to tell the board something.
func (b *Board) lag() time.Duration {
	lag := &b.clockLag
	l := lag.Constant + upTo(b.cable, lag.Jitter)
	if b.cable.Float64() < lag.Stragglers {
		l += upTo(b.cable, lag.Longest-l)
	}
	return l
}
