package dgt

import "time"

// slots holds one message of each type, so that emitting one allocates
// nothing.
type slots struct {
	boardDump       BoardDump
	fieldUpdate     FieldUpdate
	clockTime       ClockTime
	clockAck        ClockAck
	eeLog           EELog
	busAddress      BusAddress
	serial          Serial
	longSerial      LongSerial
	trademark       Trademark
	version         Version
	hardwareVersion HardwareVersion
	battery         Battery
	draughtsDump    DraughtsDump
	i2cClock        I2CClock
	lockState       LockState
	keyState        KeyState
	unknown         Unknown
	rejected        Rejected

	busBoardDump    BusBoardDump
	busClockTime    BusClockTime
	busClockAck     BusClockAck
	busChanges      BusChanges
	busFromStart    BusFromStart
	busPing         BusPing
	busStartSet     BusStartSet
	busVersion      BusVersion
	busDraughtsDump BusDraughtsDump
	busOther        BusOther
}

// decode reads one whole frame of a length that fits its id. It returns nil
// for a message that is to be ignored.
func (d *Decoder) decode(frame []byte) Message {
	id, p := frame[0], frame[headerLen:]
	if isBusID(id, d.Mode) {
		return d.decodeBus(frame)
	}
	s := &d.slots
	var m Message
	switch id {
	case IDBoardDump:
		if len(p) != Squares {
			return d.decodeDraughts(id, p)
		}
		if bad, ok := readPieces(s.boardDump.Placement[:], p); !ok {
			return d.reject(id, p, BadPiece, bad)
		}
		m = &s.boardDump
	case IDDraughtsBlack, IDDraughtsWhite:
		return d.decodeDraughts(id, p)
	case IDClock:
		switch decodeClock(p, &s.clockTime, &s.clockAck) {
		case readNothing:
			d.stats.EmptyClock++
			return nil
		case readBad:
			return d.reject(id, p, BadTime, badTimeByte(p))
		case readAck:
			m = &s.clockAck
		case readTime:
			d.countTurn(&s.clockTime)
			m = &s.clockTime
		}
	case IDFieldUpdate:
		s.fieldUpdate = FieldUpdate{Square(p[0]), Piece(p[1])}
		if !s.fieldUpdate.Square.Valid() {
			return d.reject(id, p, BadSquare, p[0])
		}
		if !s.fieldUpdate.Piece.Valid() {
			return d.reject(id, p, BadPiece, p[1])
		}
		m = &s.fieldUpdate
	case IDEELog:
		s.eeLog.Data = p
		m = &s.eeLog
	case IDBusAddress:
		s.busAddress.Address = addressOf(p[0], p[1])
		m = &s.busAddress
	case IDSerial:
		s.serial.Digits = [5]byte(p)
		m = &s.serial
	case IDLongSerial:
		s.longSerial.Digits = [10]byte(p)
		m = &s.longSerial
	case IDTrademark:
		s.trademark.Text = p
		m = &s.trademark
	case IDVersion:
		s.version = Version{p[0], p[1]}
		m = &s.version
	case IDHardwareVersion:
		s.hardwareVersion = HardwareVersion{p[0], p[1]}
		m = &s.hardwareVersion
	case IDBattery:
		s.battery = decodeBattery(p)
		m = &s.battery
	case IDI2CClock:
		s.i2cClock.Data = p
		m = &s.i2cClock
	case IDLockState:
		s.lockState.Data = p
		m = &s.lockState
	case IDKeyState:
		s.keyState.Data = p
		m = &s.keyState
	default:
		d.stats.Unknown++
		s.unknown = Unknown{id, p}
		return &s.unknown
	}
	d.stats.Messages++
	return m
}

