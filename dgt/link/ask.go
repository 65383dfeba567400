package link

import (
	"time"

	"boardd/dgt"
)

// ask is a question of the session's own.
type ask uint8

const (
	askReset ask = iota
	askVersion
	askSerial
	askLongSerial
	askTrademark
	askBattery
	askUp // no question: here the board is known
	askDump
	askUpdate
	askClock
	// From here on while the session runs.
	askAlive
	askClockVersion
	askOrder // of the owner's
)

// greeting is asked in this order on every port that was opened, so that the update mode and the dump are never forgotten.
//
// The update mode comes after the dump, as in the facts' sequence; a man that moves between the two is seen by the dump that
// follows once the session runs.
var greeting = []ask{
	askReset, askVersion, askSerial, askLongSerial, askTrademark, askBattery, askUp,
	askDump, askUpdate, askClock,
}

// lane keeps board commands and clock commands apart: a clock that is not there must not hold up the board.
type lane uint8

const (
	boardLane lane = iota
	clockLane
)

// flight is a command whose answer is owed.
type flight struct {
	ask     ask
	command dgt.Command
	answer  byte          // id of the answer, 0 when there is no flight
	until   time.Duration // then it counts as unanswered
	limit   time.Duration // until is never moved beyond
	tries   int           // left
	shown   bool          // the clock showed the times of a set-and-run before
}

func (f *flight) busy() bool { return f.answer != 0 }

// answerTo is the id of the message that answers a command, 0 for none, and its lane.
func answerTo(c dgt.Command) (id byte, l lane) {
	if _, ok := c.ClockOp(); ok {
		return dgt.IDClock, clockLane
	}
	switch c.Code() {
	case 0x41:
		id = dgt.IDClock
	case 0x42:
		id = dgt.IDBoardDump
	case 0x45:
		id = dgt.IDSerial
	case 0x46:
		id = dgt.IDBusAddress
	case 0x47:
		id = dgt.IDTrademark
	case 0x48:
		id = dgt.IDHardwareVersion
	case 0x49:
		id = dgt.IDEELog
	case 0x4c:
		id = dgt.IDBattery
	case 0x4d:
		id = dgt.IDVersion
	case 0x50:
		id = dgt.IDDraughtsBlack
	case 0x52:
		id = dgt.IDDraughtsWhite
	case 0x55:
		id = dgt.IDLongSerial
	case 0x56:
		id = dgt.IDI2CClock
	case 0x59:
		id = dgt.IDLockState
	case 0x5a:
		id = dgt.IDKeyState
	}
	return id, boardLane
}

// Allowed says whether an owner may have a command sent: nil, or an error that wraps ErrOwnedByLink.
// Commands that change the board's mode would silence it behind the session's back.
func Allowed(c dgt.Command) error {
	if !c.Sendable() || c.Code() >= 0x80 {
		return ErrOwnedByLink
	}
	switch c.Code() {
	case 0x40, 0x43, 0x44, 0x4a, 0x4b, 0x57, 0x58:
		return ErrOwnedByLink
	}
	return nil
}

func (s *Session) commandFor(a ask) dgt.Command {
	switch a {
	case askReset:
		return dgt.Reset()
	case askVersion:
		return dgt.SendVersion()
	case askSerial:
		return dgt.SendSerial()
	case askLongSerial:
		return dgt.SendLongSerial()
	case askTrademark:
		return dgt.SendTrademark()
	case askBattery:
		return dgt.SendBattery()
	case askDump:
		return dgt.SendBoard()
	case askUpdate:
		return dgt.UpdateNice()
	case askClock:
		return dgt.SendClock()
	case askClockVersion:
		return dgt.SendClockVersion()
	case askAlive:
		if s.identity.Serial != "" {
			return dgt.SendSerial()
		}
		return dgt.SendVersion() // a board that never told a serial number did answer to this
	}
	return dgt.Command{}
}

// patience is how long the answer may take, and how often a question is repeated.
func (s *Session) patience(a ask, l lane) (answer time.Duration, tries int) {
	t := &s.timing
	if l == clockLane {
		return t.ClockAnswer, 0
	}
	switch a {
	case askVersion:
		return t.Answer, t.ProbeRetries
	case askSerial, askDump:
		return t.Answer, 1
	case askLongSerial, askTrademark, askBattery:
		return t.Identity, 0
	}
	return t.Answer, 0
}

// logWait is the longest any answer may take when bytes keep flowing: the log needs 8.3 s of line time, an
// unasked one may stand before the answer.
const logWait = 20 * time.Second

// send writes a command and notes the answer that is owed. It is the only place that writes.
func (s *Session) send(a ask, c dgt.Command) {
	id, l := answerTo(c)
	if id != 0 {
		wait, tries := s.patience(a, l)
		s.lanes[l] = flight{ask: a, command: c, answer: id, tries: tries, until: s.now + wait, limit: s.now + logWait}
		s.lanes[l].shown = l == clockLane && showsSet(&s.last, c)
	}
	s.write(c)
}

