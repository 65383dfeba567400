package rules

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func perft(p *Position, depth int) int {
	var l MoveList
	p.LegalMoves(&l)
	if depth == 1 {
		return l.Len()
	}
	n := 0
	for _, m := range l.Moves() {
		next := p.Play(m)
		n += perft(&next, depth-1)
	}
	return n
}

func TestPerft(t *testing.T) {
	data, err := os.ReadFile("testdata/perft.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line[0] == '#' {
			continue
		}
		fields := strings.Split(line, ";")
		p, err := ParseFEN(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range fields[1:] {
			numbers := strings.Fields(field)
			depth, _ := strconv.Atoi(numbers[0])
			want, _ := strconv.Atoi(numbers[1])
			if got := perft(&p, depth); got != want {
				t.Errorf("%s depth %d: %d, want %d", fields[0], depth, got, want)
			}
		}
	}
}
