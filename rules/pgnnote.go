package rules

// PGNOddity is something that PGN does not provide for, or that feeds are known to do, and that a reader took in
// all the same. The value is what a person is told.
type PGNOddity string

// The oddities that are told of.
const (
	OddMark       PGNOddity = "a byte-order mark before the text"
	OddLatin1     PGNOddity = "text in Latin-1 instead of UTF-8"
	OddQuote      PGNOddity = "a quote inside a tag that is not escaped"
	OddTagTwice   PGNOddity = "a tag given twice; the last one counts"
	OddWrap       PGNOddity = "a line broken inside a command such as %clk"
	OddComments   PGNOddity = "several comments after one ply"
	OddTime       PGNOddity = "a time that no chess clock shows; left out"
	OddMove       PGNOddity = "a move that is not written as in the standard"
	OddResult     PGNOddity = "a result that is not written as in the standard"
	OddNoResult   PGNOddity = "no result at the end of the game"
	OddResults    PGNOddity = "a tag Result that differs from the end of the game"
	OddResultText PGNOddity = "a result that is none of the four; taken as not known"
)

// PGNNote is an oddity of one game.
type PGNNote struct {
	Oddity PGNOddity
	Line   int // of the first time, from 1
	Count  int
}

// pgnNotes gathers the notes of one game, one for each oddity, in the order in which they first came.
type pgnNotes []PGNNote

func (n *pgnNotes) add(line int, oddity PGNOddity) {
	for i := range *n {
		if (*n)[i].Oddity == oddity {
			(*n)[i].Count++
			return
		}
	}
	*n = append(*n, PGNNote{Oddity: oddity, Line: line, Count: 1})
}
