package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"boardd/clock"
)

// clockReport is the JSON of a time control; scripts read it.
type clockReport struct {
	OK        bool         `json:"ok"`
	Canonical string       `json:"canonical"`
	PGN       string       `json:"pgn"`
	White     []periodJSON `json:"white"`
	Black     []periodJSON `json:"black"`
	Start     startsJSON   `json:"start_s"`
	Class     clock.Class  `json:"class"`
	Odds      string       `json:"draw_odds"` // who wins a drawn game: "white", "black" or ""
	Ambiguous bool         `json:"ambiguous"`
	Readings  []string     `json:"readings"`
	Lichess   string       `json:"lichess"`   // empty if it cannot be said there
	LiveChess string       `json:"livechess"` // likewise
	Remote    remoteJSON   `json:"remote"`    // whether boardd can run it on a clock in remote mode
	ByHand    []byHandJSON `json:"by_hand"`   // empty if there is no time to set
}

type remoteJSON struct {
	OK  bool   `json:"ok"`
	Why string `json:"why"` // why not
}

func remoteOf(c clock.Control) remoteJSON {
	if err := c.Remote(); err != nil {
		return remoteJSON{Why: err.Error()}
	}
	return remoteJSON{OK: true}
}

type byHandJSON struct {
	Model  string    `json:"model"`
	Option string    `json:"option"` // "12", "26-30", empty if not known
	Preset bool      `json:"preset"` // nothing has to be entered
	Enter  []string  `json:"enter"`  // in order
	Shows  showsJSON `json:"shows"`  // before the start; empty if not known
	Sure   bool      `json:"sure"`   // the note holds no doubt
	Note   string    `json:"note"`
}

type showsJSON struct {
	White string `json:"white"`
	Black string `json:"black"`
}

type periodJSON struct {
	Moves int    `json:"moves"`
	Base  int64  `json:"base_s"`
	Bonus int64  `json:"inc_s"`
	Mode  string `json:"mode"`
}

type startsJSON struct {
	White int64 `json:"white"`
	Black int64 `json:"black"`
}

type clockRefusal struct {
	OK       bool     `json:"ok"`
	Error    string   `json:"error"`
	Readings []string `json:"readings"`
}

// errNotATimeControl is the failure of a command that has said why on stdout.
var errNotATimeControl = errors.New("not a time control that can be told")

func clockJSON(w io.Writer, parsed clock.Parsed, err error) error {
	if err != nil {
		refusal := clockRefusal{Error: err.Error(), Readings: []string{}}
		var e *clock.Error
		if errors.As(err, &e) {
			refusal.Error, refusal.Readings = e.Reason, append(refusal.Readings, e.Readings...)
		}
		if err := printJSON(w, refusal); err != nil {
			return err
		}
		return errNotATimeControl
	}
	c := parsed.Control
	white, black := c.Start()
	return printJSON(w, clockReport{
		OK: true, Canonical: c.Canonical(), PGN: c.PGN(),
		White: periodsJSON(c.White), Black: periodsJSON(c.Black),
		Start: startsJSON{wholeSeconds(white), wholeSeconds(black)},
		Class: c.Class(), Odds: c.Odds.String(),
		Ambiguous: parsed.Ambiguous, Readings: append([]string{}, parsed.Readings...),
		Lichess: c.Lichess(), LiveChess: c.LiveChess(), Remote: remoteOf(c), ByHand: byHandsJSON(c),
	})
}

// printJSON leaves the quotes of minutes and seconds readable.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func periodsJSON(periods []clock.Period) []periodJSON {
	list := make([]periodJSON, len(periods))
	for i, p := range periods {
		list[i] = periodJSON{p.Moves, wholeSeconds(p.Base), wholeSeconds(p.Bonus), p.Kind.String()}
	}
	return list
}

func byHandsJSON(c clock.Control) []byHandJSON {
	list := []byHandJSON{}
	if c.Form != clock.Timed {
		return list
	}
	for _, m := range clock.Models {
		s := c.ByHand(m)
		list = append(list, byHandJSON{
			Model: m.String(), Option: s.Option, Preset: s.Preset, Enter: append([]string{}, s.Enter...),
			Shows: showsJSON{s.White, s.Black}, Sure: s.Sure, Note: strings.Join(s.Notes, "; "),
		})
	}
	return list
}
