package broadcast

import "time"

// Past is what was known of the public view when the daemon stopped.
type Past struct {
	// Shown is what spectators have been shown, in order. It is shown again at once.
	Shown []Change
	// Held is what they have not, in order.
	Held []Held
}

// Held is a change that has to wait that much longer.
type Held struct {
	Change Change
	Wait   time.Duration
}

// Release notes for good that spectators are shown everything up to that place in the journal (Change.Kept), and
// calls done from any goroutine, with nil when that is certain. It must not wait.
type Release func(upto uint64, done func(error))

// releaseEvery is the least time between two notes of what was released: each is a write to the disk.
const releaseEvery = 2 * time.Second

// Restore has the public view go on where it was. From then on each change with a place in the journal is shown
// only when release has noted it, so that nothing that was shown is ever taken back by a restart; and changes
// that are told again ([Change.Again]) are not news to it. Call it once at most, before Run. Without a delay the public
// view needs no past, and Restore does nothing.
func (h *Hub) Restore(past Past, release Release) {
	s := h.public
	if s.opts.Delay == 0 {
		return
	}
	s.restored, s.releases.note, s.releases.upto = true, release, 0
	now := s.opts.Now()
	for _, c := range past.Shown {
		if s.sound(&c) {
			s.held.saw(c)
			s.show(c, now)
		}
	}
	for _, w := range past.Held {
		if !s.sound(&w.Change) {
			continue
		}
		if early, ok := s.held.put(now.Add(w.Wait-s.opts.Delay), w.Change); ok {
			s.show(early, now)
		}
	}
	s.flushAll(now)
}

// releases notes what is shown before it is shown.
type releases struct {
	note    Release
	answers chan error
	upto    uint64    // noted
	asked   uint64    // being noted
	waiting bool      // for an answer
	next    time.Time // not before
}

// release shows what is old enough, once it is noted.
func (s *Source) release(now time.Time) {
	r := &s.releases
	if r.waiting {
		return
	}
	n, upto := s.held.ripe(now, r.upto)
	for _, c := range s.held.pop(n) {
		s.show(c, now)
	}
	if upto == 0 || now.Before(r.next) {
		return
	}
	r.waiting, r.asked, r.next = true, upto, now.Add(releaseEvery)
	r.note(upto, func(err error) { r.answers <- err })
}

// released takes the answer to a note.
func (s *Source) released(err error) {
	r := &s.releases
	r.waiting = false
	if err != nil { // tried again
		s.opts.Log.Warn().Err(err).Msg("spectators wait: what they are shown could not be noted")
		return
	}
	r.upto = r.asked
}
