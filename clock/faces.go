package clock

import (
	"fmt"
	"regexp"
	"strconv"
)

var (
	longFace  = regexp.MustCompile(`\b(\d{1,2}):([0-5]\d):([0-5]\d)\b`)
	shortFace = regexp.MustCompile(`^([wb]?[ :]*)(\d{1,3}):([0-5]\d)\b`)
	nextFace  = regexp.MustCompile(`([ ,;][wb]?[a-z]*[ :=]*)(\d{1,3}):([0-5]\d)\b`)
)

// fewHours is the most that a time of two numbers may be in hours: 7:30 is
// seven minutes and a half, 1:30 may be either.
const fewHours = 4

// clockFaces writes h:mm:ss in minutes, which the words know.
func clockFaces(text string) string {
	return longFace.ReplaceAllStringFunc(text, func(s string) string {
		m := longFace.FindStringSubmatch(s)
		return inMinutes(number(m[1])*3600 + number(m[2])*60 + number(m[3]))
	})
}

// shortFaces does the same with m:ss, and refuses what may be h:mm too.
func shortFaces(text string) (string, error) {
	var open error
	for _, face := range []*regexp.Regexp{shortFace, nextFace} {
		text = face.ReplaceAllStringFunc(text, func(s string) string {
			m := face.FindStringSubmatch(s)
			a, b := number(m[2]), number(m[3])
			if a <= fewHours && open == nil {
				open = &Error{Reason: fmt.Sprintf("%s:%s is open", m[2], m[3]), Readings: []string{
					fmt.Sprintf("%d h %d min", a, b), fmt.Sprintf("%d min %d s", a, b)}}
			}
			return m[1] + inMinutes(a*60+b)
		})
	}
	return text, open
}

func inMinutes(seconds int) string {
	return strconv.FormatFloat(float64(seconds)/60, 'f', 6, 64) + "min"
}
