// Package venue is the daemon's inside: the configuration, the pure pipeline of
// one table, and Venue, which runs a hall of tables on real ports.
//
//	link.Fleet -> Venue (which board is at which table) -> desk (one goroutine a table)
//	    -> Playback (pure) -> changes -> broadcast.Hub
//	    -> recorder -> tape
//
// Everything a pipeline is told is on the tape, in the same order and at the
// same times; `boardd replay` gives the game that was shown.
//
// What this room is not: it serves no HTTP, prints nothing, and parses no command
// line.
package venue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/broadcast/arbiter"
	"boardd/broadcast/livechess"
	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/link"
	"boardd/dgt/tape"
	"boardd/dgt/tape/shelf"
	"boardd/journal"
	"boardd/rules"
)

// Options are what a Venue is made of. Config, Publish and Log are needed.
type Options struct {
	Config Config
	// Publish takes what happened; usually Hub.Publish. It must not wait long.
	Publish func(broadcast.Change)
	// Sensed takes what the boards show, each man lifted and set down, nil for nobody; usually
	// livechess.Server.Sense. It must not wait.
	Sensed func(livechess.Seat)
	Log    zerolog.Logger
	// Journal keeps what happens, and nothing is published before it is durable; nil for
	// none. Recovered is what it knew when it was opened: games are gone on with.
	Journal   *journal.Journal
	Recovered *journal.Recovered
	// NoTape leaves sessions unrecorded.
	NoTape bool
	// Pace is how much faster than real time session time passes: for emulated boards whose
	// time does too. Default 1.
	Pace float64
	// Wall is the calendar, for tags and tapes. Default time.Now.
	Wall func() time.Time
}

// Venue runs the tables of a hall: it finds boards, seats them, and keeps one
// goroutine a table that owns the table's pipeline.
type Venue struct {
	config  Config
	log     zerolog.Logger
	publish func(broadcast.Change)
	sensed  func(livechess.Seat)
	noTape  bool
	journal *journal.Journal
	kept    map[int]*kept // by table, until its desk takes it
	pace    float64
	wall    func() time.Time
	begun   time.Time // wall time of session time 0
	mono    time.Time // the same moment by the monotonic clock

	fleet *link.Fleet
	asks  chan func()
	done  chan struct{}

	tapes *tapes

	open func(TableOptions) (pipeline, error) // a seam for tests

	// Only for the goroutine of Run.
	seating *seating
	desks   map[int]*desk
	running sync.WaitGroup
	routes  map[string]*desk        // port -> table of the board on it
	early   map[string][]link.Event // port -> what came before it was known whose it is
	hubs    hubs
	start   *arrival // nil once the boards found at the start are seated
}

// Why an order was not carried out, beside ErrOrder.
var (
	ErrEnded   = errors.New("the venue has ended")
	ErrResting = errors.New("the table had a fault and starts anew in a moment")
)

// New makes a venue that does nothing until Run.
func New(o Options) *Venue {
	v := &Venue{
		config: o.Config, log: o.Log, publish: o.Publish, sensed: o.Sensed, noTape: o.NoTape || o.Config.DataDir == "",
		pace: o.Pace, wall: o.Wall,
		asks: make(chan func()), done: make(chan struct{}),
		seating: newSeating(o.Config.Tables),
		desks:   map[int]*desk{}, routes: map[string]*desk{}, early: map[string][]link.Event{},
	}
	if v.pace <= 0 {
		v.pace = 1
	}
	if v.wall == nil {
		v.wall = time.Now
	}
	v.mono, v.begun = time.Now(), v.wall()
	v.journal, v.kept = o.Journal, map[int]*kept{}
	if o.Recovered != nil {
		v.recover(o.Recovered)
	}
	v.open = func(o TableOptions) (pipeline, error) { return NewPlayback(nil, o) }
	v.tapes = newTapes(tapesFolder(v.config.DataDir), v.config.TapesMax, v.config.Event.Round, v.log, func(detail string, cleared bool) {
		c := broadcast.Change{Type: broadcast.TypeAlert, AtMS: v.now().Milliseconds(), Code: "system.tape", Detail: detail, Cleared: cleared}
		v.publish(c)
		if f, is := told(c, ""); is && v.journal != nil {
			if err := v.journal.Append(journal.Batch{At: v.now(), Facts: []journal.Fact{f}}); err != nil {
				v.log.Warn().Err(err).Msg("alert not kept in the journal")
			}
		}
	})
	v.fleet = link.NewFleet(link.FleetConfig{
		Finder: link.Finder{Rule: o.Config.Rule()},
		Now:    func() time.Duration { return time.Since(v.mono) },
	})
	return v
}

