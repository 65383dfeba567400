package broadcast

// clocks is one reading of a board's two clocks, in ms as of TimeMS (the hub's Unix ms). Who shows it
// later counts the running one down from there.
type clocks struct {
	WhiteMS *int64 `json:"white_ms,omitempty"` // nil when unknown
	BlackMS *int64 `json:"black_ms,omitempty"`
	Running string `json:"running,omitempty"`
	TimeMS  int64  `json:"time_ms,omitempty"`
}

// apply brings the reading up to date with any change.
func (k *clocks) apply(c *Change) {
	switch c.Type {
	case TypeGame:
		*k = clocks{}
	case TypeClock:
		if c.WhiteMS != nil || c.BlackMS != nil {
			*k = clocks{c.WhiteMS, c.BlackMS, c.Running, c.TimeMS}
		}
	case TypeResult:
		if c.Result != "*" && k.Running != "" {
			white, black := k.at(c.TimeMS)
			*k = clocks{white, black, "", c.TimeMS}
		}
	}
}

// at gives both clocks at now (Unix ms): the running one has counted down since TimeMS, not below zero.
func (k *clocks) at(now int64) (white, black *int64) {
	run := func(ms *int64) *int64 {
		if ms == nil {
			return nil
		}
		left := max(0, *ms-max(0, now-k.TimeMS))
		return &left
	}
	white, black = k.WhiteMS, k.BlackMS
	switch k.Running {
	case RunningWhite:
		white = run(white)
	case RunningBlack:
		black = run(black)
	}
	return white, black
}
