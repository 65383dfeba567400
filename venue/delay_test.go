package venue

import (
	"strings"
	"testing"
	"time"
)

func TestParseDelay(t *testing.T) {
	for _, tt := range []struct {
		text, back string
		want       time.Duration
	}{
		{"15 min", "15 min", 15 * time.Minute},
		{"900 s", "15 min", 15 * time.Minute},
		{"0 s", "0 s", 0},
		{"0min", "0 s", 0},
		{"90s", "1 min 30 s", 90 * time.Second},
		{"1 h 30 min", "1 h 30 min", 90 * time.Minute},
		{"1h 5s", "1 h 5 s", time.Hour + 5*time.Second},
		{"24 h", "24 h", 24 * time.Hour},
	} {
		got, err := ParseDelay(tt.text)
		if err != nil || got != tt.want || DelayText(got) != tt.back {
			t.Errorf("%q: %v, %q, error %v; expected %v, %q", tt.text, got, DelayText(got), err, tt.want, tt.back)
		}
	}
	for _, text := range []string{"", " ", "15", "15 m", "min", "-1 s", "1.5 min", "15 min ", "15  min", "24 h 1 s", "999999 h", "1 s 1 min", "1 min 2 min", "15 minutes", "1 h, 2 s"} {
		if got, err := ParseDelay(text); err == nil || !strings.Contains(err.Error(), "15 min") {
			t.Errorf("%q: expected an error with an example, got %v, %v", text, got, err)
		}
	}
}

func FuzzParseDelay(f *testing.F) {
	for _, text := range []string{"15 min", "1 h 2 min 3 s", "0 s", "24h", "99999999 s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDelay(text)
		if err != nil {
			return
		}
		if back, err := ParseDelay(DelayText(d)); err != nil || back != d || d < 0 || d > MaxDelay {
			t.Errorf("%q: %v, which is %q, which is %v (error %v)", text, d, DelayText(d), back, err)
		}
	})
}
