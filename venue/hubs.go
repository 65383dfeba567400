package venue

import (
	"slices"
	"strings"
	"time"
)

// togetherWithin is how close the losses of boards on one USB hub must be for the
// hub to be suspected (dgt-protocol, section 8.6).
const togetherWithin = time.Second

// hubs notices when boards are lost together because the hub they share was. The
// zero value is ready. Not safe for concurrent use.
type hubs struct {
	lost map[string][]loss // by hub, as sysfs names it
}

type loss struct {
	at    time.Duration
	board string
}

// gone notes that a board on a hub was lost. When others on it were lost with it, it
// gives all of them, once for each that joins.
func (h *hubs) gone(at time.Duration, hub, board string) (together []string) {
	if hub == "" {
		return nil
	}
	if h.lost == nil {
		h.lost = map[string][]loss{}
	}
	losses := slices.DeleteFunc(h.lost[hub], func(l loss) bool { return l.at < at-togetherWithin || l.board == board })
	losses = append(losses, loss{at, board})
	h.lost[hub] = losses
	if len(losses) < 2 {
		return nil
	}
	for _, l := range losses {
		together = append(together, l.board)
	}
	slices.Sort(together)
	return together
}

// hubLost is the alert's detail.
func hubLost(hub string, boards []string) string {
	return "USB hub " + hub + ": boards " + strings.Join(boards, ", ") + " were lost within a second"
}
