package correspondence

import "fmt"

// Points are hundredths of a point, so that weights such as 2.2 and their halves
// are exact.
type Points int

// String is as people write it: 46.2, 4.5, 3.
func (p Points) String() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	switch {
	case p%100 == 0:
		return fmt.Sprintf("%s%d", sign, p/100)
	case p%10 == 0:
		return fmt.Sprintf("%s%d.%d", sign, p/100, p%100/10)
	}
	return fmt.Sprintf("%s%d.%02d", sign, p/100, p%100)
}

// Score counts the games of one player in one section. A win by forfeit is a win.
type Score struct{ Wins, Draws int }

// Raw is one point for a win and half a point for a draw.
func (s Score) Raw() Points { return s.Weighted(100) }

// Weighted gives the weight for a win and half of it for a draw.
func (s Score) Weighted(win Points) Points {
	return Points(s.Wins)*win + Points(s.Draws)*win/2
}

// Advances tells whether a player goes on to the next stage from his section.
func (s Score) Advances(at Points) bool { return s.Raw() >= at }

// Sections puts n players, who are numbered in the order of their entries, into
// sections of a size. The last section is the one that may be incomplete.
func Sections(n, size int) ([][]int, error) {
	if size < 2 || n < 2 {
		return nil, fmt.Errorf("expected at least 2 players in sections of at least 2, got %d in sections of %d", n, size)
	}
	var sections [][]int
	for i := range n {
		if i%size == 0 {
			sections = append(sections, nil)
		}
		last := &sections[len(sections)-1]
		*last = append(*last, i+1)
	}
	return sections, nil
}
