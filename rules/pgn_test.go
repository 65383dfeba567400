package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPGNRoundTripFeed: whatever a real feed says, our export form says the same again.
func TestPGNRoundTripFeed(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedPath(t, "games"), "*.pgn"))
	games, plies, clocks, faults := 0, 0, 0, 0
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for g, err := range ScanPGN(f, filepath.Base(file)) {
			if err != nil {
				faults++
				t.Log(err)
			}
			games++
			plies += g.Len()
			for _, p := range g.Plies() {
				if p.HasClock {
					clocks++
				}
			}
			first := AppendPGN(nil, g)
			again, err := NewPGNReader(bytes.NewReader(first), "again").Next()
			if err != nil {
				t.Fatalf("%v in\n%s", err, first)
			}
			if second := AppendPGN(nil, again); !bytes.Equal(first, second) {
				t.Fatalf("written\n%s\nread and written again\n%s", first, second)
			}
		}
	}
	t.Logf("%d games, %d plies, %d clocks, %d faults", games, plies, clocks, faults)
}
