package event

// tieRules are the names of what may decide between players with equal points
// (fact sheets 5.2 and 5.3).
var tieRules = []string{
	"modified-median", "solkoff", "cumulative", "cumulative-of-opposition",
	"buchholz", "buchholz-cut-1", "buchholz-cut-2", "buchholz-median-1", "buchholz-median-2",
	"sonneborn-berger", "progress", "direct-encounter", "wins", "most-blacks",
}

func tieRule(text string) string { return oneOf(tieRules)(text) }
