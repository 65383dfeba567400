package venue

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// MaxDelay is the longest delay of the public view.
const MaxDelay = 24 * time.Hour

const delayExpected = `a time from "0 s" to "24 h", as in "15 min", "900 s" or "1 h 30 min"`

var delayPart = regexp.MustCompile(`^([0-9]{1,6}) ?(h|min|s)( |$)`)

// ParseDelay reads a time as people write it: hours, minutes and seconds, each at most once, in that order.
func ParseDelay(text string) (time.Duration, error) {
	rest, total, above := text, time.Duration(0), 25*time.Hour
	for rest != "" {
		m := delayPart.FindStringSubmatch(rest)
		if m == nil {
			return 0, fmt.Errorf("expected %s, got %q", delayExpected, text)
		}
		unit := map[string]time.Duration{"h": time.Hour, "min": time.Minute, "s": time.Second}[m[2]]
		n, _ := strconv.Atoi(m[1]) // at most six digits
		total += time.Duration(n) * unit
		if unit >= above || total > MaxDelay {
			return 0, fmt.Errorf("expected %s, got %q", delayExpected, text)
		}
		rest, above = rest[len(m[0]):], unit
	}
	if text == "" || strings.HasSuffix(text, " ") {
		return 0, fmt.Errorf("expected %s, got %q", delayExpected, text)
	}
	return total, nil
}

func publicDelay(text string) string {
	if _, err := ParseDelay(text); err != nil {
		return delayExpected
	}
	return ""
}

// DelayText is the shortest text that ParseDelay reads as d, which is cut to whole seconds.
func DelayText(d time.Duration) string {
	var parts []string
	for _, u := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}} {
		if n := d / u.length; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			d -= n * u.length
		}
	}
	if len(parts) == 0 {
		return "0 s"
	}
	return strings.Join(parts, " ")
}
