package event

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/clock"
	"boardd/rules/event/correspondence"
	"boardd/rules/event/pairing"
	"boardd/tomlfile"
)

func readStages(s *tomlfile.Section, e *Event) {
	s.Require("stage")
	names := map[string]bool{}
	for _, row := range s.Tables("stage") {
		var st Stage
		readStage(row, e, &st)
		row.Once("name", st.Name, names)
		checkPlace(row, e, &st)
		if row.Faults() == 0 {
			checkGroups(row, e, &st)
		}
		e.Stages = append(e.Stages, st)
	}
}

func readStage(row *tomlfile.Section, e *Event, st *Stage) {
	row.Text("name", &st.Name, someLine)
	row.Require("name")
	row.Text("section", &st.Section, oneOfSections(e.Sections))
	var system string
	row.Text("system", &system, tomlfile.OneOf(systemNames...))
	row.Require("system")
	st.System = System(max(slices.Index(systemNames, system), 0))
	row.Flag("play-off", &st.PlayOff)
	readControl(row, st)
	readColours(row, st)
	row.Texts("ties", &st.Ties, tieRule)
	readGroups(row, e, st)
	readSystem(row, st)
	row.Integers("tables", &st.Tables, 1, maxNumber)
	readSchedule(row, e, st)
	row.Text("pairings", &st.Pairings, fileBeside)
	row.Text("results", &st.Results, fileBeside)
	readCorrespondence(row, st)
	row.Done()
}

// readControl reads one time control for both sides, or one for each.
func readControl(row *tomlfile.Section, st *Stage) {
	both, white, black := readTime(row, "time"), readTime(row, "white-time"), readTime(row, "black-time")
	switch {
	case row.Has("time") && (row.Has("white-time") || row.Has("black-time")):
		row.Bad("time", "either time or white-time and black-time", "both")
	case row.Has("white-time") || row.Has("black-time"):
		row.Require("white-time")
		row.Require("black-time")
	default:
		row.Require("time")
	}
	switch {
	case both != nil:
		st.Control = *both
	case white != nil && black != nil:
		st.Control = clock.Control{Form: white.Form, White: white.White, Black: black.Black}
		if white.Form != clock.Timed || black.Form != clock.Timed || white.Odds != clock.NoOdds || black.Odds != clock.NoOdds {
			row.Bad("black-time", "one time for White and one for Black", fmt.Sprintf("%v and %v", white, black))
			st.Control = clock.Control{Form: white.Form, White: white.White, Black: white.White}
		}
	}
	readOdds(row, st)
}

func readTime(row *tomlfile.Section, key string) *clock.Control {
	var text string
	row.Text(key, &text, func(text string) string {
		if text == "" || text == "-" || text == "?" {
			return "a time control as in 90+30 or G/120;+30"
		}
		return tomlfile.TimeControl(text)
	})
	if text == "" {
		return nil
	}
	parsed, err := clock.Parse(text, clock.People)
	if err != nil || parsed.Control.Form == clock.Unlimited || parsed.Control.Form == clock.Unknown {
		row.Bad(key, "a time control as in 90+30 or G/120;+30", strconv.Quote(text))
		return nil
	}
	return &parsed.Control
}

// readOdds reads who wins a drawn game. With unequal times it has to be said:
// regulations differ (fact sheet 1).
func readOdds(row *tomlfile.Section, st *Stage) {
	var text string
	row.Text("draw-odds", &text, tomlfile.OneOf("none", "white", "black"))
	odds := map[string]clock.Odds{"white": clock.WhiteWinsDraws, "black": clock.BlackWinsDraws}[text]
	uneven := !slices.Equal(st.Control.White, st.Control.Black)
	switch {
	case text != "" && st.Control.Odds != clock.NoOdds && st.Control.Odds != odds:
		row.Bad("draw-odds", fmt.Sprintf("%q, as the time says", st.Control.Odds), strconv.Quote(text))
	case text == "" && st.Control.Odds == clock.NoOdds && uneven:
		row.Bad("draw-odds", `"none", "white" or "black", since the times are not equal`, "nothing")
	case (odds != clock.NoOdds || st.Control.Odds != clock.NoOdds) && st.System != SuddenDeath:
		row.Bad("draw-odds", "no draw odds but in sudden death", strconv.Quote(max(text, st.Control.Odds.String())))
	}
	if text != "" {
		st.Control.Odds = odds
	}
}

