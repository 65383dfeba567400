package reconstruct

import (
	"math"
	"testing"
)

// Near nothing the table is right to half a thousandth, from a tenth of a
// second on to a few parts in a thousand, and at rest to 0.2 %.
func TestLnDwell(t *testing.T) {
	last := float32(0)
	for d := ms(0); d < 40_000_000; d += 1 + d/1000 {
		got := lnDwell(d)
		if got < last {
			t.Fatalf("lnDwell(%d) = %v is less than the %v before it", d, got, last)
		}
		last = got
		want := math.Log1p(float64(d) / float64(strainUnit))
		err := math.Abs(float64(got) - want)
		if err > 0.0005 && err > 0.002*want {
			t.Errorf("lnDwell(%d) = %v, want %v", d, got, want)
		}
		if d >= strainUnit && err > 0.002*want {
			t.Errorf("lnDwell(%d) = %v is %.2f %% off", d, got, 100*err/want)
		}
	}
	if lnDwell(0) != 0 || lnDwell(-5) != 0 || lnDwell(math.MinInt64/2) != 0 {
		t.Error("no time costs something")
	}
	if year := lnDwell(365 * 24 * 3600 * 1000); math.IsInf(float64(year), 0) || year < last {
		t.Errorf("a year: %v", year)
	}
}

func TestReverse(t *testing.T) {
	if reverse(1) != 1<<63 || reverse(1<<28) != 1<<35 {
		t.Error("square q does not become 63-q")
	}
}
