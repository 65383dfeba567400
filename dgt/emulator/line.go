package emulator

import (
	"math/rand/v2"
	"time"
)

// byteTime is one byte at 9600 baud with start and stop bit.
const byteTime = time.Second * 10 / 9600

// line is the serial line towards the host: bytes leave one after the other at
// 9600 baud.
type line struct {
	rng     *rand.Rand
	faults  Faults
	waiting []byte
	sent    int // of waiting
	runs    []run
	free    time.Duration // when the last byte will have left
}

// run is a row of bytes that leave without a pause.
type run struct {
	start time.Duration
	bytes int
}

// push queues a message that is ready at the given time.
func (l *line) push(at time.Duration, message []byte) {
	start, before := max(at, l.free), len(l.waiting)
	for _, c := range message {
		if l.faults.LoseByte == 0 || l.rng.Float64() >= l.faults.LoseByte {
			l.waiting = append(l.waiting, c)
		}
		if l.faults.Noise > 0 && l.rng.Float64() < l.faults.Noise {
			l.waiting = append(l.waiting, byte(l.rng.Uint32()))
		}
	}
	n := len(l.waiting) - before
	l.free = start + time.Duration(n)*byteTime
	if n > 0 {
		l.runs = append(l.runs, run{start, n})
	}
}

// take appends what has left by now to dst.
func (l *line) take(now time.Duration, dst []byte) []byte {
	first := l.sent
	for len(l.runs) > 0 {
		r := &l.runs[0]
		n := min(r.bytes, int((now-r.start)/byteTime))
		if n <= 0 {
			break
		}
		l.sent += n
		if r.bytes -= n; r.bytes > 0 {
			r.start += time.Duration(n) * byteTime
			break
		}
		l.runs = l.runs[1:]
	}
	dst = append(dst, l.waiting[first:l.sent]...)
	if l.sent == len(l.waiting) {
		l.waiting, l.sent, l.runs = l.waiting[:0], 0, nil
	}
	return dst
}

// clear throws away what has not left yet.
func (l *line) clear() {
	l.waiting, l.sent, l.runs, l.free = l.waiting[:0], 0, nil, 0
}