func readColours(row *tomlfile.Section, st *Stage) {
	allowed := st.System.allowed(st.PlayOff)
	names := make([]string, len(allowed))
	for i, c := range allowed {
		names[i] = c.String()
	}
	text := names[0]
	row.Text("colours", &text, func(text string) string {
		if expected := oneOf(names)(text); expected != "" {
			return fmt.Sprintf("%s for the system %s", expected, st.System)
		}
		return ""
	})
	st.Colours = Colours(slices.Index(colourNames, text))
	row.Flag("swap-last-rounds", &st.SwapLast)
	if st.SwapLast && st.System != DoubleRoundRobin {
		row.Bad("swap-last-rounds", "a double round robin", st.System.String())
	}
}

// readGroups reads who plays whom in which group.
func readGroups(row *tomlfile.Section, e *Event, st *Stage) {
	before := row.Faults()
	row.Integer("group-size", &st.GroupSize, 2, pairing.MaxPlayers)
	row.IntegerLists("groups", &st.Groups, 1, max(len(e.Players), 1))
	if st.PlayOff {
		if st.GroupSize > 0 || len(st.Groups) > 0 {
			row.Bad("play-off", "a play-off without groups: its players are those who are tied", "groups")
		}
		return
	}
	if row.Faults() > before {
		return
	}
	seen := map[int]bool{}
	for i, group := range st.Groups {
		if len(group) < 2 || st.GroupSize > 0 && len(group) > st.GroupSize {
			row.BadRow("groups", i, "groups of at least 2 players and at most group-size", fmt.Sprintf("one of %d", len(group)))
		}
		for _, n := range group {
			if p, ok := e.Player(n); ok && st.Section != "" && p.Section != st.Section {
				row.BadRow("groups", i, "players of the section "+st.Section, fmt.Sprintf("%d, who is in %s", n, p.Section))
			}
			if seen[n] {
				row.BadRow("groups", i, "each player in one group", fmt.Sprintf("%d again", n))
				break
			}
			seen[n] = true
		}
	}
}

// checkGroups says which groups cannot play. It comes last, since all else may
// be the cause.
func checkGroups(row *tomlfile.Section, e *Event, st *Stage) {
	for _, group := range e.groups(st) {
		switch {
		case len(group) >= 2 && len(group) <= pairing.MaxPlayers || st.System == Swiss:
		case !e.opens(st):
			row.Bad("group-size", "group-size or groups, since not all players are in a later stage", "neither")
		case st.GroupSize > 0:
			row.Bad("group-size", "a size that leaves groups of at least 2", fmt.Sprintf("one of %d", len(group)))
		default:
			row.Bad("system", fmt.Sprintf("2 to %d players", pairing.MaxPlayers), strconv.Itoa(len(group)))
		}
	}
}

// readSystem reads what only some systems have.
func readSystem(row *tomlfile.Section, st *Stage) {
	row.Integer("rounds", &st.SwissLen, 1, maxRounds)
	if st.System == Swiss {
		row.Require("rounds")
	} else if row.Has("rounds") {
		row.Bad("rounds", "a number of rounds for a Swiss only; elsewhere it follows from the players", strconv.Itoa(st.SwissLen))
	}
	st.Games = 1
	row.Integer("games", &st.Games, 1, 24)
	if row.Has("games") && st.System != KnockOut {
		row.Bad("games", "games of a match in a knock-out only", strconv.Itoa(st.Games))
	}
	fits := st.System == RoundRobin || st.System == DoubleRoundRobin || st.System == SuddenDeath
	if st.PlayOff && !fits {
		row.Bad("system", "round robin, double round robin or sudden death for a play-off", st.System.String())
	}
	if !st.PlayOff && st.System == SuddenDeath {
		row.Bad("system", "play-off = true with sudden death", "no play-off")
	}
}

func readSchedule(row *tomlfile.Section, e *Event, st *Stage) {
	rounds := maxRounds
	if n := e.Rounds(st); n > 0 {
		rounds = n
	}
	seen := map[string]bool{}
	for i, at := range row.Tables("round") {
		slot := Slot{Round: i + 1}
		at.Integer("number", &slot.Round, 1, rounds)
		if !at.Has("number") && i >= rounds {
			at.Bad("number", fmt.Sprintf("no start after round %d, the last", rounds), "one more")
		}
		at.Once("number", strconv.Itoa(slot.Round), seen)
		var text string
		at.Text("start", &text, wallClock)
		at.Require("start")
		at.Done()
		slot.Start, _ = time.Parse(wallClockForm, text) // the check has told what is wrong
		if n := len(st.Schedule); n > 0 && text != "" && slot.Round > st.Schedule[n-1].Round && !slot.Start.After(st.Schedule[n-1].Start) {
			at.Bad("start", "a start after that of the round before", text)
		}
		st.Schedule = append(st.Schedule, slot)
	}
}

const wallClockForm = "2006-01-02 15:04"

