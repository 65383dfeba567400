package pgn

import (
	"cmp"
	"strconv"
	"strings"

	"boardd/broadcast/lcc"
	"boardd/clock"
	"boardd/rules"
)

// tagged is the game with the tags of the files (livechess-and-broadcast D).
func (g *game) tagged(e *Event) *rules.Game {
	r := g.record.Clone()
	tags := &r.Tags
	for _, name := range []string{"White", "Black"} {
		if value := tags.Get(name); value == "" || value == "?" {
			// Lichess does not show a game with a side without a name (C.4).
			tags.Set(name, noName(g.number, name))
		}
	}
	setUnless(tags, "Event", e.Name)
	setUnless(tags, "Site", e.Site)
	tags.Set("Round", g.round.Tag(g.number))
	tags.Set("Board", strconv.Itoa(g.number))
	setUnless(tags, "GameId", g.id(e))
	if text := e.spell(tags.Get("TimeControl")); text != "" {
		tags.Set("TimeControl", text)
	} else {
		tags.Delete("TimeControl")
	}
	for _, name := range []string{"WhiteClock", "BlackClock", "ReferenceTime"} {
		tags.Delete(name)
	}
	if r.Result == rules.Unfinished {
		g.reading.tag(tags)
	}
	for _, tag := range *tags {
		if !letters(tag.Name) || tag.Value == "" { // a digit or an underscore fails a whole upload (C.5)
			tags.Delete(tag.Name)
		}
	}
	return r
}

// noName stands for the name of a player that nobody said.
func noName(board int, side string) string { return "Board " + strconv.Itoa(board) + " " + side }

func setUnless(tags *rules.Tags, name, value string) {
	if tags.Get(name) == "" && value != "" {
		tags.Set(name, value)
	}
}

func letters(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) < 0
}

// id tells the game from every other, whatever becomes of names and result.
func (g *game) id(e *Event) string {
	return cmp.Or(e.ID, "event") + "-" + strings.ReplaceAll(g.round.Folder(), ".", "-") + "-board-" + strconv.Itoa(g.number)
}

// spell is the tag TimeControl for a board's own, else the event's, in the event's spelling.
func (e *Event) spell(tag string) string {
	if tag == "" || tag == "?" {
		if e.TimeControl == nil {
			return ""
		}
		return e.Spelling.control(*e.TimeControl)
	}
	if parsed, err := clock.Parse(tag, clock.PGN); err == nil && !parsed.Ambiguous {
		return e.Spelling.control(parsed.Control)
	}
	return tag // words of an operator, which we do not understand
}

// text is the game as PGN.
func (g *game) text(e *Event) []byte { return rules.AppendPGN(nil, g.tagged(e)) }

// pairing is the game in index.json.
func (g *game) pairing() lcc.Pairing {
	player := func(side string) *lcc.Player {
		tag := g.record.Tags.Get
		id, _ := strconv.Atoi(tag(side + "FideId")) // 0 when there is none
		return lcc.PlayerNamed(tag(side), tag(side+"Title"), tag(side+"Federation"), id)
	}
	return lcc.Pairing{White: player("White"), Black: player("Black"), Result: string(g.record.Result), Live: g.live()}
}

// json is the game as game-M.json.
func (g *game) json(e *Event) lcc.Game {
	file := lcc.Game{Live: g.live(), SerialNr: e.Serials[g.number]}
	ok := file.SetRecord(g.record)
	if !ok {
		text := "starts from " + g.record.Start().FEN() + ", which this format cannot say; see the PGN"
		file.Comment = &text
	}
	if g.firstMove > 0 {
		file.FirstMove = &g.firstMove
	}
	if file.Live {
		file.Clock = g.reading.lcc()
	}
	return file
}
