package reconstruct

import "boardd/rules"

// learn takes note, before square q changes to p, of what the sensors can do.
func (t *Tracker) learn(sn *snapshot, q rules.Square, p rules.Piece) {
	if p != rules.NoPiece {
		t.alive |= q.Bit()
		t.dead &^= q.Bit()
		// The man that stands here came back to where it was: it drops out of sight.
		if sn.sense.at(q) == rules.NoPiece {
			for _, n := range t.lines {
				if n.line.since[q] < sn.since[q] && n.sense.at(q) == p && t.now-sn.since[q] > 300 {
					n.line.weak |= q.Bit()
				}
			}
		}
	}
}
