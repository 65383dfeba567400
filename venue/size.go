package venue

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sizeWanted is what a size is to look like.
const sizeWanted = `a size, as in "500 MB" or "2 GB"`

var sizeUnits = map[string]float64{"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}

// ParseSize reads a number of bytes as people write it, "500 MB" or "1.5GB", and "none"
// as 0, no bound.
func ParseSize(text string) (bytes int64, err error) {
	if text == "none" {
		return 0, nil
	}
	digits := strings.TrimRight(text, "kKMGTB")
	unit, known := sizeUnits[text[len(digits):]]
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	switch {
	case !known || err != nil || strings.ContainsAny(digits, "xXeEiInN+-_"):
		return 0, fmt.Errorf("expected %s, got %q", sizeWanted, text)
	case n*unit >= math.MaxInt64/2 || n*unit < 1:
		return 0, errors.New("expected a size from 1 B to 4000000 TB")
	}
	return int64(n * unit), nil
}

// tapesMin is the least bound on tapes: a round of a hall takes some megabytes.
const tapesMin = 10e6

func tapesMax(text string) string {
	if n, err := ParseSize(text); err != nil || n > 0 && n < tapesMin {
		return sizeWanted + `, at least 10 MB, or "none"`
	}
	return ""
}

// FormatSize writes a number of bytes for people.
func FormatSize(n int64) string {
	switch f := float64(n); {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", f/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", f/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", f/1e3)
	}
	return fmt.Sprintf("%d B", n)
}
