package dgt

import "fmt"

// ClockAck is the clock's answer to a clock command, or a report it sends of
// its own accord (section 4.4).
type ClockAck struct {
	Ack [4]byte // ack0 to ack3 with their eighth bits put back
}

// ClockOp names a clock command: its code inside a 2b frame, which the clock
// repeats in its answer (section 5).
type ClockOp uint8

// The clock commands.
const (
	OpNone            ClockOp = 0x00 // some clocks answer errors without naming the command
	OpDisplay         ClockOp = 0x01
	OpIcons           ClockOp = 0x02
	OpEndDisplay      ClockOp = 0x03
	OpButton          ClockOp = 0x08
	OpVersion         ClockOp = 0x09
	OpSetAndRun       ClockOp = 0x0a
	OpBeep            ClockOp = 0x0b
	OpASCII           ClockOp = 0x0c
	OpRevelationASCII ClockOp = 0x0d
)

// String names the command as in "set-and-run".
func (o ClockOp) String() string {
	switch o {
	case OpNone:
		return "none"
	case OpDisplay:
		return "display"
	case OpIcons:
		return "icons"
	case OpEndDisplay:
		return "end-display"
	case OpButton:
		return "button"
	case OpVersion:
		return "version"
	case OpSetAndRun:
		return "set-and-run"
	case OpBeep:
		return "beep"
	case OpASCII:
		return "ascii"
	case OpRevelationASCII:
		return "revelation-ascii"
	}
	return fmt.Sprintf("op %02x", uint8(o))
}

// AckResult is ack0, the clock's verdict on a command.
type AckResult uint8

// The known verdicts. Any other value is an error too.
const (
	AckOK      AckResult = 0x10
	AckBusy    AckResult = 0x20 // undocumented; common where commands overlap
	AckRefused AckResult = 0x40 // such as set-and-run outside remote mode
)

// String returns "ok", "busy", "refused" or the code.
func (r AckResult) String() string {
	switch r {
	case AckOK:
		return "ok"
	case AckBusy:
		return "busy"
	case AckRefused:
		return "refused"
	}
	return fmt.Sprintf("error %02x", uint8(r))
}

// ClockReport is ack1 of a report the clock sends unasked.
type ClockReport uint8

// The unsolicited reports. The sense of the last two is uncertain in every
// source.
const (
	ReportReady     ClockReport = 0x81 // just switched on or plugged in
	ReportButton    ClockReport = 0x88
	ReportMode      ClockReport = 0x8a
	ReportNotInMode ClockReport = 0x90
)

// String names the report as in "not-in-mode".
func (r ClockReport) String() string {
	switch r {
	case ReportReady:
		return "ready"
	case ReportButton:
		return "button"
	case ReportMode:
		return "mode"
	case ReportNotInMode:
		return "not-in-mode"
	}
	return fmt.Sprintf("report %02x", uint8(r))
}

// Result returns the verdict on a command. It means nothing for an
// unsolicited report.
func (a *ClockAck) Result() AckResult { return AckResult(a.Ack[0]) }

// OK reports whether the verdict is ok.
func (a *ClockAck) OK() bool { return a.Result() == AckOK }

// Unsolicited reports whether the clock spoke of its own accord. Such a
// message answers no command and must not release one.
func (a *ClockAck) Unsolicited() bool { return a.Ack[1] >= 0x80 }

// Report returns the kind of an unsolicited report.
func (a *ClockAck) Report() (r ClockReport, ok bool) {
	return ClockReport(a.Ack[1]), a.Unsolicited()
}

// Op returns the command that is answered: OpNone when the clock did not say,
// and ok is false for an unsolicited report.
func (a *ClockAck) Op() (op ClockOp, ok bool) {
	return ClockOp(a.Ack[1]), !a.Unsolicited()
}

