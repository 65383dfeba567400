package venue

import (
	"maps"
	"slices"
	"time"

	"boardd/broadcast"
	"boardd/dgt/link"
	"boardd/dgt/tape"
)

// settleMax is how long the boards found at the start may take to answer before
// tables are given out: they answer in about a second, in any order, but tables go by
// the order of their ports.
const settleMax = 3 * time.Second

// earlyMax is how many events of a port are kept until it is known whose they
// are: some seconds of a busy board.
const earlyMax = 256

// arrival collects the boards that are there when the venue opens.
type arrival struct {
	ports   []link.Found // in the order tables are given out
	waiting map[string]bool
	sighted map[string]link.Event // by port
}

func newArrival(rule link.Rule) *arrival {
	found, _, _ := link.Finder{Rule: rule}.Scan() // the fleet reports what is wrong with it
	a := &arrival{ports: found, waiting: map[string]bool{}, sighted: map[string]link.Event{}}
	for _, p := range found {
		if p.Device != "" {
			a.waiting[p.Path] = true
		}
	}
	return a
}

// take deals with one event of the fleet.
func (v *Venue) take(e link.Event) {
	at := v.session(e.At)
	switch e.Kind {
	case link.Received, link.Sent:
		v.bytes(e)
	case link.StatusChanged:
		v.status(e)
	case link.Sighted:
		if v.start != nil && e.Sighting.Kind == link.Discovered {
			v.start.sighted[e.Port] = e
			v.arrived(e.Port)
			return
		}
		v.sighted(e, at)
	case link.NotSent:
		v.log.Debug().Str("port", e.Port).Stringer("command", e.Command).Err(e.Err).Msg("not sent")
	case link.Ignored:
		v.log.Info().Str("port", e.Port).Str("why", e.Text).Msg("port left alone")
	}
}

// bytes go to the table of their port, or wait until it is known.
func (v *Venue) bytes(e link.Event) {
	if d := v.routes[e.Port]; d != nil {
		d.inbox.put(v.noteOf(e))
		return
	}
	early := v.early[e.Port]
	if len(early) >= earlyMax {
		early = slices.Delete(early, 0, earlyMax/2)
	}
	v.early[e.Port] = append(early, e)
}

func (v *Venue) noteOf(e link.Event) note {
	kind := tape.Received
	if e.Kind == link.Sent {
		kind = tape.Sent
	}
	return note{Event: tape.Event{At: v.session(e.At), Kind: kind, Data: e.Data}}
}

func (v *Venue) status(e link.Event) {
	log := v.log.With().Str("port", e.Port).Logger()
	switch e.Status.State {
	case link.Up:
		log.Debug().Stringer("board", e.Status.Identity).Msg("board answers")
		return // a sighting follows
	case link.Refused:
		log.Warn().Err(e.Err).Msg("port not used")
	case link.Down:
		log.Debug().Err(e.Err).Msg("port not there")
	case link.Lost:
		log.Debug().Err(e.Err).Msg("board does not answer")
	}
	if v.start != nil {
		delete(v.start.sighted, e.Port)
	}
	v.arrived(e.Port)
}

// arrived notes that a port has been heard of, one way or the other.
func (v *Venue) arrived(port string) {
	if v.start == nil {
		return
	}
	if delete(v.start.waiting, port); len(v.start.waiting) == 0 {
		v.seatAll()
	}
}

// seatAll gives tables to the boards found at the start, in the order of their
// ports, and keeps tables for listed ports without a board.
func (v *Venue) seatAll() {
	if v.start == nil {
		return
	}
	a := v.start
	v.start = nil
	for _, p := range a.ports {
		if e, ok := a.sighted[p.Path]; ok {
			v.sighted(e, v.session(e.At))
		} else if p.Listed {
			if p.Device == "" {
				v.log.Warn().Str("port", p.Path).Msg("no such port yet: plug the board in, or correct the path; it is looked for all the time")
			}
			v.desk(v.seating.keep(p.Path))
		}
		delete(a.sighted, p.Path)
	}
	for _, port := range slices.Sorted(maps.Keys(a.sighted)) { // plugged in meanwhile
		e := a.sighted[port]
		v.sighted(e, v.session(e.At))
	}
	if len(v.desks) == 0 {
		v.log.Info().Msg("no board yet: plug one in; `boardd boards` tells which ports are seen")
	}
}

// sighted deals with a board that came, moved or went.
func (v *Venue) sighted(e link.Event, at time.Duration) {
	s := e.Sighting
	log := v.log.With().Str("board", s.Board).Logger()
	switch s.Kind {
	case link.Discovered, link.Returned, link.Moved:
		if s.Before != "" {
			delete(v.routes, s.Before)
		}
		d := v.desk(v.seating.place(s.Board, e.Status.Identity, s.Port))
		text := ""
		if s.Kind == link.Moved {
			text = "found on another port"
		}
		log.Info().Int("table", d.number).Str("port", s.Port).Stringer("is", e.Status.Identity).Msg("board " + s.Kind.String())
		d.inbox.put(note{do: func(d *desk) { d.seat(at, s.Board, s.Port, text) }})
		v.routes[s.Port] = d
		for _, e := range v.early[s.Port] {
			d.inbox.put(v.noteOf(e))
		}
		delete(v.early, s.Port)
		if s.Kind == link.Moved {
			// It may have been up on that port for long, and what it told first forgotten.
			d.inbox.put(note{do: func(d *desk) { d.ask() }})
		}
	case link.Vanished:
		v.seating.leave(s.Board)
		d := v.routes[s.Before]
		delete(v.routes, s.Before)
		if d == nil {
			return
		}
		text := "the board does not answer"
		if e.Status.State == link.Down {
			text = "the board is unplugged"
		}
		log.Warn().Int("table", d.number).Str("port", s.Before).Err(e.Status.Err).Msg("board lost")
		d.inbox.put(note{Event: tape.Event{At: at, Kind: tape.Link, Text: tape.LinkDown}, text: text})
		if together := v.hubs.gone(at, e.Hub, s.Board); together != nil {
			detail := hubLost(e.Hub, together)
			log.Warn().Str("code", "usb.hub_lost").Str("detail", detail).Msg("alert")
			v.publish(broadcast.Change{Type: broadcast.TypeAlert, AtMS: at.Milliseconds(), Code: "usb.hub_lost", Detail: detail})
		}
	case link.Doubled:
		log.Warn().Str("port", s.Port).Str("before", s.Before).Msg("two ports claim the same board; the second is not used")
	}
}
