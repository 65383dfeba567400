package venue

import (
	"boardd/broadcast/livechess"
	"boardd/rules"
	"boardd/rules/reconstruct"
)

// sighting is what a table's sensors and clock show at one moment.
type sighting struct {
	men   rules.Placement
	seen  bool // a whole board has been read
	whole bool // ... just now
	clock reconstruct.Reading
}

// sights collects them one by one, for programs that want each man lifted and set down.
type sights struct {
	wanted bool
	last   sighting
	list   []sighting
}

// look notes what there is to be seen; whole says that the whole board has been read just now.
func (t *Table) look(whole bool) {
	if !t.sights.wanted {
		return
	}
	now := sighting{men: t.tracker.Placement(), seen: t.sights.last.seen || whole, clock: t.clock}
	if !whole && now == t.sights.last {
		return
	}
	t.sights.last = now
	now.whole = whole
	t.sights.list = append(t.sights.list, now)
}

func (t *Table) sightings() []sighting {
	list := t.sights.list
	t.sights.list = nil
	return list
}

// sense tells of each sighting since the last call.
func (d *desk) sense() {
	p, is := d.pipe.(*Playback)
	if d.sensed == nil || !is {
		return
	}
	for _, s := range p.Table.sightings() {
		d.sight = s
		d.senseSeat()
	}
}

// senseSeat tells of the seat as it is now.
func (d *desk) senseSeat() {
	if d.sensed == nil || d.board == "" {
		return
	}
	d.sensed(livechess.Seat{Table: d.number, Serial: d.board, Port: d.port, Here: !d.down,
		Men: d.sight.men, Seen: d.sight.seen, Whole: d.sight.whole, Clock: d.sight.clock})
	d.sight.whole = false
}

// sit notes which board plays at the table; one that played here before does no more.
func (d *desk) sit(board, port string) {
	if d.board != "" && d.board != board {
		down := d.down
		d.down = true
		d.senseSeat()
		d.down, d.sight = down, sighting{}
	}
	d.board, d.port = board, port
}
