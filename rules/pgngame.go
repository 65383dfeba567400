package rules

import (
	"fmt"
	"strings"
)

const (
	maxTags  = 256
	maxPlies = 1 << 14
)

// pgnGame gathers what the tokens of one game say.
type pgnGame struct {
	name    string
	from    *Position // where the game begins instead of where its tags say
	tags    Tags
	preface string // comment before the first move
	record  *Game  // from the first word of movetext on
	inMoves bool
	result  Result
	notes   pgnNotes
	hung    int       // comments after the last ply
	fault   *PGNError // the first one; afterwards moves and comments are skipped
}

func (g *pgnGame) begun() bool { return len(g.tags) > 0 || g.inMoves || g.fault != nil }

func (g *pgnGame) fail(line int, err error) {
	if g.fault == nil {
		g.fault = &PGNError{Name: g.name, Line: line, Err: err}
	}
}

func (g *pgnGame) readTag(t *pgnText) {
	if len(g.tags) == 0 {
		g.preface = "" // it stood behind the game before
	}
	line := t.line
	name, value, err := t.tag()
	switch {
	case err != nil:
		g.fail(line, err)
	case len(g.tags) >= maxTags:
		g.fail(line, fmt.Errorf("expected at most %d tags, got more", maxTags))
		return
	}
	if name != "" {
		if _, twice := g.tags.lookup(name); twice {
			g.notes.add(line, OddTagTwice)
		}
		g.tags.Set(name, value)
	}
}

// start makes the record when the tags are complete.
func (g *pgnGame) start(line int) {
	if g.record != nil {
		return
	}
	g.inMoves = true
	if g.from != nil {
		g.tags.Delete("FEN")
		g.tags.Delete("SetUp")
		g.record = NewGame(*g.from)
		g.record.Comment = g.preface
		return
	}
	setup, err := ParseSetup(StartFEN)
	if fen := g.tags.Get("FEN"); fen != "" {
		setup, err = ParseSetup(fen)
	}
	if namesChess960(g.tags.Get("Variant")) {
		setup.Chess960 = true
	}
	position := Start()
	if err == nil {
		position, err = setup.Position()
	}
	if err != nil {
		g.fail(line, fmt.Errorf("tag FEN: %w", err))
		position = Start()
	} else {
		g.tags.Delete("FEN")
		g.tags.Delete("SetUp")
		if setup.Chess960 {
			g.tags.Delete("Variant")
		}
	}
	g.record = NewGame(position)
	g.record.Comment = g.preface
}

// namesChess960 tells the words in use for a Variant tag: Chess960, Fischerandom.
func namesChess960(variant string) bool {
	variant = strings.ToLower(variant)
	return strings.Contains(variant, "960") || strings.Contains(variant, "fischer")
}

// word takes a word of movetext; true when it ends the game.
func (g *pgnGame) word(word string, line int) bool {
	g.start(line)
	move := withoutNumber(word)
	for _, text := range []string{word, move} { // "34.1-0"
		if result, odd, ok := readResult(text); ok && text != "" {
			g.result = result
			if odd {
				g.notes.add(line, OddResult)
			}
			return true
		}
	}
	if move == "" || isGlyph(move) || g.fault != nil {
		return false
	}
	if g.record.Len() >= maxPlies {
		g.fail(line, fmt.Errorf("expected at most %d plies, got more", maxPlies))
		return false
	}
	if err := g.record.PushSAN(move); err != nil {
		if word == g.tags.Get("Result") { // "0-0": both have lost
			g.notes.add(line, OddResultText)
			g.result = Unfinished
			return true
		}
		g.fail(line, err)
		g.fault.Ply, g.fault.SAN = g.record.Len()+1, move
		return false
	}
	g.hung = 0
	if bare(move) != bare(g.record.plies[g.record.Len()-1].SAN) {
		g.notes.add(line, OddMove)
	}
	return false
}

// withoutNumber cuts a move number ("12.", "12...", "12") or dots off the front.
func withoutNumber(word string) string {
	rest := strings.TrimLeft(word, "0123456789")
	if rest == "" {
		return ""
	}
	if move := strings.TrimLeft(strings.TrimPrefix(rest, "…"), "."); move != rest {
		return move
	}
	return word
}

// isGlyph tells what stands between moves without being one: "$1", "!?", "±", "e.p.".
// A null move ("--") is none: the game cannot go on after it.
func isGlyph(word string) bool {
	return word[0] == '$' || word == "e.p." || word == "ep" || word != "--" && !strings.ContainsFunc(word, func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	})
}

// comment hangs a comment on the last ply, or on the game before the first one.
func (g *pgnGame) comment(text string, line int) {
	switch {
	case g.fault != nil: // its ply may be missing
	case g.record == nil || g.record.Len() == 0:
		text, _ = cutCommands(text, nil)
		g.preface = joinWords(g.preface, text)
		if g.record != nil {
			g.record.Comment = g.preface
		}
	default:
		ply := &g.record.plies[g.record.Len()-1]
		text, bad := cutCommands(text, ply)
		if bad {
			g.notes.add(line, OddTime)
		}
		if g.hung++; g.hung == 2 {
			g.notes.add(line, OddComments)
		}
		ply.Comment = joinWords(ply.Comment, text)
	}
}

// joinWords adds a comment to one before it, while there is room.
func joinWords(a, b string) string {
	if len(a)+len(b) >= maxCommentBytes {
		return a
	}
	return strings.TrimSpace(a + " " + b)
}

// finish is the game with its fault.
func (g *pgnGame) finish(line int) (*Game, error) {
	g.start(line)
	g.judgeResult(line)
	g.tags.Delete("Result")
	g.record.Tags, g.record.Result = g.tags, g.result
	if g.fault != nil {
		return g.record, g.fault
	}
	return g.record, nil
}

// judgeResult takes the result from the end of the game, and from its tag where the end tells none.
func (g *pgnGame) judgeResult(line int) {
	value, tagged := g.tags.lookup("Result")
	result, odd, known := readTagResult(value)
	switch {
	case !tagged:
	case !known:
		g.notes.add(line, OddResultText)
	case odd:
		g.notes.add(line, OddResult)
	}
	switch {
	case g.result == "":
		g.notes.add(line, OddNoResult)
		g.result = result
	case tagged && known && g.result != result:
		g.notes.add(line, OddResults)
		if g.result == Unfinished {
			g.result = result
		}
	}
}

// bare is a move without the signs that say nothing of where it goes.
func bare(move string) string { return strings.TrimRight(move, "+#!?") }
