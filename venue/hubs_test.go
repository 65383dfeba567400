package venue

import (
	"slices"
	"testing"
	"time"
)

func TestBoardsLostTogetherPointAtTheirHub(t *testing.T) {
	steps := []struct {
		ms         int
		hub, board string
		want       []string
	}{
		{0, "1-1", "00001", nil},
		{500, "1-2", "00002", nil}, // another hub
		{900, "1-1", "00003", []string{"00001", "00003"}},
		{1500, "1-1", "00004", []string{"00003", "00004"}}, // the first was long ago
		{4000, "1-1", "00001", nil},
		{4100, "1-1", "00001", nil}, // one board that comes and goes is no hub
		{4200, "", "00005", nil},    // not on USB
		{4300, "", "00006", nil},
	}
	var h hubs
	for _, s := range steps {
		if got := h.gone(time.Duration(s.ms)*time.Millisecond, s.hub, s.board); !slices.Equal(got, s.want) {
			t.Errorf("at %d ms: %v, want %v", s.ms, got, s.want)
		}
	}
	if got, want := hubLost("1-1", []string{"00001", "00003"}), "USB hub 1-1: boards 00001, 00003 were lost within a second"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
