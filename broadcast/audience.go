package broadcast

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// want is which boards a client follows; the zero value is all of them. A board is followed when its number or the
// round of its game is named.
type want struct {
	boards []int    // sorted
	rounds []string // sorted; "3" is every game whose Round tag is 3 or 3.something
}

// wantMax bounds how many boards and rounds a client may name.
const wantMax = 200

func newWant(boards []int, rounds []string) (want, error) {
	if len(boards)+len(rounds) > wantMax {
		return want{}, fmt.Errorf("expected at most %d boards and rounds, got %d", wantMax, len(boards)+len(rounds))
	}
	for _, n := range boards {
		if n < 1 {
			return want{}, fmt.Errorf("expected the number of a board, from 1, got %d", n)
		}
	}
	for _, r := range rounds {
		if r == "" {
			return want{}, fmt.Errorf("expected a round, got %q", r)
		}
	}
	w := want{slices.Clone(boards), slices.Clone(rounds)}
	slices.Sort(w.boards)
	slices.Sort(w.rounds)
	w.boards, w.rounds = slices.Compact(w.boards), slices.Compact(w.rounds)
	return w, nil
}

func (w *want) all() bool { return len(w.boards)+len(w.rounds) == 0 }

func (w *want) key() string { return fmt.Sprintf("%d %q", w.boards, w.rounds) }

func (w *want) has(n int, tags map[string]string) bool {
	if _, named := slices.BinarySearch(w.boards, n); named || w.all() {
		return true
	}
	round := tags["Round"]
	part, _, _ := strings.Cut(round, ".")
	return slices.Contains(w.rounds, round) || slices.Contains(w.rounds, part)
}

// parseWant reads the lists of an address, ?boards=1,2&rounds=3.
func parseWant(boards, rounds string) (want, error) {
	var numbers []int
	var names []string
	if boards != "" {
		for text := range strings.SplitSeq(boards, ",") {
			n, err := strconv.Atoi(text)
			if err != nil {
				return want{}, fmt.Errorf("boards: expected numbers with commas between them, got %q", boards)
			}
			numbers = append(numbers, n)
		}
	}
	if rounds != "" {
		names = strings.Split(rounds, ",")
	}
	return newWant(numbers, names)
}

// audience is all clients that follow the same boards: a frame is made once for all of them.
type audience struct {
	want      want
	clients   map[*client]struct{}
	lastFrame time.Time
	members   map[int]bool // boards followed, where rounds are named
	moved     bool         // members changed: what was sent before does not lead to what is followed now

	snapshot *frame // as of snapSeq and snapMS; nil = not made yet
	snapSeq  uint64
	snapMS   int64
}

// audiencesMax bounds the different choices. Who makes a further one is sent everything, which holds what he wants.
const audiencesMax = 256

// seat puts c among those who want the same.
func (s *stream) seat(c *client, w want) {
	s.unseat(c)
	key := w.key()
	a := s.audiences[key]
	if a == nil && !w.all() && len(s.audiences) >= audiencesMax {
		w = want{}
		key = w.key()
		a = s.audiences[key]
	}
	if a == nil {
		a = &audience{want: w, clients: map[*client]struct{}{}, members: map[int]bool{}}
		s.audiences[key] = a
		s.follow(a)
	}
	c.audience = a
	a.clients[c] = struct{}{}
}

func (s *stream) unseat(c *client) {
	a := c.audience
	if a == nil {
		return
	}
	c.audience = nil
	if delete(a.clients, c); len(a.clients) == 0 && a != s.everything {
		delete(s.audiences, a.want.key())
	}
}

// follow notes which boards a follows now.
func (s *stream) follow(a *audience) {
	if len(a.want.rounds) == 0 {
		return
	}
	members := map[int]bool{}
	for n, b := range s.boards {
		if a.want.has(n, b.Tags) {
			members[n] = true
		}
	}
	if !maps.Equal(members, a.members) {
		a.members, a.moved = members, true
	}
}

// of is the part of some changes that a follows.
func (s *stream) of(a *audience, changes []numbered) (encoded [][]byte) {
	for _, c := range changes {
		var tags map[string]string
		if b := s.boards[c.board]; b != nil {
			tags = b.Tags
		}
		if c.board == 0 || a.want.has(c.board, tags) {
			encoded = append(encoded, c.data)
		}
	}
	return encoded
}
