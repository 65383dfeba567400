package emulator

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"boardd/dgt"
)

const never = time.Duration(math.MaxInt64)

// Config describes a board. Its zero value is an empty board without a name,
// with a clock at 0:00 beside it.
type Config struct {
	// Seed decides everything that varies: hand times, scan period, lags,
	// faults.
	Seed     uint64
	Identity Identity
	// Men is what stands on the board when power comes on.
	Men dgt.Placement
	// Turned has White sit with the connector on the right, so the wire numbers
	// every square from the other end.
	Turned bool
	Clock  ClockSetting
	// Lag is the way between clock and board. nil is as in life: a constant part
	// of 50 to 450 ms that belongs to the board, 200 ms of jitter, and 3 % of the
	// readings late by up to a second.
	Lag *ClockLag
	// BusPowered boards lose power with their cable: they log nothing while it
	// is out and log a power-up when it is back.
	BusPowered bool
	Faults     Faults
	Manner     Manner
	// Heard, if not nil, is told each command that arrives, also those that a
	// host must never send.
	Heard func(at time.Duration, c dgt.Command)
}

// Board is a board with its clock, the men on it and the hands around it. It
// is not safe for concurrent use. Time is counted from power-on.
type Board struct {
	config Config
	now    time.Duration
	agenda []event

	// The table.
	men    men
	inHand men
	hands  *rand.Rand
	clock  clock

	// The electronics. Squares are as on the wire.
	mode      mode
	unplugged bool
	host      dgt.CommandDecoder
	seen      dgt.Placement // what the last scan of each square read
	dead      uint64        // squares whose sensor reads nothing
	scan      scan
	log       eeprom
	bus       bus
	cable     *rand.Rand
	luck      *rand.Rand // decides about the faults of clock commands
	line      line
	news      []news        // from the clock, on its way to the board
	clockLag  ClockLag      // of that way
	shown     dgt.ClockTime // the clock as the board knows it
	sentClock time.Duration // when a time last went to the host
	answers   answers       // to clock commands
	scratch   []byte
}

// event is something that will happen.
type event struct {
	at time.Duration
	do func(*Board)
}

// New returns a board that has just been powered up with its cable plugged in.
func New(c Config) *Board {
	c.Identity = c.Identity.whole(c.Seed)
	stream := func(n uint64) *rand.Rand { return rand.New(rand.NewPCG(c.Seed, n)) }
	b := &Board{
		config: c,
		hands:  stream(1),
		cable:  stream(2),
		luck:   stream(4),
		clock:  newClock(c.Clock),
		line:   line{rng: stream(3), faults: c.Faults},
	}
	for s, p := range c.Men {
		if p != dgt.Empty {
			b.men = append(b.men, &man{piece: p, rest: centre(dgt.Square(s))})
		}
	}
	// Between 200 and 250 ms a round, the same for the life of the board.
	b.scan.period = 200*time.Millisecond + time.Duration(b.cable.Int64N(int64(50*time.Millisecond)))
	b.clockLag = usualLag(b.cable)
	if c.Lag != nil {
		b.clockLag = *c.Lag
	}
	b.powerUp()
	return b
}

// powerUp starts the electronics.
func (b *Board) powerUp() {
	b.mode = modeBus
	b.host = dgt.CommandDecoder{}
	b.shown, b.news = b.clock.reading(), nil
	b.answers.forget()
	b.scan.start, b.scan.square, b.scan.changed = b.now, 0, true
	for s := range b.seen {
		b.seen[s] = b.read(dgt.Square(s))
	}
	b.log.powerUp(b.now, &b.seen, b.cable.Perm(dgt.Squares))
}

// Now returns the board's time.
func (b *Board) Now() time.Duration { return b.now }

// Hands returns hands that begin to act now. What they are told is carried
// out as the time of the board goes on.
func (b *Board) Hands() *Hands { return &Hands{board: b, rng: b.hands, at: b.now} }

