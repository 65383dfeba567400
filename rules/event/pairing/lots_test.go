package pairing

import (
	"slices"
	"strconv"
	"testing"
)

// The lots by hand: printf '27-4-6\nAda Byron' | sha256sum begins with
// bfc7, Boris Gale's with 82e6, Cora Dent's with 42e6.
func TestLotsCanBeRepeatedByHand(t *testing.T) {
	lots, err := DrawLots("27-4-6", []string{"Ada Byron", "Boris Gale", "Cora Dent"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Cora Dent", "Boris Gale", "Ada Byron"}; !slices.Equal(lots.Order, want) || lots.Seed != "27-4-6" {
		t.Errorf("got %v, want %v", lots, want)
	}
	turned, err := DrawLots("27-4-6", []string{"Cora Dent", "Boris Gale", "Ada Byron"})
	if err != nil || !slices.Equal(turned.Order, lots.Order) {
		t.Errorf("the order of the names matters: %v, %v", turned, err)
	}
}

func TestEachComesFirstWithSomeSeed(t *testing.T) {
	first := map[string]int{}
	for seed := range 300 {
		lots, err := DrawLots(strconv.Itoa(seed), []string{"Ada", "Boris", "Cora"})
		if err != nil {
			t.Fatal(err)
		}
		first[lots.Order[0]]++
	}
	for _, name := range []string{"Ada", "Boris", "Cora"} {
		if n := first[name]; n < 70 || n > 130 {
			t.Errorf("%s is first %d times of 300", name, first[name])
		}
	}
}

func TestLotsRefused(t *testing.T) {
	for _, tt := range []struct {
		seed  string
		names []string
		want  string
	}{
		{" ", []string{"a", "b"}, "expected a seed for the lots, got none"},
		{"1", []string{"a"}, "expected at least two names to draw lots between, got 1"},
		{"1", []string{"a", "b", "a"}, `expected each name once, got "a" twice`},
	} {
		if _, err := DrawLots(tt.seed, tt.names); err == nil || err.Error() != tt.want {
			t.Errorf("%q %q: error %v, want %s", tt.seed, tt.names, err, tt.want)
		}
	}
}
