package venue

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/broadcast/arbiter"
	"boardd/broadcast/livechess"
	"boardd/clock"
	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/journal"
	"boardd/rules"
)

// pipeline is a table's pure part as its desk uses it: a Playback, fed live.
type pipeline interface {
	Play(tape.Event) error
	pass(to time.Duration)
	take() []broadcast.Change
	commands() []Command
	facts() []journal.Fact
	seen() (data []byte, side string)
	array() (fen string, shown bool)
}

func (p *Playback) take() []broadcast.Change { return p.Table.Take() }
func (p *Playback) commands() []Command      { return p.Table.Commands() }
func (p *Playback) facts() []journal.Fact    { return p.Table.Facts() }

// Constants of a desk's time.
const (
	// beatLag is how long after a beat the beat is carried out, so that what came
	// from the wire before it has reached the table. It must be less than a beat and
	// not a whole one: a tape then replays with the very same beats.
	beatLag = beat / 2
	// A table whose pipeline panicked rests this long before it tries again,
	// doubling up to the second.
	restMin, restMax = time.Second, time.Minute
	// forgiven is how long a table must run well for the rest to be short again.
	forgiven = 5 * time.Minute
)

// desk is one table at work. One goroutine, run, owns it with its pipeline;
// others put notes into its inbox.
//
// What the pipeline is told is exactly what the tape holds, in the same order at
// the same times, so a tape replays to the game that was shown.
type desk struct {
	number int
	config TableConfig
	event  EventConfig
	// control is the table's time control, nil when nobody said any.
	control *clock.Control
	log     zerolog.Logger
	inbox   *inbox

	now     func() time.Duration // session time
	pace    float64              // session time that passes in a unit of real time
	wall    func() time.Time
	publish func(broadcast.Change)
	sensed  func(livechess.Seat) // nil: nobody wants to know
	journal *journal.Journal     // nil: nothing is kept
	kept    *kept                // the game to go on with, until it is taken up
	ask     func()               // has the board tell what stands on it
	send    func(dgt.Command) error
	open    func(TableOptions) (pipeline, error)
	record  func(opening) *recorder

	pipe       pipeline
	scribe     *scribe
	changes    []broadcast.Change // to be published
	facts      []journal.Fact     // to be kept before
	tape       *recorder
	retape     time.Duration     // when a new tape may follow one that failed
	played     bool              // moves have been shown since the tape began
	fresh      bool              // the game shown has begun and had no move yet
	inForce    map[string]string // orders that hold for the games to come, by verb
	by         arbiter.Order     // that is being carried out
	board      string            // that plays here
	port       string            // that it is on
	sight      sighting          // the last
	at         time.Duration     // of the pipeline; never goes back
	last       time.Duration     // of the last thing that happened, beats apart
	down       bool              // the link is
	statusTold bool
	names      map[string]string // tags of the next game by word of a person
	tags       map[string]string // of the game shown
	plies      int               // of the game shown
	fen        string            // after the last of them
	result     bool              // of the game shown is known
	lateTold   int               // 1: a late player was warned of, 2: told as lost
	unset      bool              // the clock has not been set for the game shown
	restart    restart
}

// restart is what remains of a pipeline that panicked.
type restart struct {
	plies  int           // shown before the present pipeline began
	until  time.Duration // the table rests till then
	rest   time.Duration // the last rest
	failed time.Duration // when it last panicked
}

// start shows the table before any board has come: the game that was played when the
// daemon stopped, or a new one.
func (d *desk) start() {
	d.scribe = &scribe{journal: d.journal, table: d.number, publish: d.publish, log: d.log}
	if d.kept != nil {
		d.goOn()
		return
	}
	d.begin()
	if start, err := d.startFEN(); err != nil {
		d.log.Error().Err(err).Msg("start position refused")
	} else {
		d.facts = append(d.facts, journal.Begun{FEN: start})
		d.show(broadcast.Change{Type: broadcast.TypeGame, FEN: start})
		d.flush()
	}
}

