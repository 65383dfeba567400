package venue

import (
	"net"
	"net/netip"
)

// LiveChessConfig says whether programs that speak to DGT LiveChess find it here.
type LiveChessConfig struct {
	// Listen is the host:port of the API, whose usual port is 1982; empty for none.
	Listen string
	// Public is whether it shows what spectators see and no more, or the boards as they are now; nil when nobody said.
	Public *bool
}

// ShowsPublic is whether the API shows what spectators see and no more. Unless somebody said, it does where others than this
// machine's programs reach it.
func (c LiveChessConfig) ShowsPublic() bool {
	if c.Public != nil {
		return *c.Public
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err == nil && host == "localhost" {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err != nil || !addr.IsLoopback()
}
