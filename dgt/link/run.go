package link

import (
	"errors"
	"time"

	"boardd/dgt"
)

// watch notices that a board is gone.
type watch struct {
	askedAt time.Duration // first question since the board was last heard; 0 when none is open
	modeAt  time.Duration // when the update mode was last set
	modeDue bool
	running bool // the clock was running when last heard of
	suspect bool // another serial number came; asked once more
}

// picture is what stands on the board as far as the session knows. It only
// serves to see when a dump is due and whether it surprises.
type picture struct {
	seen      bool // there was a dump
	board     dgt.Placement
	dirty     bool          // updates since the last dump
	changedAt time.Duration // last update
	dumpAt    time.Duration // last dump, or last question for one
	soonAt    time.Duration // a dump is due then, however busy the board is
	confirms  int           // surprising dumps in a row
	cut       bool          // the unfinished message was seen to
}

// confirmsMax ends the asking again when each dump differs from the one before: the men are in motion, and
// the dump after quiet will tell.
const confirmsMax = 3

// clock is whether one is there.
type clock struct {
	times bool          // valid times arrive
	asks  int           // unanswered questions in a row
	askAt time.Duration // next question for its version
	last  dgt.ClockTime // as last heard
}

// fastClockAsks is how often a clock whose times arrive is asked for its version at the quick pace.
const fastClockAsks = 3

// startRunning begins the part without a script.
func (s *Session) startRunning() {
	// What moved between the dump and the update mode went unreported.
	s.soonAt = min(s.soonAt, s.now+time.Second)
	if s.askAt == never && !s.identity.HasClock {
		s.askAt = s.now
	}
}

// run sends the most urgent thing that is due, if any.
func (s *Session) run() {
	if len(s.orders) > 0 && s.free(s.orders[0]) {
		c := s.orders[0]
		s.orders = append(s.orders[:0], s.orders[1:]...)
		s.send(askOrder, c)
		return
	}
	if s.modeDue {
		s.modeDue, s.modeAt = false, s.now
		s.send(askUpdate, dgt.UpdateNice())
		return
	}
	if !s.lanes[boardLane].busy() {
		if s.now >= s.aliveAt() {
			if s.askedAt == 0 {
				s.askedAt = s.now
			}
			s.send(askAlive, s.commandFor(askAlive))
			return
		}
		if s.now >= s.dumpDue() {
			s.dumpAt, s.soonAt = s.now, never
			s.send(askDump, dgt.SendBoard())
			return
		}
	}
	if !s.lanes[clockLane].busy() && s.now >= s.askAt {
		s.asks++
		wait := s.timing.ClockRetry
		if s.times && s.asks >= fastClockAsks {
			wait = s.timing.ClockRetrySlow
		}
		s.askAt = s.now + wait
		s.send(askClockVersion, s.commandFor(askClockVersion))
	}
}

// nextAt is when run will have something to send.
func (s *Session) nextAt() time.Duration {
	if len(s.script) > 0 {
		if s.free(s.commandFor(s.script[0])) {
			return s.now
		}
		return never // the flight's end comes first
	}
	at := never
	if len(s.orders) > 0 && s.free(s.orders[0]) || s.modeDue {
		return s.now
	}
	if !s.lanes[boardLane].busy() {
		at = min(at, s.dumpDue(), s.aliveAt())
	}
	if !s.lanes[clockLane].busy() {
		at = min(at, s.askAt)
	}
	return at
}

// dumpDue is when the next dump is due.
func (s *Session) dumpDue() time.Duration {
	t := &s.timing
	at := max(s.dumpAt+t.Audit, s.changedAt+t.Settle)
	if s.dirty {
		at = min(at, s.changedAt+t.Quiet)
	}
	return min(at, s.soonAt)
}

// aliveAt is when a silent board is asked whether it is there.
func (s *Session) aliveAt() time.Duration { return s.heardAt + s.timing.Silence }

// lostAt is when a board that does not answer counts as lost. Silence alone is no fault: it must have been asked, and had
// its time to answer, even when this process itself stood still meanwhile.
func (s *Session) lostAt() time.Duration {
	if s.askedAt == 0 || len(s.script) > 0 {
		return never
	}
	return max(s.heardAt+s.timing.Lost, s.askedAt+s.timing.Lost-s.timing.Silence)
}

// stuckAt is when an unfinished message counts as broken.
func (s *Session) stuckAt() time.Duration {
	if s.decoder.Pending() == 0 || s.cut {
		return never
	}
	return s.byteAt + s.timing.Settle
}

// distrust asks for a dump soon: something was lost.
func (s *Session) distrust() {
	at := max(s.now+s.timing.Settle, s.dumpAt+s.timing.DumpEvery)
	s.soonAt = min(s.soonAt, at)
}

