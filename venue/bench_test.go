//go:build unix

package venue_test

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"boardd/dgt/tape"
	"boardd/venue"
)

// beat is how often a live table lets time pass, and a replay too.
const beat = 100 * time.Millisecond

// seat is a table in the middle of a session.
type seat struct {
	tape *tape.Tape
	play *venue.Playback
	next int // event
	now  time.Duration
}

func sit(tb testing.TB, tp *tape.Tape) *seat {
	tb.Helper()
	p, err := venue.NewPlayback(tp.Header, venue.TableOptions{Number: 1})
	if err != nil {
		tb.Fatal(err)
	}
	return &seat{tape: tp, play: p}
}

// beats lets the time pass up to at.
func (s *seat) beats(at time.Duration) {
	for t := s.now.Truncate(beat) + beat; t < at; t += beat {
		s.play.Table.Advance(t)
	}
	s.now = max(s.now, at)
}

// take gives the table its next event, without the time before it.
func (s *seat) take(tb testing.TB) {
	e := s.tape.Events[s.next]
	s.next++
	if e.Kind == tape.Received {
		s.play.Table.Received(e.At, e.Data)
	} else if err := s.play.Play(e); err != nil {
		tb.Fatal(err)
	}
	s.play.Table.Take()
}

// until plays what comes before at.
func (s *seat) until(tb testing.TB, at time.Duration) (events int) {
	for s.next < len(s.tape.Events) && s.tape.Events[s.next].At < at {
		s.beats(s.tape.Events[s.next].At)
		s.take(tb)
		events++
	}
	s.beats(at)
	return events
}

// BenchmarkEvent is the cost of what comes from a board, one read after another,
// by profile, and of the beats of time between them.
func BenchmarkEvent(b *testing.B) {
	for _, profile := range []string{"careful", "blitz", "scramble", "outage", "deadsquare", "noclock"} {
		b.Run(profile, func(b *testing.B) {
			list := sessions(b, profile, 6)
			var cost []float64 // us
			var beats, total time.Duration
			for b.Loop() {
				for i := range list {
					s := sit(b, list[i].tape)
					for s.next < len(s.tape.Events) {
						e := &s.tape.Events[s.next]
						begin := time.Now()
						s.beats(min(e.At, s.now+2*time.Minute))
						s.now = e.At
						came := time.Now()
						s.take(b)
						done := time.Now()
						beats += came.Sub(begin)
						total += done.Sub(begin)
						if e.Kind == tape.Received {
							cost = append(cost, float64(done.Sub(came).Nanoseconds())/1000)
						}
					}
				}
			}
			sum := 0.0
			for _, c := range cost {
				sum += c
			}
			n := float64(len(cost))
			b.ReportMetric(median(cost), "us-median")
			b.ReportMetric(sum/n, "us-mean")
			b.ReportMetric(quantile(cost, .99), "us-p99")
			b.ReportMetric(slices.Max(cost), "us-max")
			b.ReportMetric(float64(beats.Microseconds())/n, "us-beats/event")
			b.ReportMetric(float64(total.Microseconds())/n, "us-all/event")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const hallBoards = 500

// BenchmarkHall plays one minute of blitz on 500 boards at once, each a minute
// into its game, in the order of time. "core-%" is the share of one core it takes
// live, garbage collection included; "KB/board" is what a board keeps in memory by then.
func BenchmarkHall(b *testing.B) {
	list := sessions(b, "blitz", 24)
	var cpu time.Duration
	var memory float64
	events := 0
	for b.Loop() {
		b.StopTimer()
		before := heap()
		hall := make([]*seat, hallBoards)
		for i := range hall {
			hall[i] = sit(b, list[i%len(list)].tape)
			hall[i].until(b, time.Minute)
		}
		start := cpuTime(b)
		b.StartTimer()
		events = 0
		for at := time.Minute + beat; at <= 2*time.Minute; at += beat {
			for _, s := range hall {
				events += s.until(b, at)
			}
		}
		b.StopTimer()
		cpu += cpuTime(b) - start
		memory = (heap() - before) / hallBoards / 1024
		runtime.KeepAlive(hall)
		b.StartTimer()
	}
	b.ReportMetric(100*cpu.Seconds()/float64(b.N)/60, "core-%")
	b.ReportMetric(memory, "KB/board")
	b.ReportMetric(float64(events)/60, "events/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMemory is what a board keeps in memory at the end of a long game, of
// which issue 3 allows 2 MB.
func BenchmarkMemory(b *testing.B) {
	for _, profile := range []string{"careful", "scramble", "deadoutage"} {
		b.Run(profile, func(b *testing.B) {
			list := sessions(b, profile, 12)
			var memory float64
			for b.Loop() {
				before := heap()
				hall := make([]*seat, len(list))
				for i := range list {
					hall[i] = sit(b, list[i].tape)
					for n := len(list[i].tape.Events); hall[i].next < n; {
						e := &list[i].tape.Events[hall[i].next]
						hall[i].beats(min(e.At, hall[i].now+2*time.Minute))
						hall[i].now = e.At
						hall[i].take(b)
					}
				}
				memory = (heap() - before) / float64(len(list)) / 1024
				runtime.KeepAlive(hall)
			}
			b.ReportMetric(memory, "KB/board")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// heap is what is reachable, in bytes.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// cpuTime is what the process has used so far on all cores.
func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
