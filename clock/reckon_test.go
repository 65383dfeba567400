package clock_test

import (
	"testing"
	"time"

	"boardd/clock"
)

func TestReckon(t *testing.T) {
	tests := []struct {
		canonical, pgn string
		white, black   string // start displays
		class          clock.Class
	}{
		{"7200+30", "7200+30", "2h0m30s", "2h0m30s", clock.Standard},
		{"5400+30", "5400+30", "1h30m30s", "1h30m30s", clock.Standard},
		{"1500+10", "1500+10", "25m10s", "25m10s", clock.Rapid},
		{"900+10", "900+10", "15m10s", "15m10s", clock.Rapid},
		{"300+2", "300+2", "5m2s", "5m2s", clock.Blitz},
		{"300", "300", "5m0s", "5m0s", clock.Blitz},
		{"600", "600", "10m0s", "10m0s", clock.Blitz},
		{"3600", "3600", "1h0m0s", "1h0m0s", clock.Standard},
		{"W240+10-B300+10", "?", "4m10s", "5m10s", clock.Rapid}, // looks like blitz, is not
		{"W300-B240=B", "?", "5m0s", "4m0s", clock.Blitz},
		{"W450+10-B900+10", "?", "7m40s", "15m10s", clock.Rapid},
		{"40/5400+30:1800+30", "40/5400+30:1800+30", "1h30m30s", "1h30m30s", clock.Standard},
		{"1500+10b", "?", "25m0s", "25m0s", clock.Rapid},
		{"1800+5d", "1800+5d", "30m0s", "30m0s", clock.Rapid},
		{"7200+10@41", "40/7200:0+10", "2h0m0s", "2h0m0s", clock.Standard},
		{"20/300:300+30", "20/300:300+30", "5m0s", "5m0s", clock.Rapid}, // 5 + 5 + 40 x 30 s
		{"*60", "*60", "1m0s", "1m0s", clock.NoClass},
		{"3600+3x60y", "?", "1h0m0s", "1h0m0s", clock.NoClass},
		{"10/30d", "10/2592000", "720h0m0s", "720h0m0s", clock.CorrespondenceClass},
		{"-", "-", "0s", "0s", clock.NoClass},
		{"?", "?", "0s", "0s", clock.NoClass},
	}
	for _, tt := range tests {
		parsed, err := clock.Parse(tt.canonical, clock.Canonical)
		if err != nil {
			t.Errorf("%s: %v", tt.canonical, err)
			continue
		}
		c := parsed.Control
		white, black := c.Start()
		wantWhite, _ := time.ParseDuration(tt.white)
		wantBlack, _ := time.ParseDuration(tt.black)
		if white != wantWhite || black != wantBlack || c.Class() != tt.class || c.PGN() != tt.pgn || c.Canonical() != tt.canonical {
			t.Errorf("%s: canonical %s, PGN %s, start %v and %v, class %q; want %+v", tt.canonical, c, c.PGN(), white, black, c.Class(), tt)
		}
	}
}
