package tomlfile

import (
	"errors"
	"fmt"
	"strings"

	"boardd/clock"
)

// TimeControl allows a time control as people write it, with one meaning, and
// the empty text.
func TimeControl(text string) string {
	if expected := ShortLine(text); expected != "" || text == "" {
		return expected
	}
	_, err := clock.Parse(text, clock.People)
	var open *clock.Error
	switch {
	case errors.As(err, &open) && len(open.Readings) > 0:
		return fmt.Sprintf("a time control with one meaning, such as %s (%s)", strings.Join(open.Readings, " or "), open.Reason)
	case errors.As(err, &open):
		return fmt.Sprintf("a time control as in 90+30 or G/120;+30 (%s)", open.Reason)
	case err != nil:
		return "a time control as in 90+30 or G/120;+30 (" + err.Error() + ")"
	}
	return ""
}
