package rules

import "maps"

// trace is what the record keeps of one of its positions, so that no count has
// to look at the whole game.
type trace struct {
	times  int32 // how often the position stood up to here, itself included
	before int32 // the position before this one that is the same, -1 for none
	gap    int32 // the last ply up to here whose order is not known, 0 for none
}

// repetitions count the positions of a record as Laws 9.2.3 tells them apart.
// latest holds the last position of each kind; popping in the order of pushing
// undoes it, so a replaced ply costs what it cost to add it.
type repetitions struct {
	traces []trace // by position, 0 is the start
	latest map[uint64]int32
}

func (r *repetitions) push(key uint64, unknown bool) {
	if r.latest == nil {
		r.latest = make(map[uint64]int32)
	}
	n := int32(len(r.traces))
	t := trace{times: 1, before: -1}
	if n > 0 {
		t.gap = r.traces[n-1].gap
	}
	if unknown {
		t.gap = n
	}
	if last, seen := r.latest[key]; seen {
		t.times, t.before = r.traces[last].times+1, last
	}
	r.traces = append(r.traces, t)
	r.latest[key] = n
}

// pop forgets the last position, whose key this is.
func (r *repetitions) pop(key uint64) {
	n := len(r.traces) - 1
	if before := r.traces[n].before; before >= 0 {
		r.latest[key] = before
	} else {
		delete(r.latest, key)
	}
	r.traces = r.traces[:n]
}

// last is the last position up to n with this key, -1 for none.
func (r *repetitions) last(key uint64, n int) int {
	at, seen := r.latest[key]
	if !seen {
		return -1
	}
	for int(at) > n {
		if at = r.traces[at].before; at < 0 {
			return -1
		}
	}
	return int(at)
}

func (r *repetitions) clone() repetitions {
	return repetitions{append([]trace(nil), r.traces...), maps.Clone(r.latest)}
}

// uncertain tells a position nobody saw and that another order of the moves
// would not have brought about: one within a gap. The one at its end was seen.
func (g *Game) uncertain(n int) bool {
	return n > 0 && n < len(g.plies) && g.plies[n-1].OrderUnknown && g.plies[n].OrderUnknown
}

// Occurrences counts how often the position after ply n has stood on the board
// up to then, itself and the start included (Laws 9.2.3). Positions within a gap
// in the record do not count; Claims says whether the count is a lower bound.
func (g *Game) Occurrences(n int) int { return g.seen(n) }

// OccurrencesOf lists the plies up to n after which the position after ply n
// stood, itself included, in order; 0 is the start.
func (g *Game) OccurrencesOf(n int) []int {
	return g.occurrencesOf(n, n)
}

// OccurrencesAfter lists the plies up to n after which the position stood that
// the legal move m would bring about after ply n.
func (g *Game) OccurrencesAfter(n int, m Move) []int {
	next := g.positions[n].Play(m)
	return g.occurrencesOf(g.counts.last(next.key, n), n)
}

// occurrencesOf follows the chain from a position back; n is where the question is asked.
func (g *Game) occurrencesOf(at, n int) []int {
	list := make([]int, 0, 4)
	for ; at >= 0; at = int(g.counts.traces[at].before) {
		if at == n || !g.uncertain(at) {
			list = append(list, at)
		}
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// seen counts up to position n the positions that are like it and certain.
func (g *Game) seen(n int) int {
	if n < 0 {
		return 0
	}
	t := g.counts.traces[n]
	if t.gap == 0 {
		return int(t.times)
	}
	return len(g.occurrencesOf(n, n))
}

// seenKey counts the positions up to n with this key.
func (g *Game) seenKey(key uint64, n int) int {
	at := g.counts.last(key, n)
	if at < 0 {
		return 0
	}
	if g.counts.traces[at].gap == 0 {
		return int(g.counts.traces[at].times)
	}
	return len(g.occurrencesOf(at, n))
}
