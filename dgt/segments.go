package dgt

// segments returns the seven-segment form of a character. Bits: 01 top,
// 02 right top, 04 right bottom, 08 bottom, 10 left bottom, 20 left top,
// 40 centre.
//
// The small n would be 54 and is drawn as an arch instead, for 54 must never
// be sent.
func segments(c byte) (bits byte, ok bool) {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	switch c {
	case ' ':
		return 0, true
	case '-':
		return 0x40, true
	case '_':
		return 0x08, true
	case '=':
		return 0x48, true
	}
	if c >= '0' && c <= '9' {
		return digitSegments[c-'0'], true
	}
	if c <= 'z' && letterSegments[c] != 0 {
		return letterSegments[c], true
	}
	return 0, false
}

var digitSegments = [10]byte{0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f}

// k, m, v, w, x and z have no readable form.
var letterSegments = ['z' + 1]byte{
	'a': 0x77, 'b': 0x7c, 'c': 0x39, 'd': 0x5e, 'e': 0x79,
	'f': 0x71, 'g': 0x3d, 'h': 0x76, 'i': 0x06, 'j': 0x1e,
	'l': 0x38, 'n': 0x37, 'o': 0x5c, 'p': 0x73, 'q': 0x67,
	'r': 0x50, 's': 0x6d, 't': 0x78, 'u': 0x3e, 'y': 0x6e,
}
