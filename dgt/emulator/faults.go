package emulator

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Faults are the troubles of a cable and a clock that can be switched on, each
// for itself. Shares run from 0, never, to 1, always.
//
// One thing is no fault but how clocks are: a command that comes before the one
// before is answered is not carried out, and is answered with error 20.
type Faults struct {
	// LoseByte is the share of bytes that vanish on the line.
	LoseByte float64
	// Noise is the share of bytes that are followed by a random one.
	Noise float64

	// LoseCommand is the share of clock commands that never reach the clock.
	LoseCommand float64
	// Busy is the share of clock commands that are not carried out and answered
	// with error 20, for no reason that the host could see.
	Busy float64
	// LoseAck is the share of clock acknowledgements that never come.
	LoseAck float64
	// LateAck is added to the delay of clock acknowledgements.
	LateAck time.Duration
	// LateShare is the share of acknowledgements that LateAck delays; 0 is all.
	LateShare float64
	// BadAck is the share of acknowledgements that name another command.
	BadAck float64
	// RepeatAck is the share of acknowledgements that come twice, as from Bluetooth
	// boards 2.10: once more unasked, and for one second in answer to every
	// question about the clock's time.
	RepeatAck float64
	// ZeroTime is the share of clock commands that are followed by a clock message
	// of zeros, as from the same boards.
	ZeroTime float64
}

// FaultNames lists what Faults.Set knows, for a help text.
const FaultNames = "lose-byte, noise, lose-command, busy, lose-ack, late-ack (a duration), " +
	"late-share, bad-ack, repeat-ack, zero-time"

// Set sets one fault by its name: a share such as 0.1 or, for late-ack, a duration
// such as 3s. The error says what was expected.
func (f *Faults) Set(name, value string) error {
	if name == "late-ack" {
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("fault %s: expected a duration such as 3s, got %q", name, value)
		}
		f.LateAck = d
		return nil
	}
	share := map[string]*float64{
		"lose-byte": &f.LoseByte, "noise": &f.Noise, "lose-command": &f.LoseCommand, "busy": &f.Busy,
		"lose-ack": &f.LoseAck, "late-share": &f.LateShare, "bad-ack": &f.BadAck,
		"repeat-ack": &f.RepeatAck, "zero-time": &f.ZeroTime,
	}[name]
	if share == nil {
		return fmt.Errorf("fault: expected one of %s, got %q", FaultNames, name)
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return fmt.Errorf("fault %s: expected a share from 0 to 1, got %q", name, value)
	}
	*share = v
	return nil
}

// ParseFaults reads faults as in "lose-ack=0.2,late-ack=3s".
func ParseFaults(text string) (f Faults, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if err := f.Set(name, value); err != nil {
			return Faults{}, err
		}
	}
	return f, nil
}