// goOn takes up the game that the journal has, and shows it. It is news to nobody.
func (d *desk) goOn() {
	r := d.kept.record
	d.begin()
	d.kept = nil
	d.scribe.begin(r.Game)
	d.names = map[string]string{}
	for _, tag := range r.Main().Tags {
		d.names[tag.Name] = tag.Value
	}
	d.show(broadcast.Change{Type: broadcast.TypeGame, FEN: r.Main().Start().FEN()})
	d.unset = false
	for _, part := range r.Parts {
		for n := 1; n <= part.Game.Len(); n++ {
			ply := part.Game.Ply(n)
			c := broadcast.Change{Type: broadcast.TypeMove, Ply: part.Before + n, SAN: ply.SAN,
				UCI: part.Game.PositionAt(n - 1).UCI(ply.Move), FEN: part.Game.PositionAt(n).FEN()}
			if ply.HasClock {
				c.ClockMS = broadcast.MS(ply.Clock)
			}
			d.show(c)
		}
	}
	if r.Result != rules.Unfinished {
		d.show(broadcast.Change{Type: broadcast.TypeResult, Result: string(r.Result)})
	}
	d.facts = nil // it is in the journal
	for i := range d.changes {
		d.changes[i].Again = true
	}
	d.flush()
	d.down = true
	d.log.Info().Int("plies", r.Len()).Msg("the game of the last run goes on")
}

// flush has what was shown published, once it is kept.
func (d *desk) flush() {
	for i, f := range d.facts {
		if b, begins := f.(journal.Begun); begins {
			b.Tags = tagged(d.tags).Tags
			d.facts[i] = b
		}
	}
	if len(d.facts)+len(d.changes) > 0 {
		d.scribe.tell(d.at, d.facts, d.changes)
		d.facts, d.changes = nil, nil
	}
}

func (d *desk) startFEN() (string, error) {
	o, err := tableOptions(d.config)
	if err != nil || o.Start == nil {
		return rules.StartFEN, err
	}
	return o.Start.FEN(), nil
}

// options are what the configuration makes of the table.
func (d *desk) options() (TableOptions, error) {
	o, err := tableOptions(d.config)
	if err != nil {
		return o, err
	}
	o.kept, o.sights = d.kept, d.sensed != nil
	if d.control != nil {
		o.Controls = Controls{*d.control}
	}
	if d.event.TableOnClock {
		o.OnClock = onClock(d.number)
	}
	o.Regulations, err = d.event.regulations(d.control)
	return o, err
}

// onClock names a table in the eight characters of a DGT 3000.
func onClock(table int) string {
	if text := fmt.Sprintf("table %d", table); len(text) <= 8 {
		return text
	}
	return fmt.Sprintf("t %d", table)
}

// tableOptions reads what the configuration says of a table; a checked
// configuration gives no error.
func tableOptions(c TableConfig) (TableOptions, error) {
	o := TableOptions{Number: c.Number}
	if c.StartFEN != "" {
		p, err := rules.ParseFEN(c.StartFEN)
		if err != nil {
			return o, fmt.Errorf("table %d: %w", c.Number, err)
		}
		o.Start = &p
	}
	if c.ClockSide != "" {
		side, err := ParseSide(c.ClockSide)
		if err != nil {
			return o, fmt.Errorf("table %d: clock side: %w", c.Number, err)
		}
		o.WhiteSide = &side
	}
	return o, nil
}

// begin makes the pipeline of a game from its start.
func (d *desk) begin() {
	o, err := d.options()
	if err == nil {
		d.pipe, err = d.open(o)
	}
	if err != nil {
		d.log.Error().Err(err).Msg("the table does not work")
	}
}

// run owns the desk until its inbox is closed and empty.
func (d *desk) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	d.guard(d.start)
	late := time.NewTimer(d.untilLate())
	defer late.Stop()
	for {
		if wait, ok := d.nextBeat(); ok {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
		select {
		case <-timer.C:
			d.guard(d.beat)
		case <-late.C:
			d.guard(d.lateness)
			late.Reset(d.untilLate())
		case <-d.inbox.ready:
			notes, lost, closed := d.inbox.take()
			for _, n := range notes {
				d.guard(func() { d.note(n) })
			}
			if lost > 0 {
				d.guard(func() { d.overrun(lost) })
			}
			if closed {
				d.guard(func() { d.order("end") })
				d.tape.close()
				return
			}
		}
	}
}

