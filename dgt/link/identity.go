package link

import (
	"fmt"
	"strings"

	"boardd/dgt"
)

// Identity is what a board, and the clock on it, said about themselves. Fields
// it did not answer are zero.
type Identity struct {
	Serial     string // five digits: the board's name (facts 1.3)
	LongSerial string
	Version    dgt.Version
	Trademark  string // the board's own text, lines joined; nothing depends on it

	HasBattery bool
	Battery    dgt.Battery

	HasClock bool // a clock answered to the version command
	Clock    dgt.ClockVersion
}

// Key names the board wherever it is plugged in: the serial number, else the
// long one, else nothing.
func (id Identity) Key() string {
	if id.Serial != "" {
		return id.Serial
	}
	return id.LongSerial
}

// Generation tells what the main version number stands for (facts 1.7).
func (id Identity) Generation() string {
	switch id.Version.Major {
	case 0:
		return "serial or USB-B board"
	case 1:
		return "Bluetooth board"
	case 3:
		return "Revelation II"
	case 4:
		return "USB-C board"
	}
	return "board"
}

// String is one line for people.
func (id Identity) String() string {
	if id == (Identity{}) {
		return "unknown board"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, version %v", id.Generation(), &id.Version)
	if key := id.Key(); key != "" {
		fmt.Fprintf(&b, ", serial %s", key)
	}
	if id.HasBattery {
		fmt.Fprintf(&b, ", battery %d %%", id.Battery.Percent)
	}
	if id.HasClock {
		fmt.Fprintf(&b, ", clock %v", id.Clock)
	}
	return b.String()
}
