package main

import (
	"context"
	"path/filepath"
	"time"

	"boardd/broadcast"
	"boardd/broadcast/pgn"
	"boardd/clock"
	"boardd/venue"
)

// newPublisher makes the games into files: over HTTP below /pgn/, and in a folder where the configuration wants it.
// Both show what the public view shows.
func newPublisher(p *process, config venue.Config, hub *broadcast.Hub, today time.Time) *pgn.Publisher {
	e := pgnEvent(config, today)
	var folder *pgn.Folder
	if config.PGN.Folder != "" {
		folder = pgn.NewFolder(filepath.Join(config.PGN.Folder, e.ID), e.Layout)
		p.log.Info().Str("folder", filepath.Join(config.PGN.Folder, e.ID)).Msg("the games go into this folder")
	}
	publisher := pgn.NewPublisher(e, hub.Public(), folder, p.log)
	hub.Mount("GET /pgn/", publisher.Handler("/pgn/"))
	return publisher
}

// pgnEvent is what the configuration says of the event.
func pgnEvent(config venue.Config, today time.Time) pgn.Event {
	name := config.Event.Name
	if config.Event.Stage != "" { // each stage counts its rounds from 1
		name += " " + config.Event.Stage
	}
	if config.Event.Round == "" { // what is played today is no part of what was played before
		name += " " + today.Format(time.DateOnly)
	}
	e := pgn.Event{
		ID: pgn.EventID(name), Name: config.Event.Name, Site: config.Event.Site, Round: config.Event.Round,
		TimeControl: config.Event.Control, Serials: map[int]string{},
		Spelling: pgn.Spelling(config.PGN.TimeControl), Layout: pgn.Layout(config.PGN.Layout),
	}
	if text := config.Event.TimeControl; text != "" {
		if parsed, err := clock.Parse(text, clock.People); err == nil { // the configuration was checked
			e.TimeControl = &parsed.Control
		}
	}
	for _, t := range config.Tables {
		e.Serials[t.Number] = t.Board
	}
	return e
}

// besidePublisher has the games made into files while something else runs, and what it told last too.
func besidePublisher(publisher *pgn.Publisher, run service) service {
	return func(ctx context.Context) error {
		publishing, stop := context.WithCancel(context.WithoutCancel(ctx))
		done := make(chan struct{})
		go func() {
			defer close(done)
			publisher.Run(publishing)
		}()
		err := run(ctx)
		stop()
		<-done
		return err
	}
}