// Rule is which ports may be opened: those of the serial section and those that
// tables name.
func (c Config) Rule() link.Rule {
	rule := c.Serial.Rule()
	rule.Ports = slices.Clone(rule.Ports)
	for _, t := range c.Tables {
		if t.Port != "" && !slices.Contains(rule.Ports, t.Port) {
			rule.Ports = append(rule.Ports, t.Port)
		}
	}
	return rule
}

// now is the session time.
func (v *Venue) now() time.Duration { return v.session(time.Since(v.mono)) }

// session turns time of the links, which is real, into session time.
func (v *Venue) session(real time.Duration) time.Duration {
	return time.Duration(float64(real) * v.pace)
}

// Run runs the hall until ctx ends. Then every port is closed, what the boards
// sent has been published, the tapes are closed and no goroutine is left. It
// returns nil after ctx ended. Call it once.
func (v *Venue) Run(ctx context.Context) error {
	defer close(v.done)
	if err := v.config.Rule().Validate(); err != nil {
		return fmt.Errorf("ports: %w", err)
	}
	for _, t := range v.config.Tables {
		v.desk(t.Number)
	}
	for _, table := range slices.Sorted(maps.Keys(v.kept)) {
		v.desk(table)
	}
	events := make(chan link.Event, 256)
	fleet := make(chan struct{})
	go func() {
		defer close(fleet)
		v.fleet.Run(ctx, events)
	}()
	tended := make(chan struct{})
	go func() {
		defer close(tended)
		if !v.noTape {
			v.tapes.run(ctx)
		}
	}()
	v.start = newArrival(v.config.Rule())
	settled := time.NewTimer(settleMax)
	defer settled.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case e := <-events:
			v.take(e)
		case ask := <-v.asks:
			ask()
		case <-settled.C:
			v.seatAll()
		}
	}
	<-fleet
	<-tended
	for len(events) > 0 {
		v.take(<-events)
	}
	for _, d := range v.desks {
		d.inbox.close()
	}
	v.running.Wait()
	return nil
}

// recover takes from the journal which boards sat where, and the games to go on with.
func (v *Venue) recover(r *journal.Recovered) {
	for _, g := range r.Games {
		if k := keptOf(g, v.begun); k != nil {
			v.kept[g.Table] = k
		} else {
			v.log.Error().Int("table", g.Table).Str("why", g.Broken).Msg("the game of the last run is not whole; the table begins anew")
		}
	}
	for table, b := range r.Boards {
		v.seating.remember(b.Serial, b.Port, table)
	}
}

// do runs f in the goroutine of Run.
func (v *Venue) do(f func()) error {
	ran := make(chan struct{})
	select {
	case v.asks <- func() { defer close(ran); f() }:
		<-ran
		return nil
	case <-v.done:
		return ErrEnded
	}
}

// Announce sets PGN tags, White and Black among them, of the next game at a table: of
// the present one while nothing has been played in it. They hold until they are
// announced otherwise. The error is ErrEnded.
func (v *Venue) Announce(table int, tags map[string]string) error {
	return v.do(func() {
		v.desk(table).inbox.put(note{do: func(d *desk) { d.announce(tags) }})
	})
}

// Order carries out an order of the operator at a table, as Obey does.
func (v *Venue) Order(table int, order string) error {
	return v.Obey(table, arbiter.Order{Text: order, Who: byOperator})
}

