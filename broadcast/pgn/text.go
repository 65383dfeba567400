package pgn

// Text is one game as PGN, for programs that take games one by one.
type Text struct {
	Name string // for people, as "board 3, Novak - Young"
	PGN  []byte
	// Plies is how many half-moves it has.
	Plies int
}

// Newest has the games of the newest round, by board.
func (b *Book) Newest(e *Event) []Text {
	rounds := b.Rounds()
	if len(rounds) == 0 {
		return nil
	}
	var list []Text
	for _, g := range b.games(rounds[len(rounds)-1]) {
		tagged := g.tagged(e)
		list = append(list, Text{
			Name:  "board " + tagged.Tags.Get("Board") + ", " + tagged.Tags.Get("White") + " - " + tagged.Tags.Get("Black"),
			PGN:   g.text(e),
			Plies: g.record.Len(),
		})
	}
	return list
}
