package trf

import (
	"fmt"
	"strings"

	"boardd/rules/event/standings"
)

var codeOf = map[standings.Outcome]string{
	standings.Win: "1", standings.Draw: "=", standings.Loss: "0", standings.ForfeitWin: "+", standings.ForfeitLoss: "-",
	standings.HalfBye: "H", standings.FullBye: "U", standings.ZeroBye: "Z", standings.Absent: " ",
}

// Write gives the file as pairing programs (bbpPairings, JaVaFo) take it: headers, the
// number of rounds, and a 001 line for each player, with points and no rank.
func (f *File) Write() []byte {
	var b strings.Builder
	header := func(code, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s %s\n", code, value)
		}
	}
	header("012", f.Name)
	header("022", f.City)
	header("032", f.Federation)
	header("092", f.Type)
	header("102", f.ChiefArbiter)
	if f.Control != nil {
		header("222", f.Control.Canonical())
	} else {
		header("122", f.TimeControl)
	}
	if f.Rounds > 0 {
		fmt.Fprintf(&b, "XXR %d\n", f.Rounds)
	}
	for _, p := range f.Players {
		points := standings.Value(0)
		for _, r := range p.Rounds {
			points += r.Outcome.Points()
		}
		rating := ""
		if p.Rating > 0 {
			rating = fmt.Sprint(p.Rating)
		}
		line := fmt.Sprintf("001 %4d %1s%3s %-33s %4s %3s %11s %10s %4.1f %4s", p.Number, p.Sex, p.Title, clip(p.Name, 33), rating, p.Federation,
			p.FIDEID, "", float64(points)/float64(standings.Point), "")
		for _, r := range p.Rounds {
			opponent, colour := fmt.Sprintf("%4d", r.Opponent), "w"
			switch {
			case r.Opponent == 0:
				opponent, colour = "0000", "-"
			case r.Black:
				colour = "b"
			}
			line += fmt.Sprintf("  %s %s %s", opponent, colour, codeOf[r.Outcome])
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return []byte(b.String())
}

// clip cuts a text to so many characters.
func clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}
