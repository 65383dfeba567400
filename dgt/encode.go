package dgt

import (
	"bytes"
	"time"
)

// AppendMessage appends m as a board sends it. It is the inverse of Decoder,
// made for the emulator and for tests. Values are cut to the width they have on
// the wire; data beyond the longest message is cut off.
//
// It appends nothing for a trademark answer whose text carries the name of the
// boards' maker: the protocol's owner forbids other programs to identify
// themselves by it, and an emulator has a text of its own.
func AppendMessage(dst []byte, m Message) []byte {
	start := len(dst)
	dst = append(dst, m.ID()|0x80, 0, 0)
	bus := false
	switch m := m.(type) {
	case *BoardDump:
		dst = appendPieces(dst, m.Placement[:])
	case *FieldUpdate:
		dst = append(dst, byte(m.Square), byte(m.Piece))
	case *ClockTime:
		dst = appendClockTime(dst, m)
	case *ClockAck:
		dst = appendClockAck(dst, m)
	case *EELog:
		dst = append(dst, m.Data...)
	case *BusAddress:
		dst = append(dst, m.Address.msb(), m.Address.lsb())
	case *Serial:
		dst = append(dst, m.Digits[:]...)
	case *LongSerial:
		dst = append(dst, m.Digits[:]...)
	case *Trademark:
		dst = append(dst, m.Text...)
	case *Version:
		dst = append(dst, m.Major, m.Minor)
	case *HardwareVersion:
		dst = append(dst, m.Major, m.Minor)
	case *Battery:
		dst = appendBattery(dst, m)
	case *DraughtsDump:
		dst = appendPieces(dst, m.Cells[:m.N])
	case *I2CClock:
		dst = append(dst, m.Data...)
	case *LockState:
		dst = append(dst, m.Data...)
	case *KeyState:
		dst = append(dst, m.Data...)
	case *Unknown:
		dst = append(dst, m.Data...)
	case *Rejected:
		dst = append(dst, m.Data...)
	default:
		dst, bus = appendBus(dst, m), true
	}
	return finish(dst, start, bus)
}

// appendBus appends the address and data of a bus reply.
func appendBus(dst []byte, m Message) []byte {
	at := func(a Address) []byte { return append(dst, a.msb(), a.lsb()) }
	switch m := m.(type) {
	case *BusBoardDump:
		return appendPieces(at(m.From), m.Placement[:])
	case *BusClockTime:
		return appendClockTime(at(m.From), &m.ClockTime)
	case *BusClockAck:
		return appendClockAck(at(m.From), &m.ClockAck)
	case *BusChanges:
		return append(at(m.From), m.Data...)
	case *BusFromStart:
		return append(at(m.From), m.Data...)
	case *BusPing:
		return at(m.From)
	case *BusStartSet:
		return at(m.From)
	case *BusVersion:
		if !m.Known {
			return at(m.From)
		}
		return append(at(m.From), m.Major, m.Minor)
	case *BusDraughtsDump:
		return appendPieces(at(m.From), m.Cells[:])
	case *BusOther:
		return append(at(m.From), m.Data...)
	}
	panic("dgt: AppendMessage: message type of another package")
}

// finish writes the length and, on a bus, the checksum of the frame that begins
// at start.
func finish(dst []byte, start int, bus bool) []byte {
	most := maxLen
	if bus {
		most--
	}
	dst = dst[:min(len(dst), start+most)]
	for i := start + headerLen; i < len(dst); i++ {
		dst[i] &= 0x7f
	}
	if bearsMakersName(dst[start], dst[start+headerLen:]) {
		return dst[:start]
	}
	n := len(dst) - start
	if bus {
		n++
	}
	dst[start+1], dst[start+2] = byte(n>>7), byte(n&0x7f)
	if bus {
		dst = append(dst, Checksum(dst[start:]))
	}
	return dst
}

func bearsMakersName(id byte, payload []byte) bool {
	if id != IDTrademark && id != IDBusTrademark {
		return false
	}
	text := bytes.ToLower(payload)
	return bytes.Contains(text, []byte("dgt")) || bytes.Contains(text, []byte("digital game"))
}

func appendPieces(dst []byte, ps []Piece) []byte {
	for _, p := range ps {
		dst = append(dst, byte(p))
	}
	return dst
}

func appendBattery(dst []byte, b *Battery) []byte {
	dst = append(dst, b.Percent)
	if b.LeftKnown {
		dst = appendHoursMinutes(dst, b.Left, batteryUnknown-1)
	} else {
		dst = append(dst, batteryUnknown, batteryUnknown)
	}
	dst = appendHoursMinutes(dst, b.On, 0x7f)
	const day = 24 * time.Hour
	days := min(max(b.Standby, 0)/day, 0x7f)
	dst = append(dst, byte(days))
	dst = appendHoursMinutes(dst, b.Standby-days*day, 0x7f)
	var status byte
	if b.Charging {
		status |= 1
	}
	if b.Discharging {
		status |= 2
	}
	return append(dst, status)
}

func appendHoursMinutes(dst []byte, d time.Duration, most byte) []byte {
	d = max(d, 0)
	h := min(d/time.Hour, time.Duration(most))
	return append(dst, byte(h), byte(min((d-h*time.Hour)/time.Minute, 59)))
}