func wallClock(text string) string {
	if _, err := time.Parse(wallClockForm, text); err != nil {
		return `a date and time of the venue, as in "2027-03-01 13:00"`
	}
	return ""
}

func readCorrespondence(row *tomlfile.Section, st *Stage) {
	const most = 1000
	points := func(key string, into *correspondence.Points) {
		var n float64
		row.Number(key, &n, 0, most)
		*into = correspondence.Points(math.Round(n * 100))
		if math.Abs(n*100-float64(*into)) > 1e-6 {
			row.Bad(key, "at most two decimals", strconv.FormatFloat(n, 'g', -1, 64))
		}
	}
	points("weight", &st.Weight)
	points("advance-at", &st.AdvanceAt)
	var overstep string
	row.Text("overstep", &overstep, tomlfile.OneOf("penalty", "loss"))
	days := correspondence.EarlyRounds.PenaltyDays
	row.Integer("penalty-days", &days, 1, 365)
	switch {
	case st.Correspondence():
		row.Require("overstep")
	case len(st.Control.White) > 0 && (row.Has("overstep") || row.Has("penalty-days")):
		key := map[bool]string{true: "overstep", false: "penalty-days"}[row.Has("overstep")]
		row.Bad(key, "a time control in days, as in 10/30d", st.Control.String())
	}
	if overstep != "penalty" {
		if row.Has("penalty-days") && st.Correspondence() {
			row.Bad("penalty-days", `overstep = "penalty"`, "no penalty")
		}
		return
	}
	st.Overstep = correspondence.Rule{Forgiven: correspondence.EarlyRounds.Forgiven, PenaltyDays: days}
	if rate, err := correspondence.RateOf(st.Control); err == nil {
		if _, err := correspondence.NewLedger(rate, st.Overstep); err != nil {
			row.Bad("penalty-days", fmt.Sprintf("less than the %d days of a period", rate.Days), strconv.Itoa(days))
		}
	}
}

// checkPlace checks a stage against those before it.
func checkPlace(row *tomlfile.Section, e *Event, st *Stage) {
	n := len(e.Stages)
	switch {
	case st.PlayOff && n == 0:
		row.Bad("play-off", "a stage that decides who is tied before a play-off", "none")
	case !st.PlayOff && n > 0 && e.Stages[n-1].PlayOff && !e.Stages[0].PlayOff:
		row.Bad("play-off", "nothing but play-offs after a play-off", fmt.Sprintf("the stage %q", st.Name))
	case st.Colours == Reversed && n > 0 && !e.Stages[n-1].PlayOff:
		row.Bad("colours", "a play-off before this one, to reverse its colours", fmt.Sprintf("the stage %q", e.Stages[n-1].Name))
	}
}

func readPenalties(s *tomlfile.Section, e *Event) {
	rightSoFar := s.Faults() == 0
	seen := map[Penalty]bool{}
	for _, row := range s.Tables("penalty") {
		var p Penalty
		var change string
		row.Integer("player", &p.Player, 1, max(len(e.Players), 1))
		row.Require("player")
		row.Text("stage", &p.Stage, func(text string) string {
			st, ok := e.Stage(text)
			switch {
			case !ok:
				return "the name of a stage"
			case rightSoFar && st.Correspondence():
				return "a stage that is played with clocks"
			}
			return ""
		})
		row.Require("stage")
		last := maxRounds
		if st, ok := e.Stage(p.Stage); ok && e.Rounds(st) > 0 {
			last = e.Rounds(st)
		}
		row.Integer("round", &p.Round, 1, last)
		row.Require("round")
		row.Text("clock", &change, oneOf([]string{"half"}))
		row.Require("clock")
		row.Text("reason", &p.Reason, tomlfile.ShortLine)
		row.Done()
		if once := (Penalty{Player: p.Player, Stage: p.Stage, Round: p.Round}); p.Player != 0 {
			if seen[once] {
				row.Bad("round", "one penalty of a player in a round", fmt.Sprintf("a second one in round %d", p.Round))
			}
			seen[once] = true
		}
		e.Penalties = append(e.Penalties, p)
	}
}

// fileBeside is a file in the folder of the event's or below it.
func fileBeside(text string) string {
	const expected = "a file in the folder of this one, ending in .trf, .trfx, .pgn or .csv"
	if text == "" || path.Clean(text) != text || path.IsAbs(text) || strings.HasPrefix(text, "..") || strings.Contains(text, `\`) || tomlfile.HasControl(text) {
		return expected
	}
	if !slices.Contains([]string{".trf", ".trfx", ".pgn", ".csv"}, strings.ToLower(path.Ext(text))) {
		return expected
	}
	return ""
}
