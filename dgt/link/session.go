package link

import (
	"time"

	"boardd/dgt"
)

// State is where a link stands, as its owner sees it.
type State uint8

const (
	// Down: the port is not there. It was pulled, or never plugged in.
	Down State = iota
	// Up: a board answered and said who it is; what it reports follows.
	Up
	// Lost: a board that was up no longer answers, though the port is there.
	Lost
	// Refused: the port is there but cannot be used, or nothing on it answers as a board.
	Refused
)

// String names the state as in "lost".
func (s State) String() string {
	switch s {
	case Down:
		return "down"
	case Up:
		return "up"
	case Lost:
		return "lost"
	case Refused:
		return "refused"
	}
	return "unknown"
}

// Status is a state with what belongs to it.
type Status struct {
	State    State
	Identity Identity // of the board that is up, or was last
	Err      error    // why the link is not up
}

// InputKind says what happened.
type InputKind uint8

const (
	Tick     InputKind = iota // time went on; nothing else
	Opened                    // the port was opened, as Open asked
	Failed                    // the port could not be opened: Err
	Appeared                  // while the session waits: a device has come to the port's path
	Bytes                     // Data was received
	Broken                    // the open port failed: Err. Close follows.
	Want                      // the owner wants Command sent
)

// Input is one thing that happened.
type Input struct {
	Kind    InputKind
	Data    []byte
	Err     error
	Command dgt.Command
}

// OutputKind says what is to be done.
type OutputKind uint8

const (
	Open    OutputKind = iota // open the port, then Step with Opened or Failed
	Close                     // close the port
	Write                     // write Data
	Changed                   // Status is new
	Dropped                   // Command, wanted before, will not be sent: Err
)

// Output is one thing to do. Data is valid until the next Step.
type Output struct {
	Kind    OutputKind
	Data    []byte
	Status  Status
	Command dgt.Command
	Err     error
}

// never is a time that does not come.
const never = time.Duration(1<<63 - 1)

// ordersMax bounds the commands that wait; the line sends ten a second.
const ordersMax = 32

type phase uint8

const (
	waiting phase = iota // for the next attempt to open
	opening              // Open was asked for
	talking              // the port is open
)

// Session is the pure machine of one port: it knows when to open, what to ask, what is still owed, and when
// a board is gone. It touches neither clock nor port, so the same inputs at the same times give the same
// outputs. Times are since any fixed moment and must not decrease. Not safe for concurrent use.
//
// The order of things (facts 10): open, reset, version, identity, Up, dump, update mode, clock, clock version, run.
type Session struct {
	timing Timing
	port   string // for the errors' words

	now   time.Duration
	out   []Output
	data  []byte // of the Write in out
	phase phase
	state State
	told  error         // kind of the last error told
	delay time.Duration // back-off in force
	retry time.Duration // when to open next

	decoder  dgt.Decoder
	hear     func(dgt.Message) // s.message, bound once
	byteAt   time.Duration     // last byte
	heardAt  time.Duration     // last message, or last byte of a long one
	writeAt  time.Duration     // earliest next write
	script   []ask             // what still has to be asked before the session runs
	lanes    [2]flight         // commands whose answer is owed
	orders   []dgt.Command     // what the owner wants
	identity Identity          // of this connection
	known    Identity          // of the board that was up last
	watch
	picture
	clock
}

// NewSession is a session that opens its port at its first Step. The port's name serves the errors alone.
func NewSession(port string, t Timing) *Session {
	s := &Session{timing: t, port: port, delay: t.BackoffMin, told: errNothing}
	s.hear = s.message
	return s
}

