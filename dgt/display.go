package dgt

import "fmt"

// Lengths of the displays, in characters.
const (
	DisplayLen         = 6  // XL: "1A:BC 1D:EF" without the fixed parts
	ASCIILen           = 8  // DGT 3000
	RevelationASCIILen = 11 // Revelation II
)

// MaxASCIIBeep is the longest beep of a text: 62.5 ms and 15 sixteenths of a
// second.
const MaxASCIIBeep = 15

// Display shows a text of up to six characters on a clock with seven-segment
// digits (XL family), with a beep if wanted. It is an error if a character
// cannot be drawn with seven segments.
func Display(text string, beep bool) (Command, error) {
	if len(text) > DisplayLen {
		return Command{}, fmt.Errorf("dgt: display: expected at most %d characters, got %d in %q", DisplayLen, len(text), text)
	}
	var seg [DisplayLen]byte
	for i := range len(text) {
		s, ok := segments(text[i])
		if !ok {
			return Command{}, fmt.Errorf("dgt: display: no seven-segment form of %q in %q", text[i], text)
		}
		seg[i] = s
	}
	sound := byte(0x01)
	if beep {
		sound = 0x03
	}
	// The wire wants each half backwards.
	return clockFrame(OpDisplay, seg[2], seg[1], seg[0], seg[5], seg[4], seg[3], 0, sound), nil
}

// ASCII shows a text of up to eight characters on a DGT 3000 and beeps for
// beep sixteenths of a second and a little more; 0 is silent, 15 the longest.
// A few capitals are sent as small letters, see Command. It is an error if the
// text is too long or not printable ASCII, or the beep out of range.
func ASCII(text string, beep int) (Command, error) {
	return asciiFrame(OpASCII, ASCIILen, text, beep)
}

// RevelationASCII is ASCII for the eleven characters of a Revelation II.
func RevelationASCII(text string, beep int) (Command, error) {
	return asciiFrame(OpRevelationASCII, RevelationASCIILen, text, beep)
}

func asciiFrame(op ClockOp, width int, text string, beep int) (Command, error) {
	if len(text) > width {
		return Command{}, fmt.Errorf("dgt: %v: expected at most %d characters, got %d in %q", op, width, len(text), text)
	}
	if beep < 0 || beep > MaxASCIIBeep {
		return Command{}, fmt.Errorf("dgt: %v: expected a beep of 0 to %d, got %d", op, MaxASCIIBeep, beep)
	}
	var body [RevelationASCIILen + 1]byte
	for i := range width {
		c := byte(' ')
		if i < len(text) {
			c = text[i]
		}
		if c < ' ' || c > '~' {
			return Command{}, fmt.Errorf("dgt: %v: expected printable ASCII, got %q", op, text)
		}
		body[i] = harmless(c)
	}
	body[width] = byte(beep)
	return clockFrame(op, body[:width+1]...), nil
}

// harmless returns c, or its small letter where the capital is a command that
// would hurt if a board lost the head of the frame: the never-sent ones, the
// log dump (I) and bus mode (J).
func harmless(c byte) byte {
	if neverSend(c) || c == codeLog || c == codeToBus {
		return c | 0x20
	}
	return c
}

// Text returns what an ASCII or RevelationASCII command shows, padding
// included.
func (c Command) Text() (text string, ok bool) {
	op, _ := c.ClockOp()
	var args [commandCap]byte
	p := c.ClockArgs(args[:0])
	if op != OpASCII && op != OpRevelationASCII || len(p) < 1 {
		return "", false
	}
	return string(p[:len(p)-1]), true
}

// Icons is what the icons command lights on an XL clock.
type Icons struct {
	Left, Right             SideIcons
	LeftPeriod, RightPeriod uint8 // 1 to 5, 0 for none
	LeftFlag, RightFlag     bool
	Special                 SpecialIcons
}

// SideIcons are the icons of one side.
type SideIcons uint8

// Bits of SideIcons.
const (
	IconTime      SideIcons = 0x01
	IconFischer   SideIcons = 0x02
	IconDelay     SideIcons = 0x04
	IconHourglass SideIcons = 0x08
	IconCountUp   SideIcons = 0x10
	IconByoyomi   SideIcons = 0x20
	IconEnd       SideIcons = 0x40
)

// SpecialIcons are the icons of the whole clock.
type SpecialIcons uint8

// Bits of SpecialIcons.
const (
	IconClearAll   SpecialIcons = 0x01
	IconSound      SpecialIcons = 0x02
	IconBlackWhite SpecialIcons = 0x04
	IconWhiteBlack SpecialIcons = 0x08
	IconBattery    SpecialIcons = 0x10
	IconSoundOn    SpecialIcons = 0x20 // listed as a second "sound"
	IconStay       SpecialIcons = 0x40
)

// ShowIcons lights icons on an XL clock. It is an error if a period is above 5
// or the combination of icons makes a byte that must never be sent.
func ShowIcons(i Icons) (Command, error) {
	if i.LeftPeriod > 5 || i.RightPeriod > 5 {
		return Command{}, fmt.Errorf("dgt: icons: expected periods of 0 to 5, got %d and %d", i.LeftPeriod, i.RightPeriod)
	}
	period := func(p uint8, flag bool) (b byte) {
		if p > 0 {
			b = 1 << (p - 1)
		}
		if flag {
			b |= 0x20
		}
		return b
	}
	body := [9]byte{
		byte(i.Left), byte(i.Right),
		period(i.LeftPeriod, i.LeftFlag), period(i.RightPeriod, i.RightFlag),
		byte(i.Special),
	}
	for _, b := range body {
		if b > 0x7f || neverSend(b) {
			return Command{}, fmt.Errorf("dgt: icons: expected a combination that can be sent, got %02x", b)
		}
	}
	return clockFrame(OpIcons, body[:8]...), nil
}