// Answers reports whether a settles c, a clock command in flight: it names
// the same command, or it is an error that names none, as clocks send when
// commands overlap.
func (a *ClockAck) Answers(c Command) bool {
	want, isClock := c.ClockOp()
	got, answers := a.Op()
	return isClock && answers && (got == want || got == OpNone && !a.OK())
}

// Version returns the clock's version when a answers the version command
// well.
func (a *ClockAck) Version() (v ClockVersion, ok bool) {
	if !a.OK() || ClockOp(a.Ack[1]) != OpVersion {
		return ClockVersion{}, false
	}
	return ClockVersion{Main: a.Ack[2] >> 4, Sub: a.Ack[2] & 0x0f}, true
}

// Mode returns the number of a mode report, probably the option the clock
// stands in.
func (a *ClockAck) Mode() (option byte, ok bool) {
	return a.Ack[3], ClockReport(a.Ack[1]) == ReportMode
}

// Button returns the button of a button report, ButtonNone if its code is
// unknown, and which buttons and lever side the clock says are down.
func (a *ClockAck) Button() (b Button, held Held, ok bool) {
	if ClockReport(a.Ack[1]) != ReportButton {
		return ButtonNone, 0, false
	}
	if c := a.Ack[3]; c >= 0x31 && c <= 0x35 {
		b = Button(c - 0x30)
	}
	return b, Held(a.Ack[2]), true
}

// String renders the ack for a log line.
func (a *ClockAck) String() string {
	r, unasked := a.Report()
	if !unasked {
		op, _ := a.Op()
		if v, ok := a.Version(); ok {
			return "ack version " + v.String()
		}
		return fmt.Sprintf("ack %v %v", op, a.Result())
	}
	if b, _, ok := a.Button(); ok {
		return "clock button " + b.String()
	}
	return fmt.Sprintf("clock %v % x", r, a.Ack)
}

// ClockVersion is a clock's firmware version. Main 1 is the DGT XL family,
// which takes Display; main 2 the DGT 3000, which takes ASCII.
type ClockVersion struct{ Main, Sub uint8 }

// String returns "2.0".
func (v ClockVersion) String() string { return fmt.Sprintf("%d.%d", v.Main, v.Sub) }

// Button is one of the five buttons on the front of the clock.
type Button uint8

// The buttons, by the code the clock sends less 30.
const (
	ButtonNone Button = iota
	ButtonBack
	ButtonPlus
	ButtonRun
	ButtonMinus
	ButtonOK
)

// String names the button.
func (b Button) String() string {
	switch b {
	case ButtonBack:
		return "back"
	case ButtonPlus:
		return "plus"
	case ButtonRun:
		return "run"
	case ButtonMinus:
		return "minus"
	case ButtonOK:
		return "ok"
	}
	return "none"
}

// Held is the set of buttons held down as one program has seen it in ack2;
// no official text describes it.
type Held uint8

// Bits of Held. The low two bits follow the lever.
const (
	HeldBack  Held = 0x04
	HeldPlus  Held = 0x08
	HeldRun   Held = 0x10
	HeldMinus Held = 0x20
	HeldOK    Held = 0x40
)

// Has reports whether button b is in the set.
func (h Held) Has(b Button) bool {
	switch b {
	case ButtonBack:
		return h&HeldBack != 0
	case ButtonPlus:
		return h&HeldPlus != 0
	case ButtonRun:
		return h&HeldRun != 0
	case ButtonMinus:
		return h&HeldMinus != 0
	case ButtonOK:
		return h&HeldOK != 0
	}
	return false
}

// appendClockAck appends seven payload bytes. Real clocks may mark one or both
// hours nibbles; readers accept either, so both are marked. The status byte of
// a real ack is unrecorded and sent as 0.
func appendClockAck(dst []byte, a *ClockAck) []byte {
	k := a.Ack
	return append(dst,
		0x0a|k[2]>>7<<4|k[3]>>7<<5, k[0]&0x7f, k[1]&0x7f,
		0x0a|k[0]>>7<<4|k[1]>>7<<5, k[2]&0x7f, k[3]&0x7f,
		0)
}