// receive takes bytes from the wire.
func (s *Session) receive(p []byte) {
	before := s.decoder.Stats()
	s.byteAt, s.cut = s.now, false
	s.decoder.Feed(p, s.hear)
	if s.decoder.Pending() > 3 {
		// A log takes 8.3 s, and nothing can be answered meanwhile. The question stays open all the same:
		// its answer is what tells that the board was silent.
		s.heardAt = s.now
	}
	after := s.decoder.Stats()
	if after.SkippedBytes != before.SkippedBytes || after.BadLength != before.BadLength || after.OutOfRange != before.OutOfRange {
		s.distrust()
	}
}

func (s *Session) heard() {
	s.heardAt = s.now
	s.askedAt = 0
}

// message takes one message of the board's.
func (s *Session) message(m dgt.Message) {
	asked := s.askedAt != 0
	s.heard()
	s.settle(m)
	switch m := m.(type) {
	case *dgt.Version:
		s.identity.Version = *m
		s.learn()
	case *dgt.Serial:
		s.serial(m.String())
	case *dgt.LongSerial:
		s.identity.LongSerial = m.String()
		s.learn()
	case *dgt.Trademark:
		s.identity.Trademark = m.String()
		s.learn()
	case *dgt.Battery:
		s.identity.HasBattery, s.identity.Battery = true, *m
		s.learn()
	case *dgt.FieldUpdate:
		s.board[m.Square] = m.Piece
		s.dirty, s.changedAt = true, s.now
	case *dgt.BoardDump:
		s.dump(m.Placement)
	case *dgt.ClockTime:
		s.clockTime(m)
	case *dgt.ClockAck:
		s.clockAck(m)
	}
	if asked && len(s.script) == 0 {
		s.awake()
	}
}

// awake renews the mode of a board that was silent and has answered.
func (s *Session) awake() {
	if s.running {
		// A running clock tells each second, so this board has most likely lost its mode, and moves with
		// it; unless the clock is in a delay, which is why it happens once a silence.
		s.running, s.modeDue = false, true
		s.soonAt = min(s.soonAt, s.now+s.timing.Settle)
	}
	if s.now >= s.modeAt+s.timing.Remode {
		s.modeDue = true
	}
}

// serial hears the board's name. Behind an adapter boards can be exchanged without the port ever going away.
func (s *Session) serial(number string) {
	if s.identity.Serial == "" || s.identity.Serial == number {
		s.identity.Serial, s.suspect = number, false
		s.learn()
		return
	}
	if !s.suspect {
		// One byte may have been hurt on the way: nothing guards it.
		s.suspect = true
		s.heardAt = s.now - s.timing.Silence
		return
	}
	s.state, s.told = Lost, ErrSilent
	st := s.Status()
	st.Err = &PortError{Op: "ask", Port: s.port, Kind: ErrSilent, Hint: "another board answers on this port"}
	s.emit(Output{Kind: Changed, Status: st})
	s.restart()
}

// dump hears what stands on every square.
func (s *Session) dump(p dgt.Placement) {
	surprise := s.seen && s.board != p
	s.seen, s.board, s.dirty = true, p, false
	s.dumpAt = s.now
	if !surprise {
		s.confirms = 0
		return
	}
	if s.confirms < confirmsMax {
		s.confirms++
		s.soonAt = min(s.soonAt, s.now+s.timing.Confirm)
	}
}

func (s *Session) clockTime(m *dgt.ClockTime) {
	s.running, s.last = m.Running && !m.NoClock, *m
	if m.NoClock {
		s.clockGone(s.now + s.timing.ClockRetry)
		return
	}
	if !s.times {
		s.times, s.asks = true, 0
		if !s.identity.HasClock && len(s.script) == 0 {
			s.askAt = min(s.askAt, s.now)
		}
	}
}

// clockGone begins to look for a clock again.
func (s *Session) clockGone(askAt time.Duration) {
	if s.times || s.identity.HasClock {
		s.asks = 0
	}
	s.times = false
	s.askAt = min(s.askAt, askAt)
	s.identity.HasClock, s.identity.Clock = false, dgt.ClockVersion{}
	s.learn()
}

func (s *Session) clockAck(m *dgt.ClockAck) {
	if v, ok := m.Version(); ok {
		s.identity.HasClock, s.identity.Clock = true, v
		s.asks, s.askAt = 0, never
		s.learn()
		return
	}
	if r, ok := m.Report(); ok && r == dgt.ReportReady {
		// Just switched on, or another clock.
		s.askAt = s.now
	}
}

var errNothing = errors.New("nothing told yet")

// kindOf is the sentinel behind an error, so that repeated attempts are told once.
func kindOf(err error) error {
	var pe *PortError
	if errors.As(err, &pe) {
		return pe.Kind
	}
	return err
}

// stateFor is the state an error leads to. had says whether a board was up on this port before.
func stateFor(err error, had bool) State {
	switch kindOf(err) {
	case ErrAbsent, ErrGone, ErrMoved:
		return Down
	case ErrNoBoard, ErrSilent, ErrStuck:
		if had {
			return Lost
		}
	}
	return Refused
}