// lateMax is how often the calendar is looked at at least: it may jump when a Pi without
// a clock of its own finds the network.
const lateMax = time.Minute

// untilLate is how long to wait before looking whether a player is late.
func (d *desk) untilLate() time.Duration {
	warn, lose, ok := d.event.lateness()
	if !ok || d.lateTold >= 2 {
		return lateMax
	}
	next := warn
	if d.lateTold == 1 {
		next = lose
	}
	return min(max(next.Sub(d.calendar()), time.Second), lateMax)
}

// calendar is the clock on the wall of the venue, as the event's times are read.
func (d *desk) calendar() time.Time {
	t := d.wall().Local()
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// lateness has the table told when a player has not come in time. It is of use on
// the day of the round only.
func (d *desk) lateness() {
	warn, lose, ok := d.event.lateness()
	now := d.calendar()
	if !ok || d.board == "" || now.Sub(lose) > 12*time.Hour {
		return
	}
	order := ""
	switch {
	case d.lateTold < 2 && !now.Before(lose):
		d.lateTold, order = 2, fmt.Sprintf("late default %d", int(now.Sub(d.event.Start)/time.Second))
	case d.lateTold < 1 && !now.Before(warn):
		d.lateTold, order = 1, fmt.Sprintf("late warning %d", int(now.Sub(d.event.Start)/time.Second))
	default:
		return
	}
	if err := d.order(order); err != nil {
		d.log.Warn().Err(err).Msg("lateness not told")
	}
}

// nextBeat is how long to wait for the next beat; ok is false while the table
// needs none, since nothing has happened for so long.
func (d *desk) nextBeat() (wait time.Duration, ok bool) {
	next := d.at.Truncate(beat) + beat
	switch {
	case d.board == "":
		return 0, false
	case d.pipe == nil:
		next = max(next, d.restart.until)
	case next >= d.last+idle:
		return 0, false
	}
	wait = max(0, next+beatLag-d.now())
	return time.Duration(float64(wait) / d.pace), true
}

// beat lets time pass for the pipeline, up to the last beat that is due. Like
// Playback it stops short of idle after the last event.
func (d *desk) beat() {
	to := (d.now() - beatLag).Truncate(beat) + beatLag
	if d.pipe != nil {
		to = min(to, (d.last+idle-1).Truncate(beat)+beatLag)
	}
	if to <= d.at || d.resting(to) {
		return
	}
	d.at = to
	d.pipe.pass(to)
	d.pass()
}

// note takes one note from the inbox.
func (d *desk) note(n note) {
	switch {
	case n.do != nil:
		n.do(d)
	case n.Kind == tape.Link:
		d.link(n)
	default:
		d.told(n.Event)
	}
}

// told records an event and gives it to the pipeline. Only orders can fail.
func (d *desk) told(e tape.Event) error {
	// A tape holds whole milliseconds in order; so does the pipeline see them.
	e.At = max(e.At.Truncate(time.Millisecond), d.at)
	d.at, d.last = e.At, e.At
	resting := d.resting(e.At)
	if e.Kind != tape.Order {
		d.taped(e) // first, so that a fault's cause is on the tape
	}
	if resting {
		return ErrResting
	}
	if err := d.pipe.Play(e); err != nil {
		return err
	}
	if e.Kind == tape.Order {
		d.taped(e) // only what can be obeyed again
		d.facts = append(d.facts, journal.Order{Who: d.by.Who, From: d.by.From, Text: e.Text})
	}
	d.pass()
	return nil
}

// order carries out an order of boardd's own.
func (d *desk) order(text string) error {
	return d.obey(arbiter.Order{Text: text, Who: byBoardd})
}

// obey carries out an order, as a tape holds them.
func (d *desk) obey(o arbiter.Order) error {
	if o.Text == OrderNext {
		return fmt.Errorf("%w: %q is for boardd itself to write", ErrOrder, o.Text)
	}
	before := d.by // an order may bring another about
	d.by = o
	defer func() { d.by = before }()
	return d.told(tape.Event{At: d.now(), Kind: tape.Order, Text: o.Text})
}

// seat has a board play at this table, which may be one that played here before.
func (d *desk) seat(at time.Duration, board, port, text string) {
	first := d.board == ""
	changed := board != d.board
	d.sit(board, port)
	defer d.senseSeat()
	if d.tape == nil {
		d.openTape(d.fen)
	} else if changed {
		d.tape.comment("the board is now " + board)
	}
	d.facts = append(d.facts, journal.BoardSeen{Serial: board, Port: port})
	if first && d.down { // a game that goes on
		d.link(note{Event: tape.Event{At: at, Kind: tape.Link, Text: tape.LinkUp}, text: text})
		return
	}
	if first {
		d.status(at, broadcast.LinkLive, text)
		d.setClock()
		return
	}
	d.link(note{Event: tape.Event{At: at, Kind: tape.Link, Text: tape.LinkUp}, text: text})
}

// link tells that the board went away or came back.
func (d *desk) link(n note) {
	down := n.Event.Text == tape.LinkDown
	if down == d.down {
		return
	}
	d.down = down
	status := broadcast.LinkBack
	if down {
		status = broadcast.LinkLost
	}
	d.facts = append(d.facts, journal.Link{Up: !down, Text: n.text})
	d.statusTold = false
	d.told(n.Event)
	d.senseSeat()
	if !d.statusTold { // by the pipeline
		d.status(n.At, status, n.text)
	}
}

func (d *desk) status(at time.Duration, status, text string) {
	d.show(broadcast.Change{Type: broadcast.TypeStatus, AtMS: at.Milliseconds(), Status: status, Text: text})
	d.flush()
}

// tagged is the fact of new tags, in an order of its own.
func tagged(tags map[string]string) journal.Tagged {
	var t journal.Tagged
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		t.Tags.Set(name, tags[name])
	}
	return t
}

