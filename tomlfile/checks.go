package tomlfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneOf allows the names only.
func OneOf(names ...string) Check {
	return func(text string) string {
		if slices.Contains(names, text) {
			return ""
		}
		last := len(names) - 1
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
}

// MaxLine is how many characters a name or a time control may have.
const MaxLine = 100

// ShortLine allows one line of at most 100 characters.
func ShortLine(text string) string {
	if utf8.RuneCountInString(text) > MaxLine || HasControl(text) {
		return fmt.Sprintf("one line of at most %d characters", MaxLine)
	}
	return ""
}

// HasControl tells whether a text holds control characters.
func HasControl(text string) bool {
	return strings.ContainsFunc(text, unicode.IsControl)
}
