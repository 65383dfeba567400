package pgn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"boardd/broadcast/lcc"
	"boardd/rules"
)

// File is a file of the tree.
type File struct {
	Data []byte
	// Tag is a strong ETag: it changes exactly with Data.
	Tag string
}

// Tree has the files of an event by path, as "round-3/game-12.pgn". It is never changed after it was made.
type Tree map[string]File

// Tree makes all files of the book. before is the tree of the same book made last, or nil.
func (b *Book) Tree(e *Event, before Tree) Tree {
	t := builder{tree: Tree{}, before: before}
	tournament := lcc.Tournament{ID: e.ID, Name: e.Name, Location: known(e.Site), Rules: lcc.Standard, Chess960: lcc.Standard, Rounds: []lcc.Count{}, EBoards: []string{}}
	if e.TimeControl != nil {
		tournament.TimeControl = known(e.TimeControl.LiveChess())
	}
	if e.Chess960 {
		tournament.Chess960 = lcc.Any
	}
	largest := 0
	var newest Round
	for _, round := range b.Rounds() {
		games := b.games(round)
		last := games[len(games)-1].number
		largest = max(largest, last)
		index := lcc.Round{Date: date(games), Pairings: make([]lcc.Pairing, last)}
		for i := range index.Pairings {
			index.Pairings[i].Result = string(rules.Unfinished) // nobody plays there
		}
		live := 0
		var all []byte
		for _, g := range games {
			if g.record.Start().Chess960() {
				tournament.Chess960 = lcc.Any
			}
			if g.live() {
				live++
			}
			index.Pairings[g.number-1] = g.pairing()
			text := g.text(e)
			all = append(all, text...)
			name := fmt.Sprintf("%s/game-%d", round.Folder(), g.number)
			t.add(name+".pgn", text)
			t.add(name+".json", lcc.Encode(g.json(e)))
		}
		t.add(round.Folder()+"/games.pgn", all)
		t.add(round.Folder()+"/index.json", lcc.Encode(index))
		if n := round.number(); n > 0 {
			for len(tournament.Rounds) < n {
				tournament.Rounds = append(tournament.Rounds, lcc.Count{})
			}
			tournament.Rounds[n-1] = lcc.Count{Count: last, Live: live}
		}
		newest = round
	}
	for n := 1; n <= largest; n++ {
		tournament.EBoards = append(tournament.EBoards, e.Serials[n])
	}
	t.add("tournament.json", lcc.Encode(tournament))
	if f, ok := t.tree[newest.Folder()+"/games.pgn"]; ok {
		t.tree["games.pgn"] = f
	} else {
		t.add("games.pgn", nil)
	}
	return t.tree
}

type builder struct{ tree, before Tree }

func (t *builder) add(path string, data []byte) {
	if old, ok := t.before[path]; ok && string(old.Data) == string(data) {
		t.tree[path] = old
		return
	}
	sum := sha256.Sum256(data)
	t.tree[path] = File{data, `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// date is that of a round's first game that has one, as the files have it.
func date(games []*game) *string {
	for _, g := range games {
		if d := strings.ReplaceAll(g.record.Tags.Get("Date"), ".", "-"); len(d) == 10 && !strings.Contains(d, "?") {
			return &d
		}
	}
	return nil
}

func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// onDisk tells whether a file of the tree belongs into the folder by that layout. The newest round's games.pgn at the
// top is for HTTP alone: a folder with two of that name is refused by upload programs.
func (l Layout) onDisk(path string) bool {
	switch {
	case path == "games.pgn":
		return false
	case strings.HasSuffix(path, "/games.pgn"):
		return l != Games
	case strings.HasSuffix(path, ".pgn"):
		return l != Combined
	}
	return true
}

// Paths are the paths of the tree in order.
func (t Tree) Paths() []string {
	var paths []string
	for path := range t {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}
