package main

import (
	"fmt"
	"io"
	"strings"

	"boardd/clock"
)

func clockText(w io.Writer, parsed clock.Parsed) error {
	c := parsed.Control
	var b strings.Builder
	line := func(name, text string) { fmt.Fprintf(&b, "%-10s %s\n", name, text) }
	line("canonical", c.Canonical())
	line("pgn", c.PGN())
	line("lichess", orNot(c.Lichess()))
	line("livechess", orNot(c.LiveChess()))
	if c.Form == clock.Timed {
		white, black := c.Start()
		line("start", ofSides(display(white), display(black)))
	}
	if class := c.Class(); class != clock.NoClass {
		line("class", string(class))
	}
	if c.Odds != clock.NoOdds {
		line("draw", c.Odds.String()+" wins")
	}
	if parsed.Ambiguous {
		line("ambiguous", "read as the first of: "+strings.Join(parsed.Readings, "; "))
	}
	if c.Form == clock.Timed {
		remote := "yes: option 23 on a DGT XL, 25 on a DGT 3000; boardd sets the clock and runs it"
		if err := c.Remote(); err != nil {
			remote = "no: " + err.Error()
		}
		b.WriteByte('\n')
		line("remote", remote)
		b.WriteString("\nby hand\n")
		for _, m := range clock.Models {
			byHandText(&b, c.ByHand(m))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func orNot(text string) string {
	if text == "" {
		return "cannot be said"
	}
	return text
}

// ofSides says once what is the same for both.
func ofSides(white, black string) string {
	if white == black {
		return white
	}
	return "White " + white + ", Black " + black
}

// byHandText is one model: what to choose, then what to enter, then what to know.
func byHandText(b *strings.Builder, s clock.Setting) {
	first := ""
	switch {
	case s.Preset:
		first = "option " + s.Option
	case s.Option != "":
		first = "option " + s.Option + ", enter"
	case len(s.Enter) > 0:
		first = "a manual option, enter"
	}
	name := s.Model.String()
	put := func(text string) {
		fmt.Fprintf(b, "  %-9s %s\n", name, text)
		name = ""
	}
	if first != "" {
		put(first)
	}
	for _, e := range s.Enter {
		put("  " + e)
	}
	if s.White != "" {
		put("shows " + ofSides(s.White, s.Black))
	}
	for _, n := range s.Notes {
		put("* " + n)
	}
}
