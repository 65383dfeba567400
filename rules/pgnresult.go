package rules

import "strings"

// feedResults are the results of feeds beside the four of the standard, in capitals (livechess-and-broadcast A.5
// and C.5). A game lost by default is won by the other side; that nobody played is no result.
var feedResults = map[string]Result{
	"0.5-0.5": Draw, "½": Draw, "1/2-½": Draw, "½-1/2": Draw,
	"WHITEWIN": WhiteWins, "BLACKWIN": BlackWins, "DRAW": Draw,
	"WHITEFORFAIT": WhiteWins, "BLACKFORFAIT": BlackWins, "NOTPLAYED": Unfinished,
	"+--": WhiteWins, "--+": BlackWins,
}

// feedTagResults are further ones that mean something else, or nothing, among moves.
var feedTagResults = map[string]Result{
	"+/-": WhiteWins, "+:-": WhiteWins, "-/+": BlackWins, "-:+": BlackWins, "1:0": WhiteWins, "0:1": BlackWins,
	"1-0F": WhiteWins, "0-1F": BlackWins, "": Unfinished, "?": Unfinished,
}

// readResult reads a word of movetext that ends a game; odd says that the standard writes it otherwise.
func readResult(word string) (r Result, odd, ok bool) {
	if r, err := ParseResult(word); err == nil {
		return r, string(r) != word, true
	}
	r, ok = feedResults[strings.ToUpper(dashes.Replace(word))]
	return r, true, ok
}

// readTagResult reads the value of a tag Result.
func readTagResult(value string) (r Result, odd, ok bool) {
	plain := strings.ReplaceAll(value, " ", "")
	if r, odd, ok = readResult(plain); ok {
		return r, odd || plain != value, true
	}
	if r, ok = feedTagResults[strings.ToUpper(dashes.Replace(plain))]; ok {
		return r, true, true
	}
	return Unfinished, true, false
}
