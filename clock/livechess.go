package clock

import "time"

// LiveChess writes the control as the "timecontrol" of a LiveChess Cloud
// tournament.json. That is free text, or null; the forms follow what organisers
// write there: "25m+10s", "60 mins" (fact sheet 3.3).
//
// The text is empty (write null) for an unknown control, and where the words
// cannot say what is meant: extra time that changes from period to period
// otherwise than by beginning with one of them, several periods of byo-yomi,
// Canadian time, hourglass or counting up, more than one period of which the
// first ends when the time is used up and a bonus begins later.
// [Parse] reads every other text back as the same control.
func (c Control) LiveChess() string {
	return c.prose(units{minute: "m", second: "s", plus: "+", base: liveChessBase})
}

func liveChessBase(d time.Duration) string {
	switch {
	case d%time.Minute == 0:
		return seconds(d/60) + "m"
	case d >= time.Minute:
		return seconds(d) + "s"
	}
	return face(d)
}
