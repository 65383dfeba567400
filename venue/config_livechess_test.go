package venue

import "testing"

// What leaves this machine is what spectators may see, unless the operator says otherwise.
func TestWhoReachesTheLiveChessAPISeesThePublicView(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		listen string
		public *bool
		want   bool
	}{
		{"localhost:1982", nil, false}, {"127.0.0.1:1982", nil, false}, {"127.9.9.9:1982", nil, false}, {"[::1]:1982", nil, false},
		{":1982", nil, true}, {"0.0.0.0:1982", nil, true}, {"192.0.2.1:1982", nil, true}, {"[::]:1982", nil, true}, {"pi.local:1982", nil, true},
		{"localhost.example:1982", nil, true}, {"localhost:1982", &yes, true}, {":1982", &no, false},
	} {
		if got := (LiveChessConfig{tt.listen, tt.public}).ShowsPublic(); got != tt.want {
			t.Errorf("%s, said %v: public %v, want %v", tt.listen, tt.public, got, tt.want)
		}
	}
}
