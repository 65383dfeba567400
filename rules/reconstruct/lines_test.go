package reconstruct

import (
	"fmt"
	"io"
)

// Lines writes every line with its cost, parents first, for people who look into a failing test.
func (t *Tracker) Lines(w io.Writer) {
	for _, n := range t.lines {
		s := ""
		for p, k := n, 0; p.parent != nil && k < 6; p, k = p.parent, k+1 {
			if p.source == anchored {
				s = " |" + s
			} else {
				s = " " + p.parent.pos.SAN(p.move) + s
			}
		}
		fmt.Fprintf(w, "   %8d ply %3d cost %6.2f aside %6.2f diff %v src %d entry %d:%s\n", t.now, n.ply, n.line.cost, n.line.aside, n.sense.diff(&t.current().sense).Count(), n.source, n.line.entry, s)
	}
}