func (s *Session) write(c dgt.Command) {
	s.data = c.AppendTo(s.data[:0])
	s.writeAt = s.now + s.timing.Gap
	s.emit(Output{Kind: Write, Data: s.data})
}

// free says whether the lane of a command takes it.
func (s *Session) free(c dgt.Command) bool {
	id, l := answerTo(c)
	return id == 0 || !s.lanes[l].busy()
}

// talk does what is due now. At most one write comes of it, since a gap follows each.
func (s *Session) talk() {
	if s.now >= s.stuckAt() {
		s.cut = true
		s.distrust()
	}
	for l := range s.lanes {
		if f := &s.lanes[l]; f.busy() && s.now >= f.until {
			s.expire(f)
		}
		if s.phase != talking {
			return
		}
	}
	if s.now >= s.lostAt() {
		s.giveUp(&PortError{Op: "ask", Port: s.port, Kind: ErrSilent, Hint: hintNoBoard})
		return
	}
	for s.phase == talking && len(s.script) > 0 {
		a := s.script[0]
		if a == askUp {
			s.script = s.script[1:]
			s.goUp()
			continue
		}
		if s.skips(a) {
			s.script = s.script[1:]
			continue
		}
		c := s.commandFor(a)
		if s.now < s.writeAt || !s.free(c) {
			return
		}
		s.send(a, c)
		if id, _ := answerTo(c); id == 0 {
			s.scripted(a)
		}
		return
	}
	if s.now >= s.writeAt {
		s.run()
	}
}

// skips leaves out what the board told when it was here before.
func (s *Session) skips(a ask) bool {
	if a != askLongSerial && a != askTrademark && a != askBattery {
		return false
	}
	if s.identity.Serial == "" || s.identity.Serial != s.known.Serial || s.identity.Version != s.known.Version {
		return false
	}
	k := s.known
	s.identity.LongSerial, s.identity.Trademark = k.LongSerial, k.Trademark
	s.identity.HasBattery, s.identity.Battery = k.HasBattery, k.Battery
	return true
}

// scripted goes on to the next line of the script.
func (s *Session) scripted(a ask) {
	if len(s.script) > 0 && s.script[0] == a {
		s.script = s.script[1:]
		if len(s.script) == 0 {
			s.startRunning()
		}
	}
}

// expire deals with an answer that did not come.
func (s *Session) expire(f *flight) {
	if s.decoder.Pending() > 0 && s.now < s.byteAt+s.timing.Settle && s.now < f.limit {
		// Bytes of something longer are still arriving; the answer waits behind them.
		f.until = min(s.byteAt+s.timing.Settle, f.limit)
		return
	}
	if f.tries > 0 {
		if s.now < s.writeAt {
			f.until = s.writeAt
			return
		}
		f.tries--
		wait, _ := s.patience(f.ask, boardLane)
		f.until, f.limit = s.now+wait, s.now+logWait
		s.write(f.command)
		return
	}
	a := f.ask
	*f = flight{}
	switch a {
	case askVersion:
		s.giveUp(&PortError{Op: "probe", Port: s.port, Kind: ErrNoBoard, Hint: hintNoBoard})
	case askDump:
		if len(s.script) > 0 {
			s.scripted(a)
		}
		s.soonAt = s.now + s.timing.DumpEvery
	default:
		s.scripted(a)
	}
}

// settle ends the flight a message answers.
func (s *Session) settle(m dgt.Message) {
	for l := range s.lanes {
		f := &s.lanes[l]
		if !f.busy() || f.answer != m.ID() {
			continue
		}
		if lane(l) == clockLane && !s.settlesClock(f, m) {
			continue
		}
		a := f.ask
		*f = flight{}
		s.scripted(a)
	}
}

// settlesClock reports whether a message of the clock ends the wait for an answer. A
// time that shows what was set proves as much (facts 5.3): where the acknowledge was
// lost, the next command, whose times would grow old, need not wait out the rest.
func (s *Session) settlesClock(f *flight, m dgt.Message) bool {
	switch m := m.(type) {
	case *dgt.ClockAck:
		return m.Answers(f.command)
	case *dgt.ClockTime:
		if !f.shown && showsSet(m, f.command) {
			f.until = min(f.until, s.now+s.timing.ClockSettle)
		}
	}
	return false
}

// showsSet reports whether a clock shows the times of a set-and-run; the side that
// runs may have counted a second or two since.
func showsSet(t *dgt.ClockTime, c dgt.Command) bool {
	left, right, run, ok := c.SetAndRun()
	if !ok || t.NoClock {
		return false
	}
	shows := func(set, seen time.Duration, runs bool) bool {
		gone := set - seen
		return gone == 0 || runs && gone > 0 && gone <= 2*time.Second
	}
	return shows(left, t.Left.Time, run&dgt.RunLeft != 0) && shows(right, t.Right.Time, run&dgt.RunRight != 0)
}
