package reconstruct

import (
	"math"
	"math/bits"

	"boardd/rules"
)

// ms is session time in milliseconds.
type ms = int64

// windowLen is how many snapshots back a new line is scored: three plies
// within two scans, or a man noticed late, still get their true cost.
const windowLen = 64

// nobody is "no colour": an unknown lever, no press.
const nobody rules.Color = 2

// snapshot is the board between two changes of what is sensed: a square that
// reads another man, or a press of the clock.
type snapshot struct {
	sense      sensed
	since      [64]ms // when each square began to read what it reads
	start, end ms     // end is open (the present) for the last one
	toMove     rules.Color
	press      rules.Color // who pressed at start
	pressed    [2]ms       // when each side had pressed last before start
	clock      bool        // a clock is connected
	running    bool
	changes    int // how many squares changed at start
	changed    rules.Bitboard
}

func reverse(b uint64) uint64 { return bits.Reverse64(b) }

// strainUnit is the time scale below which a disagreement is a hand in
// passing: the strain of a square grows with ln(1 + time/strainUnit).
const strainUnit ms = 300

// logBits is how many bits of a number's fraction its logarithm is looked up by.
const logBits = 10

var logTable = func() (t [1 << logBits]float32) {
	for i := range t {
		t[i] = float32(math.Log1p((float64(i) + 0.5) / float64(len(t))))
	}
	return t
}()

// lnDwell is ln(1 + d/strainUnit) to a thousandth, by table: it is what the
// tracker computes most, and the same on every machine.
func lnDwell(d ms) float32 {
	if d <= 0 {
		return 0
	}
	b := math.Float32bits(float32(d+strainUnit) / float32(strainUnit))
	return float32(int(b>>23)-127)*math.Ln2 + logTable[b>>(23-logBits)&(1<<logBits-1)]
}