// overrun tells the pipeline that bytes never reached it: what follows is like
// a line that was out for a moment.
func (d *desk) overrun(lost int) {
	d.log.Error().Int("lost", lost).Str("tape", d.tape.words()).Msg("the table could not keep up; what its board sent was lost")
	d.tape.comment(fmt.Sprintf("%d events lost: the table could not keep up", lost))
	if !d.down {
		d.told(tape.Event{At: d.now(), Kind: tape.Link, Text: tape.LinkDown})
		d.told(tape.Event{At: d.now(), Kind: tape.Link, Text: tape.LinkUp})
		d.ask()
	}
}

// announce sets the tags of the next game, which is the present one while
// nothing has been played in it.
func (d *desk) announce(tags map[string]string) {
	d.names = tags
	if d.plies == 0 && !d.result {
		d.tags = d.gameTags()
		d.show(broadcast.Change{Type: broadcast.TypeTags, AtMS: d.at.Milliseconds(), Tags: maps.Clone(d.tags)})
		d.facts = append(d.facts, tagged(d.tags))
		d.flush()
	}
}

// sign puts the names of the game on evidence about it.
func (d *desk) sign(e *rules.Evidence) {
	for name, into := range map[string]*string{"Event": &e.Event, "Site": &e.Site, "Date": &e.Date, "Round": &e.Round,
		"Board": &e.Board, "White": &e.White, "Black": &e.Black} {
		*into = d.tags[name]
	}
}

// gameTags are the tags of a game that begins now.
func (d *desk) gameTags() map[string]string {
	tags := map[string]string{
		"Board": strconv.Itoa(d.number),
		"Date":  d.wall().Format("2006.01.02"),
	}
	for name, value := range map[string]string{
		"Event": d.event.Name, "Site": d.event.Site, "Round": d.event.Round,
		"White": d.config.White, "Black": d.config.Black,
	} {
		if value != "" {
			tags[name] = value
		}
	}
	for _, tag := range d.config.Tags {
		tags[tag.Name] = tag.Value
	}
	if d.control != nil {
		if text := d.control.PGN(); text != "?" {
			tags["TimeControl"] = text
		}
	}
	maps.Copy(tags, d.names)
	return tags
}

// pass publishes what the pipeline has to tell, and sends what it wants of the clock.
// A game that has begun has its clock set.
func (d *desk) pass() {
	changes := d.pipe.take()
	d.facts = append(d.facts, d.pipe.facts()...)
	d.sense()
	for i := range changes {
		d.show(d.continued(changes[i]))
	}
	d.flush()
	for _, c := range d.pipe.commands() {
		if err := d.send(c.Command); err != nil {
			// The plan sees that no answer comes, and tries again or tells.
			d.log.Debug().Err(err).Stringer("command", c.Command).Msg("not sent")
		}
	}
	d.betweenGames()
	if d.unset && d.board != "" {
		d.setClock()
	}
}

