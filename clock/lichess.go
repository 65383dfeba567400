package clock

import "time"

// Lichess writes the control for lichess: as the tag TimeControl of a broadcast
// game and as the free text info.tc of a tournament. (Its fideTC is
// [Control.Class].)
//
// Lichess reads "90 min + 30 sec" by dropping the words, and takes a number up
// to 180 for minutes and a greater one for seconds (fact sheet 3.2). So a base
// above 180 minutes, or one that is not whole minutes, is written in seconds.
// Everything that lichess has no notion of is written in words that it shows and
// does not read: several periods, delays, extra time from a later move, sides
// that differ, draw odds, a base that is neither whole minutes nor more than 180
// seconds. Where the tag Site names lichess.org, chess.com or tcec lichess takes
// all numbers for seconds; use [Control.PGN] there.
//
// The text is empty, and no tag should be written, for an unknown control and
// for what the words cannot say either (see [Control.LiveChess]).
// [Parse] reads every other text back as the same control.
func (c Control) Lichess() string {
	return c.prose(units{minute: " min", second: " sec", plus: " + ", base: lichessBase})
}

func lichessBase(d time.Duration) string {
	switch m := d / time.Minute; {
	case d%time.Minute == 0 && m <= mostMinutes:
		return seconds(d/60) + " min"
	case d > mostMinutes*time.Second:
		return seconds(d) + " sec"
	}
	return face(d)
}
