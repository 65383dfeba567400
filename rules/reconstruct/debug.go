package reconstruct

import (
	"fmt"
	"io"
)

// Dump writes every line with its cost, cheapest way first, for people who look into a tape.
func (t *Tracker) Lines(w io.Writer) {
	for _, n := range t.lines {
		s := ""
		for _, p := range n.path()[max(0, n.ply-6):] {
			s += " " + p.parent.pos.SAN(p.move)
		}
		fmt.Fprintf(w, "   %8d ply %3d cost %6.2f aside %6.2f diff %v src %d entry %d:%s\n", t.now, n.ply, n.line.cost, n.line.aside, n.sense.diff(&t.current().sense).Count(), n.source, n.line.entry, s)
	}
}
