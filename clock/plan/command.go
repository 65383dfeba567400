package plan

import "time"

// Kind is what a command asks of the clock.
type Kind uint8

// The kinds of command.
const (
	SetAndRun Kind = iota // both times, and which side counts
	Beep                  // a sound
	Show                  // a text, on a DGT 3000
	EndShow               // the times again
)

// Run is whose face counts.
type Run uint8

// The values of Run.
const (
	Stands Run = iota
	RunsWhite
	RunsBlack
)

// Command is one thing to be said to the clock. The venue knows which side of the
// device is whose.
type Command struct {
	Kind         Kind
	White, Black time.Duration // whole seconds, 0 to 9:59:59, of SetAndRun
	Run          Run           // of SetAndRun
	Toggle       bool          // of SetAndRun: the lever changes the side that counts
	Text         string        // of Show
	Beeps        int           // of Beep, in units of 64 ms
}

// Result is the clock's verdict on a command.
type Result uint8

// The verdicts (protocol sheet 4.4).
const (
	OK     Result = iota
	Busy          // commands overlapped, or it had no time: to be tried again
	NotNow        // refused: the clock is not in remote mode
	Broken        // any other error
)