// setClock has the clock set for the game that has begun, where that is boardd's
// part and people have said for what.
func (d *desk) setClock() {
	d.unset = false
	if d.event.Clock == ClockVerify || d.control == nil {
		return
	}
	if err := d.order("set-clock " + d.event.Clock); err != nil {
		d.log.Info().Err(err).Stringer("time control", d.control).Msg("boardd does not set the clock")
	}
}

// continued numbers a change of a pipeline that was started in mid-game.
func (d *desk) continued(c broadcast.Change) broadcast.Change {
	if c.Type == broadcast.TypeGame {
		d.restart.plies = 0
	}
	if base := d.restart.plies; base > 0 {
		if c.Ply > 0 {
			c.Ply += base
		}
		c.Moves = slices.Clone(c.Moves)
		for i := range c.Moves {
			c.Moves[i].Ply += base
		}
	}
	return c
}

// show publishes one change and keeps in mind what it makes of the game.
func (d *desk) show(c broadcast.Change) {
	c.Board = d.number
	switch c.Type {
	case broadcast.TypeGame:
		d.tags = d.gameTags()
		c.Tags = maps.Clone(d.tags)
		d.plies, d.fen, d.result, d.unset, d.fresh = 0, c.FEN, false, true, true
	case broadcast.TypeMove:
		d.plies, d.fen, d.played, d.fresh = c.Ply, c.FEN, true, false
	case broadcast.TypeReplace:
		d.plies, d.fen = c.Ply-1+len(c.Moves), c.FEN
	case broadcast.TypeRetract:
		d.plies, d.fen = c.Ply-1, c.FEN
	case broadcast.TypeResult:
		d.result = c.Result != string(rules.Unfinished)
		d.log.Info().Str("result", c.Result).Msg("game over")
	case broadcast.TypeStatus:
		d.statusTold = true
	case broadcast.TypeAlert:
		c.Tape, c.Event = d.tape.position()
		d.log.Warn().Str("code", c.Code).Str("detail", c.Detail).Int("ply", c.Ply).Str("tape", d.tape.words()).Msg("alert")
	}
	if f, is := told(c, d.by.Who); is {
		d.facts = append(d.facts, f)
	}
	d.changes = append(d.changes, c)
}

// guard runs f and contains a panic in it: this table starts anew from the last
// position shown, the others notice nothing.
func (d *desk) guard(f func()) {
	defer func() {
		if fault := recover(); fault != nil {
			d.recoverFrom(fault)
		}
	}()
	f()
}

func (d *desk) recoverFrom(fault any) {
	r := &d.restart
	if d.at > r.failed+forgiven {
		r.rest = 0
	}
	r.rest = min(max(2*r.rest, restMin), restMax)
	r.failed, r.until = d.at, d.at+r.rest
	d.log.Error().Str("panic", fmt.Sprint(fault)).Str("tape", d.tape.words()).Dur("rest", r.rest).
		Bytes("stack", debug.Stack()).Msg("a fault of boardd: the table starts anew")
	d.tape.comment("the pipeline panicked here and was started anew")
	d.pipe = nil
}

// resting says whether the table still rests after a panic, and ends the rest.
func (d *desk) resting(at time.Duration) bool {
	if d.pipe != nil {
		return false
	}
	if at < d.restart.until {
		return true
	}
	d.resume()
	return d.pipe == nil
}

// resume makes a pipeline that goes on from the last position shown.
func (d *desk) resume() {
	o, err := d.options()
	fen := ""
	if start, bad := rules.ParseFEN(d.fen); bad == nil && !d.result {
		o.Start, d.restart.plies, fen = &start, d.plies, d.fen
	}
	if err == nil {
		d.pipe, err = d.open(o)
	}
	if err != nil {
		d.log.Error().Err(err).Msg("the table does not work")
		d.restart.until = d.at + restMax
		return
	}
	d.pipe.pass(d.at)
	d.nextTape(fen)
	d.ask()
}