func (d *Decoder) decodeBus(frame []byte) Message {
	id, p := frame[0], frame[headerLen:]
	last := len(frame) - 1
	if Checksum(frame[:last]) != frame[last] {
		return d.reject(id, p, BadChecksum, frame[last])
	}
	from, p := addressOf(p[0], p[1]), frame[headerLen+2:last]
	s := &d.slots
	var m Message
	switch id {
	case IDBusBoardDump:
		s.busBoardDump.From = from
		if bad, ok := readPieces(s.busBoardDump.Placement[:], p); !ok {
			return d.reject(id, frame[headerLen:], BadPiece, bad)
		}
		m = &s.busBoardDump
	case IDBusClock:
		s.busClockTime.From, s.busClockAck.From = from, from
		switch decodeClock(p, &s.busClockTime.ClockTime, &s.busClockAck.ClockAck) {
		case readNothing:
			d.stats.EmptyClock++
			return nil
		case readBad:
			return d.reject(id, frame[headerLen:], BadTime, badTimeByte(p))
		case readAck:
			m = &s.busClockAck
		case readTime:
			d.countTurn(&s.busClockTime.ClockTime)
			m = &s.busClockTime
		}
	case IDBusChanges, IDBusChangesEven:
		s.busChanges = BusChanges{from, id == IDBusChangesEven, p}
		m = &s.busChanges
	case IDBusFromStart:
		s.busFromStart = BusFromStart{from, p}
		m = &s.busFromStart
	case IDBusPing:
		s.busPing.From = from
		m = &s.busPing
	case IDBusStartSet:
		s.busStartSet.From = from
		m = &s.busStartSet
	case IDBusVersion:
		s.busVersion = BusVersion{From: from}
		if len(p) == 2 {
			s.busVersion = BusVersion{from, p[0], p[1], true}
		}
		m = &s.busVersion
	case IDBusDraughts:
		s.busDraughtsDump.From = from
		if bad, ok := readPieces(s.busDraughtsDump.Cells[:], p); !ok {
			return d.reject(id, frame[headerLen:], BadPiece, bad)
		}
		m = &s.busDraughtsDump
	default:
		s.busOther = BusOther{id, from, p}
		m = &s.busOther
	}
	d.stats.Messages++
	return m
}

func (d *Decoder) decodeDraughts(id byte, p []byte) Message {
	m := &d.slots.draughtsDump
	m.Code, m.N = id, len(p)
	if bad, ok := readPieces(m.Cells[:len(p)], p); !ok {
		return d.reject(id, p, BadPiece, bad)
	}
	d.stats.Messages++
	return m
}

func (d *Decoder) reject(id byte, p []byte, why Reason, value byte) Message {
	if why == BadChecksum {
		d.stats.BadChecksum++
	} else {
		d.stats.OutOfRange++
	}
	d.stats.LastRejected, d.stats.LastID, d.stats.LastValue = why, id, value
	d.slots.rejected = Rejected{id, why, p}
	return &d.slots.rejected
}

func (d *Decoder) countTurn(t *ClockTime) {
	if !t.NoClock && !t.TurnHint.Agrees(t.LeverHigh) {
		d.stats.TurnMismatch++
	}
}

func readPieces(dst []Piece, p []byte) (bad byte, ok bool) {
	for i, c := range p {
		if !Piece(c).Valid() {
			return c, false
		}
		dst[i] = Piece(c)
	}
	return 0, true
}

// badTimeByte finds the byte that made decodeClock say readBad.
func badTimeByte(p []byte) byte {
	for i, b := range p[:6] {
		if _, ok := fromBCD(b); i%3 == 0 && b&0x0f > 9 || i%3 != 0 && !ok {
			return b
		}
	}
	return 0
}

const batteryUnknown = 0x7f

// decodeBattery reads as many fields as are there.
func decodeBattery(p []byte) Battery {
	var full [9]byte
	full[1], full[2] = batteryUnknown, batteryUnknown
	copy(full[:], p)
	b := Battery{
		Percent:     full[0],
		On:          hoursMinutes(full[3], full[4]),
		Standby:     time.Duration(full[5])*24*time.Hour + hoursMinutes(full[6], full[7]),
		Charging:    full[8]&1 != 0,
		Discharging: full[8]&2 != 0,
	}
	if full[1] != batteryUnknown && full[2] != batteryUnknown {
		b.Left, b.LeftKnown = hoursMinutes(full[1], full[2]), true
	}
	return b
}

func hoursMinutes(h, m byte) time.Duration {
	return time.Duration(h)*time.Hour + time.Duration(min(m, 59))*time.Minute
}
