// Package evidence prints what an arbiter needs to rule on a draw claim as one
// sheet: HTML that goes on A4 paper as it stands, without script and without any
// other file. What the evidence is, package rules says; here it is only set.
// The sheet is for arbiters and is never sent to spectators.
package evidence

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"boardd/rules"
)

//go:embed sheet.html
var sheetText string

var sheet = template.Must(template.New("sheet").Funcs(template.FuncMap{
	"diagram":  diagram,
	"clock":    clockText,
	"minutes":  rules.InMinutes,
	"name":     playerName,
	"title":    title,
	"at":       sessionTime,
	"fifty":    func(e rules.Evidence) bool { return e.Claim.Kind == rules.FiftyClaim.String() },
	"classed":  func(c rules.Class) string { return strings.TrimSpace(string(c)) },
	"sideName": sideName,
	"sentence": sentence,
}).Parse(sheetText))

// mostDiagrams is how many boards go on one page beside the score.
const mostDiagrams = 6

// page is the evidence as it is set.
type page struct {
	rules.Evidence
	Shown   []rules.Occurrence // with a diagram
	LeftOut int                // between the first of them and the others
}

// WriteHTML writes the sheet. Errors are those of w.
func WriteHTML(w io.Writer, e rules.Evidence) error {
	p := page{Evidence: e, Shown: e.Occurrences}
	if n := len(e.Occurrences); n > mostDiagrams { // the first and the last ones tell most
		p.LeftOut = n - mostDiagrams
		p.Shown = append(append([]rules.Occurrence{}, e.Occurrences[0]), e.Occurrences[n-mostDiagrams+1:]...)
	}
	if len(e.Occurrences) == 0 {
		p.Shown = []rules.Occurrence{{Ply: e.Claim.Ply, After: e.Claim.After, OnMove: e.OnMove, FEN: e.FEN, Rights: e.Rights, Counts: true}}
	}
	return sheet.Execute(w, p)
}

// diagram draws a position as inline SVG: printers leave backgrounds out, but never shapes.
func diagram(fen string) (template.HTML, error) {
	setup, err := rules.ParseSetup(fen)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="board" viewBox="-20 -2 383 384" role="img" aria-label="%s">`, template.HTMLEscapeString(fen))
	b.WriteString(`<rect x="-1" y="-1" width="362" height="362" fill="#fff" stroke="#000" stroke-width="2"/>`)
	for s := rules.Square(0); s < rules.NoSquare; s++ {
		x, y := 45*s.File(), 45*(7-s.Rank())
		if !s.Light() {
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="45" height="45" fill="#c4c4c4"/>`, x, y)
		}
		if man := setup.Board[s]; man != rules.NoPiece {
			fmt.Fprintf(&b, `<use href="#%s" class="%s" x="%d" y="%d"/>`, man.Role(), man.Color(), x, y)
		}
	}
	for i := range 8 {
		fmt.Fprintf(&b, `<text x="%d" y="377">%c</text><text x="-11" y="%d">%d</text>`, 45*i+22, 'a'+i, 45*(7-i)+28, i+1)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()), nil // built from numbers, names of pieces and an escaped FEN
}

// clockText is a time as clocks show it, a dash when it is not known.
func clockText(d time.Duration, known bool) string {
	if !known {
		return "–"
	}
	s := int64(d / time.Second)
	if d < 0 {
		return fmt.Sprintf("-%d:%02d:%02d", -s/3600, -s/60%60, -s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// sessionTime is a moment as the session counts it.
func sessionTime(d time.Duration) string { return "at " + clockText(d, true) }

// sideName begins a sentence with a colour.
func sideName(side string) string {
	c, err := rules.ParseColor(side)
	if err != nil {
		return side
	}
	return c.Name()
}

// sentence begins with a capital letter.
func sentence(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// playerName is a player, or his colour where nobody knows the name.
func playerName(name, side string) string {
	if name == "" || name == "?" {
		return sideName(side)
	}
	return name
}

// title is the line that names the game.
func title(e rules.Evidence) string {
	var parts []string
	for _, part := range []struct{ word, value string }{
		{"", e.Event}, {"", e.Site}, {"", e.Date}, {"round ", e.Round}, {"board ", e.Board},
	} {
		if part.value != "" && !strings.Contains(part.value, "?") {
			parts = append(parts, part.word+part.value)
		}
	}
	return strings.Join(parts, " · ")
}