// Placement returns where the men will stand when all hands are done, as the
// players see it; a man between squares counts for the nearest.
func (b *Board) Placement() dgt.Placement { return b.men.goals() }

// Seen returns what the board believes stands where, as the players see it.
// A board dump would carry the same.
func (b *Board) Seen() dgt.Placement {
	if b.config.Turned {
		return b.seen.Turned()
	}
	return b.seen
}

// Clock returns what the clock shows now.
func (b *Board) Clock() dgt.ClockTime { return b.clock.reading() }

// SetFaults changes the faults from now on.
func (b *Board) SetFaults(f Faults) { b.config.Faults, b.line.faults = f, f }

// Blind breaks or mends the sensor under a square, named as the players do.
func (b *Board) Blind(s dgt.Square, broken bool) {
	bit := uint64(1) << b.wire(s)
	if b.dead &^= bit; broken {
		b.dead |= bit
	}
}

// SendLog sends the whole log as if it had been asked for: boards do that when
// a stray byte on the line happens to be the command.
func (b *Board) SendLog() {
	b.send(&dgt.EELog{Data: b.log.dump()})
	b.log.tag(b.now, dgt.LogDownloaded)
}

// Unplug pulls the cable: bytes on their way are lost and the host sees the
// port vanish.
func (b *Board) Unplug() {
	b.unplugged = true
	b.line.clear()
}

// Replug puts the cable back. The board is in bus mode again, as after a
// power-up.
func (b *Board) Replug() {
	if !b.unplugged {
		return
	}
	b.unplugged = false
	if b.config.BusPowered {
		b.powerUp()
	}
	b.mode = modeBus
	b.host = dgt.CommandDecoder{}
}

// Plugged reports whether the cable is in.
func (b *Board) Plugged() bool { return !b.unplugged }

// Receive takes bytes from the host, arriving now.
func (b *Board) Receive(data []byte) {
	if !b.unplugged {
		b.host.Feed(data, b.obey)
	}
}

// Advance lets time go on to now and appends the bytes that have left on the
// line by then to dst. Time never goes back.
func (b *Board) Advance(now time.Duration, dst []byte) []byte {
	for {
		scan, tick, repeat := b.scan.next(), b.clock.next(), b.repeatAt()
		agenda, news := never, never
		if len(b.agenda) > 0 {
			agenda = b.agenda[0].at
		}
		if len(b.news) > 0 {
			news = b.news[0].at
		}
		at := min(scan, tick, repeat, agenda, news)
		if at > now {
			break
		}
		b.now = max(b.now, at)
		b.clock.advance(b.now)
		// Men and levers move before anybody looks at them.
		switch at {
		case agenda:
			e := b.agenda[0]
			b.agenda = b.agenda[1:]
			e.do(b)
		case tick:
			b.clockSays()
		case news:
			b.hearClock()
		case scan:
			b.scanSquare()
		case repeat:
			b.sendClock()
		}
	}
	b.now = max(b.now, now)
	b.clock.advance(b.now)
	return b.line.take(b.now, dst)
}

// Busy returns the time until which hands and clock have been told what to do.
func (b *Board) Busy() time.Duration {
	t := b.now
	for _, m := range b.men {
		t = max(t, m.free())
	}
	if n := len(b.agenda); n > 0 {
		t = max(t, b.agenda[n-1].at)
	}
	return t
}

// later puts something on the agenda; what was put there first for the same
// moment happens first.
func (b *Board) later(at time.Duration, do func(*Board)) {
	i, _ := slices.BinarySearchFunc(b.agenda, at, func(e event, at time.Duration) int {
		if e.at <= at {
			return -1
		}
		return 1
	})
	b.agenda = slices.Insert(b.agenda, i, event{at, do})
}

// wire turns a square as the players name it into the board's number and back.
func (b *Board) wire(s dgt.Square) dgt.Square {
	if b.config.Turned {
		return s.Turned()
	}
	return s
}
