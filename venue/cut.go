package venue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/broadcast"
	"boardd/dgt/tape"
	"boardd/rules"
)

// Cut makes a tape of what is on t from one moment to another, both in session time and the
// latter included. Times stay as they are. The new tape has the position in its header and
// begins with a dump of the board and a reading of the clock, made from what had been seen
// by then, and with the orders in force.
//
// What the pipeline had in mind at that moment is not on it: the cut is made only where it
// replays to the same moves, clocks and results from there on, which is tried; else it
// begins earlier. begins is where it does, at the latest at from. The error is about the
// tape's content, or that nothing is on it in that time.
func Cut(t *tape.Tape, from, to time.Duration) (cut *tape.Tape, begins time.Duration, err error) {
	end, _ := slices.BinarySearchFunc(t.Events, to, func(e tape.Event, to time.Duration) int {
		if e.At <= to {
			return -1
		}
		return 1
	})
	events := t.Events[:end]
	if len(events) == 0 || events[len(events)-1].At < from {
		return nil, 0, fmt.Errorf("expected events from %d to %d ms, got none", from.Milliseconds(), to.Milliseconds())
	}
	whole, err := playThrough(t.Header, events)
	if err != nil {
		return nil, 0, err
	}
	first, from := events[0].At, from.Truncate(time.Millisecond)
	for back := time.Duration(0); from-back > first; back = max(2*back, time.Second) {
		begins = from - back
		cut, moment, err := cutAt(t, events, begins)
		if err != nil {
			return nil, 0, err
		}
		if cut == nil {
			continue
		}
		again, err := playThrough(cut.Header, cut.Events)
		if err == nil && slices.Equal(again.score(run{}), whole.score(moment)) {
			return cut, begins, nil
		}
	}
	return &tape.Tape{Start: t.Start, Header: t.Header, Events: events}, first, nil
}

// run is what came of a tape so far.
type run struct {
	play *Playback
	over [][]*rules.Game // records of the games before the present one
	down bool            // the line is
	tc   string          // the last order of a time control
	left bool            // the present game is over, and the men are set up for the next
}

func begin(h tape.Header) (run, error) {
	p, err := NewPlayback(h, TableOptions{})
	return run{play: p}, err
}

func (r *run) event(e tape.Event) error {
	present := r.play.Table.Record()
	if err := r.play.Play(e); err != nil {
		return fmt.Errorf("event at %d ms: %w", e.At.Milliseconds(), err)
	}
	if e.Kind == tape.Link {
		r.down = e.Text == tape.LinkDown
	}
	if e.Kind == tape.Order && strings.HasPrefix(e.Text, "tc ") {
		r.tc = e.Text
	}
	for _, c := range r.play.Table.Take() {
		if c.Type == broadcast.TypeGame {
			r.over = append(r.over, present)
		}
	}
	return nil
}

func playThrough(h tape.Header, events []tape.Event) (run, error) {
	r, err := begin(h)
	if err != nil {
		return r, err
	}
	for _, e := range events {
		if err := r.event(e); err != nil {
			return r, err
		}
	}
	r.play.End()
	return r, nil
}

// cutAt makes the tape that begins there, and tells what had come of the whole one by then;
// cut is nil when the board had not been seen.
func cutAt(t *tape.Tape, events []tape.Event, at time.Duration) (cut *tape.Tape, moment run, err error) {
	if moment, err = begin(t.Header); err != nil {
		return nil, moment, err
	}
	n := 0
	for ; n < len(events) && events[n].At < at; n++ {
		if err := moment.event(events[n]); err != nil {
			return nil, moment, err
		}
	}
	moment.play.Pass(at)
	table := moment.play.Table
	data, side := table.seen()
	if data == nil {
		return nil, moment, nil
	}
	game, _ := table.present()
	fen := game.Current().FEN()
	result := table.game.Result
	if array, shown := moment.play.array(); shown && result != rules.Unfinished {
		fen, result, moment.left = array, rules.Unfinished, true
	}
	cut = &tape.Tape{Start: t.Start}
	for _, f := range t.Header {
		if f.Key != "fen" && (f.Key != "white_side" || side == "") {
			cut.Header = append(cut.Header, f)
		}
	}
	cut.Header = append(cut.Header, tape.Field{Key: "fen", Value: fen})
	if side != "" {
		cut.Header = append(cut.Header, tape.Field{Key: "white_side", Value: side})
	}
	add := func(k tape.Kind, text string, data []byte) {
		cut.Events = append(cut.Events, tape.Event{At: at, Kind: k, Text: text, Data: data})
	}
	if moment.tc != "" {
		add(tape.Order, moment.tc, nil)
	}
	add(tape.Received, "", data)
	if result != rules.Unfinished {
		add(tape.Order, "result "+string(result)+" with-consent", nil) // it had been recorded
	}
	if moment.down {
		add(tape.Link, tape.LinkDown, nil)
	}
	cut.Events = append(cut.Events, events[n:]...)
	return cut, moment, nil
}

// score are all games since a moment: where the record stood, every half-move with its
// clock, and the result. Games in which nothing has happened are left out.
func (r *run) score(since run) (words []string) {
	games := append(slices.Clone(r.over), r.play.Table.Record())[len(since.over):]
	skip := 0
	switch {
	case since.left:
		games = games[1:]
	case since.play != nil:
		for _, g := range since.play.Table.Record() {
			skip += g.Len()
		}
	}
	for _, record := range games {
		var plies []string
		for _, g := range record {
			if skip > g.Len() {
				skip -= g.Len()
				continue
			}
			from := skip
			skip = 0
			plies = append(plies, g.PositionAt(from).FEN())
			for n := from + 1; n <= g.Len(); n++ {
				ply := g.Ply(n)
				plies = append(plies, fmt.Sprint(ply.SAN, " ", ply.Clock, ply.HasClock))
			}
		}
		skip = 0
		if len(plies) <= 1 && record[0].Result == rules.Unfinished {
			continue
		}
		words = append(append(words, plies...), string(record[0].Result))
	}
	return words
}