// Obey carries out an order at a table, in the words of a tape ("result 1-0", "newgame FEN",
// "clock-side left"), which also holds it from then on; the journal holds whose it was. The error wraps ErrOrder when it is not understood;
// ErrResting and ErrEnded are the others.
func (v *Venue) Obey(table int, o arbiter.Order) error {
	answer := make(chan error, 1)
	err := v.do(func() {
		v.desk(table).inbox.put(note{do: func(d *desk) {
			err := ErrResting // when it panics
			defer func() { answer <- err }()
			err = d.obey(o)
		}})
	})
	if err != nil {
		return err
	}
	select {
	case err = <-answer:
		return err
	case <-v.done:
		return ErrEnded
	}
}

// Claims tells what is known of draw claims at a table: the evidence for those made,
// and for those that could be made now. The errors wrap arbiter.ErrNoTable, ErrResting
// and ErrEnded.
func (v *Venue) Claims(table int) (claims arbiter.Claims, err error) {
	answer := make(chan error, 1)
	ask := func(d *desk) {
		err := ErrResting // when it panics
		defer func() { answer <- err }()
		if p, ok := d.pipe.(*Playback); ok {
			claims, err = p.Table.Claims(), nil
			for i := range claims.Evidence {
				d.sign(&claims.Evidence[i])
			}
		}
	}
	unknown := false
	err = v.do(func() {
		d := v.desks[table]
		if unknown = d == nil; !unknown {
			d.inbox.put(note{do: ask})
		}
	})
	switch {
	case err != nil:
		return claims, err
	case unknown:
		return claims, fmt.Errorf("%w: expected a table where a board has been seen, got %d", arbiter.ErrNoTable, table)
	}
	select {
	case err = <-answer:
		return claims, err
	case <-v.done:
		return claims, ErrEnded
	}
}

// desk gives the desk of a table, which starts to work when it is first asked for.
func (v *Venue) desk(number int) *desk {
	if d := v.desks[number]; d != nil {
		return d
	}
	config := TableConfig{Number: number, TimeControl: v.config.Event.TimeControl}
	for _, t := range v.config.Tables {
		if t.Number == number {
			config = t
		}
	}
	control, err := v.config.control(config)
	if err != nil {
		v.log.Error().Err(err).Int("table", number).Msg("time control refused")
	}
	d := &desk{
		number: number, config: config, event: v.config.Event, control: control,
		log:   v.log.With().Int("table", number).Logger(),
		inbox: newInbox(),
		now:   v.now, pace: v.pace, wall: v.wall, publish: v.publish, sensed: v.sensed, open: v.open,
	}
	d.journal, d.kept = v.journal, v.kept[number]
	delete(v.kept, number)
	d.send = func(c dgt.Command) error { return v.fleet.Send(d.board, c) }
	d.ask = func() {
		if err := v.fleet.Send(d.board, dgt.SendBoard()); err != nil {
			d.log.Debug().Err(err).Msg("board not asked")
		}
	}
	if !v.noTape {
		d.record = func(o opening) *recorder {
			name := shelf.Name(v.begun.Add(o.at), number)
			return newRecorder(v.tapes.of(number), v.tapeHeader(config, control, o), name,
				func() (io.WriteCloser, string, error) { return v.tapes.create(name) }, o.after)
		}
	}
	v.desks[number] = d
	v.running.Go(d.run)
	return d
}

func (v *Venue) tapeHeader(c TableConfig, control *clock.Control, o opening) tape.Header {
	h := tape.Header{tape.StartField(v.begun), {Key: "serial", Value: o.board}}
	fen := cmp.Or(o.fen, c.StartFEN)
	if fen == rules.StartFEN {
		fen = ""
	}
	tc := ""
	if control != nil {
		tc = control.Canonical() // a tape's numbers are seconds
	}
	e := &v.config.Event
	for _, f := range []tape.Field{{Key: "fen", Value: fen}, {Key: "tc", Value: tc}, {Key: "draws", Value: e.Draws}, {Key: "edition", Value: e.Edition}, {Key: "white_side", Value: cmp.Or(o.side, c.ClockSide)}} {
		if f.Value != "" {
			h = append(h, f)
		}
	}
	return headerOf(h, c.Number, o)
}
