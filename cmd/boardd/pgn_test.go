package main

import (
	"testing"
	"time"

	"boardd/venue"
)

func TestPGNEvent(t *testing.T) {
	today := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ name, stage, round, id string }{
		{"The Open", "", "3", "the-open"},
		{"The Open", "play-off", "1", "the-open-play-off"},
		{"The Open", "", "", "the-open-2026-12-01"},
		{"", "", "", "2026-12-01"},
		{"", "", "2", "event"},
	} {
		config := venue.DefaultConfig()
		config.Event.Name, config.Event.Stage, config.Event.Round = c.name, c.stage, c.round
		config.Event.TimeControl = "3+2"
		config.Tables = []venue.TableConfig{{Number: 4, Board: "48096"}}
		e := pgnEvent(config, today)
		if e.ID != c.id || e.TimeControl.PGN() != "180+2" || e.Serials[4] != "48096" || e.Round != c.round || e.Layout != "both" || e.Spelling != "pgn" {
			t.Errorf("%+v: got %+v", c, e)
		}
	}
}
