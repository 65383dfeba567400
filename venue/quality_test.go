package venue_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bar is what a profile's games must reach (issue 3, "It is done when" 1 to 3).
type bar struct {
	wrong   int                     // games that may be wrong
	right   func(f *figures) int    // of which these are right; nil: exact
	of      func(f *figures) int    // of these; nil: all games
	alarms  int                     // false move.illegal there may be; -1: not judged
	revised float64                 // plies in 100 that may be revised; 0: not judged
	quick   bool                    // the latencies are judged
	more    func(f *figures) string // what else is wrong
}

func visible(f *figures) int      { return f.visible }
func visibleExact(f *figures) int { return f.visibleExact }
func upToOrder(f *figures) int    { return f.upToOrder }

var bars = map[string]bar{
	"clean":      {alarms: 0, quick: true},
	"careful":    {alarms: 0, revised: 0.2, quick: true},
	"turned":     {alarms: 0, quick: true},
	"kings":      {alarms: 0, quick: true},
	"noclock":    {alarms: -1},
	"rapid":      {alarms: 0, revised: 0.8, quick: true},
	"faulty":     {alarms: -1},
	"outage_log": {alarms: -1},
	"blitz":      {wrong: 1, alarms: -1, quick: true},
	"noiseline":  {wrong: 1, alarms: -1},
	"weaklong":   {wrong: 1, alarms: -1},
	"deadsquare": {wrong: 1, alarms: -1},
	"illegal":    {wrong: 1, alarms: -1, more: illegalBar},
	"scramble":   {wrong: 1, alarms: -1, right: visibleExact, of: visible},
	"children":   {wrong: 1, alarms: -1, right: visibleExact, of: visible},
	"outage":     {wrong: 3, alarms: -1, right: upToOrder},
	"deadoutage": {wrong: 3, alarms: -1, right: upToOrder},
}

const (
	lastMayBeWrong = 2     // games of any profile
	restMedian     = 700.0 // ms from the man at rest to published
	pressMedian    = 300.0 // ms from the press to published
)

// illegalBar asks for 97 % of completed illegal moves within 2 s of the press,
// and for what followed those that stood.
func illegalBar(f *figures) string {
	if share(f.caught, f.illegal) < 97 || f.followed < f.stood {
		return fmt.Sprintf("illegal moves alerted %d of %d, games after one that stood right %d of %d", f.caught, f.illegal, f.followed, f.stood)
	}
	return ""
}

// sample is how many tapes of each profile short tests play.
const sample = 3

func fullQuality() bool { return !testing.Short() || os.Getenv("BOARDD_QUALITY") == "full" }

// TestQuality plays the simulated sessions and holds the games against the
// truth. All of them are played, in short tests a sample (unless
// BOARDD_QUALITY=full); -v prints the figures.
func TestQuality(t *testing.T) {
	folder := filepath.Join(sharedFolder(t), "tapes")
	profiles, err := filepath.Glob(filepath.Join(folder, "*", "truth.jsonl"))
	if err != nil || len(profiles) == 0 {
		t.Skipf("no tapes in %s", folder)
	}
	for _, name := range profiles {
		dir := filepath.Dir(name)
		profile := filepath.Base(dir)
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			b, ok := bars[profile]
			if !ok {
				t.Skip("no bar for this profile")
			}
			f := &figures{}
			for i, g := range readTruth(t, dir) {
				if i >= sample && !fullQuality() {
					break
				}
				text, err := os.ReadFile(filepath.Join(dir, g.File))
				if err != nil {
					t.Fatal(err)
				}
				f.score(&g, answerOf(playTape(t, g.File, bytes.NewReader(text))))
			}
			t.Log(f)
			for _, fault := range b.judge(f, fullQuality()) {
				t.Error(fault)
			}
		})
	}
}

// judge says which bars are missed. Shares and medians of plies mean little in a sample.
func (b bar) judge(f *figures, full bool) (faults []string) {
	right, of := f.exact, f.games
	if b.right != nil {
		right = b.right(f)
	}
	if b.of != nil {
		of = b.of(f)
	}
	fault := func(format string, a ...any) { faults = append(faults, fmt.Sprintf(format, a...)) }
	if of-right > b.wrong {
		fault("%d games of %d wrong, at most %d may be: %s", of-right, of, b.wrong, strings.Join(f.wrong, " "))
	}
	if f.games-f.last > lastMayBeWrong {
		fault("last position wrong in %d games of %d, in at most %d it may be", f.games-f.last, f.games, lastMayBeWrong)
	}
	if b.alarms >= 0 && f.falseIllegal > b.alarms {
		fault("%d false alerts move.illegal, at most %d may be", f.falseIllegal, b.alarms)
	}
	if r := 100 * float64(f.revised) / float64(max(1, f.plies)); full && b.revised > 0 && r > b.revised {
		fault("%.2f %% of plies revised, at most %.1f may be", r, b.revised)
	}
	if m := median(f.fromRest); full && b.quick && m > restMedian {
		fault("median %.0f ms from rest to published, at most %.0f may be", m, restMedian)
	}
	if m := median(f.fromPress); full && b.quick && m > pressMedian {
		fault("median %.0f ms from press to published, at most %.0f may be", m, pressMedian)
	}
	if b.more != nil {
		if s := b.more(f); s != "" {
			fault("%s", s)
		}
	}
	return faults
}

// String is the row of figures of a profile.
func (f *figures) String() string {
	s := fmt.Sprintf("games %d exact %d visible %d/%d up to order %d last %d; clocks %.1f %%; revised %.2f in 100 plies; false illegal %d mismatch %d; from rest %.0f (p95 %.0f) from press %.0f (p95 %.0f) ms",
		f.games, f.exact, f.visibleExact, f.visible, f.upToOrder, f.last, share(f.clocksRight, f.clocks), 100*float64(f.revised)/float64(max(1, f.plies)),
		f.falseIllegal, f.falseSlip, median(f.fromRest), quantile(f.fromRest, .95), median(f.fromPress), quantile(f.fromPress, .95))
	if f.illegal > 0 {
		s += fmt.Sprintf("; illegal caught %d/%d, followed %d/%d", f.caught, f.illegal, f.followed, f.stood)
	}
	if len(f.wrong) > 0 {
		s += "; not exact: " + strings.Join(f.wrong, " ")
	}
	return s
}
