package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"boardd/broadcast"
	"boardd/journal"
	"boardd/journal/archive"
	"boardd/venue"
)

// closePatience is how long the journal may take to write what waits when the daemon
// stops; systemd gives a service 90 s.
const closePatience = 20 * time.Second

// openJournal opens the journal of a data folder and notes the configuration in force,
// if it is another one. publish takes what arbiters have to know of it.
func openJournal(p *process, config venue.Config, file string, publish func(broadcast.Change)) (*journal.Journal, *journal.Recovered, error) {
	if err := os.MkdirAll(config.DataDir, 0o755); err != nil {
		p.log.Error().Err(err).Msg("no folder for the journal; play goes on, and what happens waits in memory")
	}
	j, found, err := journal.Open(filepath.Join(config.DataDir, journal.File), journal.Options{
		Version: version,
		Notify: func(n journal.Notice) {
			p.log.Warn().Str("journal", n.String()).Msg("notice")
			publish(broadcast.Change{Type: broadcast.TypeAlert, Code: "system.journal", Detail: n.String(), Cleared: n.Kind == journal.NoticeRecovered})
		},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("data-dir %s: %w", config.DataDir, err)
	}
	for what, name := range map[string]string{journal.InForceConfig: file, journal.InForceEvent: config.Event.File} {
		if name == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			p.log.Warn().Err(err).Msg("not kept in the journal")
			continue
		}
		f := journal.InForce{What: what, Hash: journal.HashOf(string(text)), Text: string(text)}
		if found.InForce[what].Hash == f.Hash {
			continue
		}
		if err := j.Append(journal.Batch{Facts: []journal.Fact{f}}); err != nil {
			p.log.Warn().Err(err).Str("file", name).Msg("not kept in the journal")
		}
	}
	return j, found, nil
}

// restorePublic has the public view go on where it was when the daemon stopped. When the
// journal does not tell, it begins with what boards tell now: late, but never early.
func restorePublic(p *process, hub *broadcast.Hub, j *journal.Journal, found *journal.Recovered, delay time.Duration, session func() time.Duration) {
	note := func(upto uint64, done func(error)) {
		err := j.Append(journal.Batch{At: session(), Facts: []journal.Fact{journal.Released{Upto: upto}},
			Done: func(_ journal.Receipt, err error) { done(err) }})
		if err != nil {
			done(err)
		}
	}
	log := func(err error) {
		if err != nil {
			p.log.Warn().Err(err).Msg("what spectators have been shown is not in the journal")
		}
	}
	released := min(found.Released, found.LastSeq)
	switch {
	case delay == 0 && found.Released != venue.PastMax:
		note(venue.PastMax, log) // from now on whatever is told is shown
	case delay > 0 && found.Released != released:
		note(released, log) // no longer
	}
	if delay == 0 {
		return
	}
	past, err := venue.Past(context.Background(), j, released, delay)
	if err != nil {
		p.log.Error().Err(err).Msg("the public view begins anew: what it held is not to be read")
		return
	}
	hub.Restore(past, note)
}

// archiveOptions are what spectators may see of the games that are over, in a session that
// begins now or a moment ago.
func archiveOptions(run int, found *journal.Recovered, delay time.Duration, session func() time.Duration) archive.Options {
	return archive.Options{
		Delay: delay, Run: run, Now: session,
		Released: min(found.Released, found.LastSeq), // a run without a delay had shown what was yet to come, too
	}
}

// closeJournal writes what waits.
func closeJournal(p *process, j *journal.Journal) error {
	if n := j.Waiting(); n > 0 {
		p.log.Info().Int("facts", n).Dur("at_most", closePatience).Msg("waits for the disk")
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	if err := j.Close(ctx, "stopped in order"); err != nil {
		return errors.Join(errors.New("what happened last is not in the journal"), err)
	}
	return nil
}
