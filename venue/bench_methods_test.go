package venue_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/dgt/tape"
	"boardd/rules"
	"boardd/venue"
)

// session is a simulated session read into memory.
type session struct {
	truth truth
	tape  *tape.Tape
}

// sessions are up to n sessions of a profile.
func sessions(tb testing.TB, profile string, n int) (list []session) {
	tb.Helper()
	dir := filepath.Join(sharedFolder(tb), "tapes", profile)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no tapes: %v", err)
	}
	for _, g := range readTruth(tb, dir) {
		if len(list) == n {
			break
		}
		list = append(list, session{g, readTape(tb, filepath.Join(dir, g.File))})
	}
	return list
}

func readTape(tb testing.TB, name string) *tape.Tape {
	tb.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	tp, err := tape.Read(bytes.NewReader(text), name)
	if err != nil {
		tb.Fatal(err)
	}
	return tp
}

// methodProfiles are compared in the table; BOARDD_QUALITY=full compares all.
var methodProfiles = []string{"clean", "careful", "rapid", "blitz", "scramble", "children", "outage", "faulty"}

// BenchmarkMethods follows the same sessions in the ways of other programs
// (A: what equals a legal child is final; B: after 0.25 s or 0.6 s of quiet, with
// takeback; C: tentative until 1 s or a press, two plies deep), told when the
// game is over, and in ours, untold. It prints how many games of 100 came out exact.
func BenchmarkMethods(b *testing.B) {
	profiles, n := methodProfiles, 8
	if os.Getenv("BOARDD_QUALITY") == "full" {
		profiles, n = nil, 1000
		for p := range bars {
			profiles = append(profiles, p)
		}
		slices.Sort(profiles)
	}
	played := map[string][]session{}
	for _, p := range profiles {
		played[p] = sessions(b, p, n)
	}
	type row struct {
		name  string
		exact []string
	}
	var table []row
	run := func(name string, game func(s *session) (uci []string, events int, err error)) {
		b.Run(name, func(b *testing.B) {
			var r row
			events := 0
			for b.Loop() {
				r = row{name: name}
				for _, p := range profiles {
					exact := 0
					for i := range played[p] {
						s := &played[p][i]
						uci, n, err := game(s)
						if err != nil {
							b.Fatalf("%s/%s: %v", p, s.truth.File, err)
						}
						events += n
						if s.truth.Segment2 != nil {
							uci = uci[:min(len(uci), len(s.truth.UCI))]
						}
						count(&exact, slices.Equal(uci, s.truth.UCI))
					}
					r.exact = append(r.exact, fmt.Sprintf("%.0f", share(exact, len(played[p]))))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(max(1, events)), "us/event")
			b.ReportMetric(0, "ns/op")
			if i := slices.IndexFunc(table, func(r row) bool { return r.name == name }); i >= 0 {
				table[i] = r
			} else {
				table = append(table, r)
			}
		})
	}
	told := func(make func(start rules.Position) method) func(*session) ([]string, int, error) {
		return func(s *session) ([]string, int, error) {
			return driveMethod(make, s.tape, time.Duration(s.truth.Settled)*time.Millisecond)
		}
	}
	run("A", told(func(p rules.Position) method { return &methodA{newLine(p)} }))
	run("B0.25", told(func(p rules.Position) method { return &methodB{line: newLine(p), quiet: 250 * time.Millisecond} }))
	run("B0.6", told(func(p rules.Position) method { return &methodB{line: newLine(p), quiet: 600 * time.Millisecond} }))
	run("C", told(func(p rules.Position) method { return &methodC{line: newLine(p)} }))
	run("boardd", func(s *session) (uci []string, events int, err error) {
		p, err := venue.NewPlayback(s.tape.Header, venue.TableOptions{Number: 1})
		if err != nil {
			return nil, 0, err
		}
		for _, e := range s.tape.Events {
			if err := p.Play(e); err != nil {
				return nil, 0, err
			}
			count(&events, e.Kind == tape.Received)
			p.Table.Take()
		}
		p.End()
		g := p.Table.Game()
		for i, ply := range g.Plies() {
			uci = append(uci, g.PositionAt(i).UCI(ply.Move))
		}
		return uci, events, nil
	})
	var out strings.Builder
	fmt.Fprintf(&out, "games exact, %%\n%-8s", "")
	for _, p := range profiles {
		fmt.Fprintf(&out, " %10s", p)
	}
	for _, r := range table {
		fmt.Fprintf(&out, "\n%-8s", r.name)
		for _, e := range r.exact {
			fmt.Fprintf(&out, " %10s", e)
		}
	}
	if len(table) > 0 { // the log of a benchmark that has parts is not shown
		fmt.Println(out.String())
	}
}