// Step takes one input at a time and returns what is to be done, in order. The slice is valid until the next Step.
func (s *Session) Step(now time.Duration, in Input) []Output {
	s.now = max(now, s.now)
	s.out, s.data = s.out[:0], s.data[:0]
	switch in.Kind {
	case Opened:
		if s.phase == opening {
			s.begin()
		}
	case Failed:
		if s.phase == opening {
			s.retreat(in.Err)
		}
	case Appeared:
		if s.phase == waiting {
			// udev sets the owner of a new device a moment after it appears.
			s.delay = s.timing.BackoffMin
			s.retry = min(s.retry, s.now+s.delay)
		}
	case Broken:
		if s.phase == talking {
			s.giveUp(in.Err)
		}
	case Bytes:
		if s.phase == talking {
			s.receive(in.Data)
		}
	case Want:
		s.want(in.Command)
	}
	if s.phase == waiting && s.now >= s.retry {
		s.phase = opening
		s.emit(Output{Kind: Open})
	}
	if s.phase == talking {
		s.talk()
	}
	return s.out
}

// Wake is when the session wants its next Step at the latest; never is a time too, far away.
func (s *Session) Wake() time.Duration {
	switch s.phase {
	case waiting:
		return s.retry
	case opening:
		return never
	}
	at := min(s.lostAt(), s.stuckAt())
	for i := range s.lanes {
		if s.lanes[i].busy() {
			at = min(at, s.lanes[i].until)
		}
	}
	return min(at, max(s.writeAt, s.nextAt()))
}

// Status is the present state.
func (s *Session) Status() Status { return Status{State: s.state, Identity: s.known} }

// Stats are the counters of the session's decoder.
func (s *Session) Stats() dgt.DecoderStats { return s.decoder.Stats() }

func (s *Session) emit(o Output) { s.out = append(s.out, o) }

// begin starts the talk on a port that has just been opened.
func (s *Session) begin() {
	s.phase = talking
	s.decoder.Reset()
	s.byteAt, s.heardAt = s.now, s.now
	s.writeAt = s.now
	s.restart()
}

// restart asks from the start who is there.
func (s *Session) restart() {
	s.script = greeting
	s.lanes = [2]flight{}
	s.identity = Identity{}
	s.watch = watch{modeAt: s.now}
	s.picture = picture{soonAt: never, dumpAt: s.now, changedAt: s.now}
	s.clock = clock{askAt: never}
	s.drop(ErrNotUp)
}

// goUp tells that the board is known, and what it is.
func (s *Session) goUp() {
	s.known = s.identity
	s.delay = s.timing.BackoffMin
	s.state, s.told = Up, nil
	s.emit(Output{Kind: Changed, Status: s.Status()})
}

// learn tells of a change in the identity of a board that is up.
func (s *Session) learn() {
	if s.state == Up && s.known != s.identity {
		s.known = s.identity
		s.emit(Output{Kind: Changed, Status: s.Status()})
	}
}

// giveUp closes the port and tries again later.
func (s *Session) giveUp(err error) {
	s.emit(Output{Kind: Close})
	s.retreat(err)
}

// retreat waits before the next attempt; the wait doubles from one to the next, and starts anew once a board was up.
func (s *Session) retreat(err error) {
	s.drop(ErrNotUp)
	wasUp := s.state == Up
	s.tell(stateFor(err, wasUp || s.state == Lost), err)
	s.phase = waiting
	s.retry = s.now + s.delay
	s.delay = min(2*s.delay, s.timing.BackoffMax)
}

// tell says a state once, however many attempts lead to it. A refusal is told again when its reason is another one,
// because then a person has something else to do.
func (s *Session) tell(state State, err error) {
	kind := kindOf(err)
	if s.state == state && s.told != errNothing && (state != Refused || s.told == kind) {
		return
	}
	s.state, s.told = state, kind
	st := s.Status()
	st.Err = err
	s.emit(Output{Kind: Changed, Status: st})
}

// want takes a command of the owner's.
func (s *Session) want(c dgt.Command) {
	err := Allowed(c)
	switch {
	case err != nil:
	case s.state != Up || s.phase != talking:
		err = ErrNotUp
	case len(s.orders) >= ordersMax:
		err = ErrQueueFull
	default:
		s.orders = append(s.orders, c)
		return
	}
	s.emit(Output{Kind: Dropped, Command: c, Err: err})
}

// drop gives back what waits. Nothing the owner wanted before an outage is sent after it.
func (s *Session) drop(err error) {
	for _, c := range s.orders {
		s.emit(Output{Kind: Dropped, Command: c, Err: err})
	}
	s.orders = s.orders[:0]
}
