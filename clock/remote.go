package clock

import (
	"fmt"
	"time"
)

// maxRemote is the longest time that a clock in remote mode takes (protocol sheet 5.2).
const maxRemote = 9*time.Hour + 59*time.Minute + 59*time.Second

// Remote says whether boardd can run the control on a clock in remote mode, which by
// itself only counts down: nil, or the reason in words.
func (c Control) Remote() error {
	if err := c.Countable(); err != nil {
		return fmt.Errorf("%w", err)
	}
	for _, periods := range [][]Period{c.White, c.Black} {
		for _, p := range periods {
			if p.Base+p.Bonus > maxRemote {
				return fmt.Errorf("expected at most 9:59:59 on a side, got %v", p.Base+p.Bonus)
			}
		}
	}
	return nil
}
